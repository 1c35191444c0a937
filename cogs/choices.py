"""Choices by command: cards to change or give up, what to declare, yes or no. Each of them is also a button under the table."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.engine import commands as c
from bot.engine.cards import parse_cards
from bot.engine.legal import Decision
from bot.engine.refusals import NotAskedNow, NotYourCard
from bot.render.hand import private_choices
from bot.render.message.panel import Panel
from cogs.ui import playing
from cogs.ui.commands import Interaction, Invocation, completions, slash_command
from cogs.ui.services import Services

Cards = app_commands.Range[str, 1, 60]
_CARD_DECISIONS = frozenset({Decision.DRAW, Decision.GIVE_UP, Decision.PASS_CARDS, Decision.ARRANGE})


class ChoicesCog(commands.Cog):
    """`/draw`, `/discard`, `/standpat`, `/declare`, `/runtwice`, `/answer`."""

    def __init__(self, services: Services) -> None:
        self.services = services

    @slash_command("draw")
    async def draw(self, invocation: Invocation, cards: Cards | None = None) -> Panel:
        return await _choose_cards(invocation, cards)

    @slash_command("discard")
    async def discard(self, invocation: Invocation, cards: Cards | None = None) -> Panel:
        return await _choose_cards(invocation, cards)

    @slash_command("standpat")
    async def standpat(self, invocation: Invocation) -> Panel:
        return await _act(invocation, c.ChooseCards())

    @slash_command("declare")
    async def declare(self, invocation: Invocation, word: app_commands.Range[str, 1, 24]) -> Panel:
        return await _act(invocation, c.Declare(word.strip().lower()))

    @declare.autocomplete("word")
    @completions
    async def words(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """The words that the player can declare now."""
        snapshot = self.services.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        own = snapshot.seen_by(interaction.user.id) if snapshot is not None else None
        known = own.legal.declarable_words if own is not None and own.legal is not None else ()
        return [(word, word) for word in known if typed.casefold() in word]

    @slash_command("runtwice")
    async def runtwice(self, invocation: Invocation, answer: str = "yes") -> Panel:
        return await _act(invocation, c.Accept() if answer == "yes" else c.Decline())

    @slash_command("answer")
    async def answer(self, invocation: Invocation, answer: str) -> Panel:
        return await _act(invocation, c.Accept() if answer == "yes" else c.Decline())


async def _choose_cards(invocation: Invocation, typed: str | None) -> Panel:
    """Replace or give up the cards that were typed; without any, open the private choice."""
    snapshot, user = invocation.snapshot, invocation.info.user
    legal = playing.legal_actions_of(snapshot, user)
    if legal.decision not in _CARD_DECISIONS:
        refusal = NotAskedNow(expected=legal.decision)
        refusal.legal = legal
        raise refusal
    scene = playing.own_scene(invocation.services, snapshot, user)
    if typed is None:
        return private_choices.choice_panel(scene)
    seat = scene.own_seat()
    cards = seat.cards if seat is not None else ()
    card_indexes = {seen.card: seen.card_index for seen in cards if seen.card_index >= 0}
    named = parse_cards(typed)
    if not set(named) <= card_indexes.keys():
        raise NotYourCard
    outcome = await invocation.ask(c.ChooseCards(tuple(card_indexes[card] for card in named)))
    return playing.action_done_panel(invocation.services, outcome, legal.decision)


async def _act(invocation: Invocation, command: c.HandCommand) -> Panel:
    info = invocation.info
    snapshot = invocation.services.tables.table_in_channel(info.guild, info.channel)
    decision = snapshot.decision if snapshot is not None else Decision.NONE
    return playing.action_done_panel(invocation.services, await invocation.ask(command), decision)
