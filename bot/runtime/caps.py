"""How many tables and seats one person can have at a time, and how many tables a server can.

A person is counted in all servers together: it is one bot that serves them all. Only what is new is refused: nobody loses a table or a
seat because staff lower a number, or because the data is older than it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bot.engine.errors import TableError
from bot.events.sit_and_go.refusals import InAnotherEvent
from bot.house.rules import HouseRules
from bot.runtime.errors import SeatsElsewhere, TooManyHostedTables, TooManyPracticeTables, TooManyTables
from bot.runtime.session import TableSession
from bot.runtime.sessions import Sessions
from bot.runtime.taken import Taken, TakenKind
from bot.runtime.taken_elsewhere import table_kind
from bot.table.settings import TableSettings

SLOW_TABLES_MAX = 25
"""Tables whose turns can take an hour need the bot seldom: a person can host so many, and sit at so many."""


TooMany = TooManyHostedTables, TooManyPracticeTables, TooManyTables
"""Why a table is not opened."""


class Caps:
    """Counts the open tables, and those that are being opened or sat down at in this moment.

    What people have with other dealers is given to it (`bot.runtime.taken_elsewhere`).

    Args:
        sessions: the open tables of all servers, by id. It is looked at, and never changed.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._opening: list[tuple[int, int, TakenKind]] = []
        self._sitting: list[tuple[int, int, bool]] = []

    @contextmanager
    def opening(
        self, guild: int, user: int, settings: TableSettings, rules: HouseRules, others: Sequence[Taken] = ()
    ) -> Iterator[None]:
        """Reserve a table for a host while it is opened.

        Args:
            others: their tables of this kind with other dealers.

        Raises:
            TooManyHostedTables, TooManyPracticeTables, TooManyTables.
        """
        refusal = self.refusal_to_host(guild, user, settings, rules, others)
        if refusal is not None:
            raise refusal
        reserved = guild, user, table_kind(settings)
        self._opening.append(reserved)
        try:
            yield
        finally:
            self._opening.remove(reserved)

    @contextmanager
    def sitting(
        self, user: int, session: TableSession, rules: HouseRules, others: Sequence[Taken] = ()
    ) -> Iterator[None]:
        """Reserve a seat at a table for a player while they sit down.

        Args:
            others: their seats of this kind with other dealers.

        Raises:
            SeatsElsewhere.
        """
        slow = session.brief.settings.is_slow
        maximum = max(SLOW_TABLES_MAX, rules.seats_per_person) if slow else rules.seats_per_person
        tables = [
            one for one in self._sessions.values()
            if one.brief.settings.is_slow is slow and user in one.brief.seated
        ]  # fmt: skip
        reserved = user, session.id, slow
        asked = {table for who, table, at_slow in self._sitting if who == user and at_slow is slow} - {session.id}
        count = len({one.id for one in tables} | asked) + len(others)
        if session not in tables and count >= maximum:
            raise SeatsElsewhere(seat_count=count, channels=_channels(tables, others))
        self._sitting.append(reserved)
        try:
            yield
        finally:
            self._sitting.remove(reserved)

    def require_clock_allowed(
        self, session: TableSession, wanted: TableSettings, rules: HouseRules, others: Sequence[Taken] = ()
    ) -> None:
        """Check that the host of a slow table can have it as a quick one.

        Args:
            others: their quick tables with other dealers.

        Raises:
            TooManyHostedTables, TooManyTables.
        """
        brief = session.brief
        if brief.settings.is_slow and not wanted.is_slow:
            refusal = self.refusal_to_host(session.address.guild, brief.host, wanted, rules, others)
            if refusal is not None:
                raise refusal

    def refusal_to_host(
        self, guild: int, user: int, settings: TableSettings, rules: HouseRules, others: Sequence[Taken] = ()
    ) -> TableError | None:
        """Return why a user cannot host one more table of this kind in a server; None if they can."""
        kind = table_kind(settings)
        tables = [one for one in self._sessions.values() if table_kind(one.brief.settings) is kind]
        hosted = [one for one in tables if one.brief.host == user]
        count = len(hosted) + sum(who == user and what is kind for _, who, what in self._opening) + len(others)
        match kind:
            case TakenKind.PRACTICE_TABLE if count >= rules.practice_tables_per_host:
                return TooManyPracticeTables(table_count=count, channels=_channels(hosted, others))
            case TakenKind.TABLE if count >= rules.tables_per_host:
                return TooManyHostedTables(table_count=count, channels=_channels(hosted, others))
            case TakenKind.SLOW_TABLE if count >= max(SLOW_TABLES_MAX, rules.tables_per_host):
                return TooManyHostedTables(table_count=count, channels=_channels(hosted, others))
        if settings.is_slow:
            return None
        in_server = sum(not one.brief.settings.is_slow for one in self._sessions.in_guild(guild))
        in_server += sum(where == guild and what is not TakenKind.SLOW_TABLE for where, _, what in self._opening)
        return TooManyTables(table_count=in_server) if in_server >= rules.tables_per_server else None


def _channels(sessions: list[TableSession], others: Sequence[Taken]) -> tuple[int, ...]:
    own = [one.address.channel for one in sorted(sessions, key=lambda one: one.id)]
    return (*own, *[one.channel for one in others])


class OneEvent:
    """Lets a player be in one event of a server at a time (SG-15). Argument as of `Caps`."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._entering: list[tuple[int, int, TableSession]] = []

    @contextmanager
    def entering(self, session: TableSession, user: int) -> Iterator[None]:
        """Keep a player out of other events while they enter one.

        Raises:
            InAnotherEvent: they have entered another one of the server, and have not gone out of it.
        """
        guild = session.address.guild
        self.require_in_none(guild, user, but=session)  # two presses here: the event itself rules
        entry = guild, user, session
        self._entering.append(entry)
        try:
            yield
        finally:
            self._entering.remove(entry)

    def require_in_none(self, guild: int, user: int, but: TableSession | None = None) -> None:
        """Check that a player is in no event of a server, but for one at this table.

        Raises:
            InAnotherEvent.
        """
        others = [one for one in self._sessions.in_guild(guild) if one.plays_event(user)]
        others += [at for where, who, at in self._entering if (where, who) == (guild, user)]
        other = next((one for one in others if one is not but), None)
        if other is not None:
            raise InAnotherEvent(channel=other.address.channel)
