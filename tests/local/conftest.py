from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.local.throwaway_bot import Throwaway, running
from tests.support.discord_double import Discord, discord_double


@pytest.fixture
async def double(tmp_path: Path) -> AsyncIterator[Discord]:
    """A fresh Discord without rate limits; every request is checked against Discord's OpenAPI document."""
    async with discord_double(tmp_path / "discord") as found:
        yield found


@pytest.fixture
async def bot(double: Discord) -> AsyncIterator[Throwaway]:
    """The throw-away bot, connected to `double`."""
    async with running(double) as found:
        yield found
