"""What people are in for is known to all dealers of the bot, each of which knows its own servers alone."""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from bot.events.nights import commands as c
from bot.events.nights.state import NightAnswer
from bot.runtime.nights import Nights, NightsChanged, PlannedSeries
from bot.signals import GuildLeft, Signals
from bot.surfaces.nights.own_nights import OVER_MS, RETRY_MS, OwnNights
from tests.events.nights.diary import Diary
from tests.runtime.manual_clock import ManualClock
from tests.surfaces.test_vacations import Memory
from tests.table.evening import player_id

BO = player_id("Bo")


class DealerOf:
    """A dealer of one server with one series of nights. It has what `Nights` tells of them."""

    def __init__(self, server: int, memory: Memory, **how: str) -> None:
        self.diary, self.memory = Diary(**how), memory
        self.clock = ManualClock(self.diary.now)
        self.planned = PlannedSeries(server * 10, server, 1, self.diary.series)
        self.start()

    def start(self) -> None:
        self.signals = Signals()
        self.own = OwnNights(cast(Nights, self), self.memory, self.clock, self.signals)

    def find(self, id_: int) -> PlannedSeries | None:
        return self.planned if id_ == self.planned.id else None

    def all(self) -> tuple[PlannedSeries, ...]:
        return (self.planned,)

    async def open(self) -> None:
        await self.own.load()
        await self.own.open()
        await self.settle()

    async def settle(self) -> None:
        await self.own.tasks.finish(5.0)

    async def ask(self, command: c.NightCommand) -> None:
        self.asks(command)
        await self.settle()

    def asks(self, command: c.NightCommand) -> None:
        events = self.diary.ask(command)
        self.planned = replace(self.planned, series=self.diary.series)
        self.signals.send(NightsChanged(self.planned, events))

    async def answers(self, answer: NightAnswer) -> None:
        await self.ask(c.AnswerNight(BO, "Bo", self.diary.night.number, answer))

    async def also(self) -> list[tuple[int, int]]:
        """What else Bo is in for when this night begins: server and start."""
        found = await self.own.at_that_hour(BO, self.planned.guild, self.planned.id)
        return [(one.server, one.starts_at) for one in found]


async def two_dealers() -> tuple[DealerOf, DealerOf]:
    memory = Memory()
    berlin, london = DealerOf(1, memory), DealerOf(2, memory, first="2026-12-04T20:30", zone="Europe/London")
    for dealer in (berlin, london):
        await dealer.open()
    return berlin, london


async def test_nights_of_other_dealers_are_told() -> None:
    berlin, london = await two_dealers()
    await berlin.answers(NightAnswer.IN)
    assert await london.also() == [(1, berlin.diary.night.starts_at)]
    assert await berlin.also() == []
    await london.answers(NightAnswer.IN)
    await berlin.ask(c.MoveNight(player_id("Ada"), "2026-12-04T19:20"))
    assert await london.also() == [], "more than two hours apart"
    await berlin.ask(c.MoveNight(player_id("Ada"), "2026-12-04T19:45"))
    assert await london.also() == [(1, berlin.diary.night.starts_at)]
    await berlin.answers(NightAnswer.MAYBE)
    assert await london.also() == []


async def test_dealers_that_write_at_once_lose_nothing() -> None:
    berlin, london = await two_dealers()
    for answer, also in ((NightAnswer.IN, 1), (NightAnswer.CANT, 0), (NightAnswer.IN, 1)):
        for dealer in (berlin, london):
            dealer.asks(c.AnswerNight(BO, "Bo", dealer.diary.night.number, answer))
        for dealer in (berlin, london):
            await dealer.settle()
        assert [len(await dealer.also()) for dealer in (berlin, london)] == [also, also]


async def test_what_could_not_be_saved_is_saved_a_minute_later() -> None:
    berlin, london = await two_dealers()
    berlin.memory.fails = 1
    await berlin.answers(NightAnswer.IN)
    assert await london.also() == []
    berlin.clock.move_to(berlin.clock.now() + RETRY_MS)
    assert berlin.clock.ring_due()
    await berlin.settle()
    assert await london.also() == [(1, berlin.diary.night.starts_at)]


async def test_unreadable_nights_are_written_anew() -> None:
    berlin, london = await two_dealers()
    berlin.memory.kept[f"ownnights.{BO}"] = b"\xc1"
    await berlin.answers(NightAnswer.IN)
    assert await london.also() == [(1, berlin.diary.night.starts_at)]


async def test_what_happened_without_the_dealer_is_written_at_its_start() -> None:
    berlin, london = await two_dealers()
    await berlin.answers(NightAnswer.IN)
    berlin.diary.ask(c.AnswerNight(BO, "Bo", 1, NightAnswer.CANT))
    berlin.planned = replace(berlin.planned, series=berlin.diary.series)
    berlin.start()
    await berlin.open()
    assert await london.also() == []


async def test_nights_of_a_server_that_was_left_are_forgotten() -> None:
    berlin, london = await two_dealers()
    await berlin.answers(NightAnswer.IN)
    berlin.signals.send(GuildLeft(1))
    await berlin.settle()
    assert await london.also() == []


async def test_nights_of_a_dealer_that_is_gone_are_forgotten() -> None:
    berlin, london = await two_dealers()
    await berlin.answers(NightAnswer.IN)
    london.clock.move_to(berlin.diary.night.starts_at + OVER_MS)
    await london.answers(NightAnswer.IN)
    assert await london.also() == []
