"""Examples of a ranking's hands, from the best to the worst: what beats what in a game.

Every example is found by asking the evaluator, so it is what it says under this ranking: with a stripped deck, for low, with wild cards.

Source: laws R-2 to R-12, SP-1, LO-1 to LO-5, VC-2, VC-15.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice, permutations

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.cards import JOKER, SPADES
from bot.engine.ranking.evaluator import evaluator
from bot.engine.ranking.layout import hand_layout
from bot.engine.ranking.rules import shape_of
from bot.engine.ranking.spec import Ranking, WildMethod
from bot.engine.ranking.value import Category, HandName, category_order

LOW_TOPS = 3
"""How many of the best lows without a pair are shown, each with another highest card. The worst one follows."""

_STARTS: dict[Category, int] = {
    Category.FOUR_OF_A_KIND: 2,
    Category.FULL_HOUSE: 1,
    Category.FLUSH: 1,
    Category.THREE_OF_A_KIND: 6,
    Category.TWO_PAIR: 3,
    Category.PAIR: 4,
}
"""At which rank, counted from the best, the search for an example begins: a list of aces alone would teach little."""
_STRIDE = 3
"""Ranks are tried in steps, so that single cards lie apart."""


class ExampleHand(Struct, frozen=True):
    """A hand that shows what a class of hands is.

    Attributes:
        name: what the ranking calls it.
        value: the higher is the better hand, as everywhere.
        cards: those that play, the most important first.
        idle: those that do not count (VC-15).
        wild: which of the cards are wild.
    """

    name: HandName
    value: int
    cards: tuple[int, ...]
    idle: tuple[int, ...] = ()
    wild: tuple[int, ...] = ()


@lru_cache(maxsize=128)
def example_hands(ranking: Ranking, deck: tuple[int, ...]) -> tuple[ExampleHand, ...]:
    """Return an example of every class of hands that this ranking knows and this deck can make, the best first.

    For low, the best hands without a pair come one by one, because most pots are won with them; a low that does not qualify is left out.

    Args:
        deck: the cards that the game is played with.
    """
    search = _Search(ranking, deck)
    found = list(search.badugis() if ranking.is_badugi else search.hands())
    return tuple(sorted(found, key=lambda example: example.value, reverse=True))


class _Search:
    """Looks for examples of one ranking in one deck."""

    def __init__(self, ranking: Ranking, deck: Sequence[int]) -> None:
        self.ranking = replace(ranking, from_hole=None)  # an example is a whole hand, not what somebody holds
        self.evaluator = evaluator(self.ranking)
        self.size = ranking.size
        self.wild = [card for card in deck if ranking.wild.method_of(card) is not WildMethod.NONE]
        natural = [card for card in deck if card < JOKER and card not in self.wild]
        best_first = self.evaluator.rules.ranks_best_first
        # Spades first: the cards of a rank, and the ranks that have a natural card at all.
        self.cards_of = {
            rank: tuple(sorted((card for card in natural if card >> 2 == rank), reverse=True)) for rank in best_first
        }
        self.ranks = tuple(rank for rank in best_first if self.cards_of[rank])

    def hands(self) -> Iterator[ExampleHand]:
        """Yield an example of each category that can be made."""
        for category in category_order(self.ranking):
            if category is Category.HIGH_CARD and self.ranking.is_low:
                yield from self._lows()
                continue
            if self.ranking.qualifier is not None:
                continue  # only a hand without a pair qualifies
            for cards in self._candidates(category):
                name = self._name(cards)
                if name is not None and name.category is category:
                    yield self._example(cards, name)
                    break

    def badugis(self) -> Iterator[ExampleHand]:
        """Yield the best and the worst badugi of four cards, and one of three, of two and of one card."""
        lowest, highest = self.ranks[:4], self.ranks[-4:]
        for ranks, count in ((lowest, 4), (highest, 4), (lowest, 3), (lowest, 2), (lowest, 1)):
            # Cards of different suits count; the others share the suit of the first, which is lower.
            playing = [rank * 4 + SPADES - at for at, rank in enumerate(ranks[:count])]
            idle = [rank * 4 + SPADES for rank in highest[count - 4 :]] if count < 4 else []
            name = self._name((*playing, *idle))
            if name is not None and len(name.ranks) == count:
                yield self._example((*playing, *idle), name)

    def _lows(self) -> Iterator[ExampleHand]:
        """Yield the best low of each of the lowest highest cards, and the worst low of all."""
        rules, qualifier = self.evaluator.rules, self.ranking.qualifier
        ranks = [rank for rank in self.ranks if qualifier is None or rules.faces[rank] <= rules.faces[qualifier]]
        tops = range(self.size - 1, len(ranks))
        shown = [low for top in tops[: LOW_TOPS + 1] for low in islice(self._lows_below(ranks, top), 1)]
        del shown[LOW_TOPS:]
        worst = next((low for top in reversed(tops) for low in self._lows_below(ranks, top, worst_first=True)), None)
        if worst is not None and worst not in shown:
            shown.append(worst)
        yield from (self._example(cards, name) for cards, name in shown)

    def _lows_below(
        self, ranks: Sequence[int], top: int, *, worst_first: bool = False
    ) -> Iterator[tuple[tuple[int, ...], HandName]]:
        """Yield the lows without a pair whose highest card is the one at `top`, the best first or the worst first."""
        sets = sorted((below[::-1] for below in combinations(range(top), self.size - 1)), reverse=worst_first)
        for below in sets:
            cards = self._in_mixed_suits([(ranks[at], 1) for at in (top, *below)])
            name = self._name(cards)
            if name is not None and name.category is Category.HIGH_CARD:
                yield cards, name

    def _candidates(self, category: Category) -> Iterator[tuple[int, ...]]:
        """Yield hands that could be of the category."""
        match category:
            case Category.FIVE_OF_A_KIND:
                for rank in self.ranks:
                    held = self.cards_of[rank][: self.size - 1]
                    yield (*held, *self.wild[: self.size - len(held)])
            case Category.STRAIGHT:
                for run in self._straights(category, 2):
                    yield self._in_mixed_suits([(rank, 1) for rank in run])
            case Category.STRAIGHT_FLUSH:
                for run in self._straights(category, 3):
                    yield from self._in_one_suit(run)
            case Category.FLUSH if self.evaluator.rules.counts_flushes:
                for flush in combinations(self._ranks_from(category), self.size):
                    yield from self._in_one_suit(flush)
            case Category.LITTLE_DOG | Category.BIG_DOG | Category.LITTLE_CAT | Category.BIG_CAT:
                for special in combinations(self.ranks, self.size):
                    yield self._in_mixed_suits([(rank, 1) for rank in special])
            case Category.FLUSH:
                return
            case _:
                groups = shape_of(category, self.size)
                sizes = [size for size, how_many in groups or () for _ in range(how_many)]
                for chosen in permutations(self._ranks_from(category), len(sizes)) if sizes else ():
                    yield self._in_mixed_suits(list(zip(chosen, sizes, strict=True)))

    def _straights(self, category: Category, part: int) -> Iterator[list[int]]:
        """Yield the ranks of straights, the first one so far down the list of them."""
        rules = self.evaluator.rules
        tops = [top for _, top in rules.straights]
        first = len(tops) // part
        for top in (*tops[first:], *tops[:first]):
            yield [rank for rank in rules.rank_of_every_card(category, (top,)) if rank is not None]

    def _ranks_from(self, category: Category) -> tuple[int, ...]:
        start = _STARTS.get(category, 0) % max(1, len(self.ranks))
        turned = (*self.ranks[start:], *self.ranks[:start])
        return tuple(rank for first in range(_STRIDE) for rank in turned[first::_STRIDE])

    def _in_one_suit(self, ranks: Sequence[int]) -> Iterator[tuple[int, ...]]:
        for suit in (2, 3, 1, 0):
            cards = tuple(rank * 4 + suit for rank in ranks)
            if all(card in self.cards_of[card >> 2] for card in cards):
                yield cards

    def _in_mixed_suits(self, groups: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """Return cards of these ranks, so many of each, single cards in turning suits; fewer where the deck has fewer."""
        cards: list[int] = []
        for at, (rank, how_many) in enumerate(groups):
            held = self.cards_of.get(rank, ())
            turn = at % len(held) if held else 0
            cards += (*held[turn:], *held[:turn])[:how_many]
        return tuple(cards)

    def _name(self, cards: tuple[int, ...]) -> HandName | None:
        """Return the hand that these cards make; None if they are too few or do not qualify."""
        if len(cards) != (4 if self.ranking.is_badugi else self.size):
            return None
        value = self.evaluator.value(cards)
        return self.evaluator.name(value) if value else None

    def _example(self, cards: tuple[int, ...], name: HandName) -> ExampleHand:
        layout = hand_layout(self.evaluator, cards)
        idle = tuple(card for card in cards if card not in layout.cards)
        return ExampleHand(name, layout.value, layout.cards, idle, tuple(card for card in cards if card in self.wild))
