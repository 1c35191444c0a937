"""Which process owns which slot: look at all of them, and take one that nobody serves."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import psycopg
from msgspec import Struct

from bot.runtime.store_errors import StoreInUse, StoreUnusable
from bot.store.migrate import newest_migration
from bot.store.moved import MOVED_FROM, MOVED_TO
from bot.store.postgres.connecting import WRITER_IDLE_MS, connect, connect_owner, require_usable, unreachable
from bot.store.postgres.house import SLOT_COUNTS, make_house
from bot.store.postgres.ownership import LEASE_SECONDS, Ownership, end_process, make_owned

log = logging.getLogger(__name__)

POLL_SECONDS = 0.15
"""So often a dealer that waits for a slot looks for one."""
GRACE_SECONDS = 1.0
"""So long a slot that has just lost its dealer is left to a standby that has heard its events; any other one needs longer to deal.

Whoever is of an older version than its tables leaves it so long, or so much longer, to one of their own.
"""
AGAIN_SECONDS = 0.5
"""So long after the database could not be reached a dealer that waits asks again."""


class SlotState(Struct, frozen=True):
    """What the row of a slot says.

    Attributes:
        number: the slot.
        epoch: how many owners it has had; 0 if nobody ever.
        holder: which process owns it, or owned it and ended without a word; "" for none.
        version: the version of that process's program.
        seconds_left: until its ownership runs out; less than 0 if nobody serves the slot.
        until: that time as the database writes it: whoever renews it changes it.
        since: when it took the slot, in seconds since 1970; 0 for never.
        take_overs: how often it was taken from a holder that had ended without a word.
        format: the number of the last migration of its tables; 0 if there are none yet.
        needs: the oldest programs that can go on with them know the migrations up to this one.
    """

    number: int
    epoch: int
    holder: str = ""
    version: str = ""
    seconds_left: float = -1e6
    until: str = ""
    since: float = 0.0
    take_overs: int = 0
    format: int = 0
    needs: int = 0

    @property
    def is_served(self) -> bool:
        """Whether a process owns it."""
        return self.seconds_left >= 0


Ask: TypeAlias = Callable[[str], Sequence[Sequence[Any]]]
"""Sends a statement, and returns its rows."""


def look_at_slots(ask: Ask, schemas: Sequence[str]) -> tuple[SlotState, ...]:
    """Return the state of each slot, by its schema. One that was never made is one that nobody serves.

    Raises:
        what `ask` raises.
    """
    tables = [
        f"to_regclass('\"{schema}\".{name}') IS NOT NULL" for name in ("owner", "migration") for schema in schemas
    ]
    ((*there,),) = ask(f"SELECT {', '.join(tables)}")
    states = [SlotState(number, 0) for number, _ in enumerate(schemas)]
    parts = [
        _STATE.format(
            number=number,
            schema=schema,
            steps=_STEPS.format(schema=schema) if there[len(schemas) + number] else _NO_STEPS,
        )
        for number, schema in enumerate(schemas)
        if there[number]
    ]
    for row in ask(" UNION ALL ".join(parts)) if parts else ():
        states[row[0]] = SlotState(*row)
    return tuple(states)


_STATE = """
    SELECT CAST({number} AS BIGINT), epoch, holder, version,
        CASE WHEN isfinite(until) THEN CAST(extract(epoch FROM until - clock_timestamp()) AS DOUBLE PRECISION) ELSE -1000000 END,
        until::text, CAST(coalesce(extract(epoch FROM since), 0) AS DOUBLE PRECISION), take_overs, steps.format, steps.needs
    FROM "{schema}".owner, ({steps}) AS steps
"""
_STEPS = """
    SELECT coalesce(max(number), 0) AS format,
        coalesce(max(CAST(coalesce(substring(name FROM '_with_([0-9]+)[.]sql$'), number::text) AS BIGINT)), 0) AS needs
    FROM "{schema}".migration
