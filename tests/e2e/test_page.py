"""A newcomer in a real browser presses the one green button and plays a whole hand, at phone and desktop width."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from bot.players import PracticePlayers
from tests.e2e.bot_session import BotSession, bot_session
from tests.support.browser import DESKTOP, PHONE, chromium

SHOTS = os.environ.get("SCREENSHOTS", "")
"""A directory for pictures of each step, if they are wanted."""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_a_newcomer_plays_a_hand_to_its_end(tmp_path: Path, size: dict[str, int]) -> None:
    async with bot_session(tmp_path, local=True, policies=PracticePlayers()) as room, chromium() as browser:
        viewport: Any = size
        context = await browser.new_context(viewport=viewport, locale="en-GB")
        context.set_default_timeout(10_000)
        page = await context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        await page.goto(room.discord.stand_in.page_url(room.discord.stand_in.owner))
        seat = page.locator("[data-newcomer]")
        await expect(seat).to_have_text("Take a seat")
        await _picture(page, "1-welcome", size)
        await seat.click()
        await expect(page.locator("#log")).to_contain_text("You're in seat")
        await room.next_hand()
        await expect(page.locator("#log")).to_contain_text("Pre-flop")
        await _play(room, page, size)
        # A newcomer who has called with a whole stack can be broke, and then no next hand is announced.
        await expect(page.locator("#log")).to_contain_text("wins")
        await expect(page.locator("#log")).to_contain_text("Hand #1 · ")
        await _picture(page, "3-result", size)
        assert not wrong
        await context.close()


async def _play(room: BotSession, page: Page, size: dict[str, int]) -> None:
    """Check or call to the end of the hand. Practice players think as long as they like."""
    you = int(room.discord.you.me["id"])
    peeked = False
    while room.now.hand_running:
        due = room.now.current_turn
        if due is None or due.user != you:
            room.clock.skip(4)
            await room.next_change()
            continue
        if not peeked:
            await page.locator("[data-label='My hand']").last.click()
            await expect(page.locator("#log")).to_contain_text("Your cards")
            await _picture(page, "2-your-turn", size)
            peeked = True
        turn = room.now.decision_number
        now = room.now  # the button drawn for this very turn: the redraw can still be on its way
        ids = f"[data-custom-id^='t:{now.id}:{now.hand_number}:{turn}:"
        # check or call; with everybody all-in the question is whether the rest of the board is dealt twice
        await page.locator(f"{ids}c'], {ids}decline']").first.click()
        await room.wait_until(lambda turn=turn: room.now.decision_number != turn or not room.now.hand_running)  # type: ignore[misc]


async def _picture(page: Page, name: str, size: dict[str, int]) -> None:
    if SHOTS:
        await page.wait_for_load_state("networkidle")
        await page.screenshot(path=Path(SHOTS) / f"{name}-{size['width']}.png")
