"""The interface of whatever keeps statistics. `bot.store` has the one on SQLite, in a file of its own beside the data."""

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from bot.statistics.achievements import Achievement, Earned
from bot.statistics.types import (
    ChipsPoint,
    FoundHands,
    HandQuery,
    PlayerNumbers,
    RankedPlayers,
    RankingQuery,
    Scope,
    SessionNumbers,
    Versus,
)


class Statistics(Protocol):
    """Answers questions about finished hands.

    Every answer counts each hand whose end has been shown, and no other: a hand that has just ended is counted before the answer is
    given, one whose all-in run-out is still being shown is left out.
    """

    async def find_hands(self, query: HandQuery) -> FoundHands:
        """Return a page of a server's finished hands, newest first."""

    async def games(self, guild: int, user: int = 0) -> tuple[tuple[str, str], ...]:
        """Return key and name of each game that has been played in a server, or by one user there, the most played first."""

    async def player(self, guild: int, user: int, scope: Scope) -> PlayerNumbers:
        """Return a player's numbers."""

    async def versus(self, guild: int, user: int, other: int, scope: Scope) -> Versus:
        """Return how two players did in the hands that both were dealt into."""

    async def curve(self, guild: int, user: int, scope: Scope, points: int = 200) -> tuple[ChipsPoint, ...]:
        """Return a player's net chips over time, in at most so many points, the first one before any hand and the last one after all."""

    async def ranking(self, query: RankingQuery) -> RankedPlayers:
        """Return a page of a leaderboard."""

    async def achievements(
        self, guild: int, user: int, among: Collection[Achievement] = tuple(Achievement)
    ) -> tuple[Earned, ...]:
        """Return what a player has achieved of what is asked for, and in which hand."""

    async def session(self, table: int, user: int, since: int, until: int) -> SessionNumbers:
        """Return what a user did at a table between two times."""


class LuckStatistics(Protocol):
    """Keeps the luck of all-in hands, which is told once and never again.

    Attributes:
        on_luck_due: is called when a hand has been counted whose luck is to be told.
    """

    on_luck_due: Callable[[], None]

    async def hands_without_luck(self, limit: int = 20) -> tuple[tuple[int, int], ...]:
        """Return table id and number of hands whose luck is to be told, the oldest first.

        Raises:
            StatisticsBeingCounted, StatisticsUnavailable.
        """

    async def write_luck(
        self, table: int, number: int, luck: Mapping[int, int] | None, *, is_estimate: bool = False
    ) -> None:
        """Write down the luck of a hand. Once it is written it is never asked for again, and a second time changes nothing.

        Args:
            luck: in thousandths of a chip, by seat index, of everybody who was in to the end; None for a hand whose luck cannot be told.

        Raises:
            StatisticsUnavailable: it could not be written; the hand is still due.
        """
