"""Playing by command: fold, check, call, bet, raise. Each of these is also a button under the table."""

from discord import app_commands

from bot.engine import commands as c
from bot.text.commands import BET_SIZES
from bot.text.language import t
from cogs.cog import ServicesCog
from cogs.presses import playing, preselection
from cogs.support.commands import Interaction, Invocation, completions, slash_command

Amount = app_commands.Range[str, 1, 24]


class PlayCog(ServicesCog):
    """The betting actions, `/myhand`."""

    @slash_command("fold", playing=True)
    async def fold(self, invocation: Invocation) -> None:
        await preselection.act_or_preselect(invocation, c.Fold())

    @slash_command("check", playing=True)
    async def check(self, invocation: Invocation) -> None:
        await preselection.act_or_preselect(invocation, c.Check())

    @slash_command("call", playing=True)
    async def call(self, invocation: Invocation) -> None:
        await preselection.act_or_preselect(invocation, c.Call())

    @slash_command("bet", playing=True)
    async def bet(self, invocation: Invocation, to: Amount) -> None:
        await _bet_or_raise(invocation, to)

    @slash_command("raise", playing=True)
    async def raise_to(self, invocation: Invocation, to: Amount) -> None:
        await _bet_or_raise(invocation, to)

    @bet.autocomplete("to")
    @raise_to.autocomplete("to")
    @completions
    async def amounts(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Common sizes; what the player has typed comes first."""
        sizes = [(t(name), value) for value, name in BET_SIZES.items()]
        own = [(typed[:24], typed[:24])] if typed.strip() else []
        return [*own, *(size for size in sizes if typed.casefold() in size[0].casefold())]

    @slash_command("allin", playing=True)
    async def allin(self, invocation: Invocation) -> None:
        await invocation.play(c.AllIn())

    @slash_command("myhand")
    async def myhand(self, invocation: Invocation) -> None:
        await invocation.show_hand(invocation.snapshot)


async def _bet_or_raise(invocation: Invocation, typed: str) -> None:
    snapshot = invocation.snapshot
    legal = playing.bets_of(snapshot, invocation.info.user)
    await invocation.play(playing.bet_command(typed, legal, snapshot.settings.stakes.big_blind))
