"""A short evening of accidents; `python -m tests.durability takeovers` plays a long one."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.postgresql, pytest.mark.real_time]


async def test_accidents_of_owners_lose_nothing(postgres: str) -> None:
    from tests.durability.takeovers import ROUNDS, run

    assert await run(list(ROUNDS), tables=6, lease=0.6, seed=1, planted=False) == []


async def test_owners_without_fences_are_found_out(postgres: str) -> None:
    from tests.durability.takeovers import run

    faults = await run(["stop", "stop"], tables=6, lease=0.6, seed=1, planted=True)
    assert any("kept values are of a former owner" in fault for fault in faults)
