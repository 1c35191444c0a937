"""The house rules that a server's staff can change, and the gifts of the house: opening grant, daily chips, relief.

Times are ms since the epoch. They are arguments; nothing here reads a clock. Days are counted in UTC.
"""

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.stakes import MAX_CHIPS
from bot.ledger.accounts import Book, Transfer, TransferReason, mint_account, wallet_account
from bot.ledger.refusals import (
    ClaimTooEarly,
    HouseRuleOutOfBounds,
    InvalidChipAmount,
    NotEnoughChips,
    NothingToClaim,
    StillHasChips,
    TooManyChips,
)

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


class HouseRules(Struct, frozen=True, kw_only=True):
    """The rules of one server. Staff can change them; the defaults are the dealer's own.

    Attributes:
        opening_grant: chips for a player who is seen for the first time; 0 for none.
        daily: chips that a player can claim once a day; 0 for none.
        daily_step: chips added for each further day in a row.
        daily_max: the maximum that a streak can reach.
        relief: chips for a player who has none; 0 for none.
        relief_hours: hours from one relief to the next.
        staff_role: the Discord id of a role that counts as staff, beside those who can manage the server; 0 for none.
        idle_close_minutes: a table without a hand for so long closes and pays everyone out.
        small_blind, big_blind: the blinds of a new table, in chips.
        buyin_min, buyin_max: the buy-in limits of a new table, in big blinds.
        turn_seconds, bank_seconds: the turn clock (TL-30) and the time bank (TL-31) of a new table.
        nudge_seconds: the player to act gets a nudge after so long; -1 for never.
    """

    opening_grant: int = 10_000
    daily: int = 1_000
    daily_step: int = 100
    daily_max: int = 2_000
    relief: int = 2_000
    relief_hours: int = 24
    staff_role: int = 0
    idle_close_minutes: int = 10
    small_blind: int = 50
    big_blind: int = 100
    buyin_min: int = 20
    buyin_max: int = 200
    turn_seconds: int = 30
    bank_seconds: int = 60
    nudge_seconds: int = 8


