"""A short evening with two upgrades; `python -m tests.durability upgrade` plays a long one."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.full, pytest.mark.postgresql, pytest.mark.real_time]


async def test_versions_follow_each_other_while_people_play(postgres: str) -> None:
    from tests.durability.upgrades import run

    assert await run(2, tables=4, versions=2, thinking=0.5) == []
