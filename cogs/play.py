"""Playing by command: every one of these is also a button under the table.

Source: issue 2 "Discord"; style §6.
"""

from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.engine import commands as c
from bot.engine.legal import Decision
from bot.render import choices
from bot.runtime.errors import NoHandYet
from bot.table.preselected import Choice
from cogs.ui import playing, preselecting, said
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.receipts import receipt
from cogs.ui.replies import Reply
from cogs.ui.room import Room

Amount = app_commands.Range[str, 1, 24]
EarlyChoice = Literal["check or fold", "call", "fold", "nothing"]
EARLY: dict[EarlyChoice, Choice | None] = {
    "check or fold": Choice.CHECK_OR_DROP,
    "call": Choice.CALL,
    "fold": Choice.DROP,
    "nothing": None,
}
AMOUNTS = (("½ pot", "½"), ("Pot", "pot"), ("Minimum", "min"), ("All-in", "all"))


class PlayCog(commands.Cog):
    """Fold, check, call, bet, raise, show."""

    def __init__(self, room: Room) -> None:
        self.room = room

    @app_commands.command(description="Give up your hand")
    @app_commands.guild_only()
    async def fold(self, interaction: Interaction) -> None:
        await self._say(interaction, c.Fold())

    @app_commands.command(description="Bet nothing and stay in, while nobody has bet")
    @app_commands.guild_only()
    async def check(self, interaction: Interaction) -> None:
        await self._say(interaction, c.Check())

    @app_commands.command(description="Match the highest bet, or go all-in for less")
    @app_commands.guild_only()
    async def call(self, interaction: Interaction) -> None:
        await self._say(interaction, c.Call())

    @app_commands.command(description="Make the first bet of the street, in chips")
    @app_commands.describe(to="How much: 200, 1.5k, ½, pot, all")
    @app_commands.guild_only()
    async def bet(self, interaction: Interaction, to: Amount) -> None:
        await attend(self.room, interaction, lambda deed, reply: self._sized(deed, reply, to))

    @app_commands.command(name="raise", description="Raise to a total for this street, in chips")
    @app_commands.describe(to="Up to how much: 200, 1.5k, ½, pot, all")
    @app_commands.guild_only()
    async def raise_to(self, interaction: Interaction, to: Amount) -> None:
        await attend(self.room, interaction, lambda deed, reply: self._sized(deed, reply, to))

    @bet.autocomplete("to")
    @raise_to.autocomplete("to")
    async def amounts(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Sizes one may choose from; what is typed comes first."""
        sizes = [app_commands.Choice(name=name, value=value) for name, value in AMOUNTS]
        own = [app_commands.Choice(name=typed[:24], value=typed[:24])] if typed.strip() else []
        return [*own, *(one for one in sizes if typed.casefold() in one.name.casefold())]

    @app_commands.command(description="Put in everything you have")
    @app_commands.guild_only()
    async def allin(self, interaction: Interaction) -> None:
        await self._act(interaction, c.AllIn())

    @app_commands.command(description="Turn your cards up")
    @app_commands.guild_only()
    async def show(self, interaction: Interaction) -> None:
        async def turn_up(deed: Deed, reply: Reply) -> None:
            now = self.room.here(deed)
            own = now.seen_by(deed.user)
            if own is not None and own.legal is not None and (own.legal.designate or own.legal.words):
                await reply.private(choices.choice_panel(playing.own_scene(self.room, now, deed.user)))
                return
            await reply.private(receipt(await self.room.tables.act(deed.asked(), c.Show())))

        await attend(self.room, interaction, turn_up)

    @app_commands.command(description="Give your hand up unseen at the showdown")
    @app_commands.guild_only()
    async def muck(self, interaction: Interaction) -> None:
        await self._act(interaction, c.Muck())

    @app_commands.command(description="See your cards; nobody else does")
    @app_commands.guild_only()
    async def peek(self, interaction: Interaction) -> None:
        async def look(deed: Deed, reply: Reply) -> None:
            now = self.room.here(deed)
            if not now.has_hand:
                raise NoHandYet(hands=0)
            await reply.private(playing.peek_panel(self.room, now, deed.user))

        await attend(self.room, interaction, look)

    @app_commands.command(description="Your time bank, on your turn")
    @app_commands.guild_only()
    async def time(self, interaction: Interaction) -> None:
        async def ask(deed: Deed, reply: Reply) -> None:
            await reply.private(said.time_bank(await self.room.tables.time(deed.asked())))

        await attend(self.room, interaction, ask)

    @app_commands.command(description="Take the straddle offered to you, or ask for the live one at the next deal")
    @app_commands.describe(on="Off declines it, or takes it back")
    @app_commands.guild_only()
    async def straddle(self, interaction: Interaction, on: bool = True) -> None:
        async def ask(deed: Deed, reply: Reply) -> None:
            own = self.room.here(deed).seen_by(deed.user)
            if own is not None and own.legal is not None and own.legal.decision is Decision.STRADDLE:
                command = c.Straddle() if on else c.Decline()
                await reply.private(receipt(await self.room.tables.act(deed.asked(), command)))
                return
            await self.room.tables.straddle(deed.asked(), on=on)
            words = "You straddle at the next deal.\n-# Law TL-13" if on else "You do not straddle at the next deal."
            await reply.private(said.good(words))

        await attend(self.room, interaction, ask)

    @app_commands.command(
        description="Before your turn, for this street only: say what you will do at it; nobody sees it"
    )
    @app_commands.describe(choice="Check or fold, call what it costs now, fold, or take back what you have chosen")
    @app_commands.guild_only()
    async def preselect(self, interaction: Interaction, choice: EarlyChoice) -> None:
        async def ask(deed: Deed, reply: Reply) -> None:
            await reply.private(await preselecting.note(self.room, deed, EARLY[choice]))

        await attend(self.room, interaction, ask)

    async def _say(self, interaction: Interaction, command: c.Command) -> None:
        """What may be noted for later, where it is another's turn (TL-34)."""

        async def ask(deed: Deed, reply: Reply) -> None:
            await reply.private(await preselecting.say(self.room, deed, command))

        await attend(self.room, interaction, ask)

    async def _act(self, interaction: Interaction, command: c.Command) -> None:
        async def ask(deed: Deed, reply: Reply) -> None:
            await reply.private(receipt(await self.room.tables.act(deed.asked(), command)))

        await attend(self.room, interaction, ask)

    async def _sized(self, deed: Deed, reply: Reply, word: str) -> None:
        now = self.room.here(deed)
        command = playing.sized(word, playing.legal_of(now, deed.user), now.settings.stakes.big_blind)
        await reply.private(receipt(await self.room.tables.act(deed.asked(), command)))
