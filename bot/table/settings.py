"""The settings of a table: its game and rules in force, its stakes, its clocks and its house customs.

Laws: H-1, H-2, H-4, P-1 to P-6, TL-1, TL-30, TL-31, TC-1 to TC-3, TC-9.
"""

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from bot.engine.customs import ButtonBlind
from bot.engine.mixes import BombPot, Game, Rotation
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, FirstOpener, Limit, StakesRule
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes, bet_sizes, forced_straddle_chips, smallest_open_bet
from bot.table.picture_colours import Deck, Felt

SEATS_MAX = 14
"""The highest seat number (P-2)."""
_DAY_SECONDS = 24 * 60 * 60
TURN_SECONDS_MIN, TURN_SECONDS_MAX = 15, 7 * _DAY_SECONDS
"""The clock of an action (TL-30, WT-1)."""
BANK_SECONDS_MAX = _DAY_SECONDS
SLOW_CLOCK_SECONDS = 60 * 60
"""Where a turn can take an hour or more, nobody sits out for turns that they miss (TL-32), and nobody loses a seat while they sleep."""
SLOW_SEAT_SECONDS = 3 * _DAY_SECONDS
"""There a seat is kept at least so long for who sits out or has no chips."""
BUY_IN_UNITS_MIN, BUY_IN_UNITS_MAX = 20, 200
"""The default buy-in limits, in big blinds (TL-1)."""
STARTING_UNITS_MIN, STARTING_UNITS, STARTING_UNITS_MAX = 20, 100, 1000
"""The starting stack of table chips, in big blinds: the smallest, the default and the largest (TC-2)."""
NOTES_MAX = 10
NOTE_LENGTH_MAX = 150
"""House rules in writing: how many, and the letters of each."""


class ChipKind(StrEnum):
    """Which chips a table plays with. The words are stored."""

    SERVER = "server"  # those of people's wallets
    TABLE = "table"  # those of this game alone: everybody starts with as many, and no wallet is touched (TC-1)


class RebuyRule(StrEnum):
    """Who can buy table chips again in a game (TC-3). The words are stored; a number is how often one person can."""

    FREE = "free"
    HOST = "host"
    ONCE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "10"
    NEVER = "never"

    @property
    def maximum(self) -> int | None:
        """How often one person can buy again in a game; None for as often as they like."""
        if self in (RebuyRule.FREE, RebuyRule.HOST):
            return None
        return 0 if self is RebuyRule.NEVER else int(self.value)


class Nudge(StrEnum):
    """When the player to act gets a nudge. The words are stored."""

    AT_ONCE = "at once"
    LATER = "after 8 s"
    NEVER = "never"


class RaiseSize(StrEnum):
    """A part of the pot that a button bets or raises, the smallest first. The words are stored."""

    THIRD = "1/3"
    HALF = "1/2"
    TWO_THIRDS = "2/3"
    THREE_QUARTERS = "3/4"
    POT = "pot"


USUAL_RAISE_SIZES = (RaiseSize.HALF, RaiseSize.POT)


class Pictures(StrEnum):
    """When the picture of the table is drawn. The words are stored."""

    PER_STREET = "per street"
    TEXT_ONLY = "text only"

    @classmethod
    def _missing_(cls, value: object) -> "Pictures | None":
        """Read the words of version 0.1.0, which drew no pictures: "text" was what nobody had chosen, and every action is too often."""
        return cls.PER_STREET if value in {"text", "every action"} else None


CHOSEN_WORDS: dict[str, type[StrEnum]] = {
    "nudge": Nudge,
    "pictures": Pictures,
    "picture_deck": Deck,
    "felt": Felt,
    "rebuy": RebuyRule,
}
"""The settings whose value is one of a few words, by field."""


class TableSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a table has agreed on.

    Attributes:
        rule_card: the game; at a mixed table the current one. It is stored in full, so that an edited catalogue does not change a table
            that has begun (H-1).
        options: the rules in force; `max_seats` is the number of seats.
        stakes: amounts, buy-in limits, turn clock and time bank.
        notes: house rules in the players' own words, a line each; /laws prints them (H-2).
        rotation: the games of a mixed table, and when it goes on to the next; None for a table of one game (VC-28).
        bomb_pot: the bomb pot that is dealt now and then; None for none (VC-29).
        bank_refill_seconds, bank_refill_hands: so many seconds flow back into a time bank after so many hands (TL-31).
        nudge: when the player to act gets a nudge.
        raise_sizes: the parts of the pot that have a button, the smallest first; there can be none. Where bets have fixed sizes they
            decide nothing.
        pictures: when the picture of the table is drawn.
        picture_deck, felt: how the suits and the cloth are coloured in it.
        practice: the table has practice players and a book of its own.
        chips: server chips or table chips (TC-1).
        starting_stack: the table chips with which everybody starts, and up to which a rebuy fills; 0 where server chips are played (TC-2).
        rebuy: who can buy table chips again (TC-3).
        figures: hands for table chips count in the standings of home games, from then on.
        first_hand_players: the first hand is dealt once so many are in; 0 for as many as the game needs.
        first_hand_at: no hand is dealt before this time, in ms since the epoch; 0 for no such time.
        auto_start: the next hand starts by itself; otherwise a seated player starts it.
        pause_seconds: from the end of a hand to the next one; also the notice time of P-12.
        idle_minutes: a table where nothing happens for so long closes and pays everyone out; 0 for never.
        absent_minutes, absent_orbits: a player who sits out for so long, or misses so many big blinds, is paid out; 0 for never.
        rebuy_minutes: the seat of a player without chips is kept for so long.
        offer_seconds: a free seat is reserved for so long for the next player on the waiting list.
        ante_first: in an event, who cannot cover big blind and big-blind ante pays the ante first (SG-5).
        evening: the name of the evening with a date that is played here; empty for none.
        is_event: an event is played here, such as a sit-and-go: it says who sits, and what is played for (SG-1, SG-14).
        ask_show: at the showdown each seat is asked to show or muck, instead of showing the hands that must or should be shown.
    """

    rule_card: RuleCard
    options: Options
    stakes: Stakes
    notes: tuple[str, ...] = ()
    rotation: Rotation | None = None
    bomb_pot: BombPot | None = None
    bank_refill_seconds: int = 10
    bank_refill_hands: int = 10
    nudge: Nudge = Nudge.LATER
    raise_sizes: tuple[RaiseSize, ...] = USUAL_RAISE_SIZES
    pictures: Pictures = Pictures.PER_STREET
    picture_deck: Deck = Deck.FOUR_COLOURS
    felt: Felt = Felt.CASH
    practice: bool = False
    chips: ChipKind = ChipKind.SERVER
    starting_stack: int = 0
    rebuy: RebuyRule = RebuyRule.FREE
    figures: bool = True
    first_hand_players: int = 0
    first_hand_at: int = 0
    auto_start: bool = True
    pause_seconds: int = 6
    idle_minutes: int = 10
    absent_minutes: int = 20
    absent_orbits: int = 3
    rebuy_minutes: int = 5
    offer_seconds: int = 60
    ask_show: bool = False
    is_event: bool = False
    ante_first: bool = False
    evening: str = ""

    @property
    def seat_count(self) -> int:
        """The number of seats; they are numbered from 1."""
        return self.options.max_seats

    @property
    def has_table_chips(self) -> bool:
        """The table plays with table chips (TC-1)."""
        return self.chips is ChipKind.TABLE

    @property
    def is_slow(self) -> bool:
        """A turn can take an hour or more: the table waits for its players for hours or days (WT-1)."""
        return self.stakes.turn_seconds >= SLOW_CLOCK_SECONDS

    @property
    def misses(self) -> int:
        """The turns missed in a row after which a player sits out; 0 for never, as where a turn can take hours (TL-32)."""
        return 0 if self.is_slow else int(self.options.misses)

    @property
    def rebuy_ms(self) -> int:
        """How long the seat of a player without chips is kept."""
        return max(60_000 * self.rebuy_minutes, self._seat_kept_ms)

    @property
    def absent_ms(self) -> int:
        """How long a player can sit out before they are paid out; 0 for ever."""
        return max(60_000 * self.absent_minutes, self._seat_kept_ms) if self.absent_minutes else 0

    @property
    def offer_ms(self) -> int:
        """How long a free seat is reserved for the next player on the waiting list."""
        return max(1000 * self.offer_seconds, self._answer_ms)

    @property
    def _answer_ms(self) -> int:
        """How long a person has at least for whatever they are asked between hands: where a turn can take hours, as long as for a turn."""
        return 1000 * self.stakes.turn_seconds if self.is_slow else 0

    @property
    def _seat_kept_ms(self) -> int:
        """How long a seat is kept at least. Where a turn can take hours it outlasts a weekend, and is no shorter than a turn."""
        return max(1000 * SLOW_SEAT_SECONDS, self._answer_ms) if self.is_slow else 0

    def choice_ms(self, seconds: int) -> int:
        """How long the player who chooses the next game has for it, where the mixture gives them so many seconds (VC-28)."""
        return max(1000 * seconds, self._answer_ms)

    @property
    def forced_chips(self) -> int:
        """The chips a player needs to be dealt in: none at table stakes; without all-in, all that they can be forced to pay (VB-13)."""
        options, stakes = self.options, self.stakes
        if options.stakes is StakesRule.TABLE:
            return 0
        if options.ante is Ante.BLINDS:
            return stakes.big_blind + stakes.ante
        ante = (
            0 if options.ante is Ante.NONE else stakes.ante
        )  # bet sizes can be counted in an ante that nobody pays (L-6)
        straddle = forced_straddle_chips(stakes) if options.ante is Ante.LEFT_OF_DEALER else 0
        blind = self.rule_card.custom(ButtonBlind)
        button_blind = blind.chips(stakes) if blind is not None else 0
        bring_in = 0
        if options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD):
            bring_in = stakes.bring_in or stakes.min_bet or stakes.small_bet or 2 * stakes.ante
        return ante + max(straddle, bring_in, button_blind)

    @property
    def buy_in_unit(self) -> int:
        """The chips that buy-ins are counted in: the big blind, or what takes its place in a game without blinds."""
        return unit_of_stakes(self.stakes, self.options)

    @property
    def min_buyin(self) -> int:
        """The minimum buy-in in chips: as set, else 20 big blinds (TL-1). Of table chips there is one buy-in for all (TC-2)."""
        if self.has_table_chips:
            return self.starting_stack
        if self.stakes.min_buyin:
            return self.stakes.min_buyin
        default = BUY_IN_UNITS_MIN * self.buy_in_unit
        return min(default, self.stakes.max_buyin) if self.stakes.max_buyin else default

    @property
    def max_buyin(self) -> int:
        """The maximum buy-in in chips, and the most to top up to: as set, else 200 big blinds (TL-1); of table chips the one (TC-2)."""
        if self.has_table_chips:
            return self.starting_stack
        return self.stakes.max_buyin or max(BUY_IN_UNITS_MAX * self.buy_in_unit, self.stakes.min_buyin)

    @property
    def usual_buyin(self) -> int:
        """The buy-in of a player who names no number: a hundred big blinds, within the table's limits."""
        return max(self.min_buyin, min(100 * self.buy_in_unit, self.max_buyin))


