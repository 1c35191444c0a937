"""The values of several hands on one board after another, quickly: what all-in luck spends its time on.

A player's best hand is the best of their choices of own cards with the best choice of common cards. For one choice of common cards the
best value of each player is worked out once and remembered, by its ranks alone where no flush is possible. A board then costs one look-up
for each choice and one comparison for each player: Omaha with ten players, which evaluates 120 five-card hands each a board, takes
5 µs a board instead of 500.

Every value is the engine's own (`bot.engine.ranking`). Where its rules see more than five cards at a time, because of wild cards, suits
that break ties or badugis, it is asked for every board.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from bot.engine.cards import JOKER
from bot.engine.ranking import Evaluator
from bot.engine.ranking.counters import FLUSH_BITS, card_counters, signature_of
from bot.engine.ranking.spec import WildMethod

BoardValues = tuple[int, ...]
"""The value of each player's best hand; the higher the better, 0 where it does not qualify."""

CARD_COUNTERS = tuple(
    card_counters(card, WildMethod.NONE, suits=True, wild_in_suits=False) for card in range(JOKER + 2)
)
"""Cards as counters of ranks and suits, so that equal ranks have equal sums. A joker counts for nothing."""

_NEVER = 99


def plays_by_ranks(evaluator: Evaluator, cards: Sequence[int], hole_sizes: Sequence[int], board_size: int) -> bool:
    """Whether `BestHands` can answer from tables.

    Args:
        evaluator: how hands are ranked.
        cards: all cards that can be held or come.
        hole_sizes: how many cards each player holds.
        board_size: how many common cards there will be.
    """
    ranking = evaluator.ranking
    if ranking.is_badugi or evaluator.ranks_hearts:
        return False
    if any(card >= JOKER or ranking.wild.method_of(card) is not WildMethod.NONE for card in cards):
        return False
    minimum, maximum = ranking.from_hole or (0, ranking.size)
    if minimum not in (0, maximum):
        return False
    return all(
        size >= minimum and min(size, maximum) + board_size >= ranking.size and board_size >= ranking.size - maximum
        for size in hole_sizes
    )


class BestHands:
    """The best hands of players who share a board.

    Args:
        evaluator: how hands are ranked.
        holes: each player's own cards.
        board: the common cards that are known.
        board_size: how many there will be.
        cards: all cards that can be held or come.

    Attributes:
        flush_start: added to the counters of the cards to come, its bits `FLUSH_BITS` say whether suits can matter on a board.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        holes: Sequence[tuple[int, ...]],
        board: tuple[int, ...],
        board_size: int,
        cards: Sequence[int],
    ) -> None:
        self._evaluator, self._holes, self._board = evaluator, holes, board
        self._sizes: tuple[int, ...] = ()
        if not plays_by_ranks(evaluator, cards, [len(hole) for hole in holes], board_size):
            self.flush_start = FLUSH_BITS
            return
        size = evaluator.ranking.size
        minimum, maximum = evaluator.ranking.from_hole or (0, size)
        own_counts = range(max(minimum, size - board_size), min(maximum, size, max(map(len, holes))) + 1)
        self._sizes = tuple(size - count for count in own_counts)
        """How many common cards a hand can take."""
        self._choices = {count: _Choices(evaluator, holes, count) for count in self._sizes}
        self.flush_start = self._flush_start(own_counts)

    def values(self, drawn: tuple[int, ...], *, suits_matter: bool) -> BoardValues:
        """Return the values once these cards have come; without `suits_matter` they hang on the ranks alone."""
        board = (*self._board, *drawn)
        if not self._sizes:
            return tuple(self._evaluator.values(self._holes, board))
        ranks = sorted([card >> 2 for card in board])
        found: list[BoardValues] = []
        for size in self._sizes:
            choices = self._choices[size]
            if suits_matter:
                found += map(choices.of_cards, combinations(board, size))
            else:
                found += map(choices.by_ranks.__getitem__, combinations(ranks, size))
        return tuple(map(max, *found)) if len(found) > 1 else found[0]

    def _flush_start(self, own_counts: range) -> int:
        rules, size = self._evaluator.rules, self._evaluator.ranking.size
        if not rules.counts_flushes:
            return 0
        start = 0
        for suit in range(4):
            on_board = sum(card & 3 == suit for card in self._board)
            needed = _NEVER
            for hole in self._holes:
                held = min(own_counts[-1], sum(card & 3 == suit for card in hole))
                if held >= own_counts[0]:
                    needed = min(needed, size - held)
            if needed < _NEVER:
                start += min(8, max(0, 8 - needed + on_board)) << 4 * suit
        return start


class _ByRanks(dict[tuple[int, ...], BoardValues]):
    """The best values with common cards of these ranks, as long as no flush is made."""

    def __init__(self, evaluator: Evaluator, own_sums: Sequence[tuple[int, ...]]) -> None:
        super().__init__()
        self._values, self._own_sums = evaluator.caches.by_ranks, own_sums

    def __missing__(self, ranks: tuple[int, ...]) -> BoardValues:
        common, values = signature_of(ranks), self._values
        found = self[ranks] = tuple([max([values[own + common] for own in sums], default=0) for sums in self._own_sums])
        return found


class _Choices:
    """The best of each player's choices of own cards, with `common_count` common ones."""

    def __init__(self, evaluator: Evaluator, holes: Sequence[tuple[int, ...]], common_count: int) -> None:
        own_count = evaluator.ranking.size - common_count
        self._value, self._is_low = evaluator.value, evaluator.ranking.is_low
        self._counts_flushes = evaluator.rules.counts_flushes
        self._own = [tuple(combinations(hole, own_count)) for hole in holes]
        self.by_ranks = _ByRanks(
            evaluator, [tuple({signature_of([card >> 2 for card in own]) for own in choices}) for choices in self._own]
        )
        self._of_suit = [
            [[own for own in choices if all(card & 3 == suit for card in own)] for choices in self._own]
            for suit in range(4)
        ]
        self._in_suit: dict[tuple[int, ...], BoardValues] = {}

    def of_cards(self, cards: tuple[int, ...]) -> BoardValues:
        """Return the best values with just these common cards."""
        suits = {card & 3 for card in cards}
        if len(suits) > 1 or not self._counts_flushes:
            return self.by_ranks[tuple(sorted([card >> 2 for card in cards]))]
        known = self._in_suit.get(cards)
        if known is None:
            known = self._in_suit[cards] = self._values_in_suit(cards)
        return known

    def _values_in_suit(self, cards: tuple[int, ...]) -> BoardValues:
        """Return the best values where the common cards have one suit, or there are none."""
        value = self._value
        without_flush = self.by_ranks[tuple(sorted([card >> 2 for card in cards]))]
        suited = self._of_suit[cards[0] & 3] if cards else self._own
        found: list[int] = []
        for choices, flushes, plain in zip(self._own, suited, without_flush, strict=True):
            if not flushes:
                found.append(plain)
            elif self._is_low:  # a flush is the worse hand there
                found.append(max([value(own + cards) for own in choices]))
            else:
                found.append(max(plain, *[value(own + cards) for own in flushes]))
        return tuple(found)
