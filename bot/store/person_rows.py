"""Find where a person's id stands in a server's books and journals, a step at a time, and work out what shall stand there instead.

It only reads, so it goes on the connection for long reads (`bot.store.long_reads`): most hands of a server are not of this person, and to
unpack each costs time that no save should wait for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from bot.runtime.store_errors import StoreFailed
from bot.store.database import Database
from bot.store.finished_hands import ExchangeFailed, RewrittenHand, hand_names, rewritten_hand
from bot.store.hand_blob import BlobUnreadable, StoredCause

USER_COLUMNS = ("who", "user", "other", "owner", "debit_user", "credit_user", "about")
"""The columns of all tables that hold the id of a person."""
_NO_VALUES = frozenset((("finished_hand", "blob"), ("hand", "nonce")))
"""Columns of bytes that are no values in MessagePack."""
_AT_ONCE = frozenset(
    (
        "balance",
        "player_total",
        "claim",
        "duel_result",
        "flow",
        "deletion",
        "season_result",
        "season_buy_in",
        "season_table",
        "season_reset",
        "season_reset_early",
        "board_pair",
        "board_pair_held",
        "uncounted",
    )
)
"""Tables that the first or the last transaction of a deletion sees to: a person has few rows there."""
STEP_HANDS = 20
"""So many finished hands are looked at in one step; that takes some milliseconds."""
STEP_IDS = 5_000
"""Hands of other servers are passed over so many at a time."""
STEP_ROWS = 10_000
STEP_VALUES = 1_000
"""So many rows of a table that holds values are looked at in one step."""

OF_SERVER = "+table_id IN (SELECT id FROM card_table WHERE guild = :guild)"
"""With the plus sign SQLite walks along the key from where the last step ended, and does not begin with each table again."""
_BEFORE = {
    "transfer": "guild = :guild",
    "cause": "guild = :guild AND (id <= :begun OR table_id > 0)",
    "staff_log": "guild = :guild AND cause <= :begun",
    "card_table": "+guild = :guild AND state = 'closed'",
    "snapshot": "+table_id IN (SELECT id FROM card_table WHERE guild = :guild AND state = 'closed')",
    "table_guest": "+table_id IN (SELECT id FROM card_table WHERE guild = :guild AND state = 'closed')",
    "occasion_event": "guild = :guild AND (SELECT state FROM occasion WHERE id = occasion) = 'closed'",
    "event": f"""{OF_SERVER} AND (
        (SELECT state FROM card_table WHERE id = table_id) = 'closed'
        OR seq + count <= (SELECT seq FROM snapshot WHERE snapshot.table_id = event.table_id)
    )""",
}
"""What is rewritten before the last transaction: nothing that an open table would be restored from, so that it is never half rewritten.
What staff note, and what is asked for outside the tables, after the beginning is of somebody who came later."""
_TOUCHED = """(
    SELECT id FROM card_table WHERE guild = :guild AND state = 'open'
    UNION SELECT table_id FROM cause WHERE id > :seen AND guild = :guild
)"""
_LAST = {
    "transfer": "guild = :guild AND cause > :seen",
    "cause": "guild = :guild AND id > :seen AND (id <= :begun OR table_id > 0)",
    "card_table": f"id IN {_TOUCHED}",
    "snapshot": f"table_id IN {_TOUCHED}",
    "table_guest": f"table_id IN {_TOUCHED}",
    "event": f"table_id IN {_TOUCHED}",
    "occasion_event": """guild = :guild AND occasion IN (
        SELECT id FROM occasion WHERE guild = :guild AND state = 'open'
        UNION SELECT occasion FROM occasion_event WHERE guild = :guild AND cause > :seen
    )""",
}
"""What is left for it: the open tables, and what has been written since the rest was looked at."""


@dataclass(frozen=True, slots=True)
class DeletedPerson:
    """A person in one server, and what stands in their place from now on. `begun` is the cause with which their deletion began."""

    guild: int
    user: int
    former: int
    begun: int

    @property
    def packed(self) -> bytes:
        """The id as it stands in a stored value."""
        return msgspec.msgpack.encode(self.user)

    @property
    def names(self) -> dict[str, Any]:
        """What queries call it."""
        return {
            "guild": self.guild,
            "user": self.user,
            "former": self.former,
            "begun": self.begun,
            "packed": self.packed,
        }

    def replaced(self, value: Any, *, with_names: bool = True) -> Any:
        """Return a stored value with the pseudonym in the place of the id, and no name beside it."""
        if isinstance(value, dict):
            found = {name: self.replaced(one, with_names=with_names) for name, one in value.items()}
            if with_names and "name" in found and self.user in value.values():
                found["name"] = ""
            if with_names and "host_name" in found and value.get("host") == self.user:
                found["host_name"] = ""
            return found
        if isinstance(value, list):
            if with_names and len(value) == 2 and value[0] == self.user and isinstance(value[1], str):
                return [self.former, ""]
            return [self.replaced(one, with_names=with_names) for one in value]
        return self.former if type(value) is int and value == self.user else value

    def rewritten(self, value: bytes) -> bytes:
        """Return an encoded value with the pseudonym in the place of the id."""
        if self.packed not in value:
            return value
        return msgspec.msgpack.encode(self.replaced(msgspec.msgpack.decode(value)))

    def rewritten_cause(self, cause: StoredCause) -> StoredCause:
        return cause._replace(who=self.former) if cause.who == self.user else cause


class SearchPoint(NamedTuple):
    """How far a search has come: the table, and the key of the last row in it that was looked at."""

    table: str
    after: tuple[Any, ...] = ()


class FoundRows(NamedTuple):
    """Rows of a table in which the person stands: their keys, and what shall stand in their columns of values."""

    table: str
    keys: list[tuple[Any, ...]]
    values: list[tuple[Any, ...]]


class Found(NamedTuple):
    """What a step has found, and where the next one begins; None at the end."""

    hands: list[RewrittenHand]
    rows: FoundRows | None
    following: SearchPoint | None


class TableColumns(NamedTuple):
    """The columns of a table, as a statement names them: its key, those with ids of people, and those with values."""

    key: tuple[str, ...]
    users: tuple[str, ...]
    values: tuple[str, ...]


class SearchedTo(NamedTuple):
    """The newest cause and the newest finished hand at the beginning of a search."""

    cause: int
    hand: int


def newest(db: Database) -> SearchedTo:
    """Return how far the file is written."""
    return SearchedTo(
        *db.execute(
            "SELECT (SELECT coalesce(max(id), 0) FROM cause), (SELECT coalesce(max(id), 0) FROM finished_hand)"
        ).fetchone()
    )


def searched_tables(db: Database) -> dict[str, TableColumns]:
    """Return the tables of servers that hold ids of people, or values with some, but for finished hands.

    Raises:
        StoreFailed: there is one of which nobody has said which of its rows can be rewritten when.
    """
    found: dict[str, TableColumns] = {}
    for name in db.tables():
        columns = db.columns(name)
        names = {column.name for column in columns}
        key = tuple([_named(column.name) for column in sorted(columns, key=lambda column: column.key) if column.key])
        users = tuple([_named(column.name) for column in columns if column.name in USER_COLUMNS])
        values = tuple([column.name for column in columns if column.is_blob and (name, column.name) not in _NO_VALUES])
        if name in _AT_ONCE or not names & {"guild", "table_id"} or not (users or values):
            continue
        if name not in _BEFORE:
            raise StoreFailed(reason=f"nobody has said how a person is taken out of {name}")
        found[name] = TableColumns(key, users, values)
    return found


def _named(column: str) -> str:
    """Return how a statement names a column: `user` alone would be the login's."""
    return '"user"' if column == "user" else column


