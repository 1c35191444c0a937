"""Sitting down, pausing, adding chips, leaving: the commands of who sits.

Source: issue 2 "Discord"; style §6.
"""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.render import amounts
from bot.table.state import Entry
from cogs.ui import said, seating
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room

Chips = app_commands.Range[str, 1, 24]


class SeatsCog(commands.Cog):
    """`/sit`, `/leave`, `/sitout`, `/back`, `/rebuy`, `/waitinglist`."""

    def __init__(self, room: Room) -> None:
        self.room = room

    @app_commands.command(description="Take a seat at this channel's table")
    @app_commands.describe(
        chips="How many chips to sit down with: 5000, 5k; 100 big blinds if you name none",
        seat="The seat's number; any free one if you name none",
    )
    @app_commands.guild_only()
    async def sit(
        self,
        interaction: Interaction,
        chips: Chips | None = None,
        seat: app_commands.Range[int, 1, 14] | None = None,
    ) -> None:
        async def take(deed: Deed, reply: Reply) -> None:
            now = self.room.here(deed)
            named = amounts.chips(chips) if chips is not None else 0
            await reply.private(await seating.sit_down(self.room, deed.asked(), now, named, seat or 0))

        await attend(self.room, interaction, take)

    @app_commands.command(description="Get up with your chips, after the hand you are in")
    @app_commands.guild_only()
    async def leave(self, interaction: Interaction) -> None:
        async def go(deed: Deed, reply: Reply) -> None:
            await reply.private(said.left(await self.room.tables.leave(deed.asked())))

        await attend(self.room, interaction, go)

    @app_commands.command(description="Pause: no cards from the next hand on")
    @app_commands.guild_only()
    async def sitout(self, interaction: Interaction) -> None:
        async def pause(deed: Deed, reply: Reply) -> None:
            await reply.private(said.sat_out(await self.room.tables.sit_out(deed.asked())))

        await attend(self.room, interaction, pause)

    @app_commands.command(description="Play on after a pause")
    @app_commands.describe(how="How to come in when you owe blinds")
    @app_commands.choices(
        how=[
            app_commands.Choice(name="Post what I owe", value=Entry.POST.value),
            app_commands.Choice(name="Wait for the big blind", value=Entry.WAIT.value),
            app_commands.Choice(name="Buy the button", value=Entry.BUY_BUTTON.value),
        ]
    )
    @app_commands.guild_only()
    async def back(self, interaction: Interaction, how: str | None = None) -> None:
        async def come(deed: Deed, reply: Reply) -> None:
            entry = Entry(how) if how is not None else None
            await reply.private(await seating.come_back(self.room, deed.asked(), self.room.here(deed), entry))

        await attend(self.room, interaction, come)

    @app_commands.command(description="Add chips from your wallet, now or before the next hand")
    @app_commands.describe(chips="How many: 5000, 5k")
    @app_commands.guild_only()
    async def rebuy(self, interaction: Interaction, chips: Chips) -> None:
        async def add(deed: Deed, reply: Reply) -> None:
            await reply.private(said.topped_up(await self.room.tables.rebuy(deed.asked(), amounts.chips(chips))))

        await attend(self.room, interaction, add)

    @app_commands.command(description="Wait for a seat at this channel's table")
    @app_commands.describe(wait="Off: wait no longer")
    @app_commands.guild_only()
    async def waitinglist(self, interaction: Interaction, wait: bool = True) -> None:
        async def ask(deed: Deed, reply: Reply) -> None:
            if wait:
                await reply.private(said.waits(await self.room.tables.wait(deed.asked())))
            else:
                await self.room.tables.wait_no_longer(deed.asked())
                await reply.private(said.good("You wait no longer."))

        await attend(self.room, interaction, ask)
