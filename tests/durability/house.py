"""A house that is made to be killed while everything goes on at once, and what must hold afterwards.

At three tables people act at random, one with chips of its own (the book of a home game). Beside it visitors come, play, leave and have
their data deleted; seasons are opened and closed; hands are counted for the statistics; and copies of the data are made. Each says what it
has had acknowledged. It is a `tests.store.killer.Driver`.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from bot.backups import backup_name, backups_in
from bot.engine.errors import TableError
from bot.runtime.bank import Bank
from bot.runtime.clock import SystemClock
from bot.runtime.journal import JournalEvent
from bot.runtime.privacy import Privacy
from bot.runtime.request import Request
from bot.runtime.saved_values import declared_kinds
from bot.runtime.seasons import Seasons
from bot.runtime.sessions import Sessions
from bot.runtime.snapshot import TableUpdate
from bot.runtime.statistics_events import statistics_decoder
from bot.runtime.store_errors import PersonSeated, StoreError
from bot.runtime.tables import Tables
from bot.signals import Signals
from bot.store.backup import check_data, copy_data
from bot.store.codec import EventCodec
from bot.store.finished_hands import journal_rows
from bot.store.statistics import statistics as counting
from bot.store.statistics.keeper import StatisticsKeeper
from bot.store.statistics.rebuild import rebuild
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store
from bot.table.commands import LeaveTable, TakeSeat
from bot.table.events import HandFinished, HandUndone
from tests.runtime.evening import GUILD, MASTER
from tests.runtime.killed import TABLES, KilledDealer
from tests.statistics.evening_with_statistics import kept_in
from tests.store.killer import READY

STAFF = 9
FIRST_VISITOR = 10**17
"""Ids as Discord has them: no other number in the data is one of these by chance."""
VISITORS = 2
COPIES_KEPT = 2
DATA, STATISTICS, COPIES = "cardroom.sqlite", "statistics.sqlite3", "backups"


class House(KilledDealer):
    """Plays at three tables, and does everything else of a house beside it."""

    seconds_between_requests = 0.002

    def __init__(self, results: Sequence[tuple[object, ...]] = ()) -> None:
        self.results = list(results)
        """Of the seasons that were over when it was checked last: they never change."""

    # what is killed

    async def drive(self, folder: Path, seed: int, acknowledge: Callable[[str], None]) -> None:
        counting.PAUSE_SECONDS = 0.05
        store = Store(folder / DATA, EventCodec(JournalEvent))
        await store.open()
        sessions, signals, clock = Sessions(), Signals(), self.make_clock()
        statistics = Statistics(
            folder / STATISTICS, store.path, statistics_decoder(), unshown=sessions.unshown_hands, now=clock.now
        )
        parts: list[Seasons] = []

        def updated(update: TableUpdate) -> None:
            if any(isinstance(event, HandFinished | HandUndone) for event in update.events):
                statistics.note(update.snapshot.id)
            for part in parts:
                part.on_update(update)

        tables = Tables(
            store,
            MASTER,
            on_update=updated,
            clock=clock,
            sessions=sessions,
            signals=signals,
            follow_deletions=statistics.follow_deletions,
        )
        bank = Bank(store, tables, clock)
        await tables.restore()
        await statistics.open()
        seasons = Seasons(store, tables, bank, statistics, clock, signals)
        parts.append(seasons)
        await seasons.open()
        privacy = Privacy(store, tables, clock, declared_kinds(), statistics)
        acknowledge(READY)
        await asyncio.gather(
            *(self.play(tables, channel, seed, acknowledge) for channel in range(1, TABLES + 1)),
            self.visit(tables, privacy, seed, acknowledge),
            self.hold_seasons(bank, seasons, seed, acknowledge),
            self.make_copies(store, acknowledge),
        )

    def make_clock(self) -> SystemClock:
        return SystemClock()

    async def visit(self, tables: Tables, privacy: Privacy, seed: int, acknowledge: Callable[[str], None]) -> None:
        """Let people take a seat, play a little, leave, and have their data deleted. Who was left by a kill goes first."""
        rng, keys = random.Random(seed), (f"visit-{seed}-{number}" for number in itertools.count())
        left = sorted({user for now in tables.all_tables() for user in self.visitors_at(tables, now.id)})

        async def one(user: int, is_new: bool) -> None:
            channel = rng.randint(1, TABLES - 1)
            if is_new and (await self.try_to(tables, keys, user, channel, is_leaving=False)):
                await asyncio.sleep(rng.uniform(0, 0.15))
            for now in tables.all_tables():
                if user in self.visitors_at(tables, now.id):
                    await self.try_to(tables, keys, user, now.address.channel, is_leaving=True)
            while True:
                with suppress(PersonSeated, StoreError):
                    request = Request(key=next(keys), guild=GUILD, channel=channel, user=user, name=f"V{user}")
                    await privacy.delete(request)
                    break
                await asyncio.sleep(0.01)
            acknowledge(f"deleted {user}")

        async def many() -> None:
            while True:
                await one(left.pop() if left else FIRST_VISITOR + rng.randrange(10**16), not left)
                await asyncio.sleep(0.01)

        await asyncio.gather(*(many() for _ in range(VISITORS)))

    def visitors_at(self, tables: Tables, table: int) -> set[int]:
        with suppress(TableError):
            return {seat.player for seat in tables.snapshot(table).table.seats if seat.player >= FIRST_VISITOR}
        return set()

    async def try_to(
        self, tables: Tables, keys: itertools.chain[str] | object, user: int, channel: int, *, is_leaving: bool
    ) -> bool:
        request = Request(key=next(keys), guild=GUILD, channel=channel, user=user, name=f"V{user}")  # type: ignore[call-overload]
        command = LeaveTable(user) if is_leaving else TakeSeat(user, f"V{user}", 1_000)
        try:
            await tables.ask(request, command)
        except TableError:
            return False
        return True

    async def hold_seasons(self, bank: Bank, seasons: Seasons, seed: int, acknowledge: Callable[[str], None]) -> None:
        """Open and close one season after another."""
        keys = (f"season-{seed}-{number}" for number in itertools.count())

        def staff() -> Request:
            return Request(key=next(keys), guild=GUILD, channel=1, user=STAFF, staff=True)

        while True:
            with suppress(TableError):
                if (await bank.house_rules(GUILD)).ranking_hands != 1:
                    await bank.change_house_rules(staff(), ranking_hands=1)
                if await seasons.running(GUILD) is None:
                    await seasons.begin(staff(), "Cup")
                await asyncio.sleep(0.1)
                season = await seasons.end(staff())
                acknowledge(f"season {season.number}")
            await asyncio.sleep(0.01)

    async def make_copies(self, store: Store, acknowledge: Callable[[str], None]) -> None:
        """Copy the data again and again, and keep the newest copies."""
        folder = store.path.with_name(COPIES)
        folder.mkdir(exist_ok=True)
        at = max([0, *(int(path.stem.rpartition("-")[2]) for path in backups_in(folder))])
        for number in itertools.count(SystemClock().now() // 1000 + at % 1):
            path = folder / backup_name(number * 1000)
            with suppress(StoreError):
                found = await asyncio.to_thread(copy_data, store.path, path)
                acknowledge(f"copied {path.name} {found.newest_cause}")
            for old in backups_in(folder)[:-COPIES_KEPT]:
                old.unlink()
            await asyncio.sleep(0.05)

    # what must hold

    async def check(self, folder: Path, acknowledged: Sequence[str]) -> None:
        await self.check_data(folder, acknowledged)
        self.check_copies(folder, acknowledged)
        await self.check_statistics(folder)

    async def check_data(self, folder: Path, acknowledged: Sequence[str]) -> None:
        """Check the books, that no request is lost, the results of seasons, and that who was deleted is gone."""
        await super().check(folder, [line for line in acknowledged if " " not in line])
        with closing(sqlite3.connect(folder / DATA)) as db:
            self.check_seasons(db, max([0, *(int(line.split()[1]) for line in acknowledged if line[:7] == "season ")]))
            self.check_deleted(db, [int(line.split()[1]) for line in acknowledged if line[:8] == "deleted "])

    def check_seasons(self, db: sqlite3.Connection, closed: int) -> None:
        over = "SELECT number FROM season WHERE closed_at IS NOT NULL"
        assert len(db.execute(over).fetchall()) >= closed, "a season that was closed is open"
        results = db.execute(
            f"SELECT season, rank, hands, net FROM season_result WHERE season IN ({over}) ORDER BY season, rank, net, hands"
        ).fetchall()
        assert results[: len(self.results)] == self.results, "the results of a season changed"
        self.results = results

    def check_deleted(self, db: sqlite3.Connection, users: Sequence[int]) -> None:
        if not users:
            return
        text = "\n".join(db.iterdump())
        hands = [
            row.blob
            for (table,) in db.execute("SELECT id FROM card_table").fetchall()
            for row in journal_rows(db, table, 1, None)
        ]
        kept = b"".join(hands)
        for user in users:
            assert str(user) not in text, f"{user} is in the data"
            packed = msgspec.msgpack.encode(user)
            assert packed not in kept and packed.hex().upper() not in text, f"{user} is in an event"

    def check_copies(self, folder: Path, acknowledged: Sequence[str]) -> None:
        copies = {path.name: check_data(path) for path in backups_in(folder / COPIES)}
        assert all(found.problems == () for found in copies.values()), copies
        made = [line.split() for line in acknowledged if line[:7] == "copied "]
        if made:
            _, name, newest = made[-1]
            newer = [other for other in copies if other >= name]
            assert newer, f"the copy {name} is lost"
            assert name not in copies or copies[name].newest_cause >= int(newest)

    async def check_statistics(self, folder: Path) -> None:
        """Let the statistics be opened and count what has not been counted, and compare them with a count of everything."""
        path, anew = folder / STATISTICS, folder / "anew.sqlite3"
        statistics = Statistics(path, folder / DATA, statistics_decoder(), now=SystemClock().now)
        await statistics.open()
        await statistics.count_all(0)
        await statistics.close()
        for file in folder.glob(f"{anew.name}*"):
            file.unlink()
        rebuild(folder / DATA, anew, statistics_decoder(), old=None)
        for each in (path, anew):
            self.look_up(each, folder / DATA)
        kept, counted = Counter(kept_in(path)), Counter(kept_in(anew))
        assert kept == counted, (
            f"the statistics differ from a count of everything: {[*(kept - counted)][:3]}, {[*(counted - kept)][:3]}"
        )

    def look_up(self, path: Path, data: Path) -> None:
        """Let pseudonyms stand for people whose deletion a kill broke off, and look up all seasons."""
        with closing(StatisticsKeeper(path, data, statistics_decoder())) as keeper:
            keeper.note_deletions()
            with keeper.transaction():
                keeper.note_all_seasons()


house = House()
