"""The values of several hands on one board after another, quickly: what all-in luck spends its time on.

A player's best hand is the best of their choices of own cards with the best choice of common cards. For one choice of common cards the
best value of each player is worked out once and remembered, by its ranks alone where no flush is possible. A board then costs one look-up
for each choice and one comparison for each player: Omaha with ten players, which evaluates 120 five-card hands each a board, takes
5 µs a board instead of 500.

Every value is the engine's own (`bot.engine.ranking`): it evaluates each five-card hand, and whatever has badugis. Suits that break
ties (T-11) are looked at only where hands tie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from bot.engine.cards import ALL_CARDS, JOKER
from bot.engine.ranking import Evaluator, evaluator
from bot.engine.ranking.counters import FLUSH_BITS, SUIT_BITS, card_counters
from bot.engine.ranking.spec import SuitRank, WildMethod
from bot.engine.ranking.value import HEARTS_BITS

BoardValues = tuple[int, ...]
"""The value of each player's best hand; the higher the better, 0 where it does not qualify."""

_NEVER = 99
_REMEMBERED = 16
"""The number of choices whose values are kept: an all-in hand has up to six of each ranking."""
_WILD_KINDS = {WildMethod.FREE: 13, WildMethod.NO_DUPLICATE: 13, WildMethod.BUG: 14}
_NOTHING = 15
"""The kind of a joker that stands for nothing."""


def counters_of(ranking_evaluator: Evaluator) -> tuple[int, ...]:
    """Return each card as counters of ranks, wild cards and suits: boards of equal sums without suits make equal hands but for flushes.

    A wild card is of every suit.
    """
    method_of = ranking_evaluator.ranking.wild.method_of
    return tuple(card_counters(card, method_of(card), suits=True, wild_in_suits=True) for card in ALL_CARDS)


def learn_hands(ranking_evaluator: Evaluator, deck: Sequence[int]) -> None:
    """Ask the rules about every hand that cards of the deck can make without a flush: some 6,000 of five cards, in 40 to 60 ms.

    The evaluator remembers what they say, and no all-in hand is the first to ask them.
    """
    if not _is_told_by_choices(ranking_evaluator):
        return
    kinds = _kinds_of(ranking_evaluator)
    signatures = _signatures_of(ranking_evaluator, kinds)
    sums = [{0}, *(set[int]() for _ in range(ranking_evaluator.ranking.size))]
    """By number of cards, the sums of their signatures."""
    for kind, copies in Counter(kinds[card] for card in deck).items():
        for count in range(len(sums) - 1, 0, -1):
            for held in range(1, min(copies, count) + 1):
                sums[count] |= {others + held * signatures[kind] for others in sums[count - held]}
    values = without_hearts(ranking_evaluator).caches.by_ranks
    for hand in sums[-1]:
        values[hand]


def without_hearts(ranking_evaluator: Evaluator) -> Evaluator:
    """Return the evaluator to whom hands are equal that differ in their hearts alone (T-11)."""
    if not ranking_evaluator.ranks_hearts:
        return ranking_evaluator
    return evaluator(replace(ranking_evaluator.ranking, suit_rank=SuitRank.NONE))


def _is_told_by_choices(ranking_evaluator: Evaluator) -> bool:
    """Whether the rule for hole cards lets the best hand be told by choices of a fixed number of own cards, or of any up to a maximum."""
    minimum, maximum = ranking_evaluator.ranking.from_hole or (0, ranking_evaluator.ranking.size)
    return not ranking_evaluator.ranking.is_badugi and minimum in (0, maximum)


def _is_told_by_fives(ranking_evaluator: Evaluator, hole_sizes: Sequence[int], board_size: int) -> bool:
    """Whether the best hand is the best of all choices of so many cards, with a fixed number of own cards or with any up to a maximum."""
    ranking = ranking_evaluator.ranking
    minimum, maximum = ranking.from_hole or (0, ranking.size)
    return _is_told_by_choices(ranking_evaluator) and all(
        size >= minimum and min(size, maximum) + board_size >= ranking.size and board_size >= ranking.size - maximum
        for size in hole_sizes
    )


