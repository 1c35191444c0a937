"""Splitting openers: the opener can discard what they opened on if it is announced (VC-20). The dealer knows the
cards and announces it.

A player who discards their openers has thereby announced it; nobody can forget to. Whoever does not act stands pat
and splits nothing (TL-41).
"""

from collections.abc import Collection

from bot.engine.customs.openers import opens
from bot.engine.hand import Hand
from bot.engine.showdown.hand_values import evaluators_for, min_openers_rank
from bot.engine.units import NO_SEAT, SeatIndex


def seat_of_opener(hand: Hand) -> SeatIndex:
    """The seat that has opened, in a game that asks for openers; `NO_SEAT` for none."""
    return hand.opener if hand.rules.openers is not None else NO_SEAT


def splits_openers(hand: Hand, seat: SeatIndex, discards: Collection[int]) -> bool:
    """Whether a seat that discards these cards has no openers left among the cards it opened on.

    A player who opened on two pairs, or on three of a kind, can discard a card of them and keep openers.
    """
    if not discards or seat != seat_of_opener(hand):
        return False
    kept = [hand.deck[card_index] for card_index in hand.opening_card_indices if card_index not in discards]
    if not kept:
        return True
    evaluator = evaluators_for(hand, seat)[0]
    return not opens(evaluator.name(evaluator.best(kept)), min_openers_rank(hand))
