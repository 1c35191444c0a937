"""The law book and help.

Source: issue 2 "Discord" (`/laws`, `/help`); laws H-2.
"""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot import laws, variants
from bot.render import laws as pages
from bot.render import notices
from bot.render.panel import Panel
from bot.runtime.house_table import house_settings
from bot.variants.listing import Listed, completions, listed
from cogs.ui.click import PageClick
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room

NAME_MAX = 100


class LearnCog(commands.Cog):
    """`/laws`, `/help`."""

    def __init__(self, room: Room) -> None:
        self.room = room

    @app_commands.command(name="laws", description="The laws in force at this table, or one law by its id")
    @app_commands.describe(
        law="A law's id, as B-8 or TL-4, or words to look for",
        game="The laws of a game, as a new table here would play it",
    )
    @app_commands.guild_only()
    async def laws(
        self,
        interaction: Interaction,
        law: app_commands.Range[str, 1, 100] | None = None,
        game: app_commands.Range[str, 1, 100] | None = None,
    ) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            if game is not None:
                await reply.private(await self._of_game(deed, listed(game)))
                return
            await reply.private(await self._in_force(deed) if law is None else _found(law))

        await attend(self.room, interaction, tell)

    @laws.autocomplete("law")
    async def law_names(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Laws by id or words."""
        found = laws.search(typed)[:25]
        return [app_commands.Choice(name=f"{one.id} · {one.title}"[:NAME_MAX], value=one.id) for one in found]

    @laws.autocomplete("game")
    async def games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Games and mixtures by name, alias or family."""
        found = [one for one in completions(typed) if len(one[1]) <= NAME_MAX]
        return [app_commands.Choice(name=name[:NAME_MAX], value=key) for name, key in found]

    @app_commands.command(name="help", description="How to play, command by command")
    @app_commands.guild_only()
    async def help(self, interaction: Interaction) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            await reply.private(await self._help(deed))

        await attend(self.room, interaction, tell)

    async def laws_page(self, click: PageClick) -> None:
        """A click on the law book."""
        words, values = click.press.words, click.deed.values
        match click.press.verb:
            case "here":
                await click.reply.public(await self._in_force(click.deed))
            case "share" if words:
                await click.reply.public(pages.law_panel(laws.law(words[0])))
            case "open" if values:
                await click.reply.private(pages.law_panel(laws.law(values[0])))
            case "one" if words:
                await click.reply.private(pages.law_panel(laws.law(words[0])))
            case _:
                await click.reply.private(await self._in_force(click.deed))

    async def help_page(self, click: PageClick) -> None:
        """Help is shown to everybody."""
        await click.reply.public(await self._help(click.deed, shared=True))

    async def _help(self, deed: Deed, *, shared: bool = False) -> Panel:
        staff = not shared and (await self.room.asked(deed)).staff
        here = self.room.tables.tables(deed.guild)
        return notices.help_panel(staff=staff, table_channel=here[0].place.channel if here else 0)

    async def _of_game(self, deed: Deed, asked: Listed) -> Panel:
        """The laws of a game as a new table here would play it, or the games of a mixture."""
        if asked.mixed:
            return pages.mixture_panel(asked)
        rules = await self.room.bank.house_rules(deed.guild)
        return pages.law_set_panel(house_settings(asked.games[0], rules), table=False)

    async def _in_force(self, deed: Deed) -> Panel:
        """The laws of the channel's table; without one, those of the game that a new table plays if none is named."""
        now = self.room.tables.table_in_channel(deed.guild, deed.channel)
        if now is not None:
            return pages.law_set_panel(now.settings)
        rules = await self.room.bank.house_rules(deed.guild)
        return pages.law_set_panel(house_settings(variants.CATALOGUE[0], rules), table=False)


def _found(typed: str) -> Panel:
    """One law by its id, else what a search finds."""
    found = laws.search(typed)
    exact = next((one for one in found if one.id.casefold() == typed.strip().casefold()), None)
    if exact is not None or len(found) == 1:
        return pages.law_panel(exact or found[0])
    return pages.found_panel(typed, found)
