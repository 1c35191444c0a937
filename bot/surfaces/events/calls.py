"""Calls to duels: one message at the table names whoever is challenged, because that of the table notifies nobody.

It goes once the challenge has been accepted, declined or taken back, or has lapsed: also where the dealer was killed in between. It
notifies nobody in quiet hours.
"""

from __future__ import annotations

import logging

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.line.api import DiscordApi
from bot.line.by_token import Token
from bot.line.failures import DiscordFailed, TryLater
from bot.line.request_queue import Priority, RequestLine
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import OF_A_TABLE, SavedKind, SavedValues, ValueStorage
from bot.runtime.snapshot import TableOutline, TableSnapshot, TableUpdate
from bot.runtime.store_types import LAST_FORMER_PLAYER
from bot.runtime.tables import Tables
from bot.surfaces.keeper import Drawing, Keeper, LiveMessage, Location, Surface
from bot.surfaces.part import Part
from bot.surfaces.people.quiet_times import QuietTimes
from bot.text import duels as words
from bot.text.language import reading

log = logging.getLogger(__name__)


class SavedCall(Struct, frozen=True):
    """A call, as it is saved between runs. `message`, `nonce`, `outdated` as in `Location`.

    Attributes:
        by: who has challenged; `user`: whom.
    """

    guild: int
    channel: int
    by: int
    user: int
    message: int = 0
    nonce: str = ""
    outdated: tuple[int, ...] = ()

    @property
    def location(self) -> Location:
        return Location(self.channel, self.message, nonce=self.nonce, outdated=self.outdated)


_CALLS = SavedKind[int, SavedCall]("duelcall.", OF_A_TABLE, SavedCall, holds_people=True, told=None)


class DuelCall(Surface):
    """One of them. `table`: the id of its table. Somebody can delete it; it does not come back."""

    new_message = Priority.PRIVATE
    returns = False
    replaces_old = False

    def __init__(self, calls: DuelCalls, table: int, saved: SavedCall) -> None:
        self._calls, self.table, self.saved = calls, table, saved
        self.live = LiveMessage(calls.keeper, self, saved.location)
        self._drawing: Drawing | None = None
        self._is_over = False

    @property
    def line(self) -> RequestLine:
        return RequestLine(self.saved.guild)

    def start(self) -> None:
        """Send it, unless it is there."""
        if not self.saved.message:
            self.live.work.start()
            self.live.work.wake()

    def end(self) -> None:
        """The challenge is no longer open: take it away."""
        if not self._is_over:
            self._is_over = True
            self.live.end()

    async def find_channel(self) -> int:
        return self.saved.channel

    async def prepare(self, location: Location) -> None:
        if not location.message:
            self._drawing = await self._calls.drawing(self.saved)

    def draw(self, location: Location) -> Drawing | None:
        return None if location.message else self._drawing

    async def save(self, location: Location, token: Token | None) -> None:
        self.saved = replace(self.saved, message=location.message, nonce=location.nonce, outdated=location.outdated)
        await self._calls.save(self)

    async def take_away(self, location: Location, message: int) -> None:
        await self._calls.keeper.discord_api.delete(self.line, location.channel, message)

    def ended(self) -> None:
        self._calls.forget_call(self)

    async def failed(self, error: DiscordFailed) -> bool:
        if isinstance(error, TryLater):
            return False
        log.info("call_not_sent", extra={"table": self.table, "error": repr(error)})
        self._calls.forget_call(self)
        return True


class DuelCalls(Part):
    """The calls of all servers."""

    def __init__(
        self, tables: Tables, discord_api: DiscordApi, quiet: QuietTimes, storage: ValueStorage, clock: AlarmClock
    ) -> None:
        self._tables, self._quiet = tables, quiet
        self._saved = SavedValues(_CALLS, storage)
        self.keeper = Keeper(discord_api, clock)
        self.tasks = self.keeper.tasks
        self._calls: dict[int, DuelCall] = {}

    async def open(self) -> None:
        """Send what an earlier run has not sent, and take away what it has left."""
        for table, saved in (await self._saved.load()).items():
            call = self._calls.setdefault(table, DuelCall(self, table, saved))
            self._look(call)
        for table in [one.id for one in self._tables.all_tables() if _is_challenge(one)]:
            await self.call(table)  # by a challenge that was made just before a kill

    async def close(self) -> None:
        for call in self._calls.values():
            call.live.work.stop()
        await self.tasks.finish(seconds=2.0)

    async def call(self, table: int) -> None:
        """Call whoever is challenged at a table, once. Nobody is called who cannot come.

        Raises:
            StoreError: the call could not be saved, so it is not sent.
        """
        snapshot = self._open_challenge(table)
        event = snapshot.sit_and_go if snapshot is not None else None
        if snapshot is None or event is None or event.settings.duel is None or table in self._calls:
            return
        address, user = snapshot.address, event.settings.duel.other(event.opened_by).player
        if user <= LAST_FORMER_PLAYER or self._tables.staff_log.is_banned(address.guild, user):
            return
        saved = SavedCall(address.guild, address.channel, event.opened_by, user)
        self._calls[table] = call = DuelCall(self, table, saved)
        try:
            await self.save(call)
        except Exception:
            del self._calls[table]
            raise
        self._look(call)

    def on_update(self, update: TableUpdate) -> None:
        """A table has changed. This is called under its lock: it looks at two facts, and awaits nothing."""
        call = self._calls.get(update.snapshot.id)
        if call is not None and (update.closed or not _is_challenge(update.snapshot)):
            call.end()

    def _look(self, call: DuelCall) -> None:
        """Send a call, or take it away where the challenge has been answered meanwhile."""
        if self._open_challenge(call.table) is None:
            call.end()
        else:
            call.start()

    def _open_challenge(self, table: int) -> TableSnapshot | None:
        """Return the table of a challenge that nobody has answered; None for another one."""
        try:
            snapshot = self._tables.snapshot(table)
        except TableError:
            return None
        return snapshot if _is_challenge(snapshot) else None

    # what a call asks for

    async def drawing(self, saved: SavedCall) -> Drawing:
        """Return the message that names them; who must not be disturbed gets no notification."""
        is_quiet = await self._quiet.are_now(saved.guild, saved.user)
        with reading(self.keeper.discord_api.servers.language(saved.guild)):
            text = words.call(saved.by, saved.user)
        users = [] if is_quiet else [str(saved.user)]
        return Drawing({"content": text, "allowed_mentions": {"parse": [], "users": users}})

    async def save(self, call: DuelCall) -> None:
        """Save a call, if it is still known. Raises `StoreError`."""
        if self._calls.get(call.table) is call:
            await self._saved.keep(call.table, call.saved)

    def forget_call(self, call: DuelCall) -> None:
        """A call has gone, or cannot be sent."""
        call.live.work.stop()
        if self._calls.pop(call.table, None) is not None:
            self.tasks.run(self._saved.forget(call.table), f"forget-duel-call-{call.table}")


def _is_challenge(snapshot: TableOutline) -> bool:
    event = snapshot.sit_and_go
    return event is not None and event.settings.duel is not None and event.is_open and not event.started_at
