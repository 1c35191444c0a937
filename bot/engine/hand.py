"""The state of one hand: plain data in slots. Only `evolve` changes it, and only a copy of it.

Sets of seats are bit masks (bit 0 is seat 0), because a hand asks "who has still to act" after every action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.engine.legal import Decision, OfferKind, OpeningDuty
from bot.engine.units import NO_SEAT, SeatIndex
from bot.engine.view.types import SeenActions

if TYPE_CHECKING:
    from bot.engine.events import BettingAction, HandEvent, HandStarted, Payment
    from bot.engine.rules_in_force import RulesInForce


_NO_CARDS: frozenset[int] = frozenset()


class Hand(Struct, kw_only=True, eq=False, gc=False):
    """One hand, from its first event on. Read it through `legal` and `view`; change it through `decide` and `evolve`.

    Chips are whole numbers; lists and tuples of chips go by seat. A field called `…_indices` holds card indices.

    Attributes:
        rules: rule card, options and stakes in force.
        deck: every card by its index, shuffled and cut; never stored. Reshuffled cards are appended.
        started: the first event.
        seat_count: how many players were dealt in.
        stacks: chips behind. bets: chips put in on this street. put_in: chips put in during the hand, dead money not
            counted.
        dead_chips: chips in the main pot that belong to nobody's bet (TL-10, TL-14, I-3, I-8).
        pot: all chips in the middle, live bets included.
        live_seats: seats that have not folded. seats_with_chips: those of them that have chips left.
        seats_to_act: seats that must still act in this betting round.
        seats_acted: seats that have acted since the last full bet or raise. seats_checked: seats that have checked on
            this street (C-5).
        current_bet: the highest street total. last_full_bet: the street total of the last full bet or raise (TL-6).
        min_raise_increment: the minimum that a raise adds (TL-5).
        raise_count: full raises after the first bet of the street. ladder_step: the next step of the doubling ladder
            (L-6).
        big_bet_made: somebody has chosen the big bet on a street where an open pair leaves the choice (VC-5).
        street_aggressor: who last bet or raised on this street. hand_aggressor: the same, in this hand.
        opener: who made the first bet of the hand (F-5).
        first_to_act: who acted first on this street. first_to_show: who shows first at the showdown.
        raises_uncapped: fewer than three players who were not all-in began the betting round, so no cap binds them
            (TL-17).
        in_first_betting_round: the first betting round is not over.
        blind_shortfall: chips that dead or short blinds lack; pot-limit counts them on the first street (TL-19).
        out_of_turn_chips: chips put in out of turn, by seat; empty for none (I-8).
        out_of_turn_actions: seat, the bet it faced and what it announced out of turn (TL-34).
        down_indices, up_indices: cards face down and face up, by seat. board_indices: common cards, by board.
        next_card_index: the card that is dealt next.
        burn_indices, discard_indices: burned cards; cards given up at earlier draws.
        discards_this_draw: seat and cards discarded at the draw that is open.
        reshuffled_indices: cards that were shuffled back into the deck (X-7).
        offer_amount, offer_kind: what the seat to act is offered: a street total in chips, and what it is.
        secret_choices: what seats have chosen in secret so far: seat, cards, word. declarations: what each seat has
            declared, by seat.
        passed_cards: what was passed last, until the next secret choice: from which seat, to which, cards.
        settled_indices: up cards that have been paid for or have brought their extra card.
        current_wild_ranks: ranks that are wild now, beside the game's own.
        next_up_card_names_wild: the next card dealt face up names a wild rank (VC-23).
        designated: seat, what its wild cards stand for, and its word on aces (W-7, LO-3).
        run_twice_asked: the players have been asked whether to run the board twice (TL-25).
        opening_card_indices: the opener's cards when they opened. proven_opener_indices: those they proved (VC-20).
        carried_to_next_hand: chips that wait for the next hand (N-1, VC-27).
        draw_open, seats_to_draw: a draw is open; the seats that have not drawn yet.
        offers_open, seats_to_offer: an offer goes round, or cards are dealt one by one; the seats it has not reached.
        choice_open, seats_to_choose: all are asked at once; the seats that have not chosen.
        opening_duty: what a bring-in asks of the first to act (F-6, F-7).
        passed_out: nobody opened; the pot waits for the next hand (N-1).
        draw_counts: how many cards each seat changed at each draw.
        step_index: the dealer's step on the rule card.
        decision, to_act: what the dealer waits for, and from whom; `Decision.NONE` and `NO_SEAT` while the dealer
            works or the hand is over.
        decision_number: how many decisions have been made: the number that buttons carry.
        street, street_actions: the street's name and its events that are actions, oldest first.
        seen_actions: what views have worked out of the actions so far.
        shown_seats, mucked_seats: seats that have shown or mucked.
        shown_indices: cards that were shown one by one after the hand (Z-4).
        showdown: hands are compared. all_in_showdown: hands were turned up before the board was run (TL-21).
        pots_by_betting_round: the pot after each betting round.
        payments: what the pots paid.
        uncalled_bet_returned: seat and chips of the last uncalled bet that went back.
    """

    rules: RulesInForce
    deck: tuple[int, ...]
    started: HandStarted
    seat_count: int
    stacks: Sequence[int]
    bets: Sequence[int]
    put_in: Sequence[int]
    dead_chips: int = 0
    pot: int = 0
    live_seats: int
    seats_with_chips: int
    seats_to_act: int = 0
    seats_acted: int = 0
    seats_checked: int = 0
    current_bet: int = 0
    last_full_bet: int = 0
    min_raise_increment: int
    raise_count: int = 0
    ladder_step: int
    big_bet_made: bool = False
    street_aggressor: SeatIndex = NO_SEAT
    hand_aggressor: SeatIndex = NO_SEAT
    opener: SeatIndex = NO_SEAT
    first_to_act: SeatIndex = NO_SEAT
    first_to_show: SeatIndex = NO_SEAT
    raises_uncapped: bool
    in_first_betting_round: bool = True
    blind_shortfall: int = 0
    out_of_turn_chips: tuple[int, ...] = ()
    out_of_turn_actions: tuple[tuple[SeatIndex, int, BettingAction], ...] = ()
    down_indices: tuple[tuple[int, ...], ...]
    up_indices: tuple[tuple[int, ...], ...]
    board_indices: tuple[tuple[int, ...], ...]
    next_card_index: int = 0
    burn_indices: tuple[int, ...] = ()
    discard_indices: tuple[int, ...] = ()
    discards_this_draw: tuple[tuple[SeatIndex, tuple[int, ...]], ...] = ()
    reshuffled_indices: frozenset[int] = _NO_CARDS
    offer_kind: OfferKind = OfferKind.NONE
    secret_choices: tuple[tuple[SeatIndex, tuple[tuple[int, ...], str]], ...] = ()
    declarations: tuple[str, ...]
    passed_cards: tuple[tuple[SeatIndex, SeatIndex, tuple[int, ...]], ...] = ()
    settled_indices: frozenset[int] = _NO_CARDS
    current_wild_ranks: tuple[int, ...] = ()
    next_up_card_names_wild: bool = False
    designated: tuple[tuple[SeatIndex, tuple[tuple[int, int], ...], str], ...] = ()
    run_twice_asked: bool = False
    opening_card_indices: tuple[int, ...] = ()
    proven_opener_indices: tuple[int, ...] = ()
    carried_to_next_hand: int = 0
    draw_open: bool = False
    seats_to_draw: int = 0
    offers_open: bool = False
    seats_to_offer: int = 0
    choice_open: bool = False
    seats_to_choose: int = 0
    opening_duty: OpeningDuty = OpeningDuty.FREE
    passed_out: bool = False
    draw_counts: tuple[tuple[int, ...], ...]
    offer_amount: int = 0
    step_index: int = 0
    decision: Decision = Decision.NONE
    to_act: SeatIndex = NO_SEAT
    decision_number: int = 0
    street: str = ""
    street_actions: tuple[HandEvent, ...] = ()
    seen_actions: SeenActions = SeenActions()
    shown_seats: int = 0
    shown_indices: frozenset[int] = _NO_CARDS
    mucked_seats: int = 0
    showdown: bool = False
    all_in_showdown: bool = False
    pots_by_betting_round: tuple[int, ...] = ()
    payments: tuple[Payment, ...] = ()
    uncalled_bet_returned: tuple[SeatIndex, int] | None = None
    over: bool = False
    voided: bool = False
    void_reason: str = ""

    def copy(self) -> Hand:
        """Return a hand whose fields can be set without changing this one. Lists are shared: they are replaced, never
        changed."""
        new: Hand = self.__copy__()  # type: ignore[attr-defined]  # msgspec's own, every field at once
        return new

    def __repr__(self) -> str:
        """Tell where the hand stands. No card is named, because this can end up in a log (TL-37)."""
        asked = f"seat {self.to_act} to act" if self.to_act >= 0 else "over" if self.over else "nobody to act"
        return (
            f"<Hand of {self.rules.rule_card.key}, {self.street or 'before the first street'}, pot {self.pot}, {asked}>"
        )

    def shown_count(self, seat: SeatIndex) -> int:
        """How many cards that were dealt face down to a seat have been shown to all."""
        down = self.down_indices[seat]
        return len(down) if self.shown_seats >> seat & 1 else len(self.shown_indices.intersection(down))

    def held_cards(self, seat: SeatIndex) -> tuple[int, ...]:
        """All cards that a seat has been dealt and still holds, face-up ones included, face-down ones first. Not for
        screens: see `view`."""
        deck = self.deck
        return tuple(
            [deck[card_index] for card_index in self.down_indices[seat]]
            + [deck[card_index] for card_index in self.up_indices[seat]]
        )

    def board_cards(self, number: int = 0) -> tuple[int, ...]:
        """The common cards of one board."""
        deck = self.deck
        return tuple([deck[card_index] for card_index in self.board_indices[number]])

    @property
    def seats(self) -> tuple[SeatIndex, ...]:
        """All seats of the hand, folded ones too, clockwise from the dealer's left."""
        return SEATS[: self.seat_count]

    @property
    def to_call(self) -> int:
        """Chips the seat to act needs to call; 0 when nobody is to act."""
        return max(0, self.current_bet - self.bets[self.to_act]) if self.to_act >= 0 else 0


