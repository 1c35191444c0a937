"""People see what is kept about them, take it along, and have it deleted, while others play on."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bot.ledger.accounts import Book
from bot.runtime.request import Request
from bot.runtime.store_types import FIRST_FORMER_PLAYER
from bot.statistics.types import Scope
from bot.store.connection import connect
from bot.store.statistics import achievements
from bot.surfaces.rooms.room_guests import RETRY_MS
from bot.surfaces.rooms.saved_rooms import TableRooms
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_hand_files import give
from tests.e2e.test_rooms import follow, threads
from tests.support.discord_double import Player
from tests.support.menus import choose_for_oneself, invite, remove, report, set_rules


def user_of(player: Player) -> int:
    return int(player.me["id"])


def rows_that_name(path: Path, user: int, name: str) -> list[str]:
    """Where a data file still holds somebody's id or name, as number, text or inside a stored value."""
    db = sqlite3.connect(path)
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    needles = (str(user).encode(), msgspec.msgpack.encode(user), msgspec.msgpack.encode(name))
    found = [
        f"{table}: {row}"
        for table in tables
        for row in db.execute(f'SELECT * FROM "{table}"')
        for value in row
        for needle in needles
        if needle in (value if isinstance(value, bytes) else str(value).encode())
    ]
    db.close()
    return found


async def traces(room: BotSession, folder: Path, user: int, name: str) -> list[str]:
    """Where any file of a data folder still holds somebody's id or name, also in hands, which are packed."""
    found = []
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:
        content = path.read_bytes()
        if content.startswith(b"SQLite format 3"):
            found += [f"{path.name}: {row}" for row in rows_that_name(path, user, name)]
        elif not path.name.endswith(("-wal", "-shm")):
            found += [path.name] if str(user).encode() in content or name.encode() in content else []
    assert {"cardroom.db", "statistics.sqlite3"} <= {path.name for path in files}
    for table in room.dealer.tables.all_tables():
        for number in range(1, table.hand_number + 1):
            hand = await room.dealer.store.hand(table.id, number)
            if hand is not None and {user, name} & set(_values(msgspec.to_builtins(hand.events))):
                found.append(f"hand {number} of table {table.id}")
    return found


def _values(part: object) -> Iterator[object]:
    if isinstance(part, dict):
        part = [*part, *part.values()]
    if isinstance(part, list | tuple):
        for inner in part:
            yield from _values(inner)
    else:
        yield part


async def faults(room: BotSession) -> tuple[object, ...]:
    guild = room.dealer.client.guilds[0].id
    audit = await room.dealer.store.audit(guild)
    return (*audit.faults, *await room.dealer.tables.audit(guild))


