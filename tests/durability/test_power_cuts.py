"""After a power cut at any moment the store has everything that was acknowledged; a disk that does not sync is noticed."""

from pathlib import Path

import pytest

from tests.durability.power_cuts import PowerCuts
from tests.durability.recorded_disk import can_record

pytestmark = pytest.mark.skipif(not can_record(), reason="this SQLite is built into Python")


async def test_a_power_cut_at_any_moment_loses_nothing_acknowledged(tmp_path: Path) -> None:
    power = PowerCuts(tmp_path, seed=5)
    await power.cut_often(6, lines=15)
    assert power.faults == []
    assert power.counts["syncs"] > 5


@pytest.mark.full
async def test_disk_that_only_claims_to_sync_is_found_out(tmp_path: Path) -> None:
    power = PowerCuts(tmp_path, seed=5, lies=True)
    await power.cut_often(60, lines=60)
    assert any("an acknowledged request is lost" in fault for fault in power.faults)


@pytest.mark.full
async def test_500_power_cuts_lose_nothing_acknowledged(tmp_path: Path) -> None:
    power = PowerCuts(tmp_path, seed=1)
    for _ in range(5):
        await power.cut_often(100)
    assert power.faults == []
    print(f"\n{power.told()}")
