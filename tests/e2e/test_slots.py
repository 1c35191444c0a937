"""Two dealers of one bot share what is the bot's, and what is a person's in all servers."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.dealer import Dealer
from bot.runtime.request import Request
from bot.settings import DISCORD_FOLDER
from bot.store.slots import ServerSlot
from bot.surfaces import card_emojis
from bot.surfaces.card_emojis import CardEmojis
from bot.surfaces.people import full_deletions, shared_news
from bot.surfaces.people.shared_news import SharedNews
from bot.text.buttons import STOP_DMS
from bot.text.refusals.runtime import PRESS_AGAIN
from cogs.direct_clicks import DirectClicks
from tests.e2e.bot_session import keep_card_emojis
from tests.e2e.movable_clock import MovableClock
from tests.e2e.test_rooms import follow
from tests.support.discord_double import Discord, Player, discord_double

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from tests.e2e.dealers_of_slots import HOUSE, dealer_of_slot, dealers_of_slots, server_of_slot
from tests.support.postgres_store import asking

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


@pytest.fixture(autouse=True)
def tables_of_the_same_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both slots have a table 1, as two bots that became one would have: who presses where must not depend on a number."""
    monkeypatch.setattr(ServerSlot, "first_id", 0)


@asynccontextmanager
async def two_slots(tmp_path: Path, address: str) -> AsyncIterator[tuple[Discord, list[Dealer]]]:
    """A bot with a dealer for each of two slots, each with a server of its own."""
    async with discord_double(tmp_path / "discord") as discord:
        keep_card_emojis(discord.stand_in)
        for number in range(2):
            server_of_slot(discord, number)
        async with dealers_of_slots(discord, tmp_path / "data" / DISCORD_FOLDER, address) as dealers:
            yield discord, dealers


async def two_players(discord: Discord, dealer: Dealer, number: int) -> list[Player]:
    """Two people sit down in the server of a slot, and the first hand is dealt to them."""
    guild = server_of_slot(discord, number)
    players = [await discord.person(f"{name}{number}", guild=guild) for name in ("Ann", "Bo")]
    await players[0].slash("play", sit=False)
    for seat, player in enumerate(players, 1):
        await player.slash("sit", seat=seat)
    clock, (table,) = dealer.services.clock, dealer.tables.all_tables()
    assert isinstance(clock, MovableClock)
    clock.skip(max(0, table.table.next_hand_at - clock.now()) / 1000)
    for player in players:
        await player.wait_for(lambda player=player: "Hand #1" in player.dms(), "the hole cards")  # type: ignore[misc]
    return players


async def test_press_in_a_direct_message_reaches_its_dealer(postgres: str, tmp_path: Path) -> None:
    """Table 1 of either server: whoever presses at it in a direct message presses at their own."""
    async with two_slots(tmp_path, postgres) as (discord, dealers):
        ann, bo = await two_players(discord, dealers[1], 1)
        cy, dee = await two_players(discord, dealers[0], 0)
        for player in (ann, cy):
            await player.click(STOP_DMS, within="Hand #1")
        for dealer, player, other in ((dealers[1], ann, bo), (dealers[0], cy, dee)):
            wants = dealer.services.preferences.wants_dms
            assert not wants(int(player.me["id"])) and wants(int(other.me["id"]))


async def test_press_in_an_older_message_finds_its_dealer(postgres: str, tmp_path: Path) -> None:
    """It was sent while the bot had one dealer, and says nothing of slots. Both servers have a table 1."""
    async with two_slots(tmp_path, postgres) as (discord, dealers):
        dealers[1].services.discord_api._mark = None
        ann, _ = await two_players(discord, dealers[1], 1)
        await two_players(discord, dealers[0], 0)
        assert "No more DMs" in await ann.click(STOP_DMS, within="Hand #1")
        assert not dealers[1].services.preferences.wants_dms(int(ann.me["id"]))


