"""Which slot of a database a process deals to: it takes one that nobody serves, or waits for one.

A dealer that is alone with a file has all servers, and nothing of this.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from filelock import FileLock

from bot.fair.deck_order import hand_secret, master_secret
from bot.operation.errors import CannotRun
from bot.operation.health import STANDS_BY, LoopWatchdog, tell_service_manager
from bot.runtime.store_errors import StoreError
from bot.settings import SECRET_FILE, Settings, house_schema_of, schema_of
from bot.stopping import StopSignals, run_stage
from bot.store.migrate import newest_migration
from bot.store.slots import ServerSlot
from bot.text import cli as words
from bot.text.language import t

if TYPE_CHECKING:
    from bot.dealer import Dealer
    from bot.store.postgres.house import House
    from bot.store.postgres.ownership import Ownership

log = logging.getLogger(__name__)

Task: TypeAlias = "asyncio.Task[Any]"
AT_ONCE_SECONDS = 1.0
"""A process that waits for a slot for longer says that it stands by."""
CLOSE_SECONDS = 0.3
"""At the end, for each of the two that ask the database."""
AGAIN_SECONDS = 2.0
"""So long after a database could not be reached it is tried again."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a process is for, among those of one command.

    Attributes:
        number: from 0. It tries the slot of this number first.
        waits: it waits for a slot while all have a dealer.
        is_supervised: another process has started it, and answers for all.
    """

    number: int = 0
    waits: bool = False
    is_supervised: bool = False


@dataclass(frozen=True, slots=True)
class Roles:
    """How many processes a command runs.

    Attributes:
        count: how many.
        wait: they wait for a slot while all have a dealer.
    """

    count: int = 1
    wait: bool = False


@dataclass(frozen=True, slots=True)
class TakenSlot:
    """A slot that this process serves, or would serve.

    Attributes:
        schemas: those of all slots.
        warm: the dealer who has heard its events before; None if there was none.
    """

    slot: ServerSlot
    house: House
    ownership: Ownership
    schemas: tuple[str, ...]
    warm: Dealer | None = None


MakeDealer: TypeAlias = "Callable[[TakenSlot], Dealer]"
"""Makes the dealer of a slot."""


def schemas_of(settings: Settings, count: int) -> tuple[str, ...]:
    """Return the schemas of so many slots."""
    return tuple([schema_of(local=settings.local, slot=number) for number in range(count)])


def roles_of(settings: Settings) -> Roles:
    """Return how many processes the command runs with these settings.

    Raises:
        StoreError: the database cannot be used, or every slot has a dealer and this process should not wait.
        CannotRun: more than one was asked for on Windows.
    """
    if not settings.database.reveal():
        return Roles()
    from bot.store.postgres.house import slot_count

    count = slot_count(settings.database.reveal(), house_schema_of(local=settings.local))
    dealers = settings.dealers
    if dealers is None:
        dealers = 1 if count == 1 and not settings.standbys else _free_slots(settings, count)
    roles = Roles(dealers + settings.standbys, wait=settings.dealers is not None or settings.standbys > 0)
    if roles.count > 1 and sys.platform == "win32":
        raise CannotRun(t(words.ONE_PROCESS_ON_WINDOWS))
    return roles if roles.count else Roles()  # that one says who has all the slots


def _free_slots(settings: Settings, count: int) -> int:
    from bot.store.postgres.slots import SlotTaker

    return SlotTaker(settings.database.reveal(), schemas_of(settings, count)).free_slots()


@asynccontextmanager
async def slot_taken(
    settings: Settings, signals: StopSignals, role: Role, make: MakeDealer | None = None
) -> AsyncIterator[TakenSlot | None]:
    """Serve a slot in the ``async with`` block. It is None for a file, and where the process was told to stop while it waited.

    Args:
        make: makes a dealer who hears the events of a slot while this process waits; None for one who connects once there is a slot.

    Raises:
        StoreError: the database cannot be used, or every slot has a dealer.
        MissingSecret: the master secret cannot be read.
        CannotRun: this machine has not the secret that the other dealers have.
    """
    if not settings.database.reveal():
        yield None
        return
    from bot.store.postgres.house import House

    signals.listen()
    house = House(settings.database.reveal(), house_schema_of(local=settings.local))
    if not await _opened(house, signals, role):
        yield None
        return
    try:
        taken = await _take(settings, signals, role, house, make)
        try:
            yield taken
        finally:
            if taken is not None:  # a store that was open has given it up already
                giving_up = asyncio.to_thread(taken.ownership.give_up)
                await run_stage("slot", giving_up, CLOSE_SECONDS)
    finally:
        await run_stage("house", house.close(), CLOSE_SECONDS)


async def _opened(house: House, signals: StopSignals, role: Role) -> bool:
    """Open the house. One of several dealers waits for a database that is away: it had been there when they were started.

    Returns:
        whether it is open; it is not where the process was told to stop while it waited.
    """
    while not signals.stopped.is_set():
        try:
            await house.open()
        except StoreError as error:  # another version is refused while the dealers beside this one run
            if not role.is_supervised:
                raise
            log.warning("house_not_opened", extra={"error": str(error)})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(signals.stopped.wait(), AGAIN_SECONDS)
        else:
            return True
    return False


async def _take(
    settings: Settings, signals: StopSignals, role: Role, house: House, make: MakeDealer | None
) -> TakenSlot | None:
    from bot.store.postgres.slots import SlotTaker

    facts = await house.facts()
    await _agree_on_secret(settings, house, facts.secret)
    schemas = schemas_of(settings, facts.slots)
    taker = SlotTaker(settings.database.reveal(), schemas)

    def slot(number: int) -> TakenSlot:
        return TakenSlot(ServerSlot(number, facts.slots), house, taker.ownership(number), schemas)

    taking = asyncio.create_task(asyncio.to_thread(taker.take, first=role.number % facts.slots, waits=role.waits))
    stopping = asyncio.create_task(signals.stopped.wait())
    standby = _Standby(settings, role, slot, make, taker.watch) if role.waits else None
    try:
        await asyncio.wait({taking, stopping}, timeout=AT_ONCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if standby is not None and not taking.done():
            await standby.wait(taking, stopping)
        await asyncio.wait({taking, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        taker.stop()
        stopping.cancel()
        taken = await taking
        number = taken[0] if taken is not None else None
        warm = await standby.dealer_of(number) if standby is not None else None
    if number is None:
        return None
    found = replace(slot(number), warm=warm)
    if signals.stopped.is_set() or (await house.facts()).slots != facts.slots:
        if warm is not None:
            await warm.stop_standing_by()
        await asyncio.to_thread(found.ownership.give_up)
        if not signals.stopped.is_set():
            raise CannotRun(t(words.SLOTS_HAVE_CHANGED))
        return None
    return found


class _Standby:
    """A process that waits for a slot. It hears the events of one, so that it can deal there at once.

    Args:
        slot: returns what a slot of a number would be.
        make: see `slot_taken`.
        watch: is told which slot's events it hears.
    """

    def __init__(
        self,
        settings: Settings,
        role: Role,
        slot: Callable[[int], TakenSlot],
        make: MakeDealer | None,
        watch: Callable[[int], None],
    ) -> None:
        self._settings, self._role, self._slot, self._make, self._watch = settings, role, slot, make, watch
        self._dealer: Dealer | None = None
        self._watches: int | None = None

    async def wait(self, taking: Task, stopping: Task) -> None:
        """Wait until a slot is taken or the process is told to stop. Says meanwhile that it stands by, and answers for its health.

        Raises:
            what connecting to Discord raises where that cannot go on.
        """
        from bot.operation.fleet_watch import FleetWatch
        from bot.operation.served_alone import served_alone

        some = self._slot(0)
        waiting = {taking, stopping}
        watchdog = LoopWatchdog()
        watchdog.start()
        try:
            if self._make is not None:
                seen = FleetWatch(some.house, some.schemas, is_dealer=False)
                await seen.look()
                first = self._role.number % some.slot.count
                self._watches = seen.fleet.least_watched(first, newest_migration())
                self._dealer = self._make(self._slot(self._watches))
                waiting.add(self._dealer.stand_by(self._settings.discord_token.reveal()))
                self._watch(self._watches)
            tell_service_manager(STANDS_BY if self._role.is_supervised else "READY=1")
            log.info("standing_by", extra={"watches": self._watches})
            if not self._role.is_supervised:
                print(t(words.WAITING_FOR_SLOT), flush=True)
            fleet = FleetWatch(some.house, some.schemas, watches=self._watches)
            async with (
                fleet.watching(),
                served_alone(fleet, self._settings.metrics, watchdog, lambda: {"standby": True}),
            ):
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in waiting - {taking, stopping}:
                    if task.done():
                        task.result()
        finally:
            watchdog.stop()

    async def dealer_of(self, slot: int | None) -> Dealer | None:
        """Return the dealer who has heard the events of a slot. One of another slot is not needed any more."""
        dealer, self._dealer = self._dealer, None
        if dealer is not None and slot != self._watches:
            await dealer.stop_standing_by()
            return None
        return dealer


async def _agree_on_secret(settings: Settings, house: House, known: bytes | None) -> None:
    """Make sure that all dealers deal from the same secret: else nobody could go on with a hand of another's."""
    file = settings.folder / SECRET_FILE
    if known is not None and not file.exists():
        raise CannotRun(t(words.NEEDS_ITS_KEY, folder=settings.folder))
    with contextlib.suppress(FileExistsError):
        settings.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(file.with_name(f"{file.name}.lock"))
    with lock:  # several dealers of this machine can be the first in the same moment
        secret = master_secret(file, create=True)
    await house.agree_on_secret(hand_secret(secret, 0, 0, b""))
