"""Clicks in direct messages, where a bot has several dealers: Discord delivers all of them to the dealer of the first slot.

That one passes on what another dealer has drawn. The other one handles it as if it had heard of it itself: the interaction's own token is
all that an answer needs. If nobody takes it in time, whoever pressed is asked to press again.
"""

from __future__ import annotations

import asyncio
import logging

import msgspec

from bot.background_tasks import BackgroundTasks
from bot.line.client import DiscordClient
from bot.line.gateway import CLICK
from bot.line.interaction import ClickEvent, click_info
from bot.line.slot_marks import SlotMark, slot_marked
from bot.render.message.notice import notice_panel
from bot.runtime.passed_clicks import PassedClick, PassedClicks
from bot.runtime.store_errors import StoreError
from bot.surfaces.part import Part
from bot.surfaces.replies import Reply
from bot.text.language import t
from bot.text.refusals.runtime import PRESS_AGAIN
from cogs.support.click_listener import ClickListener
from cogs.support.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.2
"""So often a dealer looks for clicks that were passed on to it. A person waits as long at most, and half as long mostly."""
TAKE_BACK_SECONDS = 0.3
"""How long it can take to learn whether a click was taken; as much is left to answer it then."""
_EVENT = msgspec.json.Decoder(ClickEvent, strict=False)


class DirectClicks(Part):
    """Passes clicks on, and handles those that were passed on to this dealer.

    Args:
        mark: of this dealer; None where it is the only one.
        passed: where clicks wait for another dealer; None where there is none.
    """

    def __init__(
        self,
        client: DiscordClient,
        listener: ClickListener,
        services: Services,
        mark: SlotMark | None = None,
        passed: PassedClicks | None = None,
    ) -> None:
        self._listener, self._services, self._mark, self._passed = listener, services, mark, passed
        self.tasks = BackgroundTasks()
        if passed is not None:
            client.read(CLICK, self.on_click)

    async def open(self) -> None:
        if self._passed is not None:
            self.tasks.run(self._follow(self._passed), "passed-clicks")

    async def close(self) -> None:
        await self.tasks.stop()

    def on_click(self, event: ClickEvent) -> None:
        """Begin to handle a click, or to pass it on."""
        slot = slot_marked(event.data.custom_id)
        if event.guild_id is not None or self._passed is None or self._mark is None:
            self._listener.on_click(event)
        elif slot == self._mark.number or (slot is None and self._listener.knows(event)):
            self._handle(event)
        else:
            self.tasks.run(self._pass_on(event, slot, self._passed), "pass-click-on")

    def _handle(self, event: ClickEvent) -> None:
        self._services.discord_api.by_token.note_direct(event.token)
        self._listener.on_click(event)

    async def _pass_on(self, event: ClickEvent, slot: int | None, passed: PassedClicks) -> None:
        """Pass a click on, and see to it that it is answered."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._services.discord_api.by_token.seconds_left(event.id) - 2 * TAKE_BACK_SECONDS
        try:
            async with asyncio.timeout_at(until):
                await passed.pass_on(PassedClick(event.id, slot, msgspec.json.encode(event)))
            await asyncio.sleep(until - loop.time())
            async with asyncio.timeout(TAKE_BACK_SECONDS):
                is_left = await passed.take_back(event.id)
        except (TimeoutError, StoreError) as error:
            log.warning("click_not_passed_on", extra={"error": repr(error)})
            is_left = True
        if is_left and slot is None:  # of a table that nobody has any more, for all that is known
            self._handle(event)
        elif is_left:
            info = click_info(event)
            log.warning("click_not_taken", extra={"slot": slot, "user": info.user})
            reply = Reply(self._services.discord_api, info, self._services.private_answers)
            await self._services.handle(info, reply, _ask_to_press_again(reply))

    async def _follow(self, passed: PassedClicks) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                waiting = await passed.waiting()
            except StoreError as error:
                log.warning("passed_clicks_not_read", extra={"error": repr(error)})
                continue
            for click in waiting:
                try:
                    await self._take(click, passed)
                except Exception:  # one that nobody can handle must not keep the others back
                    log.exception("passed_click_failed", extra={"interaction": click.interaction})

    async def _take(self, click: PassedClick, passed: PassedClicks) -> None:
        event = _EVENT.decode(click.event)
        if (click.slot is not None or self._listener.knows(event)) and await passed.take(click.interaction):
            self._handle(event)


async def _ask_to_press_again(reply: Reply) -> None:
    await reply.private(notice_panel(t(PRESS_AGAIN)))
