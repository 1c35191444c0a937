"""A message that is sent once and then let go: a line of the staff log, news of a season, a call, a greeting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from hashlib import blake2b

from bot.line.by_token import Token
from bot.line.failures import DiscordFailed, TryLater
from bot.line.request_queue import Priority, RequestLine
from bot.surfaces.keeper import Drawing, Keeper, LiveMessage, Location, Surface


class PostOnce(Surface):
    """One such message. It is tried until Discord takes or refuses it, and looked up where it may have arrived.

    Args:
        location: its channel; with a nonce where it was about to be sent before, by a dealer that was killed then.
        drawings: the message; more of them are what is sent instead where Discord refuses its picture.
        save: saves that it is about to be sent, while the location has a nonce, and what has been told, once it has a message.
        nonce: what Discord knows it by, if that must be the same in another run; empty for one drawn by lot.
        mark: what stands in no other message of its channel.
    """

    returns = False

    def __init__(
        self,
        keeper: Keeper,
        line: RequestLine,
        location: Location,
        drawings: Sequence[Drawing],
        save: Callable[[Location], Awaitable[None]],
        *,
        nonce: str = "",
        mark: str = "",
        priority: Priority = Priority.BACKGROUND,
    ) -> None:
        self._keeper, self._line, self._drawings, self._save = keeper, line, list(drawings), save
        self._nonce, self.mark, self.new_message = nonce, mark, priority
        self._live = LiveMessage(keeper, self, location)
        self._sent: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def send(self) -> int:
        """Send it. Returns its id, once it is there and that is saved.

        Raises:
            DiscordFailed: Discord refuses it. That is saved as a location without nonce and message.
            StoreError: the refusal could not be saved.
        """
        self._live.work.wake()
        self._live.work.start()
        try:
            return await self._sent
        except DiscordFailed:
            await self._save(Location(self._live.location.channel))
            raise
        finally:
            self._live.work.stop()

    @property
    def line(self) -> RequestLine:
        return self._line

    def new_nonce(self) -> str:
        return self._nonce or super().new_nonce()

    async def find_channel(self) -> int:
        return self._live.location.channel

    def is_new_due(self, location: Location) -> bool:
        return not location.message and not self._sent.done()

    def draw(self, location: Location) -> Drawing | None:
        return None if location.message else self._drawings[0]

    def missed(self, drawing: Drawing, error: DiscordFailed | None) -> None:
        if error is not None and error.can_be_about_files and len(self._drawings) > 1:
            del self._drawings[0]

    async def prepare(self, location: Location) -> None:
        if location.message and not self._sent.done():  # it is there, and could not be saved
            await self.save(location, None)

    async def save(self, location: Location, token: Token | None) -> None:
        await self._save(location)
        if location.message and not self._sent.done():
            self._sent.set_result(location.message)

    async def take_away(self, location: Location, message: int) -> None:
        await self._keeper.discord_api.delete(self._line, location.channel, message)

    async def failed(self, error: DiscordFailed) -> bool:
        if isinstance(error, TryLater):
            return False
        if not self._sent.done():
            self._sent.set_exception(error)
        return True


def nonce_of(*words: str | int) -> str:
    """Return what Discord knows a message by that tells this: the same in every run, and short enough."""
    return blake2b(".".join(map(str, words)).encode(), digest_size=12).hexdigest()
