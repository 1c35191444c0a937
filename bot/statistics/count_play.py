"""Count what people compare: results by position, 3-bets, attempts to steal, continuation bets.

All of it is of hands with a big blind. What the numbers mean is said in `bot.statistics.types.Counts`; sets of seats are bit masks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from bot.engine.events import Post, PostKind


class Act(Enum):
    """What a player does at their turn in a betting round. A bet is a raise of nothing."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    RAISE = "raise"


class PositionSeats(NamedTuple):
    """Which seats sit where."""

    button: int = 0
    cutoff: int = 0
    early: int = 0
    small_blind: int = 0
    big_blind: int = 0


@lru_cache(1_024)
def positions_of(count: int, small: int, big: int) -> PositionSeats:
    """Return where the seats of a hand sit. Seat indices run from the button's left, so the last one is the button.

    Args:
        count: how many players there are.
        small, big: the seats that owe the small and the big blind; -1 for none.
    """
    found = dict.fromkeys(PositionSeats._fields, 0)
    for seat in range(count):
        name = "cutoff" if seat == count - 2 else "early"
        if seat in (small, big):
            name = "big_blind" if seat == big else "small_blind"
        found["button" if seat == count - 1 else name] |= 1 << seat
    return PositionSeats(**found)


def big_blinds(net: int, blind: int) -> int:
    """Return chips in thousandths of a big blind, rounded, halves up."""
    return (2_000 * net + blind) // (2 * blind)


class _Continuation(Enum):
    """How far it has come with a continuation bet in the second betting round."""

    NONE = 0  # nobody can make one yet, or any more
    OPEN = 1  # nobody has bet
    MADE = 2  # nobody has raised it


@dataclass(slots=True)
class PlayCounter:
    """Follows the play of a hand. What is called as a field of `Counts` is that number: the set of seats for which it is 1, or a list by
    seat index."""

    blind: int = 0
    """In chips; 0 in a hand without a big blind, in which nothing is counted."""
    stealers: int = 0
    raise_count: int = 0
    entered: bool = False
    board: bool = False
    first_raiser: int = -1
    last_raiser: int = -1
    continuation: _Continuation = _Continuation.NONE

    hands_on_button: int = 0
    hands_on_cutoff: int = 0
    hands_early: int = 0
    hands_in_small_blind: int = 0
    hands_in_big_blind: int = 0
    won_on_button: int | list[int] = 0
    won_on_cutoff: int | list[int] = 0
    won_early: int | list[int] = 0
    won_in_small_blind: int | list[int] = 0
    won_in_big_blind: int | list[int] = 0
    three_bet_chances: int = 0
    three_bets: int = 0
    three_bets_faced: int = 0
    folds_to_three_bet: int = 0
    steal_chances: int = 0
    steals: int = 0
    continuation_chances: int = 0
    continuation_bets: int = 0
    continuation_bets_faced: int = 0
    folds_to_continuation_bet: int = 0

    def begin(self, posts: Iterable[Post], count: int) -> None:
        """Look for the blinds among the posts of a hand of so many players."""
        small = big = -1
        for post in posts:
            if post.kind is PostKind.BIG_BLIND:
                big, self.blind = post.seat, post.chips
            elif post.kind is PostKind.SMALL_BLIND:
                small = post.seat
        if not self.blind:
            return
        seats = positions_of(count, small, big)
        self.hands_on_button, self.hands_on_cutoff, self.hands_early = seats.button, seats.cutoff, seats.early
        self.hands_in_small_blind, self.hands_in_big_blind = seats.small_blind, seats.big_blind
        self.stealers = (seats.button | seats.cutoff | seats.small_blind) & ~(1 << big)

    def finish(self, nets: Sequence[int]) -> None:
        """Take the chips that each seat has won or lost."""
        if not self.blind:
            return
        won = [big_blinds(net, self.blind) for net in nets]
        self.won_on_button = _of_seats(self.hands_on_button, won)
        self.won_on_cutoff = _of_seats(self.hands_on_cutoff, won)
        self.won_early = _of_seats(self.hands_early, won)
        self.won_in_small_blind = _of_seats(self.hands_in_small_blind, won)
        self.won_in_big_blind = _of_seats(self.hands_in_big_blind, won)

    def acts_first_round(self, seat: int, act: Act) -> None:
        """Count an action of the first betting round."""
        if not self.blind:
            return
        bit, raised, folds = 1 << seat, act is Act.RAISE, act is Act.FOLD
        if not self.entered and self.stealers & bit:
            self.steal_chances |= bit
            self.steals |= bit * raised
        if self.raise_count and self.last_raiser != seat:
            if self.raise_count == 1:
                self.three_bet_chances |= bit
                self.three_bets |= bit * raised
            elif self.raise_count == 2 and self.first_raiser == seat:
                self.three_bets_faced |= bit
                self.folds_to_three_bet |= bit * folds
        if raised:
            if not self.raise_count:
                self.first_raiser = seat
            self.raise_count += 1
            self.last_raiser = seat
        self.entered = self.entered or raised or act is Act.CALL

    def board_dealt(self) -> None:
        """A card has come to the board after the first betting round."""
        self.board = True

    def second_round_opens(self) -> None:
        """The second betting round begins."""
        if self.blind and self.board and self.raise_count:
            self.continuation = _Continuation.OPEN

    def second_round_closes(self) -> None:
        """The second betting round is over."""
        self.continuation = _Continuation.NONE

    def acts_later(self, seat: int, act: Act) -> None:
        """Count an action after the first betting round."""
        if self.continuation is _Continuation.NONE:
            return
        bit, raised = 1 << seat, act is Act.RAISE
        if self.continuation is _Continuation.MADE:
            self.continuation_bets_faced |= bit
            self.folds_to_continuation_bet |= bit * (act is Act.FOLD)
            if raised:
                self.continuation = _Continuation.NONE
        elif seat == self.last_raiser:
            self.continuation_chances |= bit
            self.continuation_bets |= bit * raised
            self.continuation = _Continuation.MADE if raised else _Continuation.NONE
        elif raised:
            self.continuation = _Continuation.NONE


def _of_seats(seats: int, won: Sequence[int]) -> list[int]:
    return [chips if seats >> seat & 1 else 0 for seat, chips in enumerate(won)]
