"""Pings that people ask for, and hours in which nobody is pinged for anything but their own turn."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path

import msgspec
import pytest

from bot.house.rules import LOCAL_HOUSE_RULES
from bot.runtime.errors import TooManyPings
from bot.runtime.guests import TableGuests
from bot.runtime.request import Request
from bot.surfaces.lobby.pings import PublicCall
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.runtime.evening import settings
from tests.support.discord_double import Player
from tests.support.menus import choose_for_oneself

SILENT = 1 << 12


def hours(room: BotSession, begin: float, end: float) -> str:
    """Quiet hours, in UTC+02:00, that begin and end so many minutes from now."""
    at = room.clock.now() / 1000 + 2 * 3600
    times = [datetime.datetime.fromtimestamp(at + 60 * minutes, datetime.UTC) for minutes in (begin, end)]
    return f"{times[0]:%H:%M}-{times[1]:%H:%M} +02:00"


async def fill_table(room: BotSession, ann: Player, bo: Player) -> None:
    """A table of two, with nobody free to join."""
    await ann.slash("play", sit=False, seats=2)
    await ann.slash("sit", seat=1)
    await bo.slash("sit", seat=2)
    await ann.until("[Tell me of a free seat]")


async def test_free_seat_is_told_once_to_those_who_asked(tmp_path: Path) -> None:
    """By direct message, else by a mention that goes away; after the waiting list. The seat can be taken from there."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy, dee, eve = await room.people("Ann", "Bo", "Cy", "Dee", "Eve")
        await fill_table(room, ann, bo)
        assert "You're in seat 1" in await ann.click("Tell me of a free seat"), "their own menu"
        assert "I tell you once when a seat is free at Table 1" in await cy.click("Tell me of a free seat")
        await dee.dms_open(value=False)
        await dee.slash("lobby")
        watching = await dee.select("Choose a table…", "Table 1 · No-Limit Hold'em")
        assert "[Wait for table 1]" in watching and "[Tell me of a free seat]" in watching
        assert "I tell you once" in await dee.click("Tell me of a free seat", within="Only you can see this")

        await eve.slash("seat", what="waiting list")
        await bo.slash("leave")
        await eve.until("A seat is free for you at Table 1.")
        await room.wait_until_idle()
        assert "A seat is free at" not in cy.dms(), "the waiting list comes first"
        await eve.click("No, thanks", within="A seat is free for you")
        await cy.until("A seat is free at Table 1: No-Limit Hold'em 50/100.\n[Take a seat] [Go to table]")
        await dee.until("@Dee A seat is free at Table 1")
        assert "You're in seat 2" in await cy.click("Take a seat", within="A seat is free at Table 1")
        await dee.until_gone("@Dee A seat is free at Table 1")
        await cy.wait_for(lambda: "A seat is free" not in cy.dms(), "the notice to go")

        await cy.slash("leave")
        await room.wait_until_idle()
        assert "A seat is free at" not in cy.dms() + dee.dms() + dee.screen(), "each was told once"


