"""The rules of ranking: what the best hand is, by how many cards of each rank are held. Slow, and meant to be read.

They are asked once about each signature; `evaluator` remembers the answers. Suits matter in two places only: for a flush, which needs
five cards of one suit (`best_flush`), and for a low hand that cannot avoid being one (`best_low`).

Source: laws R-1 to R-12, T-1 to T-10, W-3 to W-9, SP-1, LO-1 to LO-5, VB-7, VC-15.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from bot.engine.cards import ACE, EIGHT, KING, NINE, SEVEN, THREE, TWO
from bot.engine.ranking.spec import NOTHING_WILD, AceStraight, Ranking, Scale, WildMethod
from bot.engine.ranking.value import LOW_VALUE_BASE, Category, category_order, category_position, face_of, pack_value

ALL_RANKS = 0x1FFF
"""A bit for each of the 13 ranks."""
HandShape = tuple[tuple[int, int], ...]
"""The groups of a hand: (cards in the group, number of such groups), the most important first."""

_SHAPES: dict[Category, HandShape] = {
    Category.HIGH_CARD: ((1, 5),),
    Category.PAIR: ((2, 1), (1, 3)),
    Category.TWO_PAIR: ((2, 2), (1, 1)),
    Category.THREE_OF_A_KIND: ((3, 1), (1, 2)),
    Category.FULL_HOUSE: ((3, 1), (2, 1)),
    Category.FOUR_OF_A_KIND: ((4, 1), (1, 1)),
    Category.FIVE_OF_A_KIND: ((5, 1),),
}
_FLUSHES = (Category.FLUSH, Category.STRAIGHT_FLUSH)
_SPECIAL_ENDS = {
    Category.LITTLE_DOG: (TWO, SEVEN),
    Category.BIG_DOG: (NINE, ACE),
    Category.LITTLE_CAT: (THREE, EIGHT),
    Category.BIG_CAT: (EIGHT, KING),
}


def shape_of(category: Category, size: int) -> HandShape | None:
    """Return the category's groups for a hand of `size` cards; None where such a hand cannot be of that category."""
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


