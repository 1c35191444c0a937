"""After kill -9 at any moment every acknowledged commit is there, none is half there, and no chip is made."""

import asyncio
import itertools
import os
import random
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.engine.events import ActionOn, Called, Checked
from bot.runtime.store_types import NewHand, SavedTable
from bot.store import store as stores
from bot.store.finished_hands import journal_rows
from tests.store.desk import ANN, BO, CY, GUILD, Desk, sqlite_store
from tests.store.killer import READY, Killer

USERS = (ANN, BO, CY)
STACK = 10**9
TABLES = 4


class BareStore:
    """A driver that others kill if its seed is above zero; below zero it kills itself after so many acknowledgements.

    Four tables at which everybody bets for ever and somebody wins now and then. A bet is two events and one transfer, a win one event
    and one transfer or two. The next hand begins with each win, so the hands before it are put away at every moment."""

    async def drive(self, folder: Path, seed: int, acknowledge: Callable[[str], None]) -> None:
        if seed < 0:
            acknowledge = mortal(acknowledge, -seed)
        store = sqlite_store(folder)
        stores.SPARE_TIME_PAUSE = 0.0
        await store.open()
        desk = Desk(store, prefix=f"{seed}-")
        saved = {one.record.channel: one for one in await store.open_tables()}
        acknowledge(READY)
        await asyncio.gather(
            *(self.play(desk, channel, saved.get(channel), seed, acknowledge) for channel in range(1, TABLES + 1))
        )

    async def play(
        self, desk: Desk, channel: int, saved: SavedTable | None, seed: int, acknowledge: Callable[[str], None]
    ) -> None:
        if saved is None:
            table, seated, pot, hands = await desk.open(channel), set[int](), 0, 0
            acknowledge(f"opened {table}")
        else:
            table, seated, pot = saved.record.id, {*saved.chips.stacks}, saved.chips.pot
            hands = saved.record.hand_count
            desk.seqs[table] = saved.seq
        for user in USERS:
            if user not in seated:
                await desk.sit(table, user, STACK)
                acknowledge(f"seated {table} {user}")
        rng = random.Random(seed * 100 + channel)
        for turn in itertools.count():
            user = rng.choice(USERS)
            if pot and rng.random() < 0.2:
                odd = rng.choice((0, 1))
                shares = ((user, pot - odd), (BO, odd))
                parts = tuple(desk.won(table, winner, chips) for winner, chips in shares if chips)
                hands += 1
                hand = NewHand(hands, b"nonce")
                commit = desk.acted(table, Checked(0), transfers=parts, saved_state=b"%d" % turn, hand=hand)
                pot = 0
            else:
                chips = rng.randint(1, 500)
                commit = desk.acted(table, Called(0, chips), ActionOn(1), transfers=(desk.bet(table, user, chips),))
                pot += chips
            await desk.save(commit)
            acknowledge(f"acted {table} {commit.cause.key}")

    async def check(self, folder: Path, acknowledged: Sequence[str]) -> None:
        store = sqlite_store(folder)
        await store.open()
        audit, tables = await store.audit(GUILD), await store.open_tables()
        await store.close()
        assert audit.faults == ()
        self.check_journal(store.path, tables, acknowledged)

    def check_journal(self, path: Path, tables: Sequence[SavedTable], acknowledged: Sequence[str]) -> None:
        lines = [line.split() for line in acknowledged]
        with closing(sqlite3.connect(path)) as db:
            acts = dict(db.execute("SELECT key, id FROM cause WHERE what = 'act'"))
            transfers = Counter(cause for (cause,) in db.execute("SELECT cause FROM transfer"))
            rows = [
                (saved.record.id, *row[:3]) for saved in tables for row in journal_rows(db, saved.record.id, 1, None)
            ]
        assert {key for what, _, key in (line for line in lines if len(line) == 3) if what == "acted"} <= acts.keys()
        assert {int(line[1]) for line in lines if line[0] == "opened"} <= {saved.record.id for saved in tables}
        following = dict.fromkeys((saved.record.id for saved in tables), 1)
        for table, seq, count, _ in rows:  # no gap, no overlap
            assert seq == following[table]
            following[table] += count
        assert {saved.record.id: saved.seq for saved in tables} == following
        events = {cause: count for _, _, count, cause in rows}
        assert events.keys() == set(acts.values())  # no cause without its events, no events without a cause
        for cause, count in events.items():  # none half
            assert transfers[cause] == 1 if count == 2 else transfers[cause] in {1, 2}


def mortal(acknowledge: Callable[[str], None], after: int) -> Callable[[str], None]:
    """Return an `acknowledge` that ends the process at once with the `after`-th line."""
    lines = itertools.count(1)

    def say_and_die(line: str) -> None:
        acknowledge(line)
        if next(lines) == after:
            os.kill(os.getpid(), signal.SIGKILL)

    return say_and_die


BARE_STORE = BareStore()


async def rounds(folder: Path, count: int, seed: int) -> Killer:
    killer = Killer("tests.store.test_kill:BARE_STORE", folder, seed=seed)
    for _ in range(count):
        await asyncio.to_thread(killer.play_and_kill)
        await killer.check()
    return killer


async def test_a_kill_at_any_moment_loses_nothing_acknowledged(disk_folder: Path) -> None:
    killer = await rounds(disk_folder, 6, seed=3)
    assert len(killer.acknowledged) > 12


async def test_a_kill_right_after_any_of_the_first_commits(disk_folder: Path) -> None:
    """The first commits open and fill tables, so these kills fall between a table and its players."""
    killer = Killer("tests.store.test_kill:BARE_STORE", disk_folder)
    for lines in (2, 4, 9):
        await asyncio.to_thread(killer.let_it_kill_itself, -lines)
        await killer.check()
    assert len(killer.acknowledged) == 1 + 3 + 8


@pytest.mark.full
async def test_300_kills_lose_nothing_acknowledged(disk_folder: Path) -> None:
    killer = await rounds(disk_folder, 300, seed=1)
    print(f"\n{killer.rounds} kills, {killer.kills_in_play} in play; {len(killer.acknowledged):,} commits acknowledged")
