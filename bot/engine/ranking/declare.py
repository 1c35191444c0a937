"""Wild cards that their holder designates (`WILD_CALL` = declare): what may be said, and what the hand is then worth.

Source: laws W-3 to W-7, SP-1, VB-7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bot.engine.cards import ACE, HEARTS, JOKER
from bot.engine.ranking.counters import signature_of
from bot.engine.ranking.errors import AlreadyHeld, BugCannotBe, NoSuchCard, NotWild
from bot.engine.ranking.rules import badugi
from bot.engine.ranking.spec import WildMethod
from bot.engine.ranking.value import HEARTS_BITS, NOTHING, Category

if TYPE_CHECKING:
    from bot.engine.ranking.evaluator import Evaluator

_COMPLETE = {
    Category.STRAIGHT,
    Category.FLUSH,
    Category.STRAIGHT_FLUSH,
    Category.LITTLE_DOG,
    Category.BIG_DOG,
    Category.LITTLE_CAT,
    Category.BIG_CAT,
}


def declared(judge: Evaluator, hole: Sequence[int], designations: Mapping[int, int], board: Sequence[int]) -> int:
    """Return the worth of the best lawful choice of cards, every wild card being what was said of it."""

    def said(five: Sequence[int]) -> list[int]:
        return [designations.get(card, card) for card in five]

    if judge.ranking.is_badugi:
        shown = said((*hole, *board))
        suits_of = [0] * 13
        for card in shown:
            if card != JOKER:
                suits_of[card >> 2] |= 1 << (card & 3)
        return badugi(suits_of, shown.count(JOKER), judge.rules.faces)
    return max(_worth(judge, said(five)) for five in judge.lawful_fives(hole, board))


def may_stand_for(
    judge: Evaluator, hole: Sequence[int], wild_card: int, as_card: int, others: Mapping[int, int], board: Sequence[int]
) -> None:
    """Refuse a designation that the method forbids. Its own face is always lawful."""
    method = judge.ranking.wild.method_of(wild_card)
    held = (*hole, *board)
    if method is WildMethod.NONE or wild_card not in held:
        raise NotWild(card=wild_card)
    if not 0 <= as_card < JOKER or as_card >> 2 not in judge.ranking.ranks:
        raise NoSuchCard(as_card=as_card)
    if as_card == wild_card or method is WildMethod.FREE:
        return
    rest = [others.get(card, card) for card in held if card != wild_card]
    # The fifth of a kind must repeat a card: five of a kind is lawful under every method (W-3, W-9).
    is_fifth = all(as_card >> 2 << 2 | suit in rest for suit in range(4))
    is_held = (as_card in held or as_card in rest) and not is_fifth
    if method is WildMethod.NO_DUPLICATE and is_held:
        raise AlreadyHeld(as_card=as_card)
    if method is WildMethod.BUG and not judge.ranking.is_low:
        if not is_held and as_card >> 2 == ACE:
            return
        if is_held or not _completes(judge, hole, board, {**others, wild_card: as_card}, wild_card):
            raise BugCannotBe(as_card=as_card)


def _completes(
    judge: Evaluator, hole: Sequence[int], board: Sequence[int], said: Mapping[int, int], wild_card: int
) -> bool:
    """Whether the card completes a straight, a flush or a special hand among the fives its holder may play."""
    if len(hole) + len(board) < judge.ranking.size:
        return False
    fives = (five for five in judge.lawful_fives(hole, board) if wild_card in five)
    worths = (_worth(judge, [said.get(card, card) for card in five]) for five in fives)
    return any(judge.name(worth).category in _COMPLETE for worth in worths)


def _worth(judge: Evaluator, cards: Sequence[int]) -> int:
    """Return the worth of at most five cards that are what they say. Cards may be equal here: a wild card may repeat."""
    memories, rules = judge.memories, judge.rules
    natural = [card for card in cards if card != JOKER]
    jokers = len(cards) - len(natural)
    in_one_suit = len(cards) == rules.size and not jokers and len({card & 3 for card in cards}) == 1
    held = [card >> 2 for card in natural]
    mask = sum(1 << rank for rank in set(held))
    if rules.is_low:
        return rules.low([held.count(rank) for rank in range(13)], jokers, mask if in_one_suit else 0)
    worth = memories.by_ranks[signature_of(held)]
    if jokers:
        worth |= NOTHING << next(shift for shift in (16, 12, 8, 4, 0) if not worth >> shift & 15)
    elif in_one_suit and rules.counts_suits:
        straight = rules.of_suit(mask, 0, 0) if len(set(held)) == rules.size else 0
        by_face = sorted(held, key=rules.faces.__getitem__, reverse=True)
        worth = max(worth, straight, rules.worth(Category.FLUSH, by_face))
    return worth << HEARTS_BITS | sum(_hearts(judge, worth, cards)) if judge.ranks_hearts else worth


def _hearts(judge: Evaluator, worth: int, cards: Sequence[int]) -> Iterator[int]:
    """Give the bit of every rank, in order of importance, whose heart is among the cards (T-11)."""
    hand = judge.name(worth << HEARTS_BITS)
    slots = dict.fromkeys(judge.rules.slots(hand.category, hand.ranks))
    for at, rank in enumerate(slots):
        if rank is not None and rank * 4 + HEARTS in cards:
            yield 1 << HEARTS_BITS - 1 - at
