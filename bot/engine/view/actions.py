"""The actions of a street as everybody saw them.

A street can have hundreds of actions, and every view of the hand shows them. So they are worked out once: the hand
keeps what an earlier view made of them (`SeenActions`), and a later view adds only what has happened since.

Laws: C-5, VC-5, VC-20, VC-24.
"""

from bot.engine import events as e
from bot.engine.hand import Hand
from bot.engine.options.values import Checking, FirstOpener
from bot.engine.showdown.hand_values import splits_openers
from bot.engine.steps import BettingRound
from bot.engine.view.types import SPLITTING_OPENERS, ActionVerb, LastAction, SeenActions


def seen_actions(hand: Hand) -> SeenActions:
    """The actions of the street so far, and the last one of each seat. What is already known of them is reused."""
    events, known = hand.street_actions, hand.seen_actions
    if known.events is events:
        return known
    count = len(known.events)
    if not count or count > len(events) or events[count - 1] is not known.events[-1]:
        known, count = SeenActions(), 0  # another street has begun since
    new = [action for event in events[count:] if (action := _seen(hand, event)) is not None]
    if _opened_by_card(hand) and hand.rules.stakes.bring_in:
        new = _with_bring_in(hand, known.actions, new)
    last_by_seat = known.last_by_seat.copy()
    for action in new:
        last_by_seat[action.seat_index] = action
    hand.seen_actions = SeenActions(events, (*known.actions, *new), last_by_seat)
    return hand.seen_actions


def _opened_by_card(hand: Hand) -> bool:
    """Whether a card on show opened the betting round whose actions are listed. The round can be over: its actions
    are listed until the next one begins."""
    if hand.rules.options.first_1 not in _OPENED_BY_CARD:
        return False
    return hand.street == next((step.street for step in hand.rules.steps if isinstance(step, BettingRound)), None)


_OPENED_BY_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)


def _with_bring_in(hand: Hand, before: tuple[LastAction, ...], new: list[LastAction]) -> list[LastAction]:
    """Call the forced bet of a card a bring-in, and in a game of fixed sizes the first raise over it a completion (VC-5)."""
    verbs = {action.verb for action in before[:_BRING_IN_SOUGHT_IN]}
    named: list[LastAction] = []
    for action in new:
        verb = action.verb
        if verb is ActionVerb.BET and ActionVerb.BRING_IN not in verbs and action.to <= hand.rules.amounts.bring_in:
            verb = ActionVerb.BRING_IN
        elif (
            verb is ActionVerb.RAISE
            and hand.rules.has_fixed_sizes
            and ActionVerb.BRING_IN in verbs
            and not verbs & {ActionVerb.COMPLETE, ActionVerb.RAISE}
        ):
            verb = ActionVerb.COMPLETE
        verbs.add(verb)
        named.append(action if verb is action.verb else _renamed(action, verb))
    return named


_BRING_IN_SOUGHT_IN = 40
"""The bring-in and the raise that completes it are among the first actions: ten posts, and two rounds of ten seats, are fewer."""


def _renamed(action: LastAction, verb: ActionVerb) -> LastAction:
    return LastAction(action.seat_index, verb, action.to, action.chips, action.all_in)


def _seen(hand: Hand, event: e.HandEvent) -> LastAction | None:
    """What everybody saw of one event; None where it was no action of a seat."""
    match event:
        case e.Folded(seat):
            return LastAction(seat, ActionVerb.FOLD)
        case e.Checked(seat):
            stands = hand.rules.options.check is Checking.STAND_ONCE
            return LastAction(seat, ActionVerb.STAND if stands else ActionVerb.CHECK)
        case e.Called(seat, chips, all_in):
            return LastAction(seat, ActionVerb.CALL, chips=chips, all_in=all_in)
        case e.BetTo(seat, to, chips, all_in):
            return LastAction(seat, ActionVerb.BET, to, chips, all_in)
        case e.RaisedTo(seat, to, chips, all_in):
            return LastAction(seat, ActionVerb.RAISE, to, chips, all_in)
        case e.Posted(seat, kind, chips):
            if not chips:  # the ante took the last chip: that it was posted is what everybody saw (TL-7)
                return None
            return LastAction(seat, ActionVerb.POST, chips=chips, note=kind.value)
        case e.Straddled(seat, to, chips):
            return LastAction(seat, ActionVerb.STRADDLE, to, chips)
        case e.StraddleDeclined(seat):
            return LastAction(seat, ActionVerb.DECLINE_STRADDLE)
        case e.Drew(seat, discards):
            note = SPLITTING_OPENERS if splits_openers(hand, seat, discards) else ""
            return LastAction(seat, ActionVerb.DRAW, card_count=len(discards), note=note)
        case e.SecretChoiceMade(seat):
            return LastAction(seat, ActionVerb.CHOOSE)
        case e.CardTurnedUp(seat, card_index):
            return LastAction(seat, ActionVerb.TURN_UP, card=hand.deck[card_index])
        case e.OfferDeclined(seat):
            return LastAction(seat, ActionVerb.LEAVE_DOWN)
        case e.PricePaid(seat, card_index, chips):
            all_in = _price_took_stack(hand, event)
            return LastAction(seat, ActionVerb.PAY, chips=chips, all_in=all_in, card=hand.deck[card_index])
        case e.ExtraCardDealt(seat, cause_index):
            return LastAction(seat, ActionVerb.GET_EXTRA_CARD, card_count=1, card=hand.deck[cause_index])
        case _:
            return None


def _price_took_stack(hand: Hand, price: e.PricePaid) -> bool:
    """Whether the price took the payer's last chips: they are all-in and have put nothing in since (VC-24)."""
    bit = 1 << price.seat
    if not hand.live_seats & bit or hand.seats_with_chips & bit:
        return False
    later = hand.street_actions[hand.street_actions.index(price) + 1 :]
    return not any(isinstance(event, _BETTING_CHIP_EVENTS) and event.seat == price.seat for event in later)


_BETTING_CHIP_EVENTS = (e.Called, e.BetTo, e.RaisedTo, e.PricePaid)
