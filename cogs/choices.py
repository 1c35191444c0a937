"""Choices by command: cards to change or give up, what to declare, yes or no. Each of them is also a button under the table."""

from discord import app_commands

from bot.engine import commands as c
from bot.engine.legal import Decision
from bot.engine.refusals import NotAskedNow
from cogs.cog import ServicesCog
from cogs.presses import playing
from cogs.support.commands import Interaction, Invocation, completions, slash_command

Cards = app_commands.Range[str, 1, 60]
_CARD_DECISIONS = frozenset({Decision.DRAW, Decision.GIVE_UP, Decision.PASS_CARDS, Decision.ARRANGE})


class ChoicesCog(ServicesCog):
    """`/draw`, `/discard`, `/standpat`, `/declare`, `/runtwice`, `/answer`."""

    @slash_command("draw", playing=True)
    async def draw(self, invocation: Invocation, cards: Cards | None = None) -> None:
        await _choose_cards(invocation, cards)

    @slash_command("discard", playing=True)
    async def discard(self, invocation: Invocation, cards: Cards | None = None) -> None:
        await _choose_cards(invocation, cards)

    @slash_command("standpat", playing=True)
    async def standpat(self, invocation: Invocation) -> None:
        await invocation.play(c.ChooseCards())

    @slash_command("declare", playing=True)
    async def declare(self, invocation: Invocation, word: app_commands.Range[str, 1, 24]) -> None:
        await invocation.play(c.Declare(word.strip().lower()))

    @declare.autocomplete("word")
    @completions
    async def words(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """The words that the player can declare now."""
        snapshot = self.services.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        own = snapshot.seen_by(interaction.user.id) if snapshot is not None else None
        known = own.legal.declarable_words if own is not None and own.legal is not None else ()
        return [(word, word) for word in known if typed.casefold() in word]

    @slash_command("runtwice", playing=True)
    async def runtwice(self, invocation: Invocation, answer: str = "yes") -> None:
        await invocation.play(c.Accept() if answer == "yes" else c.Decline())

    @slash_command("answer", playing=True)
    async def answer(self, invocation: Invocation, answer: str) -> None:
        await invocation.play(c.Accept() if answer == "yes" else c.Decline())


async def _choose_cards(invocation: Invocation, typed: str | None) -> None:
    """Replace or give up the cards that were typed; without any, open the private choice."""
    snapshot, user = invocation.snapshot, invocation.info.user
    legal = playing.legal_actions_of(snapshot, user)
    if legal.decision not in _CARD_DECISIONS:
        refusal = NotAskedNow(expected=legal.decision)
        refusal.legal = legal
        raise refusal
    if typed is None:
        await invocation.show_hand(snapshot)
        return
    await invocation.play(c.ChooseCards(playing.own_card_indexes(snapshot, user, typed)))
