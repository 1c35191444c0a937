"""A season is closed by a dealer that is killed (SIGKILL) before a chosen statement of its database, started again, and killed again.

This process loads the program once and lets a child of its own do each run: so a kill costs little. Each round begins with the same
evening: a table with chips, wallets beside it, a season that runs. While it is closed somebody gets gifts all the time, and each one
that was acknowledged is written down by a system call. When a run has come to the end, the books are read and compared with a recount.

    python -m tests.runtime.killed_season FOLDER KILLS [SEED]      # prints how many kills there were, or what is wrong
"""

import asyncio
import itertools
import os
import random
import shutil
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.runtime.journal import JournalEvent
from bot.store import season_resets, seasons
from bot.store.codec import EventCodec
from bot.store.connection import SqliteDatabase, connect
from bot.store.engine import SqliteEngine
from bot.store.store import Store
from tests.runtime.evening import GUILD
from tests.runtime.seasons_evening import SeasonsEvening

CARRIED = 50
WALLETS = 12
FIRST_USER = 10_001
GIFTED = range(FIRST_USER, FIRST_USER + WALLETS + 2)
"""Two of them have no wallet before."""
CLOSED = f"season:{GUILD}:1:closed"
ACKNOWLEDGED = "acknowledged"


class Evening(SeasonsEvening):
    """An evening in one run of many. Requests of different runs have different keys, and the clock goes on.

    Args:
        run: which run it is.
        kill_at: the statement of the writing connection before which the process is killed; 0 for none.
    """

    def __init__(self, folder: Path, run: int, kill_at: int = 0) -> None:
        super().__init__(folder, store=self._killed_store)
        self._keys = itertools.count(run * 100_000)
        self._kill_at, self.statements = kill_at, 0
        if self.path.exists():
            with closing(sqlite3.connect(self.path)) as db:
                self.clock.move_to(db.execute("SELECT max(at) FROM cause").fetchone()[0] + 1_000)

    def _killed_store(self, path: Path) -> Store:
        def connector(name: str) -> SqliteDatabase:
            db = connect(name)
            db.set_trace_callback(self._count)
            return db

        return Store(SqliteEngine(path, connector), EventCodec(JournalEvent))

    def _count(self, _statement: str) -> None:
        self.statements += 1
        if self.statements == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


async def prepare(folder: Path) -> None:
    """Play the beginning of the evening."""
    evening = await Evening(folder, 1).begin()
    await evening.open()
    await evening.seat(Ann=10_000, Bo=8_001)
    for at in range(WALLETS):
        await evening.bank.grant(evening.request("Ida", staff=True), FIRST_USER + at, 1_001 + 10 * at, "to begin with")
    await evening.open_season("Killed")
    for loser in ("Ann", "Bo", "Ann"):
        await evening.play(loser)
    staff = evening.request("Ida", staff=True)
    await evening.bank.change_house_rules(staff, season_carried=CARRIED, opening_grant=0)
    await evening.deal()
    await evening.end()


async def close(folder: Path, run: int, kill_at: int) -> None:
    """Close the season, if it is not closed, and let everything be done that follows."""
    evening = Evening(folder, run, kill_at)
    await evening.begin()
    evening.table = next((now.id for now in evening.tables.all_tables()), 0)
    is_over = asyncio.Event()
    gifts = asyncio.create_task(give_gifts(evening, run, is_over))
    while not (season := (await evening.seasons.seasons(GUILD))[0]).closed_at:
        if season.ends_at:
            await evening.wait(0.3)
        else:
            await evening.close_season()
    await evening.finish_hand()
    await evening.settled()
    await evening.store.finish_season_reset(GUILD)
    is_over.set()
    await gifts
    await evening.end()
    Path(folder, "statements").write_text(str(evening.statements))


