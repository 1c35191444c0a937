"""What a table has agreed on: its game and law set, its stakes, its clocks and its house customs.

Source: laws H-1, H-2, H-4, P-1 to P-6, TL-1, TL-30, TL-31; issue 2 "Chips" (defaults).
"""

from enum import StrEnum

import msgspec

from bot.engine.card import RuleCard
from bot.engine.options import Limit, Options
from bot.engine.stakes import Stakes, bet_sizes

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
        card: the game. Written in whole, so that editing the catalogue does not change a table that has begun (H-1).
        options: the law set in force; `max_seats` is the number of seats.
        stakes: amounts, buy-in limits, turn clock and time bank.
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
    """

    card: RuleCard
    options: Options
    stakes: Stakes
    notes: tuple[str, ...] = ()
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

    @property
    def seats(self) -> int:
        """How many seats the table has; they are numbered from 1."""
        return self.options.max_seats

    @property
    def unit(self) -> int:
        """The chips that buy-ins are counted in: the big blind, or what stands for it in a game without blinds."""
        stakes = self.stakes
        if stakes.big_blind:
            return stakes.big_blind
        if self.options.limit is Limit.LIMIT:
            return bet_sizes(stakes)[1]
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
        for name in ("card", "options", "stakes", "notes", "ask_show", "bank_refill_seconds", "bank_refill_hands")
    )