async def test_who_asked_for_a_seat_is_told_after_a_kill(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo, cy = await room.people("Ann", "Bo", "Cy")
            await fill_table(room, ann, bo)
            await cy.click("Tell me of a free seat")
        async with told.life(is_killed=False) as room:
            await bo.slash("leave")
            await cy.until("A seat is free at Table 1")
            room.clock.skip(601)
            await cy.wait_for(lambda: "A seat is free at" not in cy.dms(), "the notice to go after ten minutes")


async def test_free_seat_waits_for_the_end_of_quiet_hours(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await fill_table(room, ann, bo)
        answer = await choose_for_oneself(cy, quiet=hours(room, -60, 3))
        assert "Quiet hours · **" in answer and "UTC+02:00**" in answer
        assert "Write it like `22:00-08:00 Berlin`" in await choose_for_oneself(cy, quiet="late")
        assert "I don't know where “atlantis” is." in await choose_for_oneself(cy, quiet="22-8 Atlantis")
        assert "Quiet hours end <t:" in await cy.click("Tell me of a free seat")
        await bo.slash("leave")
        await room.wait_until_idle()
        assert "A seat is free" not in cy.dms()
        room.clock.skip(240)
        await cy.until("A seat is free at Table 1")
        assert "Quiet hours · **none**" in await choose_for_oneself(cy, quiet="off")


@pytest.mark.law("TL-32")
async def test_quiet_hours_of_a_server_spare_all_but_turns(tmp_path: Path) -> None:
    """Somebody who misses a turn is told without a sound; whose turn it is is called as always; new tables are told to nobody."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        staff = room.discord.you
        assert "Quiet hours: none" in await staff.slash("house", page="rules")
        assert "I ping nobody then" in await staff.fill_in("house", page="quiet", hours=hours(room, -60, 300))
        assert "Quiet hours: " in await staff.slash("house", page="rules")
        assert "New tables here · **on**" in await choose_for_oneself(cy, tables=True)
        await room.open_and_sit(ann, bo)
        room.clock.skip(15)
        await room.next_hand()
        player = room.to_act(ann, bo)
        assert player is not None
        room.clock.skip(9)
        await player.until(f"@{player.name}, your turn")
        room.clock.skip(91)
        await player.until("You ran out of time.")
        where = {"guild": room.now.address.guild, "channel": int(room.discord.channel("lobby"))}
        opening = Request(key="open", user=int(ann.me["id"]), name="Ann", **where)
        await room.dealer.tables.open(opening, settings(), TableGuests(private=True, invited=(int(cy.me["id"]),)))
        await cy.go("lobby").until("@Cy · @Ann invites you")
        await room.wait_until_idle()
        sent = [one.request_body for one in room.discord.requests if one.method == "POST" and one.request_body]
        notices = [one for one in sent if "ran out of time" in str(one)]
        nudges = [one for one in sent if "content" in one and "your turn" in str(one["content"])]
        assert notices and all(one["flags"] & SILENT for one in notices)
        assert nudges and all(one["allowed_mentions"]["users"] and not one.get("flags", 0) & SILENT for one in nudges)
        invitations = [one for one in sent if f"<@{cy.me['id']}>" in str(one.get("content"))]
        assert invitations and all(one["allowed_mentions"]["users"] == [] for one in invitations)
        assert "is open" not in cy.dms()
        assert "This server has no quiet hours" in await staff.fill_in("house", page="quiet", hours="off")


async def test_new_table_is_told_to_those_who_want_to_know(tmp_path: Path) -> None:
    """A while after it was opened, if it is still open, and once in ten minutes."""
    async with bot_session(tmp_path) as room:
        for name in ("blue", "red", "green"):
            room.discord.controls.add_channel(name)
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        assert "New tables here · **off**" in await choose_for_oneself(bo)
        assert "New tables here · **on**" in await bo.click("Tell me", within="### Bo")
        for player in (ann, cy):
            await choose_for_oneself(player, tables=True)
        await cy.dms_open(value=False)
        for player in (ann, cy):
            player.go("blue")
        await ann.slash("play", sit=False)
        room.clock.skip(15)
        await bo.until("Table 1 is open: No-Limit Hold'em 50/100.\n[Go to table] [No more of these]")
        await cy.until("@Cy Table 1 is open in <#")
        assert "You're in seat" in await cy.click("Join table 1", within="@Cy Table 1 is open")
        assert "is open" not in ann.dms(), "whoever opened it knows"
        await room.discord.you.go("red").slash("play", sit=False)
        room.clock.skip(15)
        assert "I don't tell you of new tables any more" in await bo.click("No more of these", within="Table 1 is open")
        room.clock.skip(600)
        await cy.until_gone("is open in <#")
        await cy.go("green").slash("play", sit=False)
        room.clock.skip(15)
        await ann.until("Table 3 is open")
        assert "Table 2 is open" not in bo.dms() + ann.dms() and "Table 3" not in bo.dms()


@pytest.mark.parametrize("after", [True, False], ids=["reply lost", "request lost"])
async def test_new_table_is_told_once_where_a_connection_breaks(tmp_path: Path, after: bool) -> None:
    """Bo is told by direct message, once, and is not called in public as well."""
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("blue")
        ann, bo = await room.people("Ann", "Bo")
        await choose_for_oneself(bo, tables=True)
        await ann.slash("play", sit=False)
        await bo.slash("sit")  # it opens the channel of their direct messages
        await bo.slash("leave")
        await room.wait_until_idle()
        await ann.close_table()
        room.discord.fails("POST", rf"/channels/{bo.dm_channels[0]}/messages", drop=True, after=after)
        room.clock.skip(600)
        await ann.go("blue").slash("play", sit=False)
        room.clock.skip(15)
        await bo.wait_for(lambda: "is open: No-Limit Hold'em" in bo.dms(), "the notice")
        room.clock.skip(15)
        await room.wait_until_idle()
        assert bo.dms().count("is open: No-Limit Hold'em") == 1
        assert not any("is open" in one["content"] for one in bo.go("blue").visible())


async def test_what_somebody_asked_for_goes_with_their_data(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await fill_table(room, ann, bo)
        await cy.click("Tell me of a free seat")
        await choose_for_oneself(cy, quiet="22-8", tables=True)
        export = await room.dealer.services.privacy.gather(room.now.address.guild, int(cy.me["id"]))
        assert export.preferences == {"quiet": "22:00-08:00 +00:00", "opens": "1"}
        await cy.slash("me", page="delete")
        assert "Your data is deleted" in await cy.click("Delete it all")
        for key in ("seatping.", "quiet.", "opens."):
            assert not await room.dealer.store.values(key)
        assert not room.dealer.services.seat_pings.asks(room.now.id, int(cy.me["id"]))
        assert "Quiet hours · **none**" in await choose_for_oneself(cy)


async def test_pings_are_bounded_and_lapse_after_an_hour(tmp_path: Path) -> None:
    async with bot_session(tmp_path, default_rules=LOCAL_HOUSE_RULES) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await fill_table(room, ann, bo)
        pings = room.dealer.services.seat_pings
        await cy.click("Tell me of a free seat")
        for stranger in range(1, 25):
            await pings.ask(room.now, stranger)
        with pytest.raises(TooManyPings):
            await pings.ask(room.now, 25)
        await cy.click("Tell me of a free seat")
        assert "I don't tell you." in await cy.click("Don't tell me")
        await pings.ask(room.now, 25)
        assert "I can't tell any more people" in await cy.click("Tell me of a free seat")

        room.clock.skip(3600)
        assert not pings.asks(room.now.id, 25)
        await bo.slash("leave")
        while len(room.now.table.seats) == 2:  # after the hand
            room.clock.skip(91)
            await room.next_change()
        await room.wait_until_idle()
        assert not await room.dealer.store.values("seatping.")
        assert "A seat is free" not in room.discord.you.screen(), "nobody is called after an hour"

        await bo.slash("sit", seat=next(iter(room.now.table.free_seats)))
        await pings.ask(room.now, int(cy.me["id"]))
        assert await room.dealer.store.values("seatping.")
        await room.dealer.tables.close_without_channel(room.now.id)
        await room.wait_until_idle()
        assert not await room.dealer.store.values("seatping."), "it ends with the table"


async def test_mention_that_cannot_be_deleted_is_forgotten(tmp_path: Path) -> None:
    """The dealer has lost its rights in the channel; it does not ask again and again."""
    async with bot_session(tmp_path) as room:
        ann, cy = await room.people("Ann", "Cy")
        await cy.dms_open(value=False)
        await choose_for_oneself(cy, tables=True)
        await ann.slash("play", sit=False)
        room.clock.skip(15)
        await cy.until("@Cy Table 1 is open in <#")
        assert await room.dealer.store.values("opencall.")
        body = {"message": "Missing Permissions", "code": 50013}
        room.discord.fails("DELETE", r"/channels/\d+/messages/\d+", status=403, body=body)
        room.clock.skip(600)
        await room.wait_until_idle()
        assert not await room.dealer.store.values("opencall.")
        assert "@Cy Table 1 is open in <#" in cy.screen()


async def test_mention_of_a_table_goes_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in Discord, and its id is not saved: the next run finds it and deletes it."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, cy = await room.people("Ann", "Cy")
            await cy.dms_open(value=False)
            await choose_for_oneself(cy, tables=True)
            await ann.slash("play", sit=False)
            keep = room.dealer.store.keep

            async def keep_no_id(key: str, value: bytes | None) -> None:
                if key.startswith("opencall.") and value and msgspec.msgpack.decode(value, type=PublicCall).message:
                    await asyncio.Event().wait()
                await keep(key, value)

            with monkeypatch.context() as killed:
                killed.setattr(room.dealer.store, "keep", keep_no_id)
                room.clock.skip(15)
                await cy.until("@Cy Table 1 is open in <#")
        async with told.life(is_killed=False) as room:
            await cy.until_gone("@Cy Table 1 is open in <#")
            await room.wait_until_idle()  # it is gone before it is forgotten: a kill in between finds nothing to delete
            assert not await room.dealer.store.values("opencall.")
            assert "Table 1" in cy.screen(), "the table's own message stays"