# A Struct sets its fields by a function of its own, which only adds what cyclic garbage collection needs. A hand takes no
# part in that (`gc=False`), and Python sets a field of slots six times as fast by itself: a dozen are set at every action.
Hand.__setattr__ = object.__setattr__  # type: ignore[method-assign]
Hand.__delattr__ = object.__delattr__  # type: ignore[method-assign]


def one_seat_left(seats: int) -> bool:
    """Whether a mask holds one seat, or none."""
    return not seats & (seats - 1)


def is_asked(hand: Hand, seat: SeatIndex) -> bool:
    """Whether the dealer waits for this seat: it is its turn, or all choose at once and it has not chosen yet."""
    if hand.choice_open:
        return bool(hand.seats_to_choose & hand.live_seats & 1 << seat)
    return seat == hand.to_act


def new_hand(started: HandStarted, rules: RulesInForce, deck: tuple[int, ...]) -> Hand:
    """The hand right after its first event, before anybody has posted."""
    count = len(started.seat_numbers)
    nothing: tuple[tuple[int, ...], ...] = ((),) * count
    return Hand(
        rules=rules,
        deck=deck,
        started=started,
        seat_count=count,
        stacks=list(started.stacks),
        bets=[0] * count,
        put_in=[0] * count,
        dead_chips=started.carried,
        pot=started.carried,
        live_seats=(1 << count) - 1,
        seats_with_chips=sum([1 << seat for seat, chips in enumerate(started.stacks) if chips]),
        ladder_step=rules.ladder.opening_step,
        min_raise_increment=rules.amounts.forced_full_bet,
        raises_uncapped=count == 2,
        down_indices=nothing,
        up_indices=nothing,
        draw_counts=nothing,
        board_indices=((),) * rules.rule_card.boards,
        declarations=("",) * count,
    )


