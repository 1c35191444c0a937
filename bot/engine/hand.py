"""The state of one hand: plain data in slots, changed only by `evolve`, on a copy.

Sets of seats are bit masks (bit 0 is seat 0), because a hand asks "who is still to speak" at every action.

Source: design §2 "Values outside, mutable inside".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from bot.engine.legal import Decision, Duty

if TYPE_CHECKING:
    from bot.engine.events import Event, HandStarted, Payment, Spoken
    from bot.engine.rules import Rules


_NOTHING_SPENT: frozenset[int] = frozenset()


class Hand(Struct, kw_only=True, eq=False, gc=False):
    """One deal, from its first event on. Read it through `legal` and `view`; change it through `decide` and `evolve`.

    Attributes:
        rules: card, options and stakes in force.
        deck: every card of the pack by its place, shuffled and cut; never stored.
        started: the first event.
        number_of: how many seats were dealt in.
        stacks, bets, put_in: per seat, in chips: behind, put in during this interval, put in during the hand (dead money not counted).
        dead: chips in the main pot that belong to nobody's bet (TL-10, TL-14, I-3, I-8).
        pot: all chips in the middle, live bets included.
        live: seats not dropped; able: live seats with chips; pending: seats that must still speak in this interval;
        acted: seats that have spoken since the last full bet or raise; stood: seats that have stood once (C-5).
        level: highest street total; full_level: level of the last full bet or raise (TL-6); last_full: the least a raise adds (TL-5).
        raises: full raises after the first bet of the interval; rung: next rung of the doubling ladder (L-6).
        aggressor: who last bet or raised in this interval, last_aggressor: in this deal; -1 for nobody.
        opener: who made the first bet of the deal (F-5), -1 for nobody.
        spoke_first: who spoke first in this interval; two_handed: it began with two (TL-17).
        shortfall: chips that dead or short blinds lack, counted by pot-limit before the second interval (TL-19).
        held: chips put in out of turn, by seat (I-8); noted: seat, level it faced and what it said before its turn (TL-34).
        down, up: per seat, places of its cards; boards: places of common cards, by board; place: the next place of the pack.
        burns, discarded: places of burned cards, of cards changed at earlier draws; laid: by seat, cards changed at this draw.
        spent: places whose cards were shuffled back under the pack (X-7).
        unserved: seats still to be served at this draw; -1 when no draw is open.
        duty: what a first interval opened by a card on show asks of its opener (F-6, F-7).
        about: what is offered, in words.
        choices: what has been chosen in secret so far: seat, places, word; words: per seat, what it has declared.
        settled: places of up cards that have been paid for or have brought their card.
        wild_now: ranks that are wild at this moment beside the card's own; follows: the next card dealt up names one (VC-23).
        designated: seat, what its wild cards stand for, and its word on aces (W-7, LO-3).
        run_asked: running the board twice has been put to the table (TL-25).
        opening_places: the opener's cards when it opened; openers_shown: those it proved (VC-20).
        carried_on: chips that wait for the next deal (N-1, VC-27).
        passed_out: nobody opened; the pot waits for the next deal (N-1).
        drew: per seat, how many cards it changed at each draw.
        offer: the amount the seat to act is offered, in chips as a street total.
        step: the dealer's place on the rule card; decision, to_act: what is waited for and from whom (-1: nobody).
        turn: decisions made so far; street: name of the interval; actions: its actions, oldest first.
        shown, mucked: seats; all_in_show: hands were turned up before the board was run (TL-21).
        returned: seat and chips of the last uncalled bet given back.
    """

    rules: Rules
    deck: tuple[int, ...]
    started: HandStarted
    number_of: int
    stacks: list[int]
    bets: list[int]
    put_in: list[int]
    dead: int = 0
    pot: int = 0
    live: int
    able: int
    pending: int = 0
    acted: int = 0
    stood: int = 0
    level: int = 0
    full_level: int = 0
    last_full: int
    raises: int = 0
    rung: int
    aggressor: int = -1
    last_aggressor: int = -1
    opener: int = -1
    spoke_first: int = -1
    two_handed: bool
    first_interval: bool = True
    shortfall: int = 0
    held: tuple[int, ...] = ()
    noted: tuple[tuple[int, int, Spoken], ...] = ()
    down: tuple[tuple[int, ...], ...]
    up: tuple[tuple[int, ...], ...]
    boards: tuple[tuple[int, ...], ...]
    place: int = 0
    burns: tuple[int, ...] = ()
    discarded: tuple[int, ...] = ()
    laid: tuple[tuple[int, tuple[int, ...]], ...] = ()
    spent: frozenset[int] = _NOTHING_SPENT
    about: str = ""
    choices: tuple[tuple[int, tuple[tuple[int, ...], str]], ...] = ()
    words: tuple[str, ...]
    settled: frozenset[int] = _NOTHING_SPENT
    wild_now: tuple[int, ...] = ()
    follows: bool = False
    designated: tuple[tuple[int, tuple[tuple[int, int], ...], str], ...] = ()
    run_asked: bool = False
    opening_places: tuple[int, ...] = ()
    openers_shown: tuple[int, ...] = ()
    carried_on: int = 0
    unserved: int = -1
    duty: Duty = Duty.FREE
    passed_out: bool = False
    drew: tuple[tuple[int, ...], ...]
    offer: int = 0
    step: int = 0
    decision: Decision = Decision.NONE
    to_act: int = -1
    turn: int = 0
    street: str = ""
    actions: tuple[Event, ...] = ()
    shown: int = 0
    mucked: int = 0
    showdown: bool = False
    all_in_show: bool = False
    interval_pots: tuple[int, ...] = ()
    payments: tuple[Payment, ...] = ()
    returned: tuple[int, int] | None = None
    over: bool = False
    voided: bool = False
    void_reason: str = ""

    def copy(self) -> Hand:
        """Return a hand whose fields can be set without changing this one. It shares the lists: they are replaced, never changed."""
        new: Hand = self.__copy__()  # type: ignore[attr-defined]  # a Struct's own, every field at once
        return new

    def __repr__(self) -> str:
        """Where the hand stands. No card is named: this may end up in a log (TL-37)."""
        asked = f"seat {self.to_act} to act" if self.to_act >= 0 else "over" if self.over else "nobody to act"
        return f"<Hand of {self.rules.card.key}, {self.street or 'before the first interval'}, pot {self.pot}, {asked}>"

    def hole_cards(self, seat: int) -> tuple[int, ...]:
        """All of a seat's own cards, down ones first. Not for screens: see `view`."""
        deck = self.deck
        return tuple([deck[place] for place in self.down[seat]] + [deck[place] for place in self.up[seat]])

    def board(self, number: int = 0) -> tuple[int, ...]:
        """The common cards of one board."""
        deck = self.deck
        return tuple([deck[place] for place in self.boards[number]])

    @property
    def owe(self) -> int:
        """Chips the seat to act needs to call; 0 when nobody is to act."""
        return max(0, self.level - self.bets[self.to_act]) if self.to_act >= 0 else 0


