"""What a player wishes for himself: how his cards look to him, and whether they come by direct message.

Source: ui §2, §5 f, §8 "Settings per player".
"""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.render import private
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room

FOUR, TWO = "four", "two"
_COLOURS = [
    app_commands.Choice(name="four colours: clubs green, diamonds blue", value=FOUR),
    app_commands.Choice(name="two colours: black and red", value=TWO),
]


class WishesCog(commands.Cog):
    """`/cards`."""

    def __init__(self, room: Room) -> None:
        self.room = room

    @app_commands.command(name="cards", description="How your own cards look to you, and whether they come by DM")
    @app_commands.describe(
        colours="The colours of the suits in your DMs, in Peek and wherever only you see it",
        dms="Whether your hole cards come by DM",
    )
    @app_commands.choices(colours=_COLOURS)
    @app_commands.guild_only()
    async def cards(
        self, interaction: Interaction, colours: app_commands.Choice[str] | None = None, dms: bool | None = None
    ) -> None:
        async def wish(deed: Deed, reply: Reply) -> None:
            preferences, user = self.room.preferences, deed.user
            if colours is not None:
                await preferences.choose_deck(user, two_colour=colours.value == TWO)
            if dms is not None:
                await preferences.choose(user, by_dm=dms)
                if dms:
                    self.room.letters.turned_on(user)
            two = preferences.two_colour(user)
            emojis = self.room.emojis_of(user)
            await reply.private(private.wishes_panel(emojis, two_colour=two, by_dm=preferences.by_dm(user)))

        await attend(self.room, interaction, wish)
