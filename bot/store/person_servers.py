"""Find the servers in which something is kept about a person, a step at a time. It only reads, beside everything else.

Finished hands are not unpacked: whoever was dealt into one has moved chips there, and every transfer stays.
"""

from collections.abc import Generator, Iterable
from typing import Any

import msgspec

from bot.runtime.store_types import ValuePrefixes
from bot.store.database import Database
from bot.store.person_rows import STEP_ROWS, STEP_VALUES, USER_COLUMNS, TableColumns, searched_tables

_SERVER_OF_TABLE = "(SELECT guild FROM card_table WHERE id = table_id)"


def servers_in_steps(db: Database, user: int, prefixes: ValuePrefixes) -> Generator[None, None, tuple[int, ...]]:
    """Return the servers, by id, in which a person has chips, has done something, or is known by name.

    Args:
        prefixes: of the keys of kept values that are about people.
    """
    found: set[int] = set()
    searched = searched_tables(db)
    for name in db.tables():
        if name in searched:
            yield from _search(db, name, searched[name], user, found)
        else:
            found |= _look_up(db, name, user)
            yield
    found |= _servers_of_values(db, user, prefixes)
    return tuple(sorted(found))


def _look_up(db: Database, name: str, user: int) -> set[int]:
    """Look at a table of which a person has few rows, all of the same server or none."""
    columns = {column.name for column in db.columns(name)}
    users = [f'"{column}" = :user' for column in USER_COLUMNS if column in columns]
    if "guild" not in columns or not users:
        return set()
    rows = db.execute(f"SELECT DISTINCT guild FROM {name} WHERE {' OR '.join(users)}", {"user": user})
    return {guild for (guild,) in rows}


def _search(db: Database, name: str, columns: TableColumns, user: int, found: set[int]) -> Generator[None, None, None]:
    """Walk through a large table, in the order of its key."""
    keys = ", ".join(columns.key)
    server = "guild" if any(column.name == "guild" for column in db.columns(name)) else _SERVER_OF_TABLE
    holds = [f"{column} = :user" for column in columns.users]
    holds += [f"instr({column}, :packed) > 0" for column in columns.values]
    held, step = " OR ".join(holds), STEP_VALUES if columns.values else STEP_ROWS
    end: tuple[Any, ...] | None = None
    while True:
        limits, marks = ["true"], {"user": user, "packed": msgspec.msgpack.encode(user)}
        if end is not None:
            limits.append(_limit(keys, ">", "after", end, marks))
        end = db.execute(
            f"SELECT {keys} FROM {name} WHERE {' AND '.join(limits)} ORDER BY {keys} LIMIT 1 OFFSET {step - 1}", marks
        ).fetchone()
        if end is not None:
            limits.append(_limit(keys, "<=", "end", end, marks))
        rows = db.execute(f"SELECT DISTINCT {server} FROM {name} WHERE {' AND '.join(limits)} AND ({held})", marks)
        found.update(guild for (guild,) in rows)
        yield
        if end is None:
            return


def _limit(keys: str, sign: str, name: str, key: tuple[Any, ...], marks: dict[str, Any]) -> str:
    """Return the condition that a row's key lies on one side of another one, whose parts become marks."""
    names = [f"{name}{at}" for at in range(len(key))]
    marks.update(zip(names, key, strict=True))
    return f"({keys}) {sign} ({', '.join(f':{one}' for one in names)})"


def _servers_of_values(db: Database, user: int, prefixes: ValuePrefixes) -> set[int]:
    """Look at the keys of kept values that are about people, and into those that hold ids of people."""
    packed = msgspec.msgpack.encode(user)
    servers, tables = set[int](), set[int]()
    for found, by_user, with_ids in (
        (servers, prefixes.of_servers, prefixes.with_ids),
        (tables, prefixes.of_tables, prefixes.of_tables_with_ids),
    ):
        for prefix in by_user:
            found.update(_numbers(_keys(db, prefix), prefix, f".{user}"))
        for prefix in with_ids:
            found.update(_numbers(_keys(db, prefix, packed), prefix, ""))
    for table in tables:
        rows = db.execute("SELECT guild FROM card_table WHERE id = ?", (table,))
        servers.update(guild for (guild,) in rows)
    return servers


def _keys(db: Database, prefix: str, packed: bytes | None = None) -> list[str]:
    end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    held = "" if packed is None else " AND instr(value, ?) > 0"
    marks = (prefix, end) if packed is None else (prefix, end, packed)
    return [key for (key,) in db.execute(f"SELECT key FROM kept WHERE key >= ? AND key < ?{held}", marks)]


def _numbers(keys: Iterable[str], prefix: str, suffix: str) -> set[int]:
    """Return the numbers that stand between a prefix and a suffix."""
    middles = [key[len(prefix) : len(key) - len(suffix)] for key in keys if key.endswith(suffix)]
    return {int(middle) for middle in middles if middle.isdecimal()}
