"""An evening for each test, in its own folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.runtime.evening import Evening


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    """The dealer at work, and no table yet."""
    opened = await Evening(tmp_path).begin()
    yield opened
    await opened.end()
