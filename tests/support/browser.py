"""A real browser for the tests of the local page: the system's Chromium, driven by Playwright. Nothing is downloaded.

Without Chromium these tests are skipped. If the environment has ``CI=true``, they fail instead, so that CI always tests
the page.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

import pytest
from playwright.async_api import Browser, async_playwright, expect

PHONE = {"width": 400, "height": 860}
SMALL_PHONE = {"width": 290, "height": 640}
DESKTOP = {"width": 1280, "height": 800}

PATIENCE_MS = 30_000
"""How long a page is waited for. Only a busy machine needs so long."""
expect.set_options(timeout=PATIENCE_MS)

_COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
"""The first draws the same pages without windows and menus around them, in less than half the time."""
_QUIET_OPTIONS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters as wide as on people's screens
)


def chromium_path() -> str | None:
    """Return the environment variable ``CHROMIUM``, or the path of the system's Chromium; None if there is neither."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _COMMANDS)), None)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run a headless Chromium. Without one the test is skipped, or fails in CI."""
    path = chromium_path()
    if path is None:
        _skip_or_fail("Chromium is not installed (Debian: apt-get install chromium-headless-shell)")
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=path,
            args=[
                *_QUIET_OPTIONS,
                *(["--no-sandbox"] if as_root else []),
            ],  # Chromium refuses to sandbox itself as root
        )
        try:
            yield browser
        finally:
            await browser.close()


def _skip_or_fail(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
