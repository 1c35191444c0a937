"""The lobby: a board of the open tables that keeps itself up to date, and what its buttons do."""

from __future__ import annotations

import asyncio
import contextlib
import re
from pathlib import Path

import msgspec
import pytest

from bot.runtime.guests import TableGuests
from bot.runtime.request import Request
from bot.runtime.store_errors import StoreFailed
from bot.surfaces.lobby.boards import SavedBoard
from tests.e2e.bot_session import PATIENCE, BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.runtime.evening import settings
from tests.support.discord_double import EPHEMERAL, Json, Player
from tests.support.menus import choose_for_oneself, set_rules


def board(player: Player) -> Json | None:
    """The newest board that a person sees in the channel `lobby`."""
    channel = next(c["id"] for c in player.channels.values() if c.get("name") == "lobby")
    boards = [m for m in player.visible(channel) if "### Tables" in player.render(m) and not m["flags"] & EPHEMERAL]
    assert len(boards) <= 1, "there is never more than one board"
    return boards[0] if boards else None


def board_text(player: Player) -> str:
    found = board(player)
    return player.render(found) if found is not None else ""


async def until_board(room: BotSession, player: Player, *texts: str) -> str:
    """Wait until the board says this. The time between two edits, or two messages, passes at once."""

    def is_there() -> bool:
        return all(text in board_text(player) for text in texts)

    async with asyncio.timeout(PATIENCE):
        while not is_there():
            room.clock.skip(20)
            with contextlib.suppress(AssertionError):
                await player.wait_for(is_there, f"{texts} on the board", 0.1)
    return board_text(player)


def board_requests(room: BotSession) -> int:
    """How many messages and edits of boards there have been."""
    return room.dealer.services.lobby.edits