async def test_preference_of_one_server_holds_in_the_other(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is kept once for all, and is there when the operator exports what is kept about a person."""
    async with two_slots(tmp_path, postgres) as (discord, dealers):
        ann, _ = await two_players(discord, dealers[1], 1)
        await ann.click(STOP_DMS, within="Hand #1")
        for dealer in dealers:
            await dealer.parts.get(SharedNews).look()
            assert not dealer.services.preferences.wants_dms(int(ann.me["id"]))
            assert await dealer.store.values("dm.") == {}, "in no slot, but in the house"
        monkeypatch.setenv("CARDROOM_DATABASE", postgres)
        monkeypatch.setenv("CARDROOM_DATA", str(tmp_path / "data"))
        monkeypatch.setenv("DISCORD_TOKEN", discord.stand_in.token)
        file = tmp_path / "ann.jsonl"
        assert await asyncio.to_thread(main, ["export", str(file), "--person", ann.me["id"]]) == 0
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        (saved,) = [line for line in lines if line["line"] == "preferences"]
        assert (saved["person"], saved["dm"], saved["dmchannel"]) == (int(ann.me["id"]), "off", ann.dm_channels[0])


async def test_deletion_in_one_server_reaches_what_holds_in_all(postgres: str, tmp_path: Path) -> None:
    """Ann asks for it in the server of the second slot; what she prefers is gone there and in the other one."""
    async with two_slots(tmp_path, postgres) as (discord, dealers):
        guild = server_of_slot(discord, 1)
        ann = await discord.person("Ann", guild=guild)
        user = int(ann.me["id"])
        await dealers[0].services.preferences.set_quiet_hours(user, "23:00-07:00")
        await dealers[1].parts.get(SharedNews).look()
        assert dealers[1].services.preferences.quiet_hours(user)
        asked = Request(key="delete", guild=int(guild), channel=1, user=user)
        assert (await dealers[1].services.privacy.gather(int(guild), user)).preferences["quiet"] == "23:00-07:00"
        await dealers[1].services.privacy.delete(asked)
        for dealer in dealers:
            await dealer.parts.get(SharedNews).look()
            await dealer.parts.forget(int(guild), user)
        assert [dealer.services.preferences.quiet_hours(user) for dealer in dealers] == ["", ""]
        assert (await dealers[0].services.privacy.gather(int(guild), user)).preferences == {}


async def test_full_deletion_waits_for_a_slot_that_nobody_deals(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann has played in both servers. The dealer of the first one is asked alone; the other one begins later."""
    monkeypatch.setattr(full_deletions, "PAUSE_SECONDS", 0.1)
    monkeypatch.setattr(shared_news, "PAUSE_SECONDS", 0.1)
    data = tmp_path / "data" / DISCORD_FOLDER
    async with two_slots(tmp_path, postgres) as (discord, dealers):
        user, guilds = await _played_in_both(discord, dealers)
        assert [await one.services.privacy.servers_of(user) for one in dealers] == [(guilds[0],), (guilds[1],)]
        await dealers[1].stop_playing()
        first, _ = dealers
        await first.services.full_deletions.ask(user, "en-US", 0)
        async with asyncio.timeout(20):
            while (state := await first.services.full_deletions.state(user)) is not None and not state.deleted:
                await asyncio.sleep(0.05)
        assert state is not None and (state.deleted, state.is_done) == (1, False)
        await first.services.full_deletions.answered(user, is_told=False)
        await dealers[1].store.engine.close()
        async with dealer_of_slot(discord, data, postgres, ServerSlot(1, 2)) as second:
            async with asyncio.timeout(20):
                while await first.services.full_deletions.state(user) is not None:
                    await asyncio.sleep(0.05)
            channel = discord.controls.dm_channel(str(user))
            (told,) = discord.stand_in.world.messages[channel].values()
            assert "kept in 2 servers" in json.dumps(told["components"])
            for dealer in (first, second):
                assert await dealer.services.privacy.servers_of(user) == ()
        with asking(postgres, HOUSE) as db:
            assert db.execute("SELECT key FROM personal_value WHERE value IS NOT NULL").fetchall() == []
            assert db.execute("SELECT * FROM taken").fetchall() == []


async def _played_in_both(discord: Discord, dealers: list[Dealer]) -> tuple[int, list[int]]:
    """Somebody opens a table in the server of each dealer, sits down, and leaves."""
    guilds = [server_of_slot(discord, number) for number in range(2)]
    added = discord.controls.add_person("Ann", guilds[0])
    discord.controls.add_member(added["id"], guilds[1])
    ann = await discord._open(added["page"], "Ann")
    for number, dealer in enumerate(dealers):
        channels = [one for one in discord.stand_in.world.channels.values() if one.get("guild_id") == guilds[number]]
        ann.here = next(one["id"] for one in channels if one["type"] == 0)
        await ann.slash("play", sit=False)
        await ann.slash("sit", seat=1)
        await ann.slash("leave")
        (table,) = dealer.tables.all_tables()
        await dealer.tables.close_without_channel(table.id)
    return int(ann.me["id"]), [int(guild) for guild in guilds]


async def test_press_is_answered_while_its_dealer_is_away(postgres: str, tmp_path: Path) -> None:
    async with two_slots(tmp_path, postgres) as (discord, dealers):
        ann, _ = await two_players(discord, dealers[1], 1)
        await dealers[1].parts.get(DirectClicks).close()
        began = time.monotonic()
        assert PRESS_AGAIN in await ann.click(STOP_DMS, within="Hand #1")
        assert time.monotonic() - began < 3
        assert dealers[1].services.preferences.wants_dms(int(ann.me["id"]))


async def test_next_table_is_found_with_another_dealer(postgres: str, tmp_path: Path) -> None:
    """Ann plays for days in the server of the second slot; `/me` in that of the first one leads her there while it waits for her."""
    async with two_slots(tmp_path, postgres) as (discord, dealers):
        guilds = [server_of_slot(discord, number) for number in range(2)]
        people = []
        for name in ("Ann", "Bo"):
            added = discord.controls.add_person(name, guilds[1])
            discord.controls.add_member(added["id"], guilds[0])
            people.append(await discord._open(added["page"], name))
        channels = discord.stand_in.world.channels.values()
        here, there = [
            next(one["id"] for one in channels if one.get("guild_id") == guild and one["type"] == 0) for guild in guilds
        ]
        for player in people:
            player.here = there
        await people[0].slash("play", seconds=86_400, big_blind="20")
        dealer = dealers[1]
        (table,) = dealer.tables.all_tables()
        thread = str(table.address.channel)
        await follow(thread, *people)
        await people[1].slash("sit")
        clock = dealer.services.clock
        assert isinstance(clock, MovableClock)
        clock.skip(max(0, dealer.tables.snapshot(table.id).table.next_hand_at - clock.now()) / 1000)
        async with asyncio.timeout(20):
            while not (turns := dealer.tables.slow_turns()):
                await asyncio.sleep(0.01)
            while not await dealers[0].services.next_tables.find(turns[0].user):
                await asyncio.sleep(0.01)
        first, other = sorted(people, key=lambda one: int(one.me["id"]) != turns[0].user)
        for player in people:
            player.here = here
        assert f"1 table waits for you: <#{thread}>" in await first.slash("me")
        assert "waits for you" not in await other.slash("me")
