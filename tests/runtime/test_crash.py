"""The dealer is killed at every store call of one hand, before and after the save. The hand ends as if nothing had happened."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias, cast

import pytest

from bot.engine import commands as c
from bot.runtime.journal import JournalEvent
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table.commands import CloseTable, LeaveTable, TakeSeat
from tests.runtime.evening import GUILD, USERS, Evening, settings
from tests.runtime.failing_stores import DyingStore, SelfKillingStore
from tests.runtime.manual_clock import MINUTE
from tests.store.killer import READY, Killer
from tests.support.engines import data_at

Step: TypeAlias = Callable[[], Awaitable[object]]
"""A step that can be asked for again."""
STACKS = {"Ann": 9_000, "Bo": 2_000, "Cy": 5_000, "Dee": 9_000, "Eve": 9_000, "Flo": 2_500}
ALL_IN, DROPPED = ("Bo", "Cy"), ("Eve", "Flo")


class Story:
    """Six players: Bo is all-in for 2,000 and Cy for 5,000; Ann and Dee play on for a main pot and two side pots."""

    def __init__(self, folder: Path, dies_at: int, *, saved: bool) -> None:
        self.stores: list[DyingStore] = []
        self.dies_at, self.saved = dies_at, saved
        self.evening = Evening(folder, store=self._store, seed=5)
        self.deaths = 0

    def _store(self, path: Path) -> Store:
        dies_at = 0 if self.stores else self.dies_at
        self.stores.append(DyingStore(Store(data_at(path), EventCodec(JournalEvent)), dies_at, saved=self.saved))
        return cast(Store, self.stores[-1])

    async def run(self) -> dict[str, int]:
        """Play the story. Returns what everybody has in the end, wallets included."""
        try:
            return await self._run_steps()
        finally:
            await self.evening.end()

    async def _run_steps(self) -> dict[str, int]:
        evening = self.evening
        await evening.begin()
        told = await evening.store.table_numbered(GUILD, 1)
        if told is not None and not told.is_open:
            return await self._totals()  # it was told to its end before the process died
        await self._survive(lambda: evening.tables.open(evening.request("Ann", key="open"), settings()))
        evening.table = evening.tables.all_tables()[0].id
        for seat, (name, chips) in enumerate(STACKS.items(), 1):
            await self._survive(partial(self._sit, name, chips, seat))
        while evening.snapshot.hand_number == 0:
            await self._survive(lambda: evening.wait(7))
        assert evening.snapshot.hand_number == 1
        step = 0
        while evening.playing():
            name, command = evening.to_act, self._command()
            await self._survive(partial(evening.ask, name, command, key=f"act{step}"))
            step += 1
        for name in STACKS:
            await self._survive(partial(self._leave, name))
        if evening.tables.all_tables():
            await self._survive(self._close)
        return await self._totals()

    async def _totals(self) -> dict[str, int]:
        await self.evening.audit()
        return {name: (await self.evening.bank.holdings(GUILD, USERS[name])).total for name in STACKS}

    async def _sit(self, name: str, chips: int, seat: int) -> None:
        await self.evening.ask(name, TakeSeat, chips, seat, key=f"sit{name}")

    async def _leave(self, name: str) -> None:
        await self.evening.ask(name, LeaveTable, key=f"leave{name}")

    async def _close(self) -> None:
        if self.evening.tables.all_tables():  # else it was closed before the dealer died
            await self.evening.ask("Ann", CloseTable, key="close")

    def _command(self) -> c.HandCommand:
        view, name = self.evening.hand, self.evening.to_act
        may = view.legal_to_act
        assert may is not None
        if view.street == "pre-flop" and name in DROPPED:
            return c.Fold()
        if view.street == "pre-flop" and name in ALL_IN:
            return c.AllIn()
        if view.street == "flop" and may.check and may.opening:
            return c.Bet(1_000)
        return c.Check() if may.check else c.Call()

    async def _survive(self, step: Step) -> None:
        """Do a step. If the dealer is killed in it, restart it and ask for the same again, as a user of Discord does."""
        store = self.stores[-1]
        doing = asyncio.ensure_future(step())
        death = asyncio.ensure_future(store.dead.wait())
        await asyncio.wait({doing, death}, return_when=asyncio.FIRST_COMPLETED)
        death.cancel()
        if not store.dead.is_set():
            await doing
            return
        self.deaths += 1
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            if task.get_name() != "store-writer":
                task.cancel()
        await asyncio.sleep(0)
        await self.evening.crash()
        await self._survive(step)


async def _calls(folder: Path) -> tuple[int, dict[str, int]]:
    folder.mkdir()
    story = Story(folder, 0, saved=False)
    total = await story.run()
    return story.stores[0].commits, total


@pytest.mark.parametrize("saved", [False, True], ids=["before the save", "after the save"])
async def test_crash_at_any_store_call_loses_nothing(tmp_path: Path, saved: bool) -> None:
    calls, expected = await _calls(tmp_path / "whole")
    assert calls > 25
    assert len(set(expected.values())) > 3, "chips have moved"
    for at in range(1, calls + 1):
        folder = tmp_path / f"{at}"
        folder.mkdir()
        story = Story(folder, at, saved=saved)
        assert await story.run() == expected, f"killed at store call {at}"
        assert story.deaths == 1


class ScriptedDealer:
    """Plays the story in a process that kills itself at store call n: before the save (seed n) or after it (seed -n)."""

    async def drive(self, folder: Path, seed: int, acknowledge: Callable[[str], None]) -> None:
        acknowledge(READY)
        story = Story(folder, 0, saved=False)
        store = SelfKillingStore(
            Store(data_at(story.evening.path), EventCodec(JournalEvent)), abs(seed), saved=seed < 0
        )
        story.evening._make_store = lambda _path: cast(Store, store)
        story.stores.append(DyingStore(cast(Store, store), 0, saved=False))
        await story.run()
        raise AssertionError(f"there are no {abs(seed)} store calls")

    async def check(self, folder: Path, acknowledged: Sequence[str]) -> None:
        raise AssertionError("the story goes on instead")


scripted = ScriptedDealer()


async def _killed_and_gone_on(folder: Path, at: int) -> dict[str, int]:
    folder.mkdir()
    killer = Killer("tests.runtime.test_crash:scripted", folder)
    await asyncio.to_thread(killer.let_it_kill_itself, at)
    story = Story(folder, 0, saved=False)
    story.evening.clock.move_to(story.evening.clock.now() + 60 * MINUTE)
    return await story.run()


async def test_process_killed_during_hand_resumes(disk_folder: Path) -> None:
    calls, expected = await _calls(disk_folder / "whole")
    for at in (-1, calls // 2, -(calls - 8)):
        assert await _killed_and_gone_on(disk_folder / str(at), at) == expected


@pytest.mark.full
async def test_process_killed_at_any_store_call_resumes(disk_folder: Path) -> None:
    calls, expected = await _calls(disk_folder / "whole")
    for at in (*range(1, calls + 1), *range(-calls, 0)):
        assert await _killed_and_gone_on(disk_folder / str(at), at) == expected, f"killed at store call {at}"
    print(f"\nkilled at each of {calls} store calls, before and after the save")
