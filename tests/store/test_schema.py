"""A file that somebody has prepared is refused: its pages and books are sound, and its triggers are not ours."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from bot.backups import run_drill
from bot.runtime.journal import JournalEvent
from bot.runtime.store_errors import StoreUnusable
from bot.store.backup import check_data, put_back
from bot.store.codec import EventCodec
from bot.store.store import Store

GIVES_CHIPS = """
    CREATE TRIGGER gift AFTER INSERT ON cause BEGIN UPDATE balance SET chips = chips + 1000000 WHERE kind = 3; END
"""
GUARDS_NOTHING = "CREATE TRIGGER event_stays AFTER DELETE ON event BEGIN SELECT 1; END"
CODEC = EventCodec(JournalEvent)


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A data file of today's program, which has been closed."""
    store = Store(tmp_path / "cardroom.db", CODEC)
    await store.open()
    await store.close()
    return store.path


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ((GIVES_CHIPS,), "with trigger gift"),
        (("DROP TRIGGER event_stays",), "without trigger event_stays"),
        (("DROP TRIGGER event_stays", GUARDS_NOTHING), "another trigger event_stays"),
        (("CREATE VIEW rich AS SELECT 1",), "with view rich"),
        (("CREATE TABLE notes (x)",), "with table notes"),
        (("ALTER TABLE kept ADD COLUMN x",), "another table kept"),
        (("CREATE INDEX slow ON kept (value)",), "with index slow"),
    ],
)  # fmt: skip
async def test_file_that_was_changed_is_refused(
    path: Path, tmp_path: Path, changes: tuple[str, ...], what: str
) -> None:
    assert check_data(path).problems == () == run_drill(path, CODEC)
    with contextlib.closing(sqlite3.connect(path)) as db:
        for change in changes:
            db.execute(change)
    (problem,) = check_data(path).problems
    assert f"was changed by another program ({what})" in problem
    assert any(what in one for one in run_drill(path, CODEC))
    with pytest.raises(StoreUnusable, match="restore a backup that you made yourself"):
        put_back(path, tmp_path / "other.db", 1)
    with pytest.raises(StoreUnusable, match="restore a backup that you made yourself"):
        await Store(path, CODEC).open()


async def test_what_sqlite_makes_by_itself_is_no_change(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("ANALYZE")
    assert check_data(path).problems == ()
    store = Store(path, CODEC)
    await store.open()
    await store.close()