_GIFT_MAX = 10**9  # gifts are given often: a server's chips stay far below what a store can count
HOUSE_RULE_BOUNDS: dict[str, tuple[int, int]] = {
    "opening_grant": (0, _GIFT_MAX),
    "daily": (0, _GIFT_MAX),
    "daily_step": (0, _GIFT_MAX),
    "daily_max": (0, _GIFT_MAX),
    "relief": (0, _GIFT_MAX),
    "relief_hours": (1, 24 * 365),
    "staff_role": (0, 2**63 - 1),
    "idle_close_minutes": (1, 7 * 24 * 60),
    "small_blind": (1, MAX_CHIPS // 4),
    "big_blind": (1, MAX_CHIPS // 2),
    "buyin_min": (1, 10_000),
    "buyin_max": (1, 100_000),
    "turn_seconds": (15, 24 * 60 * 60),
    "bank_seconds": (0, 24 * 60 * 60),
    "nudge_seconds": (-1, 60 * 60),
}


def changed_house_rules(rules: HouseRules, **changes: int) -> HouseRules:
    """Return the rules with some of them changed.

    Raises:
        HouseRuleOutOfBounds: a value is outside `HOUSE_RULE_BOUNDS`, or the minimum of a pair would exceed its maximum.
    """
    after = replace(rules, **changes)
    for name, value in changes.items():
        minimum, maximum = HOUSE_RULE_BOUNDS[name]
        if not minimum <= value <= maximum:
            raise HouseRuleOutOfBounds(name=name, value=value, minimum=minimum, maximum=maximum)
    for low, high in (("daily", "daily_max"), ("small_blind", "big_blind"), ("buyin_min", "buyin_max")):
        lower, upper = getattr(after, low), getattr(after, high)
        if lower <= upper:
            continue
        if low in changes:
            raise HouseRuleOutOfBounds(name=low, value=lower, minimum=HOUSE_RULE_BOUNDS[low][0], maximum=upper)
        if high in changes:
            raise HouseRuleOutOfBounds(name=high, value=upper, minimum=lower, maximum=HOUSE_RULE_BOUNDS[high][1])
    return after


class GiftClaims(Struct, frozen=True, gc=False):
    """What the house has given to a player, per book.

    Attributes:
        granted_at: when the opening grant was given, in ms; 0 for never.
        last_daily_day: the UTC day of the last daily claim, in days since the epoch; -1 for never.
        streak: days in a row, up to and including `last_daily_day`.
        relief_at: when relief was last given, in ms; 0 for never.
    """

    granted_at: int = 0
    last_daily_day: int = -1
    streak: int = 0
    relief_at: int = 0


class Gift(Struct, frozen=True, gc=False):
    """A gift: the player's claims after it, and its transfer. There is no transfer when the house gives 0."""

    claims: GiftClaims
    transfers: tuple[Transfer, ...]


def claim_opening_grant(
    rules: HouseRules, claims: GiftClaims, user: int, now: int, book: Book = Book.PEOPLE
) -> Gift | None:
    """Return the opening grant of a player who is seen for the first time; None if they have had it."""
    if claims.granted_at:
        return None
    after = replace(claims, granted_at=now)
    if not rules.opening_grant:
        return Gift(after, ())
    return Gift(
        after, (Transfer(mint_account(book), wallet_account(user, book), rules.opening_grant, TransferReason.GRANT),)
    )


def streak_after_claim(claims: GiftClaims, day: int) -> int:
    """Return how many days in a row a claim on this UTC day would make."""
    return claims.streak + 1 if claims.last_daily_day == day - 1 else 1


def daily_chips(rules: HouseRules, streak: int) -> int:
    """Return the daily chips on the `streak`-th day in a row, from 1."""
    return min(rules.daily + rules.daily_step * (streak - 1), max(rules.daily, rules.daily_max))


def claim_daily(rules: HouseRules, claims: GiftClaims, user: int, now: int) -> Gift:
    """Give the daily chips, once in each UTC day.

    Raises:
        NothingToClaim: the house gives none.
        ClaimTooEarly: the player has claimed today's chips already, or those of a later day if the clock went back since.
    """
    if not rules.daily:
        raise NothingToClaim(gift="daily")
    day = now // DAY_MS
    if claims.last_daily_day >= day:
        raise ClaimTooEarly(until=(claims.last_daily_day + 1) * DAY_MS)
    streak = streak_after_claim(claims, day)
    gift = Transfer(
        mint_account(), wallet_account(user), daily_chips(rules, streak), TransferReason.DAILY, f"day {streak}"
    )
    return Gift(replace(claims, last_daily_day=day, streak=streak), (gift,))


def claim_relief(rules: HouseRules, claims: GiftClaims, user: int, *, total: int, now: int) -> Gift:
    """Give relief to a player without chips. `total` is the sum of their wallet, seats and bets.

    Raises:
        NothingToClaim: the house gives none.
        StillHasChips: the player has chips left.
        ClaimTooEarly: the last relief is less than `relief_hours` ago.
    """
    if not rules.relief:
        raise NothingToClaim(gift="relief")
    if total:
        raise StillHasChips(total=total)
    until = claims.relief_at + rules.relief_hours * HOUR_MS
    if claims.relief_at and now < until:
        raise ClaimTooEarly(until=until)
    return Gift(
        replace(claims, relief_at=now),
        (Transfer(mint_account(), wallet_account(user), rules.relief, TransferReason.RELIEF),),
    )


def staff_grant(user: int, chips: int, *, total: int, note: str) -> Transfer:
    """Return the transfer of chips that staff give. `note` is the reason, `total` what the player has in wallet, seats and bets.

    Raises:
        InvalidChipAmount: fewer than one chip or more than `MAX_CHIPS`.
        TooManyChips: the player would have more than `MAX_CHIPS`.
    """
    _validate_amount(chips)
    if total + chips > MAX_CHIPS:
        raise TooManyChips(total=total, maximum=MAX_CHIPS)
    return Transfer(mint_account(), wallet_account(user), chips, TransferReason.STAFF_GRANT, note)


def staff_take(user: int, chips: int, *, in_wallet: int, note: str) -> Transfer:
    """Return the transfer of chips that staff take back. `note` is the reason. Chips on a table are in play and stay there (TL-1).

    Raises:
        InvalidChipAmount: fewer than one chip or more than `MAX_CHIPS`.
        NotEnoughChips: the wallet holds fewer.
    """
    _validate_amount(chips)
    if chips > in_wallet:
        raise NotEnoughChips(has=in_wallet, needs=chips, user=user)
    return Transfer(wallet_account(user), mint_account(), chips, TransferReason.STAFF_TAKE, note)


def _validate_amount(chips: int) -> None:
    if not 0 < chips <= MAX_CHIPS:
        raise InvalidChipAmount(chips=chips, maximum=MAX_CHIPS)
