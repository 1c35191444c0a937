"""A home game through the real bot: friends who know nothing of bots, buttons alone, table chips, and the book at zero at every moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bot_session import BotSession, bot_session
from tests.support.discord_double import Player
from tests.support.menus import invite


async def wallets(room: BotSession, *players: Player) -> list[int]:
    guild = next(iter(room.dealer.tables.all_tables())).address.guild
    found = [await room.dealer.store.holdings(guild, int(player.me["id"])) for player in players]
    return [one.total for one in found]


async def all_in(room: BotSession, *players: Player) -> None:
    """Everybody goes all-in by commands, to the end of the hand."""
    while room.now.hand_running:
        player = room.to_act(*players)
        assert player is not None
        await player.slash("allin")
    await room.skip_run_out()


def broke(room: BotSession, *players: Player) -> Player:
    """Return somebody who has no chips left."""
    users = {seat.player for seat in room.now.table.seats if not seat.stack}
    return next(player for player in players if int(player.me["id"]) in users)


@pytest.mark.law("TC-1", "TC-2", "TC-3")
async def test_everybody_plays_on_by_one_press(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", where="here")
        await ann.submit({"Who can sit": "table"})
        await ann.until("You're in seat")
        assert sum(seat.practice for seat in room.now.table.seats) == 1, "Ann practises until somebody comes"
        before = await wallets(room, ann, bo, cy)
        await room.wait_for_text("Hand #1")
        await bo.click("Join table")
        await bo.until("with **10,000** chips")
        await cy.slash("sit")
        await ann.slash("fold") if room.to_act(ann) is not None else room.clock.skip(200)
        await room.wait_until(lambda: all(not seat.practice for seat in room.now.table.seats))
        assert {seat.stack for seat in room.now.table.seats} == {10_000}
        await room.next_hand()
        await all_in(room, ann, bo, cy)
        loser = broke(room, ann, bo, cy)
        await loser.until("Rebuy 10,000")
        await loser.click("Rebuy 10,000")
        await loser.until("Your stack is **10,000**")
        assert "2 buy-ins 20,000 · now 10,000 · **−10,000**" in await loser.click("The book")
        assert await room.dealer.store.ledger_sum() == 0
        assert await wallets(room, ann, bo, cy) == before, "no wallet was touched"
        await ann.close_table()
        await room.wait_until(lambda: not room.dealer.tables.all_tables())
        assert await room.dealer.store.ledger_sum() == 0


@pytest.mark.law("TC-4")
async def test_host_answers_a_rebuy_by_button(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await open_with_host(room, ann, bo, cy)
        asker = room.to_act(bo, cy) or bo
        assert "at most half of 10,000" in await asker.slash("rebuy") or "host is asked" in asker.screen()
        await ann.wait_for(lambda: "asks for a rebuy at Table 1" in ann.dms() + ann.screen(), "the question")
        assert "gets the rebuy" in await ann.click("OK")
        assert next(seat for seat in room.now.table.seats if seat.player == int(asker.me["id"])).queued_top_up


@pytest.mark.law("TC-1", "TC-8")
async def test_friends_who_are_invited_play_in_a_private_room(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await ann.slash("play", where="private")
        await ann.submit()
        (thread,) = [channel["id"] for channel in ann.channels.values() if channel["type"] == 12]
        assert room.now.settings.has_table_chips and room.now.is_private
        ann.here = thread
        await invite(ann, bo)
        await bo.wait_for(lambda: thread in bo.channels, "the private thread")
        bo.here = thread
        await bo.slash("sit")
        assert "wait for you until it ends" in await bo.slash("leave")
        assert "table chips" in await ann.slash("table", page="info")
        assert await room.dealer.store.ledger_sum() == 0


async def open_with_host(room: BotSession, host: Player, *players: Player) -> None:
    """Open a game of table chips whose host answers rebuys, and let everybody sit down."""
    await host.slash("play", sit=False, chips="table")
    await host.slash("table", page="settings")
    await host.select("Change…", "Rebuys")
    await host.select("Rebuys…", "the host answers: The host says yes or no.")
    for number, player in enumerate((host, *players), 1):
        await player.slash("sit", seat=number)
    await room.next_hand()


@pytest.mark.law("TC-4")
async def test_host_says_no_and_the_asker_reads_it(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await open_with_host(room, ann, bo, cy)
        await all_in(room, ann, bo, cy)
        asker = broke(room, bo, cy)
        await asker.until("Ask the host")
        await asker.slash("rebuy")
        await asker.wait_for(lambda: "The host is asked for your rebuy." in asker.screen() + asker.dms(), "the notice")
        await ann.wait_for(lambda: "asks for a rebuy at Table 1" in ann.screen() + ann.dms(), "the question")
        assert "can ask again in 10 minutes" in await ann.click("No")
        await asker.wait_for(lambda: "said no to your rebuy" in asker.screen() + asker.dms(), "the answer")
        assert "The host said no. You can ask again" in await asker.slash("rebuy")


@pytest.mark.law("TC-4")
async def test_next_host_is_asked_when_the_first_is_away(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await open_with_host(room, ann, bo, cy)
        await cy.slash("rebuy")
        await ann.wait_for(lambda: "asks for a rebuy" in ann.screen() + ann.dms(), "the question")
        assert "asks for a rebuy" not in bo.screen() + bo.dms()
        room.clock.skip(61)
        await bo.wait_for(
            lambda: "asks for a rebuy at Table 1" in bo.screen() + bo.dms(), "the question to the next host"
        )
        assert "gets the rebuy" in await bo.click("OK")
        await ann.wait_for(lambda: "asks for a rebuy" not in ann.dms(), "the first host's question to go")