def find_step(db: Database, person: DeletedPerson, point: SearchPoint) -> Found:
    """Take one step of a search that begins with `SearchPoint("finished_hand")` and goes on through all other tables.

    Raises:
        StoreFailed: a finished hand cannot be read.
    """
    tables = searched_tables(db)
    if point.table == "finished_hand":
        hands, after = find_hands(db, person, *point.after or (0,))
        return Found(hands, None, SearchPoint("finished_hand", (after,)) if after else SearchPoint(min(tables)))
    columns = tables[point.table]
    # A server's transfers lie together; every other table is walked through whole, and the condition picks the server's rows.
    own = columns.key[0] == "guild"
    keys = ", ".join(columns.key[own:])
    limits = ["guild = :guild"] if own else []
    marks: dict[str, Any] = {"guild": person.guild}

    def limit(sign: str, name: str, key: tuple[Any, ...]) -> None:
        names = [f"{name}{at}" for at in range(len(key))]
        limits.append(f"({keys}) {sign} ({', '.join(f':{one}' for one in names)})")
        marks.update(zip(names, key, strict=True))

    if point.after:
        limit(">", "after", point.after)
    step = STEP_VALUES if columns.values else STEP_ROWS
    end = db.execute(
        f"SELECT {keys} FROM {point.table} WHERE {' AND '.join(limits or ['true'])} ORDER BY {keys} LIMIT 1 OFFSET {step - 1}",
        marks,
    ).fetchone()
    if end:
        limit("<=", "end", end)
    limits.append(_BEFORE[point.table])
    rows = _find_rows(db, person, point.table, columns, " AND ".join(f"({one})" for one in limits), marks)
    later = [name for name in tables if name > point.table]
    following = SearchPoint(point.table, end) if end else SearchPoint(min(later)) if later else None
    return Found([], rows, following)


