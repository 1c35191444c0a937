"""The settings of a new table: the game's own, on the stakes and clocks of the house, with what its host wishes.

Source: issue 2 "Chips" (defaults, all settable); laws H-1, H-4.
"""

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.options import Ante, Limit, Options, Switch
from bot.engine.register import UnknownHouseRuleValue, with_option
from bot.engine.stakes import amounts_needed, min_bet_bounds, whole_chips
from bot.engine.usual import usual_stakes
from bot.ledger.house import HouseRules
from bot.table.pack import seats_allowed
from bot.table.settings import Nudge, Pictures, TableSettings


class Wishes(Struct, frozen=True, kw_only=True):
    """What a host may say when opening a table; 0 and None leave it to the house.

    Attributes:
        big_blind, small_blind, ante: in chips; a small blind alone or a big one alone implies the other.
        seats: how many.
        least, most: the buy-in, in chips.
        turn_seconds, bank_seconds: the clock for an action, and the reserve behind it; None for the house's.
        practice: with practice players, on books of its own.
    """

    small_blind: int = 0
    big_blind: int = 0
    ante: int = 0
    seats: int = 0
    least: int = 0
    most: int = 0
    turn_seconds: int = 0
    bank_seconds: int | None = None
    practice: bool = False


def house_settings(card: RuleCard, rules: HouseRules, wishes: Wishes | None = None) -> TableSettings:
    """The settings of a new table. Whether they go together is ruled on when it is opened."""
    wishes = wishes or Wishes()
    options = card.options
    seats = wishes.seats or min(options.max_seats, seats_allowed(card, options.deck))
    options = with_option(options, "max_seats", seats)
    big = wishes.big_blind or 2 * wishes.small_blind or rules.big_blind
    small = wishes.small_blind or (big // 2 if wishes.big_blind else rules.small_blind)
    usual = usual_stakes(card, big)
    return TableSettings(
        card=card,
        options=options,
        stakes=replace(
            usual,
            small_blind=small if options.ante is Ante.BLINDS else 0,
            ante=wishes.ante or usual.ante,
            min_buyin=wishes.least or rules.buyin_least * big,
            max_buyin=wishes.most or max(rules.buyin_most * big, wishes.least),
            turn_seconds=wishes.turn_seconds or rules.turn_seconds,
            bank_seconds=rules.bank_seconds if wishes.bank_seconds is None else wishes.bank_seconds,
        ),
        nudge=_nudge(rules.nudge_seconds),
        practice=wishes.practice,
        idle_minutes=rules.idle_close_minutes,
        ask_run_twice=True,
    )


def with_laws(settings: TableSettings, card: RuleCard, options: Options) -> TableSettings:
    """The settings under other laws; amounts that these need and that have not been agreed on are the usual ones (H-4), and there are
    no more seats than the pack serves (P-6)."""
    seats = min(options.max_seats, max(seats_allowed(card, options.deck), card.seats_min))
    options = with_option(options, "max_seats", seats)
    own, was = settings.stakes, settings.options
    unit = settings.unit + settings.unit % 2  # even, so that a blind can be half of it
    usual = usual_stakes(replace(card, options=options), max(4, unit))
    if (options.limit, options.ante) != (
        was.limit,
        was.ante,
    ):  # other forced bets and sizes: nothing of the old ones stands
        stakes = replace(
            usual,
            ante=min(usual.ante, max(1, usual.limit // 2)) if options.limit is Limit.STAKE_LIMIT else usual.ante,
            min_buyin=own.min_buyin,
            max_buyin=own.max_buyin,
            turn_seconds=own.turn_seconds,
            bank_seconds=own.bank_seconds,
        )
    else:
        needed = (*amounts_needed(options), *card.amounts, *(("cap",) if card.match_pot else ()))
        stakes = replace(own, **{name: getattr(usual, name) for name in needed if not getattr(own, name)})
    if options.ante is Ante.BLINDS and options.house_blinds is Switch.OFF:
        small = (stakes.big_blind + 1) // 2  # blinds that were uneven by the house's own rule
        stakes = replace(stakes, small_blind=small, big_blind=2 * small)
    if stakes.min_bet:
        least, most = min_bet_bounds(stakes, options)
        stakes = replace(stakes, min_bet=min(max(stakes.min_bet, least), most))
    return replace(settings, card=card, options=options, stakes=stakes)


def usual_chips(settings: TableSettings, least: int, most: int, wallet: int) -> int:
    """What somebody sits down with who names no number: a hundred big blinds, as far as limits and wallet allow."""
    usual = max(least, min(100 * settings.unit, most))
    return usual if wallet >= usual else max(least, wallet)


AMOUNTS = (
    "ante", "small_blind", "straddle", "small_bet", "big_bet", "bring_in", "min_bet", "limit", "limit_after_draw", "doublings", "price",
    "cap",
)  # fmt: skip
"""What a game is played for, beside the big blind, as fields of `Stakes`."""
STAKES = frozenset((*AMOUNTS, "turn_seconds", "bank_seconds", "min_buyin", "max_buyin"))
COUNTS = frozenset(
    ("pause_seconds", "idle_minutes", "absent_minutes", "absent_orbits", "rebuy_minutes", "offer_seconds")
)
NUMBERS = STAKES | COUNTS | {"big_blind"}
"""Settings that are whole numbers; the others are words."""


def changed_settings(settings: TableSettings, field: str, value: str | int) -> TableSettings:
    """The settings with one of them changed: a stake, a clock, a custom of the table, or an option of its laws.

    Raises:
        LawError: the value is none for that field. Whether all of it goes together is the table's to rule on.
    """
    if field in NUMBERS:
        number = 0 if str(value).strip() == "0" else whole_chips(field, value)
        if field in COUNTS:
            return replace(settings, **{field: number})
        if field == "big_blind":
            return replace(settings, stakes=replace(settings.stakes, small_blind=number // 2, big_blind=number))
        return replace(settings, stakes=replace(settings.stakes, **{field: number}))
    if field in _WORDS:
        known = tuple(word.value for word in _WORDS[field])
        if value not in known:
            raise UnknownHouseRuleValue(name=field, value=str(value), known=known)
        return replace(settings, **{field: _WORDS[field](value)})
    if field in {"auto_start", "ask_show", "ask_run_twice"}:
        if value not in {"on", "off"}:
            raise UnknownHouseRuleValue(name=field, value=str(value), known=("on", "off"))
        return replace(settings, **{field: value == "on"})
    return replace(settings, options=with_option(settings.options, field, value))


_WORDS: dict[str, type[Nudge] | type[Pictures]] = {"nudge": Nudge, "pictures": Pictures}


def _nudge(seconds: int) -> Nudge:
    if seconds < 0:
        return Nudge.NEVER
    return Nudge.AT_ONCE if seconds == 0 else Nudge.LATER
