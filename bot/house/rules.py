"""The house rules that a server's staff can change.

Each rule is declared once, as a field of `HouseRules`: its bounds, its default, and the page that changes it. Its words are in
`bot.text.house`, by the name of the field. The list of `/house page:rules`, the selects of other pages, the checks of what staff type and
the names in refusals follow from these two. The names of fields are a stored format: a server's rules are kept as JSON.
"""

from enum import StrEnum
from typing import Annotated, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.engine.stakes import MAX_CHIPS
from bot.house.seasons import SeasonChips


class RuleKind(StrEnum):
    """What the value of a house rule is."""

    NUMBER = "number"
    SWITCH = "switch"
    """1 for on, 0 for off."""
    ROLE = "role"
    """The Discord id of a role; 0 for none."""
    CHANNEL = "channel"
    """The Discord id of a channel; 0 for none."""
    THEME = "theme"
    """The key of a theme of `bot.pictures`. Discord offers those that there are, and an unknown one is drawn as the default."""
    HOURS = "hours"
    """Quiet hours as `QuietHours` writes them; empty for none."""
    ZONE = "zone"
    """The name of a time zone; empty for none."""


class DeclaredRule(Struct, frozen=True):
    """What the field of a house rule declares beside its default.

    Attributes:
        minimum, maximum: the bounds of its number.
        least: a number above zero is at least so large; 0 and below have meanings of their own.
        at_most: the rule that it cannot exceed; empty for none.
        page: the page that changes it, with its command; empty where staff type a number on `/house page:rules`.
        choices: the numbers that it can be, by their code words; empty for all within the bounds.
    """

    minimum: int = 0
    maximum: int = 0
    least: int = 0
    kind: RuleKind = RuleKind.NUMBER
    at_most: str = ""
    page: str = ""
    choices: dict[str, int] = {}


_COUNTED_LEAST = 1_000
_GIFT_MAX = 10**9  # gifts are given often: a server's chips stay far below what a store can count
_ID_MAX = 2**63 - 1
_DAY_SECONDS = 24 * 60 * 60
_SERVER, _SEASONS = "house.server", "season.settings"


