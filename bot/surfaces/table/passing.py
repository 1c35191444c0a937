"""Messages beside a table's own that go away again: the call to act, the end of a break, a restart.

Each is posted once and taken away once, also by the next run where this one is killed.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from bot.line.failures import DiscordFailed, TryLater
from bot.line.request_queue import RequestLine
from bot.render.message.panel import Raw
from bot.runtime.saved_values import SavedKind, SavedValues, ValueStorage
from bot.surfaces.keeper import Drawing, Keeper, LiveMessage, Location, Surface


class SavedPassing(msgspec.Struct, frozen=True):
    """A message that is to be taken away, as it is saved between runs. `message`, `nonce`, `outdated`: as in `Location`."""

    guild: int
    channel: int
    message: int = 0
    nonce: str = ""
    outdated: tuple[int, ...] = ()


_PASSING = SavedKind[tuple[int, int], SavedPassing]("passing.", ("table", "click"), SavedPassing)
"""By the table, and by a number that is told to no other message of it."""


class PassingMessage(Surface):
    """One of them.

    Args:
        house: keeps all of them.
        key: what it is saved under.
        data: draws it; None as long as it has nothing to say.
    """

    returns = False

    def __init__(
        self, house: PassingMessages, key: tuple[int, int], saved: SavedPassing, data: Callable[[], Raw | None]
    ) -> None:
        self._house, self._key, self._saved, self._data = house, key, saved, data
        location = Location(saved.channel, saved.message, nonce=saved.nonce, outdated=saved.outdated)
        self._is_refused = False
        self.live = LiveMessage(house.keeper, self, location)

    @property
    def line(self) -> RequestLine:
        return RequestLine(self._saved.guild)

    async def find_channel(self) -> int:
        return self._saved.channel

    def draw(self, location: Location) -> Drawing | None:
        data = self._data()
        return Drawing(data) if data is not None else None

    def is_new_due(self, location: Location) -> bool:
        return not location.message and not self._is_refused

    async def save(self, location: Location, token: object) -> None:
        saved = SavedPassing(
            self._saved.guild, self._saved.channel, location.message, location.nonce, location.outdated
        )
        is_left = location.message or location.nonce or location.outdated
        await self._house.save(self._key, saved if is_left else None)

    async def take_away(self, location: Location, message: int) -> None:
        await self._house.keeper.discord_api.delete(self.line, location.channel, message)

    async def failed(self, error: DiscordFailed) -> bool:
        self._is_refused = not isinstance(error, TryLater)  # it is not worth another try
        return False

    def ended(self) -> None:
        self._house.ended(self._key)


class PassingMessages:
    """Those of all tables."""

    def __init__(self, keeper: Keeper, storage: ValueStorage) -> None:
        self.keeper = keeper
        self._saved = SavedValues(_PASSING, storage)
        self._messages: dict[tuple[int, int], PassingMessage] = {}
        self._last = 0

    def post(self, table: int, line: RequestLine, channel: int, data: Callable[[], Raw | None]) -> LiveMessage:
        """Post a message. Its `end` takes it away."""
        self._last = max(self._last + 1, self.keeper.clock.now())
        message = self._add((table, self._last), SavedPassing(line.guild, channel), data)
        message.live.work.start()
        message.live.work.wake()
        return message.live

    async def open(self) -> None:
        """Take away what an earlier run has left."""
        for key, saved in (await self._saved.load()).items():
            if key not in self._messages:
                self._add(key, saved, lambda: None).live.end()

    def take_away(self, table: int, guild: int, channel: int, message: int) -> None:
        """Take away a message that an earlier version has posted."""
        self._last = max(self._last + 1, self.keeper.clock.now())
        self._add((table, self._last), SavedPassing(guild, channel, message), lambda: None).live.end()

    def close(self) -> None:
        """Stop. What is left is taken away by the next run."""
        for message in self._messages.values():
            message.live.work.stop()

    async def save(self, key: tuple[int, int], saved: SavedPassing | None) -> None:
        """Save one of them; None: nothing is left of it."""
        await (self._saved.keep(key, saved) if saved is not None else self._saved.forget(key))

    def ended(self, key: tuple[int, int]) -> None:
        """One has been taken away."""
        self._messages.pop(key, None)

    def _add(self, key: tuple[int, int], saved: SavedPassing, data: Callable[[], Raw | None]) -> PassingMessage:
        message = self._messages[key] = PassingMessage(self, key, saved, data)
        return message
