"""Series of game nights in the store: saved before anybody sees them, the same after a restart, on either engine."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import cast

import pytest

from bot.events.nights import commands as c
from bot.events.nights import refusals
from bot.events.nights.events import NightEvent
from bot.events.nights.evolve import evolve_all
from bot.events.nights.schedule import Recurrence, Schedule, local_time
from bot.events.nights.state import NightAnswer, NightSeries, NightTerms
from bot.runtime import nights as nights_of_servers
from bot.runtime.journal import JournalEvent
from bot.runtime.nights import SERIES_PER_HOST, Nights, NightsChanged, PlannedSeries
from bot.runtime.store_errors import DataBeingDeleted
from bot.runtime.store_types import SavedOccasion
from bot.store.codec import EventCodec
from bot.store.store import Store
from tests.runtime.evening import GUILD, USERS, Evening, settings
from tests.runtime.failing_stores import DyingStore
from tests.support.engines import data_at

HOUR_MS = 3_600_000


class NightsOfServer:
    """The nights of one evening's server, and what was told of them."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.told: list[NightsChanged] = []

    async def begin(self) -> "NightsOfServer":
        evening = self.evening
        self.nights = Nights(evening.store, evening.tables, evening.clock, evening.signals)
        evening.signals.on(NightsChanged, self.told.append)
        await self.nights.load()
        return self

    async def plan(self, host: str = "Ann", *, hours: int = 48, channel: int = 5, key: str = "") -> PlannedSeries:
        first = local_time("Europe/Berlin", self.evening.clock.now() + hours * HOUR_MS)
        terms = NightTerms("Friday game", settings())
        request = self.evening.request(host, channel=channel, key=key)
        return await self.nights.plan(request, terms, Schedule("Europe/Berlin", first, Recurrence.WEEKLY))

    async def says(self, id_: int, name: str, key: str = "") -> PlannedSeries:
        return await self.nights.ask(id_, c.AnswerNight(USERS[name], name, 1, NightAnswer.IN), key=key)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[NightsOfServer]:
    evening = await Evening(tmp_path).begin()
    yield await NightsOfServer(evening).begin()
    await evening.end()


async def test_series_are_the_same_after_a_restart(house: NightsOfServer) -> None:
    planned = await house.plan()
    await house.says(planned.id, "Bo")
    before = house.nights.all()
    await house.evening.crash()
    await house.begin()
    assert house.nights.all() == before
    assert [one.name for one in before[0].series.seated()] == ["Ann", "Bo"]


