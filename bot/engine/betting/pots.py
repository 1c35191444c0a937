"""Main pot and side pots: bets are gathered in, and shared by what each seat put in and who is still live (laws TL-15, TL-16, I-7)."""

from collections.abc import Sequence

from msgspec import Struct

from bot.engine import events as e
from bot.engine.evolve import EmittedEvents, emit
from bot.engine.hand import Hand


class Pot(Struct, frozen=True, gc=False):
    """Chips, and the mask of the live seats that filled their part and can win it."""

    chips: int
    eligible_seats: int


def pots(put_in: Sequence[int], live: int, dead: int = 0) -> tuple[Pot, ...]:
    """Share what was put in into layers, the main pot first, each at a live seat's total.

    Chips of folded seats stay in the layers they reached; what they put in beyond the highest live total stays in the
    last layer. `dead` chips are in the main pot.
    """
    filled = [chips for seat, chips in enumerate(put_in) if live >> seat & 1]
    totals = sorted(set(filled))
    if len(totals) <= 1:
        return (Pot(sum(put_in) + dead, live),)
    layers: list[Pot] = []
    below = 0
    for at, total in enumerate(totals):
        chips, eligible = 0, 0
        top = at == len(totals) - 1
        for seat, chips_in in enumerate(put_in):
            if chips_in > below:
                chips += chips_in - below if top or chips_in < total else total - below
            if live >> seat & 1 and chips_in >= total:
                eligible |= 1 << seat
        if not at:
            chips += dead
        if chips:
            layers.append(Pot(chips, eligible))
        below = total
    return tuple(layers)


def close_betting_round(hand: Hand, events: EmittedEvents) -> None:
    """Gather the bets in. What nobody matched goes back first, an ante that all others posted short included (B-9,
    TL-16)."""
    if hand.out_of_turn_chips:
        for seat, chips in zip(hand.seats, hand.out_of_turn_chips, strict=True):
            if chips:
                emit(hand, events, e.OutOfTurnChipsReturned(seat, chips))
    totals = sorted(hand.put_in)
    unmatched = totals[-1] - totals[-2]
    if unmatched:
        leader = hand.seats[hand.put_in.index(totals[-1])]
        if hand.live_seats >> leader & 1:
            emit(hand, events, e.BettingRoundClosed(leader, unmatched))
            return
    emit(hand, events, e.BettingRoundClosed())
