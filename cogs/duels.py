"""`/duel`: challenge somebody to play heads-up, for honour or for chips, one match or best of three."""

import discord
from discord import app_commands

from bot.events.sit_and_go.duel import PRACTICE_OPPONENT, duel_settings
from bot.events.sit_and_go.refusals import CannotChallengeBot, OpponentCannotPlay
from bot.events.sit_and_go.state import Duellist
from bot.events.sit_and_go.structures import Speed
from bot.line.interaction import InteractionInfo, avatar_of
from bot.render.message.panel import Panel
from bot.runtime.table_settings import NewTableRequest
from bot.table.settings import SLOW_CLOCK_SECONDS, TURN_SECONDS_MIN
from bot.text import amounts
from bot.text.commands import TEXT_MAX
from bot.text.game_names import game_names
from bot.variants.game_list import complete_game_list
from cogs.cog import ServicesCog
from cogs.presses import duels, opening
from cogs.support.commands import Interaction, Invocation, completions, slash_command
from cogs.support.services import Services


async def _require_can_come(services: Services, info: InteractionInfo, player: discord.Member) -> None:
    """Refuse to challenge somebody who cannot read it, or has not the role that plays in the server.

    Raises:
        OpponentCannotPlay.
    """
    role = (await services.bank.house_rules(info.guild)).player_role
    if role and player.get_role(role) is None:
        raise OpponentCannotPlay(opponent=player.id)
    seen = player.resolved_permissions
    if seen is not None and not seen.view_channel:
        raise OpponentCannotPlay(opponent=player.id, hidden=True)


class DuelsCog(ServicesCog):
    """`/duel`."""

    @slash_command("duel")
    async def duel(
        self,
        invocation: Invocation,
        player: discord.Member | discord.User | None = None,
        chips: app_commands.Range[str, 1, 24] | None = None,
        game: app_commands.Range[str, 1, TEXT_MAX] = "",
        matches: str = "1",
        blinds: str = Speed.TURBO,
        seconds: app_commands.Range[int, TURN_SECONDS_MIN, SLOW_CLOCK_SECONDS - 1] | None = None,
    ) -> Panel | None:
        services, info = self.services, invocation.info
        challenger = await duels.duellist(services, info.guild, info.user, info.name)
        if player is None or player.id == services.discord_api.by_token.application:
            opponent = Duellist(PRACTICE_OPPONENT, "")
        elif player.bot:
            raise CannotChallengeBot
        elif not isinstance(player, discord.Member):
            raise OpponentCannotPlay(opponent=player.id)
        else:
            await _require_can_come(services, info, player)
            services.display_names.remember(info.guild, player.id, player.display_name, avatar_of(player))
            opponent = await duels.duellist(services, info.guild, player.id, player.display_name)
        wanted = duel_settings(
            challenger,
            opponent,
            buy_in=amounts.parse_chips(chips) if chips is not None else 0,
            best_of=int(matches),
            speed=Speed(blinds),
        )
        table_request = NewTableRequest(seats=2, turn_seconds=seconds or 0)
        settings = await opening.new_settings(services, info.guild, game or "holdem", table_request)
        await opening.open_duel(services, info, invocation.reply, settings, wanted)
        return None

    @duel.autocomplete("game")
    @completions
    async def games(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the server's house games, mixtures, and games by name, alias or family."""
        house_games = await self.services.house_games.games(interaction.guild_id or 0)
        own = [game.name for game in house_games if typed.casefold() in game.name.casefold()]
        known = [(game_names(name)[-TEXT_MAX:], value) for name, value in complete_game_list(typed)]
        return [*zip(own, own, strict=True), *known]
