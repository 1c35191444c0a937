"""A dealer that is made to be killed: real clock, real store, and three tables at which four people act at random, one for table chips."""

import asyncio
import itertools
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.errors import TableError
from bot.ledger.refusals import NotEnoughChips
from bot.runtime.bank import Bank
from bot.runtime.clock import SystemClock
from bot.runtime.commands import Preselect
from bot.runtime.journal import JournalEvent
from bot.runtime.request import Request
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.tables import Tables
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table.commands import ComeBack, LeaveTable, SitOut, TakeSeat, TopUp
from bot.table.preselection.types import PreselectedAction
from bot.table.settings import ChipKind
from tests.runtime.evening import GUILD, MASTER, settings
from tests.store.killer import READY
from tests.support.engines import data_at, opened

TABLES, PLAYERS = 3, 4
GRANT = 10_000


class KilledDealer:
    """A `tests.store.killer.Driver` that acknowledges each request that was answered."""

    seconds_between_requests = 0.0

    async def drive(self, folder: Path, seed: int, acknowledge: Callable[[str], None]) -> None:
        store = Store(data_at(folder / "cardroom.sqlite"), EventCodec(JournalEvent))
        await store.open()
        tables = Tables(store, MASTER, on_update=lambda _change: None)
        await tables.restore()
        acknowledge(READY)
        await asyncio.gather(*(self.play(tables, channel, seed, acknowledge) for channel in range(1, TABLES + 1)))

    async def play(self, tables: Tables, channel: int, seed: int, acknowledge: Callable[[str], None]) -> None:
        rng = random.Random(seed * 100 + channel)
        keys = (f"{seed}-{channel}-{number}" for number in itertools.count())
        users = [channel * 10**6 + number for number in range(1, PLAYERS + 1)]
        slower = self.seconds_between_requests

        def asked(user: int) -> Request:
            return Request(key=next(keys), guild=GUILD, channel=channel, user=user, name=f"P{user}")

        while True:
            if slower:
                await asyncio.sleep(slower)
            now = tables.table_in_channel(GUILD, channel)
            early: PreselectedAction | None = None
            if now is None:
                request = asked(users[0])
                chips = ChipKind.TABLE if channel == TABLES else ChipKind.SERVER
                chosen = settings(blinds=(5, 10), chips=chips)
                doing = tables.open(request, replace(chosen, pause_seconds=0, rebuy_minutes=1))
            elif now.current_turn is not None and rng.random() < 0.15:
                request, early = asked(rng.choice(users)), rng.choice(list(PreselectedAction))
                doing = tables.ask(request, Preselect(early))
            elif now.current_turn is not None and rng.random() < 0.9:
                request = asked(now.current_turn.user)
                view = now.hand
                assert view is not None and view.legal_to_act is not None
                doing = tables.ask(request, random_command(view.legal_to_act.check, view.legal_to_act.max_to, rng))
            else:
                request = asked(rng.choice(users))
                what = rng.randrange(5)
                seated = any(seat.player == request.user for seat in now.table.seats)
                if not seated:
                    limits = now.buy_in(request.user, SystemClock().now())
                    doing = tables.ask(
                        request, TakeSeat(request.user, request.name, rng.randint(limits.minimum, limits.maximum))
                    )
                elif what == 0 and rng.random() < 0.2:
                    doing = tables.ask(request, LeaveTable(request.user))
                elif what == 1:
                    doing = tables.ask(request, SitOut(request.user))
                elif what == 2:
                    doing = tables.ask(request, TopUp(request.user, rng.randrange(1, 2_001)))
                else:
                    doing = tables.ask(request, ComeBack(request.user))
            try:
                outcome = await doing
            except NotEnoughChips:  # a broke player makes place for a new one
                users[users.index(request.user)] = channel * 10**6 + rng.randrange(10**6)
                continue
            except TableError:
                await asyncio.sleep(0)
                continue
            if outcome.events or (early is not None and not outcome.repeated):
                acknowledge(request.key)

    async def check(self, folder: Path, acknowledged: Sequence[str]) -> None:
        store = Store(data_at(folder / "cardroom.sqlite"), EventCodec(JournalEvent))
        await store.open()
        try:
            before = {saved.record.id for saved in await store.open_tables()}
            tables = Tables(store, MASTER, on_update=lambda _change: None)
            restored = await tables.restore()
            assert {now.id for now in restored} == before, "a table could not be taken up"
            staff = Request(key="audit", guild=GUILD, channel=0, user=1, staff=True)
            audit = await Bank(store, tables).audit(staff)
            assert audit.faults == ()
            for now in restored:
                self.check_views(now.dealt_users, now)
            await tables.drain()
        finally:
            await store.close()
        with opened(folder / "cardroom.sqlite") as db:
            causes = {key for (key,) in db.execute("SELECT key FROM cause")}
            games = db.execute("SELECT sum(chips) FROM balance WHERE kind > 20 GROUP BY table_id").fetchall()
            granted = db.execute("SELECT count(*) FROM cause WHERE key LIKE 'grant:%'").fetchone()[0]
        assert set(acknowledged) <= causes, "an acknowledged request is lost"
        assert audit.minted == granted * GRANT, "chips come from opening grants and from nowhere else"
        assert all(chips == 0 for (chips,) in games), "the book of a game sums to zero"

    def check_views(self, players: Sequence[int], now: TableSnapshot) -> None:
        """Check that nobody sees another player's cards."""
        for user in players:
            view = now.seen_by(user)
            assert view is not None
            for seat in view.seats:
                if seat.seat_index != view.viewer:
                    assert all(card.card is None or card.face_up for card in seat.cards)


def random_command(check: bool, max_to: int, rng: random.Random) -> c.HandCommand:
    """Return something that a person can ask, lawful or not."""
    at = rng.random()
    if at < 0.12:
        return c.Fold()
    if at < 0.2:
        return c.AllIn()
    if at < 0.35 and max_to:
        return c.RaiseTo(rng.randrange(1, max_to + 1))
    return c.Check() if check else c.Call()


dealer = KilledDealer()
