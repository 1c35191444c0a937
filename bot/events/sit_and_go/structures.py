"""The structures of sit-and-gos as data: with how many chips everybody starts, and how the levels rise.

Laws: SG-2, SG-15.
"""

from enum import StrEnum
from itertools import pairwise

from msgspec import Struct


class Speed(StrEnum):
    """The structures that people choose from. The words are stored."""

    HYPER = "hyper"
    TURBO = "turbo"
    REGULAR = "regular"
    DEEP = "deep"
    FIXED = "fixed"  # of duels: the blinds stay as they are


class LevelLength(StrEnum):
    """What a level is counted in. The words are stored."""

    MINUTES = "minutes"
    HANDS = "hands"


class Level(Struct, frozen=True):
    """One level.

    Attributes:
        big_blind: in chips; in games without blinds the small bet, or what takes its place.
        ante: what the big blind pays for everybody in games with blinds; 0 for none. Games with antes have theirs by the big blind.
    """

    big_blind: int
    ante: int = 0


class Structure(Struct, frozen=True):
    """How a sit-and-go rises.

    Attributes:
        starting_stack: in chips, the same for everybody (SG-1).
        level_length: how many minutes, or hands, a level lasts; 0 for one level that stays.
        counted_in: which of the two.
        break_every: a break begins after so many levels; 0 for none (SG-15).
        break_minutes: how long it lasts.
    """

    starting_stack: int
    levels: tuple[Level, ...]
    level_length: int
    counted_in: LevelLength = LevelLength.MINUTES
    break_every: int = 0
    break_minutes: int = 5

    def level(self, number: int) -> Level:
        """Return a level by its number, from 1. After the last one the blinds double with each further number (SG-3)."""
        if number <= len(self.levels):
            return self.levels[number - 1]
        last, times = self.levels[-1], 1 << (number - len(self.levels))
        return Level(last.big_blind * times, last.ante * times)


HANDS_OF_LAST_LEVELS = 10
"""After the last level the blinds double every ten deals (SG-3)."""
ANTE_FROM = 4
"""The first level in which the big blind pays an ante."""
_STEPS = (1, 2, 3, 4, 6, 8, 12, 16, 20, 30, 40, 60, 80, 120, 160)
_SLOW_STEPS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30, 40, 50, 60, 80, 100, 120, 160, 200)


def _levels(unit: int, steps: tuple[int, ...]) -> tuple[Level, ...]:
    return tuple([Level(unit * step, unit * step if at >= ANTE_FROM else 0) for at, step in enumerate(steps, 1)])


STRUCTURES: dict[Speed, Structure] = {
    Speed.HYPER: Structure(500, _levels(20, _STEPS), 2),
    Speed.TURBO: Structure(1_500, _levels(20, _STEPS), 4, break_every=12),
    Speed.REGULAR: Structure(3_000, _levels(20, _SLOW_STEPS), 8, break_every=7),
    Speed.DEEP: Structure(10_000, _levels(20, _SLOW_STEPS), 12, break_every=5),
    Speed.FIXED: Structure(2_000, (Level(20),), 0),
}
HAND_LEVELS: dict[Speed, int] = {Speed.HYPER: 5, Speed.TURBO: 8, Speed.REGULAR: 12, Speed.DEEP: 20}
"""How many hands a level lasts, where levels are counted in hands: of all structures that rise."""


def structure_of(speed: Speed, counted_in: LevelLength = LevelLength.MINUTES) -> Structure:
    """Return a structure that people can choose."""
    known = STRUCTURES[speed]
    if counted_in is LevelLength.MINUTES or not known.level_length:
        return known
    return Structure(known.starting_stack, known.levels, HAND_LEVELS[speed], counted_in)


def rises(structure: Structure) -> bool:
    """Tell whether each level is higher than the one before."""
    return all(low.big_blind < high.big_blind for low, high in pairwise(structure.levels))
