"""Achievements: few things that somebody can do for the first time. They reward variety and coming back, not volume.

Nothing is stored of them: what a person has achieved, and in which hand, follows from the hands that are counted.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from bot.statistics.periods import week_of
from bot.statistics.types import CountedHand, CountedSeat, HandKey, PlayedFor

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


IsNew: TypeAlias = Callable[[str, int], bool]
"""Returns whether a player has not been seen before with a game in a week. Without a game, or with week 0, any will do."""

CAN_CHANGE: dict[Achievement, Callable[[CountedHand, CountedSeat, IsNew], bool]] = {
    Achievement.ROYAL_FLUSH: lambda _hand, seat, _is_new: seat.rarity >= ROYAL_FLUSH_RARITY,
    Achievement.TEN_GAMES: lambda hand, seat, is_new: seat.won > 0 and is_new(hand.game, 0),
    Achievement.HUNDRED_SHOWDOWNS: lambda _hand, seat, _is_new: seat.counts.showdowns > 0,
    Achievement.TEN_WEEKS: lambda hand, _seat, is_new: is_new("", week_of(hand.at)),
    Achievement.FIVE_IN_A_WEEK: lambda hand, _seat, is_new: is_new(hand.game, week_of(hand.at)),
    Achievement.SHARED_POT: lambda hand, seat, _is_new: seat.counts.showdowns_won > 0 and seat.won < hand.pot,
}
"""Whether a player can have achieved something in a hand. Whether they have is looked up in the statistics."""


class AchievementWatch:
    """Tells whose achievements a hand can have changed, so that nobody is looked up for every hand. It only remembers; it can be lost."""

    def __init__(self, remembered: int = 50_000) -> None:
        self._remembered = remembered
        self._seen: set[tuple[int, int, str, int]] = set()

    def changed_by(self, hand: CountedHand) -> Iterator[tuple[int, tuple[Achievement, ...]]]:
        """Return the users who can have achieved something in a hand that was counted, and what."""
        if hand.played_for is not PlayedFor.SERVER_CHIPS or not hand.counts:
            return
        if len(self._seen) > self._remembered:
            self._seen.clear()
        for seat in hand.players:
            if seat.user <= 0 or not seat.counts.hands:
                continue
            is_new = partial(self._is_new, hand.guild, seat.user)
            can_be = tuple([one for one, can_change in CAN_CHANGE.items() if can_change(hand, seat, is_new)])
            if can_be:
                yield seat.user, can_be

    def _is_new(self, guild: int, user: int, game: str, week: int) -> bool:
        what = guild, user, game, week
        if what in self._seen:
            return False
        self._seen.add(what)
        return True
