"""What can be asked of the tables without changing anything: the open ones as they stand, and the hands of all that there have been."""

import asyncio
from collections.abc import Sequence

from msgspec.structs import replace

from bot.allowances import in_thread
from bot.engine.errors import TableError
from bot.engine.old_cards import CardDecoder
from bot.events.sit_and_go.state import DuelRecord, SitAndGoSettings
from bot.runtime.awaited import AwaitedTurn
from bot.runtime.context import RuntimeContext
from bot.runtime.errors import (
    HandDeleted,
    HandNotOver,
    HandUnreadable,
    NoHandYet,
    NoSuchTable,
    NoTableHere,
    StillDealing,
    TableGone,
)
from bot.runtime.evening import Evening, LuckOf, read_evening
from bot.runtime.event_record import event_record
from bot.runtime.hand_log import PlayedTable, build_hand_log, build_hand_record
from bot.runtime.replays import HandReplay, Replays
from bot.runtime.request import Request
from bot.runtime.session import TableSession
from bot.runtime.sessions import Sessions
from bot.runtime.sit_and_go import read_sit_and_go
from bot.runtime.snapshot import HandLog, HandRecord, TableAddress, TableOutline, TableSnapshot
from bot.runtime.store_types import SavedHand, TableRecord
from bot.statistics.types import INSIDER, Reader
from bot.table.ended_game import EndedGame
from bot.table.events import HandFinished, HandUndone
from bot.table.queries import require_admitted
from bot.table.settings import TableSettings, without_evening

_decode_settings = CardDecoder[TableSettings](TableSettings).decode


def _address(record: TableRecord) -> TableAddress:
    return TableAddress(record.id, record.number, record.guild, record.channel)