def new_hand(started: HandStarted, rules: Rules, deck: tuple[int, ...]) -> Hand:
    """The hand right after its first event, before anybody has posted."""
    count = len(started.seats)
    nothing: tuple[tuple[int, ...], ...] = ((),) * count
    return Hand(
        rules=rules,
        deck=deck,
        started=started,
        number_of=count,
        stacks=list(started.stacks),
        bets=[0] * count,
        put_in=[0] * count,
        dead=started.carried,
        pot=started.carried,
        live=(1 << count) - 1,
        able=sum([1 << seat for seat, chips in enumerate(started.stacks) if chips]),
        rung=rules.opening_rung,
        last_full=rules.forced_full,
        two_handed=count == 2,
        down=nothing,
        up=nothing,
        drew=nothing,
        boards=((),) * rules.card.boards,
        words=("",) * count,
    )


class _Seats(dict[int, tuple[int, ...]]):
    """The seats of every mask asked about; a table of ten has a thousand."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) >= _MASKS_MOST:
            self.clear()
        seats = self[mask] = tuple([seat for seat in range(mask.bit_length()) if mask >> seat & 1])
        return seats


_MASKS_MOST = 1 << 14
_SEATS = _Seats()


def seats_in(mask: int) -> tuple[int, ...]:
    """The seats of a mask, clockwise from the dealer's left."""
    return _SEATS[mask]


def next_in(mask: int, after: int) -> int:
    """The first seat of a mask, clockwise, after seat `after` (which may be -1); -1 for an empty mask."""
    if not mask:
        return -1
    ahead = mask >> (after + 1)
    if ahead:
        return (ahead & -ahead).bit_length() + after
    return (mask & -mask).bit_length() - 1
