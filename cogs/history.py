"""`/hand`: hands that have been played, in words or as a file, with a button that reports one to the staff; hands from a file."""

import discord
from discord import app_commands
from msgspec.structs import replace

from bot.line.interaction import InteractionInfo
from bot.render.hand.found_hands import HandSearch
from bot.render.hand.hand_imports import import_form
from bot.render.hand.replay_ids import FileStep, ReplayPress, parse_replay_words
from bot.render.house import staff_pages
from bot.render.house.statistics_pages import game_token
from bot.render.message.custom_ids import PagePress
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.runtime.errors import HandDeleted, HandUnreadable, NoHandYet, NoTableHere, ShownAtTableOnly, WhichTable
from bot.runtime.request import Request
from bot.surfaces.replies import Reply
from bot.text import confirmations as words
from bot.text.commands import TEXT_MAX
from bot.text.game_names import game_name
from bot.text.hand_files import FileForm
from bot.text.language import t
from bot.text.refusals import wording
from bot.text.replay import DAYS
from cogs.cog import ServicesCog
from cogs.downloads import Downloads
from cogs.imports import ImportPages
from cogs.presses import finding, hand_files, replaying
from cogs.support.commands import ChosenMessage, Interaction, Invocation, completions, slash_command
from cogs.support.dates import parse_days
from cogs.support.services import Effort, PageClick, Services


