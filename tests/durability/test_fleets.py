"""A short evening of dealers that are stopped and killed; `python -m tests.durability fleet` plays a long one."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.full, pytest.mark.postgresql, pytest.mark.real_time]


async def test_stopped_and_killed_dealers_are_followed(postgres: str) -> None:
    from tests.durability.fleets import run

    assert await run(2, slots=2, tables=4, seed=3) == []
