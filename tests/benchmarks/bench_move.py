"""Measure how long a house takes to move from a file into PostgreSQL and back, and to be copied to a backup there, by the commands.

Each command checks all books before and afterwards. The goal is five minutes for each way; it says MISSED where one takes longer.
The server is one of its own in the temporary folder, and brings everything to its disk.

    python -m tests.benchmarks.bench_move [--transfers 1000000] [--hands 100000] [--players 10000] [--servers 1000] [--folder WHERE]
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
from typing import NamedTuple

import pytest

from bot.settings import DATA_FILE
from bot.store.backup import DataCheck, check_data
from bot.store.connection import connect
from bot.store.finished_hands import store_dictionary
from bot.store.migrate import apply_migrations, migrations
from tests.support.postgres import postgres_server, what_is_missing
from tests.support.stand_in_process import ROOT

GOAL_SECONDS = 300.0


class Numbers(NamedTuple):
    """How much a house holds. The number of players is a multiple of that of servers."""

    transfers: int = 1_000_000
    hands: int = 100_000
    players: int = 10_000
    servers: int = 1_000


BLOB_BYTES = 1_400
"""Of a hand of six that is over."""
_HOUSE = (
    # each server has a table; its people are granted chips and sit down, then each pair of transfers is a bet and its winning
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :servers) INSERT INTO guild (id, tables) SELECT i, 1 FROM n",
    """
    INSERT INTO card_table (id, guild, number, channel, settings, state, opened_at, closed_at)
    SELECT id, id, 1, id, x'', 'closed', 1, 2 FROM guild
    """,
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :causes)
    INSERT INTO cause (id, key, guild, who, at, what, table_id, number, seq)
    SELECT i, 1300000000000000000 + i * 7919, (CASE WHEN i > :players THEN i * 31 % :players + 1 ELSE i END) % :servers + 1,
        1, 1700000000000 + i, 'call', 0, 0, 0 FROM n
    """,
    """
    WITH RECURSIVE n(u) AS (SELECT 1 UNION ALL SELECT u + 1 FROM n WHERE u < :players)
    INSERT INTO transfer SELECT u % :servers + 1, u, 0, 1000000, 'grant', 1, 0, 0, 3, 0, u, '', 3, u FROM n
    UNION ALL SELECT u % :servers + 1, u, 1, 100000 + u % 977, 'buy-in', 3, 0, u, 4, u % :servers + 1, u, '', 3, u FROM n
    """,
    """
    WITH RECURSIVE n(i) AS (SELECT :players + 1 UNION ALL SELECT i + 1 FROM n WHERE i < :causes), bet(i, u, at, chips) AS (
        SELECT i, i * 31 % :players + 1, (i * 31 % :players + 1) % :servers + 1, 1 + i * 7919 % 100 FROM n
    )
    INSERT INTO transfer
    SELECT at, i, 0, chips, 'bet', 4, at, u, 5, at, 0, '', 0, 0 FROM bet UNION ALL
    SELECT at, i, 1, chips, 'won', 5, at, 0, 4, at, (u + :servers - 1) % :players + 1, '', 0, 0 FROM bet
    """,
    """
    INSERT INTO balance (guild, kind, table_id, "user", chips)
    SELECT guild, kind, at, who, sum(chips) FROM (
        SELECT guild, debit_kind AS kind, debit_table AS at, debit_user AS who, -chips AS chips FROM transfer
        UNION ALL SELECT guild, credit_kind, credit_table, credit_user, chips FROM transfer
    ) AS moved GROUP BY 1, 2, 3, 4
    """,
    """
    INSERT INTO player_total (guild, book, "user", total, counted)
    SELECT guild, 0, "user", sum(chips), sum(chips) FROM balance WHERE kind IN (3, 4) GROUP BY guild, "user"
    """,
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :hands / :servers)
    INSERT INTO hand (table_id, number, seq, nonce, started_at)
    SELECT id, i, i * 60 - 59, randomblob(16), 1700000000000 + i FROM card_table CROSS JOIN n
    """,
    """
    INSERT INTO finished_hand (table_id, seq, count, format, dictionary, card, blob)
    SELECT table_id, seq, 60, 1, 1, NULL, randomblob(:bytes) FROM hand
    """,
)


def write_house(file: Path, numbers: Numbers) -> DataCheck:
    """Write a house straight by SQL: its books agree. Returns what it holds."""
    with closing(connect(str(file))) as db:
        db.never_wait()
        apply_migrations(db, file, migrations())
        db.create_function("may_exchange", 3, lambda *_: True)
        with db.transaction():
            store_dictionary(db)
            for statement in _HOUSE:
                db.execute(statement, {**numbers._asdict(), "causes": numbers.transfers // 2, "bytes": BLOB_BYTES})
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


def measure(folder: Path, numbers: Numbers) -> list[float]:
    """Move a house there and back. Returns the seconds of both moves."""
    file = folder / "local" / DATA_FILE
    file.parent.mkdir(mode=0o700)
    found = write_house(file, numbers)
    assert not found.problems, found.problems
    megabytes = file.stat().st_size / 1e6
    print(
        f"{found.transfers:,} transfers and {numbers.hands:,} hands of {found.servers:,} servers, {megabytes:,.0f} MB\n"
    )
    with postgres_server(fsync="on", full_page_writes="on") as address:
        there = timed("into PostgreSQL", folder, "", "move", "--to", address)
        timed("a backup of it", folder, address, "backup", str(folder / "copy.db"))
        back = timed("back into a file", folder, address, "move", "--to", "file")
    assert check_data(file) == check_data(folder / "copy.db") == found, "the books are not the same"
    return [there, back]


@pytest.mark.bench
def test_move(tmp_path: Path) -> None:
    assert max(measure(tmp_path, Numbers())) < GOAL_SECONDS


def main() -> None:
    request = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, number in Numbers()._asdict().items():
        request.add_argument(f"--{name}", type=int, default=number)
    request.add_argument("--folder", type=Path, help="on the disk to be measured; default: the temporary folder")
    given = request.parse_args()
    if missing := what_is_missing():
        print(f"Nothing is measured: {missing}")
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        measure(Path(folder), Numbers(*[getattr(given, name) for name in Numbers._fields]))


if __name__ == "__main__":
    main()