def unit_of_stakes(stakes: Stakes, options: Options) -> int:
    """Return the big blind, or what takes its place in a game without blinds, in chips."""
    if stakes.big_blind:
        return stakes.big_blind
    if options.limit is Limit.LIMIT:
        return bet_sizes(stakes)[0]
    if options.limit is Limit.DOUBLING_FLAT:
        return 4 * stakes.ante or 1  # the first raise, and the first bet of every later street (A-11, L-6)
    return stakes.limit or stakes.min_bet or smallest_open_bet(stakes, options)


def laws_differ(before: TableSettings, after: TableSettings) -> bool:
    """Tell whether a change touches the table's laws: what everyone seated must consent to (H-1)."""
    return _laws(before) != _laws(after)


def stakes_differ(before: TableSettings, after: TableSettings) -> bool:
    """Tell whether the next hand is played for other chips or by other rules: its players are called by name before it (H-1)."""
    return _stakes(before) != _stakes(after)


def _stakes(settings: TableSettings) -> tuple[object, ...]:
    amounts = replace(settings.stakes, turn_seconds=0, bank_seconds=0, min_buyin=0, max_buyin=0)
    options = replace(settings.options, max_seats=SEATS_MAX)
    return settings.rule_card, options, amounts, settings.rotation, settings.bomb_pot


