"""The house rules that a server's staff can change, and the gifts of the house: opening grant, daily chips, relief.

Times are ms since the epoch. They are arguments; nothing here reads a clock. Days are counted in UTC.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.stakes import MAX_CHIPS
from bot.ledger.accounts import Book, Transfer, TransferReason, mint_account, wallet_account
from bot.ledger.refusals import (
    ClaimTooEarly,
    HouseRuleOutOfBounds,
    InvalidChipAmount,
    NewcomerMustWait,
    NotEnoughChips,
    NothingToClaim,
    StillHasChips,
    TooManyChips,
)
from bot.ledger.seasons import SeasonChips

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
DISCORD_EPOCH_MS = 1_420_070_400_000
"""The first millisecond of 2015: ids of Discord hold the time since then."""


class HouseRules(Struct, frozen=True, kw_only=True):
    """The rules of one server. Staff can change them; the defaults are the dealer's own.

    Attributes:
        opening_grant: chips for a player who is seen for the first time; 0 for none.
        daily: chips that a player can claim once a day; 0 for none.
        daily_step: chips added for each further day in a row.
        daily_max: the maximum that a streak can reach.
        relief: chips for a player who has none; 0 for none.
        young_days: chips that were won from a Discord account younger than this are held until it is older; 0 to hold none.
        young_chips: so many chips won from young accounts are not held.
        relief_hours: hours from one relief to the next.
        account_days: the house gives nothing to a Discord account that is younger; 0 to ask for no age.
        member_days: daily chips and relief are for players who have been in the server for so long; 0 for everybody.
        staff_role: the Discord id of a role that counts as staff, beside those who can manage the server; 0 for none.
        staff_channel: the Discord id of a channel in which staff are told who did what; 0 for none.
        idle_close_minutes: a table without a hand for so long closes and pays everyone out; 0 for never. Only staff set it to 0, here
            and at a table.
        tables_per_host: open tables that one person can host. Those in other servers count. Tables whose turns can take an hour are
            counted apart, and there are practice tables beside them.
        practice_tables_per_host: open practice tables that one person can host, those in other servers among them.
        seats_per_person: seats that one person can hold at a time, those in other servers among them; slow tables are counted apart.
        tables_per_server: open tables of the server, without the slow ones.
        small_blind, big_blind: the blinds of a new table, in chips.
        buyin_min, buyin_max: the buy-in limits of a new table, in big blinds.
        turn_seconds, bank_seconds: the turn clock (TL-30) and the time bank (TL-31) of a new table.
        nudge_seconds: the player to act gets a nudge after so long; -1 for never.
        forum_channel: the Discord id of a forum in which each new table becomes a post; 0 for none.
        ranking_hands: hands that it takes to be ranked by net chips per 100 hands, and in the results of a season.
        season_months: the calendar closes a season and opens the next one every so many months; 0 for no calendar.
        season_start: chips in everybody's wallet after a season has ended; 0 to go by `season_carried`.
        season_carried: percent of their chips that everybody carries over into the next season.
        season_role: the Discord id of a role for whoever won the last season; 0 for none.
        season_channel: the Discord id of the channel that tells of seasons; 0 for the one in which a season was opened.
        achievements: 1 where players are told of their achievements, else 0.
        theme: the key of the theme in which the pictures of this server's tables are drawn.
        quiet_hours: when nobody is pinged for anything but their turn, as `QuietHours` writes it; empty for never.
    """

    opening_grant: int = 10_000
    daily: int = 1_000
    daily_step: int = 100
    daily_max: int = 2_000
    relief: int = 2_000
    relief_hours: int = 24
    account_days: int = 7
    member_days: int = 3
    young_days: int = 60
    young_chips: int = 2_000
    staff_role: int = 0
    idle_close_minutes: int = 10
    tables_per_host: int = 2
    practice_tables_per_host: int = 1
    seats_per_person: int = 4
    tables_per_server: int = 20
    small_blind: int = 50
    big_blind: int = 100
    buyin_min: int = 20
    buyin_max: int = 200
    turn_seconds: int = 30
    bank_seconds: int = 60
    nudge_seconds: int = 8
    staff_channel: int = 0
    forum_channel: int = 0
    theme: str = "classic"
    quiet_hours: str = ""
    ranking_hands: int = 20
    season_months: int = 0
    season_start: int = 0
    season_carried: int = 100
    season_role: int = 0
    season_channel: int = 0
    achievements: int = 1

    @property
    def season_chips(self) -> SeasonChips:
        """What becomes of chips at the end of a season."""
        return SeasonChips(self.season_start, self.season_carried)


LOCAL_HOUSE_RULES = HouseRules(
    account_days=0,
    member_days=0,
    young_days=0,
    idle_close_minutes=0,
    tables_per_host=250,
    practice_tables_per_host=250,
    seats_per_person=250,
    tables_per_server=250,
)
"""The rules of a local cardroom until its staff change them: its people have joined just now, and share the bot with nobody."""

_GIFT_MAX = 10**9  # gifts are given often: a server's chips stay far below what a store can count
HOUSE_RULE_BOUNDS: dict[str, tuple[int, int]] = {
    "opening_grant": (0, _GIFT_MAX),
    "daily": (0, _GIFT_MAX),
    "daily_step": (0, _GIFT_MAX),
    "daily_max": (0, _GIFT_MAX),
    "relief": (0, _GIFT_MAX),
    "relief_hours": (1, 24 * 365),
    "account_days": (0, 365),
    "member_days": (0, 365),
    "young_days": (0, 365),
    "young_chips": (0, _GIFT_MAX),
    "staff_role": (0, 2**63 - 1),
    "staff_channel": (0, 2**63 - 1),
    "forum_channel": (0, 2**63 - 1),
    "idle_close_minutes": (0, 7 * 24 * 60),
    "tables_per_host": (1, 250),
    "practice_tables_per_host": (0, 250),
    "seats_per_person": (1, 250),
    "tables_per_server": (1, 250),
    "small_blind": (1, MAX_CHIPS // 4),
    "big_blind": (1, MAX_CHIPS // 2),
    "buyin_min": (1, 10_000),
    "buyin_max": (1, 100_000),
    "turn_seconds": (15, 24 * 60 * 60),
    "bank_seconds": (0, 24 * 60 * 60),
    "nudge_seconds": (-1, 60 * 60),
    "ranking_hands": (1, 10_000),
    "season_months": (0, 12),
    "season_start": (0, _GIFT_MAX),
    "season_carried": (0, 100),
    "season_role": (0, 2**63 - 1),
    "season_channel": (0, 2**63 - 1),
    "achievements": (0, 1),
}
"""The bounds of every house rule that is a number."""


def changed_house_rules(
    rules: HouseRules, theme: str = "", quiet_hours: str | None = None, /, **changes: int
) -> HouseRules:
    """Return the rules with some of them changed.

    Args:
        theme: the new theme; empty to leave it. Discord offers those that there are, and an unknown one is drawn as the default.
        quiet_hours: the new ones, as `QuietHours` writes them, empty for none; None to leave them.

    Raises:
        HouseRuleOutOfBounds: a value is outside `HOUSE_RULE_BOUNDS`, or the minimum of a pair would exceed its maximum.
    """
    quiet = rules.quiet_hours if quiet_hours is None else quiet_hours
    after = replace(rules, theme=theme or rules.theme, quiet_hours=quiet, **changes)
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
