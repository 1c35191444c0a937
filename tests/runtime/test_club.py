"""An evening of a small club with a farmer, a flooder and an absent host: books at zero, nobody starved, nothing farmed."""

from pathlib import Path

import pytest

from bot.house.rules import HouseRules
from bot.line.request_queue import Priority
from tests.runtime.club import CLUB, FLOODED, QUIET, Club

LONGEST_WAIT = 0.5
"""Seconds that a request of a quiet server waits at most, whatever another one does."""


@pytest.mark.parametrize(
    ("days", "members", "tables", "hours"),
    [(0.4, 60, 2, 0.03), pytest.param(2.4, 1_000, 10, 0.7, marks=pytest.mark.full)],
)
async def test_club_lives_with_a_farmer_and_a_flooder(
    tmp_path: Path, days: float, members: int, tables: int, hours: float
) -> None:
    club = Club(tmp_path, members=members, tables=tables, hours=hours)
    await club.begin()
    try:
        await club.run(days)  # the books are checked at every noon and at the end
        own = HouseRules().opening_grant + 3 * HouseRules().daily_max
        assert await club.farmed() <= own, "ten accounts of less than seven days have brought nothing"
        assert club.flood_tables <= HouseRules().tables_per_server
        assert max(club.waits[QUIET, kind].longest for kind in Priority) <= LONGEST_WAIT
        assert club.kills and {guild for guild, _ in club.waits} == {CLUB, QUIET, FLOODED}
        absent = [one for one in club.tables.all_tables() if one.table.host == club.absent]
        assert all(one.hand_running or one.table.next_hand_at or not one.table.seats for one in absent), (
            "no table stands still"
        )
    finally:
        await club.end()
