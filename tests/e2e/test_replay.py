"""Hands step by step: by `/hand`, by the button under a finished hand, by a message's menu, and led by one for everybody."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player


async def play_down(room: BotSession, *players: Player) -> None:
    """Play a hand in which everybody calls and checks to the end, and deal the next one."""
    await room.next_hand()
    await room.check_down(*players)
    await room.wait_until_idle()


def replay_heading(seen: str) -> str:
    found = re.search(r"Replay · Hand #\d+ · step \d+ of \d+", seen)
    assert found is not None, seen
    return found[0]


async def test_a_hand_is_replayed_step_by_step(tmp_path: Path) -> None:
    """Ann and Bo check a hand down. Each goes through it, Ann shows it to everybody, and Cy from nowhere looks on."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo)
        await play_down(room, ann, bo)
        await room.next_hand()
        await room.wait_until_idle()
        assert "Hand #1" in (line := next(cy.render(m) for m in cy.visible() if "**Hand #1**" in cy.render(m)))
        assert "[Replay]" in line
        seen = await ann.click("Replay", within="**Hand #1**")
        assert replay_heading(seen) == "Replay · Hand #1 · step 1 of 16"
        assert "posts small blind 50" in seen and "Your cards" not in seen
        assert "`1-1-1`" in seen
        seen = await ann.click("Next ›", within="Replay · Hand #1")
        assert "step 2 of 16" in seen and "Your cards" in seen and "Pre-flop" in seen
        seen = await ann.click("Last", within="Replay · Hand #1")
        assert "step 16 of 16" in seen and "Result · " in seen and "wins" in seen
        seen = await ann.select("Jump to a street…", "Turn", within="Replay · Hand #1")
        assert "Turn · cards are dealt" in seen
        street = replay_heading(seen)
        assert "(First)" not in seen
        seen = await ann.click("‹ Back", within="Replay · Hand #1")
        assert "checks** ◀" in seen and "Flop" in seen
        assert "Replay · Hand #1" not in bo.screen()
        # in words, and back
        seen = await ann.click("Text log", within="Replay · Hand #1")
        assert "### Hand #1\n" in seen and "**Flop**" in seen
        assert "step 1 of 16" in await ann.click("Replay", within="### Hand #1\n")
        # for everybody
        await ann.select("Jump to a street…", "Turn", within="Replay · Hand #1")
        await ann.click("Show here", within="Replay · Hand #1")
        assert street in bo.screen() and "@Ann leads this replay" in bo.screen()
        shared = next(m for m in bo.visible() if "leads this replay" in bo.render(m))
        assert "Your cards" not in bo.render(shared)
        await ann.click("Next ›", within="leads this replay")
        assert street not in bo.render(next(m for m in bo.visible() if m["id"] == shared["id"]))
        alone = await cy.click("Last", within="leads this replay")
        assert "step 16 of 16" in alone and "(Only you can see this)" in alone
        assert "step 16 of 16" not in bo.screen()
        room.check_leaks()