class BestHands:
    """The best hands of players who share a board.

    Args:
        ranking_evaluator: how hands are ranked.
        holes: each player's own cards.
        board: the common cards that are known.
        board_size: how many there will be.

    Attributes:
        flush_start: added to the counters of the cards to come (`counters_of`), its bits `FLUSH_BITS` say whether suits can matter.
        breaks_ties: equal values can still be told apart, see `with_ties_broken`.
    """

    def __init__(
        self, ranking_evaluator: Evaluator, holes: Sequence[tuple[int, ...]], board: tuple[int, ...], board_size: int
    ) -> None:
        self._holes, self._board = holes, board
        self._evaluator = self._exact = ranking_evaluator
        self._sizes: tuple[int, ...] = ()
        self.breaks_ties = False
        if not _is_told_by_fives(ranking_evaluator, [len(hole) for hole in holes], board_size):
            self.flush_start = FLUSH_BITS
            return
        if ranking_evaluator.ranks_hearts:
            self.breaks_ties = True
            self._evaluator = without_hearts(ranking_evaluator)
        size = ranking_evaluator.ranking.size
        minimum, maximum = ranking_evaluator.ranking.from_hole or (0, size)
        own_counts = range(max(minimum, size - board_size), min(maximum, size, max(map(len, holes))) + 1)
        self._sizes = tuple(size - count for count in own_counts)
        """How many common cards a hand can take."""
        self._kinds = _kinds_of(self._evaluator)
        self._choices = {count: _choices_of(self._evaluator, tuple(holes), count) for count in self._sizes}
        self.flush_start = self._flush_start(own_counts)

    def values(self, drawn: tuple[int, ...], *, suits_matter: bool) -> BoardValues:
        """Return the values once these cards have come; without `suits_matter` they hang on the counters without suits alone."""
        board = (*self._board, *drawn)
        if not self._sizes:
            return tuple(self._evaluator.values(self._holes, board))
        kinds = self._kinds
        ranks = sorted([kinds[card] for card in board])
        found: list[BoardValues] = []
        for size in self._sizes:
            choices = self._choices[size]
            if suits_matter:
                found += map(choices.of_cards, combinations(board, size))
            else:
                found += map(choices.by_ranks.__getitem__, combinations(ranks, size))
        return tuple(map(max, *found)) if len(found) > 1 else found[0]

    def exact_value(self, player: int, value: int, drawn: tuple[int, ...]) -> int:
        """Return the whole value of a player's hand, with what breaks ties, once these cards have come.

        Args:
            player: which of them.
            value: of their hand, as `values` has told it.
        """
        hole, board = self._holes[player], (*self._board, *drawn)
        if self._exact.ranking.from_hole is None:
            return self._exact.with_hearts(value, hole + board)
        if not self._exact.ranking.from_hole[0]:
            return self._exact.best(hole, board)
        plain, with_hearts = self._evaluator.value, self._exact.with_hearts
        return max(
            [with_hearts(value, cards) for cards in self._exact.playable_hands(hole, board) if plain(cards) == value]
        )

    def _flush_start(self, own_counts: range) -> int:
        size = self._evaluator.ranking.size
        if not self._evaluator.rules.counts_flushes:
            return 0
        start = 0
        for suit in range(4):
            needed = _NEVER
            for hole in self._holes:
                held = min(own_counts[-1], self._count_of_suit(hole, suit))
                if held >= own_counts[0]:
                    needed = min(needed, size - held)
            if needed < _NEVER:
                start += min(8, max(0, 8 - needed + self._count_of_suit(self._board, suit))) << 4 * suit
        return start

    def _count_of_suit(self, cards: Sequence[int], suit: int) -> int:
        return sum(_can_be_of_suit(card, self._kinds, suit) for card in cards)


def as_exact(value: int) -> int:
    """Return a value of `BestHands.values` as it compares with those of `BestHands.exact_value`."""
    return value << HEARTS_BITS


def _kinds_of(ranking_evaluator: Evaluator) -> tuple[int, ...]:
    """Return what each card is to hands without a flush: its rank, or one of the kinds of wild cards."""
    method_of = ranking_evaluator.ranking.wild.method_of
    return tuple(
        _WILD_KINDS[method]
        if (method := method_of(card)) is not WildMethod.NONE
        else _NOTHING
        if card >= JOKER
        else card >> 2
        for card in ALL_CARDS
    )


