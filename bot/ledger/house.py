"""What a server's staff may set, and the gifts of the house: opening grant, daily chips, relief.

Times are ms since the epoch and are given, never read; days are counted in UTC.

Source: issue of the first game, "Chips"; design §3.
"""

from msgspec import Struct
from msgspec.structs import replace

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

HOUR = 3_600_000
DAY = 24 * HOUR


class HouseRules(Struct, frozen=True, kw_only=True):
    """What staff have set for a server; the defaults are the dealer's.

    Attributes:
        opening_grant: chips a player has when first seen; 0 for none.
        daily: chips a day for the asking; 0 for none.
        daily_step: added for each further day in a row.
        daily_most: where the streak stops adding.
        relief: chips for a player without any; 0 for none.
        relief_hours: from one relief to the next.
        staff_role: Discord id of the role that is staff besides Manage Server; 0 for none.
        idle_close_minutes: a table without a deal for so long closes and pays everybody out.
        small_blind, big_blind: of a new table, in chips.
        buyin_least, buyin_most: of a new table, in big blinds.
        turn_seconds, bank_seconds: of a new table: the clock (TL-30) and the reserve behind it (TL-31).
        nudge_seconds: after so long without action the player due is called by name; -1 never.
    """

    opening_grant: int = 10_000
    daily: int = 1_000
    daily_step: int = 100
    daily_most: int = 2_000
    relief: int = 2_000
    relief_hours: int = 24
    staff_role: int = 0
    idle_close_minutes: int = 10
    small_blind: int = 50
    big_blind: int = 100
    buyin_least: int = 20
    buyin_most: int = 200
    turn_seconds: int = 30
    bank_seconds: int = 60
    nudge_seconds: int = 8


