"""The cards that play: which five, in what order they are laid out, and what the wild ones stand for.

Source: laws R-1, T-11, W-6, W-8, Q-4 (the highest card of the five played), VC-15 (unused cards of a badugi).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from bot.engine.cards import CLUBS, DIAMONDS, HEARTS, JOKER, SPADES
from bot.engine.ranking.spec import WildMethod
from bot.engine.ranking.value import Category

if TYPE_CHECKING:
    from bot.engine.ranking.evaluator import Evaluator

_FLUSHES = (Category.FLUSH, Category.STRAIGHT_FLUSH)


class Played(msgspec.Struct, frozen=True):
    """A hand laid out.

    Attributes:
        value: its worth.
        cards: the cards that play, the most important first.
        stands_for: the same, with every wild card replaced by the card it stands for.
    """

    value: int
    cards: tuple[int, ...]
    stands_for: tuple[int, ...]


def played(judge: Evaluator, hole: Sequence[int], board: Sequence[int]) -> Played:
    """Lay out the best hand. Where several choices of cards are equal, the one with fewest wild cards is shown."""
    worth = judge.best(hole, board)
    if worth == 0:
        raise ValueError("no hand qualifies")
    hand = judge.name(worth)
    ranks = hand.ranks if judge.ranking.is_badugi else judge.rules.slots(hand.category, hand.ranks)
    chosen = _chosen(judge, hole, board, worth, ranks)
    wild = [card for card in chosen if _is_wild(judge, card)]
    natural = sorted((card for card in chosen if card not in wild), key=lambda card: card & 3, reverse=True)
    suit = natural[0] & 3 if natural else SPADES
    taken = {*hole, *board}
    laid: list[tuple[int, int]] = []
    for rank in ranks:
        same = next((card for card in natural if card >> 2 == rank), None)
        if same is not None:
            natural.remove(same)
            laid.append((same, same))
        elif rank is not None and wild:
            if hand.category in _FLUSHES:
                as_card = rank * 4 + suit
            else:
                as_card = _in_some_suit(judge, rank, taken, chosen, [shown for _, shown in laid])
            taken.add(as_card)
            laid.append((wild.pop(0), as_card))
    return Played(worth, tuple(card for card, _ in laid), tuple(shown for _, shown in laid))


def _is_wild(judge: Evaluator, card: int) -> bool:
    return card == JOKER or judge.ranking.wild.method_of(card) is not WildMethod.NONE


def _chosen(
    judge: Evaluator, hole: Sequence[int], board: Sequence[int], worth: int, ranks: Sequence[int | None]
) -> tuple[int, ...]:
    """Return the cards that make this worth. Without wild cards only choices of the right `ranks` are judged."""
    if judge.ranking.is_badugi:
        cards = (*hole, *board)
        fives = [chosen for size in range(1, 5) for chosen in combinations(cards, size)]
    else:
        fives = judge.lawful_fives(hole, board)
        if not any(_is_wild(judge, card) for card in (*hole, *board)):
            wanted = sorted(rank for rank in ranks if rank is not None)
            fives = [five for five in fives if sorted(card >> 2 for card in five) == wanted] or fives
    equal = [five for five in fives if judge.value(five) == worth]
    return min(equal, key=lambda five: sum(_is_wild(judge, card) for card in five))


def _in_some_suit(judge: Evaluator, rank: int, taken: set[int], chosen: Sequence[int], laid: Sequence[int]) -> int:
    """Return a card of this rank that nobody here holds, in a suit that changes nothing about the hand."""
    suits = [HEARTS, SPADES, DIAMONDS, CLUBS] if judge.ranks_hearts else [SPADES, HEARTS, DIAMONDS, CLUBS]
    natural_suits = {card & 3 for card in chosen if not _is_wild(judge, card)}
    if judge.ranking.is_badugi:
        suits = [suit for suit in suits if suit not in natural_suits and suit not in {card & 3 for card in laid}]
    elif len(natural_suits) == 1:  # one suit all through would be a flush
        suits.sort(key=lambda suit: suit in natural_suits)
    return next((rank * 4 + suit for suit in suits if rank * 4 + suit not in taken), rank * 4 + suits[0])
