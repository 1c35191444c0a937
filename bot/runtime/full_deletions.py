"""Full deletions: everything that is kept about a person goes, in all servers.

Whoever asks for one leaves an order. Each dealer finds it, deletes what its servers keep, and writes down how far it is. All of that is
kept where what holds in all servers is kept, so it goes on after a kill, with other dealers, and after a move.
"""

from msgspec import Struct

from bot.runtime.saved_values import PERSONAL, PERSONAL_BY_SLOT, PersonalStorage, SavedKind, SavedValues
from bot.runtime.store_types import DeletionState


class DeletionOrder(Struct, frozen=True):
    """That somebody wants everything deleted.

    Attributes:
        asked_at: when they asked for it, in ms since the epoch.
        answer_until: until then the answer to their press may still tell them of the end; in ms since the epoch.
        channel: of the direct messages in which they asked; 0 for a server.
        locale: of their Discord.
    """

    asked_at: int
    answer_until: int = 0
    channel: int = 0
    locale: str = "en-US"


class DeletionPart(Struct, frozen=True):
    """How far one dealer is.

    Attributes:
        asked_at: of the order.
        slots: into how many the servers were dealt out.
        found: the servers in which something was kept.
        left: those of them in which it still is.
        seated: those of these that wait until the person leaves their seat.
        banned: those of them in which staff have banned the person, and everything stays.
        is_done: nothing is left to do.
    """

    asked_at: int
    slots: int
    found: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    seated: tuple[int, ...] = ()
    banned: tuple[int, ...] = ()
    is_done: bool = False


ORDERS = SavedKind[int, DeletionOrder]("deletion.order.", PERSONAL, DeletionOrder, told=None, is_of_deletion=True)
_PARTS = SavedKind[tuple[int, int], DeletionPart](
    "deletion.part.", PERSONAL_BY_SLOT, DeletionPart, told=None, is_of_deletion=True
)


class FullDeletionOrders:
    """The orders, and how far all dealers are.

    Args:
        slot, slots: the number of this dealer's, and how many there are.
    """

    def __init__(self, storage: PersonalStorage, slot: int = 0, slots: int = 1) -> None:
        self._orders, self._parts = SavedValues(ORDERS, storage), SavedValues(_PARTS, storage)
        self._slot, self._slots = slot, slots

    async def all(self) -> dict[int, DeletionOrder]:
        """Return every order, by the person. What is left of one that has ended is deleted."""
        orders = await self._orders.load()
        for key in await self._parts.load():
            if key[0] not in orders:
                await self._parts.forget(key)
        return orders

    async def order(self, user: int) -> DeletionOrder | None:
        return await self._orders.get(user)

    async def keep(self, user: int, order: DeletionOrder) -> None:
        await self._orders.keep(user, order)

    async def end(self, user: int) -> None:
        """Forget an order that was carried out, and of which the person has been told."""
        await self._orders.forget(user)
        for key in await self._parts.load():
            if key[0] == user:
                await self._parts.forget(key)

    async def own_part(self, user: int, order: DeletionOrder) -> DeletionPart:
        """Return how far this dealer is. What was done while there were more or fewer slots counts, and is looked through again."""
        part = await self._parts.get((user, self._slot))
        if part is None or part.asked_at != order.asked_at:
            return DeletionPart(order.asked_at, self._slots)
        return part if part.slots == self._slots else DeletionPart(order.asked_at, self._slots, part.found)

    async def keep_part(self, user: int, part: DeletionPart) -> None:
        await self._parts.keep((user, self._slot), part)

    async def state(self, user: int, order: DeletionOrder) -> DeletionState:
        """Return how far all dealers are."""
        parts = {
            slot: part
            for (of, slot), part in (await self._parts.load()).items()
            if of == user and part.asked_at == order.asked_at
        }
        found = {server for part in parts.values() for server in part.found}
        now = [part for slot, part in parts.items() if part.slots == self._slots and slot < self._slots]
        seated = {server for part in now for server in part.seated}
        banned = {server for part in now for server in part.banned}
        left = {server for part in now for server in part.left}
        is_done = sum(part.is_done for part in now) == self._slots
        return DeletionState(len(found - left - banned), len(seated), len(banned), is_done)
