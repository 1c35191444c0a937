"""Dealers that share a PostgreSQL schema, one after the other: the one that owns it meets with an accident, and another takes over.

Three processes play at the same tables (`owning_dealer`). Each reaches the server by a line of its own, which can be held up. In a round
the owner

- is killed (*kill*), or *stops* for three leases and goes on,
- has its *line* held for longer than a lease, and what was on the way is delivered then,
- stops in the middle of a batch, whose other half is delivered much later (*half*),
- has its connection of the lease *cut*, or loses all of them because the database is restarted (*restart*).

In the end nothing that was acknowledged may be missing, nobody may have written after another one had taken over, no event may be missing
between two others, and the books must be exact. Without the fences (``--planted``) this very test must find faults.

    python -m tests.durability takeovers [--rounds 300] [--tables 100] [--lease 1.5] [--seed 1] [--planted]
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from bot.engine.events import ActionOn, BettingRoundClosed, Called
from bot.store.codec import EventCodec
from bot.store.postgres.engine import PostgresEngine
from bot.store.store import Store
from tests.durability.owning_dealer import FIRST_GUILD, KEPT
from tests.store.killer import ROOT
from tests.support.held_line import Line
from tests.support.postgres import postgres_server, restart

SCHEMA = "takeovers"
DEALERS = 3
ROUNDS = {"kill": 30, "stop": 20, "line": 20, "half": 15, "cut": 10, "restart": 5}
"""How many of a hundred."""
SHARED = ("cut", "restart")
"""After these the same dealer can go on."""
EVERY = 0.5
"""Seconds between two actions of a table."""
LATE_SECONDS = 2.0
"""So long after its lease at the latest an owner is followed."""
LONGEST_SECONDS = 90.0
MOST_TOLD = 20
_LOG = f"""
    CREATE TABLE takeover_log (id BIGINT GENERATED ALWAYS AS IDENTITY, value TEXT);
    CREATE FUNCTION takeover_note() RETURNS TRIGGER LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO takeover_log (value) VALUES (convert_from(NEW.value, 'UTF8')); RETURN NULL; END $$;
    CREATE TRIGGER takeover_note AFTER INSERT OR UPDATE ON kept FOR EACH ROW WHEN (NEW.key = '{KEPT}') EXECUTE FUNCTION takeover_note();
"""
"""Notes each kept value, in the order in which they were written."""
_FORMER = """
    SELECT count(*) FROM (SELECT {who} AS who, max({who}) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS newest FROM {table}) AS one
    WHERE who < newest
"""
_GAPS = """
    SELECT count(*) FROM (
        SELECT seq, lag(seq + count, 1, 1::bigint) OVER (PARTITION BY table_id ORDER BY seq) AS expected FROM event
    ) AS one WHERE seq <> expected
