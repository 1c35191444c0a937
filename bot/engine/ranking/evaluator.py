"""Ranking at speed: a hand is the sum of its cards' counters, and the rules are asked once about each sum.

Rankings that differ only in which cards are wild share their caches. Sizes: 49,205 sums for seven plain cards, about 5 MB. A cache that
has `MAX_CACHED_VALUES` entries (about 25 MB) starts afresh.

Source: laws A4, A5, LO, VC-1 (hole cards that must play).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations

from bot.engine.cards import ALL_CARDS, HEARTS, JOKER
from bot.engine.ranking.counters import (
    FLUSH_BITS,
    ONE_OF_EVERY_SUIT,
    SUIT_BITS,
    card_counters,
    has_wild,
    read_signature,
    read_suit_counters,
    suit_counters,
)
from bot.engine.ranking.rules import RankingRules, best_badugi, ranking_rules_for
from bot.engine.ranking.spec import Ranking, SuitRank, WildMethod
from bot.engine.ranking.value import (
    HEARTS_BITS,
    LOW_VALUE_BASE,
    Category,
    HandName,
    category_at_position,
    rank_of_face,
    unpack_value,
)

MAX_CACHED_VALUES = 1 << 18
MAX_CACHED_BOARDS = 256
MAX_CACHED_GROUPS = 8192
"""As many values as high hands have: 7,462."""


class _ValueCache(dict[int, int]):
    """Remembers the value of each sum."""

    def __init__(self, compute: Callable[[int], int]) -> None:
        super().__init__()
        self._compute = compute
        self._shared_values: dict[int, int] = {}

    def __missing__(self, key: int) -> int:
        if len(self) >= MAX_CACHED_VALUES:
            self.clear()
        hand_value = self._compute(key)
        # Many sums have the same value: they share one number, so that the values in use fit the processor's cache.
        hand_value = self[key] = self._shared_values.setdefault(hand_value, hand_value)
        return hand_value


class _EvaluatorCaches:
    """The values that one set of rules has given."""

    def __init__(self, rules: RankingRules) -> None:
        self.rules = rules
        if rules.ranking.is_badugi:
            self.by_ranks = _ValueCache(self._best_badugi)
        elif rules.is_low:
            self.by_ranks = _ValueCache(self._best_low)
        else:
            self.by_ranks = _ValueCache(self._best_high)
        self.by_suit = _ValueCache(self._best_flush)
        self.by_low_suit = _ValueCache(self._best_low_in_suit)
        self.by_board: dict[tuple[int, int], _ValueCache] = {}
        self.groups_of = lru_cache(maxsize=MAX_CACHED_GROUPS)(self._groups_of)

    def on_board(self, board: int, own_count: int, shared: Sequence[int]) -> _ValueCache:
        """Return the best values of hole cards with any choice of this board's cards, by the sums of their ranks, without suits."""
        known = self.by_board.get((board, own_count))
        if known is None:
            if len(self.by_board) >= MAX_CACHED_BOARDS:
                self.by_board.clear()
            by_ranks = self.by_ranks
            known = _ValueCache(lambda own: max([by_ranks[own + common] for common in shared]))
            self.by_board[board, own_count] = known
        return known

    def _best_high(self, key: int) -> int:
        return self.rules.best_high(*read_signature(key))

    def _best_low(self, key: int) -> int:
        return self._best_low_in_suit(key << 13)

    def _best_low_in_suit(self, key: int) -> int:
        counts, free, bugs = read_signature(key >> 13)
        return self.rules.best_low(counts, free + bugs, key & 0x1FFF)

    def _best_flush(self, key: int) -> int:
        return self.rules.best_flush(*read_suit_counters(key))

    def _groups_of(self, hand_value: int) -> tuple[tuple[int, int, int], ...] | None:
        """Return for each rank of a hand, in order of importance, its bit, itself and how many cards of it play; None for a flush."""
        position, numbers = unpack_value(hand_value)
        category = category_at_position(position, self.rules.ranking)
        if category in (Category.FLUSH, Category.STRAIGHT_FLUSH):
            return None
        slots = self.rules.rank_of_every_card(category, tuple(map(rank_of_face, numbers)))
        ranks = dict.fromkeys(rank for rank in slots if rank is not None)
        return tuple((1 << HEARTS_BITS - 1 - at, rank, slots.count(rank)) for at, rank in enumerate(ranks))

    def _best_badugi(self, key: int) -> int:
        suits_of = [key >> 4 * rank & 15 for rank in range(13)]
        return best_badugi(suits_of, key >> 52, self.rules.faces)