async def test_board_shows_every_table_and_leads_to_a_seat(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        for name in ("blue", "red"):
            room.discord.controls.add_channel(name)
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        staff = room.discord.you.go("lobby")
        assert "The lobby is in <#" in await staff.slash("house", page="lobby")
        empty = await until_board(room, ann, "### Tables")
        assert "No table is open. **Open a table** asks what you want to play" in empty and "[Open a table]" in empty

        await ann.go("blue").slash("play", sit=False, seats=2)
        await ann.slash("sit", seat=1)
        await bo.go("red").slash("play", sit=False, game="omaha")
        text = await until_board(room, cy, "Table 1 · ", "Table 2 · ", "Ann")
        assert "-# 2 tables · 1 player · 11 free seats" in text
        assert "Nobody sits here yet" in text and "[Join table 1] [Watch]" in text

        shown = next(m["id"] for m in ann.visible() if "Table 1" in ann.render(m))
        assert re.search(rf"\[go to the table\]\(\S+/{shown}\)", text), (
            "to the table's message, not to its channel only"
        )
        cy.go("lobby")
        answer = await cy.click("Join table 1")
        assert "You're in seat" in answer and "Your seat is in <#" in answer and "[Go to table]" in answer
        text = await until_board(room, cy, "[Wait for table 1]", "Ann, Cy")
        bo.go("lobby")
        assert "You're number 1 on the waiting list" in await bo.click("Wait for table 1")
        await until_board(room, cy, "1 waits for a seat")
        assert "You're in seat" in await cy.click("Wait for table 1"), "their own menu"
        watching = await bo.click("Watch")
        assert "Watch in <#" in watching and "[Go to table]" in watching
        assert "= Open a table =" in await bo.click("Open a table")
        assert "Your table is open: <#" in await bo.submit()
        text = await until_board(room, cy, "Table 3 · ", "Bo")
        opened = room.dealer.tables.public_tables(room.dealer.client.guilds[0].id)[-1]
        assert f"<#{opened.address.channel}>" in text, "in a thread of its own: the lobby's channel stays free"
        assert len([one for one in staff.visible() if not one["flags"] & EPHEMERAL]) == 1


async def test_board_is_edited_seldom_and_only_for_what_is_seen(tmp_path: Path) -> None:
    """Two hands are played and people come and go: one edit in ten seconds at most, and none for what the board does not say."""
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("blue")
        people = ann, bo, cy, dee = await room.people("Ann", "Bo", "Cy", "Dee")
        staff = room.discord.you.go("lobby")
        await staff.slash("house", page="lobby")
        await until_board(room, ann, "No table is open")
        for player in people:
            player.go("blue")
        await room.open_and_sit(ann, bo)
        await until_board(room, cy, "Ann, Bo")
        before = board_requests(room)
        for _ in range(2):
            await room.deal()
            await room.check_down(ann, bo)
        room.clock.skip(30)
        await room.wait_until_idle()
        assert board_requests(room) == before, "nobody came or left"

        for _ in range(3):
            await cy.slash("sit", seat=3)
            await cy.slash("leave")
        assert board_requests(room) - before <= 1, "who came and left at once is on no board"
        await cy.slash("sit", seat=3)
        await until_board(room, ann, "Ann, Bo, Cy")
        assert board_requests(room) - before <= 2, "all that happened within ten seconds is one edit"

        began, before = room.clock.now(), board_requests(room)
        for number in range(12):  # a busy minute
            player, seat = ((cy, 3), (dee, 4))[number % 2]
            is_seated = any(one.number == seat for one in room.now.table.seats)
            await (player.slash("leave") if is_seated else player.slash("sit", seat=seat))
            room.clock.skip(5)
            await room.wait_until_idle()
        seconds = (room.clock.now() - began) / 1000
        assert 2 <= board_requests(room) - before <= seconds / 10 + 1


async def test_board_comes_back_or_staff_are_told_what_to_do(tmp_path: Path) -> None:
    """It is deleted, the dealer loses the channel's permissions, the channel is deleted: each time somebody knows."""
    async with bot_session(tmp_path) as room:
        lobby = room.discord.channel("lobby")
        for name in ("other", "staff"):
            room.discord.controls.add_channel(name)
        (ann,) = await room.people("Ann")
        staff = room.discord.you.go("staff")
        await set_rules(staff, "house", staff_channel=room.discord.channel("staff"))
        assert "This server has no lobby" in await staff.slash("house", page="nolobby")
        staff.go("lobby")
        await staff.slash("house", page="lobby")
        await until_board(room, ann, "No table is open")

        first = board(ann)
        assert first is not None
        await room.discord.controls.delete_message(lobby, first["id"])
        await ann.wait_for(lambda: board(ann) is None, "the board to go")
        room.clock.skip(20)
        await until_board(room, ann, "No table is open")

        await room.wait_until_idle()
        again = board(ann)
        assert again is not None
        await room.discord.controls.delete_message(lobby, again["id"])
        await ann.wait_for(lambda: board(ann) is None, "the board to go")
        await room.wait_until_idle()
        assert board(ann) is None, "whoever deletes it again and again is not answered each time at once"
        await until_board(room, ann, "No table is open")

        await ann.go("other").slash("play", sit=False)
        await until_board(room, ann, "Table 1 · ")
        room.discord.controls.set_overwrite(lobby, deny=["view_channel"])
        await ann.slash("sit")
        room.clock.skip(10)
        staff.go("staff")
        await staff.until("I can't show the lobby in <#", PATIENCE)
        assert "and it comes back by itself" in await staff.slash("house", page="bans")
        room.discord.controls.set_overwrite(lobby)
        await until_board(room, ann, "Ann")
        assert "I can't show the lobby" not in await staff.slash("house", page="bans")

        room.discord.controls.delete_channel(lobby)
        await staff.until("The lobby's channel is gone", PATIENCE)
        assert "`/house page:lobby` in another channel brings it back" in await staff.slash("house", page="books")
        staff.go("other")
        await staff.slash("house", page="lobby")
        room.clock.skip(20)
        await staff.until("-# 1 table · 1 player", PATIENCE)
        assert "The lobby is taken away" in await staff.slash("house", page="nolobby")
        await staff.until_gone("-# 1 table · 1 player")


async def test_board_survives_a_kill_between_sending_and_saving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dealer is killed when its board is in Discord and its id is not saved: the next run finds it, and sends no other."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            room.discord.controls.add_channel("blue")
            (ann,) = await room.people("Ann")
            keep = room.dealer.store.keep

            async def keep_no_id(key: str, value: bytes | None) -> None:
                if key.startswith("lobby.") and value and msgspec.msgpack.decode(value, type=SavedBoard).message:
                    await asyncio.Event().wait()
                await keep(key, value)

            with monkeypatch.context() as killed:
                killed.setattr(room.dealer.store, "keep", keep_no_id)
                await room.discord.you.go("lobby").slash("house", page="lobby")
                await until_board(room, ann, "No table is open")
            await ann.go("blue").slash("play", sit=False)
        async with told.life() as room:
            await until_board(room, ann, "Table 1 · ")
            found = board(ann)
            assert found is not None
            await ann.slash("sit")
            await until_board(room, ann, "Ann")
        async with told.life() as room:
            await ann.slash("leave")
            await until_board(room, ann, "Nobody sits here yet")
            assert board(ann)["id"] == found["id"]  # type: ignore[index]

            async def no_answer(*_: object) -> None:
                await asyncio.Event().wait()

            room.dealer.services.discord_api.delete = no_answer  # type: ignore[method-assign]
            await room.discord.you.slash("house", page="nolobby")
            assert board(ann) is not None, "killed before it is deleted"
        async with told.life(is_killed=False) as room:
            await ann.wait_for(lambda: board(ann) is None, "the board to go")
            await room.wait_until_idle()
            assert not await room.dealer.store.values("oldlobby.") and not await room.dealer.store.values("lobby.")


async def test_private_table_is_unknown_to_strangers(tmp_path: Path) -> None:
    """It is on no board and in no stranger's list, nobody is told of it, and no made-up button leads there. Its guests find it."""
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("blue")
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.discord.you.go("lobby").slash("house", page="lobby")
        await choose_for_oneself(cy, tables=True)
        await until_board(room, ann, "No table is open")
        guild, host = room.dealer.client.guilds[0].id, int(ann.me["id"])
        request = Request(key="open", guild=guild, channel=int(room.discord.channel("blue")), user=host, name="Ann")
        guests = TableGuests(private=True, invited=(int(bo.me["id"]),))
        table = (await room.dealer.tables.open(request, settings(), guests)).snapshot.id
        room.clock.skip(20)
        await room.wait_until_idle()
        assert "No table is open" in board_text(cy) and not cy.dms()
        for player in (bo, cy):
            player.go("lobby")
        assert "Table 1" in await bo.slash("lobby") and "No table is open" in await cy.slash("lobby")
        message = board(cy)
        assert message is not None
        for verb in ("join", "watch", "tell"):
            assert "That table is closed." in await room.late_click(cy, message, f"p:lobby:{verb}:{table}")
        for made_up in (
            "p:lobby:all:999",
            "p:lobby:choose",
            "p:lobby:tables:on:1",
            "p:house:bans",
            "p:lobby:loud",
            "p:lobby:nonsense",
        ):
            await room.late_click(cy, message, made_up)
        assert board(cy) == message, "no press redraws the board"


async def test_what_cannot_be_saved_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full while staff move the board and while somebody asks for a ping: both are told, and all stays as it was."""
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("blue")
        (ann,) = await room.people("Ann")
        staff = room.discord.you.go("lobby")
        await staff.slash("house", page="lobby")
        await until_board(room, ann, "No table is open")
        before = board(ann)

        async def no_space(_key: str, _value: bytes | None) -> None:
            raise StoreFailed(reason="could not save: the disk is full")

        with monkeypatch.context() as disk:
            disk.setattr(room.dealer.store, "keep", no_space)
            staff.go("blue")
            for page in ("lobby", "nolobby"):
                assert "couldn't be saved, so nothing has changed" in await staff.slash("house", page=page)
            assert "couldn't be saved" in await ann.go("lobby").click("Tell me of new tables")
        assert board(ann) == before and not room.dealer.services.table_calls.wants(
            room.dealer.client.guilds[0].id, int(ann.me["id"])
        )
        await ann.slash("play", sit=False)
        await until_board(room, ann, "Table 1 · ")
