"""The ids of buttons, selects and forms are short, and what comes back is not trusted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.message import custom_ids
from bot.render.message.custom_ids import FormSubmission, PagePress, Press
from bot.text.buttons import Verb

NUMBERS = st.integers(0, custom_ids.NUMBER_MAX)


@given(NUMBERS, NUMBERS, NUMBERS, st.sampled_from(Verb), NUMBERS)
def test_a_click_reads_back_as_it_was_written(table: int, hand: int, turn: int, verb: Verb, amount: int) -> None:
    written = custom_ids.button_id(table, hand, turn, verb, amount)
    assert len(written) <= 100
    assert custom_ids.parse_custom_id(written) == Press(table, hand, turn, verb, amount)


@given(
    NUMBERS, NUMBERS, NUMBERS, st.sampled_from((Verb.WILD_RANK, Verb.WILD_SUIT, Verb.SHOW)),
    st.integers(custom_ids.NUMBER_MAX + 1, custom_ids.CODE_MAX),
)  # fmt: skip
def test_a_long_choice_reads_back_as_it_was_written(table: int, hand: int, turn: int, verb: Verb, code: int) -> None:
    written = custom_ids.button_id(table, hand, turn, verb, code)
    assert len(written) <= 100
    assert custom_ids.parse_custom_id(written) == Press(table, hand, turn, verb, code)


@given(NUMBERS, NUMBERS, NUMBERS, st.sampled_from(Verb), NUMBERS, NUMBERS)
def test_a_form_reads_back_as_it_was_written(
    table: int, hand: int, turn: int, verb: Verb, user: int, extra: int
) -> None:
    written = custom_ids.form_id(table, hand, turn, verb, user, extra)
    assert len(written) <= 120
    if len(written) <= 100:
        assert custom_ids.parse_custom_id(written) == FormSubmission(table, hand, turn, verb, user, extra)


def test_real_numbers_always_fit() -> None:
    """Tables and hands count from 1, users are Discord ids of 20 digits at most, and seats end at 14."""
    assert len(custom_ids.form_id(10**9, 10**7, 10**4, Verb.WAITING_LIST, 2**63, 14)) < 64


def test_pages_carry_up_to_three_plain_words() -> None:
    assert custom_ids.parse_custom_id(custom_ids.page_id("board", "page", 2, "next")) == PagePress(
        "board", "page", ("2", "next")
    )
    assert custom_ids.parse_custom_id(custom_ids.page_id("laws", "one", "TL-4")) == PagePress("laws", "one", ("TL-4",))
    assert custom_ids.parse_custom_id(custom_ids.page_id("chips", "daily")) == PagePress("chips", "daily")
    assert custom_ids.parse_custom_id("p:found:page:1:2:3") == PagePress("found", "page", ("1", "2", "3"))
    too_long = ("twelveletter", "twelveletter", *["w" * 24] * 3)
    for wrong in (
        ("board", "page", "a:b"), ("board", "page", ""), ("Board", "page"), ("a", "b", "1", "2", "3", "4"), too_long,
    ):  # fmt: skip
        with pytest.raises(ValueError, match="not a page id"):
            custom_ids.page_id(*wrong)


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        "t",
        "t:1:2:3",
        "t:1:2:3:explode",
        "t:1:2:3:fold:",
        "t:1:2:3:fold:0",
        "t:1:2:3:fold:-5",
        "t:1:2:3:fold:5:6",
        "t:-1:2:3:fold",
        "t:01:2:3:fold",
        "t:1:2:3:FOLD",
        "t:1:2:3:fold\n",
        "\nt:1:2:3:fold",
        "t:1:2:3: fold",
        "t:١:2:3:fold",
        "t:1:2:3:fold:1e5",
        "t:9999999999999999999:2:3:fold",
        "t:1:2:3:call:9999999999999999999",
        "t:" + "9" * 200 + ":2:3:fold",
        "t:1:2:3:show:~zzzz",
        "t:1:2:3:show:~00000zzzzzzzzzz",
        "t:1:2:3:show:~7zzzzzzzzz",
        "t:1:2:3:show:~zzzzzzzzzz z",
        "t:1:2:3:show:~" + "z" * 28,
        "t:1:2:3:call:~zzzzzzzzzzzz",
        "t:1:2:3:explode:~zzzzzzzzzzzz",
        "p:chips",
        "p:chips:",
        "p:chips:daily:a:b:c:d",
        "p:ch/ips:daily",
        "p:chips:daily:" + "x" * 25,
        "p:chips:history:9999999999999999999",
        "p:hand:page:1.9999999999999999999:1.now",
        "f:1:2:3:size",
        "f:1:2:3:size:abc",
        "f:1:2:3:nope:5",
        "x:1:2:3:fold",
        "t:1:2:3:fold\x00",
    ],
)
def test_hostile_ids_are_rejected(hostile: str) -> None:
    assert custom_ids.parse_custom_id(hostile) is None


@given(st.text(max_size=110))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = custom_ids.parse_custom_id(text)
    if isinstance(found, Press):
        assert custom_ids.button_id(found.table, found.hand, found.turn, found.verb, found.amount) == text
