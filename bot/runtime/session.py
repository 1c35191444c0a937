"""One table with one writer. Requests queue up; each is ruled on, saved, remembered and shown before the next is looked at.

Save, then remember, then show: what is in memory is what is on the disk, and nobody is told of anything that could still be lost. Nothing
here awaits Discord. Who stops waiting for an answer does not stop the request.

Source: design §3, §4.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeAlias

from bot.engine.commands import Command
from bot.engine.errors import TableError
from bot.engine.seeing import view
from bot.ledger.accounts import Account, Book
from bot.ledger.books import Fault, compare
from bot.ledger.errors import NotEnoughChips
from bot.runtime.asked import Asked
from bot.runtime.chips import Accounts, in_pot
from bot.runtime.clock import Alarm
from bot.runtime.context import Context
from bot.runtime.draft import Draft, Standing, Thought, thinker_of
from bot.runtime.errors import TableBroken, TableGone
from bot.runtime.now import Place, TableNow
from bot.runtime.outcome import Change, Outcome
from bot.runtime.ports import Cause, SavedTable, StaleVersion, StoreError, StoreFailed, TableChips
from bot.runtime.rulings import Ruling, practice, time_passes
from bot.table.events import PrivateEvent
from bot.table.queries import due_at
from bot.table.state import Status, Table

log = logging.getLogger(__name__)

CLOCK, PRACTICE = "clock", "practice move"
_BY_ITSELF = frozenset({CLOCK, PRACTICE})
"""What nobody asks for and nobody waits for."""
RECENT_MOST = 64
"""Requests remembered per table, so that one that comes twice is answered even where it could no longer be granted."""
AGAIN_MS, AGAIN_MOST_MS = 1_000, 60_000
"""The clock tries again after so long when what it asked for could not be saved; twice as long each time."""
FAULTS_BEFORE_VOID = 3
"""After so many faults of ours in a row the clock gives the hand up: it is voided and paid back (I-1)."""


Look: TypeAlias = Callable[[], Awaitable[None]]
"""Something that is only looked at, between two commands."""


class _Request:
    __slots__ = ("answer", "by", "key", "look", "ruling", "what")

    def __init__(
        self, key: str, by: int, what: str, ruling: Ruling, look: Look | None, answer: "asyncio.Future[Outcome]"
    ) -> None:
        self.key, self.by, self.what, self.ruling, self.look, self.answer = key, by, what, ruling, look, answer


class TableSession:
    """A table that is open. Made by `bot.runtime.opening` and `bot.runtime.restore`; asked by `bot.runtime.tables`."""

    __slots__ = (
        "_accounts", "_alarm", "_alarm_at", "_attempts", "_context", "_due_at", "_due_of", "_faults", "_gone", "_now", "_queue", "_recent",
        "_standing", "_stopped", "_thought", "_worker", "place", "reload",
    )  # fmt: skip

    def __init__(
        self, context: Context, place: Place, standing: Standing, reload: Callable[[SavedTable], Standing]
    ) -> None:
        self.place = place
        self.reload = reload
        self._context = context
        self._standing = standing
        self._accounts = Accounts(place.id, Book.PRACTICE if standing.table.settings.practice else Book.PEOPLE)
        self._queue: deque[_Request] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._thought: asyncio.Task[None] | None = None
        self._recent: dict[str, None] = {}
        self._alarm: Alarm | None = None
        self._alarm_at = 0
        self._attempts = self._faults = 0
        self._gone = self._stopped = False
        self._now: TableNow | None = None
        self._due_of: Table | None = None
        self._due_at = 0

    @property
    def id(self) -> int:
        return self.place.id

    @property
    def practice(self) -> bool:
        return self._standing.table.settings.practice

    @property
    def standing(self) -> Standing:
        """What is remembered of the table."""
        return self._standing

    def now(self) -> TableNow:
        """The table as it stands."""
        if self._now is None:
            at = self._standing
            self._now = TableNow(self.place, at.seq, at.table, at.hand, at.due, at.dealt)
        return self._now

    # asking

    async def ask(self, asked: Asked, what: str, ruling: Ruling) -> Outcome:
        """Ask for something; returns once it is saved.

        Raises:
            TableError: it was refused, or could not be saved; nothing has changed.
        """
        return await self._enqueue(asked.key, asked.user, what, ruling)

    async def by_dealer(self, what: str, ruling: Ruling) -> Outcome:
        """The dealer himself asks for something: no interaction stands behind it."""
        return await self._enqueue("", 0, what, ruling)

    def resume(self) -> None:
        """Start the clocks."""
        self._arm()

    def poke(self, now: int) -> bool:
        """Wake a table that should have done something by now and has not. Returns whether that was so."""
        wake_at = self._wake_at()
        if (
            not wake_at
            or now < wake_at + AGAIN_MS
            or self._queue
            or self._worker is not None
            or self._thought is not None
            or now < self._alarm_at
        ):
            return False
        log.warning("a table stood still", extra={"table": self.id, "late_ms": now - wake_at})
        self._ring()
        return True

    async def stop(self) -> None:
        """Finish what is queued and stop the clocks. The hand stays where it is, in the store."""
        self._stopped = True
        self._disarm()
        if self._thought is not None:
            self._thought.cancel()
            await asyncio.wait({self._thought})
        if self._worker is not None:
            await self._worker

    async def quiet(self) -> bool:
        """Wait until nothing is being ruled on, saved or thought about here. Returns whether there was anything to wait for."""
        busy = [task for task in (self._worker, self._thought) if task is not None]
        if not busy:
            return False
        await asyncio.wait(busy)
        return True

    async def audit(self) -> tuple[Fault, ...]:
        """Hold the engine's chips against the ledger's, between two requests (design §3)."""
        found: list[Fault] = []

        async def look() -> None:
            found.extend(await self._audit())

        await self._enqueue("", 0, "audit", _nothing, look)
        return tuple(found)

    async def _audit(self) -> tuple[Fault, ...]:
        return self.differs(await self._context.store.table_chips(self.id))

    def differs(self, chips: TableChips) -> tuple[Fault, ...]:
        """Where the engine's chips are not what the ledger says."""
        found = {self._accounts.seat(user): held for user, held in chips.stacks.items()}
        if chips.pot:
            found[self._accounts.pot] = chips.pot
        return compare(self.expected_chips(), found, f"table {self.place.number}: engine and ledger differ")

    def expected_chips(self) -> dict[Account, int]:
        """What the ledger should say is on the table; zeroes left out."""
        return expected_chips(self._standing, self._accounts)

    # the one writer

    def _enqueue(
        self, key: str, by: int, what: str, ruling: Ruling, look: Look | None = None
    ) -> "asyncio.Future[Outcome]":
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        if self._gone:
            answer.set_exception(TableGone(table=self.id))
            return answer
        self._queue.append(_Request(key, by, what, ruling, look, answer))
        if self._worker is None:
            self._worker = asyncio.get_running_loop().create_task(self._work())
        return answer

    async def _work(self) -> None:
        """Serve the queue, oldest first, until it is empty."""
        try:
            while self._queue:
                request = self._queue.popleft()
                try:
                    outcome = await self._serve(request)
                except Exception as error:
                    self._failed(request, error)
                else:
                    if not request.answer.done():
                        request.answer.set_result(outcome)
        finally:
            self._worker = None
            self._arm()

    def _failed(self, request: _Request, error: Exception) -> None:
        if not isinstance(error, TableError) or isinstance(error, StoreFailed) or request.what in _BY_ITSELF:
            fields = {"table": self.id, "hand": self._standing.table.hands}
            trace = None if isinstance(error, StoreFailed) else error  # the store has told what is wrong with it
            log.error("a request failed: %s (%s)", request.what, error, exc_info=trace, extra=fields)
        if not request.answer.done():
            request.answer.set_exception(error)
        if request.what in _BY_ITSELF:
            self._attempts += 1
            if not isinstance(error, StoreError):
                self._faults += 1

    async def _serve(self, request: _Request) -> Outcome:
        if self._gone:
            raise TableGone(table=self.id)
        if request.look is not None:
            await request.look()
            return Outcome(now=self.now())
        if request.key in self._recent:
            return Outcome(now=self.now(), user=request.by, repeated=True)
        try:
            return await self._try(request)
        except StoreError:
            raise
        except TableError:
            if request.key and await self._context.store.receipt(request.key) is not None:
                # Granted before a restart, and now no longer possible because it has been done: it is answered.
                return Outcome(now=self.now(), user=request.by, repeated=True)
            raise

    async def _try(self, request: _Request) -> Outcome:
        """Rule, save, remember, show; once more, should the store know better where the table is."""
        try:
            return await self._ruled(request)
        except StaleVersion:
            log.exception("the table has moved on without us; it is read anew", extra={"table": self.id})
            await self._read_anew()
            return await self._ruled(request)

    async def _ruled(self, request: _Request) -> Outcome:
        try:
            return await self._once(request, await self._queued_wallets())
        except NotEnoughChips:
            if not any(seat.queued for seat in self._standing.table.seats):
                raise
            # The wallet has emptied since it was read: the announced top-up comes to nothing.
            return await self._once(request, {})

    async def _once(self, request: _Request, wallets: dict[int, int]) -> Outcome:
        context, before = self._context, self._standing
        draft = Draft(context, self.place, self._accounts, before, context.clock.now(), wallets)
        request.ruling(draft)
        draft.settle()
        if not draft.changed:
            self._attempts += request.what == CLOCK  # nothing was due after all: look again, but not at once
            return Outcome(now=self.now(), user=request.by)
        key = request.key or f"{self.id}:{before.seq}"
        receipt = await context.store.commit(draft.commit(Cause(key, request.by, draft.now, request.what)))
        if receipt.repeated:
            if receipt.table == self.id and receipt.seq > before.seq:  # it was saved, and we were told it was not
                await self._read_anew()
            return Outcome(now=self.now(), user=request.by, repeated=True)
        self._remember(draft, receipt.seq, request.key)
        now = self.now()
        events = tuple(event for event in draft.events if not isinstance(event, PrivateEvent))
        if draft.secret:
            return Outcome(now=now, user=request.by)  # nobody is told of what one player chose for himself
        self._context.publish(
            Change(
                now=now, events=events, by=request.by, key=request.key, dealt=draft.dealt_to, timed_out=draft.timed_out,
                lapsed=draft.lapsed, closed=self._gone,
            )
        )  # fmt: skip
        return Outcome(now=now, events=events, user=request.by)

    def _remember(self, draft: Draft, seq: int, key: str) -> None:
        self._standing = draft.standing(seq)
        self._now = None
        self._attempts = self._faults = 0
        if key:
            self._recent[key] = None
            if len(self._recent) > RECENT_MOST:
                del self._recent[next(iter(self._recent))]
        if draft.channel:
            before = self.place
            self.place = Place(before.id, before.number, before.guild, draft.channel)
        if draft.table.status is Status.CLOSED:
            self._end()

    def _end(self) -> None:
        self._gone = True
        self._disarm()
        self._context.gone(self.place)

    async def _queued_wallets(self) -> dict[int, int]:
        """Wallets of players with an announced top-up: it is made when the hand ends, as far as they reach (TL-1)."""
        users = [seat.player for seat in self._standing.table.seats if seat.queued]
        return await self._context.wallets.chips(self.place.guild, users, self._accounts.book) if users else {}

    async def _read_anew(self) -> None:
        """The store knows better: take the table from there, or end the session if it is closed."""
        saved = next((one for one in await self._context.store.open_tables() if one.record.id == self.id), None)
        if saved is None:
            self._end()
            raise TableGone(table=self.id)
        try:
            self._standing = self.reload(saved)
        except Exception as error:
            log.exception("the table cannot be read", extra={"table": self.id})
            self._end()
            raise TableBroken(table=self.id) from error
        self._now = None
        self._context.publish(Change(now=self.now(), restored=True))

    # the clock

    def _wake_at(self) -> int:
        """When the clock has something to do here next; 0 for never."""
        at = self._standing
        if (
            self._due_of is not at.table
        ):  # most actions leave the table as it is, and its seats need not be looked through
            self._due_of, self._due_at = at.table, due_at(at.table)
        wake_at = self._due_at
        if at.due is not None and (not wake_at or at.due.ends < wake_at):
            wake_at = at.due.ends + 1
        think_at = at.think_at if self._thought is None else 0  # who thinks already is not woken for it
        return min(think_at, wake_at) if think_at and wake_at else think_at or wake_at

    def _arm(self) -> None:
        """See to it that an alarm is set no later than the next thing due. One that rings early sets itself anew."""
        if self._gone or self._stopped or self._context.stopping:
            return
        wake_at = self._wake_at()
        now = self._context.clock.now()
        if not wake_at:
            return
        if self._attempts:
            wake_at = max(wake_at, now + min(AGAIN_MS << min(self._attempts - 1, 10), AGAIN_MOST_MS))
        if self._alarm is not None:
            if now < self._alarm_at <= wake_at:
                return
            self._alarm.cancel()
        self._alarm_at = wake_at
        self._alarm = self._context.clock.call_at(wake_at, self._ring)

    def _disarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self._alarm_at = 0

    def _ring(self) -> None:
        self._alarm, self._alarm_at = None, 0
        if self._gone or self._stopped or self._context.stopping:
            return
        wake_at = self._wake_at()
        if not wake_at or self._context.clock.now() < wake_at:
            self._arm()
            return
        thought = self._choice_due()
        if thought is not None:
            self._thought = asyncio.get_running_loop().create_task(self._think(thought))
            self._arm()  # whoever thinks too long is out of time like anybody
            return
        self._enqueue("", 0, CLOCK, self._time_passes).add_done_callback(_seen)

    # practice players

    def _choice_due(self) -> Thought | None:
        """What a practice player who has been seen thinking long enough, and is still in time, is to choose."""
        at = self._standing
        if self._thought is not None or at.hand is None or at.due is None or self._faults >= FAULTS_BEFORE_VOID:
            return None
        if not 0 < at.think_at <= self._context.clock.now() <= at.due.ends:
            return None
        return Thought(at.table.hands, at.hand.turn, thinker_of(at.table, at.hand))

    async def _think(self, thought: Thought) -> None:
        """Have the practice player to act choose, beside the queue, and ask for what he has come to."""
        choosing = asyncio.ensure_future(self._choose(thought, self._standing))
        try:
            await asyncio.wait({choosing})
            self._enqueue("", 0, PRACTICE, practice(thought, choosing.result)).add_done_callback(_seen)
        finally:
            choosing.cancel()
            self._thought = None

    async def _choose(self, thought: Thought, at: Standing) -> Command:
        context = self._context
        assert at.hand is not None and context.policies is not None, "nobody is thinking"
        policy = context.policies.policy(at.dealt[thought.place].user)
        dice = Random(context.dice.getrandbits(64))
        return await context.thinking.choose(policy, view(at.hand, thought.place), dice)

    def _time_passes(self, draft: Draft) -> None:
        if self._faults >= FAULTS_BEFORE_VOID and draft.table.running is not None:
            log.error("a hand cannot go on and is voided", extra={"table": self.id, "hand": draft.table.hands})
            draft.void("I-1", "the dealer could not go on")
            return
        time_passes(draft)


def _nothing(_draft: Draft) -> None:
    """Ask nothing."""


def _seen(answer: "asyncio.Future[Outcome]") -> None:
    """A request of the clock has nobody waiting; what went wrong with it has been logged."""
    if not answer.cancelled():
        answer.exception()


def expected_chips(standing: Standing, accounts: Accounts) -> dict[Account, int]:
    """What the ledger should say is on a table: its stacks and its pot, zeroes left out."""
    table, hand = standing.table, standing.hand
    chips = {accounts.seat(seat.player): seat.stack for seat in table.seats}
    pot = table.carried
    if table.running is not None and hand is not None:
        chips.update(
            (accounts.seat(player.user), stack) for player, stack in zip(standing.dealt, hand.stacks, strict=True)
        )
        pot = in_pot(hand)
    chips[accounts.pot] = pot
    return {account: held for account, held in chips.items() if held}
