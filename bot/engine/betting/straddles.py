"""The straddle chain of old English draw: before the cards, each next player can stake one ante more than the last
(laws A-4 to A-9, AT-3)."""

from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine import steps
from bot.engine.betting.bet_sizes import ante_and_straddles
from bot.engine.evolve import EmittedEvents, emit
from bot.engine.hand import Hand
from bot.engine.legal import Decision, LegalActions
from bot.engine.options.values import StraddleCap, StraddleLaps, StraddleRule
from bot.engine.units import SeatIndex


def offer_straddles(hand: Hand, events: EmittedEvents, _step: steps.OfferStraddles) -> bool:
    """Offer the next straddle, until one is declined or half the limit is reached; where it goes round only once, until
    the dealer has had a turn."""
    taken = _straddles_taken(hand)
    refused = any(isinstance(event, e.StraddleDeclined) for event in hand.street_actions)
    seat = _next_straddler(hand)
    to = (len(taken) + 2) * hand.rules.stakes.ante
    laps_over = bool(taken) and taken[-1].seat == hand.seat_count - 1
    if (
        hand.rules.options.straddle is not StraddleRule.CHAIN
        or refused
        or (laps_over and hand.rules.options.straddle_laps is StraddleLaps.ONCE)
        or exceeds_half_limit(hand, to)
        or to - hand.bets[seat] > hand.stacks[seat]  # a voluntary straddle only in full (TL-42)
    ):
        emit(hand, events, e.StraddlesClosed())
        return False
    emit(hand, events, e.DecisionRequested(seat, Decision.STRADDLE, to))
    return True


def exceeds_half_limit(hand: Hand, to: int) -> bool:
    """Whether a straddle would lift the ante beyond half the limit, by the single stake or by all of them together
    (A-7)."""
    rules = hand.rules
    if rules.options.straddle_cap is StraddleCap.LEVEL:
        return 2 * to > rules.stakes.limit
    seat = _next_straddler(hand)
    own = [event.to for event in _straddles_taken(hand) if event.seat == seat]
    put_in = own[-1] if own else rules.stakes.ante if seat == 0 else 0
    return 2 * (ante_and_straddles(hand) + to - put_in) > rules.stakes.limit


def _straddles_taken(hand: Hand) -> list[e.Straddled]:
    return [event for event in hand.street_actions if isinstance(event, e.Straddled)]


def _next_straddler(hand: Hand) -> SeatIndex:
    """The seat left of the last straddler; before the first straddle No. 1, left of the ante (A-4, A-6)."""
    taken = _straddles_taken(hand)
    return SeatIndex((taken[-1].seat + 1 if taken else 1) % hand.seat_count)


def legal_straddle(hand: Hand, seat: SeatIndex) -> LegalActions:
    """Take the straddle offered, or decline it."""
    return LegalActions(
        seat,
        Decision.STRADDLE,
        pot=hand.pot,
        stack=hand.stacks[seat],
        current_bet=hand.current_bet,
        offer_amount=hand.offer_amount,
    )


def decide_straddle(hand: Hand, seat: SeatIndex, to: int) -> EmittedEvents:
    """Rule on taking a straddle. `to` 0 stands for what is offered.

    Raises:
        StraddleClosed: none is offered any more.
        NotNextToStraddle: another seat is asked.
        WrongStraddle: not the exact stake.
    """
    if hand.decision is not Decision.STRADDLE:
        raise _closing_refusal(hand)
    if seat != hand.to_act:
        taken = _straddles_taken(hand)
        raise r.NotNextToStraddle(law="A-6" if taken else "A-5", seat_number=hand.started.seat_numbers[hand.to_act])
    to = to or hand.offer_amount
    if to != hand.offer_amount:
        if exceeds_half_limit(hand, to) and to > hand.offer_amount:
            raise r.StraddleLimitReached(maximum=hand.rules.stakes.limit // 2)
        raise r.WrongStraddle(
            law="A-4" if hand.offer_amount == 2 * hand.rules.stakes.ante else "A-6", required=hand.offer_amount
        )
    return [e.Straddled(seat, to, to - hand.bets[seat])]


def _closing_refusal(hand: Hand) -> r.StraddleClosed:
    """Why no straddle is offered: No. 1 or a later player declined, the next would pass half the limit, or cards are out."""
    taken = len(_straddles_taken(hand))
    if any(isinstance(event, e.StraddleDeclined) for event in hand.street_actions):
        return r.StraddleClosed(law="A-6" if taken else "A-5")
    if hand.in_first_betting_round and exceeds_half_limit(hand, (taken + 2) * hand.rules.stakes.ante):
        return r.StraddleLimitReached(maximum=hand.rules.stakes.limit // 2)
    return r.StraddleClosed(law="A-4")
