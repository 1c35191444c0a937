"""The bad evening: whatever goes wrong, the table says what is going on, and everybody finds the button that they need.

After every event the checker looks at the table as a visitor sees it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.table.state import SeatStatus
from bot.table.view import SeatedPlayerView
from bot.table.way_on import Awaited
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.table_checker import check_table, live_message
from tests.e2e.test_direct_messages import LIMITED
from tests.e2e.test_faults import chat
from tests.support.discord_double import Player


class BadEvening:
    """An evening at one table. Every step ends with a look at the table."""

    def __init__(self, room: BotSession, *players: Player) -> None:
        self.room, self.players = room, players

    async def check(self) -> str:
        return await check_table(self.room)

    async def slash(self, player: Player, command: str, **options: object) -> str:
        answer = await player.slash(command, **options)
        await self.check()
        return answer

    async def click(self, player: Player, label: str, *, within: str = "") -> str:
        answer = await player.click(label, within=within)
        await self.check()
        return answer

    async def deal(self) -> None:
        await self.room.next_hand()
        await self.check()

    async def act(self) -> None:
        """Whoever is to act checks or calls."""
        player = self.room.to_act(*self.players)
        assert player is not None, "nobody of these is to act"
        await self.room.check_or_call(player)
        await self.check()

    async def stays_silent(self, player: Player) -> None:
        """A player misses their next turn; the others check and call."""
        while True:
            if not self.room.now.hand_running:
                await self.deal()
            if self.room.to_act(*self.players) is player:
                break
            await self.act()
        turn = self.room.now.current_turn
        self.room.clock.skip(91)
        await self.room.wait_until(lambda: self.room.now.current_turn != turn)
        await self.check()

    async def falls_asleep(self, player: Player) -> None:
        """A player misses turns until they sit out."""
        while self.seat(player).status is not SeatStatus.SITTING_OUT:
            await self.stays_silent(player)
            while self.room.now.hand_running and self.room.to_act(*self.players) is not player:
                await self.act()

    async def finish_hand(self) -> None:
        while self.room.now.hand_running:
            await self.act()

    def seat(self, player: Player) -> SeatedPlayerView:
        return next(seat for seat in self.room.now.table.seats if seat.name == player.name)

    @property
    def awaited(self) -> Awaited | None:
        way = self.room.now.table.way_on
        return way.awaited if way is not None else None


@pytest.mark.law("TL-32", "TL-33")
async def test_each_player_runs_out_of_time_and_comes_back(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        evening = BadEvening(room, ann, bo)
        await evening.check()
        for sleeper, other in ((ann, bo), (bo, ann)):
            await evening.falls_asleep(sleeper)
            assert evening.awaited is Awaited.RETURN
            assert f"{sleeper.name} ran out of time and sits out" in await evening.check()
            assert "You ran out of time" in sleeper.dms()
            assert "You're in seat" in await evening.click(other, "I'm back")
            room.clock.skip(21)
            await room.wait_for_text("Free seats")
            assert f"{sleeper.name} ran out of time and sits out" in await evening.check()
            assert "You're back in" in await evening.click(sleeper, "I'm back", within="You ran out of time")
            assert evening.awaited is Awaited.NEXT_HAND
        await evening.deal()
        await evening.finish_hand()
        room.check_leaks()


@pytest.mark.law("TL-1")
async def test_a_broke_player_with_closed_dms_finds_the_way_back(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo = await room.people("Ann", "Bo")
        for player in (ann, bo):
            await room.grant(player, 20_000)
            await player.dms_open(value=False)
        await room.open_and_sit(ann, bo)
        evening = BadEvening(room, ann, bo)
        broke = await room.play_until_broke(ann, bo)
        other = bo if broke is ann else ann
        assert evening.awaited is Awaited.CHIPS
        assert f"{broke.name} is out of chips" in await evening.check()
        await broke.until("You're out of chips.")  # in the panel they have played in
        assert "You're in seat" in await evening.click(other, "Buy in again")
        assert "Your stack is **10,000**" in await evening.click(broke, "Buy in 10,000", within="You're out of chips.")
        assert "You're out of chips." not in broke.screen()
        await evening.deal()


async def test_limited_dms_a_deleted_message_and_chat_stop_nobody(tmp_path: Path) -> None:
    """Discord limits DMs, a moderator deletes the table, chat buries it: cards, table and buttons are there at every moment."""
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo = await room.people("Ann", "Bo")
        room.discord.fails("POST", r"/users/@me/channels", status=400, body=LIMITED, times=99)
        await room.open_and_sit(ann, bo)
        evening = BadEvening(room, ann, bo)
        await evening.deal()
        for player in (ann, bo):
            await player.until("My hand #")
        you, deleted = room.discord.you, live_message(room)["id"]
        await room.discord.controls.delete_message(you.here, deleted)
        await you.wait_for(lambda: deleted not in you.messages[you.here] and "▶ `" in you.screen(), "the table")
        await evening.check()
        await evening.act()
        room.clock.skip(20)
        buried = live_message(room)["id"]
        await chat(room, ann, "one", "two", "three")
        await chat(room, bo, "four", "five", "six")
        await evening.check()
        assert live_message(room)["id"] != buried
        await evening.finish_hand()
        await room.deal()
        for player in (ann, bo):
            await player.until("My hand #2")
        await evening.check()


@pytest.mark.law("TL-33", "P-11")
async def test_players_leave_and_come_back_and_wait_for_seats(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await ann.slash("play", sit=False, seats=2)
        evening = BadEvening(room, ann, bo, cy)
        assert "Waiting for 2 players" in await evening.check()
        await evening.click(ann, "Take a seat")
        assert "Waiting for one more player" in await evening.check()
        await evening.click(bo, "Take a seat")
        await evening.slash(cy, "seat", what="waiting list")
        await evening.deal()
        assert "[Stay]" in await evening.slash(bo, "leave")
        assert "You're back in" in await evening.click(bo, "Stay")
        await evening.slash(bo, "leave")
        await evening.finish_hand()
        await cy.until("A seat is free for you at Table 1.")
        await evening.click(bo, "I'm back" if "[I'm back]" in await evening.check() else "Take a seat")
        assert "You're in seat" in await evening.click(cy, "Take a seat", within="A seat is free for you")
        assert evening.awaited is Awaited.NEXT_HAND
        await evening.deal()
        await evening.slash(ann, "seat", what="sit out")
        await evening.finish_hand()
        assert evening.awaited is Awaited.RETURN
        await evening.slash(cy, "leave")
        await evening.slash(ann, "leave")
        assert "Waiting for 2 players" in await evening.check()


@pytest.mark.law("TL-32", "TL-40")
async def test_a_player_who_left_the_server_stops_nobody(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo, cy)
        evening = BadEvening(room, ann, bo, cy)
        await evening.stays_silent(ann)
        room.discord.controls.remove_member(ann.me["id"])
        evening.players = (bo, cy)
        while any(seat.name == "Ann" for seat in room.now.table.seats):
            if not room.now.hand_running:
                await evening.deal()
            elif room.to_act(bo, cy) is None:
                await room.next_change()
            else:
                await evening.act()
        await evening.finish_hand()
        assert evening.awaited is Awaited.NEXT_HAND


async def test_the_majority_takes_a_break_and_is_called_back(tmp_path: Path) -> None:
    async with bot_session(tmp_path, first_evening=True) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await room.open_and_sit(ann, bo, cy)
        evening = BadEvening(room, ann, bo, cy)
        await evening.deal()
        assert "once most of the players want it (1 of 2)" in await evening.slash(ann, "seat", what="break", minutes=5)
        assert "Ann asks for a break of 5 minutes (1 of 2)" in await evening.check()
        assert "The break begins after this hand." in await evening.click(bo, "Break")
        await evening.finish_hand()
        assert evening.awaited is Awaited.BREAK
        assert "You're in seat 3" in await evening.click(cy, "End break")
        room.clock.skip(5 * 60 + 1)
        await room.wait_for_text("The break is over. @Ann @Bo @Cy")
        assert evening.awaited is Awaited.NEXT_HAND
        await evening.deal()
        await evening.slash(bo, "seat", what="break")
        await evening.click(cy, "Break")
        await evening.finish_hand()
        assert "You end the break." in await evening.click(cy, "End break")
        assert evening.awaited is Awaited.NEXT_HAND
        await evening.check()
