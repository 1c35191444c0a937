"""The interface of whatever keeps statistics. `bot.store` has the one on SQLite, in a file of its own beside the data."""

from typing import Protocol

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

    async def session(self, table: int, user: int, since: int, until: int) -> SessionNumbers:
        """Return what a user did at a table between two times."""
