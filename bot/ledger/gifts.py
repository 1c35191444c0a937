"""The gifts of the house: opening grant, daily chips, relief; chips that are held, and chips that staff give and take.

Times are ms since the epoch. They are arguments; nothing here reads a clock. Days are counted in UTC.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.stakes import MAX_CHIPS
from bot.house.rules import HouseRules
from bot.ledger.accounts import Book, Transfer, TransferReason, mint_account, wallet_account
from bot.ledger.refusals import (
    ClaimTooEarly,
    InvalidChipAmount,
    NewcomerMustWait,
    NotEnoughChips,
    NothingToClaim,
    StillHasChips,
    TooManyChips,
)

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
DISCORD_EPOCH_MS = 1_420_070_400_000
"""The first millisecond of 2015: ids of Discord hold the time since then."""


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


def opening_grant_at(rules: HouseRules, user: int) -> int:
    """Return when a user is old enough for the opening grant, in ms: their id tells when they joined Discord."""
    return joined_discord_at(user) + rules.account_days * DAY_MS


def joined_discord_at(user: int) -> int:
    """Return when an account was made, in ms."""
    return (user >> 22) + DISCORD_EPOCH_MS


class HeldChips(Struct, frozen=True, gc=False):
    """Chips of a wallet that cannot be brought to a table yet, and when the first of them can be, in ms."""

    chips: int = 0
    until: int = 0


def young_from(rules: HouseRules, now: int) -> int:
    """Return the smallest id of an account that is younger than `young_days`."""
    return max(0, now - rules.young_days * DAY_MS + 1 - DISCORD_EPOCH_MS) << 22


def held_chips(rules: HouseRules, won_from_young: Iterable[tuple[int, int]]) -> HeldChips:
    """Return the chips that are held because they came from young accounts.

    Anybody can make such accounts, collect what the house gives to each, and lose it on purpose. Whoever wins from somebody who is honestly
    young gets all of it, only later.

    Args:
        won_from_young: young accounts, and the chips that came from them.
    """
    sources = tuple(won_from_young)
    held = sum(chips for _, chips in sources) - rules.young_chips
    if held <= 0:
        return HeldChips()
    return HeldChips(held, min(joined_discord_at(user) for user, _ in sources) + rules.young_days * DAY_MS)


def gifts_at(rules: HouseRules, claims: GiftClaims, user: int, joined_at: int, now: int) -> int:
    """Return from when a user can claim daily chips and relief, in ms.

    Args:
        joined_at: when they joined the server; 0 where Discord does not say, as of a guest. Then it counts since when the house has
            known them, and for a stranger from now on.
    """
    member_since = joined_at or claims.granted_at or now
    return max(opening_grant_at(rules, user), member_since + rules.member_days * DAY_MS)


def require_tenure(rules: HouseRules, claims: GiftClaims, user: int, joined_at: int, now: int) -> None:
    """Check that a user is no newcomer any more.

    Raises:
        NewcomerMustWait: their account or their membership is too young for daily chips and relief.
    """
    until = gifts_at(rules, claims, user, joined_at, now)
    if now < until:
        raise NewcomerMustWait(until=until)


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


def has_own_chips(rules: HouseRules, claims: GiftClaims, total: int, unplayed_daily: int = 0) -> bool:
    """Return whether a player has more than what the house gave them as daily chips. Those never keep anybody from relief.

    Args:
        total: the sum of their wallet, seats and bets.
        unplayed_daily: daily chips that they have claimed since anything else moved their wallet. Of those they brought to a table,
            as many as the last claim gave are left out.
    """
    last_daily = daily_chips(rules, claims.streak) if claims.last_daily_day >= 0 else 0
    return total > max(unplayed_daily, last_daily)


def claim_relief(
    rules: HouseRules, claims: GiftClaims, user: int, *, total: int, now: int, unplayed_daily: int = 0
) -> Gift:
    """Give relief to a player without chips of their own; see `has_own_chips`.

    Raises:
        NothingToClaim: the house gives none.
        StillHasChips: the player has chips left.
        ClaimTooEarly: the last relief is less than `relief_hours` ago.
    """
    if not rules.relief:
        raise NothingToClaim(gift="relief")
    if has_own_chips(rules, claims, total, unplayed_daily):
        raise StillHasChips(total=total)
    until = claims.relief_at + rules.relief_hours * HOUR_MS
    if claims.relief_at and now < until:
        raise ClaimTooEarly(until=until)
    return Gift(
        replace(claims, relief_at=now),
        (Transfer(mint_account(), wallet_account(user), rules.relief, TransferReason.RELIEF),),
    )


class NextGifts(Struct, frozen=True, gc=False):
    """What the house gives a player next, and from when on, in ms; 0 for now. No chips: it gives none, or the player has some."""

    daily: int = 0
    daily_at: int = 0
    relief: int = 0
    relief_at: int = 0

    @property
    def now(self) -> int:
        """The chips that the house gives at once."""
        return (0 if self.daily_at else self.daily) + (0 if self.relief_at else self.relief)


def next_gifts(
    rules: HouseRules,
    claims: GiftClaims,
    user: int,
    *,
    total: int,
    joined_at: int,
    now: int,
    unplayed_daily: int = 0,
) -> NextGifts:
    """Return what the house gives a player next. The arguments are those of `claim_relief` and `gifts_at`."""
    day = now // DAY_MS
    claimed = claims.last_daily_day >= day
    tenured_at = gifts_at(rules, claims, user, joined_at, now)
    daily_at = max((claims.last_daily_day + 1) * DAY_MS if claimed else 0, tenured_at)
    streak = claims.streak + 1 if claimed else streak_after_claim(claims, day)
    relief_at = max(claims.relief_at + rules.relief_hours * HOUR_MS if claims.relief_at else 0, tenured_at)
    return NextGifts(
        daily_chips(rules, streak) if rules.daily else 0,
        daily_at if daily_at > now else 0,
        0 if has_own_chips(rules, claims, total, unplayed_daily) else rules.relief,
        relief_at if relief_at > now else 0,
    )


class WaysToPlay(Struct, frozen=True):
    """How a player can get chips onto a table. Every way is one that would be granted now.

    Attributes:
        buy_in: the chips for which they can buy in with one press; 0 where wallet and gifts are too little.
        gift: the chips that the house gives with that press.
        gifts: which ones.
        minimum: the chips that they have to bring.
        lower: there is a table for lower stakes that they can pay for, or one can be opened.
        next_gift_at: when the house gives something next, in ms; 0 where it gives something now, or never.
    """

    buy_in: int = 0
    gift: int = 0
    gifts: tuple[TransferReason, ...] = ()
    minimum: int = 0
    lower: bool = False
    next_gift_at: int = 0


def gifts_needed(gifts: NextGifts, missing: int) -> tuple[TransferReason, ...]:
    """Return the gifts that a player takes now who misses so many chips: relief, else daily chips, else both; empty where none are needed
    or all are too few."""
    relief = gifts.relief if not gifts.relief_at else 0
    daily = gifts.daily if not gifts.daily_at else 0
    if missing <= 0:
        return ()
    if missing <= relief:
        return (TransferReason.RELIEF,)
    if missing <= daily:
        return (TransferReason.DAILY,)
    return (TransferReason.RELIEF, TransferReason.DAILY) if missing <= relief + daily and relief else ()


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
