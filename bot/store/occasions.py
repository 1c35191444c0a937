"""Write and read the journals of nights, sit-and-gos and duels, by plain functions on a connection."""

from collections.abc import Generator
from typing import Any, TypeAlias

import msgspec

from bot.runtime.store_errors import InvalidCommit, StaleVersion
from bot.runtime.store_types import Commit, OccasionRecord, SavedOccasion
from bot.store.codec import EventCodec
from bot.store.database import Database

Row: TypeAlias = tuple[Any, ...]

STEP_EVENTS = 1_000
"""So many rows of events are looked at in one step of a long read."""
ALL = 2**31 - 1
_SELECT = "SELECT id, guild, kind, state = 'open' AS open, table_id, opened_at, kept_seq FROM occasion"
_INSERT_EVENT = "INSERT INTO occasion_event (guild, occasion, seq, count, cause, blob) VALUES (?, ?, ?, ?, ?, ?)"


def require_current(db: Database, commit: Commit) -> None:
    """Refuse a change that does not continue the journal of an open occasion of the server.

    Raises:
        StaleVersion: it has moved on, or is over.
        InvalidCommit: it closes, or opens, without an event that says so.
    """
    change = commit.occasion
    if change is None:
        return
    if not change.events:
        raise InvalidCommit("an occasion changes by events")
    next_seq = 1 if not change.id else _next_seq(db, commit.guild, change.id)
    if bool(change.id) == bool(change.kind) or change.seq != next_seq:
        raise StaleVersion(table=0, seq=change.seq, next_seq=next_seq)


def _next_seq(db: Database, guild: int, occasion: int) -> int:
    """Return the number of the next event of an open occasion; 0 if it is over, or of another server."""
    row = db.execute(
        "SELECT 1 FROM occasion WHERE id = ? AND guild = ? AND state = 'open'", (occasion, guild)
    ).fetchone()
    if row is None:
        return 0
    last = db.execute(
        "SELECT seq + count FROM occasion_event WHERE guild = ? AND occasion = ? ORDER BY seq DESC LIMIT 1",
        (guild, occasion),
    ).fetchone()
    return int(last[0]) if last is not None else 1


def write_change(db: Database, commit: Commit, encoded: bytes, cause: int, table: int) -> int:
    """Write what a commit changes of an occasion. Returns its id.

    Args:
        table: the table of the commit, also where it opens one.
    """
    change = commit.occasion
    assert change is not None, "no occasion changes"
    guild, id_, at = commit.guild, change.id, commit.cause.at
    if not id_:
        (id_,) = db.execute(
            """
            INSERT INTO occasion (guild, kind, state, table_id, opened_by, opened_at) VALUES (?, ?, 'open', 0, ?, ?) RETURNING id
            """,
            (guild, change.kind, cause, at),
        ).fetchone()
    db.execute(_INSERT_EVENT, (guild, id_, change.seq, len(change.events), cause, encoded))
    if change.at_this_table:
        db.execute("UPDATE occasion SET table_id = ? WHERE id = ?", (table, id_))
    if change.keeps:
        db.execute("UPDATE occasion SET kept_seq = ? WHERE id = ?", (change.seq, id_))
    if change.closes:
        db.execute("UPDATE occasion SET state = 'closed', closed_at = ? WHERE id = ?", (at, id_))
    if (duel := change.duel_won) is not None:
        for user, won in ((duel.winner, 1), (duel.loser, 0)):
            db.execute("INSERT INTO duel_result VALUES (?, ?, ?, ?, ?)", (guild, user, id_, won, duel.chips))
    return int(id_)


def occasion_opened_by(db: Database, key: str) -> int:
    """Return the id of the occasion that a cause has opened; 0 if it opened none."""
    row = db.execute(
        "SELECT occasion.id FROM occasion JOIN cause ON cause.id = opened_by WHERE cause.key = ?", (key,)
    ).fetchone()
    return int(row[0]) if row is not None else 0


def duel_record(db: Database, guild: int, user: int) -> tuple[int, int]:
    """Return how many duels a person has won and lost in a server."""
    rows = db.execute(
        'SELECT won, count(*) FROM duel_result WHERE guild = ? AND "user" = ? GROUP BY won', (guild, user)
    )
    counts = dict(rows.fetchall())
    return int(counts.get(1, 0)), int(counts.get(0, 0))


