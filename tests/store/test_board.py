"""Places on a leaderboard are right after whatever changes it, and are found by a look at few of many people."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import board as boards
from bot.store.board import EVERYBODY, LISTED_PEOPLE, BoardKind, BoardOrder, split_full_blocks
from bot.store.connection import connect
from bot.store.migrate import apply_migrations, migrations

GUILD, BOOK = 7, 0
UPSERT = """
    INSERT INTO player_total (guild, book, "user", counted, total) VALUES (?, ?, ?, ?, 0)
    ON CONFLICT (guild, book, "user") DO UPDATE SET counted = player_total.counted + excluded.counted
"""


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect(str(tmp_path / "data.db"))) as db:
        apply_migrations(db, tmp_path / "data.db", migrations())
        yield db


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "PEOPLE_OF_BLOCK", 3)


def split_blocks(db: sqlite3.Connection) -> None:
    split_full_blocks(db, EVERYBODY, LISTED_PEOPLE)


def assert_right(db: sqlite3.Connection, changes: dict[int, int], limit: int = 4) -> None:
    """Compare each page and each rank with the totals of the file, one by one: of everybody, and of those who are listed."""
    for kind in (EVERYBODY, LISTED_PEOPLE):
        _assert_right(db, kind, changes, limit)


def _assert_right(db: sqlite3.Connection, kind: BoardKind, changes: dict[int, int], limit: int) -> None:
    only = "listed = 1" if kind is LISTED_PEOPLE else "listed >= 0"
    totals = dict(
        db.execute(f'SELECT "user", counted FROM player_total WHERE guild = ? AND book = ? AND {only}', (GUILD, BOOK))
    )
    for user, more in changes.items():
        if user in totals:
            totals[user] += more
    order = sorted(totals.items(), key=lambda one: (-one[1], one[0]))
    board = BoardOrder(db, kind, {"guild": GUILD, "book": BOOK}, changes)
    assert board.people() == len(order)
    for offset in range(len(order) + 2):
        assert board.page(offset, limit) == order[offset : offset + limit], offset
    for user, chips in order:
        assert board.chips_of(user) == chips
        assert board.rank_of(chips) == 1 + sum(more > chips for _, more in order)
    assert board.chips_of(999_999) is None
    blocks = [people for (people,) in db.execute(f"SELECT people FROM {kind.blocks} WHERE guild = ?", (GUILD,))]
    assert min(blocks, default=0) >= 0
    assert max(blocks, default=0) <= 2 * boards.PEOPLE_OF_BLOCK


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("seed", range(3))
def test_places_are_right_after_any_change(db: sqlite3.Connection, seed: int) -> None:
    """Many have equal chips; people come, go, win, lose, play enough hands, and some are shown with other chips than they have."""
    rng = random.Random(seed)
    for _ in range(12):
        for _ in range(rng.randrange(1, 12)):
            user = rng.randrange(1, 40)
            if rng.random() < 0.15:
                db.execute('DELETE FROM player_total WHERE guild = ? AND "user" = ?', (GUILD, user))
            else:
                db.execute(UPSERT, (GUILD, rng.choice((BOOK, BOOK, 10)), user, rng.choice((0, 100, 100, -100, 7))))
            if rng.random() < 0.5:
                db.execute('UPDATE player_total SET listed = ? WHERE "user" = ?', (int(rng.random() < 0.7), user))
        db.execute(UPSERT, (GUILD + 1, BOOK, 1, 5))
        split_blocks(db)
        assert_right(db, {rng.randrange(1, 45): rng.choice((-100, 0, 50, 100)) for _ in range(rng.randrange(4))})
    db.execute("UPDATE player_total SET counted = 100")  # a season begins with the same chips for everybody
    split_blocks(db)
    assert_right(db, {3: -1})


@pytest.mark.usefixtures("small_blocks")
def test_no_block_keeps_the_id_of_a_person(db: sqlite3.Connection) -> None:
    """Whoever is taken out of the data leaves no id there, however many have the same chips."""
    ids = [10**17 + number * 4_194_304 for number in range(60)]
    for user in ids:
        db.execute(UPSERT, (GUILD, BOOK, user, 1_000))
        split_blocks(db)
    assert_right(db, {})
    db.execute("UPDATE player_total SET listed = 1")
    split_blocks(db)
    assert_right(db, {})
    for blocks in ("board_block", "listed_block"):
        found = {tie for (tie,) in db.execute(f"SELECT tie FROM {blocks}")}
        assert len(found) > 5 and found.isdisjoint(ids)


def test_older_file_gets_its_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(connect(str(tmp_path / "data.db"))) as db:
        steps = migrations()
        apply_migrations(db, tmp_path / "data.db", tuple(step for step in steps if step.number < 14))
        db.executemany(UPSERT, [(GUILD, BOOK, user, user % 10 * 100) for user in range(1, 30)])
        apply_migrations(db, tmp_path / "data.db", steps)
        monkeypatch.setattr(boards, "PEOPLE_OF_BLOCK", 3)
        split_blocks(db)
        assert_right(db, {})


@pytest.mark.parametrize("kind", [EVERYBODY, LISTED_PEOPLE])
def test_page_looks_at_few_of_many_people(db: sqlite3.Connection, kind: BoardKind) -> None:
    """The steps that SQLite takes for a page in the middle and a rank, of 3,000 and of 30,000 people, half of them with equal chips."""
    steps = []
    for first, end in ((1, 3_000), (3_000, 30_000)):
        db.execute("BEGIN")
        db.executemany(UPSERT, [(GUILD, BOOK, user, user if user % 2 else 10_000) for user in range(first, end)])
        db.execute('UPDATE player_total SET listed = 1 WHERE "user" % 3 > 0 AND listed = 0')
        split_blocks(db)
        db.execute("COMMIT")
        taken = [0]

        def count() -> int:
            taken[0] += 1  # noqa: B023  # it is called in this round
            return 0

        db.set_progress_handler(count, 50)
        board = BoardOrder(db, kind, {"guild": GUILD, "book": BOOK})
        middle = board.page(end // 2, 10)
        board.rank_of(middle[0].chips)
        db.set_progress_handler(None, 0)
        steps.append(taken[0])
    assert steps[1] < 3 * steps[0], steps
