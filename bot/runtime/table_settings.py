"""The settings of a new table: those of the game, with stakes and clocks of the house, changed as its host asks. Laws: H-1, H-4."""

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.options.register import UnknownHouseRuleValue, with_option
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, Limit, Switch
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import min_bet_bounds, parse_chips, required_amounts
from bot.engine.usual_stakes import usual_stakes
from bot.house.rules import HouseRules, min_buyin_at
from bot.table.seat_limits import seats_allowed
from bot.table.settings import CHOSEN_WORDS, ChipKind, Nudge, RaiseSize, TableSettings

HOME_GAME_IDLE_MINUTES = 12 * 60
"""A game of table chips waits at least so long for its players to come back."""


class NewTableRequest(Struct, frozen=True, kw_only=True):
    """What a host can ask for when opening a table. 0 and None leave it to the house.

    Attributes:
        small_blind, big_blind, ante: in chips; one blind alone implies the other.
        seats: the number of seats.
        min_buyin, max_buyin: in chips.
        turn_seconds, bank_seconds: the clock of an action, and the time bank behind it.
        practice: a table with practice players, on the practice book.
        chips: server chips or table chips; a practice table has its own.
    """

    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    seats: int = 0
    min_buyin: int = 0
    max_buyin: int = 0
    turn_seconds: int = 0
    bank_seconds: int | None = None
    practice: bool = False
    chips: ChipKind = ChipKind.SERVER

    @property
    def chip_kind(self) -> ChipKind:
        """The chips of the table, apart from those for practice."""
        return ChipKind.SERVER if self.practice else self.chips