class HouseRules(Struct, frozen=True, kw_only=True):
    """The rules of one server. Staff can change them; the defaults are the dealer's own."""

    opening_grant: Annotated[int, DeclaredRule(0, _GIFT_MAX)] = 10_000
    """Chips for a player who is seen for the first time; 0 for none."""
    daily: Annotated[int, DeclaredRule(0, _GIFT_MAX, at_most="daily_max")] = 1_000
    """Chips that a player can claim once a day; 0 for none."""
    daily_step: Annotated[int, DeclaredRule(0, _GIFT_MAX)] = 100
    """Chips added for each further day in a row."""
    daily_max: Annotated[int, DeclaredRule(0, _GIFT_MAX)] = 2_000
    """The maximum that a streak can reach."""
    relief: Annotated[int, DeclaredRule(0, _GIFT_MAX)] = 2_000
    """Chips for a player who has none; 0 for none."""
    relief_hours: Annotated[int, DeclaredRule(1, 24 * 365)] = 24
    """Hours from one relief to the next."""
    account_days: Annotated[int, DeclaredRule(0, 365)] = 7
    """The house gives nothing to a Discord account that is younger; 0 to ask for no age."""
    member_days: Annotated[int, DeclaredRule(0, 365)] = 3
    """Daily chips and relief are for players who have been in the server for so long; 0 for everybody."""
    young_days: Annotated[int, DeclaredRule(0, 365)] = 60
    """Chips that were won from a Discord account younger than this are held until it is older; 0 to hold none."""
    young_chips: Annotated[int, DeclaredRule(0, _GIFT_MAX)] = 2_000
    """So many chips won from young accounts are not held."""
    counted_per_opponent: Annotated[int, DeclaredRule(-1, 10_000_000, least=_COUNTED_LEAST)] = 0
    """What one opponent adds to anybody's place on a leaderboard counts up to so many chips in a season, and on leaderboards of all time
    in a year (BO-1); 0 for half the opening grant, -1 for all of it."""

    idle_close_minutes: Annotated[int, DeclaredRule(0, 7 * 24 * 60)] = 10
    """A table without a hand for so long closes and pays everyone out; 0 for never. Only staff set it to 0, here and at a table."""
    tables_per_host: Annotated[int, DeclaredRule(1, 250)] = 2
    """Open tables that one person can host, those in other servers among them. Tables whose turns can take an hour are counted apart."""
    practice_tables_per_host: Annotated[int, DeclaredRule(0, 250)] = 1
    """Open practice tables that one person can host beside them, those in other servers among them."""
    seats_per_person: Annotated[int, DeclaredRule(1, 250)] = 4
    """Seats that one person can hold at a time, those in other servers among them; slow tables are counted apart."""
    tables_per_server: Annotated[int, DeclaredRule(1, 250)] = 20
    """Open tables of the server, without the slow ones."""

    small_blind: Annotated[int, DeclaredRule(1, MAX_CHIPS // 4, at_most="big_blind")] = 50
    big_blind: Annotated[int, DeclaredRule(1, MAX_CHIPS // 2)] = 100
    """The blinds of a new table, in chips."""
    buyin_min: Annotated[int, DeclaredRule(1, 10_000, at_most="buyin_max")] = 20
    buyin_max: Annotated[int, DeclaredRule(1, 100_000)] = 200
    """The buy-in limits of a new table, in big blinds."""
    turn_seconds: Annotated[int, DeclaredRule(15, _DAY_SECONDS)] = 30
    """The turn clock of a new table (TL-30)."""
    bank_seconds: Annotated[int, DeclaredRule(0, _DAY_SECONDS)] = 60
    """The time bank of a new table (TL-31)."""
    nudge_seconds: Annotated[int, DeclaredRule(-1, 60 * 60)] = 8
    """The player to act gets a nudge after so long; -1 for never."""

    staff_role: Annotated[int, DeclaredRule(0, _ID_MAX, kind=RuleKind.ROLE, page=_SERVER)] = 0
    """A role that counts as staff, beside those who can manage the server."""
    player_role: Annotated[int, DeclaredRule(0, _ID_MAX, kind=RuleKind.ROLE, page=_SERVER)] = 0
    """A role that people must have to open a table, to sit down or to wait for a seat; 0 lets everybody. It can mark adults."""
    staff_channel: Annotated[int, DeclaredRule(0, _ID_MAX, kind=RuleKind.CHANNEL, page=_SERVER)] = 0
    """A channel in which staff are told who did what."""
    theme: Annotated[str, DeclaredRule(kind=RuleKind.THEME, page=_SERVER)] = "classic"
    """The theme in which the pictures of this server's tables are drawn."""
    achievements: Annotated[int, DeclaredRule(0, 1, kind=RuleKind.SWITCH, page=_SERVER)] = 1
    """Whether players are told of their achievements."""
    forum_channel: Annotated[int, DeclaredRule(0, _ID_MAX, kind=RuleKind.CHANNEL, page=_SERVER)] = 0
    """A forum in which each new table becomes a post."""
    quiet_hours: Annotated[str, DeclaredRule(kind=RuleKind.HOURS, page="house.quiet")] = ""
    """When nobody is pinged for anything but their turn."""
    time_zone: Annotated[str, DeclaredRule(kind=RuleKind.ZONE, page="house.zone")] = ""
    """The time zone by whose clock game nights are planned and years turn; empty until somebody has planned one."""

    season_months: Annotated[int, DeclaredRule(0, 12, page=_SEASONS, choices={"off": 0, "month": 1, "quarter": 3})] = 0
    """The calendar closes a season and opens the next one every so many months; 0 for no calendar."""
    season_start: Annotated[int, DeclaredRule(0, _GIFT_MAX, page=_SEASONS)] = 0
    """Chips in everybody's wallet after a season has ended; 0 to go by `season_carried`."""
    season_carried: Annotated[int, DeclaredRule(0, 100, page=_SEASONS)] = 100
    """Percent of their chips that everybody carries over into the next season."""
    ranking_hands: Annotated[int, DeclaredRule(1, 10_000, page=_SEASONS)] = 20
    """Hands that it takes to be listed on a leaderboard, and in the results of a season (BO-2)."""
    season_role: Annotated[int, DeclaredRule(0, _ID_MAX, kind=RuleKind.ROLE, page=_SEASONS)] = 0
    """A role for whoever won the last season."""
    season_channel: Annotated[int, DeclaredRule(0, _ID_MAX, kind=RuleKind.CHANNEL, page=_SEASONS)] = 0
    """The channel that tells of seasons; 0 for the one in which a season was opened."""

    @property
    def counted_cap(self) -> int:
        """Up to how many chips what one opponent adds counts on leaderboards (BO-1); 0 where all of it does."""
        if self.counted_per_opponent:
            return max(0, self.counted_per_opponent)
        return max(_COUNTED_LEAST, self.opening_grant // 2)

    @property
    def year_clock(self) -> str:
        """By what a year turns on leaderboards (BO-1), as `year_at` reads it: the time zone, or quiet hours where none is known."""
        return self.time_zone or self.quiet_hours

    @property
    def season_chips(self) -> SeasonChips:
        """What becomes of chips at the end of a season."""
        return SeasonChips(self.season_start, self.season_carried)


def min_buyin_at(rules: HouseRules, big_blind: int) -> int:
    """Return the minimum buy-in of a new table whose host names none, in chips.

    Whoever has lost everything can sit down again with what the house gives, and nobody has to bring all they own to one hand: it is
    at most the free chips, and at most a fifth of the opening grant.
    """
    bounds = [chips for chips in (rules.relief, rules.opening_grant // 5) if chips]
    return min([rules.buyin_min * big_blind, *bounds])


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

HOUSE_RULES: dict[str, DeclaredRule] = {
    field: declared
    for field, hint in get_type_hints(HouseRules, include_extras=True).items()
    for declared in get_args(hint)[1:]
}
"""What every house rule declares, by its field."""
LISTED = tuple(field for field, declared in HOUSE_RULES.items() if not declared.page)
"""The rules that `/house page:rules` lists: staff type a number for them."""


def rules_of_page(page: str) -> tuple[str, ...]:
    """Return the house rules that a page of a menu changes, by their fields. The page is named with its command: ``house.server``."""
    return tuple([field for field, declared in HOUSE_RULES.items() if declared.page == page])


class HouseRuleOutOfBounds(TableError):
    """A house rule, a field of `HouseRules`, is outside its bounds."""

    name: str
    value: int
    minimum: int
    maximum: int


def changed_house_rules(rules: HouseRules, **changes: int | str) -> HouseRules:
    """Return the rules with some of them changed: by their fields, numbers and texts.

    Raises:
        HouseRuleOutOfBounds: a number is outside its bounds, or the minimum of a pair would exceed its maximum.
    """
    after = replace(rules, **changes)
    for name, value in changes.items():
        declared = HOUSE_RULES[name]
        is_too_little = isinstance(value, int) and 0 < value < declared.least
        _validate(name, value, declared.least if is_too_little else declared.minimum, declared.maximum)
    for low, declared in HOUSE_RULES.items():
        if high := declared.at_most:
            if low in changes:
                _validate(low, getattr(after, low), declared.minimum, getattr(after, high))
            elif high in changes:
                _validate(high, getattr(after, high), getattr(after, low), HOUSE_RULES[high].maximum)
    return after


def _validate(name: str, value: int | str, minimum: int, maximum: int) -> None:
    if isinstance(value, int) and not minimum <= value <= maximum:
        raise HouseRuleOutOfBounds(name=name, value=value, minimum=minimum, maximum=maximum)
