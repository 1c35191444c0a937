"""`/play`: one form opens a table and seats its host."""

import functools

from discord import app_commands

from bot.line.interaction import InteractionInfo
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Form, Panel
from bot.render.table.open_form import Where, open_table_form
from bot.text import confirmations as words
from bot.text.commands import TEXT_MAX
from bot.text.game_names import game_names
from bot.text.language import t
from bot.variants.catalogue import UnknownGame
from bot.variants.game_list import complete_game_list, parse_game_list
from cogs.cog import ServicesCog
from cogs.presses import opening
from cogs.support.commands import Interaction, Invocation, completions, slash_command
from cogs.support.services import PageClick


class OpenCog(ServicesCog):
    """`/play`."""

    @slash_command("play")
    async def play(
        self, invocation: Invocation, game: app_commands.Range[str, 1, 100] = "", where: str = Where.USUAL
    ) -> Panel | None:
        chosen = Where(where)
        if chosen is Where.HERE and not invocation.info.bot_can_write:
            return notice_panel(t(words.CANNOT_WRITE_HERE))
        await invocation.reply.form(await self.form(invocation.info, game, chosen))
        return None

    @play.autocomplete("game")
    @completions
    async def games(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the server's house games, mixtures, and games by name, alias or family."""
        house_games = await self.services.house_games.games(interaction.guild_id or 0)
        own = [game.name for game in house_games if typed.casefold() in game.name.casefold()]
        known = [(game_names(name)[-TEXT_MAX:], value) for name, value in complete_game_list(typed)]
        return [*zip(own, own, strict=True), *known]

    async def page(self, click: PageClick) -> None:
        """Open the form, or the table that the form describes."""
        info = click.info
        if click.press.verb == "practice":
            await opening.practise(self.services, info, click.reply, click.press.number())
            return
        if click.press.verb != "table" or not info.fields:
            await click.reply.form(await self.form(info))
            return
        where = click.press.words[1] if len(click.press.words) > 1 else Where.USUAL
        ask = functools.partial(opening.open_as_answered, self.services)
        await self.services.corrections.answer(info, click.reply, ask, {**info.fields, "where": where})

    async def form(self, info: InteractionInfo, game: str = "", where: Where = Where.USUAL) -> Form:
        """Return the form, with a game chosen at first.

        Raises:
            TableError: no game has that name.
        """
        services = self.services
        house_games = [one.name for one in await services.house_games.games(info.guild)]
        if game and await services.house_games.find(info.guild, game) is None:
            try:
                parse_game_list(game)
            except UnknownGame as unknown:
                raise UnknownGame(word=unknown.word, house_games=tuple(house_games)) from None
        rules, holdings = (
            await services.bank.house_rules(info.guild),
            await services.bank.holdings(info.guild, info.user),
        )
        return open_table_form(info.user, rules, house_games, game, wallet=holdings.wallet, where=where)
