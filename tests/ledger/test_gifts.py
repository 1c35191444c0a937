"""The house gives chips by its rules, and staff can change the rules."""

import pytest

from bot.engine.stakes import MAX_CHIPS
from bot.house.rules import HouseRules, changed_house_rules
from bot.ledger.accounts import Book, Transfer, TransferReason, mint_account, wallet_account
from bot.ledger.gifts import (
    DAY_MS,
    HOUR_MS,
    GiftClaims,
    claim_daily,
    claim_opening_grant,
    claim_relief,
    staff_grant,
    staff_take,
)
from bot.ledger.refusals import (
    ClaimTooEarly,
    InvalidChipAmount,
    NotEnoughChips,
    NothingToClaim,
    StillHasChips,
    TooManyChips,
)

ANN = 1
RULES = HouseRules()
MONDAY = 20_000 * DAY_MS  # midnight UTC


def test_player_gets_the_opening_grant_once() -> None:
    gift = claim_opening_grant(RULES, GiftClaims(), ANN, MONDAY)
    assert gift is not None
    assert gift.transfers == (Transfer(mint_account(), wallet_account(ANN), 10_000, TransferReason.GRANT),)
    assert claim_opening_grant(RULES, gift.claims, ANN, MONDAY + DAY_MS) is None


def test_house_without_grant_still_remembers_its_players() -> None:
    """Otherwise everyone would be paid when the house introduces a grant later."""
    gift = claim_opening_grant(changed_house_rules(RULES, opening_grant=0), GiftClaims(), ANN, MONDAY)
    assert gift is not None
    assert gift.transfers == ()
    assert claim_opening_grant(RULES, gift.claims, ANN, MONDAY) is None


def test_practice_chips_come_from_the_practice_mint() -> None:
    gift = claim_opening_grant(RULES, GiftClaims(), ANN, MONDAY, Book.PRACTICE)
    assert gift is not None
    assert gift.transfers[0].debit == mint_account(Book.PRACTICE)


def test_daily_claim_grows_with_each_day_in_a_row() -> None:
    claims, given = GiftClaims(), []
    for day in range(13):
        gift = claim_daily(RULES, claims, ANN, MONDAY + day * DAY_MS + day * HOUR_MS)
        claims = gift.claims
        given.append(gift.transfers[0].chips)
    assert given == [1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700, 1800, 1900, 2000, 2000, 2000]
    assert claims.streak == 13


def test_missed_day_restarts_the_streak() -> None:
    claims = claim_daily(RULES, GiftClaims(), ANN, MONDAY).claims
    claims = claim_daily(RULES, claims, ANN, MONDAY + DAY_MS).claims
    gift = claim_daily(RULES, claims, ANN, MONDAY + 3 * DAY_MS)
    assert (gift.transfers[0].chips, gift.claims.streak) == (1000, 1)


def test_days_are_utc_days() -> None:
    """A claim a minute before midnight and one a minute after it are on two days."""
    claims = claim_daily(RULES, GiftClaims(), ANN, MONDAY + DAY_MS - 60_000).claims
    with pytest.raises(ClaimTooEarly) as early:
        claim_daily(RULES, claims, ANN, MONDAY + DAY_MS - 1)
    assert early.value.until == MONDAY + DAY_MS
    assert claim_daily(RULES, claims, ANN, MONDAY + DAY_MS).claims.streak == 2


def test_clock_set_back_gives_no_second_claim() -> None:
    claims = claim_daily(RULES, GiftClaims(), ANN, MONDAY).claims
    with pytest.raises(ClaimTooEarly) as early:
        claim_daily(RULES, claims, ANN, MONDAY - 5 * DAY_MS)
    assert early.value.until == MONDAY + DAY_MS


@pytest.mark.parametrize("total", [1, 10_000])
def test_relief_is_for_players_without_chips(total: int) -> None:
    with pytest.raises(StillHasChips) as refused:
        claim_relief(RULES, GiftClaims(), ANN, total=total, now=MONDAY)
    assert refused.value.total == total


def test_daily_chips_never_keep_a_player_from_relief() -> None:
    claims = claim_daily(RULES, GiftClaims(), ANN, MONDAY).claims
    assert claim_relief(RULES, claims, ANN, total=1_000, now=MONDAY).transfers[0].chips == 2_000
    with pytest.raises(StillHasChips):
        claim_relief(RULES, claims, ANN, total=1_001, now=MONDAY)

    claims = claim_daily(RULES, claims, ANN, MONDAY + DAY_MS).claims
    assert claim_relief(RULES, claims, ANN, total=2_100, unplayed_daily=2_100, now=MONDAY + DAY_MS).transfers
    assert claim_relief(RULES, claims, ANN, total=1_100, now=MONDAY + DAY_MS).transfers  # what is left of a table
    with pytest.raises(StillHasChips):
        claim_relief(RULES, claims, ANN, total=2_100, now=MONDAY + DAY_MS)


def test_relief_comes_once_in_24_hours() -> None:
    gift = claim_relief(RULES, GiftClaims(), ANN, total=0, now=MONDAY)
    assert gift.transfers == (Transfer(mint_account(), wallet_account(ANN), 2_000, TransferReason.RELIEF),)
    with pytest.raises(ClaimTooEarly) as early:
        claim_relief(RULES, gift.claims, ANN, total=0, now=MONDAY + 24 * HOUR_MS - 1)
    assert early.value.until == MONDAY + 24 * HOUR_MS
    assert (
        claim_relief(RULES, gift.claims, ANN, total=0, now=MONDAY + 24 * HOUR_MS).claims.relief_at
        == MONDAY + 24 * HOUR_MS
    )


def test_house_can_give_nothing() -> None:
    rules = changed_house_rules(RULES, daily=0, relief=0)
    with pytest.raises(NothingToClaim):
        claim_daily(rules, GiftClaims(), ANN, MONDAY)
    with pytest.raises(NothingToClaim):
        claim_relief(rules, GiftClaims(), ANN, total=0, now=MONDAY)


def test_staff_give_and_take_within_bounds() -> None:
    assert staff_grant(ANN, 500, total=0, note="won the quiz").note == "won the quiz"
    with pytest.raises(TooManyChips):
        staff_grant(ANN, 2, total=MAX_CHIPS - 1, note="")
    with pytest.raises(NotEnoughChips) as short:
        staff_take(ANN, 501, in_wallet=500, note="")
    assert (short.value.has, short.value.needs) == (500, 501)
    assert staff_take(ANN, 500, in_wallet=500, note="").credit == mint_account()
    for chips in (0, -1, MAX_CHIPS + 1):
        with pytest.raises(InvalidChipAmount):
            staff_grant(ANN, chips, total=0, note="")
        with pytest.raises(InvalidChipAmount):
            staff_take(ANN, chips, in_wallet=MAX_CHIPS, note="")
