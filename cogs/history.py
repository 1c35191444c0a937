"""`/hand`: a hand that has been played, in words or as a file. `/report`: a hand that staff should look at."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.render.house import staff_pages
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.runtime.errors import NoHandYet, ShownAtTableOnly
from bot.runtime.request import Request
from bot.text import confirmations as words
from bot.text.hand_files import FileForm
from bot.text.language import t
from cogs.ui import hand_files, replaying
from cogs.ui.click import PageClick
from cogs.ui.commands import ChosenMessage, Invocation, slash_command
from cogs.ui.interaction import InteractionInfo
from cogs.ui.person_limits import Effort
from cogs.ui.replies import Reply
from cogs.ui.services import Services

About = app_commands.Range[str, 1, staff_pages.REPORT_LENGTH_MAX]


class HistoryCog(commands.Cog):
    """`/hand` and `/report`."""

    def __init__(self, services: Services) -> None:
        self.services = services

    @slash_command("hand")
    async def hand(
        self, invocation: Invocation, number: app_commands.Range[int, 1] | None = None, file: str = ""
    ) -> Panel | None:
        if file:
            hand_files.spend(self.services, invocation.info)
            record = await self.services.tables.read_hand_record(invocation.request, number or 0)
            form = FileForm(file) if file in list(FileForm) else FileForm.TEXT
            await hand_files.send_hand(invocation.reply, record, form)
            return None
        log = await self.services.tables.read_hand_log(await invocation.staff_request(), number or 0)
        await replaying.show_hand_log(self.services, invocation.info, invocation.reply, log)
        return None

    @slash_command("report")
    async def report(
        self,
        invocation: Invocation,
        about: About,
        number: app_commands.Range[int, 1] | None = None,
        table: app_commands.Range[int, 1] | None = None,
    ) -> Panel:
        found = await self.services.tables.find_hand(invocation.request, table or 0, number or 0)
        return await self._report(invocation.request, *found, about)

    async def _report(self, request: Request, table: int, hand: int, about: str) -> Panel:
        await self.services.tables.staff_log.report(request, table, hand, about)
        return staff_pages.reported_panel(hand)

    async def page(self, click: PageClick) -> None:
        """Answer a click on a hand in words: another page, showing it to everybody, or reporting it."""
        table, hand, number = _parse_page_words(click.press.words)
        services, info, verb = self.services, click.info, click.press.verb
        request = await services.request(info, table=table)
        if verb in {"report", "reported"}:
            log = await services.tables.read_public_hand(request, table, hand)
            if verb == "report":
                await click.reply.form(staff_pages.report_form(table, log.number, info.user))
            else:
                about = info.fields.get(staff_pages.REPORT_FIELD, "")
                await click.reply.private(await self._report(request, table, log.number, about))
            return
        if verb not in {"here", "shared"}:
            log = await services.tables.read_hand_log(request, hand)
            await replaying.show_hand_log(services, info, click.reply, log, number)
            return
        log = await services.tables.read_public_hand(request, table, hand)
        if log.private and log.address.channel != info.channel:
            raise ShownAtTableOnly
        if verb == "here":
            services.spend(Effort.SHARED_HAND, info.user)
        with services.in_server_language(info.guild):
            panel, file = await replaying.hand_log_page(services, info, log, number, shared=True)
        if verb == "here":
            await click.reply.public(panel, file)
        else:
            await click.reply.redraw(payload(panel), file)

    async def replay_message(self, invocation: Invocation, message: ChosenMessage) -> Panel | None:
        """Open the hand that a message shows (the command *Replay* in its menu)."""
        services, info, reply = self.services, invocation.info, invocation.reply
        hand = replaying.hand_shown(message.custom_ids) if message.is_own else None
        if hand is None:
            return notice_panel(t(words.NO_HAND_IN_MESSAGE))
        await replaying.show_replay(services, info, reply, hand)
        return None

    async def show_hand(self, info: InteractionInfo, reply: Reply, table: int, hand: int) -> None:
        """Answer with a hand, as whoever asks can see it.

        Args:
            table: the id of its table.
        """
        request = await self.services.request(info, table=table)
        log = await self.services.tables.read_hand_log(request, hand)
        await reply.private(*await replaying.hand_log_page(self.services, info, log, 1))


def _parse_page_words(words: tuple[str, ...]) -> tuple[int, int, int]:
    """Read table, hand and page from a button's words, ``12.34`` and ``2.next``.

    Raises:
        NoHandYet: they name no hand.
    """
    table, _, hand = (words[0] if words else "").partition(".")
    number = (words[1] if len(words) > 1 else "1").partition(".")[0]
    if not (table.isdecimal() and hand.isdecimal() and number.isdecimal()):
        raise NoHandYet(hands=0)
    return int(table), int(hand), int(number)
