"""A newcomer in a real browser presses the one green button and plays a whole hand, at phone and desktop width."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from bot.players import PracticePlayers
from tests.e2e.bot_session import BotSession, bot_session
from tests.support.browser import DESKTOP, PATIENCE_MS, PHONE, chromium

SHOTS = os.environ.get("SCREENSHOTS", "")
"""A directory for pictures of each step, if they are wanted."""


@pytest.mark.real_time
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_a_newcomer_plays_a_hand_to_its_end(tmp_path: Path, size: dict[str, int]) -> None:
    async with (
        bot_session(tmp_path, first_evening=True, local=True, policies=PracticePlayers()) as room,
        chromium() as browser,
    ):
        viewport: Any = size
        context = await browser.new_context(viewport=viewport, locale="en-GB")
        context.set_default_timeout(PATIENCE_MS)
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
            await expect(page.locator("#log")).to_contain_text("My hand #1")
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


@pytest.mark.real_time
async def test_host_invites_on_a_phone(tmp_path: Path) -> None:
    """A private table on a phone: opened by the form, a guest chosen in the list of people, and found in its thread."""
    async with bot_session(tmp_path, first_evening=True) as room, chromium() as browser:
        ann, bo = await room.people("Ann", "Bo")
        viewport: Any = PHONE
        context = await browser.new_context(viewport=viewport, locale="en-GB")
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        await page.goto(ann.page)
        await expect(page.locator("body")).to_have_attribute("data-ready", "true")
        await ann.slash("play", where="private")
        await ann.submit()
        log = page.locator("#log")
        await expect(log).to_contain_text("Only people you invite can find it.")
        await _picture(page, "rooms-1-opened", PHONE)
        await page.get_by_text("Choose people to invite…").click()
        await _picture(page, "rooms-2-select", PHONE)
        await page.get_by_role("option", name="Bo").click()
        await _picture(page, "rooms-3-chosen", PHONE)
        await page.get_by_role("button", name="Done").click()
        await expect(log).to_contain_text("Invited: @Bo.")
        await log.locator("button.mention", has_text="No-Limit Hold'em").first.click()
        await expect(page.locator("#channel-name")).to_contain_text("No-Limit Hold'em · 50/100")
        await expect(log).to_contain_text("invites you to this table")
        await _picture(page, "rooms-4-thread", PHONE)
        await page.locator("#sidebar-open").click()
        await expect(page.locator("#channel-list")).to_contain_text("🔒")
        await _picture(page, "rooms-5-sidebar", PHONE)
        assert not wrong
        await context.close()
        await bo.wait_for(lambda: any(channel["type"] == 12 for channel in bo.channels.values()), "the thread")
