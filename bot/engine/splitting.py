"""Splitting openers: the opener may lay away what he opened on if it is announced (VC-20). The dealer announces it, as he knows the cards.

Whoever lays them away has thereby said so; nobody has to find the words, and nobody can forget them. Silence stands pat and splits
nothing (TL-41).
"""

from collections.abc import Collection

from bot.engine.hand import Hand
from bot.engine.ranking import Category
from bot.engine.reading import judges_for, opening_rank


def opened_by(hand: Hand) -> int:
    """The deal seat that has opened, in a game that asks for openers; -1 for none."""
    return hand.opener if hand.rules.openers is not None else -1


def splits_openers(hand: Hand, seat: int, laid: Collection[int]) -> bool:
    """Whether a seat that lays these places away has no openers left of the cards it opened on.

    Who opened on two pairs, or on three of a kind, may well throw a card of them and keep openers.
    """
    if not laid or seat != opened_by(hand):
        return False
    kept = [hand.deck[place] for place in hand.opening_places if place not in laid]
    if not kept:
        return True
    judge = judges_for(hand, seat)[0]
    name = judge.name(judge.best(kept))
    if name.category is Category.PAIR:
        return (name.ranks[0] or 0) < opening_rank(hand)
    return name.category is Category.HIGH_CARD
