"""Write and read the staff log, by plain functions on a connection."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import msgspec

from bot.runtime.staff_log_types import Ban, StaffLogEntry, StaffLogKind, StaffLogLine
from bot.runtime.store_types import Commit
from bot.store.database import Database

Row: TypeAlias = tuple[Any, ...]

INSERT_LINE = """
    INSERT INTO staff_log (guild, cause, at, who, kind, about, answers, table_id, blob) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SELECT_LINE = """
    SELECT staff_log.id, staff_log.at, who, blob, coalesce(card_table.number, 0), coalesce(card_table.channel, 0)
    FROM staff_log LEFT JOIN card_table ON card_table.id = staff_log.table_id
"""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(StaffLogEntry).decode


def line_rows(commit: Commit, cause_id: int) -> list[Row]:
    """Return the rows of a commit's entries."""
    cause = commit.cause
    return [
        (
            commit.guild,
            cause_id,
            cause.at,
            entry.by or cause.requested_by,
            entry.kind.value,
            entry.about,
            entry.answers,
            entry.table,
            _encode(entry),
        )
        for entry in commit.staff_log
    ]


def lines_after(db: Database, guild: int, after: int, limit: int) -> tuple[StaffLogLine, ...]:
    """Return the lines of a server that follow line `after`, oldest first."""
    return _lines(
        db.execute(
            f"{_SELECT_LINE} WHERE staff_log.guild = ? AND staff_log.id > ? ORDER BY staff_log.id LIMIT ?",
            (guild, after, limit),
        )
    )


def newest_line(db: Database, guild: int) -> int:
    """Return the id of a server's newest line; 0 if it has none."""
    (newest,) = db.execute("SELECT coalesce(max(id), 0) FROM staff_log WHERE guild = ?", (guild,)).fetchone()
    return int(newest)


def bans(db: Database) -> dict[int, tuple[Ban, ...]]:
    """Return everybody who is banned, by server: the newest line about them is a ban."""
    rows = db.execute(
        """
        SELECT guild, about, at, who, blob FROM staff_log AS line WHERE kind = :banned AND NOT EXISTS (
            SELECT 1 FROM staff_log AS later WHERE later.kind IN (:banned, :unbanned) AND later.guild = line.guild
            AND later.about = line.about AND later.id > line.id
        ) ORDER BY id
        """,
        {"banned": StaffLogKind.BANNED.value, "unbanned": StaffLogKind.UNBANNED.value},
    )
    found: dict[int, list[Ban]] = {}
    for guild, user, at, by, blob in rows:
        entry = _decode(blob)
        found.setdefault(guild, []).append(Ban(user, at, by, entry.reason, entry.name))
    return {guild: tuple(each) for guild, each in found.items()}


_OPEN_REPORT = """
    staff_log.guild = :guild AND staff_log.kind = :reported
    AND NOT EXISTS (SELECT 1 FROM staff_log AS done WHERE done.answers = staff_log.id)
"""


def open_reports(db: Database, guild: int, after: int = 0, limit: int = 10) -> tuple[StaffLogLine, ...]:
    """Return the reports of a server that nobody has marked as done, after line `after`, oldest first."""
    return _lines(
        db.execute(
            f"{_SELECT_LINE} WHERE {_OPEN_REPORT} AND staff_log.id > :after ORDER BY staff_log.id LIMIT :limit",
            {"guild": guild, "reported": StaffLogKind.REPORTED.value, "after": after, "limit": limit},
        )
    )


def open_report_count(db: Database, guild: int, user: int = 0) -> int:
    """Return how many reports are open in a server; with a `user`, how many of theirs."""
    mine = " AND staff_log.who = :user" if user else ""
    (count,) = db.execute(
        f"SELECT count(*) FROM staff_log WHERE {_OPEN_REPORT}{mine}",
        {"guild": guild, "reported": StaffLogKind.REPORTED.value, "user": user},
    ).fetchone()
    return int(count)


def open_alarms(db: Database, guild: int, limit: int) -> tuple[StaffLogLine, ...]:
    """Return alarms of the flow of chips that nobody has looked at, oldest first."""
    return _lines(
        db.execute(
            f"{_SELECT_LINE} WHERE {_OPEN_REPORT} ORDER BY staff_log.id LIMIT :limit",
            {"guild": guild, "reported": StaffLogKind.FLOW_ALARM.value, "limit": limit},
        )
    )


def open_alarm_count(db: Database, guild: int) -> int:
    """Return how many there are."""
    (count,) = db.execute(
        f"SELECT count(*) FROM staff_log WHERE {_OPEN_REPORT}",
        {"guild": guild, "reported": StaffLogKind.FLOW_ALARM.value},
    ).fetchone()
    return int(count)


def reported_hands(db: Database, guild: int, table: int) -> frozenset[int]:
    """Return the numbers of a table's hands with a report that nobody has marked as done."""
    rows = db.execute(
        f"SELECT blob FROM staff_log WHERE {_OPEN_REPORT} AND table_id = :table",
        {"guild": guild, "reported": StaffLogKind.REPORTED.value, "table": table},
    )
    return frozenset(_decode(blob).hand for (blob,) in rows)


def entries_of_causes(db: Database, causes: Sequence[int]) -> dict[int, StaffLogEntry]:
    """Return the adjustments that these causes wrote down, by the id of the cause."""
    if not causes:
        return {}
    marks = ",".join("?" * len(causes))
    rows = db.execute(
        f"SELECT cause, blob FROM staff_log WHERE cause IN ({marks}) AND kind = ?",
        (*causes, StaffLogKind.STACKS_ADJUSTED.value),
    )
    return {cause: _decode(blob) for cause, blob in rows}


def _lines(rows: Iterable[Row]) -> tuple[StaffLogLine, ...]:
    return tuple(
        StaffLogLine(id=number, at=at, who=who, entry=_decode(blob), table_number=table, channel=channel)
        for number, at, who, blob, table, channel in rows
    )
