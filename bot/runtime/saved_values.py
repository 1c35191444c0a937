"""Small values that are saved between runs: each kind is declared once, with what its keys and its values are.

A kind says by the parts of its key whom it concerns. So what is kept about people, to be given to them or deleted, follows from the
declarations, and nobody has to think of it. A value that this version cannot read is deleted, and everything else goes on.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec
from msgspec import Struct

from bot.allowances import in_thread
from bot.engine.old_cards import CardDecoder
from bot.runtime.store_errors import StoreError

log = logging.getLogger(__name__)

K = TypeVar("K")
T = TypeVar("T")
LARGE_BYTES = 20_000
"""A longer value is decoded in a thread: that takes milliseconds."""
PARTS = frozenset({"user", "server", "table", "thread", "click", "channel", "message", "occasion", "slot"})
"""What a key can be made of. A part that is the id of a person is called `user`, so that the value is deleted with their data."""
PERSONAL, AT_A_TABLE, IN_A_SERVER = ("user",), ("table", "user"), ("server", "user")
PERSONAL_BY_SLOT = ("user", "slot")
"""What each dealer keeps about a person where all see it."""
OF_A_TABLE, OF_A_SERVER, OF_THE_BOT = ("table",), ("server",), ()
_declared: dict[str, "SavedKind[Any, Any]"] = {}


class ValueStorage(Protocol):
    """Where values are saved. The store is one; `bot.store.sealed_values.SealedValues` is another."""

    async def value(self, key: str) -> bytes | None: ...

    async def values(self, prefix: str) -> dict[str, bytes]: ...

    async def keep(self, key: str, value: bytes | None) -> None: ...


class SealedStorage(ValueStorage, Protocol):
    """Where values are kept that nobody can read in the data file alone (`bot.store.sealed_values`)."""


class PersonalStorage(ValueStorage, Protocol):
    """Where values of persons are kept who are known by their id alone (`PERSONAL`): what holds in all servers."""

    async def keep_if(self, key: str, value: bytes | None, before: bytes | None) -> bool:
        """Keep a value under a key, where it still is what it was before; None for none. Returns whether it was."""
        ...


class PersonalChanges(Struct, frozen=True):
    """What has changed.

    Attributes:
        number: of the newest change.
        values: what was changed, by key; None is deleted. None altogether: too long ago to tell.
    """

    number: int
    values: Mapping[str, bytes | None] | None


class SharedPersonalStorage(PersonalStorage, Protocol):
    """One that several dealers write to."""

    async def newest_change(self) -> int:
        """Return the number of the newest change. They are numbered in the order in which they were saved."""

    async def changes_since(self, number: int) -> PersonalChanges:
        """Return what others have changed since a number. What this dealer has changed later itself is not among it."""


class PersonalNews(Protocol):
    """Tells what other dealers have changed of the values of persons, where there are any."""

    def follow(
        self, kind: "SavedKind[int, T]", tell: "Callable[[int, T | None], None]", load: Callable[[], Awaitable[None]]
    ) -> None:
        """Be told of a kind.

        Args:
            tell: gets each change; None is a deletion.
            load: reads all values anew: too much has changed to be told one by one.
        """


class SavedKind(Generic[K, T]):
    """One kind of value, declared at the top of the module that saves it.

    Its keys are numbers: `K` is an int, or a tuple of them where the key has another number of parts than one. Bytes and text are saved as
    they are, whole numbers in digits, everything else by `msgspec.msgpack`.

    Args:
        prefix: what its keys begin with, as it is stored. Another name would lose what earlier versions saved.
        parts: what its keys are made of, by name (`PARTS`).
        type_: of its values.
        holds_people: its values hold ids of people; those of a person whose data is deleted are replaced. Only for a table or a server.
        told: writes a value for the person whom it is about; None for nothing that they want to read.
        is_of_deletion: it is about the deletion of a person's data, and goes once that has ended, not with the data.
    """

    def __init__(
        self,
        prefix: str,
        parts: tuple[str, ...],
        type_: type[T],
        *,
        holds_people: bool = False,
        told: Callable[[T], str] | None = str,
        is_of_deletion: bool = False,
    ) -> None:
        if prefix in _declared or not PARTS.issuperset(parts):
            raise ValueError(f"{prefix!r} is declared twice, or has a key of unknown parts: {parts}")
        forgettable = {PERSONAL, PERSONAL_BY_SLOT} if is_of_deletion else {PERSONAL, AT_A_TABLE, IN_A_SERVER}
        if "user" in parts and parts not in forgettable:
            raise ValueError(f"{prefix!r} has a user in its key {parts}, where nobody deletes it with their data")
        if holds_people and parts not in {OF_A_TABLE, OF_A_SERVER}:
            raise ValueError(f"{prefix!r} holds ids of people under {parts}, where nobody replaces them")
        self.prefix, self.parts, self.holds_people, self.told = prefix, parts, holds_people, told
        self.is_of_deletion = is_of_deletion
        self._type: type[T] = type_
        self._decoder = CardDecoder[T](type_)  # a value can hold games, as older versions stored them
        _declared[prefix] = self

    @property
    def is_personal(self) -> bool:
        """Whether it holds in all servers: where several dealers share the servers, their house keeps it."""
        return self.parts in {PERSONAL, PERSONAL_BY_SLOT}

    @property
    def name(self) -> str:
        """What it is called in logs and exports."""
        return self.prefix.rstrip(".")

    def key(self, key: K) -> str:
        """Return the key as it is stored."""
        parts = key if isinstance(key, tuple) else (key,)
        if len(parts) != len(self.parts):
            raise ValueError(f"a key of {self.name} has the parts {self.parts}")
        return self.prefix + ".".join(map(str, parts))

    def owns(self, stored_key: str) -> bool:
        """Return whether a key that begins with the prefix is of this kind, and of none with a longer prefix."""
        return not any(
            len(prefix) > len(self.prefix) and stored_key.startswith(prefix)
            for prefix in _declared
            if prefix.startswith(self.prefix)
        )

    def read_key(self, stored_key: str) -> K:
        """Return the key that was stored.

        Raises:
            ValueError: it is none.
        """
        rest = stored_key.removeprefix(self.prefix)
        key = tuple(map(int, rest.split("."))) if rest else ()
        one_or_all: object = key[0] if len(key) == 1 else key
        if self.key(cast("K", one_or_all)) != stored_key:
            raise ValueError(f"not a key of {self.name}")
        return cast("K", one_or_all)

    def encode(self, value: T) -> bytes:
        """Return a value as it is stored."""
        if isinstance(value, bytes):
            return value
        return str(value).encode() if self._type in (str, int) else msgspec.msgpack.encode(value)

    def decode(self, stored: bytes) -> T:
        """Return the value that was stored.

        Raises:
            ValueError, msgspec.MsgspecError: it cannot be read.
        """
        if self._type not in (bytes, str, int):
            return self._decoder.decode(stored)
        plain: object = stored
        if self._type is not bytes:
            plain = int(stored) if self._type is int else stored.decode()
        return cast("T", plain)

    def entry(self, key: K, value: T | None) -> tuple[str, bytes | None]:
        """Return the stored key and value, for what is saved with a commit; None deletes."""
        return self.key(key), None if value is None else self.encode(value)


class SavedValues(Generic[K, T]):
    """The values of one kind in a storage. Those that cannot be read are not there."""

    def __init__(self, kind: SavedKind[K, T], storage: ValueStorage) -> None:
        self._kind, self._storage = kind, storage

    async def load(self) -> dict[K, T]:
        """Return all values by their keys.

        Raises:
            StoreError: the storage cannot be read.
        """
        found: dict[K, T] = {}
        for stored_key, stored in (await self._storage.values(self._kind.prefix)).items():
            if not self._kind.owns(stored_key):
                continue
            try:
                found[self._kind.read_key(stored_key)] = await self._read(stored)
            except (ValueError, msgspec.MsgspecError):
                await delete_unreadable(self._storage, self._kind.name, stored_key)
        return found

    async def get(self, key: K) -> T | None:
        """Return the value under a key; None for none.

        Raises:
            StoreError: the storage cannot be read.
        """
        stored_key = self._kind.key(key)
        stored = await self._storage.value(stored_key)
        if stored is None:
            return None
        try:
            return await self._read(stored)
        except (ValueError, msgspec.MsgspecError):
            await delete_unreadable(self._storage, self._kind.name, stored_key)
            return None

    async def keep(self, key: K, value: T) -> None:
        """Save a value under a key.

        Raises:
            StoreError: it could not be saved.
        """
        await self._storage.keep(self._kind.key(key), self._kind.encode(value))

    async def forget(self, key: K) -> None:
        """Delete the value under a key.

        Raises:
            StoreError: it could not be deleted.
        """
        await self._storage.keep(self._kind.key(key), None)

    async def _read(self, stored: bytes) -> T:
        if len(stored) > LARGE_BYTES:
            return await in_thread(self._kind.decode, stored)
        return self._kind.decode(stored)


class PersonalValues(SavedValues[int, T]):
    """The values of a kind that several dealers change at once, each a part of them."""

    def __init__(self, kind: SavedKind[int, T], storage: PersonalStorage) -> None:
        super().__init__(kind, storage)
        self._personal = storage

    async def change(self, user: int, change: Callable[[T | None], T | None]) -> None:
        """Save what becomes of a person's value; None for none. What somebody else changes in the same moment is not lost.

        Args:
            change: gets the value as it is. It is called again where that has changed meanwhile.

        Raises:
            StoreError: it could not be saved.
        """
        key = self._kind.key(user)
        while True:
            stored = await self._personal.value(key)
            after = change(await self._read_or_nothing(key, stored))
            encoded = None if after is None else self._kind.encode(after)
            if encoded == stored or await self._personal.keep_if(key, encoded, stored):
                return

    async def _read_or_nothing(self, key: str, stored: bytes | None) -> T | None:
        try:
            return None if stored is None else await self._read(stored)
        except (ValueError, msgspec.MsgspecError):
            log.warning("saved_value_unreadable", extra={"kind": self._kind.name, "key": key})
            return None


async def delete_unreadable(storage: ValueStorage, kind: str, stored_key: str) -> None:
    """Delete a value that cannot be read, and log that once. What it holds is not logged."""
    log.warning("saved_value_unreadable", extra={"kind": kind, "key": stored_key})
    try:
        await storage.keep(stored_key, None)
    except StoreError as error:  # the next start deletes it
        log.warning("saved_value_not_deleted", extra={"key": stored_key, "error": repr(error)})


async def forget_person(storage: PersonalStorage, user: int) -> None:
    """Delete what is kept about a person in all servers. It can be done twice.

    Raises:
        StoreError: it could not be done, or only in part.
    """
    for kind in declared_kinds():
        if (
            kind.parts == PERSONAL
            and not kind.is_of_deletion
            and await storage.value(key := kind.key(user)) is not None
        ):
            await storage.keep(key, None)


def declared_kinds() -> tuple[SavedKind[Any, Any], ...]:
    """Return every kind that the modules imported so far have declared."""
    return tuple(_declared.values())
