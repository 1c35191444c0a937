"""The dealer is killed at store calls of a duel, before and after the save: it ends as if nothing had happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from tests.runtime.duel_evening import wanted
from tests.runtime.evening import GUILD, USERS
from tests.runtime.test_killed_sit_and_go import RISES_AT_ONCE, KilledSitAndGo, kill_at, played


class KilledDuel(KilledSitAndGo):
    """Ann challenges Bo to best of three; both put everything in, in every hand."""

    wanted = replace(wanted(buy_in=301, best_of=3), structure=RISES_AT_ONCE)
    entering, players = ("Bo",), ("Ann", "Bo")

    def _command(self) -> c.HandCommand:
        return c.AllIn()

    async def _counted(self) -> dict[str, int]:
        store = self.evening.store
        return {f"won by {name}": (await store.duel_record(GUILD, USERS[name]))[0] for name in self.players}


@pytest.mark.law("SG-1", "SG-13")
@pytest.mark.parametrize("saved", [False, True], ids=["before the save", "after the save"])
async def test_kill_loses_nothing_of_a_duel(tmp_path: Path, saved: bool) -> None:
    """At the challenge, at its acceptance, where a match follows another, and at the end."""
    whole, expected = await played(tmp_path / "whole", 0, saved=False, kind=KilledDuel)
    event, counted = expected
    assert max(one.wins for one in event.entrants) == 2
    assert counted["won by Ann"] + counted["won by Bo"] == 1
    assert abs(counted["Ann"]) == 301
    calls = whole.stores[0].commits
    await kill_at(tmp_path, [1, 2, calls // 2, calls], expected, saved=saved, kind=KilledDuel)


@pytest.mark.full
@pytest.mark.parametrize("saved", [False, True], ids=["before the save", "after the save"])
async def test_kill_at_any_store_call_loses_nothing(tmp_path: Path, saved: bool) -> None:
    whole, expected = await played(tmp_path / "whole", 0, saved=False, kind=KilledDuel)
    calls = list(range(1, whole.stores[0].commits + 1))
    await kill_at(tmp_path, calls, expected, saved=saved, kind=KilledDuel)
