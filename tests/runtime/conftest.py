"""Each test has an evening of its own, in its own folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.runtime.evening import Evening


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    """A running dealer without a table."""
    opened = await Evening(tmp_path).begin()
    yield opened
    await opened.end()
