"""One open table and its single writer. Requests queue up; each is decided, saved, remembered and shown before the next one.

Save, then remember, then show: memory holds only what is on the disk, and nobody is told of anything that could still be lost.
Nothing here awaits Discord. A caller who stops waiting for an answer does not stop the request.

The life of a request, top down: `_process_queue` takes it from the queue, `_process` answers a repeated one at once, `_process_with_reload`
and `_process_with_top_ups` try once more after two kinds of refusal, and `_decide_save_and_show` does the work.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from itertools import pairwise
from random import Random
from typing import TypeAlias

import msgspec

from bot.engine.commands import HandCommand, HandCommandBase
from bot.engine.errors import TableError
from bot.engine.events import VoidReason
from bot.engine.hand import Hand
from bot.engine.view.build import view
from bot.events.sit_and_go.state import SitAndGo
from bot.ledger.accounts import Account, Book, escrow_account
from bot.ledger.books import BookFault, BookProblem, compare_balances
from bot.ledger.refusals import NotEnoughChips
from bot.runtime.asleep import AwaitedPeople, SleepingTable, TableBrief, awaited_people, brief_of, put_to_sleep
from bot.runtime.clock import Alarm
from bot.runtime.commands import PlayerCommand, Preselect
from bot.runtime.context import RuntimeContext
from bot.runtime.errors import StaleButton, StillDealing, TableBroken, TableGone
from bot.runtime.journal import JournalEvent
from bot.runtime.operations import (
    TableOperation,
    apply_practice_choice,
    command_label,
    do_what_is_due,
    player_operation,
)
from bot.runtime.request import INTERACTION, Request
from bot.runtime.run_out import RunOut, seats_with_new_cards
from bot.runtime.sit_and_go import in_escrow, lobby_closes_at, rebuys_close_at
from bot.runtime.snapshot import RequestOutcome, TableAddress, TableOutline, TableSnapshot, TableUpdate
from bot.runtime.store_errors import StaleVersion, StoreError, StoreFailed
from bot.runtime.store_types import Cause, Commit, SavedTable, TableChips, UnshownChips
from bot.runtime.transaction import PracticeDecision, SessionState, TableTransaction, practice_seat_to_act
from bot.runtime.transfers import TableAccounts, book_of, chips_in_pot
from bot.table.events import PrivateTableEvent
from bot.table.queries import next_due_at
from bot.table.state import Table, TableStatus

log = logging.getLogger(__name__)


class AutomaticRequest(StrEnum):
    """Requests that nobody makes and nobody waits for, as audits name them."""

    CLOCK = "clock"
    PRACTICE = "practice move"


_AUTOMATIC_REQUESTS = frozenset(AutomaticRequest)
MAX_RECENT_KEYS = 64
"""Keys of granted requests that a table remembers, so that a repeated click is answered even if it is no longer possible."""
NEAR_MS = 5 * 60_000
"""A table that has something to do by itself before this time is over does not fall asleep."""
RETRY_MS, MAX_RETRY_MS = 1_000, 60_000
"""How long the clock waits before it retries what could not be saved: doubled each time, up to the maximum."""
FAULTS_BEFORE_VOID = 3
"""After so many faults of the program in a row the clock voids the hand: every player gets back what they put in (I-1)."""


Inspection: TypeAlias = Callable[[], Awaitable[None]]
"""Looks at the table between two requests and changes nothing."""


class _QueuedRequest(msgspec.Struct, frozen=True):
    """A request that waits for its turn. The key is empty and `requested_by` is 0 if the dealer asks."""

    key: str
    requested_by: int
    label: str
    operation: TableOperation
    inspect: Inspection | None
    answer: "asyncio.Future[RequestOutcome]"


class TableSession:
    """An open table. `bot.runtime.open_table` and `bot.runtime.restore` make it, `bot.runtime.tables` asks it.

    Attributes:
        run_out: the all-in hand that is being shown, if there is one.
        run_out_at: when the end of the newest such hand was decided, in ms.
    """

    def __init__(
        self,
        context: RuntimeContext,
        address: TableAddress,
        state: SessionState,
        restore_state: Callable[[SavedTable], SessionState],
    ) -> None:
        self.address = address
        self.restore_state = restore_state
        self._context = context
        self._awake: SessionState | None = state
        self._asleep: SleepingTable | None = None
        self._is_used = True
        self._brief: tuple[Table, TableBrief] | None = None
        self._accounts = TableAccounts(address.id, book_of(state.table.settings))
        self._queue: list[
            _QueuedRequest
        ] = []  # short; an empty deque would take more than half a kilobyte of each table
        self._worker: asyncio.Task[None] | None = None
        self._practice_task: asyncio.Task[None] | None = None
        self._recent_keys: dict[str, None] = {}
        self._alarm: Alarm | None = None
        self._alarm_at = 0
        self._failed_attempts = self._fault_count = self._spent_keys = 0
        self._closed = self._stopped = False
        self._snapshot: TableSnapshot | None = None
        self._snapshot_state: SessionState | None = None
        self.run_out: RunOut | None = None
        self._run_out_saving: asyncio.Event | None = None
        self.run_out_at = 0
        self._due_table: Table | None = None
        self._due_at = 0

    @property
    def id(self) -> int:
        return self.address.id

    @property
    def book(self) -> Book:
        """The kind of book that its chips are in."""
        return self._accounts.book

    @property
    def state(self) -> SessionState:
        """The table's state after the last save. It wakes a table that sleeps."""
        return self._state

    @property
    def _state(self) -> SessionState:
        self._is_used = True
        if self._asleep is not None:
            self._wake(self._asleep)
        assert self._awake is not None, "a table is awake or sleeps"
        return self._awake

    @_state.setter
    def _state(self, state: SessionState) -> None:
        if self._asleep is not None:  # what is shown of it wakes too
            self._wake(self._asleep)
        self._awake, self._is_used = state, True

    @property
    def saves_run_out(self) -> bool:
        """Whether the end of an all-in hand is just being saved: it may be on the disk already."""
        return self._run_out_saving is not None

    async def until_run_out_saved(self) -> None:
        """Wait until no end of an all-in hand is being saved."""
        if self._run_out_saving is not None:
            await self._run_out_saving.wait()

    @property
    def waiting_count(self) -> int:
        """How many requests wait for their turn."""
        return len(self._queue)

    def snapshot(self) -> TableSnapshot:
        """Return the table as it is shown: as it stands now, or as far as an all-in hand has been run out."""
        if self.run_out is not None:
            return self.run_out.shown
        known = self._snapshot  # every click asks half a dozen times
        return known if known is not None and self._snapshot_state is self._state else self.saved_snapshot()

    def outline(self) -> TableOutline:
        """Return what can be told of the table without its hand. It wakes no table, and keeps none awake."""
        if self._asleep is not None:
            return TableOutline(self.address, self._asleep.table(), self._asleep.dealt_in)
        return self._seen()

    def _seen(self) -> TableSnapshot:
        """Return the table as it is shown, where it is awake. That counts as no use of it: it can fall asleep all the same."""
        was_used = self._is_used
        shown = self.snapshot()
        self._is_used = was_used
        return shown

    @property
    def first_unshown_hand(self) -> int:
        """The number of the first hand whose end nobody has seen: the one that is played or run out, else the next."""
        if self._asleep is not None:
            return self._asleep.brief.hands + (not self._asleep.brief.hand_running)
        shown = self.outline()
        return shown.hand_number + (not shown.hand_running)

    def saved_snapshot(self) -> TableSnapshot:
        """Return the table as it stands now."""
        state, known = self._state, self._snapshot
        if known is None or self._snapshot_state is not state:
            self._snapshot_state = state
            known = self._snapshot = TableSnapshot(
                self.address,
                state.seq,
                state.table,
                state.hand,
                state.current_turn,
                state.dealt_players,
                state.street,
                known,
                sit_and_go=state.sit_and_go.event if state.sit_and_go is not None else None,
            )
        return known

    # asking

    async def ask(self, request: Request, command: PlayerCommand) -> RequestOutcome:
        """Carry out a player's command; see `bot.runtime.tables.Tables.ask`.

        While an all-in hand is run out nothing can be done in it, and everything else waits for its end.
        """
        if self.run_out is not None and isinstance(command, HandCommandBase | Preselect):
            if request.key in self._recent_keys:
                return RequestOutcome(snapshot=self.snapshot(), user=request.user, repeated=True)
            raise StaleButton if request.hand_number >= 0 else StillDealing
        return await self._enqueue(
            request.key, request.user, command_label(type(command)), player_operation(request, command)
        )

    async def ask_as_dealer(self, label: str, operation: TableOperation) -> RequestOutcome:
        """Carry out something that the dealer does without being asked by a player."""
        return await self._enqueue("", 0, label, operation)

    def knows(self, user: int) -> bool:
        """Return whether a person sits at the table, waits for a seat, plays an event there or is challenged to one. It wakes no table."""
        if self.brief.knows(user) or self.plays_event(user):
            return True
        opened = self._awake.sit_and_go if self._awake is not None else None
        return opened is not None and opened.event.awaits(user)

    def plays_event(self, user: int) -> bool:
        """Return whether a person has entered the event that is played here, and has not gone out (SG-15)."""
        opened = (
            self._awake.sit_and_go if self._awake is not None else None
        )  # where an event is played, no table sleeps
        if opened is None or not opened.event.is_open:
            return False
        entrant = opened.event.entrant(user)
        return entrant is not None and entrant.is_in

    def holds(self, user: int) -> bool:
        """Return whether a person sits at the table, waits for a seat, or is dealt into a hand that is not over. It wakes no table."""
        if self._asleep is not None:
            return self._asleep.brief.knows(user) or user in self._asleep.dealt_in
        shown = self._seen()
        return bool(shown.known_name(user)) or (user in shown.dealt_users and not shown.hand_over)

    def start_clocks(self) -> None:
        """Start the clocks of a table that was opened or restored."""
        self._set_alarm()

    def wake_if_overdue(self, now: int, early_ms: int = 0) -> bool:
        """Wake the table if it should have done something by now, and nothing of it is under way. Return whether it was so.

        Args:
            early_ms: a table that sleeps is awake so long before it has something to do, with an alarm that rings in time.
        """
        if self._asleep is not None:
            if not 0 < self._asleep.wake_at <= now + early_ms:
                return False
            self._wake(self._asleep)  # which sets its alarm
        wake_at = self._wake_at()
        is_busy = bool(self._queue) or self._worker is not None or self._practice_task is not None
        if not wake_at or now < wake_at + RETRY_MS or is_busy or now < self._alarm_at:
            return False
        log.warning("table_clock_overdue", extra={"table": self.id, "late_ms": now - wake_at})
        self._on_alarm()
        return True

    # sleeping

    @property
    def brief(self) -> TableBrief:
        """What is asked of all tables at once. It wakes no table."""
        if self._asleep is not None:
            return self._asleep.brief
        assert self._awake is not None, "a table is awake or sleeps"
        table, known = self._awake.table, self._brief
        if known is None or known[0] is not table:
            known = self._brief = table, brief_of(table)
        return known[1]

    @property
    def awaited(self) -> AwaitedPeople:
        """Whom the hand waits for, and until when. It wakes no table."""
        if self._asleep is not None:
            return self._asleep.awaited
        assert self._awake is not None, "a table is awake or sleeps"
        return awaited_people(self._awake)

    @property
    def has_turn(self) -> bool:
        """Whether a clock runs. It wakes no table."""
        if self._asleep is not None:
            return self._asleep.awaited.turn_ends_at > 0
        return self._awake is not None and self._awake.current_turn is not None

    @property
    def is_asleep(self) -> bool:
        return self._asleep is not None

    def fall_asleep(self) -> bool:
        """Put the table away in memory if nothing has been asked of it since this was asked before, and nothing is near. Return whether it
        sleeps now."""
        state, was_used = self._awake, self._is_used
        self._is_used = False
        if was_used or state is None or not self._can_sleep(state):
            return False
        asleep = put_to_sleep(state, self._wake_at())
        if asleep is None:
            log.error("table_cannot_sleep", extra={"table": self.id})
            return False
        self._cancel_alarm()
        self._asleep, self._awake, self._snapshot, self._snapshot_state = asleep, None, None, None
        self._failed_attempts = 0  # whatever failed is not due any more
        self._due_table, self._brief, self._recent_keys = None, None, {}  # the store knows the keys, as after a restart
        self._context.encoded_parts.pop(self.id, None)
        return True

    def _can_sleep(self, state: SessionState) -> bool:
        is_still = not (self._queue or self._worker or self._practice_task or self.run_out)
        is_running = not (self._closed or self._stopped or self._context.stopping)
        is_slow = state.table.settings.is_slow and state.sit_and_go is None
        is_near = 0 < self._wake_at() < self._context.clock.now() + NEAR_MS
        return is_still and is_running and is_slow and not is_near

    def _wake(self, asleep: SleepingTable) -> None:
        """Take a table up again that slept: it is as it was, and its alarm is set."""
        self._awake, self._asleep = asleep.state(), None
        self._set_alarm()
        self._context.on_table_awake(self.id)

    async def stop(self) -> None:
        """Finish the queue and stop the clocks. A running hand stays in the store."""
        self._stopped = True
        self._cancel_alarm()
        self._end_run_out()
        if self._practice_task is not None:
            self._practice_task.cancel()
            await asyncio.wait({self._practice_task})
        if self._worker is not None:
            await self._worker

    async def wait_until_idle(self) -> bool:
        """Wait until no request is being processed and no practice player thinks. Return whether there was anything to wait for."""
        busy = [task for task in (self._worker, self._practice_task) if task is not None]
        if not busy:
            return False
        await asyncio.wait(busy)
        return True

    async def audit(self) -> tuple[BookFault, ...]:
        """Compare the engine's chips with the ledger's, between two requests. A table that is closed meanwhile has no faults."""
        faults: list[BookFault] = []

        async def compare() -> None:
            faults.extend(self.chip_faults(await self._context.store.table_chips(self.id)))

        with contextlib.suppress(TableGone):
            await self._enqueue("", 0, "audit", _no_operation, compare)
        return tuple(faults)

    def chip_faults(self, chips: TableChips) -> tuple[BookFault, ...]:
        """Return the accounts on which the ledger and the engine disagree."""
        found = {self._accounts.seat(user): stack for user, stack in chips.stacks.items()}
        if chips.pot:
            found[self._accounts.pot] = chips.pot
        if chips.away:  # one sum: while somebody's data is being deleted, ledger and table call them differently
            found[self._accounts.wallet(0)] = sum(chips.away.values())
        if chips.escrow:
            found[escrow_account(self.id)] = chips.escrow
        return compare_balances(self._expected_chips(), found, BookProblem.TABLE_DIFFERS, self.address.number)

    def _expected_chips(self) -> dict[Account, int]:
        """Return what the ledger should say is on the table: its stacks and its pot, zeroes left out."""
        table, hand, accounts = self._state.table, self._state.hand, self._accounts
        chips = {accounts.seat(seat.player): seat.stack for seat in table.seats}
        chips[accounts.pot] = table.carried_chips
        if accounts.book is Book.TABLE:
            chips[accounts.wallet(0)] = sum(line.taken for line in table.book)
        if table.running_hand is not None and hand is not None:
            for player, stack in zip(self._state.dealt_players, hand.stacks, strict=True):
                chips[accounts.seat(player.user)] = stack
            chips[accounts.pot] = chips_in_pot(hand)
        if self._state.sit_and_go is not None:
            chips[escrow_account(self.id)] = in_escrow(self._state.sit_and_go.event)
        return {account: held for account, held in chips.items() if held}

    # the one writer

    def _enqueue(
        self, key: str, requested_by: int, label: str, operation: TableOperation, inspect: Inspection | None = None
    ) -> "asyncio.Future[RequestOutcome]":
        answer: asyncio.Future[RequestOutcome] = asyncio.get_running_loop().create_future()
        if self._closed:
            answer.set_exception(TableGone())
            return answer
        self._queue.append(_QueuedRequest(key, requested_by, label, operation, inspect, answer))
        self._start_worker()
        return answer

    def _start_worker(self) -> None:
        """Process the queue; while an all-in hand is run out it waits."""
        if self._queue and self._worker is None and self.run_out is None:
            self._worker = asyncio.get_running_loop().create_task(self._process_queue())

    async def _process_queue(self) -> None:
        """Process the queue, oldest request first, until it is empty or an all-in hand is run out."""
        try:
            while self._queue and self.run_out is None:
                queued = self._queue.pop(0)
                try:
                    outcome = await self._process(queued)
                except Exception as error:
                    self._record_failure(queued, error)
                else:
                    if not queued.answer.done():
                        queued.answer.set_result(outcome)
        finally:
            self._worker = None
            self._set_alarm()

    def _record_failure(self, queued: _QueuedRequest, error: Exception) -> None:
        is_automatic = queued.label in _AUTOMATIC_REQUESTS
        if not isinstance(error, TableError) or isinstance(error, StoreFailed) or is_automatic:
            fields = {
                "table": self.id,
                "hand": self._state.table.hands_dealt,
                "request": queued.label,
                "error": str(error),
            }
            trace = None if isinstance(error, StoreFailed) else error  # the store has logged what is wrong with it
            log.error("table_request_failed", exc_info=trace, extra=fields)
        if not queued.answer.done():
            queued.answer.set_exception(error)
        if is_automatic:
            self._failed_attempts += 1
            if not isinstance(error, StoreError):
                self._fault_count += 1

    async def _process(self, queued: _QueuedRequest) -> RequestOutcome:
        """Answer a request. One that was granted before is answered again and changes nothing."""
        INTERACTION.set(queued.key)  # this task was started by an earlier request
        if self._closed:
            raise TableGone
        if queued.inspect is not None:
            await queued.inspect()
            return self._unchanged(queued)
        if queued.key in self._recent_keys:
            return self._unchanged(queued, repeated=True)
        try:
            return await self._process_with_reload(queued)
        except StoreError:
            raise
        except TableError:
            # A request that was granted before a restart is often refused now, exactly because it has been carried out.
            if queued.key and await self._context.store.receipt(queued.key) is not None:
                return self._unchanged(queued, repeated=True)
            raise

    async def _process_with_reload(self, queued: _QueuedRequest) -> RequestOutcome:
        """Process a request; if the store has a newer state of the table, read that and try once more."""
        try:
            return await self._process_with_top_ups(queued)
        except StaleVersion:
            log.exception("table_version_stale", extra={"table": self.id})
            await self._reload_from_store()
            return await self._process_with_top_ups(queued)

    async def _process_with_top_ups(self, queued: _QueuedRequest) -> RequestOutcome:
        """Process a request; queued top-ups are made if the hand ends by it, as far as the wallets reach (TL-1)."""
        users = [seat.player for seat in self._state.table.seats if seat.queued_top_up]
        if not users or self.book is Book.TABLE:  # table chips come from no wallet
            return await self._decide_save_and_show(queued, {})
        wallets = await self._context.wallets.wallet_chips(self.address.guild, users, self._accounts.book)
        try:
            return await self._decide_save_and_show(queued, wallets)
        except NotEnoughChips:  # a wallet has been emptied since it was read: the top-ups are cancelled
            return await self._decide_save_and_show(queued, {})

    async def _decide_save_and_show(self, queued: _QueuedRequest, wallets: dict[int, int]) -> RequestOutcome:
        """Apply a request's operation to a transaction, and commit it."""
        context, before = self._context, self._state
        transaction = TableTransaction(context, self.address, self._accounts, before, context.clock.now(), wallets)
        queued.operation(transaction)
        transaction.do_automatic_actions()
        if not transaction.has_changes:
            self._count_without_effect(queued)
            return self._unchanged(queued)

        key = queued.key or f"{self.id}:{before.seq}" + f":{self._spent_keys}" * bool(self._spent_keys)
        cause = Cause(key, queued.requested_by, transaction.now, queued.label)
        commit = transaction.build_commit(cause)
        if transaction.run_out and context.shows_run_outs:
            self._run_out_saving = asyncio.Event()
            self.run_out_at = transaction.now
        try:
            return await self._save_and_show(transaction, commit, queued)
        finally:
            if self._run_out_saving is not None:
                self._run_out_saving.set()
                self._run_out_saving = None

    async def _save_and_show(
        self, transaction: TableTransaction, commit: Commit, queued: _QueuedRequest
    ) -> RequestOutcome:
        """Commit a transaction, remember and publish it."""
        context, before = self._context, self._state
        receipt = await context.store.commit(commit)
        if receipt.repeated:
            if (
                receipt.table == self.id and receipt.seq > before.seq
            ):  # it was saved, although the store reported a failure
                await self._reload_from_store()
            else:  # something that left no event has used the dealer's key for this event: the next try takes another
                self._spent_keys += not queued.key
                self._count_without_effect(queued)
            return self._unchanged(queued, repeated=True)

        self._remember(transaction, receipt.seq, queued.key)
        context.staff_log.written(commit)
        return self._show(transaction, queued)

    def _count_without_effect(self, queued: _QueuedRequest) -> None:
        """What the clock has asked for changed nothing: it is still due, and the clock asks again, but not at once."""
        if queued.label in _AUTOMATIC_REQUESTS:
            self._failed_attempts += 1

    def _unchanged(self, queued: _QueuedRequest, *, repeated: bool = False) -> RequestOutcome:
        return RequestOutcome(snapshot=self.snapshot(), user=queued.requested_by, repeated=repeated)

    def _remember(self, transaction: TableTransaction, seq: int, key: str) -> None:
        """Take over the state of a transaction that has been saved; `seq` is the number of the table's next event."""
        self._state = transaction.state_after_save(seq)
        self._failed_attempts = self._fault_count = self._spent_keys = 0
        if key:
            self._recent_keys[key] = None
            if len(self._recent_keys) > MAX_RECENT_KEYS:
                del self._recent_keys[next(iter(self._recent_keys))]
        if transaction.table.status is TableStatus.CLOSED:
            self._end_session()

    def _show(self, transaction: TableTransaction, queued: _QueuedRequest) -> RequestOutcome:
        """Publish what has been saved. What a player chose privately is answered to that player alone."""
        if transaction.run_out and self._context.shows_run_outs and not (self._closed or self._stopped):
            return self._begin_run_out(transaction, queued)
        snapshot = self.snapshot()
        if transaction.is_private:
            return RequestOutcome(snapshot=snapshot, user=queued.requested_by)
        events = _public(transaction.events)
        update = TableUpdate(
            snapshot=snapshot,
            events=events,
            requested_by=queued.requested_by,
            request_key=queued.key,
            users_with_new_cards=_users_with_cards(
                transaction.users_with_new_cards, *_new_cards_by_street(transaction)
            ),
            timed_out_seat=transaction.timed_out_seat,
            lapsed_users=transaction.lapsed_users,
            closed=self._closed,
        )
        self._context.publish(update)
        return RequestOutcome(snapshot=snapshot, events=events, user=queued.requested_by)

    # all-in hands, street by street

    def _begin_run_out(self, transaction: TableTransaction, queued: _QueuedRequest) -> RequestOutcome:
        """Publish an all-in hand that has been saved up to its end, as it stands before the first street; the rest follows by the clock."""
        streets, players, before = transaction.run_out, transaction.dealt_players, _event_before(transaction)
        first_seq = self._state.seq - len(transaction.events)
        counts = [0, *(street.event_count for street in streets), len(transaction.events)]
        parts = [_public(transaction.events[start:end]) for start, end in pairwise(counts)]
        snapshots = [
            TableSnapshot(
                self.address,
                first_seq + street.event_count,
                street.table,
                street.hand,
                None,
                players,
                sit_and_go=before,
            )
            for street in streets
        ]
        later = [
            TableUpdate(
                snapshot=snapshot,
                events=events,
                users_with_new_cards=users,
                street_shown=True,
            )
            for snapshot, events, users in zip(
                [*snapshots[1:], self.saved_snapshot()], parts[1:], _new_cards_by_street(transaction), strict=True
            )
        ]
        unshown = _unshown_chips(transaction, streets[0].hand, self._accounts)
        flows = () if transaction.table.private else tuple(transaction.flows)
        self.run_out = RunOut(snapshots[0], later, unshown, transaction.now, flows)
        self._wait_for_street(self.run_out)
        self._context.publish(
            TableUpdate(
                snapshot=snapshots[0],
                events=parts[0],
                requested_by=queued.requested_by,
                request_key=queued.key,
                users_with_new_cards=transaction.users_with_new_cards,
                timed_out_seat=transaction.timed_out_seat,
                lapsed_users=transaction.lapsed_users,
            )
        )
        return RequestOutcome(snapshot=snapshots[0], events=parts[0], user=queued.requested_by)

    def _wait_for_street(self, run_out: RunOut) -> None:
        run_out.alarm = self._context.clock.call_at(run_out.next_at, self._show_next_street)

    def _show_next_street(self) -> None:
        run_out = self.run_out
        assert run_out is not None, "no hand to show"
        update = run_out.take_until(self._context.clock.now())
        if run_out.is_over:
            self._show_end(update)
        else:
            self._wait_for_street(run_out)
            self._context.publish(update)

    def _end_run_out(self) -> None:
        """Show the end at once, if it has not been shown."""
        if self.run_out is not None:
            if self.run_out.alarm is not None:
                self.run_out.alarm.cancel()
            self._show_end(self.run_out.take_all())

    def _show_end(self, update: TableUpdate) -> None:
        """Publish the end, and go on with what has waited for it."""
        self.run_out = None
        self._context.publish(update)
        self._start_worker()

    def _end_session(self) -> None:
        self._closed = True
        self._cancel_alarm()
        self._context.on_table_closed(self.address, self._state.table)

    def remembers(self, user: int) -> bool:
        """Whether a user's id stands anywhere in the table as it is remembered, or in its last hand."""
        state, packed = self._state, msgspec.msgpack.encode(user)
        known = (state.table, state.sit_and_go)
        return packed in msgspec.msgpack.encode(known) or any(one.user == user for one in state.dealt_players)

    async def stand_still(self, during: asyncio.Event, changed: Callable[[], bool], standing: asyncio.Event) -> None:
        """Do nothing between two requests until `during` is set; then take the table from the store, if that has `changed`.

        Args:
            standing: is set once the table stands still.
        """

        async def wait() -> None:
            standing.set()
            await during.wait()
            if changed():
                await self._reload_from_store(restarted=False)

        await self._enqueue("", 0, "standstill", _no_operation, wait)

    async def _reload_from_store(self, *, restarted: bool = True) -> None:
        """Read the table from the store, which has a newer state; end the session if the table is closed there."""
        saved = await self._context.store.saved_table(self.id)
        if saved is None:
            self._end_session()
            raise TableGone
        try:
            self._state = self.restore_state(saved)
        except Exception as error:
            log.exception("table_reload_failed", extra={"table": self.id})
            self._end_session()
            raise TableBroken from error
        self._context.publish(TableUpdate(snapshot=self.snapshot(), restored=restarted))

    # the clock

    def _wake_at(self) -> int:
        """Return the time, in ms, at which the table next has something to do by itself; 0 for never. It uses no table."""
        state = self._awake
        if state is None:
            return self._asleep.wake_at if self._asleep is not None else 0
        if (
            self._due_table is not state.table
        ):  # most actions leave the table as it is: its seats are not searched again
            self._due_table, self._due_at = state.table, next_due_at(state.table)
        times = [self._due_at] if self._due_at else []
        if state.current_turn is not None:
            times.append(state.current_turn.bank_ends_at + 1)
        if state.think_until and self._practice_task is None:  # a practice player who already thinks is not woken again
            times.append(state.think_until)
        if state.line_at:
            times.append(state.line_at)
        if state.sit_and_go is not None and (closes_at := lobby_closes_at(state.sit_and_go.event)):
            times.append(closes_at)
        if state.sit_and_go is not None and (rebuys_at := rebuys_close_at(state.sit_and_go.event)):
            times.append(rebuys_at)
        return min(times, default=0)

    def _set_alarm(self) -> None:
        """Make sure that an alarm is set no later than the next thing that is due. One that rings early sets itself anew."""
        if self._closed or self._stopped or self._context.stopping:
            return
        wake_at = self._wake_at()
        if not wake_at:
            return
        now = self._context.clock.now()
        if self._failed_attempts:
            wake_at = max(wake_at, now + min(RETRY_MS << min(self._failed_attempts - 1, 10), MAX_RETRY_MS))
        if self._alarm is not None:
            if now < self._alarm_at <= wake_at:
                return
            self._alarm.cancel()
        self._alarm_at = wake_at
        self._alarm = self._context.clock.call_at(wake_at, self._on_alarm)

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self._alarm_at = 0

    def _on_alarm(self) -> None:
        self._alarm, self._alarm_at = None, 0
        if self._closed or self._stopped or self._context.stopping:
            return
        wake_at = self._wake_at()
        if not wake_at or self._context.clock.now() < wake_at:
            self._set_alarm()
            return
        decision = self._due_practice_decision()
        if decision is not None:
            self._practice_task = asyncio.get_running_loop().create_task(self._run_practice_player(decision))
            self._set_alarm()  # a practice player's time runs out like anybody's
            return
        self._enqueue_automatic(AutomaticRequest.CLOCK, self._void_or_do_what_is_due)

    def _enqueue_automatic(self, label: str, operation: TableOperation) -> None:
        """Enqueue a request that nobody waits for; its failure has been logged by the time the answer is there."""
        self._enqueue("", 0, label, operation).add_done_callback(
            lambda answer: answer.cancelled() or answer.exception()
        )

    def _void_or_do_what_is_due(self, transaction: TableTransaction) -> None:
        if self._fault_count >= FAULTS_BEFORE_VOID and transaction.table.running_hand is not None:
            fields = {"table": self.id, "hand": transaction.table.hands_dealt}
            log.error("hand_voided_after_faults", extra=fields)
            transaction.void_current_hand("I-1", VoidReason.DEALER_FAULT)
            return
        do_what_is_due(transaction)

    # practice players

    def _due_practice_decision(self) -> PracticeDecision | None:
        """Return the decision of a practice player who has been seen thinking long enough and is still in time."""
        state = self._state
        if state.hand is None or state.current_turn is None or self._practice_task is not None:
            return None
        if self._fault_count >= FAULTS_BEFORE_VOID:
            return None
        if not 0 < state.think_until <= self._context.clock.now() <= state.current_turn.bank_ends_at:
            return None
        seat_index = practice_seat_to_act(state.table, state.hand)
        return PracticeDecision(state.table.hands_dealt, state.hand.decision_number, seat_index)

    async def _run_practice_player(self, decision: PracticeDecision) -> None:
        """Let a practice player choose, beside the queue, and enqueue the choice."""
        choosing = asyncio.ensure_future(self._choose_command(decision, self._state))
        try:
            await asyncio.wait({choosing})
            self._enqueue_automatic(AutomaticRequest.PRACTICE, apply_practice_choice(decision, choosing.result))
        finally:
            choosing.cancel()
            self._practice_task = None

    async def _choose_command(self, decision: PracticeDecision, state: SessionState) -> HandCommand:
        context = self._context
        assert state.hand is not None and context.policies is not None, "no practice player is to act"
        policy = context.policies.policy(state.dealt_players[decision.seat_index].user)
        rng = Random(context.rng.getrandbits(64))
        return await context.practice_thread.choose(policy, view(state.hand, decision.seat_index), rng)