def needs_consent(before: TableSettings, after: TableSettings) -> bool:
    """Tell whether everyone seated must consent to a change: to other laws, and to other times after which a seat is lost (H-1)."""
    return laws_differ(before, after) or _seat_times(before) != _seat_times(after)


def _seat_times(settings: TableSettings) -> tuple[int, ...]:
    return settings.absent_minutes, settings.absent_orbits, settings.rebuy_minutes


def _laws(settings: TableSettings) -> tuple[object, ...]:
    return (
        settings.rule_card,
        settings.options,
        settings.stakes,
        settings.notes,
        settings.rotation,
        settings.bomb_pot,
        settings.ask_show,
        settings.bank_refill_seconds,
        settings.bank_refill_hands,
        settings.starting_stack,
        settings.rebuy,
    )


def with_seat_count(settings: TableSettings, seats: int) -> TableSettings:
    """Return the settings with another number of seats, in each of its games. `validate_settings` says whether that can be played."""

    def seated(options: Options) -> Options:
        return msgspec.structs.replace(options, max_seats=seats)

    rotation = settings.rotation
    if rotation is not None:
        games = tuple([msgspec.structs.replace(game, options=seated(game.options)) for game in rotation.games])
        rotation = msgspec.structs.replace(rotation, games=games)
    return msgspec.structs.replace(settings, options=seated(settings.options), rotation=rotation)


def without_evening(settings: TableSettings) -> TableSettings:
    """Return the settings for a game at any time: nothing of an evening with a date is left."""
    return msgspec.structs.replace(settings, evening="", first_hand_players=0, first_hand_at=0)


def with_starting_stack(settings: TableSettings) -> TableSettings:
    """Return the settings of a new table: a starting stack that nobody chose is a hundred big blinds (TC-2)."""
    if not settings.has_table_chips:
        return replace(settings, starting_stack=0)
    return replace(settings, starting_stack=settings.starting_stack or STARTING_UNITS * settings.buy_in_unit)


def without_appointment(settings: TableSettings) -> TableSettings:
    """Return the settings of a table that begins by itself: it waits neither for an hour nor for more people than the game needs."""
    return replace(settings, first_hand_players=0, first_hand_at=0)


def starting_stack_bounds(settings: TableSettings) -> tuple[int, int]:
    """Return the smallest and the largest starting stack of table chips at these stakes (TC-2)."""
    return STARTING_UNITS_MIN * settings.buy_in_unit, STARTING_UNITS_MAX * settings.buy_in_unit


def settings_for_game(settings: TableSettings, game: Game) -> TableSettings:
    """Return the settings while a game of a mixed table, or a bomb pot, is played. Seats, buy-ins, clocks and `MISSES` stay the table's."""
    stakes = replace(
        game.stakes,
        min_buyin=settings.stakes.min_buyin,
        max_buyin=settings.stakes.max_buyin,
        turn_seconds=settings.stakes.turn_seconds,
        bank_seconds=settings.stakes.bank_seconds,
    )
    options = replace(game.options, max_seats=settings.seat_count, misses=settings.options.misses)
    return replace(settings, rule_card=game.rule_card, options=options, stakes=stakes)
