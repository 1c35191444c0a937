"""The staff channel: the staff log of a server, told line by line in the channel that its staff have named.

Lines are told from the store, after the last one that was told. So nothing is lost by a crash, and nobody at a table waits for it. What
happens within a few seconds comes in one message. While the dealer cannot write in the channel the lines wait, and staff read that at
their next `/house`.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Protocol

from bot.line.api import DiscordApi
from bot.line.failures import DiscordFailed, Rejected
from bot.line.payloads import message_data
from bot.line.request_queue import RequestLine
from bot.render.house.staff_pages import staff_log_panel
from bot.render.message.panel import Panel, payload
from bot.runtime.bank import Bank
from bot.runtime.clock import AlarmClock
from bot.runtime.saved_values import OF_A_SERVER, SavedKind, SavedValues, ValueStorage
from bot.runtime.staff_log_types import StaffLogLine
from bot.runtime.store_errors import StoreError
from bot.signals import ChannelChanged, RolesChanged, Signals, StaffLogWritten
from bot.surfaces.due_work import DueWork
from bot.surfaces.keeper import RETRY_MS, Drawing, Keeper, Location
from bot.surfaces.part import Part
from bot.surfaces.post_once import PostOnce, nonce_of
from bot.text.language import reading

log = logging.getLogger(__name__)

BETWEEN_MESSAGES_MS = 5_000
"""How long after a message the next one follows: a burst becomes one message."""
LINES_PER_MESSAGE = 10
_TOLD = SavedKind[int, int]("staff.told.", OF_A_SERVER, int)
"""The id of the last line that was told."""
_SENDING = SavedKind[int, int]("staff.sending.", OF_A_SERVER, int)
"""The id of the last line of a message that is about to be sent, or has been by a dealer that was killed then."""


class StaffLogStorage(ValueStorage, Protocol):
    """Where the lines are, and how far they have been told. The store is one."""

    async def staff_log(self, guild: int, *, after: int, limit: int) -> tuple[StaffLogLine, ...]: ...

    async def newest_staff_log_line(self, guild: int) -> int: ...


class StaffChannel(Part):
    """Tells staff what is new in the staff log."""

    def __init__(
        self, discord_api: DiscordApi, bank: Bank, storage: StaffLogStorage, clock: AlarmClock, signals: Signals
    ) -> None:
        self._discord_api = discord_api
        self._bank = bank
        self._storage = storage
        self._told, self._sending = SavedValues(_TOLD, storage), SavedValues(_SENDING, storage)
        self._keeper = Keeper(discord_api, clock)
        self.tasks = self._keeper.tasks
        self._work: dict[int, DueWork] = {}
        self._next_at: dict[int, int] = {}
        self._closed: set[int] = set()
        signals.on(StaffLogWritten, lambda signal: self.wake(signal.guild))
        signals.on(ChannelChanged, lambda signal: self._rights_changed(signal.guild))
        signals.on(RolesChanged, lambda signal: self._rights_changed(signal.guild))

    async def open(self) -> None:
        """Tell what an earlier run has not told."""
        for guild in await self._told.load():
            self.wake(guild)

    async def close(self) -> None:
        """Stop. What has not been told waits for the next run."""
        for work in self._work.values():
            work.stop()
        await self._keeper.tasks.stop()

    async def begin(self, guild: int) -> None:
        """Tell what is written from now on, in a server whose staff are about to name their first channel."""
        await self._told.keep(guild, await self._storage.newest_staff_log_line(guild))

    async def waiting_lines(self, guild: int) -> int:
        """Return how many lines have not been told, counted up to a hundred."""
        return len(await self._storage.staff_log(guild, after=await self._told_up_to(guild), limit=100))

    def wake(self, guild: int) -> None:
        """Tell what is new in a server. Returns at once."""
        if guild not in self._work:
            tell, possible_at = partial(self._tell, guild), partial(self._possible_at, guild)
            self._work[guild] = DueWork(self._keeper.tasks, self._keeper.clock, f"staff-{guild}", tell, possible_at)
            self._work[guild].start()
        self._work[guild].wake()

    def _rights_changed(self, guild: int) -> None:
        if guild in self._closed:
            self.wake(guild)

    def _possible_at(self, guild: int, now: int) -> int:
        return max(now, self._next_at.get(guild, 0))

    async def _tell(self, guild: int) -> None:
        """Tell the next lines in one message."""
        try:
            told, sending = await self._told_up_to(guild), await self._sending.get(guild) or 0
            channel = (await self._bank.house_rules(guild)).staff_channel
            lines = await self._storage.staff_log(guild, after=told, limit=LINES_PER_MESSAGE)
            if told < sending:  # these, as they were when the dealer was killed
                lines = tuple(line for line in lines if line.id <= sending)
            if not channel or not lines:
                return
            with reading(self._discord_api.servers.language(guild)):
                panel, count = staff_log_panel(lines, self._keeper.clock.now())
            self._next_at[guild] = self._keeper.clock.now() + BETWEEN_MESSAGES_MS
            if await self._send(guild, channel, panel, lines[count - 1].id, sending):
                self._work[guild].mark_due()
        except StoreError as error:
            log.warning("staff_log_not_told", extra={"guild": guild, "error": repr(error)})
            self._work[guild].wake_later(RETRY_MS)

    async def _send(self, guild: int, channel: int, panel: Panel, last: int, sending: int) -> bool:
        """Send the lines up to the last one. Returns whether more can follow."""

        async def save(location: Location) -> None:
            if location.message:
                await self._told.keep(guild, last)
            if location.nonce:
                await self._sending.keep(guild, last)
            else:
                await self._sending.forget(guild)

        self._closed.discard(guild)
        nonce, drawings = nonce_of(guild, last, "staff"), [Drawing(message_data(payload(panel)))]
        before = Location(channel, nonce=nonce if sending == last else "")
        try:
            await PostOnce(self._keeper, RequestLine(guild), before, drawings, save, nonce=nonce).send()
        except DiscordFailed as error:
            fields = {"guild": guild, "channel": channel, "status": error.status, "code": error.code}
            if not isinstance(error, Rejected):  # staff have to put that right; the lines wait
                log.info("staff_channel_closed", extra=fields)
                self._closed.add(guild)
                return False
            log.exception("staff_channel_message_refused", extra=fields)  # sent again it would be refused again
            await self._told.keep(guild, last)
        return True

    async def _told_up_to(self, guild: int) -> int:
        return await self._told.get(guild) or 0
