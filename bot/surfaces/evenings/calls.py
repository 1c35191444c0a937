"""Whoever plays again from a sheet calls the others: one message in the new room names those who have played.

It notifies nobody in quiet hours. At a private table its invitation does the same (`bot.surfaces.rooms.room_guests`).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed
from bot.line.payloads import Raw
from bot.line.request_queue import Priority, line_of
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import OF_A_TABLE, SavedKind, SavedValues, ValueStorage
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.store_errors import StoreError
from bot.runtime.store_types import LAST_FORMER_PLAYER
from bot.runtime.tables import Tables
from bot.surfaces.keeper import Drawing, Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.people.quiet_times import QuietTimes
from bot.surfaces.post_once import PostOnce
from bot.text import sheet as words
from bot.text.language import reading

log = logging.getLogger(__name__)

CALLED_MAX = 40
"""More people are not called at once: the message has no room for them."""


class ReturnCall(Struct, frozen=True):
    """A call that is about to be sent, as it is saved until it has been.

    Attributes:
        by: who calls; `people`: whom.
        nonce: of the message, if it may have been sent by a dealer that was killed then; empty for none.
    """

    by: int
    people: tuple[int, ...]
    nonce: str = ""


_CALLS = SavedKind[int, ReturnCall]("again.", OF_A_TABLE, ReturnCall, holds_people=True, told=None)


class ReturnCalls(Part):
    """Sends them, each once."""

    def __init__(
        self, tables: Tables, discord_api: DiscordApi, quiet: QuietTimes, storage: ValueStorage, clock: AlarmClock
    ) -> None:
        self._tables, self._discord_api, self._quiet = tables, discord_api, quiet
        self._saved = SavedValues(_CALLS, storage)
        self._keeper = Keeper(discord_api, clock)
        self.tasks = self._keeper.tasks

    async def open(self) -> None:
        """Send what an earlier run has not sent."""
        for table, call in (await self._saved.load()).items():
            self.tasks.run(self._send(table, call), f"again-{table}")

    async def close(self) -> None:
        await self.tasks.finish(seconds=2.0)

    async def call(self, snapshot: TableSnapshot, by: int, people: Sequence[int]) -> None:
        """Call people to a table that somebody has just opened for them; those who can come there."""
        guild, is_banned = snapshot.address.guild, self._tables.staff_log.is_banned
        called = [
            user
            for user in dict.fromkeys(people)
            if user > LAST_FORMER_PLAYER and user != by and not is_banned(guild, user)
        ]
        if not called:
            return
        call = ReturnCall(by, tuple(called[:CALLED_MAX]))
        await self._saved.keep(snapshot.id, call)
        self.tasks.run(self._send(snapshot.id, call), f"again-{snapshot.id}")

    async def _send(self, table: int, call: ReturnCall) -> None:
        try:
            snapshot = self._tables.snapshot(table)
        except TableError:
            await self._saved.forget(table)
            return

        async def save(location: Location) -> None:
            if location.nonce:
                await self._saved.keep(table, replace(call, nonce=location.nonce))
            else:
                await self._saved.forget(table)

        at = Location(snapshot.address.channel, nonce=call.nonce)
        drawing = Drawing(await self._message(snapshot, call))
        try:
            await PostOnce(self._keeper, line_of(snapshot), at, [drawing], save, priority=Priority.PRIVATE).send()
        except (DiscordFailed, StoreError) as error:
            log.info("call_not_sent", extra={"table": table, "error": repr(error)})

    async def _message(self, snapshot: TableSnapshot, call: ReturnCall) -> Raw:
        """Return the message that names them; who must not be disturbed gets no notification."""
        guild = snapshot.address.guild
        awake = [user for user in call.people if not await self._quiet.are_now(guild, user)]
        with reading(self._discord_api.servers.language(guild)):
            text = words.call_again(call.by, call.people)
        return {"content": text, "allowed_mentions": {"parse": [], "users": [str(user) for user in awake]}}