async def test_person_reads_takes_along_and_deletes_their_data(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Zebediah")
        await room.open_and_sit(ann, bo, cy)
        await choose_for_oneself(cy, colours="two")
        await room.next_hand()
        await room.check_down(ann, bo, cy)
        refused = await cy.slash("me", page="delete")
        assert "Delete your data?" in refused
        assert "seat at table 1" in await cy.click("Delete it all"), "still seated"
        await cy.slash("leave")

        await cy.slash("me", page="export")
        await cy.until("as JSON")
        files = [file["filename"] for message in cy.visible() for file in message.get("attachments", ())]
        assert files == ["cardroom-data.txt", "cardroom-data.json"]
        assert "again" in await cy.slash("me", page="export"), "once a day"
        export = await room.dealer.services.privacy.gather(room.now.address.guild, user_of(cy))
        (hand,) = export.hands
        asked = Request(key="", guild=room.now.address.guild, channel=0, user=user_of(cy), table=room.now.id)
        record = replace(await room.dealer.tables.read_hand_record(asked, 1), pokerstars="")
        assert hand.record == record, "what they can know, and no more"
        told = msgspec.json.decode(export.as_json())
        assert told["user"] == user_of(cy) and told["preferences"]["deck"] == "two"
        assert sum(entry["chips"] for entry in told["history"]["people"]) == export.holdings["people"].wallet

        guild, user = room.now.address.guild, user_of(cy)
        total = (await room.dealer.store.audit(guild)).minted
        wallet = export.holdings["people"].wallet
        asked = await cy.slash("me", page="delete")
        assert f"{wallet:,} chips go to the house" in asked
        assert "deleted" in await cy.click("Delete it all")
        assert await faults(room) == ()
        after = await room.dealer.store.audit(guild)
        assert (after.minted, after.house) == (total, wallet)
        assert rows_that_name(room.dealer.store.path, user, "Zebediah") == []
        assert "a former player" in await ann.slash("hand")
        assert str(user) not in await ann.slash("stats", page="leaderboard")
        with closing(connect(str(room.dealer.store.path))) as db, pytest.raises(sqlite3.IntegrityError):
            db.execute("UPDATE transfer SET chips = 1")

        await room.next_hand()
        assert await room.check_down(ann, bo)
        assert "Your chips: 0" in await cy.slash("me", page="chips"), "no second opening grant"
        holdings = await room.dealer.store.holdings(guild, user)
        assert holdings.claims.granted_at and not holdings.wallet
        assert await faults(room) == ()


@pytest.mark.real_time
@pytest.mark.parametrize("killed_at", [1, 2], ids=["before the data", "between the data and the statistics"])
async def test_deletion_leaves_no_trace_despite_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_at: int
) -> None:
    """Zebediah wins a season, has achieved something, keeps numbers private, asked for pings, is invited, imported a hand. The dealer is
    killed while that is deleted; the next one ends the deletion, and Discord does not let it take Zebediah out of the thread."""
    monkeypatch.setattr(achievements, "SHOWDOWNS", 1)
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            you = room.discord.you
            room.discord.controls.add_channel("table")
            ann, bo, dee, zeb = await room.people("Ann", "Bo", "Dee", "Zebediah")
            await you.go("lobby").slash("house", page="lobby")
            for player in (ann, bo, dee, zeb, you):
                player.go("table")
            await set_rules(you, "season", ranking_hands=1)
            await you.fill_in("season", page="open", name="Winter", order="net")
            await room.grant(zeb, 5_000)
            await room.open_and_sit(ann, bo, zeb, seats=3)
            await room.next_hand()
            await room.check_down(ann, bo, zeb)
            await zeb.slash(
                "leave"
            )  # at once: a slow machine takes longer for what follows than the pause before the next hand
            await dee.slash("sit", seat=3)
            await room.wait_until_idle()
            await choose_for_oneself(zeb, colours="two")
            await choose_for_oneself(zeb, quiet="22:00-08:00 +02:00", tables=True)
            await choose_for_oneself(zeb, tell=True)
            await zeb.slash("stats")
            await zeb.click("Keep them private")
            await zeb.slash("hand", number="1", file="phh")
            await give(zeb, "mine.phh", await zeb.attached_text())
            await report(zeb, "Zebediah plays too well", number="1", table=1)
            await you.slash("season", page="close")
            await you.click("Close the season")
            await room.wait_until_idle()
            await zeb.slash("lobby")
            await zeb.select("Choose a table…", "Table 1 · No-Limit Hold'em")
            assert "I tell you once" in await zeb.click("Tell me of a free seat")
            guild, user = room.now.address.guild, user_of(zeb)
            await ann.slash("play", sit=False, where="private")
            (thread,) = threads(room)
            await follow(thread["id"], ann)
            await invite(ann, zeb)
            await room.wait_until_idle()
            before = await room.dealer.statistics.player(guild, user, Scope())
            assert before.counts.hands == 1 and rows_that_name(room.dealer.store.path, user, "Zebediah")
            assert (await room.dealer.statistics.achievements(guild, user))[0].hand.number == 1
            assert await traces(room, tmp_path / "data", user, "Zebediah")

            count, reached, calls = room.dealer.statistics.follow_deletions, asyncio.Event(), itertools.count(1)

            async def killed_there() -> None:
                if next(calls) == killed_at:
                    reached.set()
                    await asyncio.Event().wait()
                await count()

            monkeypatch.setattr(room.dealer.tables._deletions, "_follow", killed_there)
            await zeb.slash("me", page="delete")
            deleting = asyncio.create_task(zeb.click("Delete it all"))
            await asyncio.wait_for(reached.wait(), 10)
            await asyncio.sleep(0)
            assert not deleting.done() and bool(await room.dealer.store.deletions()) is (killed_at == 1)
            rooms = room.dealer.parts.get(TableRooms)
            for table, known in rooms.all():  # who is in a thread can be saved at any moment
                await rooms.keep(table, known)
            room.discord.fails(
                "DELETE", r"/channels/\d+/thread-members/\d+", status=503, times=99
            )  # it is put off for minutes
            deleting.cancel()
        async with told.life(is_killed=False) as room:
            with suppress(TimeoutError):  # what is left then is named below
                async with asyncio.timeout(30):
                    while await room.dealer.store.deletions() or await traces(
                        room, tmp_path / "data", user, "Zebediah"
                    ):
                        await asyncio.sleep(0.05)
            await room.wait_until_idle()  # also until what was remembered of the room has been looked through
            assert await traces(room, tmp_path / "data", user, "Zebediah") == []
            former = await room.dealer.statistics.player(guild, FIRST_FORMER_PLAYER, Scope())
            assert former.counts == before.counts, "the others' numbers still add up"
            assert "a former player" in await ann.slash("season", page="results")
            assert "a former player" in await ann.slash("stats", page="leaderboard", by="net")
            assert "No hands yet" in await zeb.slash("stats")
            await invite(ann, dee)
            await room.wait_until_idle()
            assert await traces(room, tmp_path / "data", user, "Zebediah") == [], (
                "nothing comes back with what is saved next"
            )
            assert await faults(room) == ()


