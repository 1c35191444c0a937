"""A rolling upgrade: dealers of a new version follow those of the one before, slot by slot, while people play at all tables.

All are the real command with its supervisor, on one stand-in and one database. A version that was never released is a copy of the program
with one more migration, one more text of the house, and a number of its own. Its dealers stand by until they are warm; then those of the
version before are told to stop, one after the other, as OPERATING says. Told is how many clicks nobody answered within Discord's three
seconds, the longest wait at each hand-over, and whether the books are exact in the end.

    python -m tests.durability upgrade [--slots 4] [--tables 100] [--versions 2] [--thinking 2]
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import signal
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from bot.settings import house_schema_of, schema_of
from bot.store.migrate import newest_migration
from bot.store.postgres.house import newest_house_step
from bot.version import VERSION
from tests.durability.fleets import House
from tests.e2e.local_process import ROOT
from tests.e2e.test_fleet import Command
from tests.support.postgres import postgres_server
from tests.support.stand_in_process import stand_in_process

PATIENCE = 180.0
CHUNK_SECONDS = 20.0
"""So long people play until it is told what they have waited."""
SETTLE_SECONDS = 6.0
"""Between two hand-overs, and before the first one: what stands by says so before all its connections are there."""
AROUND = (-1.0, 6.0)
"""Seconds before and after a dealer was told to stop in which clicks count for that hand-over."""


class Version(NamedTuple):
    """A version of the program.

    Attributes:
        number: as its processes say it.
        tree: where it lies.
        format: the last migration that it knows.
    """

    number: str
    tree: Path
    format: int


class HandOver(NamedTuple):
    """A slot that went from one version to the next.

    Attributes:
        at: when its dealer was told to stop, in seconds since 1970.
    """

    slot: int
    to: str
    at: float


class Click(NamedTuple):
    """One click: at which slot, when, how long it took, and whether it was answered in time."""

    slot: int
    made: float
    took: float
    answered: bool


def plant_version(folder: Path, ahead: int) -> Version:
    """Copy the program, and make of the copy a version that comes so many versions after this one."""
    number = f"{VERSION}+{ahead}"
    for part in ("bot", "cogs"):
        shutil.copytree(ROOT / part, folder / part)
    (folder / "bot" / "version.py").write_text(f'VERSION = "{number}"\n')
    migrations, texts = (folder / "bot" / "store" / name for name in ("migrations", "postgres/house_steps"))
    for step in range(1, ahead + 1):
        here, before = newest_migration() + step, newest_migration() + step - 1
        (migrations / f"{here:04}_planted_with_{before:04}.sql").write_text(
            f"ALTER TABLE card_table ADD COLUMN planted_{here} INTEGER NOT NULL DEFAULT 0;\n"
            f"CREATE TABLE planted_{here} (guild INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (guild, at)) WITHOUT ROWID;\n"
            f"CREATE INDEX planted_at_{here} ON planted_{here} (at);\n"
        )
        here, before = newest_house_step() + step, newest_house_step() + step - 1
        (texts / f"{here:04}_planted_with_{before:04}.sql").write_text(
            f"ALTER TABLE process ADD COLUMN planted_{here} INTEGER NOT NULL DEFAULT 0;\n"
            f"CREATE TABLE planted_{here} (one INTEGER PRIMARY KEY);\n"
        )
    return Version(number, folder, newest_migration() + ahead)


class _Upgrade:
    """The evening: people who play all the time, and the versions that deal to them."""

    def __init__(self, house: House, folder: Path, thinking: float) -> None:
        self.house, self.folder, self.thinking = house, folder, thinking
        self.clicks: list[Click] = []
        self.handed_over: list[HandOver] = []
        self.faults: list[str] = []
        self._ended = asyncio.Event()

    def command(self, version: Version, **roles: str) -> Command:
        data = self.folder / f"data {version.number}"
        return Command(self.house.discord, data, self.house.address, version.tree, CARDROOM_LOG="ERROR", **roles)

    @asynccontextmanager
    async def played(self) -> AsyncIterator[None]:
        """Let people play at all tables in the block."""
        players = [asyncio.create_task(self._play(slot)) for slot in range(self.house.slots)]
        try:
            yield
        finally:
            self._ended.set()
            await asyncio.gather(*players)

    async def _play(self, slot: int) -> None:
        while not self._ended.is_set():
            for made, took, answered in await self.house.clicks(slot, CHUNK_SECONDS, self.thinking):
                self.clicks.append(Click(slot, made, took, answered))

    async def hand_over(self, slot: int, to: Version) -> None:
        """Tell the dealer of a slot to stop, and wait until one of the new version has it and plays."""
        os.kill(self.house.owner(slot), signal.SIGTERM)
        told = HandOver(slot, to.number, time.time())
        self.handed_over.append(told)
        schema = schema_of(local=False, slot=slot)
        async with asyncio.timeout(PATIENCE):
            while self.house.ask(
                f'SELECT 1 FROM "{schema}".owner, (SELECT max(number) AS format FROM "{schema}".migration) AS steps'
                " WHERE until > clock_timestamp() AND version = %s AND format = %s",
                to.number, to.format,
            ) != [(1,)]:  # fmt: skip
                await asyncio.sleep(0.2)
        await asyncio.sleep(SETTLE_SECONDS)

    async def until_warm(self, version: Version) -> None:
        """Wait until a process of a version hears the events of each slot."""
        query = f'SELECT DISTINCT watches FROM "{house_schema_of(local=False)}".process WHERE version = %s AND watches IS NOT NULL'
        async with asyncio.timeout(PATIENCE):
            while len(self.house.ask(query, version.number)) < self.house.slots:
                await asyncio.sleep(0.5)
        await asyncio.sleep(SETTLE_SECONDS)

    def tell(self) -> None:
        """Print each hand-over, and all of it."""
        print(f"\n{'to':>8} {'slot':>4} {'clicks':>7} {'unanswered':>11} {'longest wait':>13} {'next answer':>12}")
        for slot, to, at in self.handed_over:
            near = [one for one in self.clicks if one.slot == slot and AROUND[0] <= one.made - at < AROUND[1]]
            ended = [one.made + one.took - at for one in near if one.answered]
            unanswered, longest = sum(not one.answered for one in near), max((one.took for one in near), default=0.0)
            after = _longest_gap([moment for moment in ended if moment > 0])
            print(f"{to:>8} {slot:>4} {len(near):>7,} {unanswered:>11,} {longest:>11.2f} s {after:>10.2f} s")
        self._tell_all()

    def _tell_all(self) -> None:
        unanswered = [one for one in self.clicks if not one.answered]
        took = sorted(one.took for one in self.clicks)
        seconds = max(one.made for one in self.clicks) - min(one.made for one in self.clicks)
        print(
            f"\n{len(took):,} clicks in {seconds:.0f} s ({len(took) / seconds:.0f} a second), {len(unanswered)} unanswered after 3 s;"
            f" half within {took[len(took) // 2] * 1000:.0f} ms, 99 of 100 within {took[len(took) * 99 // 100]:.2f} s,"
            f" longest {took[-1]:.2f} s; load of the machine {os.getloadavg()[0]:.1f}"
        )
        if unanswered:
            self.faults.append(f"{len(unanswered)} clicks were not answered")


def _longest_gap(moments: list[float]) -> float:
    """Return for how long at most nobody was answered from 0 on."""
    moments = sorted(moments)
    return max((later - earlier for earlier, later in itertools.pairwise([0.0, *moments])), default=0.0)


async def run(slots: int, tables: int, versions: int, thinking: float) -> list[str]:
    """Upgrade so many times. Returns what went wrong."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(postgres_server(max_connections="200"))
        discord = await stack.enter_async_context(stand_in_process(folder / "discord"))
        await discord.call("limit_identifies", max_concurrency=16)
        upgrade = _Upgrade(House(discord, address, slots), folder, thinking)
        trees = [Version(VERSION, ROOT, newest_migration())]
        trees += [plant_version(folder / f"version {ahead}", ahead) for ahead in range(1, versions + 1)]
        first = upgrade.command(trees[0], CARDROOM_DEALERS=str(slots))
        code, said = await first.says("fleet", "--slots", str(slots))
        assert code == 0, said
        old = await stack.enter_async_context(AsyncExitStack())
        await old.enter_async_context(first.running("The dealers are in."))
        await upgrade.house.open_tables(tables)
        async with upgrade.played():
            await asyncio.sleep(CHUNK_SECONDS)
            for before, version in itertools.pairwise(trees):
                old = await _rolled(upgrade, before, version, old, stack)
        upgrade.tell()
        await _looked_over(upgrade, trees)
        return upgrade.faults