_GIFTS_MOST = 10**9  # a gift is given often; the supply of a server stays far inside what a store can count
BOUNDS: dict[str, tuple[int, int]] = {
    "opening_grant": (0, _GIFTS_MOST),
    "daily": (0, _GIFTS_MOST),
    "daily_step": (0, _GIFTS_MOST),
    "daily_most": (0, _GIFTS_MOST),
    "relief": (0, _GIFTS_MOST),
    "relief_hours": (1, 24 * 365),
    "staff_role": (0, 2**63 - 1),
    "idle_close_minutes": (1, 7 * 24 * 60),
    "small_blind": (1, CHIPS_MAX // 4),
    "big_blind": (1, CHIPS_MAX // 2),
    "buyin_least": (1, 10_000),
    "buyin_most": (1, 100_000),
    "turn_seconds": (15, 24 * 60 * 60),
    "bank_seconds": (0, 24 * 60 * 60),
    "nudge_seconds": (-1, 60 * 60),
}


def change_rules(rules: HouseRules, **changes: int) -> HouseRules:
    """The rules with some of them changed, whole numbers each.

    Raises:
        RuleOutOfBounds: a value is outside `BOUNDS`, or the least of a pair would exceed its most.
    """
    after = replace(rules, **changes)
    for name, value in changes.items():
        least, most = BOUNDS[name]
        if not least <= value <= most:
            raise RuleOutOfBounds(name=name, value=value, least=least, most=most)
    for low, high in (("daily", "daily_most"), ("small_blind", "big_blind"), ("buyin_least", "buyin_most")):
        value, most = getattr(after, low), getattr(after, high)
        if value > most and (low in changes or high in changes):
            if low in changes:
                raise RuleOutOfBounds(name=low, value=value, least=BOUNDS[low][0], most=most)
            raise RuleOutOfBounds(name=high, value=most, least=value, most=BOUNDS[high][1])
    return after


class Claims(Struct, frozen=True, gc=False):
    """What a player has been given by the house, per book.

    Attributes:
        granted_at: when the opening grant was given, in ms; 0 for never.
        day: the UTC day of the last daily claim, in days since the epoch; -1 for never.
        streak: days in a row, up to and including `day`.
        relief_at: when relief was last given, in ms; 0 for never.
    """

    granted_at: int = 0
    day: int = -1
    streak: int = 0
    relief_at: int = 0


class Gift(Struct, frozen=True, gc=False):
    """A gift given: the player's claims after it, and its transfer (none where the house gives 0)."""

    claims: Claims
    transfers: tuple[Transfer, ...]


def open_wallet(rules: HouseRules, claims: Claims, user: int, now: int, book: Book = Book.PEOPLE) -> Gift | None:
    """The opening grant of a player seen for the first time, or None once he has had it."""
    if claims.granted_at:
        return None
    after = replace(claims, granted_at=now)
    if not rules.opening_grant:
        return Gift(after, ())
    return Gift(after, (Transfer(mint(book), wallet(user, book), rules.opening_grant, Reason.GRANT),))


def streak_on(claims: Claims, day: int) -> int:
    """How many days in a row a claim on this UTC day would make."""
    return claims.streak + 1 if claims.day == day - 1 else 1


def daily_chips(rules: HouseRules, streak: int) -> int:
    """What the daily claim gives on the `streak`-th day in a row (from 1)."""
    return min(rules.daily + rules.daily_step * (streak - 1), max(rules.daily, rules.daily_most))


def claim_daily(rules: HouseRules, claims: Claims, user: int, now: int) -> Gift:
    """Give the daily chips, once in each UTC day.

    Raises:
        NothingToClaim: the house gives none.
        TooEarly: today's have been given (or a day later than today's, should the clock have gone back); until the next
            day.
    """
    if not rules.daily:
        raise NothingToClaim(gift="daily")
    day = now // DAY
    if claims.day >= day:
        raise TooEarly(until=(claims.day + 1) * DAY)
    streak = streak_on(claims, day)
    gift = Transfer(mint(), wallet(user), daily_chips(rules, streak), Reason.DAILY, f"day {streak}")
    return Gift(replace(claims, day=day, streak=streak), (gift,))


def claim_relief(rules: HouseRules, claims: Claims, user: int, *, total: int, now: int) -> Gift:
    """Give relief to a player whose wallet, seats and bets are all zero. `total` is their sum.

    Raises:
        NothingToClaim: the house gives none.
        NotBroke: there are chips left.
        TooEarly: the last relief is less than `relief_hours` ago.
    """
    if not rules.relief:
        raise NothingToClaim(gift="relief")
    if total:
        raise NotBroke(total=total)
    until = claims.relief_at + rules.relief_hours * HOUR
    if claims.relief_at and now < until:
        raise TooEarly(until=until)
    return Gift(replace(claims, relief_at=now), (Transfer(mint(), wallet(user), rules.relief, Reason.RELIEF),))


def staff_grant(user: int, chips: int, *, total: int, note: str) -> Transfer:
    """Chips given by staff, with a reason in `note`. `total` is what the player has in wallet, seats and bets.

    Raises:
        NoSuchAmount: fewer than one or more than `CHIPS_MAX`.
        TooManyChips: he would have more than `CHIPS_MAX`.
    """
    _amount(chips)
    if total + chips > CHIPS_MAX:
        raise TooManyChips(total=total, most=CHIPS_MAX)
    return Transfer(mint(), wallet(user), chips, Reason.STAFF_GRANT, note)


def staff_take(user: int, chips: int, *, in_wallet: int, note: str) -> Transfer:
    """Chips taken back by staff, with a reason in `note`; from the wallet only: chips on a table are in play (TL-1).

    Raises:
        NoSuchAmount: fewer than one or more than `CHIPS_MAX`.
        NotEnoughChips: the wallet holds fewer.
    """
    _amount(chips)
    if chips > in_wallet:
        raise NotEnoughChips(has=in_wallet, needs=chips, user=user)
    return Transfer(wallet(user), mint(), chips, Reason.STAFF_TAKE, note)


def _amount(chips: int) -> None:
    if not 0 < chips <= CHIPS_MAX:
        raise NoSuchAmount(chips=chips, most=CHIPS_MAX)