class RankingRules:
    """The order of hands of one game. Which cards are wild does not matter to it."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self.size = ranking.size
        self.is_low = ranking.is_low
        self.ace_is_low = ranking.ace_is_low
        self.faces = tuple(face_of(rank, ace_is_low=self.ace_is_low) for rank in range(13))
        upward = sorted(ranking.ranks, key=self.faces.__getitem__)
        self.ranks_best_first = tuple(upward if self.is_low else reversed(upward))
        """The ranks of the deck, the best first."""
        self.wild_repeats = WildMethod.FREE in {ranking.wild.method, ranking.wild.joker}
        self._straight_ranks: dict[int | None, tuple[int, ...]] = {}
        self.straights = self._build_straights()
        order = category_order(ranking)
        self.counts_flushes = bool(self.straights) and Category.FLUSH in order
        self.category_positions = {category: category_position(category, ranking) for category in order}
        self.categories_best_first = order if self.is_low else order[::-1]
        """The categories, the best first."""
        self._rank_sets_by_count = {
            how_many: tuple((ranks, self._mask(ranks)) for ranks in self._rank_sets(how_many)) for how_many in (1, 2)
        }
        self._rank_set_masks = tuple(self._mask(ranks) for ranks in self._rank_sets(self.size)) if self.is_low else ()
        self._rank_sets_within: dict[tuple[int, int], tuple[tuple[tuple[int, ...], int], ...]] = {}
        self._straight_masks = frozenset(mask for mask, _ in self.straights)
        self._ranks_of_mask = {self._mask(ranks): ranks for ranks in self._rank_sets(self.size)} if self.is_low else {}
        self._specials = {
            category: tuple(
                (self._mask((low, high, *between)), (high, *reversed(between), low))
                for between in reversed(list(combinations(range(low + 1, high), 3)))
            )
            for category, (low, high) in _SPECIAL_ENDS.items()
            if category in order
        }
        self._ways_best_first = tuple(self._ways_to_be_made(size) for size in range(self.size + 1))
        """By number of cards, the categories that they can make, the best first, each with its groups and the size of the largest."""

    # The best hand

    def best_high(self, counts: Sequence[int], free: int, bugs: int) -> int:
        """Return the value of the best high hand that is no flush.

        Args:
            counts: the number of natural cards of each of the 13 ranks.
            free: wild cards that can stand for any rank.
            bugs: wild cards that are an ace or complete something (W-4).
        """
        held = sum(1 << rank for rank in range(13) if counts[rank])
        as_aces = list(counts)
        as_aces[ACE] += bugs
        size = min(self.size, sum(as_aces) + free)
        largest_possible = max(as_aces) + free
        ranks: tuple[int, ...] | None
        for category, shape, largest in self._ways_best_first[size]:
            if largest > largest_possible:
                continue
            if shape is not None:
                ranks = self._fill_groups(shape, as_aces, free)
            elif category is Category.STRAIGHT:
                ranks = self._best_straight(held, free + bugs)
            else:
                ranks = self._best_special(category, held, free + bugs)
            if ranks is not None:
                return self.value_of(category, ranks)
        return 0

    def best_flush(self, held: int, free: int, bugs: int) -> int:
        """Return the value of the best flush or straight flush out of one suit.

        Args:
            held: the ranks held in that suit, a bit each.
            free: wild cards of any rank. Under the method `free` they repeat the ace (W-5), else they fill the highest gaps (W-3).
            bugs: wild cards that fill the highest gaps (W-4).
        """
        ranks = self._best_straight(held, free + bugs)
        if ranks is not None:
            return self.value_of(Category.STRAIGHT_FLUSH, ranks)
        repeated = min(free, self.size) if self.wild_repeats else 0
        counts = [held >> rank & 1 for rank in range(13)]
        rest = (
            self._fill_groups(((1, self.size - repeated),), counts, free - repeated + bugs)
            if repeated < self.size
            else ()
        )
        assert rest is not None, "a suit that makes no flush"
        return self.value_of(Category.FLUSH, (self.ranks_best_first[0],) * repeated + rest)

    def best_low(self, counts: Sequence[int], wild: int, only: int) -> int:
        """Return the value of the best low hand, 0 if it does not qualify.

        A wild card is any rank that its holder lacks, in any suit (VB-7).


        Args:
            counts: the number of natural cards of each of the 13 ranks.
            wild: wild cards of whatever method.
            only: the ranks held in the suit of a possible flush and in no other, a bit each; 0 if no flush is possible.
        """
        held = sum(1 << rank for rank in range(13) if counts[rank])
        size = min(self.size, sum(counts) + wild)
        forced = 0 if wild else only
        largest_possible = max(counts) + wild
        ranks: tuple[int, ...] | None
        for category, shape, largest in self._ways_best_first[size]:
            if largest > largest_possible:
                continue
            if shape is None:
                if category is Category.STRAIGHT:
                    ranks = self._best_straight(held, wild, forced)
                elif forced:
                    ranks = self._forced_flush(held & forced, in_sequence=category is Category.STRAIGHT_FLUSH)
                else:
                    continue
            elif category is Category.HIGH_CARD and size == self.size and self.straights:
                ranks = self._lowest_unpaired(held, wild, forced)
            else:
                ranks = self._fill_groups(shape, counts, wild)
            if ranks is not None:
                return self.value_of(category, ranks) if self._qualifies(category, ranks) else 0
        return 0

    def value_of(self, category: Category, ranks: Sequence[int]) -> int:
        """Return the value of a hand of this category with these ranks, the most important first; a straight gives its top only."""
        packed = pack_value(self.category_positions[category], (self.faces[rank] for rank in ranks))
        return LOW_VALUE_BASE - packed if self.is_low else packed

    def rank_of_every_card(self, category: Category, ranks: Sequence[int | None]) -> tuple[int | None, ...]:
        """Return the rank of every card of such a hand, in order of importance; a straight is given by its top."""
        if category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
            return self._straight_ranks[ranks[0]]
        if category not in _SHAPES:
            return tuple(ranks)
        sizes = [size for size, how_many in _SHAPES[category] for _ in range(how_many)]
        return tuple(rank for rank, size in zip(ranks, sizes, strict=False) for _ in range(size))

    # Choosing ranks

    def _fill_groups(
        self, shape: HandShape, counts: Sequence[int], spare: int, used: int = 0
    ) -> tuple[int, ...] | None:
        """Choose the best ranks for these groups and fill them up with spare wild cards; None if it cannot be done."""
        if not shape:
            return ()
        (cards_in_group, how_many), rest = shape[0], shape[1:]
        if cards_in_group == 1:
            return self._fill_singles(how_many, counts, spare, used)
        full = self._mask([rank for rank in range(13) if counts[rank] >= cards_in_group])
        for ranks, mask in self._sets_within((ALL_RANKS if spare else full) & ~used, how_many):
            lacking = sum(max(0, cards_in_group - counts[rank]) for rank in ranks) if mask & ~full else 0
            if lacking <= spare:
                others = self._fill_groups(rest, counts, spare - lacking, used | mask)
                if others is not None:
                    return ranks + others
        return None

    def _sets_within(self, allowed: int, how_many: int) -> tuple[tuple[tuple[int, ...], int], ...]:
        """Return the sets of one or two ranks out of the allowed ones, the best first, with their masks."""
        found = self._rank_sets_within.get((allowed, how_many))
        if found is None:
            sets = self._rank_sets_by_count[how_many]
            found = self._rank_sets_within[allowed, how_many] = tuple(one for one in sets if not one[1] & ~allowed)
        return found

    def _fill_singles(self, how_many: int, counts: Sequence[int], spare: int, used: int) -> tuple[int, ...] | None:
        """Choose single cards of different ranks: the best that are held, with wild cards in the best gaps."""
        if not spare and not used and 13 - counts.count(0) < how_many:
            return None
        chosen: list[int] = []
        for rank in self.ranks_best_first:
            if len(chosen) == how_many:
                break
            if used >> rank & 1:
                continue
            if not counts[rank]:
                if not spare:
                    continue
                spare -= 1
            chosen.append(rank)
        if len(chosen) < how_many:
            return None
        return tuple(sorted(chosen, key=self.faces.__getitem__, reverse=True))

    def _best_straight(self, held: int, spare: int, forced: int = 0) -> tuple[int] | None:
        """Return the top of the best straight; on a low scale, of the best that is not forced to be a flush."""
        if held.bit_count() + spare < self.size:
            return None
        for mask, top in self.straights:
            if (mask & ~held).bit_count() <= spare and (not forced or mask & ~forced):
                return (top,)
        return None

    def _best_special(self, category: Category, held: int, spare: int) -> tuple[int, ...] | None:
        for mask, ranks in self._specials[category]:
            if (mask & ~held).bit_count() <= spare:
                return ranks
        return None

    def _lowest_unpaired(self, held: int, wild: int, forced: int) -> tuple[int, ...] | None:
        """Return the lowest five different ranks that make neither a straight nor a flush."""
        if held.bit_count() + wild < self.size:
            return None
        for mask in self._rank_set_masks if wild else self._masks_within(held):
            if (
                (mask & ~held).bit_count() <= wild
                and mask not in self._straight_masks
                and (not forced or mask & ~forced)
            ):
                return self._ranks_of_mask[mask]
        return None

    def _masks_within(self, held: int) -> Iterator[int]:
        """Return the sets of five ranks out of the held ones, the lowest first: few, where all sets would be 1,287."""
        downward = [rank for rank in reversed(self.ranks_best_first) if held >> rank & 1]
        return reversed([self._mask(ranks) for ranks in combinations(downward, self.size)])

    def _forced_flush(self, held: int, *, in_sequence: bool) -> tuple[int, ...] | None:
        if in_sequence:
            return next(((top,) for mask, top in self.straights if not mask & ~held), None)
        for mask in self._masks_within(held):
            if mask not in self._straight_masks:
                return self._ranks_of_mask[mask]
        return None

    def _qualifies(self, category: Category, ranks: Sequence[int]) -> bool:
        if self.ranking.qualifier is None:
            return True
        within = self.faces[ranks[0]] <= self.faces[self.ranking.qualifier]
        return category is Category.HIGH_CARD and len(ranks) == self.size and within

    # Tables that are built once

    def _ways_to_be_made(self, size: int) -> tuple[tuple[Category, HandShape | None, int], ...]:
        """Return the categories that hands of `size` cards can be of, the best first: flushes for low alone, special hands for high."""
        found: list[tuple[Category, HandShape | None, int]] = []
        for category in self.categories_best_first:
            if category not in _SHAPES:
                if category not in (self._specials if self.is_low else _FLUSHES):
                    found.append((category, None, 0))
            elif (shape := shape_of(category, size)) is not None:
                found.append((category, shape, shape[0][0] if shape else 0))
        return tuple(found)

    def _rank_sets(self, how_many: int) -> tuple[tuple[int, ...], ...]:
        """Return all sets of `how_many` ranks, the best first, each written from its top."""
        downward = sorted(self.ranking.ranks, key=self.faces.__getitem__, reverse=True)
        found = list(combinations(downward, how_many))
        return tuple(reversed(found)) if self.is_low else tuple(found)

    def _build_straights(self) -> tuple[tuple[int, int], ...]:
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
        self._straight_ranks.update({run[-1]: run[::-1] for run in runs})
        return tuple(upward if self.is_low else reversed(upward))

    @staticmethod
    def _mask(ranks: Sequence[int]) -> int:
        mask = 0
        for rank in ranks:
            mask |= 1 << rank
        return mask


def best_badugi(suits_of: Sequence[int], wild: int, faces: Sequence[int]) -> int:
    """Return the value of the best badugi: the most cards without a repeated rank or suit, then the lowest from the top.

    Args:
        suits_of: the suits held of each of the 13 ranks, a bit each.
        wild: the number of wild cards; each stands for the lowest rank that is free, in a free suit.
        faces: the number that each rank is compared by.
    """
    # A card is two bits, one for its face and one for its suit: cards of different ranks and suits share none.
    held = [
        1 << face | suit << 16
        for face, suits in zip(faces, suits_of, strict=True)
        if suits
        for suit in (1, 2, 4, 8)
        if suits & suit
    ]
    without_repeats: list[list[int]] = [[0], [], [], [], []]  # by how many cards
    for card in held:
        for how_many in (3, 2, 1, 0):
            fewer = without_repeats[how_many]
            if fewer:
                without_repeats[how_many + 1] += [union | card for union in fewer if not union & card]
    best = 0
    for unions in reversed(without_repeats):
        if unions:
            # Compared from the top card down, the lowest set of faces is the lowest number.
            best = max(best, _badugi_of_ranks(min([union & 0xFFFF for union in unions]), wild, tuple(faces)))
            if not wild:
                break
    return best


@lru_cache(maxsize=1 << 13)
def _badugi_of_ranks(ranks: int, wild: int, faces: tuple[int, ...]) -> int:
    """Return the value of a badugi of these ranks, a bit for each face, and of wild cards that fill it up."""
    lowest = [number for number in range(2, 16) if ranks >> number & 1]
    gaps = [number for number in sorted(faces) if number not in lowest]
    lowest += gaps[: min(wild, 4 - len(lowest))]
    return badugi_value(sorted(lowest, reverse=True))


def badugi_value(faces: Sequence[int]) -> int:
    """Return the value of a badugi of these faces, the highest first: more cards are better, then lower ones."""
    return pack_value(len(faces), (16 - number for number in faces))


@lru_cache(maxsize=256)
def ranking_rules_for(ranking: Ranking) -> RankingRules:
    """Return the rules of a ranking. Rankings that differ only in which cards are wild share theirs."""
    repeats = WildMethod.FREE in {ranking.wild.method, ranking.wild.joker}
    wild = msgspec.structs.replace(NOTHING_WILD, method=WildMethod.FREE) if repeats else NOTHING_WILD
    return _cached_rules(msgspec.structs.replace(ranking, wild=wild, from_hole=None))


@lru_cache(maxsize=256)
def _cached_rules(ranking: Ranking) -> RankingRules:
    return RankingRules(ranking)
