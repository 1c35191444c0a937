"""Ranking at speed: a hand is the sum of its cards' counters, and the plain judge is asked once about each sum.

What is remembered is shared by all rankings that differ only in which cards are wild. Sizes: 49,205 sums for seven
plain cards, about 5 MB; no dict grows over `REMEMBERED` entries (about 25 MB), it then starts afresh.

Source: laws A4, A5, LO, VC-1 (own cards that must play).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from bot.engine.cards import HEARTS, JOKER
from bot.engine.ranking.counters import ENOUGH, EVERY_SUIT, SUITS, has_wild, key_of, read, read_suit, suit_key_of
from bot.engine.ranking.declare import declared, may_stand_for
from bot.engine.ranking.names import HandName
from bot.engine.ranking.playing import Played, played
from bot.engine.ranking.rules import Rules, badugi, rules_of
from bot.engine.ranking.spec import Ranking, SuitRank, WildMethod
from bot.engine.ranking.value import HEARTS_BITS, LOW_TOP, Category, category_at, rank_of_face, unpack

REMEMBERED = 1 << 18
BOARDS_REMEMBERED = 256


class _Memory(dict[int, int]):
    """Remembers what the judge said of a sum."""

    def __init__(self, judge: Callable[[int], int]) -> None:
        super().__init__()
        self._judge = judge
        self._worths: dict[int, int] = {}

    def __missing__(self, key: int) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        worth = self._judge(key)
        # Many sums have one worth: they share one number, so that what is in use fits the processor's cache.
        worth = self[key] = self._worths.setdefault(worth, worth)
        return worth


class _Memories:
    """The judge's answers for one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        if rules.ranking.is_badugi:
            self.by_ranks = _Memory(self._badugi)
        elif rules.is_low:
            self.by_ranks = _Memory(self._low)
        else:
            self.by_ranks = _Memory(self._high)
        self.of_suit = _Memory(self._of_suit)
        self.low_in_suit = _Memory(self._low_in_suit)
        self.by_board: dict[tuple[int, int], _Memory] = {}

    def on_board(self, board: int, own_count: int, shared: Sequence[int]) -> _Memory:
        """Return the table of own cards' best with any choice of this board's; all are sums of ranks, without suits."""
        known = self.by_board.get((board, own_count))
        if known is None:
            if len(self.by_board) >= BOARDS_REMEMBERED:
                self.by_board.clear()
            by_ranks = self.by_ranks
            known = _Memory(lambda own: max([by_ranks[own + common] for common in shared]))
            self.by_board[board, own_count] = known
        return known

    def _high(self, key: int) -> int:
        return self.rules.high(*read(key))

    def _low(self, key: int) -> int:
        return self._low_in_suit(key << 13)

    def _low_in_suit(self, key: int) -> int:
        counts, free, bugs = read(key >> 13)
        return self.rules.low(counts, free + bugs, key & 0x1FFF)

    def _of_suit(self, key: int) -> int:
        return self.rules.of_suit(*read_suit(key))

    def _badugi(self, key: int) -> int:
        suits_of = [key >> 4 * rank & 15 for rank in range(13)]
        return badugi(suits_of, key >> 52, self.rules.faces)


