"""`/play`: one form opens a table and seats its host; whoever types what the form would ask for needs no form."""

import functools

from discord import app_commands

from bot.events.sit_and_go.refusals import NoPracticeInEvent
from bot.line.interaction import InteractionInfo
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Form, Panel
from bot.render.table.open_form import Where, open_table_form
from bot.runtime.mixed_table_settings import GameChangeRule
from bot.runtime.table_settings import NewTableRequest
from bot.table.settings import TURN_SECONDS_MAX, TURN_SECONDS_MIN, ChipKind
from bot.text import amounts
from bot.text import confirmations as words
from bot.text.commands import TEXT_MAX
from bot.text.game_names import game_names
from bot.text.language import t
from bot.variants.catalogue import UnknownGame
from bot.variants.game_list import complete_game_list, parse_game_list
from cogs.cog import ServicesCog
from cogs.presses import opening, table_settings
from cogs.presses.sit_and_go_choices import EventRequest
from cogs.support.commands import Interaction, Invocation, completions, slash_command
from cogs.support.services import PageClick

Chips = app_commands.Range[str, 1, 24]
"""Chips as people write them: ``200``, ``1.5k``."""


class OpenCog(ServicesCog):
    """`/play`."""

    @slash_command("play")
    async def play(
        self,
        invocation: Invocation,
        game: app_commands.Range[str, 1, 100] = "",
        where: str = Where.USUAL,
        big_blind: Chips | None = None,
        seats: app_commands.Range[int, 2, 14] | None = None,
        buy_in: Chips | None = None,
        most: Chips | None = None,
        ante: Chips | None = None,
        seconds: app_commands.Range[int, TURN_SECONDS_MIN, TURN_SECONDS_MAX] | None = None,
        practice: app_commands.Range[int, 1, 9] | None = None,
        chips: str | None = None,
        change: str | None = None,
        every: app_commands.Range[int, 1, 1000] | None = None,
        bomb: str | None = None,
        sit: bool | None = None,
        sit_and_go: str | None = None,
        structure: str | None = None,
        late: app_commands.Range[int, 2, 20] | None = None,
        rebuys: bool | None = None,
        bounty: str | None = None,
        prizes: str | None = None,
    ) -> Panel | None:
        chosen, info = Where(where), invocation.info
        event = EventRequest(sit_and_go, structure, late, rebuys, bounty, prizes)
        stakes = (big_blind, seats, buy_in, most, ante, seconds, practice, chips, change, every, bomb, sit)
        if event.is_any or any(one is not None for one in stakes):
            table_request = NewTableRequest(
                big_blind=_optional_chips(big_blind),
                seats=seats or 0,
                min_buyin=_optional_chips(buy_in),
                max_buyin=_optional_chips(most),
                ante=_optional_chips(ante),
                turn_seconds=seconds or 0,
                practice=practice is not None,
                chips=_chip_kind(chips, chosen),
            )
            turning = GameChangeRule(table_settings.GAME_CHANGES[change], every or 0) if change is not None else None
            settings = await opening.new_settings(
                self.services, info.guild, game or "holdem", table_request, turning, bomb
            )
            wanted = event.settings(settings, seats or 0) if event.is_any else None
            if wanted is not None and practice and not wanted.is_free:
                raise NoPracticeInEvent
            new = opening.TableToOpen(
                settings, practice or 0, host_sits=sit is not False, where=chosen, sit_and_go=wanted
            )
            request = await invocation.staff_request()
            await opening.open_table(self.services, request, invocation.reply, new, info)
            return None
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


def _optional_chips(typed: str | None) -> int:
    return amounts.parse_chips(typed) if typed is not None else 0


def _chip_kind(chosen: str | None, where: Where) -> ChipKind:
    """Return the chips of a new table: as chosen, else table chips at a private one."""
    if chosen is not None:
        return ChipKind(chosen)
    return ChipKind.TABLE if where is Where.PRIVATE else ChipKind.SERVER
