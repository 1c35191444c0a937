"""Apply an event to the dealer's working copy of the hand and append it to the list (laws B-9, TL-16, I-8)."""

from bot.engine import events as e
from bot.engine.evolve import APPLY_EVENT
from bot.engine.hand import Hand

EmittedEvents = list[e.HandEvent]


def emit(hand: Hand, events: EmittedEvents, event: e.HandEvent) -> None:
    """Apply an event to the dealer's working copy and append it."""
    APPLY_EVENT[type(event)](hand, event)
    events.append(event)


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
