"""People see what is kept about them, take it along, and have it deleted, while others play on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bot.ledger.accounts import Book
from bot.runtime.request import Request
from bot.runtime.store_types import FIRST_FORMER_PLAYER
from bot.store.connection import connect
from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player


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


async def faults(room: BotSession) -> tuple[object, ...]:
    guild = room.now.address.guild
    audit = await room.dealer.store.audit(guild)
    return (*audit.faults, *await room.dealer.tables.audit(guild))


async def test_person_reads_takes_along_and_deletes_their_data(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Zebediah")
        await room.open_and_sit(ann, bo, cy)
        await cy.slash("cards", colours="two")
        await room.next_hand()
        await room.check_down(ann, bo, cy)
        refused = await cy.slash("privacy delete")
        assert "Delete your data?" in refused
        assert "seat at table 1" in await cy.click("Delete it all"), "still seated"
        await cy.slash("leave")

        await cy.slash("privacy export")
        await cy.until("as JSON")
        files = [file["filename"] for message in cy.visible() for file in message.get("attachments", ())]
        assert files == ["cardroom-data.txt", "cardroom-data.json"]
        assert "again" in await cy.slash("privacy export"), "once a day"
        export = await room.dealer.room.privacy.gather(room.now.address.guild, user_of(cy))
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
        asked = await cy.slash("privacy delete")
        assert f"{wallet:,} chips go to the house" in asked
        assert "deleted" in await cy.click("Delete it all")
        assert await faults(room) == ()
        after = await room.dealer.store.audit(guild)
        assert (after.minted, after.house) == (total, wallet)
        assert rows_that_name(room.dealer.store.path, user, "Zebediah") == []
        assert "a former player" in await ann.slash("hand")
        assert str(user) not in await ann.slash("leaderboard")
        with closing(connect(str(room.dealer.store.path))) as db, pytest.raises(sqlite3.IntegrityError):
            db.execute("UPDATE transfer SET chips = 1")

        await room.next_hand()
        assert await room.check_down(ann, bo)
        assert "Your chips: 0" in await cy.slash("chips balance"), "no second opening grant"
        holdings = await room.dealer.store.holdings(guild, user)
        assert holdings.claims.granted_at and not holdings.wallet
        assert await faults(room) == ()


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
            await player.slash("privacy about")
            await player.click("Delete my data…")
            await player.click("Delete it all")
        saved = await room.dealer.store.hand(room.now.id, 1)
        assert saved is not None
        former = sorted(one for event in saved.events for one, _ in getattr(event, "players", ()) if one < 1 << 22)
        assert former == [FIRST_FORMER_PLAYER, FIRST_FORMER_PLAYER + 1]
        for book in Book:
            assert (await room.dealer.store.holdings(room.now.address.guild, FIRST_FORMER_PLAYER, book)).total == 0
        assert await faults(room) == ()
