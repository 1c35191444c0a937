"""Offers to one seat after another: turn a card up, pay for a card, or decline (laws: primitives e15, e20; VC-22,
VC-24, TL-41)."""

from bot.engine import events as e
from bot.engine import steps
from bot.engine.customs import PricedRank
from bot.engine.evolve import EmittedEvents, emit
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Decision, LegalActions, OfferKind
from bot.engine.units import NO_SEAT, SeatIndex


def offer_turn_up(hand: Hand, events: EmittedEvents, _step: steps.OfferTurnUp) -> bool:
    """Ask each live seat with one card down, from the dealer's left, whether it turns that card up (VC-22)."""
    if not hand.offers_open:
        emit(hand, events, e.OffersOpened())
    for seat in seats_in(hand.seats_to_offer & hand.live_seats):
        if len(hand.down_indices[seat]) == 1:
            emit(hand, events, e.DecisionRequested(seat, Decision.OFFER, offer_kind=OfferKind.TURN_UP))
            return True
    emit(hand, events, e.OffersClosed())
    return False


def ask_price(hand: Hand, events: EmittedEvents, seat: SeatIndex) -> None:
    """Ask a seat whether it pays for its up card or folds (VC-24)."""
    emit(hand, events, e.DecisionRequested(seat, Decision.OFFER, price_of(hand, seat), OfferKind.PRICE))


def last_dealt_unsettled(hand: Hand) -> tuple[SeatIndex, int] | None:
    """The live seat whose up card was the last to leave the deck, and that card's index, where it has still to be
    settled. It brings a card, or it has a price and its holder has chips to pay with (VC-24; a player who is all-in
    owes nothing, TL-32)."""
    card_index = hand.next_card_index - 1
    if card_index < 0 or card_index in hand.settled_indices:
        return None
    extra, priced = hand.rules.extra_card, hand.rules.rule_card.custom(PricedRank)
    rank = hand.deck[card_index] >> 2
    brings_card = extra is not None and rank == extra.rank
    if not brings_card and (priced is None or rank != priced.rank):
        return None
    seat = next((seat for seat in seats_in(hand.live_seats) if card_index in hand.up_indices[seat]), NO_SEAT)
    if seat < 0 or not (brings_card or (hand.seats_with_chips >> seat & 1 and price_of(hand, seat))):
        return None
    return seat, card_index


def price_of(hand: Hand, seat: SeatIndex) -> int:
    """What a bought card costs this seat, in chips: the set price, or the pot; never more than it has (VC-24)."""
    priced = hand.rules.rule_card.custom(PricedRank)
    price = hand.pot if priced is not None and priced.costs_pot else hand.rules.stakes.price
    return min(price, hand.stacks[seat])


def legal_offer(hand: Hand, seat: SeatIndex) -> LegalActions:
    """Accept or decline what is offered."""
    return LegalActions(
        seat,
        Decision.OFFER,
        pot=hand.pot,
        stack=hand.stacks[seat],
        current_bet=hand.current_bet,
        offer_amount=hand.offer_amount,
        offer_kind=hand.offer_kind,
    )


def decide_accept(hand: Hand, seat: SeatIndex) -> EmittedEvents:
    """The down card is turned up, or the price goes into the pot as dead money."""
    if hand.offer_kind is OfferKind.TURN_UP:
        return [e.CardTurnedUp(seat, hand.down_indices[seat][0])]
    found = last_dealt_unsettled(hand)
    assert found is not None  # a price is only offered for a card
    return [e.PricePaid(seat, found[1], hand.offer_amount)]


def decide_decline(hand: Hand, seat: SeatIndex) -> EmittedEvents:
    """The card stays down; a player who does not pay folds."""
    if hand.offer_kind is OfferKind.TURN_UP:
        return [e.OfferDeclined(seat)]
    return [e.Folded(seat)]
