"""Offers to one seat after another: turn a card up, pay for a card, or let it be.

Source: laws primitives e15, e20; VC-22, VC-24, TL-41.
"""

from bot.engine import events as e
from bot.engine import steps
from bot.engine.hand import Hand, seats_in
from bot.engine.happening import Happened, happen
from bot.engine.legal import Decision, Legal

TURN_UP, PRICE = "turn a card up", "pay for a card"


def offer_exposure(hand: Hand, happened: Happened, _step: steps.OfferExposure) -> bool:
    """Ask each live seat with one card down, from the dealer's left, whether it turns that card up (VC-22)."""
    if hand.unserved < 0:
        happen(hand, happened, e.OffersOpened())
    for seat in seats_in(hand.unserved & hand.live):
        if len(hand.down[seat]) == 1:
            happen(hand, happened, e.Asked(seat, Decision.OFFER, about=TURN_UP))
            return True
    happen(hand, happened, e.OffersClosed())
    return False


def serve_bought(hand: Hand, happened: Happened, _step: steps.BuyCards) -> bool:
    """Settle every up card that brings a card or has a price, from the dealer's left, all having been dealt (VC-24)."""
    card = hand.rules.card
    while True:
        found = _unsettled(hand)
        if found is None:
            happen(hand, happened, e.OffersClosed())
            return False
        seat, place = found
        if hand.deck[place] >> 2 == card.extra:
            if hand.place >= len(hand.deck):
                happen(hand, happened, e.ExtraDealt(seat, place, -1))
            else:
                happen(hand, happened, e.ExtraDealt(seat, place, hand.place, up=not card.extra_down))
        else:
            ask_price(hand, happened, seat)
            return True


def ask_price(hand: Hand, happened: Happened, seat: int) -> None:
    """Ask a seat whether it pays for its up card or drops (VC-24)."""
    happen(hand, happened, e.Asked(seat, Decision.OFFER, price_of(hand, seat), PRICE))


def just_dealt(hand: Hand) -> tuple[int, int] | None:
    """The live seat whose up card was the last to leave the pack, and that card's place, where it has still to be settled: it brings a
    card, or it has a price and its holder chips to pay with (VC-24; who is all-in owes nothing, TL-32)."""
    card, place = hand.rules.card, hand.place - 1
    if place < 0 or place in hand.settled or (rank := hand.deck[place] >> 2) not in (card.extra, card.priced):
        return None
    seat = next((seat for seat in seats_in(hand.live) if place in hand.up[seat]), -1)
    if seat < 0 or (rank != card.extra and not (hand.able >> seat & 1 and price_of(hand, seat))):
        return None
    return seat, place


def _unsettled(hand: Hand) -> tuple[int, int] | None:
    """The next live seat, from the dealer's left, with an up card not yet settled, and that card's place."""
    card = hand.rules.card
    for seat in seats_in(hand.live):
        for place in hand.up[seat]:
            rank = hand.deck[place] >> 2
            if place in hand.settled or rank not in (card.extra, card.priced):
                continue
            if rank == card.extra or hand.able >> seat & 1:  # who is all-in owes nothing (TL-32)
                return seat, place
    return None


def price_of(hand: Hand, seat: int) -> int:
    """What a bought card costs this seat, in chips: the set price, or the pot; never more than it has (VC-24)."""
    price = hand.pot if hand.rules.card.price_is_pot else hand.rules.stakes.price
    return min(price, hand.stacks[seat])


def legal_offer(hand: Hand, seat: int) -> Legal:
    """Yes or no to what is offered."""
    return Legal(
        seat, Decision.OFFER, pot=hand.pot, stack=hand.stacks[seat], level=hand.level, offer=hand.offer, about=hand.about
    )  # fmt: skip


def rule_accept(hand: Hand, seat: int) -> Happened:
    """Yes: the down card is turned up, or the price goes into the pot as dead money."""
    if hand.about == TURN_UP:
        return [e.TurnedUp(seat, hand.down[seat][0])]
    one_by_one = isinstance(hand.rules.steps[hand.step], steps.DealUpInTurn)
    found = just_dealt(hand) if one_by_one else _unsettled(hand)
    assert found is not None  # a price is only offered for a card
    return [e.PricePaid(seat, found[1], hand.offer)]


def rule_decline(hand: Hand, seat: int) -> Happened:
    """No: the card stays down; who does not pay drops."""
    if hand.about == TURN_UP:
        return [e.Declined(seat)]
    return [e.Folded(seat)]