class HistoryCog(ServicesCog):
    """`/hand`."""

    def __init__(self, services: Services, imports: ImportPages) -> None:
        self.services, self._imports, self._downloads = services, imports, Downloads(services)

    @slash_command("hand")
    async def hand(
        self,
        invocation: Invocation,
        number: app_commands.Range[str, 1, TEXT_MAX] | None = None,
        table: app_commands.Range[int, 1] | None = None,
        player: discord.User | None = None,
        game: app_commands.Range[str, 1, TEXT_MAX] | None = None,
        date: app_commands.Range[str, 1, TEXT_MAX] | None = None,
        file: str = "",
        hands: str = "",
    ) -> Panel | None:
        return await self.find(invocation, number, table, player, game, date, file, hands)

    async def find(
        self,
        invocation: Invocation,
        number: str | None = None,
        table: int | None = None,
        player: discord.User | None = None,
        game: str | None = None,
        date: str | None = None,
        file: str = "",
        hands: str = "",
    ) -> Panel | None:
        """Find hands as `/hand` does, by its options."""
        services, info, reply = self.services, invocation.info, invocation.reply
        if hands == "import":
            await reply.form(import_form(info.id))
            return None
        if hands:
            await self._downloads.download(invocation, hands, date, table, file)
            return None
        named = finding.parse_reference(number) if number is not None else None
        if named is not None and named.in_file:
            await self._imports.show_step(info, reply, FileStep(0, named.hand, named.step))
            return None
        table_number = named.table if named is not None and named.table else table or 0
        request = await invocation.staff_request()
        if named is None and not file and (table or player or game or date):
            return await self._find(info, request, table_number, player, game, date)
        hand = named.hand if named is not None else 0
        try:
            await self._show(invocation, request, table_number, hand, named.step if named is not None else 0, file)
        except (HandDeleted, HandUnreadable) as gone:
            if table_number:
                record = await services.tables.require_readable_table(request, table_number, gone.hand)
                request = replace(request, table=record.id)
            table_id, hand = await services.tables.hand_to_report(request, gone.hand)
            await reply.private(staff_pages.gone_hand_panel(table_id, hand, wording.refusal_text(gone)))
        return None

    async def _show(
        self, invocation: Invocation, request: Request, table_number: int, hand: int, step: int, file: str
    ) -> None:
        """Show one hand: in words, at a step of its replay, or as a file.

        Args:
            table_number: the table's number; 0 for the one of the channel.
            hand: 0 for the last one.
            step: 0 for the whole hand in words.

        Raises:
            HandDeleted, HandUnreadable: its cards are gone.
        """
        services, info, reply = self.services, invocation.info, invocation.reply
        if table_number:
            table_id, hand = await services.tables.find_hand(request, table_number, hand)
            request = replace(request, table=table_id)
        try:
            if file:
                hand_files.spend(services, info)
                form = FileForm(file) if file in list(FileForm) else FileForm.TEXT
                await hand_files.send_hand(reply, await services.tables.read_hand_record(request, hand), form)
            elif step and request.table:
                await replaying.show_replay(services, info, reply, ReplayPress(request.table, hand, step))
            else:
                log = await services.tables.read_hand_log(request, hand)
                await replaying.show_hand_log(services, info, reply, log)
        except NoTableHere:
            if not hand:
                raise
            raise WhichTable(hand=hand) from None

    @hand.autocomplete("game")
    @completions
    async def games(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the games that have been played in the server, the most played first."""
        played = await self.services.statistics.games(interaction.guild_id or 0)
        return [(game_name(name), key) for key, name in played if typed.casefold() in game_name(name).casefold()]

    @hand.autocomplete("date")
    @completions
    async def dates(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the words for days that are asked for most."""
        return [(t(said), word) for word, said in DAYS.items() if typed.casefold() in t(said).casefold()]

    async def _find(
        self,
        info: InteractionInfo,
        request: Request,
        table: int,
        player: discord.User | None,
        game: str | None,
        date: str | None,
    ) -> Panel:
        if table:
            await self.services.tables.require_readable_table(request, table)
        days = parse_days(date, self.services.clock.now()) if date is not None else (0, 0)
        key = await finding.find_game(self.services, info.guild, game) if game is not None else ""
        search = HandSearch(table, player.id if player is not None else 0, game_token(key) if key else "", *days)
        return await finding.found_hands(self.services, info, search)

    async def _report(self, request: Request, table: int, hand: int, about: str) -> Panel:
        await self.services.tables.staff_log.report(request, table, hand, about)
        return staff_pages.reported_panel(hand)

    async def page(self, click: PageClick) -> None:
        """Answer a click on a hand in words: another page, showing it to everybody, or reporting it."""
        table, hand, number = _named_page(click.press)
        services, info, verb = self.services, click.info, click.press.verb
        request = await services.request(info, table=table)
        if verb in {"report", "reported"}:
            table, hand = await services.tables.hand_to_report(request, hand)
            if verb == "report":
                await click.reply.form(staff_pages.report_form(table, hand, info.user))
            else:
                about = info.fields.get(staff_pages.REPORT_FIELD, "")
                await click.reply.private(await self._report(request, table, hand, about))
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

    async def replay_page(self, click: PageClick) -> None:
        """Answer a click on a replay, or on a button that leads to one or to several."""
        hand = parse_replay_words(click.press.words)
        if hand is not None and click.press.verb == "row":
            await click.reply.private(await finding.hands_in_a_row(self.services, click.info, hand))
        else:
            await replaying.press(click)

    async def replay_message(self, invocation: Invocation, message: ChosenMessage) -> Panel | None:
        """Open the hand that a message shows (the command *Replay* in its menu)."""
        services, info, reply = self.services, invocation.info, invocation.reply
        hand = replaying.hand_shown(message.custom_ids) if message.is_own else None
        if hand is None:
            return notice_panel(t(words.NO_HAND_IN_MESSAGE))
        if replaying.shows_hands_in_a_row(message.custom_ids):
            return await finding.hands_in_a_row(services, info, hand)
        await replaying.show_replay(services, info, reply, self._with_an_end(hand))
        return None

    def _with_an_end(self, hand: ReplayPress) -> ReplayPress:
        """Return the last hand of a table instead of the one that is being played: its message tells how that ended, in a line."""
        now = self.services.tables.find(hand.table)
        is_running = now is not None and now.hand_running and now.hand_number == hand.hand
        return ReplayPress(hand.table, hand.hand - 1) if is_running and hand.hand > 1 else hand

    async def show_hand(self, info: InteractionInfo, reply: Reply, table: int, hand: int) -> None:
        """Answer with a hand, as whoever asks can see it.

        Args:
            table: the id of its table.
        """
        request = await self.services.request(info, table=table)
        log = await self.services.tables.read_hand_log(request, hand)
        await reply.private(*await replaying.hand_log_page(self.services, info, log, 1))


def _named_page(press: PagePress) -> tuple[int, int, int]:
    """Read table, hand and page from a button's words, ``12.34`` and ``2.next``.

    Raises:
        NoHandYet: they name no hand.
    """
    hand, number = press.hand(), (press.words[1] if len(press.words) > 1 else "1").partition(".")[0]
    if hand is None or not number.isdecimal():
        raise NoHandYet(hands=0)
    return *hand, int(number)
