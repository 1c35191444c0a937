"""Divide prizes exactly: by presets or an own table, shared ranks, agreements, and the independent chip model (ICM).

Every division rounds down; the odd chips go one each, in an order that the law names, so that all shares sum to what is divided.

Laws: SG-9, SG-10, SG-12, SG-13.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise


class PrizeTable(StrEnum):
    """The prize tables that people choose from. The words are stored."""

    USUAL = "usual"  # about one in three is paid
    WINNER = "winner takes all"
    TWO = "first two"
    OWN = "own"  # the host's


RANKS_MAX = 10
"""An own prize table pays so many ranks at most: as many as can enter."""
_USUAL: tuple[tuple[int, tuple[int, ...]], ...] = ((3, (100,)), (6, (65, 35)), (10, (50, 30, 20)))
"""Up to how many entrants, and the percents of the ranks."""


def percents_of(table: PrizeTable, entrants: int, own: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return what each place gets, in percent, the first first. No table pays more ranks than there are entrants (SG-10).

    Args:
        own: of an own table. Of one that pays more ranks than there are entrants the first ones count, in their proportions.
    """
    match table:
        case PrizeTable.OWN:
            return own[: max(1, entrants)] or (100,)
        case PrizeTable.WINNER:
            percents: tuple[int, ...] = (100,)
        case PrizeTable.TWO:
            percents = (65, 35)
        case PrizeTable.USUAL:
            percents = next((found for most, found in _USUAL if entrants <= most), _USUAL[-1][1])
    return percents if len(percents) <= entrants else (100,)


def is_prize_table(percents: Sequence[int]) -> bool:
    """Tell whether percents are a prize table: they sum to 100, and no rank gets more than the one above it."""
    falls = all(above >= below for above, below in pairwise(percents))
    return 0 < len(percents) <= RANKS_MAX and sum(percents) == 100 and percents[-1] > 0 and falls


def prizes_of(pool: int, percents: Sequence[int]) -> tuple[int, ...]:
    """Return the prizes of the ranks, the first first; odd chips go one each from first place down (SG-10).

    >>> prizes_of(1_001, (50, 30, 20))
    (501, 300, 200)
    """
    total = sum(percents)
    shares = [pool * percent // total for percent in percents]
    odd = pool - sum(shares)
    return tuple([share + (at < odd) for at, share in enumerate(shares)])


def shared_evenly(chips: int, players: Sequence[int]) -> dict[int, int]:
    """Divide chips evenly; odd chips go one each to the first players. The order is that of their seats, from the left of the button
    (SG-9).

    >>> shared_evenly(7, (5, 3))
    {5: 4, 3: 3}
    """
    each, odd = divmod(chips, len(players))
    return {player: each + (at < odd) for at, player in enumerate(players)}


def by_fractions(chips: int, shares: Mapping[int, Fraction]) -> dict[int, int]:
    """Divide chips in given proportions, rounded down; odd chips go one each to the largest fractions, equal ones in the order of
    `shares` (SG-10).

    >>> by_fractions(10, {1: Fraction(2), 2: Fraction(1)})
    {1: 7, 2: 3}
    """
    total = sum(shares.values())
    if not total:
        return shared_evenly(chips, tuple(shares))
    exact = {player: chips * share / total for player, share in shares.items()}
    rounded = {player: int(share) for player, share in exact.items()}
    order = sorted(
        exact, key=lambda player: rounded[player] - exact[player]
    )  # stable: equal fractions keep their order
    for player in order[: chips - sum(rounded.values())]:
        rounded[player] += 1
    return rounded


def by_chips(prizes: Sequence[int], stacks: Mapping[int, int]) -> dict[int, int]:
    """Divide what is left by chips: everybody first gets the lowest prize left, the rest goes in proportion to the stacks (SG-12).

    Args:
        prizes: of the ranks that are still open, the first first; 0 for those that are not paid.
        stacks: in the order of the seats from the left of the button.
    """
    lowest = prizes[len(stacks) - 1] if len(prizes) >= len(stacks) else 0
    rest = sum(prizes) - lowest * len(stacks)
    shares = by_fractions(rest, {player: Fraction(chips) for player, chips in stacks.items()})
    return {player: lowest + share for player, share in shares.items()}


def by_icm(prizes: Sequence[int], stacks: Mapping[int, int]) -> dict[int, int]:
    """Divide what is left by the independent chip model: who has a share of the chips comes in first with that chance, and so on among the
    others. Arguments as in `by_chips`.

    >>> by_icm((70, 30), {1: 50, 2: 50})
    {1: 50, 2: 50}
    """
    chips = tuple(stacks.values())
    paid = tuple(prizes)[: len(chips)]
    shares = _icm(chips, paid)
    return by_fractions(sum(paid), dict(zip(stacks, shares, strict=True)))


@lru_cache(maxsize=64)
def _icm(chips: tuple[int, ...], prizes: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return what each stack expects, by the sets of those who are done already: 2^10 sets at most."""
    count, total = len(chips), sum(chips)
    expected = [Fraction(0)] * count
    reached = {0: Fraction(1)}
    for prize in prizes:
        following: dict[int, Fraction] = {}
        for done, chance in reached.items():
            left = total - sum(held for at, held in enumerate(chips) if done >> at & 1)
            for at, held in enumerate(chips):
                if done >> at & 1 or not held:
                    continue
                part = chance * Fraction(held, left)
                expected[at] += part * prize
                following[done | 1 << at] = following.get(done | 1 << at, Fraction(0)) + part
        reached = following
    return tuple(expected)
