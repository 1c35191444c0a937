"""Measure how many bytes the data file grows by a hand, table by table and index by index, before and after its hands are put away.

Six people with the long ids of Discord play hands of 22 actions to a showdown. Sizes are those of a copy that
holds no free pages, minus what the file held before the first hand.

    python -m tests.benchmarks.bench_growth [--hands 1000] [--keep FILE]
"""

import argparse
import asyncio
import itertools
import random
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from bot.engine import commands as c
from bot.engine.legal import Decision
from bot.engine.stakes import Stakes
from bot.ledger.accounts import Transfer, TransferReason, mint_account, wallet_account
from bot.runtime.journal import JournalEvent
from bot.runtime.request import Request
from bot.runtime.store_types import Cause, Commit
from bot.runtime.tables import Tables
from bot.store.codec import EventCodec
from bot.store.store import Store
from bot.table.commands import TakeSeat, TopUp
from bot.table.settings import TableSettings
from bot.variants import game
from tests.runtime.manual_clock import ManualClock

GUILD = 712_345_678_901_234_567
FIRST_USER = 201_234_567_890_123_456
FIRST_INTERACTION = 1_300_000_000_000_000_000
NAMES = ("Annika", "Bo", "Cyrus the Great", "Dee", "évelyne", "Flo_93", "Gus", "Hal 9000", "Ida", "jürgen", "K", "Lou")
CHANNEL, PLAYERS, STACK = 11, 6, 20_000
HOUR_MS = 3_600_000
MASTER = b"m" * 32

STREETS = (
    ("fold", "call", "raise", "call", "fold", "call", "call"),
    ("check", "check", "bet", "call", "call", "fold"),
    ("check", "bet", "call", "call"),
    ("check", "bet", "raise", "fold", "call"),
)
HAND = tuple(itertools.chain.from_iterable(STREETS))


class Played:
    """Tables on one store, where hands are played move by move while a clock is moved by hand."""

    def __init__(self, path: Path, seed: int = 1) -> None:
        self.store = Store(path, EventCodec(JournalEvent))
        self.clock = ManualClock()
        self.rng = random.Random(seed)
        self._keys: Iterator[int] = itertools.count(FIRST_INTERACTION, 4_194_304)
        self.actions = 0

    async def begin(self) -> None:
        await self.store.open()
        self.tables = Tables(
            self.store, MASTER, on_update=lambda _update: None, clock=self.clock, rng=random.Random(1),
            make_nonce=lambda: self.rng.randbytes(16),
        )  # fmt: skip
        await self.tables.restore()

    async def end(self) -> None:
        await self.tables.drain()
        await self.store.close()

    def asked(self, user: int, name: str, table: int = 0, channel: int = 0) -> Request:
        key = str(next(self._keys) + self.rng.randrange(4_194_304))
        return Request(key=key, guild=GUILD, channel=channel or table, user=user, name=name, table=table)

    async def open(self, channel: int, settings: TableSettings) -> int:
        """Open a table with everybody seated. Returns its id."""
        users = [FIRST_USER + channel * 10**15 + seat * 10**13 for seat in range(PLAYERS)]
        table = (await self.tables.open(self.asked(users[0], NAMES[0], channel=channel), settings)).snapshot.id
        chips = tuple(Transfer(mint_account(), wallet_account(user), 10**9, TransferReason.GRANT) for user in users)
        await self.store.commit(Commit(guild=GUILD, cause=Cause(f"chips{channel}", 0, 0, "chips"), transfers=chips))
        for seat, user in enumerate(users, 1):
            name = NAMES[(channel + seat) % len(NAMES)]
            await self.tables.ask(self.asked(user, name, table, channel), TakeSeat(user, name, STACK, seat))
        return table

    async def a_day_later(self) -> None:
        """Let something happen a day later, and what is due then be done."""
        self.clock.move_to(self.clock.now() + 25 * HOUR_MS)
        cause = Cause("a day later", 0, self.clock.now(), "chips")
        await self.store.commit(Commit(guild=GUILD, cause=cause))
        await self.store.finish_spare_time_work()

    async def deal(self, table: int, channel: int) -> None:
        """Wait for the next hand. Players without chips buy in again."""
        for seat in self.tables.snapshot(table).table.seats:
            if seat.stack < STACK // 2:
                asked = self.asked(seat.player, seat.name, table, channel)
                await self.tables.ask(asked, TopUp(seat.player, STACK - seat.stack))
        while not self.tables.snapshot(table).hand_running:
            self.clock.move_to(self.clock.next_at())
            self.clock.ring_due()
            await self.tables.wait_until_idle()

    async def play(self, table: int, channel: int, choose: Callable[[int, Decision], str]) -> None:
        """Play a hand to its end, one choice after the other."""
        for number in itertools.count():
            now = self.tables.snapshot(table)
            due, hand = now.current_turn, now.hand
            if due is None or hand is None or not now.hand_running:
                return
            legal = hand.legal_to_act
            assert legal is not None
            self.clock.move_to(self.clock.now() + self.rng.randrange(900, 9_000))
            command: c.HandCommand
            match choose(number, now.decision):
                case "fold":
                    command = c.Fold()
                case "check":
                    command = c.Check()
                case "call":
                    command = c.Call() if legal.call_chips else c.Check()
                case "bet":
                    command = c.Bet(legal.min_to + self.rng.randrange(400))
                case "raise":
                    command = c.RaiseTo(legal.min_to + self.rng.randrange(200))
                case other:
                    raise AssertionError(f"no such action: {other}")
            await self.tables.ask(
                self.asked(due.user, now.players_by_seat[due.seat_number].name, table, channel), command
            )
            self.actions += 1