SEATS = tuple(map(SeatIndex, range(64)))
"""The seat indices themselves: a look-up here costs less than a call of `SeatIndex`. No deck serves more than 52 seats."""


class _SeatsByMask(dict[int, tuple[SeatIndex, ...]]):
    """The seats of every mask asked for so far. A table of ten has a thousand masks."""

    def __missing__(self, mask: int) -> tuple[SeatIndex, ...]:
        if len(self) >= _MAX_CACHED_MASKS:
            self.clear()
        seats = self[mask] = tuple([SeatIndex(seat) for seat in range(mask.bit_length()) if mask >> seat & 1])
        return seats


_MAX_CACHED_MASKS = 1 << 14
_SEATS_BY_MASK = _SeatsByMask()


def seats_in(mask: int) -> tuple[SeatIndex, ...]:
    """The seats of a mask, clockwise from the dealer's left."""
    return _SEATS_BY_MASK[mask]


def next_seat_in(mask: int, after: int) -> SeatIndex:
    """The first seat of a mask, clockwise, after seat `after`, which can be -1; `NO_SEAT` for an empty mask."""
    if not mask:
        return NO_SEAT
    ahead = mask >> (after + 1)
    if ahead:
        return SEATS[(ahead & -ahead).bit_length() + after]
    return SEATS[(mask & -mask).bit_length() - 1]
