"""Menus: a command with pages. A page is chosen by the command's option `page`, in the select of the menu, or by a button.

A page that needs something first asks for it: a person by a select of people, the rest by a form. Nothing of it is kept: the ids of
select, button and form name the command, the page and the person.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from bot.line.interaction import InteractionInfo
from bot.render.menus import GO, OPEN, PERSON, SUBMIT, form, home_button, person_panel
from bot.render.message.custom_ids import NUMBER_MAX
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Buttons, Panel, payload
from bot.surfaces.replies import Reply
from bot.text.language import t
from bot.text.refusals.wording import EXPIRED_BUTTON
from cogs.support.commands import Invocation
from cogs.support.did_you_mean import Options
from cogs.support.services import PageClick

PageWork: TypeAlias = Callable[[Invocation, Options], Awaitable[Panel | None]]
"""Shows a page, or does what it asks for. It takes what was filled in, by the field, and the person as `PLAYER`.

A panel that it returns is the private answer. It returns None when it has answered itself.
"""
PLAYER = "player"


class MenuPage(Struct, frozen=True):
    """A page of a menu.

    Attributes:
        fields: what its form asks for, by the names of `bot.text.menus.FIELDS`; none for a page without a form.
        of_person: it is about a person, who is chosen first.
        nobody: instead of a person, nobody can be chosen.
        admit: refuses whoever cannot open it.
    """

    work: PageWork
    fields: tuple[str, ...] = ()
    of_person: bool = False
    nobody: bool = False
    admit: Callable[[InteractionInfo], Awaitable[None]] | None = None


def without_input(work: Callable[[Invocation], Awaitable[Panel | None]], *fields: str) -> MenuPage:
    """Return a page that shows or does something at once."""

    async def shown(invocation: Invocation, _: Options) -> Panel | None:
        return await work(invocation)

    return MenuPage(shown, fields)


class Menu:
    """The menu of a command.

    Args:
        command: its name.
        home: shows the menu.
        pages: by the values of the command's option `page`.
        admit: refuses whoever cannot open any of it.
        note: what is added to every answer; empty for nothing.
    """

    def __init__(
        self,
        command: str,
        home: Callable[[Invocation], Awaitable[Panel | None]],
        pages: Mapping[str, MenuPage],
        *,
        admit: Callable[[InteractionInfo], Awaitable[None]] | None = None,
        note: Callable[[Panel, InteractionInfo], Awaitable[Panel]] | None = None,
    ) -> None:
        self.command, self._home, self.pages = command, home, pages
        self._admit, self._note = admit, note

    async def open(self, invocation: Invocation, page: str = "", given: Options | None = None) -> Panel | None:
        """Open a page, or the menu itself; a page that needs something first asks for it.

        Args:
            given: what is known already, by the field.
        """
        if self._admit is not None:
            await self._admit(invocation.info)
        if page not in self.pages:
            return await self._noted(await self._home(invocation), invocation)
        asked, known = self.pages[page], given or {}
        if asked.admit is not None:
            await asked.admit(invocation.info)
        if asked.of_person and not (int(known.get(PLAYER, 0)) or (asked.nobody and PLAYER in known)):
            return person_panel(self.command, page, nobody=asked.nobody)
        if asked.fields and not known.keys() >= {*asked.fields}:
            number = invocation.info.id % 1000
            await invocation.reply.form(form(self.command, page, asked.fields, int(known.get(PLAYER, 0)), number))
            return None
        return await self._noted(await asked.work(invocation, known), invocation)

    async def _noted(self, panel: Panel | None, invocation: Invocation) -> Panel | None:
        return await self._note(panel, invocation.info) if panel is not None and self._note is not None else panel

    async def press(self, click: PageClick) -> None:
        """Answer a click on the menu, a person that was chosen, or a form that was filled in. A private message is redrawn."""
        info, verb, words = click.info, click.press.verb, (*click.press.words, "", "")
        page, given = words[1], _person(words[2].partition(".")[0])
        if verb == SUBMIT and page in self.pages:
            given |= {field: info.fields.get(field, "") for field in self.pages[page].fields}
        elif verb == OPEN:
            page = info.values[0] if info.values else ""
        elif verb == PERSON:
            given |= _person(info.values[0] if info.values else "0")

        async def ask(info: InteractionInfo, reply: Reply, options: Options) -> None:
            if verb == SUBMIT and not (page in self.pages and self.pages[page].fields):
                if self._admit is not None:  # somebody has made the form up, and none can be answered with another
                    await self._admit(info)
                await reply.private(notice_panel(t(EXPIRED_BUTTON)))
                return
            panel = await self.open(Invocation(click.services, info, reply), page, options)
            if panel is None:
                return
            if page in self.pages and verb in {OPEN, GO}:
                panel = replace(panel, blocks=(*panel.blocks, Buttons((home_button(self.command),))))
            if info.message_is_private and reply.instead is None:
                await reply.redraw(payload(panel))
            else:
                await reply.private(panel)

        await click.services.corrections.answer(info, click.reply, ask, given)


def _person(text: str) -> dict[str, str]:
    """Return the person whom an id names; nothing where it names none. An id that somebody has made up can name anything."""
    return {PLAYER: text} if text.isdecimal() and text.isascii() and int(text) <= NUMBER_MAX else {}


class Menus:
    """All menus by their commands: answers the clicks on them."""

    def __init__(self, *menus: Menu) -> None:
        self._menus = {menu.command: menu for menu in menus}

    async def press(self, click: PageClick) -> None:
        """Answer a click on a menu."""
        menu = self._menus.get(click.press.words[0] if click.press.words else "")
        if menu is None:
            await click.reply.private(notice_panel(t(EXPIRED_BUTTON)))
            return
        await menu.press(click)