async def play_hands(path: Path, hands: int) -> Played:
    """Play so many hands of 22 actions, and leave the store open."""
    played = Played(path)
    await played.begin()
    card = game("holdem")
    stakes = Stakes(small_blind=50, big_blind=100, turn_seconds=30, bank_seconds=60)
    settings = TableSettings(rule_card=card, options=card.options, stakes=stakes)
    table = await played.open(CHANNEL, settings)
    await asyncio.to_thread(copy_packed, path, path.with_suffix(".empty"))
    for _ in range(hands):
        await played.deal(table, CHANNEL)
        await played.play(table, CHANNEL, lambda turn, _decision: HAND[turn])
    assert played.actions == hands * len(HAND)
    return played


def copy_packed(path: Path, to: Path) -> None:
    """Copy the file without its free pages."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("VACUUM INTO ?", (str(to),))


def sizes(path: Path) -> Counter[str]:
    """Return the bytes of each table and index of a packed file."""
    with closing(sqlite3.connect(path)) as db:
        return Counter(dict(db.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name")))


def growth(path: Path, hands: int, name: str) -> dict[str, float]:
    """Return the bytes a hand of each table and index, since the file was empty."""
    copy = path.with_suffix(f".{name}")
    copy_packed(path, copy)
    before, after = sizes(path.with_suffix(".empty")), sizes(copy)
    return {one: (after[one] - before[one]) / hands for one in sorted(after) if after[one] != before[one]}


async def measure(path: Path, hands: int) -> None:
    played = await play_hands(path, hands)
    try:
        show("as it is played", growth(path, hands, "played"))
        took = await put_away(played)
        show("once the hands are put away", growth(path, hands, "put-away"))
        print(f"  put away in {1000 * took / hands:.2f} ms of CPU a hand")
        await played.a_day_later()
        found = growth(path, hands, "kept")
        show("a day later, without the keys of clicks", found)
        transfers = sum(size for name, size in found.items() if name in {"transfer", "wallet_history", "adjustment"})
        print(
            f"  of these for transfers: {transfers:,.0f}, for everything else: {sum(found.values()) - transfers:,.0f}"
        )
        assert played.store.failed_exchanges == 0
    finally:
        await played.end()


async def put_away(played: Played) -> float:
    """Exchange every hand that is over. Returns the seconds of CPU that it took."""
    began = time.process_time()
    await played.store.finish_spare_time_work()
    return time.process_time() - began


def show(title: str, found: dict[str, float]) -> None:
    print(f"{title}: {sum(found.values()):,.0f} bytes a hand")
    for name, size in found.items():
        print(f"  {name:<32}{size:>10,.1f}")


def main() -> None:
    request = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    request.add_argument("--hands", type=int, default=1_000)
    request.add_argument("--keep", type=Path, help="a folder for the files")
    given = request.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        asyncio.run(measure(given.keep / "growth.db", given.hands))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder) / "growth.db", given.hands))


if __name__ == "__main__":
    main()
