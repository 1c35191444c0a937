"""People whose data is being deleted: they wait until it is done, and tables that remember them go on with a pseudonym.

The store rewrites a little at a time, beside everybody's saves. A deletion that a restart or a full disk breaks off is taken up again.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping

from bot.runtime.clock import AlarmClock
from bot.runtime.errors import DealerStopping
from bot.runtime.operations import remove_player
from bot.runtime.session import TableSession
from bot.runtime.snapshot import TableAddress
from bot.runtime.store_errors import DataBeingDeleted, PersonSeated, StoreClosed, StoreError
from bot.runtime.store_types import Forgetting, Forgotten
from bot.store.store import Store

log = logging.getLogger(__name__)

RETRY_MS = 60_000
"""So long after a failure a deletion is taken up again."""


class Deletions:
    """The deletions that are under way.

    Args:
        sessions: the open tables, by id.
        on_end: is told the server and the person once the store has forgotten them, and forgets them itself.
        follow: is called when a deletion has begun, before it ends, and when it has ended; what is kept elsewhere follows then. If it
            fails, the deletion is taken up again like one that the disk broke off.
        forget_elsewhere: deletes what is kept about a person outside of the store; it can be called twice. If it fails, the same.
    """

    def __init__(
        self,
        store: Store,
        clock: AlarmClock,
        sessions: Mapping[int, TableSession],
        on_end: Callable[[int, int], Awaitable[None]],
        follow: Callable[[], Awaitable[None]],
        forget_elsewhere: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._sessions = sessions
        self._on_end, self._follow, self._forget_elsewhere = on_end, follow, forget_elsewhere
        self._people: dict[tuple[int, int], Forgotten | None] = {}
        self._beginning: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._tasks: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._ending: set[tuple[int, int]] = set()
        self._lock = asyncio.Lock()
        self._stopping = False
        self._leaving: set[int] = set()

    def hold(self, user: int) -> None:
        """Let a person, all of whose data is to go, sit down nowhere until `release`. Where they sit already they play on, and leave."""
        self._leaving.add(user)

    def release(self, user: int) -> None:
        """Let them sit down again."""
        self._leaving.discard(user)

    def require_none(self, guild: int, user: int) -> None:
        """Check that a person's data is not being deleted.

        Raises:
            DataBeingDeleted.
        """
        if (guild, user) in self._people or (user in self._leaving and not self._tables_in(guild, user)):
            raise DataBeingDeleted

    def tables_of(self, user: int) -> tuple[TableAddress, ...]:
        """Return the tables of all servers at which a person sits, waits for a seat, or is dealt into a hand that is not over."""
        return tuple(self._tables_among(user, self._sessions.values()))

    def _tables_in(self, guild: int, user: int) -> list[TableAddress]:
        return self._tables_among(user, [one for one in self._sessions.values() if one.address.guild == guild])

    def _tables_among(self, user: int, sessions: Iterable[TableSession]) -> list[TableAddress]:
        return [session.address for session in sessions if session.holds(user)]

    async def resume(self) -> None:
        """Take up the deletions that had begun when the dealer stopped."""
        for one in await self._store.deletions():
            person = one.guild, one.user
            self._people[person] = None
            self._start(person)

    async def delete(self, forgetting: Forgetting) -> Forgotten:
        """Take a person out of a server's data. Whoever asks again while it is under way waits for the same end.

        Raises:
            PersonSeated: they sit at a table, wait for a seat, or are dealt into a hand that is not over.
            StoreError: it could not be begun, and nothing has changed; or it could not be ended, and is taken up again in a minute.
        """
        guild, user = person = forgetting.guild, forgetting.user
        if person not in self._people:
            numbers = [address.number for address in self._tables_in(guild, user)]
            if numbers:
                raise PersonSeated(tables=tuple(sorted(numbers)))
            self._people[person] = None  # from now on they cannot sit down
            self._beginning[person] = asyncio.create_task(self._begin(forgetting), name="deletion-begins")
        beginning = self._beginning.get(person)
        if beginning is not None:
            await asyncio.shield(beginning)
        begun, task = self._people[person], self._start(person)
        await asyncio.wait({task})
        if task.cancelled():
            raise DealerStopping
        task.result()
        return begun if begun is not None else Forgotten(0, 0)

    async def _begin(self, forgetting: Forgetting) -> None:
        person = forgetting.guild, forgetting.user
        try:
            self._people[person] = await self._store.begin_deletion(forgetting)
        except BaseException:
            del self._people[person]
            raise
        finally:
            del self._beginning[person]

    async def stop(self) -> None:
        """Break off what is under way; it is taken up again after a restart."""
        self._stopping = True
        for person, task in self._tasks.items():
            if person not in self._ending:
                task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    def _start(self, person: tuple[int, int]) -> "asyncio.Task[None]":
        task = self._tasks.get(person)
        if task is None:
            task = self._tasks[person] = asyncio.create_task(self._go_on(*person), name="deletion")
            task.add_done_callback(lambda done: self._stopped(person, done))
        return task

    def _stopped(self, person: tuple[int, int], task: "asyncio.Task[None]") -> None:
        del self._tasks[person]
        error = None if task.cancelled() else task.exception()
        if error is None or self._stopping or isinstance(error, StoreClosed | DealerStopping):
            return
        trace = None if isinstance(error, StoreError) else error
        log.error("deletion_failed", exc_info=trace, extra={"guild": person[0], "error": str(error)})
        self._clock.call_at(self._clock.now() + RETRY_MS, lambda: self._retry(person))

    def _retry(self, person: tuple[int, int]) -> None:
        if person in self._people and not self._stopping:
            self._start(person)

    async def _go_on(self, guild: int, user: int) -> None:
        await self._follow()
        if self._forget_elsewhere is not None:
            await self._forget_elsewhere(user)
        await self._store.rewrite_rows_of(guild, user)
        async with self._lock:
            if self._stopping:
                raise DealerStopping
            self._ending.add((guild, user))
            try:
                await self._end(guild, user)
            finally:
                self._ending.discard((guild, user))
        try:  # first who remembers them: what they save next would bring the person back
            await self._on_end(guild, user)
            await self._follow()
        except StoreError as error:  # the next start forgets what was left
            log.warning("deletion_not_followed", extra={"guild": guild, "error": str(error)})
        del self._people[guild, user]

    async def _end(self, guild: int, user: int) -> None:
        """End a deletion while the tables that remember the person stand still."""
        in_guild = [one for one in self._sessions.values() if one.address.guild == guild]
        for session in in_guild:
            if session.knows(user):  # they had asked for a place a moment before
                await session.ask_as_dealer("data deleted", remove_player(user))
        done, ended = asyncio.Event(), False
        sessions = [one for one in self._sessions.values() if one.address.guild == guild and one.remembers(user)]
        standing = [asyncio.Event() for _ in sessions]
        waiting = [
            asyncio.ensure_future(session.stand_still(done, lambda: ended, stands))
            for session, stands in zip(sessions, standing, strict=True)
        ]
        try:
            for stands, turn in zip(standing, waiting, strict=True):
                entered = asyncio.ensure_future(stands.wait())
                await asyncio.wait({entered, turn}, return_when=asyncio.FIRST_COMPLETED)
                entered.cancel()
            await self._store.end_deletion(guild, user)
            ended = True
        finally:
            done.set()
            await asyncio.gather(*waiting, return_exceptions=True)
