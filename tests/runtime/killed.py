"""A dealer that is made to be killed: real clock, real store, three tables at which four people play whatever comes to their minds."""

import asyncio
import itertools
import random
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.errors import TableError
from bot.ledger.errors import NotEnoughChips
from bot.runtime.asked import Asked
from bot.runtime.bank import Bank
from bot.runtime.clock import SystemClock
from bot.runtime.journal import JournalEvent
from bot.runtime.tables import Tables
from bot.store.codec import EventCodec
from bot.store.sqlite import SqliteStore
from bot.table.preselected import Choice
from tests.runtime.evening import GUILD, MASTER, settings
from tests.store.killer import READY

TABLES, PLAYERS = 3, 4
GRANT = 10_000


class KilledDealer:
    """A `tests.store.killer.Driver`: acknowledges each request that was answered."""

    async def drive(self, folder: Path, seed: int, acknowledge: Callable[[str], None]) -> None:
        store = SqliteStore(folder / "cardroom.sqlite", EventCodec(JournalEvent))
        await store.open()
        tables = Tables(store, MASTER, sink=lambda _change: None)
        await tables.restore()
        acknowledge(READY)
        await asyncio.gather(*(self.play(tables, channel, seed, acknowledge) for channel in range(1, TABLES + 1)))

    async def play(self, tables: Tables, channel: int, seed: int, acknowledge: Callable[[str], None]) -> None:
        luck = random.Random(seed * 100 + channel)
        keys = (f"{seed}-{channel}-{number}" for number in itertools.count())
        users = [channel * 10**6 + number for number in range(1, PLAYERS + 1)]

        def asked(user: int) -> Asked:
            return Asked(key=next(keys), guild=GUILD, channel=channel, user=user, name=f"P{user}")

        while True:
            now = tables.table_in_channel(GUILD, channel)
            early: Choice | None = None
            if now is None:
                request = asked(users[0])
                doing = tables.open(request, replace(settings(blinds=(5, 10)), pause_seconds=0, rebuy_minutes=1))
            elif now.due is not None and luck.random() < 0.15:
                request, early = asked(luck.choice(users)), luck.choice(list(Choice))
                doing = tables.preselect(request, early)
            elif now.due is not None and luck.random() < 0.9:
                request = asked(now.due.user)
                view = now.hand
                assert view is not None and view.acting is not None
                doing = tables.act(request, any_command(view.acting.check, view.acting.max_to, luck))
            else:
                request = asked(luck.choice(users))
                what = luck.randrange(5)
                seated = any(seat.player == request.user for seat in now.table.seats)
                if not seated:
                    limits = now.buy_in(request.user, SystemClock().now())
                    doing = tables.sit(request, luck.randint(limits.least, limits.most))
                elif what == 0 and luck.random() < 0.2:
                    doing = tables.leave(request)
                elif what == 1:
                    doing = tables.sit_out(request)
                elif what == 2:
                    doing = tables.rebuy(request, luck.randrange(1, 2_001))
                else:
                    doing = tables.back(request)
            try:
                outcome = await doing
            except NotEnoughChips:  # a broke player makes place for a new one
                users[users.index(request.user)] = channel * 10**6 + luck.randrange(10**6)
                continue
            except TableError:
                await asyncio.sleep(0)
                continue
            if outcome.events or (early is not None and not outcome.repeated):
                acknowledge(request.key)

    async def check(self, folder: Path, acknowledged: Sequence[str]) -> None:
        store = SqliteStore(folder / "cardroom.sqlite", EventCodec(JournalEvent))
        await store.open()
        try:
            before = {saved.record.id for saved in await store.open_tables()}
            tables = Tables(store, MASTER, sink=lambda _change: None)
            restored = await tables.restore()
            assert {now.id for now in restored} == before, "a table could not be taken up"
            staff = Asked(key="audit", guild=GUILD, channel=0, user=1, staff=True)
            audit = await Bank(store, tables).audit(staff)
            assert audit.faults == ()
            for now in restored:
                self.check_views(now.players, now)
            await tables.drain()
        finally:
            await store.close()
        with closing(sqlite3.connect(folder / "cardroom.sqlite")) as db:
            causes = {key for (key,) in db.execute("SELECT key FROM cause")}
            granted = db.execute("SELECT count(*) FROM cause WHERE key LIKE 'grant:%'").fetchone()[0]
        assert set(acknowledged) <= causes, "an acknowledged request is lost"
        assert audit.minted == granted * GRANT, "chips come from opening grants and from nowhere else"

    def check_views(self, players: Sequence[int], now: object) -> None:
        """Nobody sees another's cards."""
        for user in players:
            view = now.seen_by(user)  # type: ignore[attr-defined]
            for seat in view.seats:
                if seat.seat != view.viewer:
                    assert all(card.card is None or card.up for card in seat.cards)


def any_command(check: bool, max_to: int, luck: random.Random) -> c.Command:
    """Something a person might do, lawful or not."""
    at = luck.random()
    if at < 0.12:
        return c.Fold()
    if at < 0.2:
        return c.AllIn()
    if at < 0.35 and max_to:
        return c.RaiseTo(luck.randrange(1, max_to + 1))
    return c.Check() if check else c.Call()


dealer = KilledDealer()
