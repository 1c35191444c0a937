"""Amounts are read as players write them: whole chips, never a float."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.legal import Decision, LegalActions
from bot.engine.stakes import MAX_CHIPS
from bot.text.amounts import (
    AmountBelowOne,
    AmountTooLarge,
    BadAmount,
    NothingToMultiply,
    NotWholeAmount,
    UnreadableAmount,
    means_all_in,
    parse_chips,
    parse_street_total,
)

FACING_A_BET = LegalActions(
    6,
    Decision.BET,
    fold=True,
    call_chips=1025,
    min_to=2050,
    max_to=13700,
    current_bet=1025,
    to_call=1025,
    pot=10475,
    stack=13700,
)
POT_LIMIT = LegalActions(
    6,
    Decision.BET,
    fold=True,
    call_chips=1025,
    min_to=2050,
    max_to=12525,
    current_bet=1025,
    to_call=1025,
    pot=10475,
    stack=50_000,
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
        ("⅔", 1025 + 11500 * 2 // 3),
        ("2/3", 1025 + 11500 * 2 // 3),
        ("two thirds pot", 1025 + 11500 * 2 // 3),
        ("¾pot", 1025 + 11500 * 3 // 4),
        ("halfpot", 6775),
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
def test_amounts_players_can_write(word: str, total: int) -> None:
    assert parse_street_total(word, FACING_A_BET, big_blind=100) == total


@pytest.mark.law("H-5", "B-13")
@pytest.mark.parametrize(
    ("word", "refusal"),
    [
        ("2.5", NotWholeAmount),
        ("1.500", NotWholeAmount),
        ("1.0005k", NotWholeAmount),
        ("0", AmountBelowOne),
        ("0k", AmountBelowOne),
        ("-3", AmountBelowOne),
        ("- 2.5k", AmountBelowOne),
        ("-", UnreadableAmount),
        ("", UnreadableAmount),
        (".", UnreadableAmount),
        ("k", UnreadableAmount),
        ("1,5k", UnreadableAmount),
        ("15,00", UnreadableAmount),
        ("1e9", UnreadableAmount),
        ("0x10", UnreadableAmount),
        ("٣", UnreadableAmount),
        ("200 please", UnreadableAmount),
        ("inf", UnreadableAmount),
        ("9" * 30, AmountTooLarge),
        ("1000000000001", AmountTooLarge),
        ("5000b", AmountTooLarge),
        ("9" * 500, UnreadableAmount),
    ],
)
def test_invalid_amounts_are_refused(word: str, refusal: type[BadAmount]) -> None:
    """Chips are whole, at least one, and no table holds more than 10^12."""
    with pytest.raises(BadAmount) as refused:
        parse_street_total(word, FACING_A_BET, big_blind=100)
    assert type(refused.value) is refusal
    assert refused.value.law == ("B-13" if refusal is UnreadableAmount else "H-5")
    assert refused.value.legal is FACING_A_BET
    assert len(refused.value.word) <= 40


def test_pot_share_words_stay_within_betting_limits() -> None:
    short = LegalActions(
        0,
        Decision.BET,
        fold=True,
        call_chips=100,
        min_to=200,
        max_to=450,
        current_bet=100,
        to_call=100,
        pot=1000,
        stack=450,
    )
    assert parse_street_total("pot", short) == 450
    assert parse_street_total("10%", short) == 210
    assert parse_street_total("1%", short) == 200
    assert parse_street_total("pot", POT_LIMIT) == 12525


def test_pot_share_words_choose_one_of_two_sizes() -> None:
    """An open pair leaves 100 and 200, and nothing between them (VC-5)."""
    open_pair = LegalActions(
        0, Decision.BET, check=True, opening=True, min_to=100, max_to=200, pot=300, stack=9_000, two_sizes=True
    )
    assert [parse_street_total(word, open_pair) for word in ("min", "1/4 pot", "half", "pot", "max")] == [
        100,
        100,
        100,
        200,
        200,
    ]


def test_all_in_is_the_whole_stack_under_pot_limit() -> None:
    """The engine then rules on it; the word never means less than it says."""
    assert parse_street_total("all", POT_LIMIT) == 50_000
    assert means_all_in(" ALL IN ")
    assert not means_all_in("pot")


def test_multiples_of_nothing_are_refused() -> None:
    nothing = LegalActions(0, Decision.BET, check=True, min_to=100, max_to=900, opening=True, stack=900)
    for word in ("2x", "3bb"):
        with pytest.raises(NothingToMultiply) as refused:
            parse_street_total(word, nothing)
        assert refused.value.law == "B-13"


def test_plain_chips_know_no_pot() -> None:
    assert parse_chips("1.5k") == 1500
    for word in ("pot", "all", "2x", "3bb", "½"):
        with pytest.raises(BadAmount) as refused:
            parse_chips(word)
        assert refused.value.law == "H-5"


@given(st.text(max_size=60))
def test_any_text_is_an_amount_or_a_plain_refusal(word: str) -> None:
    try:
        total = parse_street_total(word, FACING_A_BET, big_blind=100)
    except BadAmount as refused:
        assert refused.law in {"H-5", "B-13"}
    else:
        assert type(total) is int
        assert 1 <= total <= MAX_CHIPS


@given(st.integers(1, MAX_CHIPS))
def test_every_amount_reads_back_as_it_is_written(total: int) -> None:
    assert parse_chips(str(total)) == parse_chips(f"{total:,}") == total