async def give_gifts(evening: Evening, run: int, is_over: asyncio.Event) -> None:
    rng = random.Random(run)
    written = os.open(evening.path.with_name(ACKNOWLEDGED), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    while not is_over.is_set():
        request = evening.request("Ida", staff=True)
        await evening.bank.grant(request, rng.choice(GIFTED), 7, "a gift")
        os.write(written, f"{request.key}\n".encode())
        await asyncio.sleep(0.001)


async def check(folder: Path, run: int) -> None:
    """Compare what is kept with a recount from nothing but transfers."""
    evening = await Evening(folder, run).begin()
    assert await evening.running() == ""
    results = {name: net for name, (_, net) in (await evening.results(1)).items()}
    assert results == await evening.recounted(1) and len(results) == 2
    log = await evening.store.staff_log(GUILD, after=0, limit=1_000)
    assert sum(line.entry.kind.value == "season closed" for line in log) == 1
    assert not evening.tables.tables_in_guild(GUILD), "the table with chips of the season has closed"
    await evening.audit()
    with closing(sqlite3.connect(evening.path)) as db:
        require_acknowledged(db, evening.path.with_name(ACKNOWLEDGED))
        recounted = recount_wallets(db)
    for user, chips in recounted.items():
        holdings = await evening.bank.holdings(GUILD, user)
        assert (holdings.wallet, holdings.on_tables) == (chips, 0), user
    await evening.end()


def require_acknowledged(db: sqlite3.Connection, acknowledged: Path) -> None:
    """Check that no gift is lost that was acknowledged, and none was given twice."""
    keys = acknowledged.read_text().split("\n")[:-1] if acknowledged.exists() else []
    saved = {key for (key,) in db.execute("SELECT key FROM cause WHERE what = 'grant' OR what LIKE '%grant%'")}
    assert set(keys) <= saved and len(set(keys)) == len(keys)


def recount_wallets(db: sqlite3.Connection) -> dict[int, int]:
    """Return what everybody's wallet holds: half of what it held when the season was closed, once, and what came since."""
    (end,) = db.execute("SELECT id FROM cause WHERE key = ?", (CLOSED,)).fetchone()
    rows = db.execute(
        """
        SELECT owner, cause, CASE WHEN debit_kind = 3 THEN -chips ELSE chips END, reason, note FROM transfer
        WHERE wallet = 3 ORDER BY cause, part
        """
    ).fetchall()
    wallets: dict[int, int] = {}
    halved: set[int] = set()
    for user, cause, change, reason, note in rows:
        held = wallets.get(user, 0)
        if note == "season 1":
            assert cause > end and user not in halved and reason == "season", f"{user} had their turn"
            assert held + change == held * CARRIED // 100, f"the chips of {user} are no half of {held}"
            halved.add(user)
        elif cause > end and user not in halved and user in had_wallet(rows, end):
            raise AssertionError(f"{user} moved chips before they had their turn")
        wallets[user] = held + change
    assert halved == had_wallet(rows, end)
    return wallets


def had_wallet(rows: list[tuple[int, int, int, str, str]], end: int) -> set[int]:
    """Return whose wallet held chips when the season was closed."""
    held: dict[int, int] = {}
    for user, cause, change, *_ in rows:
        if cause <= end:
            held[user] = held.get(user, 0) + change
    return {user for user, chips in held.items() if chips}


# the process that does not die


def run_in_child(work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
    """Do something in a child. Returns whether it came to an end, rather than being killed."""
    child = os.fork()
    if not child:
        try:
            asyncio.run(work())
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return False
    if os.WEXITSTATUS(status):
        sys.exit(1)
    return True


def results_of(folder: Path) -> list[tuple[Any, ...]]:
    """Return the results of the season if it is closed; nothing else otherwise."""
    with closing(sqlite3.connect(folder / "cardroom.sqlite")) as db:
        if db.execute("SELECT closed_at FROM season").fetchone()[0] is None:
            return []
        return db.execute("SELECT season.*, season_result.* FROM season JOIN season_result USING (guild)").fetchall()


def one_round(folder: Path, kills: list[int]) -> int:
    """Kill one dealer after another, then let one come to the end. Returns how many were killed."""
    killed, frozen = 0, list[tuple[Any, ...]]()
    for run, kill_at in enumerate([*kills, 0], 2):
        killed += not run_in_child(lambda run=run, kill_at=kill_at: close(folder, run, kill_at))  # type: ignore[misc]
        found = results_of(folder)
        assert not frozen or found == frozen, "results change after they were written down"
        frozen = found
    assert frozen
    run_in_child(lambda: check(folder, 99))
    return killed


def main(folder: Path, kills: int, seed: int = 1) -> None:
    """Kill dealers at statements spread over the whole closing; before every one of them if there are so many kills."""
    season_resets.PEOPLE_AT_ONCE, seasons.RESULTS_AT_ONCE = 3, 1
    first = folder / "first"
    first.mkdir()
    run_in_child(lambda: prepare(first))
    shutil.copytree(first, folder / "whole")
    assert not one_round(folder / "whole", [])
    statements = int((folder / "whole" / "statements").read_text())
    rng, killed = random.Random(seed), 0
    picks = sorted(rng.sample(range(1, statements + 1), min(kills, statements)))
    for at, pick in enumerate(picks):
        again = [rng.randint(1, statements)] if at % 2 else []
        place = folder / f"round{at}"
        shutil.copytree(first, place)
        try:
            killed += one_round(place, [pick, *again])
        except AssertionError as error:
            raise AssertionError(f"killed before statements {[pick, *again]} of {statements}: {error}") from error
        shutil.rmtree(place)
    print(f"{killed} kills in {len(picks)} closings of {statements} statements")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
