"""A dealer that stops leaves nothing under way: what a part does not end in its time is broken off."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.background_tasks import BackgroundTasks
from bot.surfaces.part import Part
from tests.e2e.bot_session import keep_card_emojis, logged_in_bot
from tests.e2e.movable_clock import MovableClock
from tests.support.discord_double import discord_double


async def test_every_part_ends_what_it_has_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_its_time = BackgroundTasks.finish
    monkeypatch.setattr(BackgroundTasks, "finish", lambda tasks, seconds: in_its_time(tasks, min(seconds, 0.01)))
    async with discord_double(tmp_path / "discord") as discord:
        keep_card_emojis(discord.stand_in)
        async with logged_in_bot(discord, tmp_path / "data", MovableClock()) as dealer:
            under_way = {
                type(part).__name__: part.tasks.run(asyncio.sleep(3600), "without end")
                for part in dealer.parts.of(Part)
                if isinstance(getattr(part, "tasks", None), BackgroundTasks)
            }
        await asyncio.sleep(0)
    assert len(under_way) > 10
    assert [name for name, task in under_way.items() if not task.cancelled()] == []
