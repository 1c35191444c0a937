"""Which slot of a database a process deals to: it takes one that nobody serves, or waits for one.

A dealer that is alone with a file has all servers, and nothing of this.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from bot.fair.deck_order import hand_secret, master_secret
from bot.operation.errors import CannotRun
from bot.operation.health import STANDS_BY, LoopWatchdog, tell_service_manager
from bot.settings import SECRET_FILE, Settings, house_schema_of, schema_of
from bot.stopping import StopSignals
from bot.store.slots import ServerSlot
from bot.text import cli as words
from bot.text.language import t

if TYPE_CHECKING:
    from bot.store.postgres.house import House
    from bot.store.postgres.ownership import Ownership

log = logging.getLogger(__name__)

Task: TypeAlias = "asyncio.Task[Any]"
AT_ONCE_SECONDS = 1.0
"""A process that waits for a slot for longer says that it stands by."""


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
    """A slot that this process serves.

    Attributes:
        schemas: those of all slots.
    """

    slot: ServerSlot
    house: House
    ownership: Ownership
    schemas: tuple[str, ...]


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
    dealers = settings.dealers
    if dealers is None:
        from bot.store.postgres.house import slot_count

        count = slot_count(settings.database.reveal(), house_schema_of(local=settings.local))
        dealers = 1 if count == 1 and not settings.standbys else _free_slots(settings, count)
    roles = Roles(dealers + settings.standbys, wait=settings.dealers is not None or settings.standbys > 0)
    if roles.count > 1 and sys.platform == "win32":
        raise CannotRun(t(words.ONE_PROCESS_ON_WINDOWS))
    return roles if roles.count else Roles()  # that one says who has all the slots


def _free_slots(settings: Settings, count: int) -> int:
    from bot.store.postgres.slots import SlotTaker

    return SlotTaker(settings.database.reveal(), schemas_of(settings, count)).free_slots()


@asynccontextmanager
async def slot_taken(settings: Settings, signals: StopSignals, role: Role) -> AsyncIterator[TakenSlot | None]:
    """Serve a slot in the ``async with`` block. It is None for a file, and where the process was told to stop while it waited.

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
    await house.open()
    try:
        taken = await _take(settings, signals, role, house)
        try:
            yield taken
        finally:
            if taken is not None:  # a store that was open has given it up already
                await asyncio.to_thread(taken.ownership.give_up)
    finally:
        await house.close()


async def _take(settings: Settings, signals: StopSignals, role: Role, house: House) -> TakenSlot | None:
    from bot.store.postgres.slots import SlotTaker

    facts = await house.facts()
    await _agree_on_secret(settings, house, facts.secret)
    schemas = schemas_of(settings, facts.slots)
    taker = SlotTaker(settings.database.reveal(), schemas)
    taking = asyncio.create_task(asyncio.to_thread(taker.take, first=role.number % facts.slots, waits=role.waits))
    stopping = asyncio.create_task(signals.stopped.wait())
    try:
        await asyncio.wait({taking, stopping}, timeout=AT_ONCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if not taking.done() and role.waits:
            await _stand_by(settings, house, schemas, taking, stopping, role)
        await asyncio.wait({taking, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        taker.stop()
        stopping.cancel()
    taken = await taking
    if taken is None:
        return None
    number, ownership = taken
    if signals.stopped.is_set() or (await house.facts()).slots != facts.slots:
        await asyncio.to_thread(ownership.give_up)
        if not signals.stopped.is_set():
            raise CannotRun(t(words.SLOTS_HAVE_CHANGED))
        return None
    return TakenSlot(ServerSlot(number, facts.slots), house, ownership, schemas)


async def _stand_by(
    settings: Settings, house: House, schemas: tuple[str, ...], taking: Task, stopping: Task, role: Role
) -> None:
    """Say that this process stands by, and answer questions about its health, for as long as it waits for a slot."""
    from bot.operation.fleet_watch import FleetWatch
    from bot.operation.served_alone import served_alone

    watchdog = LoopWatchdog()
    watchdog.start()
    try:
        tell_service_manager(STANDS_BY if role.is_supervised else "READY=1")
        log.info("standing_by")
        if not role.is_supervised:
            print(t(words.WAITING_FOR_SLOT), flush=True)
        fleet = FleetWatch(house, schemas)
        async with fleet.watching(), served_alone(fleet, settings.metrics, watchdog, lambda: {"standby": True}):
            await asyncio.wait({taking, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        watchdog.stop()


async def _agree_on_secret(settings: Settings, house: House, known: bytes | None) -> None:
    """Make sure that all dealers deal from the same secret: else nobody could go on with a hand of another's."""
    file = settings.folder / SECRET_FILE
    if known is not None and not file.exists():
        raise CannotRun(t(words.NEEDS_ITS_KEY, folder=settings.folder))
    with contextlib.suppress(FileExistsError):
        settings.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    await house.agree_on_secret(hand_secret(master_secret(file, create=True), 0, 0, b""))