"""
"""What `bot.store.migrate.goes_with` reads in a name is read here too: whoever waits asks every few moments."""
_NO_STEPS = "SELECT CAST(0 AS BIGINT) AS format, CAST(0 AS BIGINT) AS needs"


class SlotTaker:
    """Takes a slot that nobody serves, unless its tables are of a newer version and this one cannot go on with them.

    Args:
        address: as ``postgresql://…``.
        schemas: by slot. They are made where they are missing.
        lease, lost: see `Ownership`.
    """

    def __init__(
        self,
        address: str,
        schemas: Sequence[str],
        *,
        lease: float = LEASE_SECONDS,
        lost: Callable[[], None] = end_process,
    ) -> None:
        self._address, self._schemas = address, tuple(schemas)
        self._lease = lease
        self._knows = newest_migration()
        self._left = set[int]()
        self._ownerships = [
            Ownership(partial(connect_owner, address, schema), schema, lease, lost) for schema in self._schemas
        ]
        self._stopped = threading.Event()
        self._watched: int | None = None
        self._connection: psycopg.Connection[Any] | None = None

    def ownership(self, slot: int) -> Ownership:
        """Return what `take` returns with this slot: it is nobody's, or another process's, until then."""
        return self._ownerships[slot]

    def watch(self, slot: int) -> None:
        """This process hears the events of a slot: it takes that one as soon as nobody serves it, also while `take` waits."""
        self._watched = slot

    def stop(self) -> None:
        """Let a call of `take` that waits in another thread return None."""
        self._stopped.set()

    def take(self, *, first: int = 0, waits: bool = False) -> tuple[int, Ownership] | None:
        """Take a slot that nobody serves, and renew that from now on.

        Args:
            first: the slot that is looked at first.
            waits: for as long as every slot is served, and while the database cannot be reached.

        Returns:
            its number and the ownership; None if `stop` came first.

        Raises:
            StoreInUse: every slot is served, and this does not wait.
            StoreUnusable: this version cannot go on with the tables of those that nobody serves, and this does not wait.
            StoreFailed: the database cannot be reached, is too old, or has another clock.
        """
        seen: dict[int, str] = {}
        try:
            while not self._stopped.is_set():
                try:
                    taken, states = self._look(first, waits=waits)
                except psycopg.Error as error:
                    self._disconnect()
                    if not waits:
                        raise unreachable(error) from error
                    log.warning("slots_not_seen", extra={"error": str(error).strip()})
                    self._stopped.wait(AGAIN_SECONDS)
                    continue
                if taken is not None:
                    return taken
                renewed = [state for state in states if seen.setdefault(state.number, state.until) != state.until]
                newer = [state for state in states if self._is_too_new(state) and not state.is_served]
                if len(renewed) + len(newer) == len(states) and not waits:
                    if newer:
                        raise StoreUnusable(
                            f"slot {newer[0].number} of the database was written by a newer version (format {newer[0].format}, and this "
                            f"one knows {self._knows}); update the program to open it. Nothing has changed."
                        )
                    raise StoreInUse(f"the data is in use by {renewed[0].holder}; stop that one first")
                self._stopped.wait(POLL_SECONDS)
            return None
        finally:
            self._disconnect()

    def free_slots(self) -> int:
        """Return how many slots nobody serves that this version can go on with. A holder that was killed is waited for: it renews nothing.

        Raises:
            StoreFailed: the database cannot be reached, is too old, or has another clock.
        """
        seen: dict[int, str] = {}
        try:
            until = time.monotonic() + self._lease
            while True:
                states = look_at_slots(partial(rows_of, self._connected()), self._schemas)
                renewed = [state for state in states if seen.setdefault(state.number, state.until) != state.until]
                free = [state for state in states if not state.is_served]
                if len(renewed) + len(free) == len(states) or time.monotonic() > until:
                    newer = [state for state in states if self._is_too_new(state) and state not in renewed]
                    return len(states) - len(renewed) - len(newer)
                time.sleep(POLL_SECONDS)
        except psycopg.Error as error:
            raise unreachable(error) from error
        finally:
            self._disconnect()

    def _look(self, first: int, *, waits: bool) -> tuple[tuple[int, Ownership] | None, tuple[SlotState, ...]]:
        """Take a slot if there is one. Returns it, and what was seen of all."""
        states = look_at_slots(partial(rows_of, self._connected()), self._schemas)
        for state in sorted(states, key=lambda state: (state.number - first) % len(states)):
            if state.is_served:
                continue
            if self._is_too_new(state):
                self._say_left(state)
                continue
            patience = GRACE_SECONDS * ((state.number != self._watched) + (state.format > self._knows))
            if not waits or state.seconds_left <= -patience:
                ownership = self._ownerships[state.number]
                if ownership.try_to_take():
                    ownership.keep()
                    log.info("slot_taken", extra={"slot": state.number, "epoch": ownership.epoch, "from": state.holder})
                    return (state.number, ownership), states
        return None, states

    def _is_too_new(self, state: SlotState) -> bool:
        return state.needs > self._knows

    def _say_left(self, state: SlotState) -> None:
        """Say once of each slot that it is left to newer versions."""
        if state.number not in self._left:
            self._left.add(state.number)
            fields = {"slot": state.number, "format": state.format, "known": self._knows}
            log.warning("slot_left_to_newer_version", extra=fields)

    def _connected(self) -> "psycopg.Connection[Any]":
        if self._connection is None:
            self._connection = opened = connect(self._address, "public", "cardroom standby")
            require_usable(opened)
            for schema in self._schemas:
                make_owned(opened, schema)
        return self._connection

    def _disconnect(self) -> None:
        opened, self._connection = self._connection, None
        if opened is not None:
            opened.close()


def rows_of(db: "psycopg.Connection[Any]", sql: str) -> list[Any]:
    """Send a statement, and return its rows."""
    return db.execute(sql.encode()).fetchall()


def choose_slots(address: str, house: str, schema_of: Callable[[int], str], count: int) -> None:
    """Deal the servers out to so many slots, in a database in which nobody has played yet.

    Args:
        house: the schema that all dealers share. It is made where it is missing.
        schema_of: names the schema of a slot.
        count: 1, 2, 4, 8 or 16.

    Raises:
        StoreUnusable: there is data already.
        StoreInUse: a dealer runs.
        StoreFailed: the database cannot be reached, is too old, or has another clock.
    """
    make_house(address, house)
    schemas = [schema_of(number) for number in range(max(SLOT_COUNTS))]
    try:
        with connect(address, house, "cardroom fleet", idle_ms=WRITER_IDLE_MS) as db, db.transaction():
            row = db.execute("SELECT slots FROM fact FOR UPDATE").fetchone()
            if row == (count,):
                return
            for state in look_at_slots(partial(rows_of, db), schemas):
                if state.is_served:
                    raise StoreInUse(f"the data is in use by {state.holder}; stop that one first")
                if _is_played_in(db, schemas[state.number]):
                    raise StoreUnusable(
                        f"people have played in this database already, in {row[0] if row else 1:,} of its slots. `cardroom move` deals "
                        "them out to more. Nothing has changed."
                    )
            db.execute("UPDATE fact SET slots = %s, shards = ((shards + %s - 1) / %s) * %s", (count,) * 4)
    except psycopg.Error as error:
        raise unreachable(error) from error


def _is_played_in(db: "psycopg.Connection[Any]", schema: str) -> bool:
    """Return whether a schema knows a server, and its data has neither been moved away nor waits for the end of a move."""
    if db.execute("SELECT to_regclass(%s) IS NULL", (f'"{schema}".guild',)).fetchone() == (True,):
        return False
    marked = f'SELECT 1 FROM "{schema}".kept WHERE key IN (%s, %s)'
    if db.execute(marked.encode(), (MOVED_TO, MOVED_FROM)).fetchone() is not None:
        return False
    found = [
        db.execute(f'SELECT 1 FROM "{schema}"."{table}" LIMIT 1'.encode()).fetchone() for table in ("guild", "balance")
    ]
    return any(found)
