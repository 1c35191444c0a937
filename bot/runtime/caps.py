"""How many tables and seats one person can have at a time, and how many tables a server can.

A person is counted in all servers together: it is one bot that serves them all. Only what is new is refused: nobody loses a table or a
seat because staff lower a number, or because the data is older than it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto

from bot.engine.errors import TableError
from bot.house.rules import HouseRules
from bot.runtime.errors import SeatsElsewhere, TooManyHostedTables, TooManyPracticeTables, TooManyTables
from bot.runtime.session import TableSession
from bot.runtime.sessions import Sessions
from bot.table.queries import host_of
from bot.table.settings import SLOW_CLOCK_SECONDS, TableSettings

SLOW_TABLES_MAX = 25
"""Tables whose turns can take an hour need the bot seldom: a person can host so many, and sit at so many."""


TooMany = TooManyHostedTables, TooManyPracticeTables, TooManyTables
"""Why a table is not opened."""


class _Kind(Enum):
    """What is counted apart."""

    QUICK = auto()
    SLOW = auto()
    PRACTICE = auto()


def _kind_of(settings: TableSettings) -> _Kind:
    if settings.practice:
        return _Kind.PRACTICE
    return _Kind.SLOW if _is_slow(settings) else _Kind.QUICK


def _is_slow(settings: TableSettings) -> bool:
    return settings.stakes.turn_seconds >= SLOW_CLOCK_SECONDS


class Caps:
    """Counts the open tables, and those that are being opened or sat down at in this moment.

    Args:
        sessions: the open tables of all servers, by id. It is looked at, and never changed.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._opening: list[tuple[int, int, _Kind]] = []
        self._sitting: list[tuple[int, int, bool]] = []

    @contextmanager
    def opening(self, guild: int, user: int, settings: TableSettings, rules: HouseRules) -> Iterator[None]:
        """Reserve a table for a host while it is opened.

        Raises:
            TooManyHostedTables, TooManyPracticeTables, TooManyTables.
        """
        refusal = self.refusal_to_host(guild, user, settings, rules)
        if refusal is not None:
            raise refusal
        reserved = guild, user, _kind_of(settings)
        self._opening.append(reserved)
        try:
            yield
        finally:
            self._opening.remove(reserved)

    @contextmanager
    def sitting(self, user: int, session: TableSession, rules: HouseRules) -> Iterator[None]:
        """Reserve a seat at a table for a player while they sit down.

        Raises:
            SeatsElsewhere.
        """
        slow = _is_slow(session.state.table.settings)
        maximum = max(SLOW_TABLES_MAX, rules.seats_per_person) if slow else rules.seats_per_person
        tables = [
            one for one in self._sessions.values()
            if _is_slow(one.state.table.settings) is slow and one.state.table.seat_of(user) is not None
        ]  # fmt: skip
        reserved = user, session.id, slow
        others = {table for who, table, is_slow in self._sitting if who == user and is_slow is slow} - {session.id}
        count = len({one.id for one in tables} | others)
        if session not in tables and count >= maximum:
            raise SeatsElsewhere(seat_count=count, channels=_channels(tables))
        self._sitting.append(reserved)
        try:
            yield
        finally:
            self._sitting.remove(reserved)

    def require_clock_allowed(self, session: TableSession, wanted: TableSettings, rules: HouseRules) -> None:
        """Check that the host of a slow table can have it as a quick one.

        Raises:
            TooManyHostedTables, TooManyTables.
        """
        table = session.state.table
        if _is_slow(table.settings) and not _is_slow(wanted):
            refusal = self.refusal_to_host(session.address.guild, host_of(table), wanted, rules)
            if refusal is not None:
                raise refusal

    def refusal_to_host(self, guild: int, user: int, settings: TableSettings, rules: HouseRules) -> TableError | None:
        """Return why a user cannot host one more table of this kind in a server; None if they can."""
        kind = _kind_of(settings)
        tables = [one for one in self._sessions.values() if _kind_of(one.state.table.settings) is kind]
        hosted = [one for one in tables if host_of(one.state.table) == user]
        count = len(hosted) + sum(who == user and what is kind for _, who, what in self._opening)
        match kind:
            case _Kind.PRACTICE if count >= rules.practice_tables_per_host:
                return TooManyPracticeTables(table_count=count, channels=_channels(hosted))
            case _Kind.QUICK if count >= rules.tables_per_host:
                return TooManyHostedTables(table_count=count, channels=_channels(hosted))
            case _Kind.SLOW if count >= max(SLOW_TABLES_MAX, rules.tables_per_host):
                return TooManyHostedTables(table_count=count, channels=_channels(hosted))
        if _is_slow(settings):
            return None
        in_server = sum(not _is_slow(one.state.table.settings) for one in self._sessions.in_guild(guild))
        in_server += sum(where == guild and what is not _Kind.SLOW for where, _, what in self._opening)
        return TooManyTables(table_count=in_server) if in_server >= rules.tables_per_server else None


def _channels(sessions: list[TableSession]) -> tuple[int, ...]:
    return tuple([one.address.channel for one in sorted(sessions, key=lambda one: one.id)])
