"""The state of one hand: plain data in slots, changed only by `evolve`, on a copy.

Sets of seats are bit masks (bit 0 is seat 0), because a hand asks "who is still to speak" at every action.

Source: design §2 "Values outside, mutable inside".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.legal import Decision, Duty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.engine.events import Event, HandStarted, Payment
    from bot.engine.rules import Rules


class Hand:
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
        answered: per seat, the level it last answered (TL-4).
        level: highest street total; full_level: level of the last full bet or raise (TL-6); last_full: the least a raise adds (TL-5).
        raises: full raises after the first bet of the interval; rung: next rung of the doubling ladder (L-6).
        aggressor: who last bet or raised in this interval, last_aggressor: in this deal; -1 for nobody.
        opener: who made the first bet of the deal (F-5), -1 for nobody.
        spoke_first: who spoke first in this interval; two_handed: it began with two (TL-17).
        shortfall: chips that dead or short blinds lack, counted by pot-limit before the second interval (TL-19).
        held: chips put in out of turn, by seat (I-8).
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

    __slots__ = (
        "able", "about", "acted", "actions", "aggressor", "all_in_show", "answered", "bets", "boards", "burns",
        "carried_on", "choices", "dead", "decision", "deck", "designated", "discarded", "down", "drew", "duty",
        "first_interval", "follows", "full_level", "held", "interval_pots", "laid", "last_aggressor", "last_full",
        "level", "live", "mucked", "number_of", "offer", "opener", "openers_shown", "opening_places", "over",
        "passed_out", "payments", "pending", "place", "pot", "put_in", "raises", "returned", "rules", "run_asked",
        "rung", "settled", "shortfall", "showdown", "shown", "spent", "spoke_first", "stacks", "started", "step",
        "stood", "street", "to_act", "turn", "two_handed", "unserved", "up", "void_reason", "voided", "wild_now",
        "words",
    )  # fmt: skip

    rules: Rules
    deck: tuple[int, ...]
    started: HandStarted
    number_of: int
    stacks: list[int]
    bets: list[int]
    put_in: list[int]
    answered: list[int]
    dead: int
    pot: int
    live: int
    able: int
    pending: int
    acted: int
    stood: int
    level: int
    full_level: int
    last_full: int
    raises: int
    rung: int
    aggressor: int
    last_aggressor: int
    opener: int
    spoke_first: int
    two_handed: bool
    first_interval: bool
    shortfall: int
    held: tuple[int, ...]
    down: tuple[tuple[int, ...], ...]
    up: tuple[tuple[int, ...], ...]
    boards: tuple[tuple[int, ...], ...]
    place: int
    burns: tuple[int, ...]
    discarded: tuple[int, ...]
    laid: tuple[tuple[int, tuple[int, ...]], ...]
    spent: frozenset[int]
    about: str
    choices: tuple[tuple[int, tuple[tuple[int, ...], str]], ...]
    words: tuple[str, ...]
    settled: frozenset[int]
    wild_now: tuple[int, ...]
    follows: bool
    designated: tuple[tuple[int, tuple[tuple[int, int], ...], str], ...]
    run_asked: bool
    opening_places: tuple[int, ...]
    openers_shown: tuple[int, ...]
    carried_on: int
    unserved: int
    duty: Duty
    passed_out: bool
    drew: tuple[tuple[int, ...], ...]
    offer: int
    step: int
    decision: Decision
    to_act: int
    turn: int
    street: str
    actions: tuple[Event, ...]
    shown: int
    mucked: int
    showdown: bool
    all_in_show: bool
    interval_pots: tuple[int, ...]
    payments: tuple[Payment, ...]
    returned: tuple[int, int] | None
    over: bool
    voided: bool
    void_reason: str

    def __init__(self, started: HandStarted, rules: Rules, deck: tuple[int, ...]) -> None:
        count = len(started.seats)
        self.rules, self.deck, self.started, self.number_of = rules, deck, started, count
        self.stacks = list(started.stacks)
        self.bets, self.put_in, self.answered = [0] * count, [0] * count, [0] * count
        self.dead = self.pot = started.carried
        self.live = (1 << count) - 1
        self.able = sum(1 << seat for seat, chips in enumerate(started.stacks) if chips)
        self.pending = self.acted = self.stood = 0
        self.level = self.full_level = self.raises = self.shortfall = 0
        self.rung = rules.first_rung
        self.last_full = rules.min_bet
        self.aggressor = self.last_aggressor = self.opener = self.spoke_first = self.to_act = -1
        self.two_handed, self.first_interval = count == 2, True
        self.held = ()
        self.down = self.up = ((),) * count
        self.boards = ((),) * rules.card.boards
        self.place = self.step = self.turn = 0
        self.burns = self.discarded = self.laid = ()
        self.spent, self.drew, self.offer = _NOTHING_SPENT, ((),) * count, 0
        self.about, self.choices, self.words = "", (), ("",) * count
        self.settled, self.wild_now, self.follows = _NOTHING_SPENT, (), False
        self.opening_places = ()
        self.designated, self.run_asked, self.openers_shown, self.carried_on = (), False, (), 0
        self.unserved, self.duty, self.passed_out = -1, Duty.FREE, False
        self.decision = Decision.NONE
        self.street, self.actions = "", ()
        self.shown = self.mucked = 0
        self.showdown = self.all_in_show = False
        self.interval_pots, self.payments, self.returned = (), (), None
        self.over = self.voided = False
        self.void_reason = ""

    def copy(self) -> Hand:
        """Return a hand that can be changed without changing this one."""
        new = _new(Hand)
        new.stacks, new.bets = self.stacks[:], self.bets[:]
        new.put_in, new.answered = self.put_in[:], self.answered[:]
        new.rules, new.deck, new.started, new.number_of = self.rules, self.deck, self.started, self.number_of
        new.dead, new.pot, new.live, new.able = self.dead, self.pot, self.live, self.able
        new.pending, new.acted, new.stood, new.level = self.pending, self.acted, self.stood, self.level
        new.full_level, new.last_full, new.raises, new.rung = self.full_level, self.last_full, self.raises, self.rung
        new.aggressor, new.last_aggressor, new.opener = self.aggressor, self.last_aggressor, self.opener
        new.spoke_first, new.to_act = self.spoke_first, self.to_act
        new.two_handed, new.first_interval, new.shortfall, new.held = (
            self.two_handed, self.first_interval, self.shortfall, self.held,
        )  # fmt: skip
        new.down, new.up, new.boards, new.place = self.down, self.up, self.boards, self.place
        new.burns, new.discarded, new.laid = self.burns, self.discarded, self.laid
        new.spent, new.drew, new.offer = self.spent, self.drew, self.offer
        new.about, new.choices, new.words = self.about, self.choices, self.words
        new.settled, new.wild_now, new.follows = self.settled, self.wild_now, self.follows
        new.designated, new.run_asked = self.designated, self.run_asked
        new.opening_places = self.opening_places
        new.openers_shown, new.carried_on = self.openers_shown, self.carried_on
        new.unserved, new.duty, new.passed_out = self.unserved, self.duty, self.passed_out
        new.step, new.decision, new.turn, new.street = self.step, self.decision, self.turn, self.street
        new.actions, new.shown, new.mucked, new.showdown = self.actions, self.shown, self.mucked, self.showdown
        new.all_in_show, new.interval_pots, new.payments = self.all_in_show, self.interval_pots, self.payments
        new.returned, new.over, new.voided, new.void_reason = self.returned, self.over, self.voided, self.void_reason
        return new

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


_new = object.__new__
_NOTHING_SPENT: frozenset[int] = frozenset()


def seats_in(mask: int) -> Iterator[int]:
    """The seats of a mask, clockwise from the dealer's left."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def next_in(mask: int, after: int) -> int:
    """The first seat of a mask, clockwise, after seat `after` (which may be -1); -1 for an empty mask."""
    if not mask:
        return -1
    ahead = mask >> (after + 1)
    if ahead:
        return (ahead & -ahead).bit_length() + after
    return (mask & -mask).bit_length() - 1
