"""Achievements: few things that somebody can do for the first time. They reward variety and coming back, not volume.

Nothing is stored of them: what a person has achieved, and in which hand, follows from the hands that are counted.
"""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from bot.statistics.periods import week_of
from bot.statistics.types import CountedHand, HandKey

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
        self._seen: set[tuple[int, int, str, int]] = set()

    def changed_by(self, hand: CountedHand) -> Iterator[tuple[int, tuple[Achievement, ...]]]:
        """Return the users who can have achieved something in a hand that was counted, and what."""
        if hand.practice or not hand.counts:
            return
        if len(self._seen) > self._remembered:
            self._seen.clear()
        week = week_of(hand.at)
        for seat in hand.players:
            if seat.user <= 0 or not seat.counts.hands:
                continue
            person = hand.guild, seat.user
            found = (
                (Achievement.ROYAL_FLUSH, seat.rarity >= ROYAL_FLUSH_RARITY),
                (Achievement.TEN_GAMES, seat.won > 0 and self._is_new((*person, hand.game, 0))),
                (Achievement.HUNDRED_SHOWDOWNS, seat.counts.showdowns > 0),
                (Achievement.TEN_WEEKS, self._is_new((*person, "", week))),
                (Achievement.FIVE_IN_A_WEEK, self._is_new((*person, hand.game, week))),
                (Achievement.SHARED_POT, seat.counts.showdowns_won > 0 and seat.won < hand.pot),
            )
            can_be = tuple([achievement for achievement, is_so in found if is_so])
            if can_be:
                yield seat.user, can_be

    def _is_new(self, what: tuple[int, int, str, int]) -> bool:
        if what in self._seen:
            return False
        self._seen.add(what)
        return True
