"""What a table has agreed on: its game and law set, its stakes, its clocks and its house customs.

Source: laws H-1, H-2, H-4, P-1 to P-6, TL-1, TL-30, TL-31; issue 2 "Chips" (defaults).
"""

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.mixes import Bomb, Game, Rotation
from bot.engine.options import Ante, FirstOpener, Limit, Options, Purse
from bot.engine.stakes import Stakes, bet_sizes, straddle_chips

SEATS_MAX = 14
"""The highest seat number (P-2)."""
TURN_SECONDS_MIN, TURN_SECONDS_MAX = 15, 24 * 60 * 60
BUY_IN_UNITS_MIN, BUY_IN_UNITS_MAX = 20, 200
"""The buy-in a table has unless it says otherwise, in big blinds (TL-1)."""


class Nudge(StrEnum):
    """When the player to act is called by name."""

    AT_ONCE = "at once"
    LATER = "after 8 s"
    NEVER = "never"


class Pictures(StrEnum):
    """When the table's picture is drawn anew."""

    TEXT = "text"
    STREET = "per street"
    ACTION = "every action"


class TableSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a table has agreed on. Game, options, stakes and notes are its laws: see `laws_differ`.

    Attributes:
        card: the game; at a mixed table the one that is played now. Written in whole, so that editing the catalogue does not change a
            table that has begun (H-1).
        options: the law set in force; `max_seats` is the number of seats.
        stakes: amounts, buy-in limits, turn clock and time bank.
        rotation: the games of a mixed table and when it goes on to the next; None for a table of one game (VC-28).
        bomb: the bomb pot that is dealt now and then, None for none (VC-29).
        notes: house rules in the house's own words, printed by /laws (H-2).
        bank_refill_seconds, bank_refill_hands: so much flows back into a time bank after so many hands dealt in (TL-31).
        practice: a table with practice players, on its own books.
        auto_start: the next hand starts by itself; else any seated player starts it.
        pause_seconds: from the end of a hand to the next deal; also the notice time of P-12.
        idle_minutes: with no hand and nobody stirring for so long the table closes and pays out; 0 for never.
        absent_minutes, absent_orbits: so long, or for so many big blinds, a player may sit out; then he is paid and his seat is
            free. 0 for ever.
        rebuy_minutes: so long a seat is kept for a player without chips.
        offer_seconds: so long a free seat is kept for the next on the waiting list.
        ask_show: at the show each seat is asked, instead of showing whoever must or should.
        ask_run_twice: with all betting over, all who are in are asked whether the board is run twice, where the law set allows it (TL-25).
    """

    card: RuleCard
    options: Options
    stakes: Stakes
    notes: tuple[str, ...] = ()
    rotation: Rotation | None = None
    bomb: Bomb | None = None
    bank_refill_seconds: int = 10
    bank_refill_hands: int = 10
    nudge: Nudge = Nudge.LATER
    pictures: Pictures = Pictures.TEXT
    practice: bool = False
    auto_start: bool = True
    pause_seconds: int = 6
    idle_minutes: int = 10
    absent_minutes: int = 20
    absent_orbits: int = 3
    rebuy_minutes: int = 5
    offer_seconds: int = 60
    ask_show: bool = False
    ask_run_twice: bool = False

    @property
    def seats(self) -> int:
        """How many seats the table has; they are numbered from 1."""
        return self.options.max_seats

    @property
    def entry(self) -> int:
        """Chips without which nobody is dealt in: none at table stakes, all forced money where there is no all-in (VB-13)."""
        options, stakes = self.options, self.stakes
        if options.stakes is Purse.TABLE:
            return 0
        if options.ante is Ante.BLINDS:
            return stakes.big_blind + stakes.ante
        ante = 0 if options.ante is Ante.NONE else stakes.ante  # a ladder may count in an ante that nobody pays (L-6)
        straddle = straddle_chips(stakes) if options.ante is Ante.LEFT_OF_DEALER else 0
        opens = options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
        forced = stakes.bring_in or stakes.min_bet or stakes.small_bet or 2 * stakes.ante
        return ante + max(straddle, forced if opens else 0, stakes.ante if self.card.button_blind else 0)

    @property
    def unit(self) -> int:
        """The chips that buy-ins are counted in: the big blind, or what stands for it in a game without blinds."""
        stakes = self.stakes
        if stakes.big_blind:
            return stakes.big_blind
        if self.options.limit is Limit.LIMIT:
            return bet_sizes(stakes)[0]
        if self.options.limit is Limit.DOUBLING_FLAT:
            return 4 * stakes.ante or 1  # the first raise, and the first bet of every later interval (A-11, L-6)
        return stakes.limit or stakes.min_bet or stakes.ante or 1

    @property
    def min_buyin(self) -> int:
        """The fewest chips to sit down with: as set, else 20 big blinds (TL-1)."""
        if self.stakes.min_buyin:
            return self.stakes.min_buyin
        usual = BUY_IN_UNITS_MIN * self.unit
        return min(usual, self.stakes.max_buyin) if self.stakes.max_buyin else usual

    @property
    def max_buyin(self) -> int:
        """The most chips to sit down with or to top up to: as set, else 200 big blinds (TL-1)."""
        return self.stakes.max_buyin or max(BUY_IN_UNITS_MAX * self.unit, self.stakes.min_buyin)


def laws_differ(before: TableSettings, after: TableSettings) -> bool:
    """Tell whether a change touches what all seated must consent to (H-1): the game, its options, stakes, clocks, notes, the show."""
    return any(
        getattr(before, name) != getattr(after, name)
        for name in (
            "card",
            "options",
            "stakes",
            "notes",
            "rotation",
            "bomb",
            "ask_show",
            "ask_run_twice",
            "bank_refill_seconds",
            "bank_refill_hands",
        )
    )


def playing(settings: TableSettings, game: Game) -> TableSettings:
    """The settings while a game of a mixed table, or a bomb pot, is played; seats, buy-ins and clocks stay the table's."""
    own = settings.stakes
    stakes = replace(
        game.stakes,
        min_buyin=own.min_buyin,
        max_buyin=own.max_buyin,
        turn_seconds=own.turn_seconds,
        bank_seconds=own.bank_seconds,
    )
    return replace(
        settings, card=game.card, options=replace(game.options, max_seats=settings.seats), stakes=stakes
    )  # fmt: skip
