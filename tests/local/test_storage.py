"""Messages, people and settings are kept when the stand-in stops."""

from __future__ import annotations

import io
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import aiohttp
import discord
import pytest

from bot.local.stand_in import DiscordStandIn
from bot.local.storage import StorageInUse
from tests.local.sample_bot import PIXEL, run_sample_bot
from tests.support.discord_double import discord_double


async def test_restart_keeps_everything_but_private_messages(tmp_path: Path) -> None:
    async with discord_double(tmp_path, token="t") as first:
        async with run_sample_bot(first) as bot:
            ann = await first.person("Ann")
            await ann.slash("table open", amount=40)
            await first.you.slash("whisper", to=ann)
            await ann.slash("picture")
            emoji = await bot.create_application_emoji(name="ace_of_hearts", image=PIXEL)
            await ann.dms_open(value=False)
            await first.you.slash("secret")
            screen, dms, page, commands = ann.screen(), ann.dms(), ann.page, ann.commands
            media = ann.visible()[-1]["components"][0]["items"][0]["media"]["url"]
        port = first.stand_in.port
    async with discord_double(tmp_path, token="t", port=port) as second:
        again = await second._open(page, "Ann")
        assert again.screen() == screen
        assert dms and not again.dms(), "they hold the cards of running hands, so they never reach the disk"
        assert again.commands == commands
        assert not again.frames[0]["dms_open"]
        assert "ace of spades" not in second.you.screen(), "ephemeral messages are not kept"
        async with aiohttp.ClientSession() as session:
            for url in (media, f"{second.stand_in.cdn_url}/emojis/{emoji.id}.png"):
                async with session.get(url) as response:
                    assert await response.read() == PIXEL
        async with run_sample_bot(second):
            assert "[Call 50]" in await again.click("Call 40")


async def test_replaced_pictures_leave_the_disk(tmp_path: Path) -> None:
    """Hundreds of pictures take the room of a few, also where their message or channel is deleted."""
    picture = random.Random(5).randbytes(60_000)
    async with discord_double(tmp_path) as double, run_sample_bot(double) as bot:
        channel = bot.guilds[0].text_channels[0]
        message = await channel.send(file=discord.File(io.BytesIO(picture), "table.webp"))
        for _ in range(300):
            await message.edit(attachments=[discord.File(io.BytesIO(picture), "table.webp")])
        deleted = await channel.send(file=discord.File(io.BytesIO(picture), "table.webp"))
        await deleted.delete()
        other = double.controls.add_channel("other")["id"]
        await bot.get_partial_messageable(int(other)).send(file=discord.File(io.BytesIO(picture), "table.webp"))
        double.controls.delete_channel(other)
        shown = double.you.visible(str(channel.id))[-1]["attachments"][0]["id"]
    with closing(sqlite3.connect(tmp_path / "discord.sqlite3")) as database:
        assert database.execute("SELECT id FROM file").fetchall() == [(int(shown),)]
    assert sum(path.stat().st_size for path in tmp_path.glob("discord.sqlite3*")) < 40 * len(picture)


async def test_direct_messages_that_are_forgotten_leave_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.local.world.MAX_MESSAGES_IN_MEMORY", 3)
    async with discord_double(tmp_path) as double, run_sample_bot(double) as bot:
        user = await bot.fetch_user(int(double.you.me["id"]))
        sent = [await user.send(file=discord.File(io.BytesIO(PIXEL), "cards.webp")) for _ in range(5)]
        found = [await double.stand_in.world.storage.read_file(message.attachments[0].id) for message in sent]
        assert [file is not None for file in found] == [False, False, True, True, True]


async def test_bot_reconnects_to_restarted_discord(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discord.backoff.ExponentialBackoff.delay", lambda self: 0.05)
    async with discord_double(tmp_path, token="t") as first:
        port = first.stand_in.port
        async with run_sample_bot(first):
            await first.you.slash("table open", amount=40)
            await first.stand_in.stop()
            async with discord_double(tmp_path, token="t", port=port) as second:
                await second.bot_ready(timeout=15)
                assert "[Call 50]" in await second.you.click("Call 40")


async def test_messages_no_longer_in_memory_are_still_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.local.world.MAX_MESSAGES_IN_MEMORY", 3)
    async with discord_double(tmp_path) as double, run_sample_bot(double) as bot:
        channel = bot.guilds[0].text_channels[0]
        sent = [await channel.send(f"hand {n}") for n in range(6)]
        assert len(double.stand_in.world.messages[str(channel.id)]) == 3
        assert (await channel.fetch_message(sent[0].id)).content == "hand 0"
        assert (await sent[0].edit(content="hand 0, over")).content == "hand 0, over"
        older = [m.content async for m in channel.history(before=sent[3])]
        assert older == ["hand 2", "hand 1", "hand 0, over"]
        await sent[1].delete()
        older = [m.content async for m in channel.history(before=sent[3])]
        assert older == ["hand 2", "hand 0, over"]


async def test_ids_grow_across_restarts(tmp_path: Path) -> None:
    async with DiscordStandIn(tmp_path) as first:
        first.clock.advance(3600)
        before = int(first.world.add_person("Ann").id)
    async with DiscordStandIn(tmp_path) as second:
        assert int(second.clock.new_id()) > before


async def test_directory_serves_one_stand_in(tmp_path: Path) -> None:
    async with DiscordStandIn(tmp_path):
        with pytest.raises(StorageInUse):
            await DiscordStandIn(tmp_path).start()
