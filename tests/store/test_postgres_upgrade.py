"""A schema that an older version made is brought up to date as a file is: the same tables, triggers and rows, after a copy."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest

from bot.runtime.store_errors import StoreUnusable
from bot.store.connection import connect
from bot.store.copy_rows import copy_rows
from bot.store.home import FileHome
from bot.store.migrate import Migration, apply_migrations, check_format, migrations

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed: pip install -e '.[postgres]'", allow_module_level=True)

from bot.store.postgres.home import SchemaHome
from bot.store.postgres.schema import NotTranslated, schema_text
from bot.store.postgres.upgrade import upgrade_statements
from tests.support.postgres_store import asking, postgres_engine

KEPT = Path(__file__).parents[1] / "data" / "v0_1_0"
STEPS = migrations()
_SEASON = (
    "INSERT INTO season VALUES (1, 1, '', 1, 9, 0, 'net', 1, 0, NULL)",
    *[
        f'INSERT INTO season_result (guild, season, "user", rank, hands, net) VALUES (1, 1, {user}, {rank}, 5, 0)'
        for user, rank in ((101, 2), (102, 0), (103, 1), (104, 2))
    ],
    "UPDATE season SET closed_at = 9",
)
_FOUND = {
    "columns": """
        SELECT table_name, column_name, data_type, is_nullable, column_default, is_identity,
            row_number() OVER (PARTITION BY table_name ORDER BY ordinal_position)
        FROM information_schema.columns WHERE table_schema = current_schema()
    """,
    "indexes": "SELECT tablename, indexname, replace(indexdef, current_schema(), '') FROM pg_indexes WHERE schemaname = current_schema()",
    "constraints": """
        SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
        WHERE relnamespace = current_schema()::regnamespace
    """,
    "triggers": """
        SELECT relname, tgname, tgenabled, replace(pg_get_triggerdef(pg_trigger.oid), current_schema(), '') FROM pg_trigger
        JOIN pg_class ON pg_class.oid = tgrelid WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
    """,
    "functions": "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace",
    "sequences": "SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema()",
}
"""Everything that a schema is made of."""


@pytest.fixture
def schema(tmp_path: Path) -> str:
    return f"old_{zlib.crc32(str(tmp_path).encode())}"


def _made_of(address: str, schema: str) -> dict[str, list[Any]]:
    with asking(address, schema) as db:
        return {kind: sorted(map(repr, db.execute(query.encode()))) for kind, query in _FOUND.items()}


def _rows(home: FileHome | SchemaHome) -> dict[str, list[str]]:
    with home.reading() as db:
        return {
            table: sorted(map(repr, map(tuple, db.execute(f'SELECT * FROM "{table}"').fetchall())))
            for table in db.tables()
            if table not in ("owner", "migration")
        }


def _fill(database: SchemaHome, file: FileHome, steps: tuple[Migration, ...]) -> None:
    """Let an older version have made a schema, with the rows of a file."""
    with database.owned(), file.reading() as rows, database.filling(steps, "") as filled:
        copy_rows(rows, (filled,), steps)


@pytest.mark.parametrize("had", [pytest.param(1, marks=pytest.mark.full), 10, pytest.param(14, marks=pytest.mark.full)])
async def test_older_schema_becomes_what_a_new_one_is(had: int, postgres: str, schema: str, tmp_path: Path) -> None:
    path = Path(shutil.copy(KEPT / "discord" / "cardroom.db", tmp_path / "old.db"))
    with contextlib.closing(connect(str(path))) as db:
        apply_migrations(db, path, STEPS[:had])
        for statement in _SEASON if had > 9 else ():
            db.execute(statement)
    file, database = FileHome(path), SchemaHome(postgres, schema, tmp_path, lost=lambda: None)
    _fill(database, file, STEPS[:had])
    engine = postgres_engine(postgres, schema, tmp_path, lease=30.0)
    await engine.open()
    await engine.close()
    file.bring_up_to_date()
    assert _rows(database) == _rows(file)
    before = tmp_path / f"{schema}.before-{had + 1:04}"
    with contextlib.closing(connect(str(before))) as db:
        assert check_format(db, before, STEPS) == had
    fresh = postgres_engine(postgres, f"{schema}_new", tmp_path, lease=30.0)
    await fresh.open()
    await fresh.close()
    assert _made_of(postgres, schema) == _made_of(postgres, f"{schema}_new")
    with asking(postgres, schema) as db:
        largest, following = db.execute(
            "SELECT max(id), nextval(pg_get_serial_sequence('card_table', 'id')) FROM card_table"
        ).fetchone() or (0, 0)
    assert following == largest + 1 == 41


@pytest.mark.parametrize(
    "fails",
    ["UPDATE kept SET value = instr('a', 'b');", pytest.param("DROP VIEW rich;", marks=pytest.mark.full)],
)
async def test_step_that_fails_changes_nothing(
    postgres: str, schema: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    engine = postgres_engine(postgres, schema, tmp_path, lease=30.0)
    await engine.open()
    await engine.close()
    before = _made_of(postgres, schema)
    wrong = Migration(9_999, "9999_wrong.sql", f"ALTER TABLE kept ADD COLUMN more INTEGER;\n{fails}")
    monkeypatch.setattr("bot.store.postgres.engine.migrations", lambda: (*STEPS, wrong))
    with pytest.raises(StoreUnusable, match=r"9999_wrong\.sql failed .* nothing of it was applied"):
        await engine.open()
    assert _made_of(postgres, schema) == before


def test_every_migration_says_the_same_in_postgresql() -> None:
    """What nobody has said how to translate is found here, and not by whoever upgrades."""
    for at, step in enumerate(STEPS):
        if step.name.endswith(".sql"):
            assert upgrade_statements(STEPS[:at], step)
    assert schema_text(STEPS).tables


@pytest.mark.parametrize(
    "sql",
    [
        "DROP VIEW rich",
        "ALTER TABLE kept DROP COLUMN value",
        "DROP TABLE card_table",
        "CREATE VIEW rich AS SELECT 1 AS one",
    ],
)
def test_statement_of_another_kind_is_refused(sql: str) -> None:
    with pytest.raises((NotTranslated, sqlite3.Error)):
        upgrade_statements(STEPS, Migration(9_999, "9999_other.sql", f"{sql};"))
