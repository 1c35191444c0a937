"""Choices by command: cards to change or give up, what to declare, yes or no. Every one of these is also a button under the table.

Source: ui §5 e; issue 3, point 7.
"""

from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.engine import commands as c
from bot.engine.cards import parse_all
from bot.engine.legal import Decision
from bot.engine.refusals import NotAskedNow, NotYourCard
from bot.render import choices
from cogs.ui import playing
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room

Cards = app_commands.Range[str, 1, 60]
Answer = Literal["yes", "no"]
_OF_CARDS = frozenset({Decision.DRAW, Decision.DROP, Decision.PASS, Decision.ARRANGE})


@app_commands.guild_only()
class ChooseCog(commands.Cog):
    """Draw, stand pat, discard, declare, answer."""

    def __init__(self, room: Room) -> None:
        self.room = room

    @app_commands.command(description="Change cards at the draw; without cards you choose them privately")
    @app_commands.describe(cards="The cards to lay away: 7h 4c 2s")
    @app_commands.guild_only()
    async def draw(self, interaction: Interaction, cards: Cards | None = None) -> None:
        await self._cards(interaction, cards)

    @app_commands.command(description="Give up or pass on as many cards as the game asks for")
    @app_commands.describe(cards="The cards: 7h 4c 2s; without any you choose them privately")
    @app_commands.guild_only()
    async def discard(self, interaction: Interaction, cards: Cards | None = None) -> None:
        await self._cards(interaction, cards)

    @app_commands.command(description="Keep all your cards at the draw")
    @app_commands.guild_only()
    async def standpat(self, interaction: Interaction) -> None:
        await self._act(interaction, c.Discard())

    @app_commands.command(description="Say in secret how you play: high, low, both, in, out")
    @app_commands.describe(word="What you declare; nobody sees it before everybody has")
    @app_commands.guild_only()
    async def declare(self, interaction: Interaction, word: app_commands.Range[str, 1, 24]) -> None:
        await self._act(interaction, c.Declare(word.strip().lower()))

    @declare.autocomplete("word")
    async def words(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The words that may be said now."""
        now = self.room.tables.table_in_channel(interaction.guild_id or 0, interaction.channel_id or 0)
        own = now.seen_by(interaction.user.id) if now is not None else None
        known = own.legal.words if own is not None and own.legal is not None else ()
        return [app_commands.Choice(name=word, value=word) for word in known if typed.casefold() in word]

    @app_commands.command(description="With all betting over: run the rest of the board twice, or once")
    @app_commands.describe(answer="Everybody in the hand must say yes")
    @app_commands.guild_only()
    async def runtwice(self, interaction: Interaction, answer: Answer = "yes") -> None:
        await self._act(interaction, c.Accept() if answer == "yes" else c.Decline())

    @app_commands.command(
        description="Say yes or no to what is offered to you: a straddle, a card's price, turning a card up"
    )
    @app_commands.describe(answer="Yes or no")
    @app_commands.guild_only()
    async def answer(self, interaction: Interaction, answer: Answer) -> None:
        await self._act(interaction, c.Accept() if answer == "yes" else c.Decline())

    async def _cards(self, interaction: Interaction, typed: str | None) -> None:
        async def give_up(deed: Deed, reply: Reply) -> None:
            now = self.room.here(deed)
            legal = playing.legal_of(now, deed.user)
            if legal.decision not in _OF_CARDS:
                refusal = NotAskedNow(asked=legal.decision)
                refusal.legal = legal
                raise refusal
            scene = playing.own_scene(self.room, now, deed.user)
            if typed is None:
                await reply.private(choices.choice_panel(scene))
                return
            seat = scene.own()
            place_of = {seen.card: seen.place for seen in (seat.cards if seat is not None else ()) if seen.place >= 0}
            named = parse_all(typed)
            if not set(named) <= place_of.keys():
                raise NotYourCard
            command = c.Discard(tuple(place_of[card] for card in named))
            outcome = await self.room.tables.act(deed.asked(), command)
            await reply.private(playing.done_panel(self.room, outcome, legal.decision))

        await attend(self.room, interaction, give_up)

    async def _act(self, interaction: Interaction, command: c.Command) -> None:
        async def ask(deed: Deed, reply: Reply) -> None:
            now = self.room.tables.table_in_channel(deed.guild, deed.channel)
            asked = now.asking if now is not None else Decision.NONE
            outcome = await self.room.tables.act(deed.asked(), command)
            await reply.private(playing.done_panel(self.room, outcome, asked))

        await attend(self.room, interaction, ask)
