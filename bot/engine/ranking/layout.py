"""The cards that play: which they are, in which order they are shown, and what the wild ones stand for.

Source: laws R-1, T-11, W-6, W-8, Q-4 (the highest card of the five played), VC-15 (unused cards of a badugi).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from bot.engine.cards import CLUBS, DIAMONDS, HEARTS, JOKER, SPADES
from bot.engine.ranking.designation import designated_cards
from bot.engine.ranking.evaluator import Evaluator
from bot.engine.ranking.spec import WildMethod
from bot.engine.ranking.value import Category

_FLUSHES = (Category.FLUSH, Category.STRAIGHT_FLUSH)


class HandLayout(msgspec.Struct, frozen=True):
    """A hand as it is shown.

    Attributes:
        value: the value of the hand.
        cards: the cards that play, the most important first.
        stands_for: the same cards, with every wild card replaced by the card it stands for.
    """

    value: int
    cards: tuple[int, ...]
    stands_for: tuple[int, ...]


def hand_layout(evaluator: Evaluator, hole: Sequence[int], board: Sequence[int] = ()) -> HandLayout:
    """Lay out the best hand. Of several equal choices of cards, the one with the fewest wild cards is shown.

    Raises:
        ValueError: no hand qualifies.
    """
    hand_value = evaluator.best(hole, board)
    if hand_value == 0:
        raise ValueError("no hand qualifies")
    hand = evaluator.name(hand_value)
    ranks = hand.ranks if evaluator.ranking.is_badugi else evaluator.rules.rank_of_every_card(hand.category, hand.ranks)
    chosen = _cards_that_play(evaluator, hole, board, hand_value, ranks)
    wild = [card for card in chosen if _is_wild(evaluator, card)]
    natural = sorted((card for card in chosen if card not in wild), key=lambda card: card & 3, reverse=True)
    suit = natural[0] & 3 if natural else SPADES
    taken = {*hole, *board}
    laid_out: list[tuple[int, int]] = []
    for rank in ranks:
        same = next((card for card in natural if card >> 2 == rank), None)
        if same is not None:
            natural.remove(same)
            laid_out.append((same, same))
        elif rank is not None and wild:
            if hand.category in _FLUSHES:
                as_card = rank * 4 + suit
            else:
                as_card = _card_in_free_suit(evaluator, rank, taken, chosen, [shown for _, shown in laid_out])
            taken.add(as_card)
            laid_out.append((wild.pop(0), as_card))
    return HandLayout(hand_value, tuple(card for card, _ in laid_out), tuple(shown for _, shown in laid_out))


def playing_cards(
    evaluator: Evaluator,
    hole: Sequence[int],
    board: Sequence[int] = (),
    designations: Mapping[int, int] | None = None,
) -> tuple[int, ...]:
    """Return the cards that make the best hand, in no order; none where no hand qualifies.

    Args:
        designations: the card that each wild card stands for, where holders name it (W-7); None where wild cards count as what is best
            for their holder.
    """
    said = None if designations is None else tuple(designations.items())
    return _playing_cards(evaluator, tuple(hole), tuple(board), said)


@lru_cache(maxsize=256)
def _playing_cards(
    evaluator: Evaluator,
    hole: tuple[int, ...],
    board: tuple[int, ...],
    designations: tuple[tuple[int, int], ...] | None,
) -> tuple[int, ...]:
    """The cards that play, remembered, because every view of a result asks for them."""
    if designations is not None:
        return designated_cards(evaluator, hole, dict(designations), board)
    return hand_layout(evaluator, hole, board).cards if evaluator.best(hole, board) else ()


def _is_wild(evaluator: Evaluator, card: int) -> bool:
    return card >= JOKER or evaluator.ranking.wild.method_of(card) is not WildMethod.NONE


def _cards_that_play(
    evaluator: Evaluator, hole: Sequence[int], board: Sequence[int], hand_value: int, ranks: Sequence[int | None]
) -> tuple[int, ...]:
    """Return the cards that make this value. Without wild cards, only choices of the right `ranks` are evaluated."""
    if evaluator.ranking.is_badugi:
        cards = (*hole, *board)
        hands = [chosen for size in range(1, 5) for chosen in combinations(cards, size)]
    else:
        hands = evaluator.playable_hands(hole, board)
        if not any(_is_wild(evaluator, card) for card in (*hole, *board)):
            wanted = sorted(rank for rank in ranks if rank is not None)
            hands = [hand for hand in hands if sorted(card >> 2 for card in hand) == wanted] or hands
    equal = [hand for hand in hands if evaluator.value(hand) == hand_value]
    return min(equal, key=lambda hand: sum(_is_wild(evaluator, card) for card in hand))


def _card_in_free_suit(
    evaluator: Evaluator, rank: int, taken: set[int], chosen: Sequence[int], laid_out: Sequence[int]
) -> int:
    """Return a card of this rank that is not held, in a suit that changes nothing about the hand."""
    suits = [HEARTS, SPADES, DIAMONDS, CLUBS] if evaluator.ranks_hearts else [SPADES, HEARTS, DIAMONDS, CLUBS]
    natural_suits = {card & 3 for card in chosen if not _is_wild(evaluator, card)}
    if evaluator.ranking.is_badugi:
        suits = [suit for suit in suits if suit not in natural_suits and suit not in {card & 3 for card in laid_out}]
    elif len(natural_suits) == 1:  # one suit all through would be a flush
        suits.sort(key=lambda suit: suit in natural_suits)
    return next((rank * 4 + suit for suit in suits if rank * 4 + suit not in taken), rank * 4 + suits[0])
