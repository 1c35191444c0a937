"""All open tables: what the cogs talk to. Cogs never see the store, the engine's hand or a session.

A method that changes something returns after it has been saved. It raises a `TableError` if it is refused, and then nothing has changed.
No method awaits Discord.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable

import msgspec
from msgspec import Struct

from bot.engine.events import VoidReason
from bot.fair.deck_order import hand_secret, new_nonce
from bot.ledger.accounts import Book
from bot.ledger.books import BookFault
from bot.runtime.clock import Alarm, AlarmClock, SystemClock
from bot.runtime.commands import PlayerCommand
from bot.runtime.context import RuntimeContext
from bot.runtime.errors import (
    DealerStopping,
    HandUnreadable,
    NoHandYet,
    NoSuchTable,
    NoTableHere,
    StillDealing,
    TableGone,
)
from bot.runtime.hand_log import build_hand_log, build_hand_record
from bot.runtime.open_table import open_table
from bot.runtime.operations import void_hand_and_close
from bot.runtime.practice import PracticePolicies
from bot.runtime.request import Request
from bot.runtime.restore import restore_all
from bot.runtime.run_out import RunOut
from bot.runtime.session import TableSession
from bot.runtime.snapshot import TableAddress, TableSnapshot
from bot.runtime.store_errors import StoreClosed, StoreFailed
from bot.runtime.store_protocol import Store
from bot.runtime.store_types import ROLLED_BACK_KEY, SavedHand
from bot.runtime.updates import HandLog, HandRecord, RequestOutcome, TableUpdate, UpdateListener
from bot.runtime.wallets import Wallets
from bot.table import commands as tc
from bot.table.settings import TableSettings

log = logging.getLogger(__name__)

HEARTBEAT_MS = 5_000
"""How often the dealer saves that it is alive, and wakes tables that are overdue."""
ALIVE_AT_KEY = "runtime.alive"
MASTER_SECRET_KEY = "runtime.master"


class MasterSecretRecord(Struct, frozen=True):
    """Identifies the master secret without holding it; `since` is when, in ms, hands were first dealt from it."""

    fingerprint: bytes
    since: int


class Tables:
    """The open tables.

    Args:
        store: must be open; whoever opened it closes it after `drain`.
        master_secret: the decks come from it. Running hands that were dealt from another secret are voided and paid back.
        on_update: gets every change; see `UpdateListener`.
        policies: how practice players play; None if there are none.
        make_nonce: makes the nonce of a hand; tests give their own to know the cards.
        rng: for lots and shuffles that are no part of a hand: free seats, the draw for seats, how long a practice player thinks.
        show_run_outs: show all-in hands street by street (`bot.runtime.run_out`).
    """

    def __init__(
        self,
        store: Store,
        master_secret: bytes,
        *,
        on_update: UpdateListener,
        clock: AlarmClock | None = None,
        policies: PracticePolicies | None = None,
        rng: random.Random | None = None,
        make_nonce: Callable[[], bytes] = new_nonce,
        show_run_outs: bool = False,
    ) -> None:
        self._store = store
        self._clock: AlarmClock = clock or SystemClock()
        self.wallets = Wallets(store, self._clock)
        self._context = RuntimeContext(
            store=store,
            master_secret=master_secret,
            clock=self._clock,
            publish=self._publish,
            wallets=self.wallets,
            policies=policies,
            rng=rng or secrets.SystemRandom(),
            on_table_closed=self._remove_session,
            make_nonce=make_nonce,
            shows_run_outs=show_run_outs,
        )
        self._on_update = on_update
        self._sessions: dict[int, TableSession] = {}
        self._channels: dict[tuple[int, int], int] = {}
        self._restore_updates: dict[int, TableUpdate] | None = None
        self._heartbeat: Alarm | None = None
        self._alive_task: asyncio.Task[None] | None = None

    # starting and stopping

    async def restore(self) -> tuple[TableSnapshot, ...]:
        """Restore every open table and start the clocks. Hands that cannot go on are voided and paid back."""
        context = self._context
        self._restore_updates = {}
        fingerprint = hand_secret(context.master_secret, 0, 0, b"")
        kept = await self._store.value(MASTER_SECRET_KEY)
        known = msgspec.msgpack.decode(kept, type=MasterSecretRecord) if kept is not None else None
        lost = known is not None and known.fingerprint != fingerprint
        if lost:
            context.master_secret_since = self._clock.now()
        elif known is not None:
            context.master_secret_since = known.since
        if lost:
            log.warning("master_secret_changed", extra={"since": context.master_secret_since})
        rolled_back = await self._store.value(ROLLED_BACK_KEY) is not None
        cannot_go_on = VoidReason.LOST_CARDS if lost else VoidReason.ROLLED_BACK if rolled_back else None
        sessions = await restore_all(context, await self._last_alive_at(), cannot_go_on)
        if rolled_back:  # the mark goes only now: a restart in between cancels the hands that are left
            await self._store.keep(ROLLED_BACK_KEY, None)
        if known is None or lost:
            await self._store.keep(
                MASTER_SECRET_KEY,
                msgspec.msgpack.encode(MasterSecretRecord(fingerprint, context.master_secret_since)),
            )
        for session in sessions:
            self._add_session(session)
        updates, self._restore_updates = self._restore_updates or {}, None
        for session in sessions:
            session.start_clocks()
            events = updates[session.id].events if session.id in updates else ()
            self._publish(TableUpdate(snapshot=session.snapshot(), events=events, restored=True))
        self._on_heartbeat()
        return self.all_tables()

    async def drain(self) -> None:
        """Start nothing new, finish what is being saved, and stop the clocks. Running hands stay in the store."""
        self._context.stopping = True
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        await asyncio.gather(*(session.stop() for session in self._sessions.values()))
        self._context.practice_thread.stop()
        if self._alive_task is not None:
            await self._alive_task
        await self._save_alive_at()

    async def wait_until_idle(self) -> None:
        """Wait until no request is being processed and no practice player thinks."""
        while any([await session.wait_until_idle() for session in tuple(self._sessions.values())]):
            pass
        if self._alive_task is not None:
            await asyncio.wait({self._alive_task})

    @property
    def stopping(self) -> bool:
        return self._context.stopping

    # finding

    def snapshot(self, table: int) -> TableSnapshot:
        """Return an open table by its id.

        Raises:
            TableGone: the table is closed.
        """
        return self._session_by_id(table).snapshot()

    def table_in_channel(self, guild: int, channel: int) -> TableSnapshot | None:
        """Return the open table of a channel or thread."""
        table = self._channels.get((guild, channel))
        return self._sessions[table].snapshot() if table is not None else None

    def tables_in_guild(self, guild: int) -> tuple[TableSnapshot, ...]:
        """Return the open tables of a server, by number."""
        snapshots = [session.snapshot() for session in self._sessions.values() if session.address.guild == guild]
        return tuple(sorted(snapshots, key=lambda snapshot: snapshot.address.number))

    def all_tables(self) -> tuple[TableSnapshot, ...]:
        """Return every open table."""
        return tuple(session.snapshot() for session in self._sessions.values())

    def table_numbered(self, guild: int, number: int) -> TableSnapshot:
        """Return an open table by its number in the server.

        Raises:
            NoSuchTable: no open table has that number.
        """
        snapshots = {snapshot.address.number: snapshot for snapshot in self.tables_in_guild(guild)}
        if number not in snapshots:
            raise NoSuchTable(number=number, known=tuple(snapshots))
        return snapshots[number]

    def tables_with_player(self, guild: int, user: int) -> tuple[TableSnapshot, ...]:
        """Return the open tables of a server at which a user has a seat."""
        snapshots = self.tables_in_guild(guild)
        return tuple(one for one in snapshots if any(seat.player == user for seat in one.table.seats))

    def table_for(self, request: Request) -> TableSnapshot:
        """Return the table that a request is about.

        Raises:
            NoTableHere, TableGone.
        """
        return self._session_for(request).snapshot()

    # reading

    async def read_hand_log(self, request: Request, number: int = 0) -> HandLog:
        """Return the log of one hand of the table. 0 is the last hand that is over, or the running one if it is the first.

        Raises:
            NoHandYet: no hand of that number has been dealt.
            HandUnreadable: the secret that its cards came from is lost.
            StillDealing: its end has not been shown yet.
        """
        session, saved = await self._saved_hand(request, number)
        return build_hand_log(self._context, session.address, saved, request.user)

    async def finished_hand(self, table: int, number: int) -> HandLog | None:
        """Return the log of one hand of an open table, as everybody can see it; None if it cannot be read any more."""
        session = self._sessions.get(table)
        saved = await self._store.hand(table, number) if session is not None else None
        if session is None or saved is None:
            return None
        try:
            return build_hand_log(self._context, session.address, saved, 0)
        except HandUnreadable:
            return None

    async def read_hand_record(self, request: Request, number: int = 0) -> HandRecord:
        """Return one hand of the table to take along. Number and errors are those of `read_hand_log`."""
        _, saved = await self._saved_hand(request, number)
        return build_hand_record(self._context, saved, request.user)

    async def _saved_hand(self, request: Request, number: int) -> tuple[TableSession, SavedHand]:
        session = self._session_for(request)
        snapshot = session.snapshot()
        last = snapshot.hand_number
        if not number:
            number = last - 1 if snapshot.hand_running and last > 1 else last
        if number == last and session.run_out is not None:
            raise StillDealing
        saved = await self._store.hand(session.id, number) if number else None
        if saved is None:
            raise NoHandYet(hands=last)
        return session, saved

    # asking

    async def open(self, request: Request, settings: TableSettings) -> RequestOutcome:
        """Open a table in the channel of the request. The player who asks is its host.

        Raises:
            ChannelTaken: a table is open there.
            DealerStopping: the dealer is about to stop.
            LawError: the settings contradict each other.
        """
        if self._context.stopping:
            raise DealerStopping
        session, outcome = await open_table(self._context, request, settings, self._sessions)
        if session is not None:
            self._add_session(session)
            session.start_clocks()
            self._publish(
                TableUpdate(
                    snapshot=outcome.snapshot,
                    events=outcome.events,
                    requested_by=request.user,
                    request_key=request.key,
                )
            )
        return outcome

    async def ask(self, request: Request, command: PlayerCommand) -> RequestOutcome:
        """Carry out a player's command; returns once it is saved.

        The runtime fills in what only the dealer knows: lots, shuffled decks, whose turn it is. Taking a seat or topping up opens
        the player's wallet first.

        Raises:
            StaleButton: the button was drawn for an earlier action, or for a preselection on an earlier street.
            TableError: the command is refused, or could not be saved; nothing has changed.
            NoTableHere, TableGone: there is no such table.
        """
        session = self._session_for(request)
        if isinstance(command, tc.TakeSeat | tc.TopUp):
            await self._open_wallet(session, request)
        return await session.ask(request, command)

    async def close_without_channel(self, table: int) -> None:
        """Close a table whose channel is gone: a running hand is voided and everybody is paid out."""
        session = self._session_by_id(table)
        await session.ask_as_dealer("close", void_hand_and_close(VoidReason.CHANNEL_GONE))

    async def member_left(self, guild: int, user: int) -> None:
        """Let a user who has left the server leave its tables, after the hands they are dealt into."""
        leave = tc.LeaveTable(user)
        for snapshot in self.tables_with_player(guild, user):
            await self._session_by_id(snapshot.id).ask_as_dealer(
                "left the server", lambda transaction: transaction.apply_table_command(leave)
            )

    def run_outs(self, guild: int, book: Book) -> tuple[RunOut, ...]:
        """Return the all-in hands of a server whose end has been saved and not yet shown."""
        found = (session for session in self._sessions.values() if session.address.guild == guild)
        return tuple(
            session.run_out
            for session in found
            if session.run_out is not None and session.is_practice == (book is Book.PRACTICE)
        )

    async def audit(self, guild: int) -> tuple[BookFault, ...]:
        """Compare the engine's chips with the ledger's at every table of a server."""
        sessions = [session for session in self._sessions.values() if session.address.guild == guild]
        audits = await asyncio.gather(*(session.audit() for session in sessions))
        return tuple(fault for faults in audits for fault in faults)

    # inside

    async def _open_wallet(self, session: TableSession, request: Request) -> None:
        if session.is_practice:
            await self.wallets.open_for_practice(request.guild, request.user, session.state.table.settings.min_buyin)
        else:
            await self.wallets.open(request.guild, request.user)

    def _on_heartbeat(self) -> None:
        """Save that the dealer is alive, wake tables that are overdue, and set the next heartbeat."""
        if self._context.stopping:
            return
        now = self._clock.now()
        if self._heartbeat is not None:  # the first beat comes before any alarm could
            for session in tuple(self._sessions.values()):
                session.wake_if_overdue(now)
        if self._alive_task is None or self._alive_task.done():
            self._alive_task = asyncio.get_running_loop().create_task(self._save_alive_at(), name="heartbeat")
        self._heartbeat = self._clock.call_at(now + HEARTBEAT_MS, self._on_heartbeat)

    async def _save_alive_at(self) -> None:
        """Save the time: after a crash the clocks of running hands go on from the last time saved."""
        if all(session.state.current_turn is None for session in self._sessions.values()):
            return
        try:
            await self._store.keep(ALIVE_AT_KEY, str(self._clock.now()).encode())
        except (StoreFailed, StoreClosed) as error:
            log.warning("alive_time_save_failed", extra={"error": str(error)})

    async def _last_alive_at(self) -> int:
        kept = await self._store.value(ALIVE_AT_KEY)
        return int(kept) if kept else 0

    def _session_for(self, request: Request) -> TableSession:
        if request.table:
            session = self._session_by_id(request.table)
            if session.address.guild != request.guild:
                raise TableGone
            return session
        table = self._channels.get((request.guild, request.channel))
        if table is None:
            raise NoTableHere
        return self._sessions[table]

    def _session_by_id(self, table: int) -> TableSession:
        session = self._sessions.get(table)
        if session is None:
            raise TableGone
        return session

    def _add_session(self, session: TableSession) -> None:
        self._sessions[session.id] = session
        self._channels[session.address.guild, session.address.channel] = session.id

    def _remove_session(self, address: TableAddress) -> None:
        self._sessions.pop(address.id, None)
        if self._channels.get((address.guild, address.channel)) == address.id:
            del self._channels[address.guild, address.channel]

    def _publish(self, update: TableUpdate) -> None:
        if self._restore_updates is not None:  # tables are shown once all of them are restored
            self._restore_updates[update.snapshot.id] = update
            return
        try:
            self._on_update(update)
        except Exception:
            log.exception("table_update_publish_failed", extra={"table": update.snapshot.id})
