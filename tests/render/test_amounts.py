"""Amounts as players write them: one reader, whole chips, never a float."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.legal import Decision, Legal
from bot.engine.stakes import CHIPS_MAX
from bot.render.amounts import BadAmount, chips, street_total, wants_all_in

FACING_A_BET = Legal(
    6, Decision.BET, fold=True, call=1025, min_to=2050, max_to=13700, level=1025, owe=1025, pot=10475, stack=13700
)
POT_LIMIT = Legal(
    6, Decision.BET, fold=True, call=1025, min_to=2050, max_to=12525, level=1025, owe=1025, pot=10475, stack=50_000
)


@pytest.mark.parametrize(
    ("word", "total"),
    [
        ("200", 200),
        ("1,500", 1500),
        ("1 500", 1500),
        ("1\u202f500", 1500),
        ("1_500", 1500),
        ("1.5k", 1500),
        ("1.5K", 1500),
        (".5k", 500),
        ("4k", 4000),
        ("2m", 2_000_000),
        ("1.25 million", 1_250_000),
        ("200.00", 200),
        ("½", 6775),
        ("half", 6775),
        ("1/2 pot", 6775),
        ("½ pot", 6775),
        ("⅓ pot", 1025 + 11500 // 3),
        ("75%", 1025 + 11500 * 3 // 4),
        ("pot", 12525),
        ("POT", 12525),
        ("all", 13700),
        ("All-in", 13700),
        ("min", 2050),
        ("max", 13700),
        ("2x", 2050),
        ("2.2x", 2255),
        ("3bb", 300),
        ("2.5 bb", 250),
    ],
)
def test_what_a_player_may_write(word: str, total: int) -> None:
    assert street_total(word, FACING_A_BET, big_blind=100) == total


@pytest.mark.law("H-5", "B-13")
@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("2.5", "fraction"),
        ("1.500", "fraction"),
        ("1.0005k", "fraction"),
        ("0", "zero"),
        ("0k", "zero"),
        ("-3", "zero"),
        ("- 2.5k", "zero"),
        ("-", "unreadable"),
        ("", "unreadable"),
        (".", "unreadable"),
        ("k", "unreadable"),
        ("1,5k", "unreadable"),
        ("15,00", "unreadable"),
        ("1e9", "unreadable"),
        ("0x10", "unreadable"),
        ("٣", "unreadable"),
        ("200 please", "unreadable"),
        ("inf", "unreadable"),
        ("9" * 30, "large"),
        ("1000000000001", "large"),
        ("5000b", "large"),
        ("9" * 500, "unreadable"),
    ],
)
def test_what_is_no_amount(word: str, kind: str) -> None:
    """Chips are whole, at least one, and no table holds more than 10^12."""
    with pytest.raises(BadAmount) as refused:
        street_total(word, FACING_A_BET, big_blind=100)
    assert refused.value.kind == kind
    assert refused.value.law == ("H-5" if kind in ("fraction", "large", "zero") else "B-13")
    assert refused.value.legal is FACING_A_BET
    assert len(refused.value.word) <= 40


def test_words_for_a_share_of_the_pot_stay_inside_what_may_be_bet() -> None:
    short = Legal(0, Decision.BET, fold=True, call=100, min_to=200, max_to=450, level=100, owe=100, pot=1000, stack=450)
    assert street_total("pot", short) == 450
    assert street_total("10%", short) == 210
    assert street_total("1%", short) == 200
    assert street_total("pot", POT_LIMIT) == 12525


def test_all_in_is_the_whole_stack_even_where_the_pot_caps_the_raise() -> None:
    """The engine then rules on it; the word never means less than it says."""
    assert street_total("all", POT_LIMIT) == 50_000
    assert wants_all_in(" ALL IN ")
    assert not wants_all_in("pot")


def test_multiples_of_nothing_are_refused() -> None:
    nothing = Legal(0, Decision.BET, check=True, min_to=100, max_to=900, opening=True, stack=900)
    for word in ("2x", "3bb"):
        with pytest.raises(BadAmount, match="say how much") as refused:
            street_total(word, nothing)
        assert refused.value.kind == "nothing to multiply"


def test_plain_chips_know_no_pot() -> None:
    assert chips("1.5k") == 1500
    for word in ("pot", "all", "2x", "3bb", "½"):
        with pytest.raises(BadAmount) as refused:
            chips(word)
        assert str(refused.value) == f"Law H-5: chips are whole; {word!r} is not an amount."


@given(st.text(max_size=60))
def test_any_text_is_an_amount_or_a_plain_refusal(word: str) -> None:
    try:
        total = street_total(word, FACING_A_BET, big_blind=100)
    except BadAmount as refused:
        assert refused.kind in {"unreadable", "fraction", "large", "zero", "nothing to multiply"}
    else:
        assert type(total) is int
        assert 1 <= total <= CHIPS_MAX


@given(st.integers(1, CHIPS_MAX))
def test_every_amount_reads_back_as_it_is_written(total: int) -> None:
    assert chips(str(total)) == chips(f"{total:,}") == total
