"""The clock of levels: which level the next hand has, and when the one after it is due. Laws: SG-2, SG-3, SG-15."""

from bot.events.sit_and_go.state import LevelClock, SitAndGo
from bot.events.sit_and_go.structures import HANDS_OF_LAST_LEVELS, LevelLength

PAUSES_MS = 10 * 60_000
"""So long are the host's pauses in all."""


def ran_ms(clock: LevelClock, now: int) -> int:
    """Return how long the clock has run in this level."""
    return clock.ran_ms + (max(0, now - clock.running_since) if clock.running_since else 0)


def level_due(event: SitAndGo, now: int) -> tuple[int, int]:
    """Return the level of a hand that begins now, and how long the clock has run in it already.

    A re-deal of a void deal keeps its level (SG-2). Time that ran on during the last hand of a level counts for the next one.
    """
    structure, level = event.settings.structure, event.level
    ran = ran_ms(event.clock, now)
    if event.redeals or not structure.level_length:
        return level, ran
    if level > len(structure.levels):
        return (level + 1, 0) if event.hands_in_level >= HANDS_OF_LAST_LEVELS else (level, ran)
    if structure.counted_in is LevelLength.HANDS:
        return (level + 1, 0) if event.hands_in_level >= structure.level_length else (level, ran)
    length = 60_000 * structure.level_length
    while ran >= length and level <= len(structure.levels):
        level, ran = level + 1, ran - length
    return level, ran


def next_level_at(event: SitAndGo) -> int:
    """Return when the next level is due, if the clock runs on; 0 where it stands still, or hands are counted."""
    structure, clock = event.settings.structure, event.clock
    if not (clock.running_since and structure.level_length):
        return 0
    if structure.counted_in is LevelLength.HANDS or event.level > len(structure.levels):
        return 0
    return clock.running_since + 60_000 * structure.level_length - clock.ran_ms


def hands_to_next_level(event: SitAndGo) -> int:
    """Return how many hands the level still has, where hands are counted; else 0."""
    structure = event.settings.structure
    if event.level > len(structure.levels):
        return max(1, HANDS_OF_LAST_LEVELS - event.hands_in_level)
    if structure.counted_in is LevelLength.HANDS:
        return max(1, structure.level_length - event.hands_in_level)
    return 0


def pause_ms_left(event: SitAndGo) -> int:
    """Return how long the host can still pause."""
    return max(0, PAUSES_MS - event.clock.paused_ms)
