"""Random bad days of nights: people, hosts, Discord and the disk do what they like, and the dealer is killed in between.

However it went, each series is shown once, stands in Discord's own list once at most, has told all it had to tell, and goes on.
"""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.engine.errors import TableError
from bot.events.nights import commands as c
from bot.events.nights.due import next_due_at
from bot.events.nights.state import NightAnswer, NightPhase
from bot.runtime.nights import PlannedSeries
from bot.runtime.store_errors import StoreFailed
from bot.runtime.store_types import Commit, Receipt
from bot.signals import GuildJoined, GuildLeft, Signals
from tests.e2e.bot_session import BotSession
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_nights import Mortal, plan
from tests.e2e.test_nights_bad_days import guild_of
from tests.support.discord_double import Player

LIVES, STEPS = 4, 8
HOUR = 3_600


async def settle(room: BotSession) -> None:
    await asyncio.sleep(0.03)
    await room.wait_until_idle()


class Days:
    """Draws what happens."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.told: list[str] = []
        self.is_mute = False

    async def step(self, room: BotSession, people: list[Player], home: str) -> None:
        """One thing happens."""
        ways = (self._answer, self._wait, self._wait, self._host, self._event, self._table, self._table, self._trouble)
        way = self.random.choice(ways)
        self.told.append(way.__name__)
        series = [one for one in room.dealer.services.nights.all() if not one.series.has_ended]
        try:
            if series:
                await way(room, people, home, self.random.choice(series))
        except TableError as refused:
            self.told.append(repr(refused))
        await settle(room)

    async def _answer(self, room: BotSession, people: list[Player], home: str, one: PlannedSeries) -> None:
        person, events = self.random.choice(people), room.discord.controls.scheduled_events()
        if events and self.random.random() < 0.3:
            interested = self.random.random() < 0.6
            room.discord.controls.set_interested(events[0]["id"], person.me["id"], interested=interested)
            return
        assert one.series.night is not None
        answer = self.random.choice(list(NightAnswer))
        command = c.AnswerNight(int(person.me["id"]), person.name, one.series.night.number, answer)
        await room.dealer.services.nights.ask(one.id, command)

    async def _wait(self, room: BotSession, people: list[Player], home: str, one: PlannedSeries) -> None:
        due = next_due_at(one.series)
        if due and self.random.random() < 0.7:
            room.clock.skip(max(1, (due - room.clock.now()) / 1000 + self.random.choice([-20, 1, 40, 400])))
        else:
            room.clock.skip(self.random.choice([30, 600, HOUR, 5 * HOUR]))

    async def _host(self, room: BotSession, people: list[Player], home: str, one: PlannedSeries) -> None:
        nights, heir = room.dealer.services.nights, self.random.choice(people)
        at = datetime.fromtimestamp(room.clock.now() / 1000 + self.random.choice([600, HOUR, 25 * HOUR]), UTC)
        local = f"{at:%Y-%m-%dT%H:%M}"
        if self.random.random() < 0.5:
            dates = c.ChangeDates(0, local, one.series.schedule.recurrence, staff=True)
            await nights.reschedule(one.id, self.random.choice([c.MoveNight(0, local, staff=True), dates]))
            return
        over = c.HandOverSeries(0, int(heir.me["id"]), heir.name, staff=True)
        await nights.ask(one.id, self.random.choice([c.SkipNight(0, staff=True), c.GoOn(0, staff=True), over]))

    async def _event(self, room: BotSession, people: list[Player], home: str, one: PlannedSeries) -> None:
        controls = room.discord.controls
        for event in controls.scheduled_events()[:1]:
            match self.random.randrange(4):
                case 0:
                    controls.delete_event(event["id"])
                case 1:
                    controls.change_event(event["id"], status=self.random.choice([2, 4]))
                case _:
                    at = room.clock.now() / 1000 + self.random.choice([900, 2 * HOUR, 28 * HOUR])
                    moved = datetime.fromtimestamp(at, UTC).isoformat()
                    controls.change_event(event["id"], scheduled_start_time=moved)

    async def _table(self, room: BotSession, people: list[Player], home: str, one: PlannedSeries) -> None:
        for session in room.sessions[:1]:
            now = session.saved_snapshot()
            for person in people:
                person.here = str(now.address.channel)
            if self.random.random() < 0.1:
                await room.dealer.tables.close_without_channel(now.id)
            elif self.random.random() < 0.5:
                for person in people[:2]:
                    await person.slash("sit")
            elif not now.hand_running:
                room.clock.skip(self.random.choice([10, 320]))
            elif (turn := now.current_turn) is not None:
                folder = next(person for person in people if int(person.me["id"]) == turn.user)
                await folder.slash("fold")

    async def _trouble(self, room: BotSession, people: list[Player], home: str, one: PlannedSeries) -> None:
        match self.random.randrange(3):
            case 0:
                self.is_mute = not self.is_mute
                room.discord.controls.set_overwrite(home, deny=["send_messages"] if self.is_mute else None)
            case 1:
                guild, signals = int(guild_of(room)), room.dealer.parts.get(Signals)
                signals.send(GuildLeft(guild))
                await settle(room)
                signals.send(GuildJoined(guild))
            case _:
                self._fail(room)

    def _fail(self, room: BotSession) -> None:
        """The next commits cannot be saved."""
        store, commit, left = room.dealer.store, room.dealer.store.commit, [1] * self.random.randint(1, 3)

        async def fail(saved: Commit) -> Receipt:
            if left:
                left.pop()
                raise StoreFailed(reason="disk full")
            return await commit(saved)

        store.commit = fail  # type: ignore[method-assign]


async def check(room: BotSession, reader: Player) -> None:
    """Some quiet hours later all is as it should be."""
    for _ in range(4):
        room.clock.skip(3 * HOUR)
        await settle(room)
        for table in room.dealer.tables.all_tables():
            await room.dealer.tables.close_without_channel(table.id)
        await settle(room)
    room.clock.skip(60)
    await settle(room)
    nights = [one.series for one in room.dealer.services.nights.all() if not one.series.has_ended]
    planned = [one.night for one in nights if one.night is not None and one.night.phase is NightPhase.PLANNED]
    assert all(one.lines == () for one in nights), "everything is told"
    assert all(one.night is not None and one.night.starts_at > room.clock.now() - 1000 for one in nights), "it goes on"
    assert reader.screen().count("[I'm in]") == len(planned)
    assert "The table of **Friday game** is open" not in reader.screen()
    listed = [one for one in room.discord.controls.scheduled_events() if one["status"] == 1]
    starts = [datetime.fromisoformat(one["scheduled_start_time"]).timestamp() for one in listed]
    assert starts in ([], [one.starts_at / 1000 for one in planned])
    assert await room.dealer.store.ledger_sum() == 0


@pytest.mark.full
@pytest.mark.parametrize("seed", range(60))
async def test_random_days_leave_each_night_once(tmp_path: Path, seed: int) -> None:
    days = Days(seed)
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            people = await room.people("Ann", "Bo", "Cy")
            home = people[0].here
            await plan(room, people[0], name="Friday game", players=2, hands=2)
        for _ in range(LIVES):
            days.told.append("killed")
            async with told.life(waits=False) as room:
                if days.random.random() < 0.7:
                    Mortal(room, days.random.randint(1, 25), saved=days.random.random() < 0.5)
                try:
                    async with asyncio.timeout(20):
                        for _ in range(STEPS):
                            await days.step(room, people, home)
                except TimeoutError:
                    days.told.append("died")
        told.discord.controls.set_overwrite(home)
        async with told.life() as room:
            for person in people:
                person.here = home
            await check(room, people[1])