class Evaluator:
    """Ranks hands of one game. Built once per ranking: `evaluator`.

    Attributes:
        ranking: what it was built from.
        rules: the plain judge behind it.
        value: the worth of the best hand out of five to eleven cards (of fewer: as far as they go), whatever the hole
            rule. The higher is always the better, on low scales too; equal worths tie; 0 does not qualify.
    """

    __slots__ = ("_in_suits", "_keys", "_start", "_suit_keys", "memories", "ranking", "ranks_hearts", "rules", "value")

    value: Callable[[Sequence[int]], int]
    _in_suits: Callable[[int, Sequence[int]], int]

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self.rules = rules_of(ranking)
        self.memories = _memories_of(self.rules)
        self._start = EVERY_SUIT * (8 - ranking.size) if self.rules.counts_suits else 0
        self._keys = [self._key(card) for card in range(53)]
        self._suit_keys = [[self._suit_key(card, suit) for card in range(53)] for suit in range(4)]
        self._in_suits = self._low_in_suits if self.rules.is_low else self._high_in_suits()
        self.value = self._plain_value()
        self.ranks_hearts = ranking.suit_rank is SuitRank.HEARTS_FIRST and not ranking.is_low
        if self.ranks_hearts:
            self.value = self._hearts_value(self.value)

    def best(self, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """Return the worth of the best hand, with as many own cards in it as the game demands."""
        return self.values((hole,), board)[0]

    def values(self, holes: Sequence[Sequence[int]], board: Sequence[int] = ()) -> list[int]:
        """Return the worth of every hole on the same board; the board is summed once."""
        rule = self.ranking.from_hole
        if rule is None:
            if self._is_particular:
                value = self.value
                return [value((*hole, *board)) for hole in holes]
            return self._values_together(holes, board)
        least, most = rule
        if least == 0:
            # Any mix of at most so many own cards is a best five of the board and exactly so many.
            value = self.value
            return [max([value((*own, *board)) for own in combinations(hole, min(most, len(hole)))]) for hole in holes]
        if least == most and not self._is_particular:
            return self._values_exactly(holes, board, least)
        return [max(map(self.value, self.lawful_fives(hole, board))) for hole in holes]

    def lawful_fives(self, hole: Sequence[int], board: Sequence[int]) -> list[tuple[int, ...]]:
        """Return every choice of cards that the game lets its holder play: five of them, or all if there are fewer."""
        size = 4 if self.ranking.is_badugi else self.ranking.size
        rule = self.ranking.from_hole
        if rule is None:
            cards = (*hole, *board)
            return list(combinations(cards, min(size, len(cards))))
        least, most = rule
        found: list[tuple[int, ...]] = []
        for own in range(min(least, len(hole)), min(most, len(hole), size) + 1):
            common = min(size - own, len(board))
            if own + common < size and own < min(most, len(hole)) and least != most:
                continue
            found += [mine + shared for mine in combinations(hole, own) for shared in combinations(board, common)]
        return found

    def name(self, value: int) -> HandName:
        """Say what a worth means. A worth of 0, no qualifying hand, has no name."""
        if value <= 0:
            raise ValueError("0 is no hand")
        packed = value >> HEARTS_BITS if self.ranks_hearts else value
        if self.ranking.is_badugi:
            count, numbers = unpack(packed)
            ranks = tuple(rank_of_face(16 - number) for number in numbers[:count])
            return HandName(Category.BADUGI, ranks, is_low=True)
        place, numbers = unpack(LOW_TOP - packed if self.ranking.is_low else packed)
        category = category_at(place, self.ranking)
        return HandName(category, tuple(map(rank_of_face, numbers)), self.ranking.is_low, self.ranking.size)

    def playing(self, hole: Sequence[int], board: Sequence[int] = ()) -> Played:
        """Return the cards that play, in order of importance, and what wild cards among them stand for.

        Raises:
            ValueError: no hand qualifies.
        """
        return played(self, hole, board)

    def declared(self, hole: Sequence[int], designations: Mapping[int, int], board: Sequence[int] = ()) -> int:
        """Return the worth of a hand whose holder has said what wild cards stand for (`declare`, W-7).

        A wild card nobody designated counts at its face value; a joker plays below a deuce and pairs nothing. On a low
        scale a silent joker is the lowest rank not held, as VB-7 has it.

        Args:
            hole: own cards.
            designations: wild card to the card it stands for; each must have passed `may_stand_for`.
            board: common cards.
        """
        return declared(self, hole, designations, board)

    def may_stand_for(
        self,
        hole: Sequence[int],
        wild_card: int,
        as_card: int,
        others: Mapping[int, int] | None = None,
        board: Sequence[int] = (),
    ) -> None:
        """Rule on one designation; `others` are those of the same holder that already stand. A wild card on the board is each player's to
        designate for his own hand.

        Raises:
            NotWild: the card is not wild, or neither held nor on the board (W-1).
            NoSuchCard: the pack has no such card (W-5).
            AlreadyHeld: under `no_duplicate` the holder has that card (W-3).
            BugCannotBe: a bug that is neither an ace nor completes anything (W-4).
        """
        may_stand_for(self, hole, wild_card, as_card, others or {}, board)

    def forget(self) -> None:
        """Forget everything remembered; what comes next is judged cold."""
        for memory in (self.memories.by_ranks, self.memories.of_suit, self.memories.low_in_suit):
            memory.clear()
        self.memories.by_board.clear()

    @property
    def _is_particular(self) -> bool:
        return self.ranking.is_badugi or self.ranks_hearts

    def _key(self, card: int) -> int:
        method = self.ranking.wild.method_of(card)
        if self.ranking.is_badugi:
            return 1 << (52 if method is not WildMethod.NONE else card)
        return key_of(card, method, suits=self.rules.counts_suits, wild_in_suits=not self.rules.is_low)

    def _suit_key(self, card: int, suit: int) -> int:
        return suit_key_of(card, self.ranking.wild.method_of(card), suit)

    def _plain_value(self) -> Callable[[Sequence[int]], int]:
        """Build `value`: a function over local names, for it is what a showdown spends its time in."""
        keys, start, memory, in_suits = self._keys, self._start, self.memories.by_ranks, self._in_suits
        firsts = [key + start for key in keys]
        get, enough, shift = keys.__getitem__, ENOUGH, SUITS

        def value_of_badugi(cards: Sequence[int]) -> int:
            return memory[sum(map(get, cards))]

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
            return in_suits(total, cards) if total & enough else memory[total >> shift]

        return value_of_badugi if self.ranking.is_badugi else value

    def _high_in_suits(self) -> Callable[[int, Sequence[int]], int]:
        """Build the function for a high hand in which some suit has cards enough for a flush."""
        by_ranks, of_suit = self.memories.by_ranks, self.memories.of_suit
        long_suits = {
            sum(8 << 4 * suit for suit in suits): tuple(self._suit_keys[suit] for suit in suits)
            for count in range(1, 5)
            for suits in combinations(range(4), count)
        }

        def in_suits(total: int, cards: Sequence[int]) -> int:
            best = by_ranks[total >> SUITS]
            for keys in long_suits[total & ENOUGH]:
                if len(cards) == 7:
                    a, b, c, d, e, f, g = cards
                    worth = of_suit[keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]]
                else:
                    worth = of_suit[sum(map(keys.__getitem__, cards))]
                if worth > best:  # noqa: PLR1730 - a call of max would cost as much as the sum
                    best = worth
            return best

        return in_suits

    def _low_in_suits(self, total: int, cards: Sequence[int]) -> int:
        """Return the worth of a low hand in which some suit has cards enough to force a flush."""
        ranks = total >> SUITS
        if has_wild(ranks):
            return self.memories.by_ranks[ranks]
        best = self.memories.by_ranks[ranks]
        for suit in range(4):
            if total >> 4 * suit & 8:
                inside = outside = 0
                for card in cards:
                    if card & 3 == suit:
                        inside |= 1 << (card >> 2)
                    else:
                        outside |= 1 << (card >> 2)
                best = min(best, self.memories.low_in_suit[ranks << 13 | inside & ~outside])
        return best

    def _hearts_value(self, plain: Callable[[Sequence[int]], int]) -> Callable[[Sequence[int]], int]:
        """Build `value` for `hearts_first`: the same worth with a bit for each rank whose heart plays (T-11)."""
        memories = self.memories
        method_of = self.ranking.wild.method_of
        heart_keys = self._suit_keys[HEARTS].__getitem__
        rules = self.rules

        def value(cards: Sequence[int]) -> int:
            worth = plain(cards)
            return worth << HEARTS_BITS | heart_bits(worth, cards)

        def heart_bits(worth: int, cards: Sequence[int]) -> int:
            place, numbers = unpack(worth)
            if category_at(place, rules.ranking) in (Category.FLUSH, Category.STRAIGHT_FLUSH):
                hearts = sum(map(heart_keys, cards))
                ranks_held, free, bugs = read_suit(hearts)
                enough = ranks_held.bit_count() + free + bugs >= self.ranking.size
                return 0b11111 if enough and memories.of_suit[hearts] == worth else 0
            slots = rules.slots(category_at(place, rules.ranking), tuple(map(rank_of_face, numbers)))
            ranks = list(dict.fromkeys(rank for rank in slots if rank is not None))
            naturals = [card for card in cards if method_of(card) is WildMethod.NONE and card != JOKER]
            bits = 0
            for at, rank in enumerate(ranks):
                held = [card & 3 for card in naturals if card >> 2 == rank]
                if HEARTS in held or len(held) < slots.count(rank):  # a wild card that fills the group may be the heart
                    bits |= 1 << HEARTS_BITS - 1 - at
            return bits

        return value

    def _values_together(self, holes: Sequence[Sequence[int]], board: Sequence[int]) -> list[int]:
        """Return the worths when any mix of own and common cards plays."""
        memory, in_suits, get = self.memories.by_ranks, self._in_suits, self._keys.__getitem__
        common = sum(map(get, board), self._start)
        found: list[int] = []
        for hole in holes:
            total = sum(map(get, hole), common)
            found.append(in_suits(total, (*hole, *board)) if total & ENOUGH else memory[total >> SUITS])
        return found

    def _values_exactly(self, holes: Sequence[Sequence[int]], board: Sequence[int], own_count: int) -> list[int]:
        """Return the worths when exactly so many own cards play: a table for the board, suits only where they can matter."""
        keys, memories, value = self._keys, self.memories, self.value
        shared = list(combinations(board, min(self.ranking.size - own_count, len(board))))
        board_key = sum([keys[card] for card in board])
        sums = sorted({sum([keys[card] for card in common]) >> SUITS for common in shared})
        table = memories.on_board(board_key >> SUITS, own_count, sums)
        board_suits = self._start + board_key
        found: list[int] = []
        for hole in holes:
            worths: list[int] = []
            for own in combinations(hole, min(own_count, len(hole))):
                own_key = sum([keys[card] for card in own])
                may_flush = own_key + board_suits & ENOUGH
                worths.append(max([value(own + common) for common in shared]) if may_flush else table[own_key >> SUITS])
            found.append(max(worths))
        return found


@lru_cache(maxsize=64)
def _memories_of(rules: Rules) -> _Memories:
    return _Memories(rules)


@lru_cache(maxsize=512)
def evaluator(ranking: Ranking) -> Evaluator:
    """Return the evaluator of a ranking; the same one for an equal ranking."""
    return Evaluator(ranking)