def default_table_settings(
    card: RuleCard, rules: HouseRules, table_request: NewTableRequest | None = None
) -> TableSettings:
    """Return the settings of a new table. Opening the table validates them."""
    table_request = table_request or NewTableRequest()
    options = card.options
    seats = table_request.seats or min(options.max_seats, seats_allowed(card, options.deck))
    options = with_option(options, "max_seats", seats)
    big = table_request.big_blind or 2 * table_request.small_blind or rules.big_blind
    small = table_request.small_blind or (max(1, big // 2) if table_request.big_blind else rules.small_blind)
    usual = usual_stakes(card, big)
    settings = TableSettings(
        rule_card=card,
        options=options,
        stakes=replace(
            usual,
            small_blind=small if options.ante is Ante.BLINDS else 0,
            ante=table_request.ante or usual.ante,
            min_buyin=table_request.min_buyin or min_buyin_at(rules, big),
            max_buyin=table_request.max_buyin or max(rules.buyin_max * big, table_request.min_buyin),
            turn_seconds=table_request.turn_seconds or rules.turn_seconds,
            bank_seconds=rules.bank_seconds if table_request.bank_seconds is None else table_request.bank_seconds,
        ),
        nudge=_nudge_mode(rules.nudge_seconds),
        practice=table_request.practice,
        chips=table_request.chip_kind,
        idle_minutes=_idle_minutes(rules, table_request.chip_kind),
    )
    if table_request.min_buyin or settings.forced_chips <= settings.stakes.min_buyin:
        return settings
    return replace(settings, stakes=replace(settings.stakes, min_buyin=settings.forced_chips))


def _idle_minutes(rules: HouseRules, chips: ChipKind) -> int:
    """Return how long a table waits for somebody to play. A home game has its breaks, and ends its table chips when it closes (TC-1)."""
    minutes = rules.idle_close_minutes
    return max(minutes, HOME_GAME_IDLE_MINUTES) if minutes and chips is ChipKind.TABLE else minutes


def with_card_and_options(settings: TableSettings, card: RuleCard, options: Options) -> TableSettings:
    """Return the settings under another rule card and options.

    Amounts that they need and the table has not agreed on are the usual ones (H-4). There are no more seats than the deck can serve (P-6).
    """
    seats = min(options.max_seats, max(seats_allowed(card, options.deck), card.seats_min))
    options = with_option(options, "max_seats", seats)
    own, before = settings.stakes, settings.options
    unit = settings.buy_in_unit + settings.buy_in_unit % 2  # even, so that a blind can be half of it
    usual = usual_stakes(replace(card, options=options), max(4, unit))
    if (options.limit, options.ante) != (before.limit, before.ante):  # other forced bets and sizes: no old amount fits
        stakes = replace(
            usual,
            ante=min(usual.ante, max(1, usual.limit // 2)) if options.limit is Limit.STAKE_LIMIT else usual.ante,
            min_buyin=own.min_buyin,
            max_buyin=own.max_buyin,
            turn_seconds=own.turn_seconds,
            bank_seconds=own.bank_seconds,
        )
    else:
        needed = (*required_amounts(options), *card.amounts)
        stakes = replace(own, **{name: getattr(usual, name) for name in needed if not getattr(own, name)})
    if options.ante is Ante.BLINDS and options.house_blinds is Switch.OFF:
        small = (stakes.big_blind + 1) // 2  # the blinds can have been uneven by a rule of the house
        stakes = replace(stakes, small_blind=small, big_blind=2 * small)
    if stakes.min_bet:
        minimum, maximum = min_bet_bounds(stakes, options)
        stakes = replace(stakes, min_bet=min(max(stakes.min_bet, minimum), maximum))
    return replace(settings, rule_card=card, options=options, stakes=stakes)


def default_buy_in(settings: TableSettings, minimum: int, maximum: int, wallet: int) -> int:
    """Return the buy-in of a player who names no number: a hundred big blinds, as far as the limits and the wallet allow."""
    usual = min(max(minimum, settings.usual_buyin), maximum)
    return usual if wallet >= usual else max(minimum, wallet)


AMOUNT_FIELDS = (
    "ante", "small_blind", "straddle", "button_blind", "small_bet", "big_bet", "bring_in", "min_bet", "limit",
    "limit_after_draw", "doublings", "price", "cap",
)  # fmt: skip
"""The fields of `Stakes` that are amounts, without the big blind."""
STAKE_FIELDS = frozenset((*AMOUNT_FIELDS, "turn_seconds", "bank_seconds", "min_buyin", "max_buyin"))
COUNT_FIELDS = frozenset(
    (
        "starting_stack",
        "pause_seconds",
        "idle_minutes",
        "absent_minutes",
        "absent_orbits",
        "rebuy_minutes",
        "offer_seconds",
    )
)
NUMBER_FIELDS = STAKE_FIELDS | COUNT_FIELDS | {"big_blind"}
"""Settings whose values are whole numbers; the values of the others are words."""


def with_changed_field(settings: TableSettings, field: str, value: str | int) -> TableSettings:
    """Return the settings with one of them changed: a stake, a clock, a custom of the table, or an option.

    Raises:
        LawError: the field cannot have this value. The table validates the settings as a whole.
    """
    if field in NUMBER_FIELDS:
        number = 0 if str(value).strip() == "0" else parse_chips(field, value)
        if field in COUNT_FIELDS:
            return replace(settings, **{field: number})
        if field == "big_blind":
            return replace(settings, stakes=replace(settings.stakes, small_blind=number // 2, big_blind=number))
        return replace(settings, stakes=replace(settings.stakes, **{field: number}))
    if field in CHOSEN_WORDS:
        words = CHOSEN_WORDS[field]
        try:
            return replace(settings, **{field: words(str(value))})
        except ValueError:
            known = tuple(word.value for word in words)
            raise UnknownHouseRuleValue(name=field, value=str(value), known=known) from None
    if field == "raise_sizes":
        return replace(settings, raise_sizes=parse_raise_sizes(str(value)))
    if field in {"auto_start", "ask_show", "figures"}:
        if value not in {"on", "off"}:
            raise UnknownHouseRuleValue(name=field, value=str(value), known=("on", "off"))
        return replace(settings, **{field: value == "on"})
    if field == "notes":
        return replace(settings, notes=parse_notes(str(value)))
    return replace(settings, options=with_option(settings.options, field, value))


def parse_raise_sizes(text: str) -> tuple[RaiseSize, ...]:
    """Read the parts of the pot that have a button: ``1/2,pot``; "" for none.

    Raises:
        UnknownHouseRuleValue: one of them is no such part.
    """
    wanted = {word.strip() for word in text.split(",") if word.strip()}
    known = tuple(size.value for size in RaiseSize)
    for word in sorted(wanted):
        if word not in known:
            raise UnknownHouseRuleValue(name="raise_sizes", value=word, known=known)
    return tuple(size for size in RaiseSize if size.value in wanted)


def parse_notes(text: str) -> tuple[str, ...]:
    """Read house rules in writing, one on each line."""
    lines = (" ".join(line.split()).removeprefix("- ").removeprefix("• ") for line in text.splitlines())
    return tuple([line for line in lines if line])


def _nudge_mode(seconds: int) -> Nudge:
    if seconds < 0:
        return Nudge.NEVER
    return Nudge.AT_ONCE if seconds == 0 else Nudge.LATER
