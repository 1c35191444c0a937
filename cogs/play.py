"""Playing by command: fold, check, call, bet, raise, show. Each of these is also a button under the table."""

from discord import app_commands

from bot.engine import commands as c
from bot.engine.cards import card_text
from bot.engine.legal import Decision
from bot.render.hand.scene import sorted_cards
from bot.render.message.panel import Panel
from bot.table.commands import CallTime, PledgeStraddle
from bot.table.preselection.types import PreselectedAction
from bot.text import confirmations as words
from bot.text.cards import card_name
from bot.text.commands import BET_SIZES
from bot.text.language import t
from cogs.cog import ServicesCog
from cogs.presses import playing, preselection
from cogs.support import confirmations
from cogs.support.commands import Interaction, Invocation, completions, slash_command

Amount = app_commands.Range[str, 1, 24]
Cards = app_commands.Range[str, 1, 60]
PRESELECTIONS: dict[str, PreselectedAction | None] = {
    "check or fold": PreselectedAction.CHECK_OR_FOLD,
    "call": PreselectedAction.CALL,
    "fold": PreselectedAction.FOLD,
    "nothing": None,
}


class PlayCog(ServicesCog):
    """The betting actions, `/show`, `/muck`, `/myhand`, `/time`, `/straddle`, `/preselect`."""

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

    @slash_command("show", playing=True)
    async def show(self, invocation: Invocation, cards: Cards | None = None) -> None:
        snapshot, user = invocation.snapshot, invocation.info.user
        if cards is not None:
            await invocation.play(c.Show(card_indices=playing.own_card_indexes(snapshot, user, cards)))
            return
        own = snapshot.seen_by(user)
        legal = own.legal if own is not None else None
        if legal is not None and (legal.designable_indices or legal.declarable_words):
            await invocation.show_hand(snapshot)
        else:
            await invocation.play(c.Show())

    @show.autocomplete("cards")
    @completions
    async def own_cards(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """The player's cards that they can still show alone."""
        snapshot = self.services.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        own = snapshot.seen_by(interaction.user.id) if snapshot is not None else None
        if own is None or own.viewer is None or not own.over:
            return []
        cards = sorted_cards([seen.card for seen in own.seats[own.viewer].cards if not seen.face_up])
        names = [(card_name(card), card_text(card)) for card in cards if card is not None]
        return [name for name in names if typed.casefold() in " ".join(name).casefold()]

    @slash_command("muck", playing=True)
    async def muck(self, invocation: Invocation) -> None:
        await invocation.play(c.Muck())

    @slash_command("myhand")
    async def myhand(self, invocation: Invocation) -> None:
        await invocation.show_hand(invocation.snapshot)

    @slash_command("time")
    async def time(self, invocation: Invocation) -> Panel:
        return confirmations.time_bank(await invocation.ask(CallTime(invocation.info.user)))

    @slash_command("straddle", playing=True)
    async def straddle(self, invocation: Invocation, on: bool = True) -> Panel | None:
        user = invocation.info.user
        own = invocation.snapshot.seen_by(user)
        if own is not None and own.legal is not None and own.legal.decision is Decision.STRADDLE:
            await invocation.play(c.TakeStraddle() if on else c.Decline())
            return None
        await invocation.ask(PledgeStraddle(user, on))
        return confirmations.done(t(words.STRADDLES_NEXT_DEAL if on else words.NO_STRADDLE_NEXT_DEAL))

    @slash_command("preselect", playing=True)
    async def preselect(self, invocation: Invocation, choice: str) -> None:
        await preselection.preselect(invocation, PRESELECTIONS[choice])


async def _bet_or_raise(invocation: Invocation, typed: str) -> None:
    snapshot = invocation.snapshot
    legal = playing.bets_of(snapshot, invocation.info.user)
    await invocation.play(playing.bet_command(typed, legal, snapshot.settings.stakes.big_blind))