def find_last_rows(db: Database, person: DeletedPerson, seen: int) -> list[FoundRows]:
    """Find what is left after a search. `seen` was the newest cause when it began."""
    tables = searched_tables(db)
    return [
        _find_rows(db, person, table, tables[table], limit, {"seen": seen}) for table, limit in sorted(_LAST.items())
    ]


def find_hands(
    db: Database, person: DeletedPerson, after: int, limit: int = STEP_HANDS
) -> tuple[list[RewrittenHand], int]:
    """Find finished hands of the person among those that follow number `after`. Returns them, and where to go on; 0 at the end.

    Raises:
        StoreFailed: one cannot be read.
    """
    ids = db.execute(
        f"SELECT id FROM finished_hand WHERE id > :after AND id <= :after + {STEP_IDS} AND {OF_SERVER} ORDER BY id LIMIT :limit",
        {"after": after, "guild": person.guild, "limit": limit},
    ).fetchall()
    found: list[RewrittenHand] = []
    try:
        for (id_,) in ids:
            if hand_names(db, id_, person.user):
                hand = rewritten_hand(db, id_, person.rewritten, person.rewritten_cause)
                if hand is not None:
                    found.append(hand)
    except (BlobUnreadable, ExchangeFailed) as error:
        raise StoreFailed(reason=f"a finished hand cannot be rewritten: {error}") from error
    reached = ids[-1][0] if len(ids) == limit else after + STEP_IDS
    return found, reached if reached < newest(db).hand else 0


def _find_rows(
    db: Database,
    person: DeletedPerson,
    table: str,
    columns: TableColumns,
    limit: str,
    marks: dict[str, Any],
) -> FoundRows:
    holds = [f"{column} = :user" for column in columns.users]
    holds += [f"instr({column}, :packed) > 0" for column in columns.values]
    selected = ", ".join((*columns.key, *columns.values))
    rows = db.execute(
        f"SELECT {selected} FROM {table} WHERE ({limit}) AND ({' OR '.join(holds)})", {**person.names, **marks}
    ).fetchall()
    keys = [row[: len(columns.key)] for row in rows]
    values = [row[len(columns.key) :] for row in rows]
    if table == "snapshot":
        values = [(_whole_state(db, *key),) for key in keys]
    return FoundRows(table, keys, [tuple(map(person.rewritten, some)) for some in values])


def _whole_state(db: Database, table: int) -> bytes:
    """Return the saved state of a table, with the part that is stored once in its place."""
    state, at, part = db.execute(
        "SELECT snapshot.blob, part_at, stored_part.blob FROM snapshot LEFT JOIN stored_part ON stored_part.id = part"
        " WHERE table_id = ?",
        (table,),
    ).fetchone()
    return bytes(state) if part is None else bytes(state[:at] + part + state[at:])


def batches(found: FoundRows, size: int) -> Sequence[FoundRows]:
    """Return found rows in parts."""
    return [
        FoundRows(found.table, found.keys[at : at + size], found.values[at : at + size])
        for at in range(0, len(found.keys), size)
    ]