async def _rolled(
    upgrade: _Upgrade, before: Version, version: Version, old: AsyncExitStack, stack: AsyncExitStack
) -> AsyncExitStack:
    """Upgrade all slots, and stop the command of the version before. Returns what stops that of the new one."""
    slots = upgrade.house.slots
    key = Path(f"data {version.number}") / "discord"
    (upgrade.folder / key).mkdir(parents=True)
    shutil.copy(upgrade.folder / f"data {before.number}" / "discord" / "master.key", upgrade.folder / key)
    new = await stack.enter_async_context(AsyncExitStack())
    command = upgrade.command(version, CARDROOM_DEALERS="0", CARDROOM_STANDBYS=str(slots))
    await new.enter_async_context(command.running("The dealers are in."))
    await upgrade.until_warm(version)
    print(f"version {version.number} stands by, warm for all slots", flush=True)
    for slot in range(slots):
        await upgrade.hand_over(slot, version)
        print(f"slot {slot} is dealt by version {version.number}", flush=True)
        if slot == slots // 2 - 1:
            print((await command.says("fleet"))[1], flush=True)
    await old.aclose()
    return new


async def _looked_over(upgrade: _Upgrade, trees: list[Version]) -> None:
    """Look at what is left: books, slots, hands that were cancelled, and what the oldest version says of it."""
    newest = upgrade.command(trees[-1])
    _, said = await newest.says("doctor")
    upgrade.faults += [line for line in said.splitlines() if "✘" in line]
    code, said = await newest.says("fleet")
    print(said)
    upgrade.faults += [] if code == 0 else ["a slot has no dealer"]
    for slot in range(upgrade.house.slots):
        query = f"SELECT count(*) FROM \"{schema_of(local=False, slot=slot)}\".transfer WHERE reason = 'void refund'"
        ((voided,),) = upgrade.house.ask(query)
        upgrade.faults += [f"{voided} bets were paid back in slot {slot}"] if voided else []
    if len(trees) > 2:
        _, said = await upgrade.command(trees[0]).says("doctor")
        upgrade.faults += [] if "newer version" in said else ["the oldest version would deal with the newest tables"]


def main(slots: int, tables: int, versions: int, thinking: float) -> int:
    faults = asyncio.run(run(slots, tables, versions, thinking))
    for fault in faults:
        print(f"FAULT: {fault}")
    print(
        f"{len(faults)} FAULTS"
        if faults
        else "every click was answered, no hand was cancelled, and the books are exact"
    )
    return len(faults)
