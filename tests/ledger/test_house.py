"""Gifts of the house and its rules."""

import pytest

from bot.engine.stakes import CHIPS_MAX
from bot.ledger.accounts import Book, Reason, Transfer, mint, wallet
from bot.ledger.errors import (
    NoSuchAmount,
    NotBroke,
    NotEnoughChips,
    NothingToClaim,
    RuleOutOfBounds,
    TooEarly,
    TooManyChips,
)
from bot.ledger.house import (
    BOUNDS,
    DAY,
    HOUR,
    Claims,
    HouseRules,
    change_rules,
    claim_daily,
    claim_relief,
    open_wallet,
    staff_grant,
    staff_take,
)

ANN = 1
RULES = HouseRules()
MONDAY = 20_000 * DAY  # midnight UTC


def test_a_player_gets_the_opening_grant_once() -> None:
    gift = open_wallet(RULES, Claims(), ANN, MONDAY)
    assert gift is not None
    assert gift.transfers == (Transfer(mint(), wallet(ANN), 10_000, Reason.GRANT),)
    assert open_wallet(RULES, gift.claims, ANN, MONDAY + DAY) is None


def test_a_house_without_a_grant_still_remembers_its_players() -> None:
    """Else a later rule would pay everybody again."""
    gift = open_wallet(change_rules(RULES, opening_grant=0), Claims(), ANN, MONDAY)
    assert gift is not None
    assert gift.transfers == ()
    assert open_wallet(RULES, gift.claims, ANN, MONDAY) is None


def test_practice_chips_come_from_the_practice_mint() -> None:
    gift = open_wallet(RULES, Claims(), ANN, MONDAY, Book.PRACTICE)
    assert gift is not None
    assert gift.transfers[0].debit == mint(Book.PRACTICE)


def test_the_daily_claim_grows_with_each_day_in_a_row() -> None:
    claims, given = Claims(), []
    for day in range(13):
        gift = claim_daily(RULES, claims, ANN, MONDAY + day * DAY + day * HOUR)
        claims = gift.claims
        given.append(gift.transfers[0].chips)
    assert given == [1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700, 1800, 1900, 2000, 2000, 2000]
    assert claims.streak == 13


def test_a_missed_day_begins_the_streak_again() -> None:
    claims = claim_daily(RULES, Claims(), ANN, MONDAY).claims
    claims = claim_daily(RULES, claims, ANN, MONDAY + DAY).claims
    gift = claim_daily(RULES, claims, ANN, MONDAY + 3 * DAY)
    assert (gift.transfers[0].chips, gift.claims.streak) == (1000, 1)


def test_days_are_utc_days() -> None:
    """A claim a minute before midnight and one a minute after are two days."""
    claims = claim_daily(RULES, Claims(), ANN, MONDAY + DAY - 60_000).claims
    with pytest.raises(TooEarly) as early:
        claim_daily(RULES, claims, ANN, MONDAY + DAY - 1)
    assert early.value.until == MONDAY + DAY
    assert claim_daily(RULES, claims, ANN, MONDAY + DAY).claims.streak == 2


def test_a_clock_set_back_gives_no_second_claim() -> None:
    claims = claim_daily(RULES, Claims(), ANN, MONDAY).claims
    with pytest.raises(TooEarly) as early:
        claim_daily(RULES, claims, ANN, MONDAY - 5 * DAY)
    assert early.value.until == MONDAY + DAY


@pytest.mark.parametrize("total", [1, 10_000])
def test_relief_is_for_the_broke(total: int) -> None:
    with pytest.raises(NotBroke) as refused:
        claim_relief(RULES, Claims(), ANN, total=total, now=MONDAY)
    assert refused.value.total == total


def test_relief_comes_once_in_24_hours() -> None:
    gift = claim_relief(RULES, Claims(), ANN, total=0, now=MONDAY)
    assert gift.transfers == (Transfer(mint(), wallet(ANN), 2_000, Reason.RELIEF),)
    with pytest.raises(TooEarly) as early:
        claim_relief(RULES, gift.claims, ANN, total=0, now=MONDAY + 24 * HOUR - 1)
    assert early.value.until == MONDAY + 24 * HOUR
    assert claim_relief(RULES, gift.claims, ANN, total=0, now=MONDAY + 24 * HOUR).claims.relief_at == MONDAY + 24 * HOUR


def test_a_house_may_give_nothing() -> None:
    rules = change_rules(RULES, daily=0, relief=0)
    with pytest.raises(NothingToClaim):
        claim_daily(rules, Claims(), ANN, MONDAY)
    with pytest.raises(NothingToClaim):
        claim_relief(rules, Claims(), ANN, total=0, now=MONDAY)


def test_staff_give_and_take_within_bounds() -> None:
    assert staff_grant(ANN, 500, total=0, note="won the quiz").note == "won the quiz"
    with pytest.raises(TooManyChips):
        staff_grant(ANN, 2, total=CHIPS_MAX - 1, note="")
    with pytest.raises(NotEnoughChips) as short:
        staff_take(ANN, 501, in_wallet=500, note="")
    assert (short.value.has, short.value.needs) == (500, 501)
    assert staff_take(ANN, 500, in_wallet=500, note="").credit == mint()
    for chips in (0, -1, CHIPS_MAX + 1):
        with pytest.raises(NoSuchAmount):
            staff_grant(ANN, chips, total=0, note="")
        with pytest.raises(NoSuchAmount):
            staff_take(ANN, chips, in_wallet=CHIPS_MAX, note="")


def test_every_rule_has_bounds_that_its_default_keeps() -> None:
    assert set(BOUNDS) == set(RULES.__struct_fields__)
    for name, (least, most) in BOUNDS.items():
        assert least <= getattr(RULES, name) <= most
        for value in (least - 1, most + 1):
            with pytest.raises(RuleOutOfBounds) as refused:
                change_rules(RULES, **{name: value})
            assert (refused.value.name, refused.value.least, refused.value.most) == (name, least, most)


def test_a_least_does_not_pass_its_most() -> None:
    with pytest.raises(RuleOutOfBounds) as refused:
        change_rules(RULES, small_blind=101)
    assert (refused.value.name, refused.value.most) == ("small_blind", 100)
    with pytest.raises(RuleOutOfBounds) as refused:
        change_rules(RULES, buyin_most=19)
    assert (refused.value.name, refused.value.least) == ("buyin_most", 20)
    assert change_rules(RULES, small_blind=500, big_blind=1000).big_blind == 1000
