"""Achievements: few things that somebody can do for the first time. They reward variety and coming back, not volume.

Nothing is stored of them: what a person has achieved, and in which hand, follows from the hands that are counted.
"""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from bot.statistics.periods import week_of
from bot.statistics.types import CountedHand, CountedSeat, HandKey

ROYAL_FLUSH_RARITY = 0xC_F0000
"""The highest `CountedSeat.rarity`."""
SHOWDOWNS, GAMES_WON, GAMES_OF_A_WEEK, WEEKS = 100, 10, 5, 10


class Achievement(StrEnum):
    """What can be achieved, the rarest first. The words are stored."""

    ROYAL_FLUSH = "royal flush"  # won a pot with one, at a showdown
    TEN_GAMES = "ten games"  # won a pot in ten different games
    HUNDRED_SHOWDOWNS = "hundred showdowns"
    TEN_WEEKS = "ten weeks"  # played in ten different weeks
    FIVE_IN_A_WEEK = "five games in a week"  # played five different games in one
    SHARED_POT = "shared pot"  # won a part of the pots of a hand, and somebody else the rest, at a showdown


class Earned(Struct, frozen=True, gc=False):
    """Something that was achieved: in which hand, and when that ended."""

    achievement: Achievement
    hand: HandKey
    at: int


class AchievementWatch:
    """Tells whose achievements a hand can have changed, so that nobody is looked up for every hand. It only remembers; it can be lost."""

    def __init__(self, remembered: int = 50_000) -> None:
        self._remembered = remembered
        self._played: set[tuple[int, int, str, int]] = set()
        self._won: set[tuple[int, int, str]] = set()

    def changed_by(self, hand: CountedHand) -> Iterator[CountedSeat]:
        """Return the people who can have achieved something in a hand that was counted."""
        if hand.practice or not hand.counts:
            return
        if len(self._played) + len(self._won) > self._remembered:
            self._played.clear()
            self._won.clear()
        week = week_of(hand.at)
        for seat in hand.players:
            if seat.user <= 0 or not seat.counts.hands:
                continue
            played, won = (hand.guild, seat.user, hand.game, week), (hand.guild, seat.user, hand.game)
            is_first = played not in self._played or (bool(seat.won) and won not in self._won)
            self._played.add(played)
            if seat.won:
                self._won.add(won)
            if is_first or seat.counts.showdowns:
                yield seat