def duel_records(db: Database, guild: int) -> tuple[tuple[int, int, int], ...]:
    """Return everybody in a server who has won or lost a duel, with how many: id, won, lost."""
    rows = db.execute(
        """
        SELECT "user", sum(won), count(*) - sum(won) FROM duel_result WHERE guild = ? GROUP BY "user" ORDER BY "user"
        """,
        (guild,),
    )
    return tuple([(int(user), int(won), int(lost)) for user, won, lost in rows])


def open_occasions(
    db: Database, codec: EventCodec, guild: int = 0, kind: str = "", *, after: int = 0, count: int = ALL
) -> tuple[SavedOccasion, ...]:
    """Return the occasions that are open, by id: of one server or of all, of one kind or of all; of each the events that tell all it is.

    Args:
        after: only those of larger ids.
        count: at most so many.
    """
    limits = ["state = 'open'", "id > :after"]
    limits += [f"occasion.{name} = :{name}" for name, value in (("guild", guild), ("kind", kind)) if value]
    names = {"guild": guild, "kind": kind, "after": after, "count": count}
    found = f"{_SELECT} WHERE {' AND '.join(limits)} ORDER BY id LIMIT :count"
    return tuple([_saved(db, codec, row, row[-1]) for row in db.execute(found, names).fetchall()])


def occasion(db: Database, codec: EventCodec, id_: int) -> SavedOccasion | None:
    """Return one occasion with all of its events, open or over; None if there is none of that id."""
    row = db.execute(f"{_SELECT} WHERE id = ?", (id_,)).fetchone()
    return _saved(db, codec, row) if row is not None else None


def occasion_at(db: Database, codec: EventCodec, table: int) -> SavedOccasion | None:
    """Return the newest occasion that is or was played at a table; None if there is none."""
    row = db.execute(f"{_SELECT} WHERE table_id > 0 AND table_id = ? ORDER BY id DESC LIMIT 1", (table,)).fetchone()
    return _saved(db, codec, row) if row is not None else None


def occasions_of_in_steps(db: Database, guild: int, kind: str, user: int) -> Generator[None, None, tuple[int, ...]]:
    """Return the ids of the occasions of a kind in a server, open or over, in which a person stands; oldest first."""
    found: dict[int, None] = {}
    names = {"guild": guild, "packed": msgspec.msgpack.encode(user), "occasion": 0, "seq": 0, "limit": STEP_EVENTS}
    while True:
        rows = db.execute(
            """
            SELECT occasion, seq, instr(blob, :packed) FROM occasion_event
            WHERE guild = :guild AND (occasion, seq) > (:occasion, :seq) ORDER BY occasion, seq LIMIT :limit
            """,
            names,
        ).fetchall()
        found |= {occasion: None for occasion, _, at in rows if at}
        yield
        if len(rows) < STEP_EVENTS:
            break
        names["occasion"], names["seq"], _ = rows[-1]
    kinds = {id_: db.execute("SELECT kind FROM occasion WHERE id = ?", (id_,)).fetchone()[0] for id_ in found}
    return tuple([id_ for id_ in found if kinds[id_] == kind])


def occasions_of(db: Database, guild: int, kind: str, user: int) -> tuple[int, ...]:
    """The same at once, where nobody waits for others."""
    steps = occasions_of_in_steps(db, guild, kind, user)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: tuple[int, ...] = end.value
            return found


def _saved(db: Database, codec: EventCodec, row: Row, first: int = 0) -> SavedOccasion:
    """Return an occasion with its events. `first`: from this one on."""
    id_, guild, kind, is_open, table, opened_at, _ = row
    record = OccasionRecord(id_, guild, kind, bool(is_open), table, opened_at)
    blobs = db.execute(
        "SELECT blob FROM occasion_event WHERE guild = ? AND occasion = ? AND seq >= ? ORDER BY seq",
        (guild, id_, first),
    )
    events = [event for (blob,) in blobs for event in codec.decode(blob)]
    return SavedOccasion(record, tuple(events), max(1, first) + len(events), max(1, first))