@pytest.mark.parametrize("removal_fails", [False, True])
async def test_guest_who_deletes_their_data_leaves_the_room(tmp_path: Path, *, removal_fails: bool) -> None:
    """Also where the host has just removed them, and Discord did not take that at once."""
    async with bot_session(tmp_path) as room:
        ann, zeb = await room.people("Ann", "Zebediah")
        await ann.slash("play", sit=False, where="private")
        (thread,) = threads(room)
        await follow(thread["id"], ann)
        await invite(ann, zeb)
        await zeb.wait_for(lambda: thread["id"] in zeb.channels, "the thread")
        user = user_of(zeb)
        if removal_fails:
            room.discord.fails("DELETE", r"/channels/\d+/thread-members/\d+", status=500, delay=20, times=8)
            await remove(ann, zeb)
        await zeb.slash("me", page="delete")
        assert "deleted" in await zeb.click("Delete it all")
        await asyncio.sleep(60 if removal_fails else 0)
        assert rows_that_name(room.dealer.store.path, user, "Zebediah") == []
        await zeb.wait_for(lambda: thread["id"] not in zeb.channels, "the thread to go", 2 * RETRY_MS / 1000)


async def test_two_people_are_two_former_players(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo, cy)
        await room.next_hand()
        await room.check_down(ann, bo, cy)
        former = []
        for player in (bo, cy):
            await player.slash("leave")
            await room.wait_until_idle()
            await player.slash("me", page="privacy")
            await player.click("Delete my data…")
            await player.click("Delete it all")
        saved = await room.dealer.store.hand(room.now.id, 1)
        assert saved is not None
        former = sorted(one for event in saved.events for one, _ in getattr(event, "players", ()) if one < 1 << 22)
        assert former == [FIRST_FORMER_PLAYER, FIRST_FORMER_PLAYER + 1]
        for book in Book:
            assert (await room.dealer.store.holdings(room.now.address.guild, FIRST_FORMER_PLAYER, book)).total == 0
        assert await faults(room) == ()
