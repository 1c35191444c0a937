"""`/laws` and `/help`: the law book, and how to play."""

from typing import TypeAlias

from discord import app_commands

from bot import laws, variants
from bot.engine.rule_card import RuleCard
from bot.line.interaction import InteractionInfo
from bot.render.help_page import help_panel
from bot.render.house import law_pages as pages
from bot.render.message.panel import Panel, payload
from bot.runtime.table_settings import default_table_settings
from bot.surfaces.answer_pictures import FileToCome
from bot.table.settings import TableSettings
from bot.text.game_names import game_names
from bot.text.language import translate
from bot.variants.game_list import GameList, complete_game_list, parse_game_list
from cogs.cog import ServicesCog
from cogs.support.commands import Interaction, Invocation, completions, slash_command
from cogs.support.services import PageClick

PanelWithFile: TypeAlias = tuple[Panel, FileToCome | None]
"""A panel, and the picture in it; None for a panel in text."""
Words = app_commands.Range[str, 1, 100]


class LearnCog(ServicesCog):
    """`/laws`, `/help`."""

    @slash_command("laws")
    async def laws(self, invocation: Invocation, law: Words | None = None, game: Words | None = None) -> Panel | None:
        if game is None and law is not None:
            return _search_panel(law)
        if game is not None:
            panel, file = await self._game_laws_panel(invocation.info, parse_game_list(game))
        else:
            panel, file = await self._rules_panel(invocation.info)
        await invocation.reply.private(panel, file)
        return None

    @laws.autocomplete("law")
    @completions
    async def law_names(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Laws by id or words."""
        return [(f"{law.id} · {translate(law.title)}", law.id) for law in laws.search_laws(typed)]

    @laws.autocomplete("game")
    @completions
    async def games(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return games and mixtures by name, alias or family."""
        return [(game_names(name), value) for name, value in complete_game_list(typed)]

    @slash_command("help")
    async def help(self, invocation: Invocation) -> Panel:
        return await self._help_panel(invocation.info)

    async def laws_page(self, click: PageClick) -> None:
        """Answer a click on the law book."""
        words, values = click.press.words, click.info.values
        match click.press.verb:
            case "here":
                with self.services.in_server_language(click.info.guild):
                    panel, file = await self._laws_in_force_panel(click.info)
                await click.reply.public(panel, file)
            case "short":
                with self.services.in_server_language(click.info.guild):
                    panel, file = await self._rules_panel(click.info)
                await click.reply.public(panel, file)
            case "full":
                panel, file = await self._laws_in_force_panel(click.info)
                if click.info.message_is_private:
                    await click.reply.redraw(payload(panel), file)
                else:
                    await click.reply.private(panel, file)
            case "part" if values:
                await self._show_section(click, values[0])
            case "share" if words:
                with self.services.in_server_language(click.info.guild):
                    panel = pages.law_panel(laws.law(words[0]))
                await click.reply.public(panel)
            case "open" if values:
                await click.reply.private(pages.law_panel(laws.law(values[0])))
            case "one" if words:
                await click.reply.private(pages.law_panel(laws.law(words[0])))
            case _:
                panel, file = await self._laws_in_force_panel(click.info)
                await click.reply.private(panel, file)

    async def _show_section(self, click: PageClick, chosen: str) -> None:
        """Open a section of the laws in force. `chosen`: its number, and the key of a game; without one it is the channel's table's."""
        number, _, key = chosen.partition(".")
        section = int(number) if number.isdecimal() and len(number) < 3 else 0
        if key:
            panel, file = await self._laws_of_game(click.info, variants.game(key), section)
        else:
            panel, file = await self._laws_in_force_panel(click.info, section)
        if click.info.message_is_private:
            await click.reply.redraw(payload(panel), file)
        else:
            await click.reply.private(panel, file)

    async def help_page(self, click: PageClick) -> None:
        """Answer a click on the help: show it to everybody, or to oneself."""
        if click.press.verb == "here":
            with self.services.in_server_language(click.info.guild):
                panel = await self._help_panel(click.info, shared=True)
            await click.reply.public(panel)
            return
        panel = await self._help_panel(click.info)
        if click.info.message_is_private:
            await click.reply.redraw(payload(panel))
        else:
            await click.reply.private(panel)

    async def _help_panel(self, info: InteractionInfo, *, shared: bool = False) -> Panel:
        staff = not shared and (await self.services.request(info)).staff
        open_tables = self.services.tables
        tables = open_tables.public_tables(info.guild) if shared else open_tables.tables_seen_by(info.request())
        own = [table for table in tables if any(seat.player == info.user for seat in table.table.seats)]
        here = [table for table in (own or tables) if table.address.channel == info.channel]
        found = (here or own or tables)[:1]
        if not found:
            return help_panel(staff=staff)
        channel = found[0].address.channel
        is_seated = bool(own) and not shared
        return help_panel(staff=staff, table_channel=channel, is_here=channel == info.channel, is_seated=is_seated)

    async def _game_laws_panel(self, info: InteractionInfo, games: GameList) -> PanelWithFile:
        """Return the laws of a game as a new table here would play it, or the games of a mixture."""
        if games.is_mixed:
            return pages.mixture_laws_panel(games), None
        return await self._laws_of_game(info, games.games[0])

    async def _laws_of_game(self, info: InteractionInfo, game: RuleCard, section: int = 0) -> PanelWithFile:
        rules = await self.services.bank.house_rules(info.guild)
        return await self._section(info, default_table_settings(game, rules), section, table=False)

    async def _section(
        self, info: InteractionInfo, settings: TableSettings, section: int, *, table: bool
    ) -> PanelWithFile:
        """Return a section of the laws in force: what beats what with its picture."""
        picture = await self.services.pictures.ranking(info, settings) if section == pages.RANKING else None
        block = picture.block if picture is not None else None
        panel = pages.laws_in_force_panel(settings, table=table, section=section, picture=block)
        return panel, picture.file if picture is not None else None

    async def _rules_panel(self, info: InteractionInfo) -> PanelWithFile:
        """Return the short rules of the channel's table; without a table, the laws of the game that new tables play by default."""
        snapshot = self.services.tables.table_in_channel(info.guild, info.channel)
        if snapshot is None:
            return await self._laws_in_force_panel(info)
        picture = await self.services.pictures.ranking(info, snapshot.settings)
        panel = pages.short_rules_panel(snapshot.settings, picture=picture.block if picture is not None else None)
        return panel, picture.file if picture is not None else None

    async def _laws_in_force_panel(self, info: InteractionInfo, section: int = 0) -> PanelWithFile:
        """Return the laws of the channel's table; without a table, those of the game that new tables play by default."""
        snapshot = self.services.tables.table_in_channel(info.guild, info.channel)
        if snapshot is not None:
            return await self._section(info, snapshot.settings, section, table=True)
        return await self._laws_of_game(info, variants.CATALOGUE[0], section)


def _search_panel(typed: str) -> Panel:
    """Return one law by its id, or the laws that a search finds."""
    found = laws.search_laws(typed)
    exact = next((one for one in found if one.id.casefold() == typed.strip().casefold()), None)
    if exact is not None or len(found) == 1:
        return pages.law_panel(exact or found[0])
    return pages.law_search_panel(typed, found)