class TableReader:
    """Finds open tables, and tells hands to those who may see them.

    Args:
        sessions: the open tables.
    """

    def __init__(self, context: RuntimeContext, sessions: Sessions) -> None:
        self._context = self.context = context
        self._store, self._clock = context.store, context.clock
        self._sessions = sessions
        self._channels: dict[tuple[int, int], int] = {}
        self._replays = Replays(context)

    # finding

    def snapshot(self, table: int) -> TableSnapshot:
        """Return an open table by its id.

        Raises:
            TableGone: the table is closed.
        """
        return self._session_by_id(table).snapshot()

    def find(self, table: int) -> TableSnapshot | None:
        """Return an open table by its id; None if it is closed."""
        session = self._sessions.get(table)
        return session.snapshot() if session is not None else None

    def slow_turns(self, user: int = 0) -> tuple[AwaitedTurn, ...]:
        """Return the turns at tables whose turns can take hours; with `user`, only theirs. It wakes no table."""
        found = [turn for table in self._sessions for turn in self.slow_turns_at(table)]
        return tuple([turn for turn in found if not user or turn.user == user])

    def slow_turns_at(self, table: int) -> tuple[AwaitedTurn, ...]:
        """Return the turns at a table, if they can take hours. It wakes no table."""
        session = self._sessions.get(table)
        if session is None or not session.brief.settings.is_slow:
            return ()
        at, awaited = session.address, session.awaited
        return tuple(
            [AwaitedTurn(who, table, at.guild, at.channel, awaited.turn_ends_at) for who in awaited.users if who > 0]
        )

    def sits_at_slow_table(self, user: int) -> bool:
        """Return whether somebody sits at a table whose turns can take hours, in any server of this dealer. It wakes no table."""
        briefs = [session.brief for session in self._sessions.values()]
        return any(brief.settings.is_slow and user in brief.seated for brief in briefs)

    def is_asleep(self, table: int) -> bool:
        """Return whether a table has been put away in memory (`bot.runtime.asleep`)."""
        session = self._sessions.get(table)
        return session is not None and session.is_asleep

    def table_in_channel(self, guild: int, channel: int) -> TableSnapshot | None:
        """Return the open table of a channel or thread."""
        table = self._channels.get((guild, channel))
        return self._sessions[table].snapshot() if table is not None else None

    def counts(self) -> tuple[int, int, int]:
        """Return how many tables are open, how many hands run, and how many requests wait for their table."""
        sessions = self._sessions.values()
        hands = sum(session.brief.hand_running for session in sessions)
        return len(sessions), hands, sum(session.waiting_count for session in sessions)

    def outline(self, table: int) -> TableOutline | None:
        """Return what can be told of an open table without its hand; None if it is closed. It wakes no table."""
        session = self._sessions.get(table)
        return session.outline() if session is not None else None

    def tables_in_guild(self, guild: int) -> tuple[TableOutline, ...]:
        """Return the open tables of a server, private ones too, by number. Like all lists of tables it wakes none."""
        found = [session.outline() for session in self._sessions.in_guild(guild)]
        return tuple(sorted(found, key=lambda one: one.address.number))

    def public_tables(self, guild: int) -> tuple[TableOutline, ...]:
        """Return the open tables of a server that everybody can know of, by number."""
        return tuple(one for one in self.tables_in_guild(guild) if not one.is_private)

    def tables_seen_by(self, request: Request) -> tuple[TableOutline, ...]:
        """Return the open tables of a server that a person can know of, by number.

        Of private ones these are the tables that they can watch; staff know all.
        """
        tables = self.tables_in_guild(request.guild)
        return tuple(one for one in tables if request.staff or one.may_watch(request.user))

    def all_tables(self) -> tuple[TableOutline, ...]:
        """Return every open table. It wakes none."""
        return tuple(session.outline() for session in self._sessions.values())

    def table_numbered(self, request: Request, number: int) -> TableSnapshot:
        """Return an open table by its number in the server.

        Raises:
            NoSuchTable: no open table has that number, or it is a private one that the person cannot know of.
        """
        found = {one.address.number: one.id for one in self.tables_seen_by(request)}
        if number not in found:
            raise NoSuchTable(number=number, known=tuple(found))
        return self.snapshot(found[number])

    def tables_with_player(self, guild: int, user: int) -> tuple[TableOutline, ...]:
        """Return the open tables of a server at which a user has a seat."""
        found = [one for one in self._sessions.in_guild(guild) if user in one.brief.seated]
        return tuple(sorted([one.outline() for one in found], key=lambda one: one.address.number))

    def table_for(self, request: Request) -> TableSnapshot:
        """Return the table that a request is about.

        Raises:
            NoTableHere, TableGone.
            NotInvited, KeptOutOfTable: it is private.
        """
        return self._session_for(request).snapshot()

    # reading

    async def read_hand_log(self, request: Request, number: int = 0) -> HandLog:
        """Return the log of one hand of a table, open or closed: of the one that the request names by its id, or of the channel's, as the
        person who asks can see it. 0 is the last hand that is over, or the running one if it is the first.

        Raises:
            NoTableHere: no table has ever been open in the channel.
            NoSuchTable: the server has no such table, or it was private and the person was not invited.
            NotInvited, KeptOutOfTable: it is open and private.
            NoHandYet: no hand of that number has been dealt.
            HandDeleted: it is older than hands are kept.
            HandUnreadable: the secret that its cards came from is lost.
            StillDealing: its end has not been shown yet.
        """
        record, saved = await self._saved_hand(request, number)
        return replace(build_hand_log(self._context, _address(record), saved, request.user), private=record.private)

    async def read_replay(self, request: Request, number: int) -> HandReplay:
        """Return a finished hand step by step, for everybody who may see it. Errors are those of `read_hand_log`.

        Raises:
            HandNotOver: it is being played.
        """
        record = await self._record_for(request)
        number = await self._readable_number(request, record, number)
        self._require_shown(record.id, number)
        if self._is_running(record.id, number):
            raise HandNotOver(hand=number)
        known = self._replays.remembered(record, number, self._clock.now())
        if known is not None:
            return known
        return self._replays.of(record, await self._stored_hand(record, number), self._clock.now())

    async def read_replays(
        self, request: Request, hands: Sequence[tuple[int, int]]
    ) -> tuple[HandReplay | TableError | None, ...]:
        """Return hands by their tables' ids and numbers, all at once: for each its replay, why it cannot be read, or None where whoever
        asks may not know of it."""
        tables = list(dict.fromkeys(table for table, _ in hands))
        found = await asyncio.gather(*[self._store.table(table) for table in tables])
        records = {record.id: record for record in found if record is not None and record.guild == request.guild}
        return tuple([await self._replay_or_not(request, records.get(table), number) for table, number in hands])

    async def _replay_or_not(
        self, request: Request, record: TableRecord | None, number: int
    ) -> HandReplay | TableError | None:
        if record is None or not await self._may_read(request, record, number):
            return None
        if not 0 < number <= record.hand_count:
            return NoHandYet(hands=record.hand_count)
        if self._is_running(record.id, number):
            return HandNotOver(hand=number)
        known = self._replays.remembered(record, number, self._clock.now())
        if known is not None:
            return known
        saved = await self._store.hand(record.id, number)
        try:
            return self._replays.of(record, saved, self._clock.now()) if saved is not None else HandDeleted(hand=number)
        except HandUnreadable as error:
            return error

    async def finished_hand(self, table: int, number: int) -> HandLog | None:
        """Return the log of one hand of a table, open or closed, as everybody can see it; None if it cannot be read any more."""
        record, saved = await self._store.table(table), await self._store.hand(table, number)
        if record is None or saved is None:
            return None
        try:
            return build_hand_log(self._context, _address(record), saved, 0)
        except HandUnreadable:
            return None

    async def read_evening(self, address: TableAddress, game: EndedGame, luck_of: LuckOf) -> Evening:
        """Return what an evening at a table was like, open or closed, as everybody there saw it.

        Args:
            luck_of: tells the luck of an all-in hand.

        Raises:
            StoreError: its hands cannot be read now.
        """
        return await read_evening(self._context, self._store, address, game, luck_of)

    async def last_hand_ended_at(self, table: int) -> int:
        """Return when the last hand of a table ended, in ms since the epoch; 0 where none has, or it cannot be read any more."""
        saved = await self._store.hand(table, 0)
        return (
            next((event.at for event in saved.events if isinstance(event, HandFinished | HandUndone)), 0)
            if saved
            else 0
        )

    async def last_settings(self, table: int) -> TableSettings | None:
        """Return the settings of a table, open or closed, for another game like it; None where there is no such table."""
        record = await self._store.table(table)
        return without_evening(_decode_settings(record.settings)) if record is not None else None

    async def last_sit_and_go(self, table: int) -> SitAndGoSettings | None:
        """Return by what the sit-and-go of a table was played, open or over; None where there was none."""
        read = read_sit_and_go(await self._store.occasion_at(table))
        return read.event.settings if read is not None else None

    async def duel_record(self, guild: int, user: int) -> DuelRecord:
        """Return how many duels a person has won and lost in a server, for honour and for chips."""
        return DuelRecord(*await self._store.duel_record(guild, user))

    async def opened_by(self, key: str) -> int:
        """Return the table that the request of a key has opened; 0 for none, or if that is longer ago than a day."""
        receipt = await self._store.receipt(key)
        return receipt.table if receipt is not None else 0

    async def read_public_hand(self, request: Request, table: int, number: int) -> HandLog:
        """Return the log of a hand of a server's table, open or closed, as everybody can see it. Errors are those of `read_hand_log`."""
        request = replace(request, table=table)
        if not await self._may_read(request, await self._record_for(request), number):
            raise NoSuchTable(number=0, known=())
        record, saved = await self._saved_hand(request, number)
        return replace(build_hand_log(self._context, _address(record), saved, 0), private=record.private)

    async def hand_to_report(self, request: Request, number: int) -> tuple[int, int]:
        """Return the id of a table and the number of one of its hands, also if its cards are gone. Table, number and errors are those of
        `read_hand_log`; a hand that is deleted or cannot be read is no error."""
        record = await self._record_for(request)
        number = await self._readable_number(request, record, number)
        self._require_shown(record.id, number)
        return record.id, number

    async def find_hand(self, request: Request, table_number: int = 0, number: int = 0) -> tuple[int, int]:
        """Return the id of a table and the number of one of its hands; that of the channel's table where none is named, open or closed,
        and its last hand that is over, or the running one if it is the first.

        Raises:
            NoTableHere, NoSuchTable, NoHandYet, HandDeleted.
        """
        if table_number:
            record = await self.require_readable_table(request, table_number, number or 1)
            request = replace(request, table=record.id)
        record = await self._record_for(request)
        number = await self._readable_number(request, record, number)
        if await self._store.hand(record.id, number) is None:
            raise HandDeleted(hand=number)
        return record.id, number

    async def require_readable_table(self, request: Request, table_number: int, number: int = 1) -> TableRecord:
        """Return a table of the server, open or closed, of which a person may see a hand.

        Raises:
            NoSuchTable: there is none.
        """
        record = await self._store.table_numbered(request.guild, table_number)
        if record is None or not await self._may_read(request, record, number):
            known = tuple(snapshot.address.number for snapshot in self.tables_seen_by(request))
            raise NoSuchTable(number=table_number, known=known)
        return record

    async def can_know_of(self, request: Request, table: int, number: int) -> bool:
        """Return whether a person can know of a hand of a table, by the table's id: of a private one those who were invited then."""
        record = await self._store.table(table)
        return record is not None and record.guild == request.guild and await self._may_read(request, record, number)

    async def reader(self, request: Request) -> Reader:
        """Return of which private tables a person can know every hand, as a reader of others' numbers: of all where they are staff."""
        if request.staff:
            return INSIDER
        return Reader(frozenset(await self._store.private_tables_known_to(request.guild, request.user)))

    async def _may_read(self, request: Request, record: TableRecord, number: int) -> bool:
        """Return whether a person can see a hand of a table as everybody sees it: of a private one those who were invited then."""
        if not record.private or request.staff:
            return True
        return number <= await self._store.last_hand_for(record.id, request.user)

    async def read_hand_record(self, request: Request, number: int = 0) -> HandRecord:
        """Return one hand of a table to take along. Table, number and errors are those of `read_hand_log`."""
        record, saved = await self._saved_hand(request, number)
        session = self._sessions.get(record.id)
        played_at = _played_table(session) if session is not None else PlayedTable(record.number)
        event = event_record(await self._store.occasion_at(record.id))
        of = event.of_hand(saved.number) if event is not None else None
        return await in_thread(build_hand_record, self._context, saved, request.user, played_at, of)

    async def read_past_hand(self, request: Request, table: int, number: int) -> HandRecord:
        """Return a hand of a server's table, open or closed, to take along, with no more cards than the one who asks can know. Errors are
        those of `read_hand_log`."""
        return await self.read_hand_record(replace(request, table=table), number)

    async def _saved_hand(self, request: Request, number: int) -> tuple[TableRecord, SavedHand]:
        """Return a hand that a person may read, with its table. Errors are those of `read_hand_log`."""
        record = await self._record_for(request)
        number = await self._readable_number(request, record, number)
        self._require_shown(record.id, number)
        return record, await self._stored_hand(record, number)

    async def _stored_hand(self, record: TableRecord, number: int) -> SavedHand:
        saved = await self._store.hand(record.id, number)
        if saved is None:
            raise HandDeleted(hand=number)
        return saved

    def _require_shown(self, table: int, number: int) -> None:
        """Refuse a hand whose end has not been shown yet (TL-21)."""
        session = self._sessions.get(table)
        if session is not None and session.run_out is not None and number == session.outline().hand_number:
            raise StillDealing

    async def _record_for(self, request: Request) -> TableRecord:
        """Return the table that a request is about, open or closed; of several in the channel the newest."""
        table = request.table or self._channels.get((request.guild, request.channel))
        if table:
            record = await self._store.table(table)
        else:
            record = await self._store.newest_table_in(request.guild, request.channel)
        if record is None or record.guild != request.guild:
            raise NoSuchTable(number=0, known=()) if request.table else NoTableHere
        return record

    async def _readable_number(self, request: Request, record: TableRecord, number: int) -> int:
        """Return the number of the hand that is asked for, once it is clear that the person may read it."""
        session = self._sessions.get(record.id)
        shown = session.outline() if session is not None else None
        hands = shown.hand_number if shown is not None else record.hand_count
        if not await self._may_read(request, record, number or 1):
            if session is not None:
                require_known(session, request)
            raise NoSuchTable(number=0, known=())
        is_running = shown is not None and shown.hand_running
        number = number or (hands - 1 if is_running and hands > 1 else hands)
        if not 0 < number <= hands or not await self._may_read(request, record, number):
            raise NoHandYet(hands=hands)
        return number

    def _is_running(self, table: int, number: int) -> bool:
        shown = self.outline(table)
        return shown is not None and shown.hand_running and number == shown.hand_number

    # sessions

    def _session_for(self, request: Request) -> TableSession:
        if request.table:
            session = self._session_by_id(request.table)
            if session.address.guild != request.guild:
                raise TableGone
        else:
            table = self._channels.get((request.guild, request.channel))
            if table is None:
                raise NoTableHere
            session = self._sessions[table]
        require_known(session, request)
        return session

    def _session_by_id(self, table: int) -> TableSession:
        session = self._sessions.get(table)
        if session is None:
            raise TableGone
        return session


def _played_table(session: TableSession) -> PlayedTable:
    return PlayedTable(session.address.number, session.brief.settings.seat_count)


def require_known(session: TableSession, request: Request) -> None:
    """Refuse somebody who cannot know of a private table.

    Raises:
        NotInvited, KeptOutOfTable: they are where it is, or the host has removed them.
        TableGone: they have made up its id.
    """
    if request.staff or session.outline().may_watch(request.user):
        return
    table = session.state.table
    if request.channel != session.address.channel and request.user not in table.kept_out:
        raise TableGone
    require_admitted(table, request.user)
