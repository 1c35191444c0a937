"""The house gives chips by its rules, and staff can change the rules."""

import pytest

from bot.engine.stakes import MAX_CHIPS
from bot.house.rules import HouseRules, changed_house_rules
from bot.ledger.accounts import Book, Transfer, TransferReason, mint_account, wallet_account
from bot.ledger.gifts import (
    DAY_MS,
    DISCORD_EPOCH_MS,
    HOUR_MS,
    GiftClaims,
    HeldChips,
    NextGifts,
    claim_daily,
    claim_opening_grant,
    claim_relief,
    gifts_needed,
    held_chips,
    next_gifts,
    require_tenure,
    staff_grant,
    staff_take,
    young_from,
)
from bot.ledger.refusals import (
    ClaimTooEarly,
    InvalidChipAmount,
    NewcomerMustWait,
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


def made_at(ms: int) -> int:
    """Return the id of an account that was made at a time."""
    return ms - DISCORD_EPOCH_MS << 22


def test_newcomer_waits_for_the_gifts_of_the_house() -> None:
    rules = changed_house_rules(RULES, account_days=7, member_days=2)
    old = made_at(MONDAY - 100 * DAY_MS)
    for user, joined_at, until in (
        (made_at(MONDAY), MONDAY, MONDAY + 7 * DAY_MS),
        (old, MONDAY - DAY_MS, MONDAY + DAY_MS),
        (old, 0, MONDAY + 2 * DAY_MS),
    ):
        with pytest.raises(NewcomerMustWait) as refused:
            require_tenure(rules, GiftClaims(), user, joined_at, MONDAY)
        assert refused.value.until == until
        told = next_gifts(rules, GiftClaims(), user, total=0, joined_at=joined_at, now=MONDAY)
        assert (told.daily_at, told.relief_at, told.now) == (until, until, 0)
    require_tenure(rules, GiftClaims(), old, MONDAY - 2 * DAY_MS, MONDAY)
    require_tenure(rules, GiftClaims(granted_at=MONDAY - 2 * DAY_MS), old, 0, MONDAY)


def test_next_gifts_are_those_that_can_be_claimed() -> None:
    user, joined_at = made_at(MONDAY - 100 * DAY_MS), MONDAY - 50 * DAY_MS
    told = next_gifts(RULES, GiftClaims(), user, total=0, joined_at=joined_at, now=MONDAY)
    assert told == NextGifts(daily=1_000, relief=2_000) and told.now == 3_000
    claims = claim_relief(
        RULES, claim_daily(RULES, GiftClaims(), user, MONDAY).claims, user, total=0, now=MONDAY
    ).claims
    told = next_gifts(RULES, claims, user, total=0, joined_at=joined_at, now=MONDAY + HOUR_MS)
    assert told == NextGifts(1_100, MONDAY + DAY_MS, 2_000, MONDAY + 24 * HOUR_MS) and told.now == 0
    assert next_gifts(RULES, claims, user, total=5_000, joined_at=joined_at, now=MONDAY + HOUR_MS).relief == 0


@pytest.mark.parametrize(
    ("missing", "gifts"),
    [
        (0, ()),
        (2_000, (TransferReason.RELIEF,)),
        (2_001, (TransferReason.RELIEF, TransferReason.DAILY)),
        (3_000, (TransferReason.RELIEF, TransferReason.DAILY)),
        (3_001, ()),
    ],
)
def test_as_few_gifts_are_taken_as_are_needed(missing: int, gifts: tuple[TransferReason, ...]) -> None:
    assert gifts_needed(NextGifts(daily=1_000, relief=2_000), missing) == gifts


def test_gifts_that_cannot_be_claimed_yet_help_nobody() -> None:
    assert gifts_needed(NextGifts(daily=1_000, relief=2_000, relief_at=MONDAY), 1_000) == (TransferReason.DAILY,)
    assert gifts_needed(NextGifts(daily=1_000, relief=2_000, relief_at=MONDAY), 1_001) == ()
    assert gifts_needed(NextGifts(daily=3_000, daily_at=MONDAY, relief=2_000), 2_001) == ()


def test_chips_from_young_accounts_are_held_for_a_while() -> None:
    older, younger = made_at(MONDAY - 20 * DAY_MS), made_at(MONDAY - 10 * DAY_MS)
    assert held_chips(RULES, [(younger, 1_500), (older, RULES.young_chips)]) == HeldChips(
        1_500, MONDAY + (RULES.young_days - 20) * DAY_MS
    )
    assert held_chips(RULES, [(younger, RULES.young_chips)]) == HeldChips()
    first_young = young_from(RULES, MONDAY)
    assert made_at(MONDAY - RULES.young_days * DAY_MS) < first_young
    assert first_young <= made_at(MONDAY - RULES.young_days * DAY_MS + 1)


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
