"""`/hand`: a hand that has been played, in words or as a file. `/report`: a hand that staff should look at."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.pictures.types import Picture
from bot.render.hand.hand_log import hand_log_panel
from bot.render.house import staff_pages
from bot.render.message.custom_ids import Press, parse_custom_id
from bot.render.message.notice import notice_panel
from bot.render.message.panel import TABLE_PICTURE, Panel, payload
from bot.render.pictures.alt_text import picture_alt_text
from bot.render.pictures.table import table_picture
from bot.runtime.errors import NoHandYet, ShownAtTableOnly, TableGone
from bot.runtime.request import Request
from bot.runtime.updates import HandLog
from bot.text import confirmations as words
from bot.text.cards import Emojis
from bot.text.hand_files import FileForm
from bot.text.language import t
from cogs.ui import hand_files
from cogs.ui.answer_pictures import AnswerPicture
from cogs.ui.click import PageClick
from cogs.ui.commands import ChosenMessage, Invocation, slash_command
from cogs.ui.interaction import InteractionInfo
from cogs.ui.person_limits import Effort
from cogs.ui.replies import Reply
from cogs.ui.scenes import hand_log_scene
from cogs.ui.services import Services

About = app_commands.Range[str, 1, staff_pages.REPORT_LENGTH_MAX]
PUBLIC_VIEWER = 0
"""A viewer who sees only what everybody can see."""


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
        log = await self.services.tables.read_hand_log(invocation.request, number or 0)
        picture = await self._picture(invocation.info, log)
        panel = self._panel(log, emojis=self.services.emojis_for(invocation.info.user), picture=picture)
        await invocation.reply.private(panel, picture.file if picture is not None else None)
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
        if click.press.verb in {"report", "reported"}:
            log = await self.services.tables.read_public_hand(click.info.request(), table, hand)
            if click.press.verb == "report":
                await click.reply.form(staff_pages.report_form(table, log.number, click.info.user))
            else:
                about = click.info.fields.get(staff_pages.REPORT_FIELD, "")
                await click.reply.private(await self._report(click.info.request(), table, log.number, about))
            return
        shared = click.press.verb in {"here", "shared"}
        request = click.info.request(table=table)
        snapshot = self.services.tables.table_for(request)
        if shared and snapshot.is_private and snapshot.address.channel != click.info.channel:
            raise ShownAtTableOnly
        log = await self.services.tables.read_hand_log(_as_public(request) if shared else request, hand)
        if click.press.verb == "here":
            self.services.spend(Effort.SHARED_HAND, click.info.user)
        if shared:
            with self.services.in_server_language(click.info.guild):
                picture = await self._picture(click.info, log)
                panel = self._panel(log, number, shared=True, picture=picture)
        else:
            picture = await self._picture(click.info, log)
            panel = self._panel(log, number, emojis=self.services.emojis_for(click.info.user), picture=picture)
        file = picture.file if picture is not None else None
        if click.press.verb == "here":
            await click.reply.public(panel, file)
        else:
            await click.reply.redraw(payload(panel), file)

    async def replay_message(self, invocation: Invocation, message: ChosenMessage) -> Panel | None:
        """Open the hand that a message shows (the command *Replay* in its menu)."""
        hand = _hand_shown(message)
        if hand is None:
            return notice_panel(t(words.NO_HAND_IN_MESSAGE))
        await self.show_hand(invocation.info, invocation.reply, *hand)
        return None

    async def show_hand(self, info: InteractionInfo, reply: Reply, table: int, hand: int) -> None:
        """Answer with a hand, as whoever asks can see it.

        Args:
            table: the id of its table.
        """
        log = await self.services.tables.read_hand_log(info.request(table=table), hand)
        picture = await self._picture(info, log)
        panel = self._panel(log, emojis=self.services.emojis_for(info.user), picture=picture)
        await reply.private(panel, picture.file if picture is not None else None)

    def _panel(
        self,
        log: HandLog,
        number: int = 1,
        *,
        shared: bool = False,
        emojis: Emojis | None = None,
        picture: AnswerPicture | None = None,
    ) -> Panel:
        """Return one page of the hand.

        Args:
            emojis: the cards as the one player who reads it wants to see them.
            picture: the table as everybody saw it at the end.
        """
        scene = hand_log_scene(log, emojis or self.services.emoji_decks.four_colour)
        block = picture.block if picture is not None else None
        return hand_log_panel(scene, log.street_views, number, shared=shared, picture=block)

    async def _picture(self, info: InteractionInfo, log: HandLog) -> AnswerPicture | None:
        """Return the table at the end of a hand, as everybody saw it, whoever asks; None while the hand is played."""
        pictures = self.services.pictures
        if not log.view.over or not pictures.possible(info):
            return None
        if log.view.viewer is not None:
            request = info.request(table=log.address.id)
            log = await self.services.tables.read_hand_log(_as_public(request), log.number)
        look, seat_count = await pictures.look(info.guild), max(log.players_by_seat)
        try:
            settings = self.services.tables.snapshot(log.address.id).settings
        except TableGone:
            settings = None
        if settings is not None:
            look = replace(look, deck=settings.picture_deck, felt=settings.felt)
            seat_count = max(seat_count, settings.seat_count)
        scene = hand_log_scene(log, self.services.emoji_decks.four_colour)

        def describe() -> tuple[Picture, str, str] | None:
            picture = table_picture(scene, look, seat_count=seat_count)
            return (picture, TABLE_PICTURE, picture_alt_text(scene)) if picture is not None else None

        return await pictures.answer(info, describe)


def _hand_shown(message: ChosenMessage) -> tuple[int, int] | None:
    """Return table and number of the hand that a message of the dealer shows; None if its buttons tell of none."""
    for custom_id in message.custom_ids if message.is_own else ():
        press = parse_custom_id(custom_id)
        if isinstance(press, Press) and press.hand:
            return press.table, press.hand
    return None


def _as_public(request: Request) -> Request:
    """Return the request of everybody, for somebody who can see the table."""
    return replace(request, user=PUBLIC_VIEWER, name="", staff=True)


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