def _new_cards_by_street(transaction: TableTransaction) -> list[tuple[int, ...]]:
    """Return the people who get a face-down card on each street of a run-out; nothing where there is none."""
    if not transaction.run_out or transaction.hand is None:
        return []
    hands = [*(street.hand for street in transaction.run_out), transaction.hand]
    users = [player.user for player in transaction.dealt_players]
    return [tuple(users[seat] for seat in seats if users[seat] > 0) for seats in seats_with_new_cards(hands)]


def _event_before(transaction: TableTransaction) -> SitAndGo | None:
    """Return the sit-and-go as it stood before a transaction; None at an ordinary table."""
    return transaction.desk.before.event if transaction.desk is not None else None


def _users_with_cards(*users: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(user for some in users for user in some))


def _public(events: Sequence[JournalEvent]) -> tuple[JournalEvent, ...]:
    return tuple([event for event in events if not isinstance(event, PrivateTableEvent)])


def _unshown_chips(transaction: TableTransaction, hand: Hand, accounts: TableAccounts) -> tuple[UnshownChips, ...]:
    """Return what separates the chips of each player dealt in from those in `hand`, before the end. Nobody's wallet had moved by then."""
    found = []
    for player, stack, started in zip(transaction.dealt_players, hand.stacks, hand.started.stacks, strict=True):
        seat = transaction.table.seat_of(player.user)
        wallet, account = 0, accounts.wallet(player.user)
        for transfer in transaction.transfers[transaction.transfers_of_hand :]:
            wallet += transfer.chips * ((transfer.debit == account) - (transfer.credit == account))
        stacks = stack - (seat.stack if seat is not None else 0)
        found.append(UnshownChips(player.user, wallet, stacks, started - stack))
    return tuple(found)


def _no_operation(_transaction: TableTransaction) -> None:
    """Change nothing."""
