"""Backups are put back again and again by a process that is killed: the data file is always one of them, whole, or as it was played on.

It is a `tests.store.killer.Driver`. Two backups with different chips lie there. Each round puts one of them back, opens it, and plays on a
little; the kill comes anywhere in it.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.ledger.accounts import Book
from bot.store.backup import check_data, copy_data, put_back
from tests.store.desk import ANN, BO, GUILD, Desk, sqlite_store
from tests.store.killer import READY

CHIPS = {"first": 1_000, "second": 2_000}
"""What Ann has in each of the two backups."""


class Restores:
    """Puts backups back, and acknowledges each one that is there, and each change that is saved to it."""

    async def drive(self, folder: Path, seed: int, acknowledge: Callable[[str], None]) -> None:
        rng, data = random.Random(seed), sqlite_store(folder).path
        for name, chips in CHIPS.items():
            if not (folder / f"{name}.backup").exists():
                await self.make_backup(folder, name, chips)
        acknowledge(READY)
        for number in itertools.count(1):
            name = rng.choice(list(CHIPS))
            acknowledge(f"begins {name}")
            await asyncio.to_thread(put_back, folder / f"{name}.backup", data, seed * 10_000 + number)
            acknowledge(f"restored {name}")
            store = sqlite_store(folder)
            await store.open()
            desk = Desk(store, prefix=f"{seed}-{number}-")
            for _ in range(rng.randint(0, 3)):
                await desk.grant(BO, 7)
                acknowledge("granted 7")
            await store.close()
            for old in folder.glob("*.replaced-*"):
                old.unlink()

    async def make_backup(self, folder: Path, name: str, chips: int) -> None:
        (folder / name).mkdir(exist_ok=True)
        store = sqlite_store(folder / name)
        await store.open()
        if (await store.holdings(GUILD, ANN, Book.PEOPLE)).wallet < chips:
            await Desk(store, prefix=f"{name}-").grant(ANN, chips)
        await store.close()
        await asyncio.to_thread(copy_data, store.path, folder / f"{name}.backup")

    async def check(self, folder: Path, acknowledged: Sequence[str]) -> None:
        lines = [line.split() for line in acknowledged]
        last = max((at for at, (what, _) in enumerate(lines) if what == "restored"), default=-1)
        if last < 0:
            return
        begun = [name for what, name in lines[last + 1 :] if what == "begins"]
        granted = sum(int(chips) for what, chips in lines[last + 1 :] if what == "granted")
        found = check_data(sqlite_store(folder).path)
        assert found.problems == (), found.problems
        store = sqlite_store(folder)
        await store.open()
        ann = (await store.holdings(GUILD, ANN, Book.PEOPLE)).wallet
        bo = (await store.holdings(GUILD, BO, Book.PEOPLE)).wallet
        audit = await store.audit(GUILD)
        await store.close()
        assert audit.faults == ()
        is_old = ann == CHIPS[lines[last][1]] and bo - granted in (0, 7)
        is_new = begun and ann == CHIPS[begun[-1]] and bo == 0
        assert is_old or is_new, f"Ann has {ann} and Bo {bo}, after {lines[last:]}"


restores = Restores()
