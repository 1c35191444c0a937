"""Handle every click and every submitted form once, by its custom id.

A custom id names the table, the hand and the action, so buttons outlive restarts and need no memory. Discord can deliver a click twice;
it is handled once.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Awaitable, Mapping

from bot.background_tasks import BackgroundTasks
from bot.engine.errors import TableError
from bot.line.interaction import ClickEvent, InteractionInfo, click_info
from bot.render.message import custom_ids
from bot.render.message.custom_ids import FormSubmission, PagePress, Press
from bot.render.message.notice import notice_panel
from bot.runtime.errors import TableGone
from bot.runtime.request import INTERACTION
from bot.surfaces.replies import Reply
from bot.table.refusals import (
    AlreadySeated,
    KeptOutOfTable,
    MisdealClaimNotYours,
    NotInvited,
    NotSeated,
    NotYourGameChoice,
    NotYourSeatChoice,
    NotYoursToCut,
    SeatExchangePending,
)
from bot.text.buttons import Verb
from bot.text.language import t
from bot.text.refusals import wording
from cogs.presses import (
    ceremonies,
    choosing,
    guests,
    my_hand,
    out_of_chips,
    playing,
    preselection,
    seating,
    table_chips,
)
from cogs.support.services import Click, Handler, PageClick, PageHandler, Services

log = logging.getLogger(__name__)

HANDLED_IDS_MAX = 4096

PLAYING: dict[Verb, Handler] = {**playing.HANDLERS, **preselection.HANDLERS, **choosing.HANDLERS}
"""Clicks that play a hand. They are answered on the table's message or in the player's panel."""
HANDLERS: dict[Verb, Handler] = {
    **PLAYING,
    **seating.HANDLERS,
    **ceremonies.HANDLERS,
    **guests.HANDLERS,
    **out_of_chips.HANDLERS,
    **table_chips.HANDLERS,
}
FORMS: dict[Verb, Handler] = {**playing.FORMS, **preselection.FORMS, **seating.FORMS, **ceremonies.FORMS}

_AT_TABLE = (Press, FormSubmission)
MEANT_FOR_OTHERS = (NotYourGameChoice, NotYoursToCut, NotYourSeatChoice, SeatExchangePending, MisdealClaimNotYours)
"""Refusals of buttons that everybody sees and that only some players can use."""


class ClickListener:
    """Routes clicks and forms to their handlers.

    Args:
        pages: the handler of each page, by the page's name.
        forms: handlers of forms that cogs add.
    """

    def __init__(
        self, services: Services, pages: Mapping[str, PageHandler], forms: Mapping[Verb, Handler] | None = None
    ) -> None:
        self._services = services
        self._pages = pages
        self._forms = FORMS | dict(forms or {})
        self._handled_ids: dict[int, None] = {}
        self._tasks = BackgroundTasks()

    def on_click(self, event: ClickEvent) -> None:
        """Begin to handle a click or a form, as the gateway delivers it. Nothing that is wrong with it ends the connection."""
        self._tasks.run(self._read_and_handle(event), "click")

    def knows(self, event: ClickEvent) -> bool:
        """Return whether a click in a direct message is about a table of this dealer and somebody who has been there, or about no table."""
        info = click_info(event)
        press = custom_ids.parse_custom_id(info.custom_id)
        if not isinstance(press, Press | FormSubmission):
            return True
        try:
            self._services.tables.snapshot(press.table)
        except TableError:
            return False
        return self._is_of_this_server(press, info)

    async def _read_and_handle(self, event: ClickEvent) -> None:
        await self.handle(click_info(event), form=event.is_form)

    async def handle(self, info: InteractionInfo, *, form: bool) -> None:
        """Handle a click or a form, once."""
        INTERACTION.set(str(info.id))  # each event is handled in a task of its own
        seen = self._handled_ids
        if info.id in seen:
            return
        seen[info.id] = None
        if len(seen) > HANDLED_IDS_MAX:
            del seen[next(iter(seen))]
        if await self._services.refuse_flood(info):
            return
        reply = Reply(self._services.discord_api, info, self._services.private_answers)
        is_public = info.has_message and not info.message_is_private
        if is_public:
            reply.pressed = self._services.display.answers
        press = custom_ids.parse_custom_id(info.custom_id)
        if isinstance(press, PagePress):  # a made-up id can name any page: a table's message is never redrawn as one
            services = self._services
            is_table = services.display.is_table_message(info.channel, info.message)
            reply.keeps_message = is_table or services.lobby.is_board(info.guild, info.message)
        elif press is not None and not self._is_of_this_server(press, info):
            log.info("button_of_another_server", extra={"user": info.user})
            press = None
        table, refuse, work = 0, None, None
        if isinstance(press, _AT_TABLE):
            click = Click(self._services, info, reply, press)
            table, refuse = press.table, functools.partial(_refuse, click)
            try:
                await self._require_may_press(info, table)
            except TableError as error:
                await self._services.handle(info, reply, _refuse_press(error))
                return
            work = self._route(click, form=form)
        elif press is not None and press.page in self._pages:
            work = self._pages[press.page](PageClick(self._services, info, reply, press))
        if work is None:
            log.info("button_unknown", extra={"user": info.user})
            work = _answer_unknown_button(reply)
        await self._services.handle(info, reply, work, table, refuse)
        if is_public:
            self._services.display.answers.note_click(info)

    async def _require_may_press(self, info: InteractionInfo, table: int) -> None:
        """Refuse somebody whom the table does not concern. Staff press the buttons of a private table too."""
        try:
            self._services.tables.require_may_press(info.request(table=table))
        except (NotInvited, KeptOutOfTable, TableGone):
            self._services.tables.require_may_press(await self._services.request(info, table=table))

    def _is_of_this_server(self, press: Press | FormSubmission, info: InteractionInfo) -> bool:
        """Whether a button's table is in the server where it was clicked. An id that somebody has made up can name any table.

        In a direct message there is no server: only people who have been at the table, or asked for a seat there, have had one about it.
        """
        try:
            snapshot = self._services.tables.snapshot(press.table)
        except TableError:  # its handler says that the table is closed
            return True
        if info.guild:
            return info.guild == snapshot.address.guild
        return snapshot.knows(info.user) or self._services.seat_pings.has_told(press.table, info.user)

    def _route(self, click: Click, *, form: bool) -> Awaitable[None] | None:
        """Return what handles a click at a table, or a form; None where it is neither's id."""
        match click.press:
            case Press(verb=verb) if verb in HANDLERS and not form:
                return HANDLERS[verb](click)
            case FormSubmission(verb=verb, user=user) if verb in self._forms and form and user == click.info.user:
                return self._forms[verb](click)
            case _:
                return None


async def _refuse_press(error: TableError) -> None:
    raise error


async def _refuse(click: Click, error: TableError) -> None:
    """Explain a refused click: in the panel of a player of the hand; whom the button is not meant for gets their own menu instead."""
    services, info, table = click.services, click.info, click.press.table
    if isinstance(error, NotSeated | AlreadySeated):
        await seating.open_own_menu(click)
        return
    if click.press.verb in PLAYING:
        await my_hand.refuse_click(click, error)
        return
    names = services.names_by_seat(info, table)
    if isinstance(error, MEANT_FOR_OTHERS):
        await seating.open_own_menu(click, wording.refusal_text(error, names))
    elif services.display.is_behind(table, info.message):
        await my_hand.redraw_and_tell(click, wording.refusal_text(error, names))
    else:
        await click.reply.refuse(error, names)


async def _answer_unknown_button(reply: Reply) -> None:
    await reply.private(notice_panel(t(wording.EXPIRED_BUTTON)))
