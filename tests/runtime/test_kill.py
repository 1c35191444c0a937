"""kill -9 at any moment loses no acknowledged request, makes no chip, and every hand goes on."""

from pathlib import Path

import pytest

from tests.store.killer import Killer


async def _kill(folder: Path, rounds: int, seed: int) -> Killer:
    killer = Killer("tests.runtime.killed:dealer", folder, seed=seed, moments=0.4)
    for _ in range(rounds):
        killer.play_and_kill()
        await killer.check()
    return killer


async def test_a_dealer_killed_at_any_moment_loses_nothing(disk_folder: Path) -> None:
    killer = await _kill(disk_folder, 6, seed=3)
    assert len(killer.acknowledged) > 20


@pytest.mark.full
async def test_a_dealer_killed_three_hundred_times_loses_nothing(disk_folder: Path) -> None:
    killer = await _kill(disk_folder, 300, seed=11)
    print(
        f"\n300 kills, {killer.kills_in_play} of them in play; {len(killer.acknowledged):,} acknowledged requests, none lost"
    )
