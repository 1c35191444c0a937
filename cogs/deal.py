"""`/deal` and `/seats`: the cut, the first deal and the next game; drawing, exchanging and handing over seats; correcting stacks."""

import discord
from discord import app_commands

from bot.render.message.panel import Panel
from bot.table.commands import (
    ChooseDealerSeat,
    ChooseSeat,
    DeclineCut,
    DeclineDeal,
    NameSubstitute,
    ProposeStackAdjustment,
)
from bot.table.refusals import InvalidGameChoice, NoGameChoiceNow
from bot.text import adjustments
from bot.text import confirmations as words
from bot.text.game_names import game_name
from bot.text.language import t
from bot.variants.catalogue import normalise_name
from cogs.cog import ServicesGroup
from cogs.presses import ceremonies
from cogs.support import confirmations
from cogs.support.commands import Interaction, Invocation, completions, group_description, slash_command

SeatOption = app_commands.Range[int, 1, 14]


@app_commands.guild_only()
class DealCog(ServicesGroup, group_name="deal", group_description=group_description("deal")):
    """`/deal …`."""

    @slash_command("deal cut")
    async def cut(self, invocation: Invocation, at: app_commands.Range[str, 1, 12]) -> Panel:
        return await ceremonies.cut_deck(self.services, invocation.request, at)

    @slash_command("deal nocut")
    async def nocut(self, invocation: Invocation) -> Panel:
        await invocation.ask(DeclineCut(invocation.info.user))
        return confirmations.done(t(words.DECLINED_CUT))

    @slash_command("deal shuffle")
    async def shuffle(self, invocation: Invocation) -> Panel:
        return await ceremonies.shuffle_deck(self.services, invocation.request)

    @slash_command("deal first")
    async def first(self, invocation: Invocation) -> Panel:
        return await ceremonies.draw_for_deal(self.services, invocation.request)

    @slash_command("deal lot")
    async def lot(self, invocation: Invocation, at: app_commands.Range[int, 1, 54]) -> Panel:
        return await ceremonies.cut_for_deal(self.services, invocation.request, str(at))

    @slash_command("deal skip")
    async def skip(self, invocation: Invocation) -> Panel:
        await invocation.ask(DeclineDeal(invocation.info.user))
        return confirmations.done(t(words.DONE))

    @slash_command("deal misdeal")
    async def misdeal(self, invocation: Invocation) -> Panel:
        return await ceremonies.claim_misdeal(self.services, invocation.request)

    @slash_command("deal choose")
    async def choose(self, invocation: Invocation, game: app_commands.Range[str, 1, 100]) -> Panel:
        rotation = invocation.snapshot.table.rotation
        games = rotation.games if rotation is not None else ()
        wanted = normalise_name(game)
        game_index = next((index for index, name in enumerate(games) if normalise_name(name) == wanted), -1)
        if game_index < 0:
            raise InvalidGameChoice(games=games, word=game) if games else NoGameChoiceNow()
        return await ceremonies.choose_next_game(self.services, invocation.request, game_index)

    @choose.autocomplete("game")
    @completions
    async def games(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the games of the channel's table."""
        snapshot = self.services.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        rotation = snapshot.table.rotation if snapshot is not None else None
        names = dict.fromkeys(rotation.games if rotation is not None else ())
        return [(game_name(name), name[:100]) for name in names if typed.casefold() in name.casefold()]

    @slash_command("deal bomb")
    async def bomb(self, invocation: Invocation, on: bool = True) -> Panel:
        return await ceremonies.vote_bomb_pot(self.services, invocation.request, wanted=on)


@app_commands.guild_only()
class SeatingCog(ServicesGroup, group_name="seats", group_description=group_description("seats")):
    """`/seats …`."""

    @slash_command("seats draw")
    async def draw(self, invocation: Invocation) -> Panel:
        return await ceremonies.draw_seats(self.services, invocation.request)

    @slash_command("seats choose")
    async def choose(self, invocation: Invocation, seat: SeatOption) -> Panel:
        await invocation.ask(ChooseSeat(invocation.info.user, seat))
        return confirmations.done(t(words.SEAT_CHOSEN, seat=seat))

    @slash_command("seats dealer")
    async def dealer(self, invocation: Invocation, left: bool = True) -> Panel:
        await invocation.ask(ChooseDealerSeat(invocation.info.user, left))
        return confirmations.done(t(words.SITS_LEFT_OF_BANKER if left else words.JOINS_SEAT_DRAW))

    @slash_command("seats exchange")
    async def exchange(self, invocation: Invocation, seat: SeatOption) -> Panel:
        return await ceremonies.exchange_seats(self.services, invocation.request, seat)

    @slash_command("seats substitute")
    async def substitute(self, invocation: Invocation, player: discord.Member | None = None) -> Panel:
        await invocation.ask(NameSubstitute(invocation.info.user, player.id if player is not None else 0))
        if player is None:
            return confirmations.done(t(words.NO_SUBSTITUTE))
        return confirmations.done(t(words.SUBSTITUTE_NAMED, player=f"<@{player.id}>"))

    @slash_command("seats adjust")
    async def adjust(self, invocation: Invocation, changes: app_commands.Range[str, 1, 500]) -> Panel:
        snapshot = invocation.snapshot
        adjustment = adjustments.parse_adjustment(changes, snapshot.table.seats)
        outcome = await invocation.ask(ProposeStackAdjustment(invocation.info.user, adjustment))
        text = adjustments.adjustment_text(adjustment, confirmations.names_by_user(snapshot))
        proposed = outcome.snapshot.table.proposal is not None
        return confirmations.done(t(words.ADJUSTMENT_PROPOSED if proposed else words.ADJUSTED, changes=text))

    @adjust.autocomplete("changes")
    @completions
    async def even(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Changes that make the adjustment add up to zero."""
        snapshot = self.services.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        offered = adjustments.adjustment_completions(typed, snapshot.table.seats) if snapshot is not None else ()
        return [(text, text) for text in offered]