def _signatures_of(ranking_evaluator: Evaluator, kinds: Sequence[int]) -> list[int]:
    """Return by kind what a card adds to a hand's signature (`bot.engine.ranking.counters`)."""
    method_of = ranking_evaluator.ranking.wild.method_of
    signatures = [0] * (_NOTHING + 1)
    for card in ALL_CARDS:
        signatures[kinds[card]] = card_counters(card, method_of(card), suits=False, wild_in_suits=False) >> SUIT_BITS
    return signatures


def _can_be_of_suit(card: int, kinds: Sequence[int], suit: int) -> bool:
    kind = kinds[card]
    return card & 3 == suit if kind < 13 else kind != _NOTHING


class _ByRanks(dict[tuple[int, ...], BoardValues]):
    """The best values with common cards of these kinds, as long as no flush is made."""

    def __init__(
        self, ranking_evaluator: Evaluator, signatures: Sequence[int], own_sums: Sequence[tuple[int, ...]]
    ) -> None:
        super().__init__()
        self._values, self._signatures, self._own_sums = ranking_evaluator.caches.by_ranks, signatures, own_sums

    def __missing__(self, kinds: tuple[int, ...]) -> BoardValues:
        common, values = sum([self._signatures[kind] for kind in kinds]), self._values
        found = self[kinds] = tuple([max([values[own + common] for own in sums], default=0) for sums in self._own_sums])
        return found


@lru_cache(maxsize=_REMEMBERED)
def _choices_of(ranking_evaluator: Evaluator, holes: tuple[tuple[int, ...], ...], common_count: int) -> _Choices:
    """Return what is known of these hands: they meet another board when the hand has a second one, or when the next card has come."""
    return _Choices(ranking_evaluator, _kinds_of(ranking_evaluator), holes, common_count)


class _Choices:
    """The best of each player's choices of own cards, with `common_count` common ones."""

    def __init__(
        self, ranking_evaluator: Evaluator, kinds: Sequence[int], holes: Sequence[tuple[int, ...]], common_count: int
    ) -> None:
        own_count = ranking_evaluator.ranking.size - common_count
        self._value, self._is_low = ranking_evaluator.value, ranking_evaluator.ranking.is_low
        self._counts_flushes, self._kinds = ranking_evaluator.rules.counts_flushes, kinds
        self._own = [tuple(combinations(hole, own_count)) for hole in holes]
        signatures = _signatures_of(ranking_evaluator, kinds)
        self.by_ranks = _ByRanks(
            ranking_evaluator,
            signatures,
            [tuple({sum([signatures[kinds[card]] for card in own]) for own in choices}) for choices in self._own],
        )
        self._of_suit = [
            [
                [own for own in choices if all(_can_be_of_suit(card, kinds, suit) for card in own)]
                for choices in self._own
            ]
            for suit in range(4)
        ]
        self._in_suit: dict[tuple[int, ...], BoardValues] = {}

    def of_cards(self, cards: tuple[int, ...]) -> BoardValues:
        """Return the best values with just these common cards."""
        kinds = self._kinds
        suits = {card & 3 for card in cards if kinds[card] < 13}
        if len(suits) > 1 or not self._counts_flushes:
            return self.by_ranks[tuple(sorted([kinds[card] for card in cards]))]
        known = self._in_suit.get(cards)
        if known is None:
            known = self._in_suit[cards] = self._values_in_suit(cards, tuple(suits) or (0, 1, 2, 3))
        return known

    def _values_in_suit(self, cards: tuple[int, ...], suits: tuple[int, ...]) -> BoardValues:
        """Return the best values where the common cards can all be of these suits."""
        value = self._value
        without_flush = self.by_ranks[tuple(sorted([self._kinds[card] for card in cards]))]
        found: list[int] = []
        for at, (choices, plain) in enumerate(zip(self._own, without_flush, strict=True)):
            flushes = [own for suit in suits for own in self._of_suit[suit][at]]
            if not flushes:
                found.append(plain)
            elif self._is_low:  # a flush is the worse hand there
                found.append(max([value(own + cards) for own in choices]))
            else:
                found.append(max(plain, *[value(own + cards) for own in flushes]))
        return tuple(found)