"""


@dataclass
class Dealer:
    """One process, and what it has said."""

    process: asyncio.subprocess.Process
    line: Line
    epoch: int = 0
    stopped: bool = False
    hearing: asyncio.Task[None] | None = None


@dataclass
class Evening:
    """All processes, and what they have had acknowledged."""

    address: str
    folder: Path
    options: list[str]
    dealers: list[Dealer] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    kept: tuple[int, int] = (0, 0)
    acted: dict[int, float] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    ending: bool = False

    async def start(self, line: Line) -> None:
        """Start a dealer, which waits until nobody owns the schema."""
        own = self.folder / str(line.port)
        own.mkdir(exist_ok=True)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.durability.owning_dealer", line.address, SCHEMA, str(own), *self.options),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        if self.ending:  # meanwhile
            process.kill()
            await process.wait()
            return
        dealer = Dealer(process, line)
        self.dealers.append(dealer)
        dealer.hearing = asyncio.create_task(self._hear(dealer))

    async def _hear(self, dealer: Dealer) -> None:
        assert dealer.process.stdout is not None
        async for line in dealer.process.stdout:
            if not line.endswith(b"\n"):
                break  # of one that was killed while it spoke
            kind, _, rest = line.decode().strip().partition(" ")
            match kind:
                case "O":
                    dealer.epoch = int(rest)
                case "A":
                    self.actions.append(rest)
                    self.acted[dealer.epoch] = time.monotonic()
                case "K":
                    epoch, number = map(int, rest.split())
                    self.kept = max(self.kept, (epoch, number))
                case _:
                    self.faults.append(line.decode().strip())
        await dealer.process.wait()
        self.dealers.remove(dealer)
        dealer.line.release()
        if not self.ending:
            await self.start(dealer.line)

    def owner(self) -> Dealer | None:
        """Return the dealer who owns the schema, once they play."""
        newest = max(self.dealers, key=lambda one: one.epoch, default=None)
        return newest if newest is not None and newest.epoch in self.acted and not newest.stopped else None

    async def wait_for_owner(self) -> Dealer:
        async with asyncio.timeout(LONGEST_SECONDS):
            while (found := self.owner()) is None:
                await asyncio.sleep(0.02)
        return found

    async def end(self) -> None:
        """Kill all dealers, also those who were stopped, and wait until everything they said has been heard."""
        self.ending = True
        hearing = [dealer.hearing for dealer in self.dealers if dealer.hearing is not None]
        for dealer in list(self.dealers):
            with suppress(ProcessLookupError):
                os.kill(dealer.process.pid, signal.SIGKILL)
        await asyncio.gather(*hearing)

    async def next_action(self, since: float, former: Dealer, *, can_go_on: bool) -> float:
        """Return how many seconds it takes until somebody acts who has taken over, or also the same dealer."""
        async with asyncio.timeout(LONGEST_SECONDS):
            while True:
                for epoch, at in self.acted.items():
                    if at > since and (epoch > former.epoch or (can_go_on and epoch == former.epoch)):
                        return at - since
                await asyncio.sleep(0.01)


async def accident(kind: str, evening: Evening, owner: Dealer, lease: float) -> float:
    """Let it happen. Returns the seconds until the next action of whoever owns the schema then.

    Who was stopped or held goes on only when they have been followed: on a busy machine that can take long.
    """
    process, line = owner.process, owner.line
    since = time.monotonic()
    resume: list[tuple[float, Callable[[], None]]] = []
    """What goes on then, and after how many seconds at the earliest."""

    def go_on() -> None:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)

    match kind:
        case "kill":
            process.kill()
        case "stop":
            owner.stopped = True
            process.send_signal(signal.SIGSTOP)
            resume.append((3 * lease, go_on))
        case "line":
            owner.stopped = True
            line.hold()
            resume.append((3 * lease, line.release))
        case "half":
            line.cut_next_batch = True
            async with asyncio.timeout(LONGEST_SECONDS):
                await line.halved.wait()
            since = time.monotonic()
            owner.stopped = True
            process.send_signal(signal.SIGSTOP)
            resume.append((3 * lease, go_on))
            resume.append((4 * lease, line.release))
        case "cut":
            with psycopg.connect(evening.address, autocommit=True) as db:
                db.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s",
                    (f"cardroom owner {SCHEMA}",),
                )
        case "restart":
            await asyncio.to_thread(restart, evening.address)
            since = time.monotonic()
    try:
        return await evening.next_action(since, owner, can_go_on=kind in SHARED)
    finally:
        for seconds, go_on_with in resume:
            await asyncio.sleep(max(0.0, since + seconds - time.monotonic()))
            go_on_with()
        if resume:
            await asyncio.sleep(max(0.2 * lease, since + 4.2 * lease - time.monotonic()))


async def run(kinds: Sequence[str], tables: int, lease: float, seed: int, *, planted: bool) -> list[str]:
    """Let accidents happen, one after the other. Returns what was lost or wrong."""
    luck = random.Random(seed)
    seconds: dict[str, list[float]] = {kind: [] for kind in ROUNDS}
    with tempfile.TemporaryDirectory() as folder, postgres_server(idle_in_transaction_session_timeout="0") as address:
        data = Path(folder)
        evening = Evening(address, data, [str(lease), str(tables), str(EVERY), "no" if planted else "yes"])
        try:
            for number in range(DEALERS):
                line = Line(address)
                await line.listen()
                await evening.start(line)
                if not number:
                    await evening.wait_for_owner()
                    with psycopg.connect(address, autocommit=True, options=f"-c search_path={SCHEMA}") as db:
                        db.execute(_LOG.encode())
            for number, kind in enumerate(kinds, 1):
                owner = await evening.wait_for_owner()
                await asyncio.sleep(luck.uniform(0.2, 1.0))
                try:
                    seconds[kind].append(await accident(kind, evening, owner, lease))
                except ProcessLookupError:  # they had ended just before, as after a restart that took too long
                    continue
                except TimeoutError:
                    evening.faults.append(f"{kind} in round {number}: nobody acted for {LONGEST_SECONDS:.0f} s")
                if number % 20 == 0:
                    print(f"{number} rounds, {len(evening.actions):,} actions acknowledged", flush=True)
        finally:
            await evening.end()
        faults = evening.faults + _recount(evening) + await _audit(address, data, tables)
    _tell(seconds, lease, evening)
    return faults


def _recount(evening: Evening) -> list[str]:
    """Compare what is in the database with what was acknowledged."""
    with psycopg.connect(evening.address, autocommit=True, options=f"-c search_path={SCHEMA}") as db:

        def count(query: str) -> int:
            row = db.execute(query.encode()).fetchone()
            assert row is not None
            return int(row[0])

        keys = {key for (key,) in db.execute("SELECT key FROM cause")}
        last = db.execute("SELECT convert_from(value, 'UTF8') FROM kept WHERE key = %s", (KEPT,)).fetchone()
        found = {
            "acknowledged actions are lost": len(set(evening.actions) - keys),
            "actions are of a former owner": count(_FORMER.format(who="who", table="cause")),
            "kept values are of a former owner": count(
                _FORMER.format(who="split_part(value, ' ', 1)::bigint", table="takeover_log")
            ),
            "gaps are between events": count(_GAPS),
        }
    faults = [f"{number:,} {what}" for what, number in found.items() if number]
    if last is None or tuple(map(int, last[0].split())) < evening.kept:
        faults.append(f"the kept value is {last}, and {evening.kept} was acknowledged")
    return faults


async def _audit(address: str, folder: Path, tables: int) -> list[str]:
    engine = PostgresEngine(address, SCHEMA, folder, lease=60.0, lost=lambda: None)
    store = Store(engine, EventCodec(ActionOn | Called | BettingRoundClosed))
    await store.open()
    try:
        audits = {guild: await store.audit(guild) for guild in range(FIRST_GUILD, FIRST_GUILD + tables)}
    finally:
        await store.close()
    return [f"the books of server {guild}: {audit.faults}" for guild, audit in audits.items() if audit.faults]


def _tell(seconds: dict[str, list[float]], lease: float, evening: Evening) -> None:
    print(f"\n{'':>8} {'rounds':>7} {'median s':>9} {'longest s':>10}   until the next action")
    for kind, took in seconds.items():
        if took:
            took.sort()
            print(f"{kind:>8} {len(took):>7} {took[len(took) // 2]:>9.2f} {took[-1]:>10.2f}")
    every = sorted(second for took in seconds.values() for second in took)
    in_time = sum(second <= lease + LATE_SECONDS for second in every)
    print(
        f"{len(every)} rounds, {len(evening.actions):,} actions acknowledged, lease {lease} s;"
        f" within the lease and {LATE_SECONDS:.0f} s: {in_time} of {len(every)}"
    )


def main(rounds: int, tables: int, lease: float, seed: int, *, planted: bool) -> int:
    kinds = random.Random(seed).choices(list(ROUNDS), list(ROUNDS.values()), k=rounds)
    faults = asyncio.run(run(kinds, tables, lease, seed, planted=planted))
    for fault in faults[-MOST_TOLD:]:
        print(f"FAULT: {fault}")
    print(
        f"{len(faults)} FAULTS"
        if faults
        else "nothing acknowledged was lost, nobody wrote after another had taken over, no gaps, books exact"
    )
    return len(faults)