async def test_others_have_a_turn_while_long_journals_are_read(
    house: NightsOfServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for channel in range(5, 8):
        planned = await house.plan(channel=channel)
        for name in ("Bo", "Cy", "Dee"):
            await house.says(planned.id, name)
    before, turns, carried_out = house.nights.all(), 0, []

    def counted(series: NightSeries | None, events: Sequence[NightEvent]) -> NightSeries:
        carried_out.append((turns, len(events)))
        return evolve_all(series, events)

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    for name, value in (("READ_AT_ONCE", 2), ("EVENTS_AT_ONCE", 2), ("evolve_all", counted)):
        monkeypatch.setattr(nights_of_servers, name, value)
    waiting = asyncio.create_task(others())
    await house.nights.load()
    waiting.cancel()
    await asyncio.wait([waiting])
    assert house.nights.all() == before
    assert sum(count for _, count in carried_out) == 3 * 6
    assert len({turn for turn, _ in carried_out}) == len(carried_out) == 9, "at most two events a turn"


async def test_repeated_requests_change_nothing(house: NightsOfServer) -> None:
    planned = await house.plan(key="planned")
    assert await house.plan(key="planned") == planned
    assert len(house.nights.all()) == 1
    first = await house.says(planned.id, "Bo", key="pressed")
    assert await house.says(planned.id, "Bo", key="pressed") == first
    assert len(house.told) == 2


async def test_repeated_plan_of_an_ended_series_brings_nothing_back(house: NightsOfServer) -> None:
    planned = await house.plan(key="planned")
    (line,) = (await house.nights.ask(planned.id, c.CancelSeries(USERS["Ann"]))).series.lines
    await house.nights.ask(planned.id, c.NoteLine(line.number))
    with pytest.raises(refusals.NoSuchNight):
        await house.plan(key="planned")
    assert house.nights.all() == ()


async def test_refusals_leave_no_trace(house: NightsOfServer) -> None:
    planned = await house.plan()
    with pytest.raises(refusals.NightHostOnly):
        await house.nights.ask(planned.id, c.SkipNight(USERS["Bo"]))
    with pytest.raises(refusals.NightsClash):
        await house.plan("Bo", hours=48)
    for number in range(1, SERIES_PER_HOST):
        await house.plan(channel=5 + number)
    with pytest.raises(refusals.TooManyNights):
        await house.plan(channel=50)
    await house.evening.crash()
    await house.begin()
    assert house.nights.require(GUILD, planned.id) == planned


async def test_nobody_is_handed_over_more_than_they_can_host(house: NightsOfServer) -> None:
    planned = await house.plan()
    over_to_bo = c.HandOverSeries(USERS["Ann"], USERS["Bo"], "Bo")
    for number in range(SERIES_PER_HOST):
        last = await house.plan("Bo", channel=6 + number)
    with pytest.raises(refusals.HostHasEnoughNights):
        await house.nights.hand_over(planned.id, over_to_bo)
    await house.nights.ask(last.id, c.CancelSeries(USERS["Bo"]))
    assert (await house.nights.hand_over(planned.id, over_to_bo)).series.host == USERS["Bo"]


async def test_nobody_answers_while_their_data_is_being_deleted(house: NightsOfServer) -> None:
    planned, deletions = await house.plan(), house.evening.tables.deletions
    deletions.hold(USERS["Bo"])
    for command in (
        c.AnswerNight(USERS["Bo"], "Bo", 1, NightAnswer.IN),
        c.NoteInterest(USERS["Bo"], "Bo", is_interested=True),
    ):
        with pytest.raises(DataBeingDeleted):
            await house.nights.ask(planned.id, command)
    with pytest.raises(DataBeingDeleted):
        await house.nights.hand_over(planned.id, c.HandOverSeries(USERS["Ann"], USERS["Bo"], "Bo"))
    deletions.release(USERS["Bo"])
    assert len((await house.says(planned.id, "Bo")).series.seated()) == 2


async def test_a_series_that_is_over_is_not_taken_up(house: NightsOfServer) -> None:
    planned = await house.plan()
    after = await house.nights.ask(planned.id, c.CancelSeries(USERS["Ann"]))
    (line,) = after.series.lines
    assert house.nights.find(planned.id) is not None, "it is to be told"
    await house.nights.ask(planned.id, c.NoteLine(line.number))
    assert (house.told[-1].over, house.nights.find(planned.id)) == (True, None)
    await house.evening.crash()
    await house.begin()
    assert house.nights.all() == ()
    past = await house.nights.past(planned.id)
    assert past is not None and past.series.has_ended


async def test_answer_while_nights_are_read_again_stays(house: NightsOfServer) -> None:
    """A server's nights are read again where somebody's data was deleted: who answers just then is in, and so are those after them."""
    planned = await house.plan()
    store, read, goes_on = house.evening.store, asyncio.Event(), asyncio.Event()
    open_occasions = store.open_occasions

    async def slowly(guild: int = 0, kind: str = "", **which: int) -> tuple[SavedOccasion, ...]:
        found = await open_occasions(guild, kind, **which)
        read.set()
        await goes_on.wait()
        return found

    store.open_occasions = slowly  # type: ignore[method-assign]
    loading = asyncio.create_task(house.nights.load(GUILD))
    await read.wait()
    answering = [asyncio.create_task(house.says(planned.id, "Bo")), asyncio.create_task(house.plan("Cy", channel=6))]
    await asyncio.wait(answering, timeout=0.1)
    goes_on.set()
    await asyncio.gather(loading, *answering)
    await house.says(planned.id, "Dee")
    first, second = house.nights.all()
    assert [one.name for one in first.series.seated()] == ["Ann", "Bo", "Dee"]
    assert second.series.host_name == "Cy"


@pytest.mark.parametrize("saved", [False, True])
async def test_what_was_not_answered_is_saved_or_not(tmp_path: Path, *, saved: bool) -> None:
    """A dealer dies at the save of an answer: pressed again under the same key, it counts once."""
    stores: list[DyingStore] = []

    def make(path: Path) -> Store:
        stores.append(DyingStore(Store(data_at(path), EventCodec(JournalEvent)), 0, saved=saved))
        return cast(Store, stores[-1])

    evening = await Evening(tmp_path, store=make).begin()
    house = await NightsOfServer(evening).begin()
    planned = await house.plan()
    stores[-1].dies_at = stores[-1].commits + 1
    pressed = asyncio.create_task(house.says(planned.id, "Bo", key="pressed"))
    await stores[-1].dead.wait()
    pressed.cancel()
    await evening.crash()
    await house.begin()
    await house.says(planned.id, "Bo", key="pressed")
    (one,) = house.nights.all()
    assert [each.name for each in one.series.seated()] == ["Ann", "Bo"]
    await evening.end()


async def test_heirs_are_found_for_all_series_of_a_host(house: NightsOfServer) -> None:
    """Ann hosts more than one person can. Who can host more goes first, in the order in which they said that they come."""
    for number in range(SERIES_PER_HOST + 2):
        planned = await house.plan("Ann" if number < SERIES_PER_HOST else "Dee", channel=5 + number)
        for name in ("Ann", "Bo", "Cy") if number else ("Ann", "Bo"):
            await house.says(planned.id, name)
    await house.nights.note_gone(GUILD, [USERS["Dee"]])
    assert [one.series.host_name for one in house.nights.all()] == ["Ann"] * 5 + ["Bo"] * 2, "Ann hosts enough"
    await house.nights.note_gone(GUILD, [USERS["Ann"]])
    assert [one.series.host_name for one in house.nights.all()] == ["Bo"] * 3 + ["Cy"] * 2 + ["Bo"] * 2
    await house.nights.note_gone(GUILD, [USERS["Cy"]])
    assert [one.series.host_name for one in house.nights.all()] == ["Bo"] * 7, "nobody else is in"
    assert all(one.series.night is not None for one in house.nights.all())
    await house.nights.note_gone(GUILD, [USERS["Bo"]])
    assert all(one.series.has_ended for one in house.nights.all())


async def test_start_reads_no_more_than_since_a_series_was_kept(
    house: NightsOfServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole journal says the same, and stays."""
    monkeypatch.setattr(nights_of_servers, "KEPT_AFTER", 6)
    planned = await house.plan()
    for number in range(10):
        for name in ("Bo", "Cy", "Dee"):
            answer = (NightAnswer.IN, NightAnswer.CANT)[number % 2]
            await house.nights.ask(planned.id, c.AnswerNight(USERS[name], name, 1, answer))
    before = house.nights.all()
    await house.evening.crash()
    await house.begin()
    assert house.nights.all() == before
    (read,) = await house.evening.store.open_occasions()
    assert len(read.events) <= 8 and read.seq == before[0].seq > 33
    whole = await house.evening.store.occasion(planned.id)
    assert whole is not None and (len(whole.events), whole.seq, whole.first) == (read.seq - 1, read.seq, 1)
    past = await house.nights.past(planned.id)
    assert past is not None and past.series == before[0].series
    after = await house.says(planned.id, "Bo")
    await house.evening.crash()
    await house.begin()
    assert house.nights.all() == (after,)
