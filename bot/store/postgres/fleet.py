"""All processes of a bot: which slots have a dealer, and who stands by. Each process says so of itself every few seconds."""

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial

from msgspec import Struct

from bot.store.database import Database, DatabaseFailed
from bot.store.postgres.connecting import connect, unreachable
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.house import SEEN_SECONDS, read_facts
from bot.store.postgres.slots import SlotState, look_at_slots

_SAY = """
    INSERT INTO process (name, version, slot, watches, since, seen, tables, hands, clock, knows, knows_house)
    VALUES (?, ?, ?, ?, clock_timestamp(), clock_timestamp(), ?, ?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET
        since = CASE WHEN process.slot IS NOT DISTINCT FROM excluded.slot THEN process.since ELSE excluded.since END,
        version = excluded.version, slot = excluded.slot, watches = excluded.watches, seen = excluded.seen,
        tables = excluded.tables, hands = excluded.hands, clock = excluded.clock,
        knows = excluded.knows, knows_house = excluded.knows_house
    RETURNING CAST(extract(epoch FROM seen) AS DOUBLE PRECISION)
"""
_FORGET_SILENT = "DELETE FROM process WHERE seen < clock_timestamp() - make_interval(secs => ?)"
_PROCESSES = """
    SELECT name, version, slot, watches, tables, hands, clock, knows, knows_house, CAST(extract(epoch FROM since) AS DOUBLE PRECISION)
    FROM process WHERE seen > clock_timestamp() - make_interval(secs => ?) ORDER BY slot NULLS LAST, name
"""


class ProcessState(Struct, frozen=True):
    """What a process says of itself.

    Attributes:
        name: for people: its number and its machine.
        version: of its program.
        slot: which it serves; None while it waits for one.
        watches: whose events it hears while it waits; None for none.
        tables: how many are open with it.
        hands: how many run.
        clock: by how many seconds its machine's clock is ahead of the database's.
        knows: the number of the newest migration of slots that its program has.
        knows_house: the same of the texts that make what all share.
        since: when it began to serve or to wait, in seconds since 1970.
    """

    name: str
    version: str
    slot: int | None = None
    watches: int | None = None
    tables: int = 0
    hands: int = 0
    clock: float = 0.0
    knows: int = 0
    knows_house: int = 0
    since: float = 0.0


class Fleet(Struct, frozen=True):
    """All slots, and all processes that have said something lately."""

    slots: tuple[SlotState, ...] = ()
    processes: tuple[ProcessState, ...] = ()

    @property
    def unserved(self) -> tuple[int, ...]:
        """The slots that nobody serves."""
        return tuple([state.number for state in self.slots if not state.is_served])

    @property
    def standbys(self) -> tuple[ProcessState, ...]:
        """The processes that wait for a slot."""
        return tuple([process for process in self.processes if process.slot is None])

    def least_watched(self, first: int, knows: int) -> int:
        """Return the slot whose events the fewest standbys hear, of those that a process can go on with if there is one.

        Args:
            first: the one that is chosen among equals, or the next above it.
            knows: see `ProcessState`.
        """
        watched = [process.watches for process in self.standbys]
        count = max(1, len(self.slots))
        too_new = {state.number for state in self.slots if state.needs > knows}
        return min(range(count), key=lambda slot: (slot in too_new, watched.count(slot), (slot - first) % count))

    def left_by(self, process: ProcessState) -> tuple[SlotState, ...]:
        """Return the slots whose tables are of a newer version, and that a process cannot go on with."""
        return tuple([state for state in self.slots if state.needs > process.knows])

    def process_of(self, slot: SlotState) -> ProcessState | None:
        """Return what the owner of a slot says of itself; None if it has said nothing lately."""
        return next((one for one in self.processes if one.slot == slot.number and one.name == slot.holder), None)


class FoundFleet(Struct, frozen=True):
    """What somebody finds who looks from outside.

    Attributes:
        fleet: all slots and processes.
        has_synchronous_standby: the database has one, so that a failover loses nothing that was answered.
    """

    fleet: Fleet
    has_synchronous_standby: bool


def look_at_fleet(address: str, house: str, schemas_of: Callable[[int], Sequence[str]]) -> FoundFleet | None:
    """Look at all slots and processes; None where no dealer has run yet. It changes nothing.

    Args:
        house: the schema that all dealers share.
        schemas_of: names the schemas of so many slots.

    Raises:
        StoreFailed, DatabaseFailed: the database cannot be reached. The text says why.
    """
    db = PostgresDatabase(partial(connect, address, house, "cardroom fleet", reads_only=True))
    with closing(db):
        try:
            if db.execute("SELECT to_regclass('process') IS NULL").fetchone() == (True,):
                return None
            (standbys,) = db.execute("SELECT current_setting('synchronous_standby_names')").fetchone()
            return FoundFleet(read_fleet(schemas_of(read_facts(db).slots), db), bool(standbys))
        except DatabaseFailed as error:
            raise unreachable(error) from error


def say(me: ProcessState, db: Database) -> float:
    """Say in the house what a process does. Returns the time by the database's clock, in seconds since 1970."""
    said = (me.name, me.version, me.slot, me.watches, me.tables, me.hands, me.clock, me.knows, me.knows_house)
    ((now,),) = db.execute(_SAY, said).fetchall()
    return float(now)


def say_farewell(name: str, db: Database) -> None:
    """A process ends."""
    db.execute("DELETE FROM process WHERE name = ?", (name,))


def read_fleet(schemas: Sequence[str], db: Database) -> Fleet:
    """Return the state of all slots, by their schemas, and what the processes say. It reads only."""
    processes = [ProcessState(*row) for row in db.execute(_PROCESSES, (SEEN_SECONDS,)).fetchall()]
    return Fleet(look_at_slots(lambda sql: db.execute(sql).fetchall(), schemas), tuple(processes))


def forget_silent(db: Database) -> None:
    """Forget processes that have said nothing for an hour."""
    db.execute(_FORGET_SILENT, (3600.0,))
