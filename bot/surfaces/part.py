"""What every part of the dealer can be asked for, and how parts are made.

A part gets all that it needs by its constructor and sets nothing of another afterwards. `bot.app` lists the parts; `Parts` makes them in
that order, each from those before it, by the types of its constructor's arguments.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, NamedTuple, TypeVar

from bot.background_tasks import BackgroundTasks
from bot.runtime.snapshot import TableUpdate

T = TypeVar("T")


class Part:
    """One part of the dealer. It overrides what concerns it.

    Parts are loaded and opened in the order of the list. They are told of updates in the opposite order: whoever builds on another part
    hears of a table that has closed while the other still knows it.

    Attributes:
        tasks: what it has under way, if it ever has something.
    """

    tasks: BackgroundTasks
    follows_play: ClassVar[bool] = False
    """It is also told of updates in which nothing of the table has changed, only its hand: of nearly every click."""

    async def load(self) -> None:
        """Read what earlier runs saved, before the tables are restored and the bot logs in."""

    async def open(self) -> None:
        """The bot is ready, and all servers are known: take up what an earlier run left, and begin."""

    def on_update(self, update: TableUpdate) -> None:
        """A table has changed. This is called under its lock, so it awaits nothing."""

    async def forget(self, guild: int, user: int) -> None:
        """A person's data in a server was deleted, also where it is saved."""

    async def close(self) -> None:
        """Finish what is under way, not for long, then stop."""

    @property
    def pending(self) -> set[asyncio.Task[Any]]:
        """What is on its way."""
        return self.tasks.pending if "tasks" in vars(self) else set()

    async def wait_until_idle(self) -> None:
        """Wait until nothing is on its way."""
        while pending := self.pending:
            await asyncio.wait(pending)


class _Need(NamedTuple):
    """One argument of whatever makes a part."""

    name: str
    wanted: Any
    has_default: bool


class MissingPart(Exception):
    """The list of parts is in the wrong order, or lacks one."""


class Parts:
    """All parts of a dealer, in the order in which they were made."""

    def __init__(self, *given: object) -> None:
        self._made: dict[Any, object] = {type(one): one for one in (self, *given)}

    def make(self, makers: Iterable[Callable[..., object]]) -> None:
        """Make parts: each is a class, or a function whose annotation says what it returns. One that returns None makes none.

        Raises:
            MissingPart: one needs what no part before it is.
        """
        for maker in makers:
            kind, needs = _described(maker)
            self._made[kind] = maker(**dict(self._needed(kind, needs)))

    def _needed(self, kind: Any, needs: Iterable[_Need]) -> Iterator[tuple[str, object]]:
        for name, wanted, has_default in needs:
            if self._made.get(wanted) is not None:
                yield name, self._made[wanted]
            elif not has_default:
                raise MissingPart(
                    f"{getattr(kind, '__name__', '')} needs a {getattr(wanted, '__name__', wanted)}, which no part before it is"
                )

    def get(self, kind: type[T]) -> T:
        """Return the part of a class."""
        found = self._made[kind]
        assert isinstance(found, kind)
        return found

    def of(self, kind: type[T]) -> list[T]:
        """Return the parts of a class, in their order."""
        return list({id(part): part for part in self._made.values() if isinstance(part, kind)}.values())

    async def forget(self, guild: int, user: int) -> None:
        """Let every part forget what it remembers about a person whose data in a server was deleted."""
        for part in self.of(Part):
            await part.forget(guild, user)


@functools.cache
def _described(maker: Callable[..., object]) -> tuple[Any, tuple[_Need, ...]]:
    """Return what a maker makes, and what it needs for that. A process that starts many dealers, as tests do, reads that once."""
    described = vars(maker).get("__init__", maker) if isinstance(maker, type) else maker
    hints = typing.get_type_hints(described)
    needs = [  # with None: the default is for tests, and where there is no such part
        _Need(one.name, _without_none(hints[one.name]), one.default is not one.empty)
        for one in inspect.signature(maker).parameters.values()
    ]
    return maker if isinstance(maker, type) else _without_none(hints["return"]), tuple(needs)


def _without_none(wanted: Any) -> Any:
    if isinstance(wanted, types.UnionType):
        return next(each for each in typing.get_args(wanted) if each is not type(None))
    return wanted
