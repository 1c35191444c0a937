"""Measure how long a house takes to move from a file into PostgreSQL and back, and to be copied to a backup there, by the commands.

Each command checks all books before and afterwards. The goal is five minutes for each way; it says MISSED where one takes longer.
The server is one of its own in the temporary folder, and brings everything to its disk.

    python -m tests.benchmarks.bench_move [--transfers 1000000] [--hands 100000] [--players 10000] [--folder WHERE]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.settings import DATA_FILE
from bot.store.backup import DataCheck, check_data
from bot.store.connection import connect
from bot.store.finished_hands import store_dictionary
from tests.benchmarks.bench_queries import write_history
from tests.support.postgres import postgres_server
from tests.support.stand_in_process import ROOT

GOAL_SECONDS = 300.0
BLOB_BYTES = 1_400
"""Of a hand of six that is over."""
_HANDS = (
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :each)
    INSERT INTO hand (table_id, number, seq, nonce, started_at)
    SELECT id, i, i * 60 - 59, randomblob(16), 1700000000000 + i FROM card_table CROSS JOIN n
    """,
    """
    INSERT INTO finished_hand (table_id, seq, count, format, dictionary, card, blob)
    SELECT table_id, seq, 60, 1, 1, NULL, randomblob(:bytes) FROM hand
    """,
)


def write_house(file: Path, transfers: int, hands: int, players: int) -> DataCheck:
    """Write a house with so many transfers and finished hands. Returns what it holds."""
    write_history(file, transfers, players)
    with closing(connect(str(file))) as db:
        db.never_wait()
        db.create_function("may_exchange", 3, lambda *_: True)
        with db.transaction():
            store_dictionary(db)
            (tables,) = db.execute("SELECT count(*) FROM card_table").fetchone()
            for statement in _HANDS:
                db.execute(statement, {"each": max(1, hands // tables), "bytes": BLOB_BYTES})
    return check_data(file)


def timed(title: str, folder: Path, address: str, *command: str) -> float:
    """Run a command of `cardroom`. Returns the seconds that it took."""
    environment = os.environ | {"CARDROOM_DATA": str(folder), "CARDROOM_DATABASE": address, "DISCORD_TOKEN": ""}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        (sys.executable, "-m", "bot", *command), env=environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    missed = "MISSED " if took > GOAL_SECONDS else ""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"{title:<28} {took:6.1f} s, {used:6.1f} s of them of its processor; load {load:.1f}  {missed}", flush=True)
    return took


def measure(folder: Path, transfers: int, hands: int, players: int) -> list[float]:
    """Move a house there and back. Returns the seconds of both moves."""
    file = folder / "local" / DATA_FILE
    file.parent.mkdir(mode=0o700)
    found = write_house(file, transfers, hands, players)
    assert not found.problems, found.problems
    print(f"{found.transfers:,} transfers, {hands:,} hands, {file.stat().st_size / 1e6:,.0f} MB in a file\n")
    with postgres_server(fsync="on", full_page_writes="on") as address:
        there = timed("into PostgreSQL", folder, "", "move", "--to", address)
        timed("a backup of it", folder, address, "backup", str(folder / "copy.db"))
        back = timed("back into a file", folder, address, "move", "--to", "file")
    assert check_data(file) == check_data(folder / "copy.db") == found, "the books are not the same"
    return [there, back]


@pytest.mark.bench
def test_move(tmp_path: Path) -> None:
    assert max(measure(tmp_path, 1_000_000, 100_000, 10_000)) < GOAL_SECONDS


def main() -> None:
    request = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    request.add_argument("--transfers", type=int, default=1_000_000)
    request.add_argument("--hands", type=int, default=100_000)
    request.add_argument("--players", type=int, default=10_000)
    request.add_argument("--folder", type=Path, help="on the disk to be measured; default: the temporary folder")
    given = request.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        measure(Path(folder), given.transfers, given.hands, given.players)


if __name__ == "__main__":
    main()
