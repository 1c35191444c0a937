"""Every click and every form that comes back: read by its id, attended to once, without views.

An id says table, hand and action number, so buttons outlive restarts and nothing is kept in memory for them. A click that Discord
delivers twice is attended to once.

Source: design §5; discord.md §5, §8.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from typing import Any

import discord
from discord.ext import commands

from bot.render import ids, wording
from bot.render.ids import FormPress, PagePress, Press, Verb
from cogs.ui import ceremonies, choosing, playing, preselecting, seating
from cogs.ui.click import Click, Handler, PageClick, PageHandler
from cogs.ui.deed import Deed, deed_of
from cogs.ui.replies import Reply
from cogs.ui.room import Room

log = logging.getLogger(__name__)

SEEN_MOST = 4096

HANDLERS: dict[Verb, Handler] = {
    **playing.HANDLERS,
    **preselecting.HANDLERS,
    **choosing.HANDLERS,
    **seating.HANDLERS,
    **ceremonies.HANDLERS,
}
FORMS: dict[Verb, Handler] = {**playing.FORMS, **seating.FORMS, **ceremonies.FORMS}

_COMPONENT, _FORM = discord.InteractionType.component, discord.InteractionType.modal_submit


class Controls(commands.Cog):
    """Takes clicks.

    Args:
        pages: what attends to clicks on pages, by the page's name; cogs add their own.
    """

    def __init__(
        self, room: Room, pages: Mapping[str, PageHandler], forms: Mapping[Verb, Handler] | None = None
    ) -> None:
        self._room = room
        self._pages = pages
        self._forms = FORMS | dict(forms or {})
        self._seen: dict[int, None] = {}

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Take a click or a form."""
        if interaction.type is _COMPONENT or interaction.type is _FORM:
            await self.take(deed_of(interaction), form=interaction.type is _FORM)

    async def take(self, deed: Deed, *, form: bool) -> None:
        """Attend to a click or a form, once."""
        seen = self._seen
        if deed.id in seen:
            return
        seen[deed.id] = None
        if len(seen) > SEEN_MOST:
            del seen[next(iter(seen))]
        reply = Reply(self._room.wire, deed)
        press = ids.parse(deed.custom_id)
        table = press.table if isinstance(press, Press | FormPress) else 0
        await self._room.attend(deed, reply, self._work(press, deed, reply, form=form), table)

    def _work(
        self, press: Press | PagePress | FormPress | None, deed: Deed, reply: Reply, *, form: bool
    ) -> Awaitable[None]:
        match press:
            case Press(verb=verb) if verb in HANDLERS and not form:
                return HANDLERS[verb](Click(self._room, deed, reply, press))
            case FormPress(verb=verb, user=user) if verb in self._forms and form and user == deed.user:
                return self._forms[verb](Click(self._room, deed, reply, press))
            case PagePress(page=page) if page in self._pages:
                return self._pages[page](PageClick(self._room, deed, reply, press))
            case _:
                log.info("a button that nobody knows", extra={"user": deed.user})
                return _unknown(reply)


async def _unknown(reply: Reply) -> None:
    await reply.private(wording.notice(wording.OLD))
