"""What a data file is made of: the tables, indexes, views and triggers that its migrations make, and nothing else.

A file that somebody else has prepared can hold a trigger that gives chips, or lack one that guards what has happened. Its pages and its
books are sound all the same. So its schema is compared with that of an empty file to which the same migrations were applied.
"""

import re
from pathlib import Path

from bot.runtime.store_errors import StoreUnusable
from bot.store.database import Database

_OF_SQLITE = frozenset({("table", "sqlite_sequence"), ("table", "sqlite_stat1"), ("table", "sqlite_stat4")})
"""Tables that SQLite makes by itself. An index without a text belongs to its table."""
_SPACE_AND_QUOTES = re.compile(r"[\s\"`\[\]]+")
"""SQLite puts other quotes round the name of a table that is renamed, by its version."""

Schema = frozenset[tuple[str, str, str, str]]
"""Kind, name, table and text of everything in a file."""


def schema_of(db: Database) -> Schema:
    """Return the schema of a file."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return frozenset(
        (kind, name, table, _SPACE_AND_QUOTES.sub(" ", text or "").strip())
        for kind, name, table, text in rows
        if (kind, name) not in _OF_SQLITE and not (kind == "index" and text is None)
    )


def require_schema(db: Database, path: Path, expected: Schema) -> None:
    """Check that a file has the schema that it must have.

    Raises:
        StoreUnusable: something is missing, or is there that no program of ours has made.
    """
    found = schema_of(db)
    strange = sorted(f"{kind} {name}" for kind, name, *_ in found - expected)
    missing = sorted(f"{kind} {name}" for kind, name, *_ in expected - found)
    if strange or missing:
        changed = sorted(set(strange) & set(missing))
        what = f"another {changed[0]}" if changed else f"with {strange[0]}" if strange else f"without {missing[0]}"
        raise StoreUnusable(f"{path} was changed by another program ({what}); restore a backup that you made yourself")
