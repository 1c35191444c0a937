"""A replay on the local page, on a phone and by keyboard alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.bot_session import bot_session
from tests.e2e.test_replay import play_down
from tests.support.browser import PATIENCE_MS, PHONE, chromium


@pytest.mark.real_time
async def test_a_hand_is_replayed_by_keyboard_on_a_phone(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room, chromium() as browser:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await play_down(room, ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        viewport: Any = PHONE
        context = await browser.new_context(viewport=viewport, locale="en-GB")
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        await page.goto(ann.page)
        line = page.locator("article", has_text="Last hand: ")
        await line.locator(".menu-button").focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("menuitem", name="Replay")).to_be_focused()
        await page.keyboard.press("Enter")
        replay = page.locator("article[data-ephemeral]", has_text="Replay · Hand #1")
        await expect(replay).to_contain_text("step 1 of 16")
        following = replay.get_by_role("button", name="Next", exact=True)
        for step in (2, 3):
            await following.focus()
            await page.keyboard.press("Enter")
            await expect(replay).to_contain_text(f"step {step} of 16")
            await expect(following).to_be_focused()
        await expect(replay).to_contain_text("Your cards")
        await replay.get_by_role("combobox").focus()
        for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
            await page.keyboard.press(key)
        await expect(replay).to_contain_text("Turn · cards are dealt")
        overflow = await page.evaluate("document.querySelector('#log').scrollWidth - innerWidth")
        assert overflow <= 0
        await context.close()
