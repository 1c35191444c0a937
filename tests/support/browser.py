"""A real browser for the tests of the local page: the system's Chromium, driven by Playwright; nothing is downloaded.

Without Chromium a test skips and says so; where the environment says ``CI=true`` it fails instead, so that the page cannot
go untested unnoticed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

import pytest
from playwright.async_api import Browser, async_playwright

PHONE = {"width": 400, "height": 860}
SMALL_PHONE = {"width": 290, "height": 640}
DESKTOP = {"width": 1280, "height": 800}

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium_path() -> str | None:
    """Where Chromium is: what ``CHROMIUM`` names, else what the system has."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A headless Chromium for the block. Skips the test where there is none, fails it in CI."""
    path = chromium_path()
    if path is None:
        _no_browser("Chromium is not installed (Debian: apt-get install chromium)")
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=path,
            args=[*_QUIET, *(["--no-sandbox"] if as_root else [])],  # Chromium refuses to sandbox itself as root
        )
        try:
            yield browser
        finally:
            await browser.close()


def _no_browser(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
