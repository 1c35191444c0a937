"""The plain judge: what the best hand is, told by how many cards of each rank are held. Slow, and meant to be read.

It is asked once about each signature; `evaluator` remembers the answers. Suits enter in two places only: cards of one
suit, of which at least five can be played (`of_suit`), and a low hand that cannot avoid being a flush (`low`).

Source: laws R-1 to R-12, T-1 to T-10, W-3 to W-9, SP-1, LO-1 to LO-5, VB-7, VC-15.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_

import msgspec

from bot.engine.cards import ACE, EIGHT, KING, NINE, SEVEN, THREE, TWO
from bot.engine.ranking.spec import NOTHING_WILD, AceStraight, Ranking, Scale, WildMethod
from bot.engine.ranking.value import LOW_TOP, Category, category_order, face, pack, place

Shape = tuple[tuple[int, int], ...]
"""A hand by groups: (cards in the group, number of such groups), the most important first."""

_SHAPES: dict[Category, Shape] = {
    Category.HIGH_CARD: ((1, 5),),
    Category.PAIR: ((2, 1), (1, 3)),
    Category.TWO_PAIR: ((2, 2), (1, 1)),
    Category.THREE_OF_A_KIND: ((3, 1), (1, 2)),
    Category.FULL_HOUSE: ((3, 1), (2, 1)),
    Category.FOUR_OF_A_KIND: ((4, 1), (1, 1)),
    Category.FIVE_OF_A_KIND: ((5, 1),),
}
_SPECIAL_ENDS = {
    Category.LITTLE_DOG: (TWO, SEVEN),
    Category.BIG_DOG: (NINE, ACE),
    Category.LITTLE_CAT: (THREE, EIGHT),
    Category.BIG_CAT: (EIGHT, KING),
}


def shape_of(category: Category, size: int) -> Shape | None:
    """Return the category's shape for a hand of `size` cards; None where such a hand cannot be of that category."""
    groups: list[tuple[int, int]] = []
    left = size
    for cards_in_group, how_many in _SHAPES[category]:
        fits = min(how_many, left // cards_in_group)
        if cards_in_group > 1 and fits < how_many:
            return None
        if fits:
            groups.append((cards_in_group, fits))
        left -= cards_in_group * fits
    return tuple(groups) if left == 0 else None


class Rules:
    """One game's order of hands, without knowing which cards are wild."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self.size = ranking.size
        self.is_low = ranking.is_low
        self.ace_is_low = ranking.ace_is_low
        self.faces = tuple(face(rank, ace_is_low=self.ace_is_low) for rank in range(13))
        upward = sorted(ranking.ranks, key=self.faces.__getitem__)
        self.preferred = tuple(upward if self.is_low else reversed(upward))
        """The ranks of the pack, the best first."""
        self.repeats = WildMethod.FREE in {ranking.wild.method, ranking.wild.joker}
        self._runs: dict[int | None, tuple[int, ...]] = {}
        self.sequences = self._sequences()
        order = category_order(ranking)
        self.counts_suits = bool(self.sequences) and Category.FLUSH in order
        self.places = {category: place(category, ranking) for category in order}
        self.order = order if self.is_low else order[::-1]
        """The categories, the best first."""
        self._choices = {
            how_many: tuple((ranks, self._mask(ranks)) for ranks in self._choose(how_many)) for how_many in (1, 2)
        }
        self._five_ranks = tuple(self._mask(ranks) for ranks in self._choose(self.size)) if self.is_low else ()
        self._sequence_masks = frozenset(mask for mask, _ in self.sequences)
        self._ranks_of_five = {self._mask(ranks): ranks for ranks in self._choose(self.size)} if self.is_low else {}
        self._specials = {
            category: tuple(
                (self._mask((low, high, *between)), (high, *reversed(between), low))
                for between in reversed(list(combinations(range(low + 1, high), 3)))
            )
            for category, (low, high) in _SPECIAL_ENDS.items()
            if category in order
        }

    # What the best hand is

    def high(self, counts: Sequence[int], free: int, bugs: int) -> int:
        """Return the worth of the best high hand that is no flush.

        Args:
            counts: natural cards held of each of the 13 ranks.
            free: wild cards that may stand for any rank.
            bugs: wild cards that are an ace or complete something (W-4).
        """
        held = sum(1 << rank for rank in range(13) if counts[rank])
        as_aces = list(counts)
        as_aces[ACE] += bugs
        size = min(self.size, sum(as_aces) + free)
        for category in self.order:
            ranks: tuple[int, ...] | None = None
            if category is Category.STRAIGHT:
                ranks = self._sequence(held, free + bugs)
            elif category in self._specials:
                ranks = self._special(category, held, free + bugs)
            elif category in _SHAPES:
                shape = shape_of(category, size)
                ranks = None if shape is None else self._fill(shape, as_aces, free)
            if ranks is not None:
                return self.worth(category, ranks)
        return 0

    def of_suit(self, held: int, free: int, bugs: int) -> int:
        """Return the worth of the best flush or straight flush out of one suit.

        Args:
            held: ranks held in that suit, a bit each.
            free: wild cards of any rank; under the method `free` they repeat the ace (W-5), else they fill the highest
                gaps (W-3).
            bugs: bugs fill the highest gaps.
        """
        ranks = self._sequence(held, free + bugs)
        if ranks is not None:
            return self.worth(Category.STRAIGHT_FLUSH, ranks)
        repeated = min(free, self.size) if self.repeats else 0
        counts = [held >> rank & 1 for rank in range(13)]
        rest = self._fill(((1, self.size - repeated),), counts, free - repeated + bugs) if repeated < self.size else ()
        assert rest is not None, "asked about a suit that makes no flush"
        return self.worth(Category.FLUSH, (self.preferred[0],) * repeated + rest)

    def low(self, counts: Sequence[int], wild: int, only: int) -> int:
        """Return the worth of the best low hand, 0 if it does not qualify. A wild card is any lacking rank, in any suit
        (VB-7).

        Args:
            counts: natural cards held of each of the 13 ranks.
            wild: wild cards of whatever method.
            only: ranks held in the long suit and in no other, a bit each; 0 if no flush is possible.
        """
        held = sum(1 << rank for rank in range(13) if counts[rank])
        size = min(self.size, sum(counts) + wild)
        forced = 0 if wild else only
        for category in self.order:
            ranks: tuple[int, ...] | None = None
            if category in (Category.STRAIGHT_FLUSH, Category.FLUSH):
                if forced:
                    ranks = self._forced_flush(held & forced, in_sequence=category is Category.STRAIGHT_FLUSH)
            elif category is Category.STRAIGHT:
                ranks = self._sequence(held, wild, forced)
            elif category is Category.HIGH_CARD and size == self.size and self.sequences:
                ranks = self._no_pair(held, wild, forced)
            elif category in _SHAPES:
                shape = shape_of(category, size)
                ranks = None if shape is None else self._fill(shape, counts, wild)
            if ranks is not None:
                return self.worth(category, ranks) if self._qualifies(category, ranks) else 0
        return 0

    def worth(self, category: Category, ranks: Sequence[int]) -> int:
        """Return the value of a hand of this category with these ranks, the most important first; a sequence gives its
        top only.
        """
        packed = pack(self.places[category], (self.faces[rank] for rank in ranks))
        return LOW_TOP - packed if self.is_low else packed

    def slots(self, category: Category, ranks: Sequence[int | None]) -> tuple[int | None, ...]:
        """Return the rank of every card of such a hand, in order of importance; a straight is given by its top."""
        if category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
            return self._runs[ranks[0]]
        if category not in _SHAPES:
            return tuple(ranks)
        sizes = [size for size, how_many in _SHAPES[category] for _ in range(how_many)]
        return tuple(rank for rank, size in zip(ranks, sizes, strict=False) for _ in range(size))

    # How ranks are chosen

    def _fill(self, shape: Shape, counts: Sequence[int], spare: int, used: int = 0) -> tuple[int, ...] | None:
        """Choose the best ranks for these groups, filling them up with spare wild cards; None if it cannot be done."""
        if not shape:
            return ()
        (cards_in_group, how_many), rest = shape[0], shape[1:]
        if cards_in_group == 1:
            return self._singles(how_many, counts, spare, used)
        lacked = self._mask([rank for rank in range(13) if counts[rank] < cards_in_group])
        barred = used if spare else used | lacked
        for ranks, mask in self._choices[how_many]:
            if mask & barred:
                continue
            lacking = sum(max(0, cards_in_group - counts[rank]) for rank in ranks) if mask & lacked else 0
            if lacking <= spare:
                others = self._fill(rest, counts, spare - lacking, used | mask)
                if others is not None:
                    return ranks + others
        return None

    def _singles(self, how_many: int, counts: Sequence[int], spare: int, used: int) -> tuple[int, ...] | None:
        """Choose single cards of different ranks: the best that are held, with wild cards in the best gaps."""
        chosen: list[int] = []
        for rank in self.preferred:
            if used >> rank & 1 or len(chosen) == how_many:
                continue
            if not counts[rank]:
                if not spare:
                    continue
                spare -= 1
            chosen.append(rank)
        if len(chosen) < how_many:
            return None
        return tuple(sorted(chosen, key=self.faces.__getitem__, reverse=True))

    def _sequence(self, held: int, spare: int, forced: int = 0) -> tuple[int] | None:
        """Return the top of the best straight; on a low scale of the best that is not forced to be a flush."""
        for mask, top in self.sequences:
            if (mask & ~held).bit_count() <= spare and (not forced or mask & ~forced):
                return (top,)
        return None

    def _special(self, category: Category, held: int, spare: int) -> tuple[int, ...] | None:
        for mask, ranks in self._specials[category]:
            if (mask & ~held).bit_count() <= spare:
                return ranks
        return None

    def _no_pair(self, held: int, wild: int, forced: int) -> tuple[int, ...] | None:
        """Return the lowest five different ranks that are neither straight nor flush."""
        for mask in self._five_ranks:
            if (
                (mask & ~held).bit_count() <= wild
                and mask not in self._sequence_masks
                and (not forced or mask & ~forced)
            ):
                return self._ranks_of_five[mask]
        return None

    def _forced_flush(self, held: int, *, in_sequence: bool) -> tuple[int, ...] | None:
        if in_sequence:
            return next(((top,) for mask, top in self.sequences if not mask & ~held), None)
        for mask in self._five_ranks:
            if not mask & ~held and mask not in self._sequence_masks:
                return self._ranks_of_five[mask]
        return None

    def _qualifies(self, category: Category, ranks: Sequence[int]) -> bool:
        if self.ranking.qualifier is None:
            return True
        within = self.faces[ranks[0]] <= self.faces[self.ranking.qualifier]
        return category is Category.HIGH_CARD and len(ranks) == self.size and within

    # What is worked out once

    def _choose(self, how_many: int) -> tuple[tuple[int, ...], ...]:
        """Return all sets of ranks of one number, the best first, each written from its top."""
        downward = sorted(self.ranking.ranks, key=self.faces.__getitem__, reverse=True)
        found = list(combinations(downward, how_many))
        return tuple(reversed(found)) if self.is_low else tuple(found)

    def _sequences(self) -> tuple[tuple[int, int], ...]:
        """Return the straights as (mask, top rank), the best first."""
        ranking = self.ranking
        if ranking.size < 3:
            return ()
        match ranking.scale:
            case Scale.ACE_TO_FIVE | Scale.BADUGI | Scale.BADUGI_ACE_HIGH:
                return ()
            case Scale.LOW_ACE_LOW | Scale.HIGH_ACE_LOW:
                ace = AceStraight.LOW_ONLY
            case Scale.LOW_ACE_HIGH:
                ace = AceStraight.BOTH
            case Scale.DEUCE_TO_SEVEN:
                ace = AceStraight.HIGH_ONLY
            case Scale.HIGH:
                ace = ranking.ace_straight
        if Category.STRAIGHT not in category_order(ranking):
            return ()
        plain = tuple(rank for rank in ranking.ranks if rank != ACE)
        ladder = plain
        if ACE in ranking.ranks:
            ladder = (
                (() if ace is AceStraight.HIGH_ONLY else (ACE,))
                + plain
                + (() if ace is AceStraight.LOW_ONLY else (ACE,))
            )
        runs = [ladder[at : at + ranking.size] for at in range(len(ladder) - ranking.size + 1)]
        upward = [(self._mask(run), run[-1]) for run in runs]
        self._runs.update({run[-1]: run[::-1] for run in runs})
        return tuple(upward if self.is_low else reversed(upward))

    @staticmethod
    def _mask(ranks: Sequence[int]) -> int:
        mask = 0
        for rank in ranks:
            mask |= 1 << rank
        return mask


def badugi(suits_of: Sequence[int], wild: int, faces: Sequence[int]) -> int:
    """Return the worth of the best badugi: most cards with no rank or suit repeated, then lowest from the top.

    Args:
        suits_of: suits held of each of the 13 ranks, a bit each.
        wild: wild cards; each stands for the lowest rank and a suit not used.
        faces: what each rank is compared by.
    """
    # A card is two bits, one for its face and one for its suit: cards of different ranks and suits share none.
    held = [
        1 << faces[rank] | 1 << 16 + suit
        for rank in range(13)
        if suits_of[rank]
        for suit in range(4)
        if suits_of[rank] >> suit & 1
    ]
    best = 0
    for how_many in range(min(4, len(held)), -1, -1):
        lawful = [union for union in map(_union, combinations(held, how_many)) if union.bit_count() == 2 * how_many]
        if lawful:
            # Compared from the top card down, the lowest set of faces is the lowest number.
            ranks = min([union & 0xFFFF for union in lawful])
            lowest = [number for number in range(2, 16) if ranks >> number & 1]
            gaps = [number for number in sorted(faces) if number not in lowest]
            lowest += gaps[: min(wild, 4 - how_many)]
            best = max(best, badugi_worth(sorted(lowest, reverse=True)))
            if not wild:
                break
    return best


def _union(marks: Iterable[int]) -> int:
    return reduce(or_, marks, 0)


def badugi_worth(faces: Sequence[int]) -> int:
    """Return the worth of a badugi of these faces, the highest first: more cards are better, then lower ones."""
    return pack(len(faces), (16 - number for number in faces))


@lru_cache(maxsize=256)
def rules_of(ranking: Ranking) -> Rules:
    """Return the rules of a ranking: which cards are wild does not matter to them, only whether they may repeat."""
    repeats = WildMethod.FREE in {ranking.wild.method, ranking.wild.joker}
    wild = msgspec.structs.replace(NOTHING_WILD, method=WildMethod.FREE) if repeats else NOTHING_WILD
    return _rules(msgspec.structs.replace(ranking, wild=wild, from_hole=None))


@lru_cache(maxsize=256)
def _rules(ranking: Ranking) -> Rules:
    return Rules(ranking)
