"""Wild cards that their holder designates (`WILD_CALL` = declare): which designations the law allows, and the hand's value with them.

Source: laws W-3 to W-7, SP-1, VB-7.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from bot.engine.cards import ACE, HEARTS, JOKER
from bot.engine.ranking.counters import signature_of
from bot.engine.ranking.errors import AlreadyHeld, BugCannotBe, NoSuchCard, NotWild
from bot.engine.ranking.evaluator import Evaluator
from bot.engine.ranking.rules import best_badugi
from bot.engine.ranking.spec import WildMethod
from bot.engine.ranking.value import HEARTS_BITS, JOKER_FACE, Category

_COMPLETED_CATEGORIES = {
    Category.STRAIGHT,
    Category.FLUSH,
    Category.STRAIGHT_FLUSH,
    Category.LITTLE_DOG,
    Category.BIG_DOG,
    Category.LITTLE_CAT,
    Category.BIG_CAT,
}


def designated_value(
    evaluator: Evaluator, hole: Sequence[int], designations: Mapping[int, int], board: Sequence[int] = ()
) -> int:
    """Return the value of a hand whose holder has named what their wild cards stand for (`declare`, W-7).

    A wild card without a name counts as the card it is; a joker plays below a deuce and pairs nothing. On a low scale a joker without a
    name is the lowest rank that is not held, as VB-7 says.

    Args:
        evaluator: of the share of the pot.
        hole: the hole cards.
        designations: the card that each wild card stands for; each must have passed `validate_designation`.
        board: common cards.
    """

    def designated(cards: Sequence[int]) -> list[int]:
        return [designations.get(card, card) for card in cards]

    if evaluator.ranking.is_badugi:
        shown = designated((*hole, *board))
        suits_of = [0] * 13
        for card in shown:
            if card < JOKER:
                suits_of[card >> 2] |= 1 << (card & 3)
        return best_badugi(suits_of, sum(card >= JOKER for card in shown), evaluator.rules.faces)
    return max(_value_of(evaluator, designated(cards)) for cards in evaluator.playable_hands(hole, board))


def designated_cards(
    evaluator: Evaluator, hole: Sequence[int], designations: Mapping[int, int], board: Sequence[int]
) -> tuple[int, ...]:
    """Return the cards that make the hand that `designated_value` values; none where no hand qualifies."""
    wanted = designated_value(evaluator, hole, designations, board)
    if not wanted:
        return ()
    if evaluator.ranking.is_badugi:
        cards = (*hole, *board)
        chosen = (some for size in range(1, 5) for some in combinations(cards, size))
        return next(some for some in chosen if designated_value(evaluator, some, designations, ()) == wanted)
    return next(
        cards
        for cards in evaluator.playable_hands(hole, board)
        if _value_of(evaluator, [designations.get(card, card) for card in cards]) == wanted
    )


def validate_designation(
    evaluator: Evaluator,
    hole: Sequence[int],
    wild_card: int,
    as_card: int,
    others: Mapping[int, int] | None = None,
    board: Sequence[int] = (),
) -> None:
    """Refuse a designation that the law forbids. A wild card can always be the card that it is.

    Every player designates the wild cards on the board for their own hand. `others` are the designations of the same player that already
    stand.

    Raises:
        NotWild: the card is not wild, or neither held nor on the board (W-1).
        NoSuchCard: the deck has no such card (W-5).
        AlreadyHeld: under `no_duplicate`, the player has that card (W-3).
        BugCannotBe: a bug that is neither an ace nor completes anything (W-4).
    """
    others = others or {}
    method = evaluator.ranking.wild.method_of(wild_card)
    held = (*hole, *board)
    if method is WildMethod.NONE or wild_card not in held:
        raise NotWild(card=wild_card)
    if not 0 <= as_card < JOKER or as_card >> 2 not in evaluator.ranking.ranks:
        raise NoSuchCard(as_card=as_card)
    if as_card == wild_card or method is WildMethod.FREE:
        return
    rest = [others.get(card, card) for card in held if card != wild_card]
    # The fifth of a kind must repeat a card: five of a kind is lawful under every method (W-3, W-9).
    is_fifth = all(as_card >> 2 << 2 | suit in rest for suit in range(4))
    is_held = (as_card in held or as_card in rest) and not is_fifth
    if method is WildMethod.NO_DUPLICATE and is_held:
        raise AlreadyHeld(as_card=as_card)
    if method is WildMethod.BUG and not evaluator.ranking.is_low:
        if not is_held and as_card >> 2 == ACE:
            return
        if is_held or not _completes(evaluator, hole, board, {**others, wild_card: as_card}, wild_card):
            raise BugCannotBe(as_card=as_card)


def _completes(
    evaluator: Evaluator, hole: Sequence[int], board: Sequence[int], designations: Mapping[int, int], wild_card: int
) -> bool:
    """Whether the card completes a straight, a flush or a special hand among those that its holder can play."""
    if len(hole) + len(board) < evaluator.ranking.size:
        return False
    hands = (hand for hand in evaluator.playable_hands(hole, board) if wild_card in hand)
    hand_values = (_value_of(evaluator, [designations.get(card, card) for card in hand]) for hand in hands)
    return any(evaluator.name(hand_value).category in _COMPLETED_CATEGORIES for hand_value in hand_values)


def _value_of(evaluator: Evaluator, cards: Sequence[int]) -> int:
    """Return the value of at most five cards as they are. Two of them can be equal, because a wild card can repeat one."""
    caches, rules = evaluator.caches, evaluator.rules
    natural = [card for card in cards if card < JOKER]
    jokers = len(cards) - len(natural)
    in_one_suit = len(cards) == rules.size and not jokers and len({card & 3 for card in cards}) == 1
    held = [card >> 2 for card in natural]
    mask = sum(1 << rank for rank in set(held))
    if rules.is_low:
        return rules.best_low([held.count(rank) for rank in range(13)], jokers, mask if in_one_suit else 0)
    hand_value = caches.by_ranks[signature_of(held)]
    if jokers:
        hand_value |= JOKER_FACE << next(shift for shift in (16, 12, 8, 4, 0) if not hand_value >> shift & 15)
    elif in_one_suit and rules.counts_flushes:
        straight = rules.best_flush(mask, 0, 0) if len(set(held)) == rules.size else 0
        by_face = sorted(held, key=rules.faces.__getitem__, reverse=True)
        hand_value = max(hand_value, straight, rules.value_of(Category.FLUSH, by_face))
    return (
        hand_value << HEARTS_BITS | sum(_heart_bits(evaluator, hand_value, cards))
        if evaluator.ranks_hearts
        else hand_value
    )


def _heart_bits(evaluator: Evaluator, hand_value: int, cards: Sequence[int]) -> Iterator[int]:
    """Yield the bit of every rank, in order of importance, whose heart is among the cards (T-11)."""
    hand = evaluator.name(hand_value << HEARTS_BITS)
    slots = dict.fromkeys(evaluator.rules.rank_of_every_card(hand.category, hand.ranks))
    for at, rank in enumerate(slots):
        if rank is not None and rank * 4 + HEARTS in cards:
            yield 1 << HEARTS_BITS - 1 - at
