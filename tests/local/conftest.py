from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.local.fake_page_server import PageOpener
from tests.local.sample_bot import SampleBot, run_sample_bot
from tests.support.browser import chromium
from tests.support.discord_double import Discord, discord_double


@pytest.fixture
async def double(tmp_path: Path) -> AsyncIterator[Discord]:
    """A new stand-in without rate limits. Every request is checked against Discord's OpenAPI document."""
    async with discord_double(tmp_path / "discord") as discord:
        yield discord


@pytest.fixture
async def bot(double: Discord) -> AsyncIterator[SampleBot]:
    """The sample bot, connected to `double`."""
    async with run_sample_bot(double) as bot:
        yield bot


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def open_page(browser: Browser) -> AsyncIterator[PageOpener]:
    yield PageOpener(browser)
    for context in browser.contexts:
        await context.close()