class Evaluator:
    """Evaluates the hands of one game. The function `evaluator` builds one for each ranking.

    Attributes:
        ranking: what it was built from.
        rules: the rules behind it.
        value: gives the value of the best hand out of five to eleven cards (of fewer: as far as they go), whatever the rule for hole
            cards. The higher value is always the better, on low scales too; equal values tie; 0 does not qualify.
        ranks_hearts: whether the heart breaks ties (T-11).
        with_hearts: gives that value, where hearts break ties, from the one without them; there alone.
    """

    __slots__ = (
        "_counters",
        "_start",
        "_suit_counters",
        "_with_flush",
        "caches",
        "ranking",
        "ranks_hearts",
        "rules",
        "value",
        "with_hearts",
    )

    value: Callable[[Sequence[int]], int]
    with_hearts: Callable[[int, Sequence[int]], int]
    _with_flush: Callable[[int, Sequence[int]], int]

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self.rules = ranking_rules_for(ranking)
        self.caches = _caches_for(self.rules)
        self._start = ONE_OF_EVERY_SUIT * (8 - ranking.size) if self.rules.counts_flushes else 0
        self._counters = [self._card_counters(card) for card in ALL_CARDS]
        self._suit_counters = [[self._suit_counters_of(card, suit) for card in ALL_CARDS] for suit in range(4)]
        self._with_flush = self._low_with_flush if self.rules.is_low else self._build_high_with_flush()
        self.value = self._build_value()
        self.ranks_hearts = ranking.suit_rank is SuitRank.HEARTS_FIRST and not ranking.is_low
        if self.ranks_hearts:
            plain, self.with_hearts = self.value, self._build_with_hearts()
            self.value = lambda cards: self.with_hearts(plain(cards), cards)

    def best(self, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """Return the value of the best hand that the game lets its holder play."""
        return self.values((hole,), board)[0]

    def values(self, holes: Sequence[Sequence[int]], board: Sequence[int] = ()) -> list[int]:
        """Return the value of several players' hole cards on the same board; the board is summed once."""
        rule = self.ranking.from_hole
        if rule is None:
            if self._needs_whole_hand:
                value = self.value
                return [value((*hole, *board)) for hole in holes]
            return self._values_any_mix(holes, board)
        minimum, maximum = rule
        if minimum == 0:
            # Any mix with at most two own cards is the best hand out of the board and exactly two of them.
            value = self.value
            return [
                max([value((*own, *board)) for own in combinations(hole, min(maximum, len(hole)))]) for hole in holes
            ]
        if minimum == maximum and not self._needs_whole_hand:
            return self._values_exactly(holes, board, minimum)
        return [max(map(self.value, self.playable_hands(hole, board))) for hole in holes]

    def playable_hands(self, hole: Sequence[int], board: Sequence[int]) -> list[tuple[int, ...]]:
        """Return every choice of cards that the game lets a player play: five of them, or all if there are fewer."""
        size, rule = self.ranking.hand_size, self.ranking.from_hole
        if rule is None:
            cards = (*hole, *board)
            return list(combinations(cards, min(size, len(cards))))
        minimum, maximum = rule
        found: list[tuple[int, ...]] = []
        for own in range(min(minimum, len(hole)), min(maximum, len(hole), size) + 1):
            common = min(size - own, len(board))
            if own + common < size and own < min(maximum, len(hole)) and minimum != maximum:
                continue
            found += [mine + shared for mine in combinations(hole, own) for shared in combinations(board, common)]
        return found

    def name(self, value: int) -> HandName:
        """Return what hand a value stands for.

        Raises:
            ValueError: the value is 0: no hand qualifies.
        """
        if value <= 0:
            raise ValueError("0 is no hand")
        packed = value >> HEARTS_BITS if self.ranks_hearts else value
        if self.ranking.is_badugi:
            count, numbers = unpack_value(packed)
            ranks = tuple(rank_of_face(16 - number) for number in numbers[:count])
            return HandName(Category.BADUGI, ranks, is_low=True)
        position, numbers = unpack_value(LOW_VALUE_BASE - packed if self.ranking.is_low else packed)
        category = category_at_position(position, self.ranking)
        return HandName(category, tuple(map(rank_of_face, numbers)), self.ranking.is_low, self.ranking.size)

    def clear_caches(self) -> None:
        """Empty the caches."""
        for cache in (self.caches.by_ranks, self.caches.by_suit, self.caches.by_low_suit):
            cache.clear()
        self.caches.by_board.clear()
        self.caches.groups_of.cache_clear()

    @property
    def _needs_whole_hand(self) -> bool:
        return self.ranking.is_badugi or self.ranks_hearts

    def _card_counters(self, card: int) -> int:
        method = self.ranking.wild.method_of(card)
        if self.ranking.is_badugi:
            return 1 << (52 if method is not WildMethod.NONE else card)
        return card_counters(card, method, suits=self.rules.counts_flushes, wild_in_suits=not self.rules.is_low)

    def _suit_counters_of(self, card: int, suit: int) -> int:
        return suit_counters(card, self.ranking.wild.method_of(card), suit)

    def _build_value(self) -> Callable[[Sequence[int]], int]:
        """Build `value`: a function over local names, because a showdown spends its time in it."""
        keys, start, by_ranks, with_flush = self._counters, self._start, self.caches.by_ranks, self._with_flush
        firsts = [key + start for key in keys]
        get, enough, shift = keys.__getitem__, FLUSH_BITS, SUIT_BITS

        def value_of_badugi(cards: Sequence[int]) -> int:
            return by_ranks[sum(map(get, cards))]

        def value(cards: Sequence[int]) -> int:
            count = len(cards)
            if count == 5:
                a, b, c, d, e = cards
                total = firsts[a] + keys[b] + keys[c] + keys[d] + keys[e]
            elif count == 7:
                a, b, c, d, e, f, g = cards
                total = firsts[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]
            else:
                total = sum(map(get, cards), start)
            return with_flush(total, cards) if total & enough else by_ranks[total >> shift]

        return value_of_badugi if self.ranking.is_badugi else value

    def _build_high_with_flush(self) -> Callable[[int, Sequence[int]], int]:
        """Build the function for a high hand in which some suit has enough cards for a flush."""
        by_ranks, of_suit = self.caches.by_ranks, self.caches.by_suit
        long_suits = {
            sum(8 << 4 * suit for suit in suits): tuple(self._suit_counters[suit] for suit in suits)
            for count in range(1, 5)
            for suits in combinations(range(4), count)
        }

        def value_with_flush(total: int, cards: Sequence[int]) -> int:
            best = by_ranks[total >> SUIT_BITS]
            for keys in long_suits[total & FLUSH_BITS]:
                if len(cards) == 7:
                    a, b, c, d, e, f, g = cards
                    hand_value = of_suit[keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]]
                else:
                    hand_value = of_suit[sum(map(keys.__getitem__, cards))]
                if hand_value > best:  # noqa: PLR1730 - a call of max would cost as much as the sum
                    best = hand_value
            return best

        return value_with_flush

    def _low_with_flush(self, total: int, cards: Sequence[int]) -> int:
        """Return the value of a low hand in which some suit has enough cards to force a flush."""
        ranks = total >> SUIT_BITS
        if has_wild(ranks):
            return self.caches.by_ranks[ranks]
        best = self.caches.by_ranks[ranks]
        for suit in range(4):
            if total >> 4 * suit & 8:
                inside = outside = 0
                for card in cards:
                    if card & 3 == suit:
                        inside |= 1 << (card >> 2)
                    else:
                        outside |= 1 << (card >> 2)
                best = min(best, self.caches.by_low_suit[ranks << 13 | inside & ~outside])
        return best

    def _build_with_hearts(self) -> Callable[[int, Sequence[int]], int]:
        """Build `with_hearts` for `hearts_first`: the same value with a bit for each rank whose heart plays (T-11)."""
        caches = self.caches
        heart_keys = self._suit_counters[HEARTS].__getitem__
        natural_ranks = [
            card >> 2 if card < JOKER and self.ranking.wild.method_of(card) is WildMethod.NONE else -1
            for card in ALL_CARDS
        ]
        size = self.ranking.size

        def with_hearts(hand_value: int, cards: Sequence[int]) -> int:
            groups, bits = caches.groups_of(hand_value), 0
            if groups is None:
                hearts = sum(map(heart_keys, cards))
                ranks_held, free, bugs = read_suit_counters(hearts)
                if ranks_held.bit_count() + free + bugs >= size and caches.by_suit[hearts] == hand_value:
                    bits = 0b11111
            else:
                ranks = [natural_ranks[card] for card in cards]
                held = {natural_ranks[card] for card in cards if card & 3 == HEARTS}
                for bit, rank, count in groups:
                    if rank in held or ranks.count(rank) < count:  # a wild card that fills the group may be the heart
                        bits |= bit
            return hand_value << HEARTS_BITS | bits

        return with_hearts

    def _values_any_mix(self, holes: Sequence[Sequence[int]], board: Sequence[int]) -> list[int]:
        """Return the values where any mix of hole and common cards plays."""
        by_ranks, with_flush, get = self.caches.by_ranks, self._with_flush, self._counters.__getitem__
        common = sum(map(get, board), self._start)
        found: list[int] = []
        for hole in holes:
            total = sum(map(get, hole), common)
            found.append(with_flush(total, (*hole, *board)) if total & FLUSH_BITS else by_ranks[total >> SUIT_BITS])
        return found

    def _values_exactly(self, holes: Sequence[Sequence[int]], board: Sequence[int], own_count: int) -> list[int]:
        """Return the values where exactly `own_count` hole cards play: a table for the board, suits only where they can matter."""
        keys, value = self._counters, self.value
        shared = list(combinations(board, min(self.ranking.size - own_count, len(board))))
        board_key = sum([keys[card] for card in board])
        sums = sorted({sum([keys[card] for card in common]) >> SUIT_BITS for common in shared})
        table = self.caches.on_board(board_key >> SUIT_BITS, own_count, sums)
        board_suits = self._start + board_key
        found: list[int] = []
        for hole in holes:
            hand_values: list[int] = []
            for own in combinations(hole, min(own_count, len(hole))):
                own_key = sum([keys[card] for card in own])
                may_flush = own_key + board_suits & FLUSH_BITS
                hand_values.append(
                    max([value(own + common) for common in shared]) if may_flush else table[own_key >> SUIT_BITS]
                )
            found.append(max(hand_values))
        return found


@lru_cache(maxsize=64)
def _caches_for(rules: RankingRules) -> _EvaluatorCaches:
    return _EvaluatorCaches(rules)


@lru_cache(maxsize=512)
def evaluator(ranking: Ranking) -> Evaluator:
    """Return the evaluator of a ranking; the same one for an equal ranking."""
    return Evaluator(ranking)
