"""Bring the tables of an older version up to date: the same migrations as those of a file, each in a transaction with its row.

A migration is written for SQLite. Its statements are translated one by one; what follows from a statement there and not here, such as the
references to a table that is made anew under the same name, is looked up in an empty file that goes along. A test upgrades every kind of
statement, and compares with tables that were made today: what cannot be translated is found there.
"""

import contextlib
import re
import time
from collections.abc import Iterator
from pathlib import Path

from bot.runtime.store_errors import StoreUnusable
from bot.store.connection import SqliteDatabase, connect
from bot.store.database import DATABASE_FAILED, ConnectionLost
from bot.store.migrate import Migration, apply_migrations, statements_of
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.schema import NotTranslated, quoted, table_statement, trigger_statements, without_comments
from bot.store.stored_names import apply_renaming, read_renaming

_STATEMENT = re.compile(
    r'(?P<kind>CREATE TABLE|CREATE TRIGGER|CREATE (?:UNIQUE )?INDEX|DROP (?:TABLE|INDEX|TRIGGER)|ALTER TABLE) "?(?P<name>\w+)"?'
    r"(?: (?P<change>ADD COLUMN|RENAME TO (?P<new>\w+)))?"
)
_CHANGES_ROWS = ("INSERT INTO ", "UPDATE ", "DELETE FROM ")
_RENAME_WHAT_BELONGS_TO_IT = """
    DO $$ DECLARE one TEXT; BEGIN
        FOR one IN SELECT conname FROM pg_constraint WHERE conrelid = '{new}'::regclass AND starts_with(conname, '{old}_') LOOP
            EXECUTE format('ALTER TABLE {new} RENAME CONSTRAINT %I TO %I', one, '{new}' || substr(one, length('{old}') + 1));
        END LOOP;
        FOR one IN SELECT relname FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S' AND starts_with(relname, '{old}_') LOOP
            EXECUTE format('ALTER SEQUENCE %I RENAME TO %I', one, '{new}' || substr(one, length('{old}') + 1));
        END LOOP;
    END $$
"""
_NUMBER_AFTER = "SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name} HAVING max(id) IS NOT NULL"


def apply_to_schema(db: PostgresDatabase, name: str, had: tuple[Migration, ...], step: Migration, epoch: int) -> None:
    """Apply one migration and remember it, in one transaction.

    Args:
        name: says in words where.
        had: the migrations that it has had.
        epoch: of the process that owns it.

    Raises:
        StoreUnusable: it failed. Nothing of it was applied.
        ConnectionLost: the server is out of reach.
    """
    try:
        with db.transaction():
            db.make(())
            if step.name.endswith(".json"):
                apply_renaming(db, read_renaming(step.text))
            else:
                db.make(upgrade_statements(had, step))
            db.execute(
                "INSERT INTO migration (number, name, sha256, applied_at) VALUES (?, ?, ?, ?)",
                (step.number, step.name, step.sha256, int(time.time() * 1000)),
            )
            db.require_owner(epoch)
    except ConnectionLost:
        raise
    except (NotTranslated, ValueError, KeyError, *DATABASE_FAILED) as error:
        reason, *_ = str(error).splitlines() or [repr(error)]
        raise StoreUnusable(
            f"{name} cannot be brought up to date: {step.name} failed ({reason}); nothing of it was applied"
        ) from error


def upgrade_statements(had: tuple[Migration, ...], step: Migration) -> tuple[str, ...]:
    """Return what a migration is in PostgreSQL, to tables that have had those before it.

    Raises:
        NotTranslated: a statement is of a kind that nobody has said how to say to PostgreSQL.
    """
    with contextlib.closing(connect(":memory:")) as shadow:
        apply_migrations(shadow, Path(":memory:"), had, 0)
        translator = _Translator(shadow)
        translated: list[str] = []
        with shadow.without_keys(), shadow.transaction():
            for statement in statements_of(step.text):
                sql = without_comments(statement).strip().rstrip(";").strip()
                if sql:
                    translated += translator.translated(sql)
                    shadow.execute(statement)
        return (*translated, *translator.ending())


class _Translator:
    """Translates the statements of one migration, beside an empty file that has had those before."""

    def __init__(self, shadow: SqliteDatabase) -> None:
        self._shadow = shadow
        self._broken: dict[str, list[str]] = {}
        self._made: list[str] = []

    def translated(self, sql: str) -> Iterator[str]:
        if sql.upper().startswith(_CHANGES_ROWS):
            yield quoted(sql)
            return
        found = _STATEMENT.match(" ".join(sql.split()))
        if found is None:
            raise NotTranslated(sql)
        name, new = found["name"], found["new"]
        match found["kind"].replace("UNIQUE ", ""), found["change"]:
            case "CREATE TABLE", _:
                self._made.append(name)
                yield table_statement(sql)
            case "CREATE INDEX", _:
                yield quoted(sql)
            case "CREATE TRIGGER", _:
                yield from trigger_statements(sql)
            case "DROP INDEX", _:
                yield f"DROP INDEX {name}"
            case "DROP TRIGGER", _:
                yield f"DROP FUNCTION {name}() CASCADE"
            case "DROP TABLE", _:
                yield from self._dropped(name)
            case "ALTER TABLE", "ADD COLUMN":
                yield table_statement(sql)
            case "ALTER TABLE", str() if new:
                self._made = [new if made == name else made for made in self._made]
                yield f"ALTER TABLE {name} RENAME TO {new}"
                yield _RENAME_WHAT_BELONGS_TO_IT.format(old=name, new=new)
                yield from self._broken.pop(new, ())
            case _:
                raise NotTranslated(sql)

    def _dropped(self, table: str) -> Iterator[str]:
        """Drop a table with the functions of its triggers. References to it come back with the table that gets its name."""
        for (trigger,) in self._shadow.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? ORDER BY rowid", (table,)
        ).fetchall():
            yield f"DROP FUNCTION {trigger}() CASCADE"
        again = self._broken[table] = []
        for other in self._shadow.tables():
            for column, referred, on_delete in self._shadow.reference_columns(other, table):
                constraint = f"{other}_{column}_fkey"
                yield f"ALTER TABLE {other} DROP CONSTRAINT {constraint}"
                again.append(
                    f"ALTER TABLE {other} ADD CONSTRAINT {constraint} FOREIGN KEY ({quoted(column)})"
                    f" REFERENCES {table} ({quoted(referred)}) ON DELETE {on_delete}"
                )
        yield f"DROP TABLE {table}"

    def ending(self) -> Iterator[str]:
        """Let new rows of the tables that were made be numbered after those that are there."""
        if any(self._broken.values()):
            raise NotTranslated(f"references are left to {', '.join(self._broken)}")
        for name in self._made:
            if [column.name for column in self._shadow.columns(name) if column.key] == ["id"]:
                yield _NUMBER_AFTER.format(name=name)
