"""`cardroom doctor` checks a channel, says what held, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bot.__main__ import main
from bot.house.rules import HouseRules
from bot.operation.doctor import examine
from bot.settings import DATA_FILE
from bot.store.data_source import channels_with_tables, forums_of_tables
from tests.support.discord_double import Discord, discord_double, endpoints

VERSION_0_1_0 = Path(__file__).parents[1] / "data" / "v0_1_0" / "discord"


async def examined(
    discord: Discord, *, press: bool = True, tables: Sequence[int] = (), forums: Sequence[int] = ()
) -> tuple[bool, list[str]]:
    """Examine the first channel, where somebody presses the button or nobody does."""
    you, lines = discord.you, list[str]()
    with endpoints(discord.stand_in):
        work = asyncio.create_task(
            examine(
                discord.stand_in.token,
                int(you.here),
                lines.append,
                press_seconds=10 if press else 0.01,
                tables=tables,
                forums=forums,
            )
        )
        if press:
            await you.until("Press me", 10)
            await you.click("Press me")
        return await work, lines


async def test_everything_holds_in_the_local_cardroom(tmp_path: Path) -> None:
    async with discord_double(tmp_path, limits=True) as discord:
        is_well, lines = await examined(discord)
        assert is_well, lines
        assert "12 held, 0 failed, 0 not checked." in lines
        assert any(line.startswith("  PATCH /channels/messages: 5 requests") for line in lines)
        await discord.you.until_gone("The dealer checks")
        assert "The dealer checks" not in discord.you.dms()
        assert not discord.stand_in.world.emojis


async def test_what_needs_a_press_is_left_out_without_one(tmp_path: Path) -> None:
    async with discord_double(tmp_path) as discord:
        is_well, lines = await examined(discord, press=False)
        assert is_well
        assert "– A press is answered privately: nobody pressed the button" in lines
        assert "9 held, 0 failed, 3 not checked." in lines


async def test_failure_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    async with discord_double(tmp_path) as discord:
        refused = {"message": "Missing Permissions", "code": 50013}
        discord.fails("POST", "/applications/.*/emojis", status=403, body=refused)
        discord.controls.set_overwrite(discord.you.here, deny=["attach_files"])
        is_well, lines = await examined(discord, press=False)
        assert not is_well
        assert "✘ An application emoji can be uploaded and removed: 403 50013 Missing Permissions" in lines
        assert any("Attach Files missing" in line for line in lines)
        assert "✔ The dealer's own message can be edited" in lines
        await discord.you.until_gone("The dealer checks")


async def test_channels_whose_tables_have_no_pictures_are_named(tmp_path: Path) -> None:
    async with discord_double(tmp_path) as discord:
        other = discord.controls.add_channel("high-stakes")["id"]
        tables = (int(discord.you.here), int(other))
        is_well, lines = await examined(discord, press=False, tables=tables)
        assert is_well and "✔ The dealer can show pictures in all channels with tables" in lines
        discord.controls.set_overwrite(other, deny=["attach_files"])
        is_well, lines = await examined(discord, press=False, tables=tables)
        assert is_well, "play goes on in text"
        (line,) = [line for line in lines if "can show pictures" in line]
        assert line.startswith("– ") and "in #high-stakes tables go on in text; allow Attach Files" in line


async def test_what_tables_in_threads_lack_is_named(tmp_path: Path) -> None:
    async with discord_double(tmp_path) as discord:
        forum = discord.controls.add_forum("poker-posts")["id"]
        discord.controls.set_overwrite(discord.you.here, deny=["create_public_threads", "manage_threads"])
        discord.controls.set_overwrite(forum, deny=["send_messages_in_threads"])
        is_well, lines = await examined(discord, press=False, forums=(int(forum),))
        assert is_well, "tables in channels do without"
        (line,) = [line for line in lines if "tables in threads" in line]
        assert "Create Public Threads and Manage Threads missing; allow them in Edit Channel → Permissions" in line
        assert "in #poker-posts Send Messages in Threads missing" in line


async def test_missing_right_to_create_events_is_named(tmp_path: Path) -> None:
    async with discord_double(tmp_path) as discord:
        discord.controls.take_from_bot(["create_events"])
        is_well, lines = await examined(discord, press=False)
        assert is_well, "nights do without"
        (line,) = [line for line in lines if "game nights" in line]
        assert line.endswith("Create Events missing; allow them in Server Settings → Roles")


def test_forums_of_tables_are_read_from_the_data(tmp_path: Path) -> None:
    shutil.copytree(VERSION_0_1_0, tmp_path / "discord")
    data = tmp_path / "discord" / DATA_FILE
    assert forums_of_tables(data) == ()
    with contextlib.closing(sqlite3.connect(data)) as db:
        rules = msgspec.json.encode(replace(HouseRules(), forum_channel=77))
        db.execute("UPDATE guild SET rules = ? WHERE id = (SELECT MIN(id) FROM guild)", (rules,))
        db.commit()
    assert forums_of_tables(data) == (77,)


def test_channels_with_tables_are_read_from_the_data(tmp_path: Path) -> None:
    shutil.copytree(VERSION_0_1_0, tmp_path / "discord")
    with contextlib.closing(sqlite3.connect(tmp_path / "discord" / DATA_FILE)) as db:
        rows = db.execute("SELECT state, channel FROM card_table").fetchall()
    open_channels = sorted(channel for state, channel in rows if state == "open")
    assert 0 < len(open_channels) < len(rows)
    assert list(channels_with_tables(tmp_path / "discord" / DATA_FILE)) == open_channels


async def test_channel_that_cannot_be_seen_is_reported(tmp_path: Path) -> None:
    async with discord_double(tmp_path) as discord:
        lines: list[str] = []
        with endpoints(discord.stand_in):
            assert not await examine(discord.stand_in.token, 123456789012345678, lines.append)
        assert any("cannot see the channel" in line for line in lines)


def test_wrong_channel_or_missing_token_ends_with_code_2(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    assert main(["doctor", "--discord", "#poker"]) == 2
    assert "is no channel" in capsys.readouterr().err
    assert main(["doctor", "--discord", "https://discord.com/channels/1/123456789012345678"]) == 2
    assert "DISCORD_TOKEN is not set" in capsys.readouterr().err
