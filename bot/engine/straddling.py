"""The straddle chain of old English draw: before the cards, each next player may stake one ante more than the last.

Source: laws A-4 to A-9, AT-3.
"""

from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine import steps
from bot.engine.hand import Hand
from bot.engine.happening import Happened, happen
from bot.engine.legal import Decision, Legal
from bot.engine.options import Straddle, StraddleCap, StraddleLaps


def offer_straddles(hand: Hand, happened: Happened, _step: steps.OfferStraddles) -> bool:
    """Offer the next straddle, until one is refused, half the limit is reached or the dealer has had his turn."""
    taken = [event for event in hand.actions if isinstance(event, e.Straddled)]
    refused = any(isinstance(event, e.StraddleDeclined) for event in hand.actions)
    seat = (taken[-1].seat + 1 if taken else 1) % hand.number_of
    to = (len(taken) + 2) * hand.rules.stakes.ante
    laps_over = bool(taken) and taken[-1].seat == hand.number_of - 1
    if (
        hand.rules.options.straddle is not Straddle.CHAIN
        or refused
        or (laps_over and hand.rules.options.straddle_laps is StraddleLaps.ONCE)
        or over_half_the_limit(hand, to)
        or to - hand.bets[seat] > hand.stacks[seat]  # a voluntary straddle only in full (TL-42)
    ):
        happen(hand, happened, e.StraddlesClosed())
        return False
    happen(hand, happened, e.Asked(seat, Decision.STRADDLE, to))
    return True


def over_half_the_limit(hand: Hand, to: int) -> bool:
    """Whether a straddle would lift the ante beyond half the limit: read of the single stake, or of all of them together (A-7)."""
    rules = hand.rules
    if rules.options.straddle_cap is StraddleCap.LEVEL:
        return 2 * to > rules.stakes.limit
    staked = rules.stakes.ante + sum(event.to for event in hand.actions if isinstance(event, e.Straddled))
    return 2 * (staked + to) > rules.stakes.limit


def legal_straddle(hand: Hand, seat: int) -> Legal:
    """Take the straddle offered, or let it go."""
    return Legal(seat, Decision.STRADDLE, pot=hand.pot, stack=hand.stacks[seat], level=hand.level, offer=hand.offer)


def rule_straddle(hand: Hand, seat: int, to: int) -> Happened:
    """Rule on taking a straddle. `to` 0 stands for what is offered.

    Raises:
        StraddleClosed: none is offered any more. NotNextToStraddle: another seat is asked. WrongStraddle: not the exact stake.
    """
    if hand.decision is not Decision.STRADDLE:
        law = _why_closed(hand)
        raise r.StraddleClosed(law=law, most=hand.rules.stakes.limit // 2 if law == "A-7" else 0)
    if seat != hand.to_act:
        taken = any(isinstance(event, e.Straddled) for event in hand.actions)
        raise r.NotNextToStraddle(law="A-6" if taken else "A-5", next_seat=hand.started.seats[hand.to_act])
    to = to or hand.offer
    if to != hand.offer:
        if over_half_the_limit(hand, to) and to > hand.offer:
            raise r.StraddleClosed(law="A-7", most=hand.rules.stakes.limit // 2)
        raise r.WrongStraddle(law="A-4" if hand.offer == 2 * hand.rules.stakes.ante else "A-6", only=hand.offer)
    return [e.Straddled(seat, to, to - hand.bets[seat])]


def _why_closed(hand: Hand) -> str:
    """The law that ended the straddling: No. 1 or a later player let it go, the next would pass half the limit, or cards are out."""
    taken = sum(isinstance(event, e.Straddled) for event in hand.actions)
    if any(isinstance(event, e.StraddleDeclined) for event in hand.actions):
        return "A-6" if taken else "A-5"
    if hand.first_interval and over_half_the_limit(hand, (taken + 2) * hand.rules.stakes.ante):
        return "A-7"
    return "A-4"
