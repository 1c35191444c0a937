"""Two dealers of one bot share what is the bot's, and what is a person's in all servers."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from bot.surfaces import card_emojis
from bot.surfaces.card_emojis import CardEmojis
from tests.e2e.bot_session import keep_card_emojis
from tests.support.discord_double import discord_double

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from tests.e2e.dealers_of_slots import dealers_of_slots

pytestmark = pytest.mark.real_time


async def test_only_first_slot_registers_commands_and_uploads_emojis(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one uses what is uploaded as soon as it is there."""
    monkeypatch.setattr(card_emojis, "LOOK_AGAIN_SECONDS", 0.01)
    async with discord_double(tmp_path / "discord") as discord:
        keep_card_emojis(discord.stand_in)
        emojis = discord.stand_in.world.emojis
        for emoji in list(emojis)[:3]:
            del emojis[emoji]
        async with dealers_of_slots(discord, tmp_path / "data", postgres) as dealers:
            for dealer in dealers:
                await dealer.parts.get(CardEmojis).wait_until_idle()
                assert dealer.services.emoji_decks.four_colour.marks
        changes = [one for one in discord.requests if one.method != "GET"]
        assert len([one for one in changes if one.path.endswith("/emojis")]) == 3
        assert len([one for one in changes if one.path.endswith("/commands")]) == 1
