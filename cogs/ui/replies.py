"""The one answer to an interaction: at once where it can be, deferred after two seconds where it cannot, never twice.

What cannot reach Discord any more is logged and reported to the caller; nothing here raises for it.

Source: design §5 "Answer or defer within 3 s, whatever happens"; style §5, §6.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from typing import TypeVar

import aiohttp
import discord

from bot.engine.errors import TableError
from bot.render import wording
from bot.render.panel import Form, Panel, Raw, form_payload, payload
from cogs.ui.deed import Deed
from cogs.ui.wire import DEFER, DEFER_UPDATE, EPHEMERAL, FORM, MESSAGE, TOO_LATE, UPDATE, Wire, layout, private_layout

log = logging.getLogger(__name__)
T = TypeVar("T")

DEFER_SECONDS = 2.0
"""Discord waits three; the third is for the way there."""


class Reply:
    """The answer to one deed. The first thing said is the answer; what is said after it follows privately.

    Attributes:
        given: something was answered, or deferred.
        lost: Discord took no answer: it came too late.
    """

    __slots__ = ("_deed", "_deferral", "_refused", "_thinking", "_timer", "_wire", "given", "lost")

    def __init__(self, wire: Wire, deed: Deed) -> None:
        self._wire = wire
        self._deed = deed
        self._deferral: asyncio.Task[None] | None = None
        self._thinking = self._refused = False
        self.given = self.lost = False
        self._timer = asyncio.get_running_loop().call_later(DEFER_SECONDS, self._out_of_time)

    # saying

    async def private(self, panel: Panel) -> bool:
        """Say something to who asked, alone. Returns whether it reached Discord."""
        data = private_layout(payload(panel))
        if await self._first():
            return await self._reaches(self._wire.answer(self._deed.id, self._deed.token, MESSAGE, data))
        if self._thinking:
            self._thinking = False
            return await self._reaches(self._wire.edit_original(self._deed.token, layout(data["components"])))
        return await self._reaches(self._wire.follow_up(self._deed.token, data))

    async def public(self, panel: Panel) -> int:
        """Say something to everybody in the channel; the id of the message, 0 if it did not reach Discord."""
        data = layout(payload(panel))
        if await self._first():
            shown = self._wire.answer_shown(self._deed.id, self._deed.token, data)
        else:
            if self._thinking:  # a deferred answer is private for good
                self._thinking = False
                done = payload(wording.notice("Done."))
                await self._reaches(self._wire.edit_original(self._deed.token, layout(done)))
            shown = self._wire.follow_up(self._deed.token, data)
        return await self._result(shown) or 0

    async def redraw(self, components: list[Raw]) -> bool:
        """Redraw the message that was clicked: answer and redraw in one call. Returns whether it reached Discord."""
        if await self._first():
            return await self._reaches(self._wire.answer(self._deed.id, self._deed.token, UPDATE, layout(components)))
        return await self._reaches(self._wire.edit_original(self._deed.token, layout(components)))

    async def form(self, form: Form) -> bool:
        """Open a form. Returns False where the time for that is over."""
        if await self._first():
            return await self._reaches(self._wire.answer(self._deed.id, self._deed.token, FORM, form_payload(form)))
        await self.private(wording.notice("That took too long. Nothing happened; please press again."))
        return False

    async def nothing(self) -> None:
        """Take note of a click without a word."""
        if self._deed.component and await self._first():
            await self._reaches(self._wire.answer(self._deed.id, self._deed.token, DEFER_UPDATE))

    async def refuse(self, error: TableError, names: Mapping[int, str] = wording.NOBODY) -> None:
        """Explain a refusal to who asked. `names` are markdown-safe, by table seat."""
        await self.private(wording.refusal(error, names))

    async def broken(self) -> None:
        """A fault of ours, already logged: say so plainly."""
        await self.private(wording.notice(wording.BROKEN))

    async def close(self) -> None:
        """The deed is done with: no clock keeps running, and nobody is left waiting for an answer."""
        self._timer.cancel()
        if self._deferral is not None:
            await self._deferral
        if self._refused:  # what we wrote was no message: that is a fault of ours, and an answer is still owed
            self._refused = self.given = False
            await self.broken()
        if self._thinking:
            await self.private(wording.notice("Done."))
        elif not self.given:
            if self._deed.component:
                await self.nothing()
            else:
                await self.private(wording.notice("Done."))

    # inside

    async def _first(self) -> bool:
        """Take the one answer; False when it has been taken, by a deferral or by an earlier word."""
        if not self.given:
            self.given = True
            self._timer.cancel()
            return True
        if self._deferral is not None:
            await self._deferral
        return False

    def _out_of_time(self) -> None:
        if not self.given:
            self.given = True
            self._deferral = asyncio.get_running_loop().create_task(self._defer(), name="defer")

    async def _defer(self) -> None:
        deed = self._deed
        if deed.component:
            await self._reaches(self._wire.answer(deed.id, deed.token, DEFER_UPDATE))
        elif await self._reaches(self._wire.answer(deed.id, deed.token, DEFER, {"flags": EPHEMERAL})):
            self._thinking = True

    async def _reaches(self, sent: Awaitable[object]) -> bool:
        return await self._result(_true(sent)) is not None

    async def _result(self, sent: Awaitable[T]) -> T | None:
        """What Discord answers; None where it did not take it."""
        try:
            return await sent
        except discord.HTTPException as error:
            self.lost = True
            fields = {"user": self._deed.user, "channel": self._deed.channel, "code": error.code}
            if error.code in TOO_LATE or error.status in {404, 429} or error.status >= 500:
                log.info("an answer came too late or was not taken: %s", error.text, extra=fields)
            else:
                self._refused = error.status == 400
                log.exception("Discord refused an answer", extra=fields)
        except (aiohttp.ClientError, OSError) as error:
            self.lost = True
            log.warning("the line broke while answering: %r", error, extra={"user": self._deed.user})
        return None


async def _true(sent: Awaitable[object]) -> bool:
    await sent
    return True
