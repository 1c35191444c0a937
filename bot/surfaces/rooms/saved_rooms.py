"""What is saved of the threads that the dealer makes: those that are planned, those without a table, and those of tables."""

from __future__ import annotations

from collections.abc import ItemsView

from msgspec import Struct
from msgspec.structs import replace

from bot.runtime.saved_values import OF_A_TABLE, SavedKind, SavedValues, ValueStorage
from bot.surfaces.part import Part


class PlannedRoom(Struct, frozen=True):
    """A thread that is about to be made, or has been by a dealer that was killed then."""

    guild: int
    parent: int
    title: str


class EmptyRoom(Struct, frozen=True):
    """A thread that has been made, and has no table yet."""

    guild: int
    parent: int
    thread: int
    title: str
    private: bool = False


class TableRoom(Struct, frozen=True):
    """Where a table is, if the dealer has made the thread for it or keeps its guests.

    Attributes:
        title: of the thread that was made for it; empty if none was.
        members: ids of the people who have been told that they are invited, and are in a private thread.
        inviting: the nonce of an invitation that is about to be sent, or has been by a dealer that was killed then; empty for none.
    """

    guild: int
    parent: int
    channel: int
    title: str = ""
    private: bool = False
    members: tuple[int, ...] = ()
    inviting: str = ""


PLANNED_ROOMS = SavedKind[int, PlannedRoom]("room.new.", ("click",), PlannedRoom)
EMPTY_ROOMS = SavedKind[int, EmptyRoom]("room.empty.", ("thread",), EmptyRoom)
_ROOMS = SavedKind[int, TableRoom]("room.", OF_A_TABLE, TableRoom, holds_people=True)


class TableRooms(Part):
    """The rooms of tables, as they are saved."""

    def __init__(self, storage: ValueStorage) -> None:
        self._saved = SavedValues(_ROOMS, storage)
        self._rooms: dict[int, TableRoom] = {}

    async def load(self) -> None:
        self._rooms |= await self._saved.load()

    def of(self, table: int) -> TableRoom | None:
        """Return the room of a table."""
        return self._rooms.get(table)

    def all(self) -> ItemsView[int, TableRoom]:
        """Return all rooms by their tables."""
        return dict(self._rooms).items()

    def is_known(self, channel: int) -> bool:
        """Return whether a channel is the room of a table."""
        return any(room.channel == channel for room in self._rooms.values())

    async def keep(self, table: int, room: TableRoom) -> None:
        """Save the room of a table."""
        self._rooms[table] = room
        await self._saved.keep(table, room)

    async def end(self, table: int) -> None:
        """A table has no room any more."""
        self._rooms.pop(table, None)
        await self._saved.forget(table)

    async def hand_over(self, before: int, after: int) -> None:
        """The room of a table that has closed is another one's now, and nobody has been told of that one."""
        await self.keep(after, replace(self._rooms.pop(before), members=()))
        await self._saved.forget(before)
