"""Hands that have been played, in words.

Source: issue 2 "Discord" (`/hand`).
"""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.render.cards import Emojis
from bot.render.handlog import log_panel
from bot.render.panel import Panel, payload
from bot.runtime.errors import NoHandYet
from bot.runtime.outcome import HandLog
from cogs.ui.click import PageClick
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room
from cogs.ui.scenes import log_scene

NOBODY = 0
"""Who sees what everybody may see."""


class HistoryCog(commands.Cog):
    """`/hand`."""

    def __init__(self, room: Room) -> None:
        self.room = room

    @app_commands.command(description="The last hand of this table in words, street by street")
    @app_commands.describe(number="Which hand; the last one if you name none")
    @app_commands.guild_only()
    async def hand(self, interaction: Interaction, number: app_commands.Range[int, 1] | None = None) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            log = await self.room.tables.last_hand(deed.asked(), number or 0)
            await reply.private(self._panel(log, emojis=self.room.emojis_of(deed.user)))

        await attend(self.room, interaction, tell)

    async def page(self, click: PageClick) -> None:
        """A click on a hand in words: another page, or showing it to everybody."""
        table, hand, number = _place(click.press.words)
        shared = click.press.verb in {"here", "shared"}
        asked = click.deed.asked(table=table)
        if shared:
            asked = type(asked)(key=asked.key, guild=asked.guild, channel=asked.channel, user=NOBODY, table=table)
        log = await self.room.tables.last_hand(asked, hand)
        emojis = None if shared else self.room.emojis_of(click.deed.user)
        panel = self._panel(log, number, shared=shared, emojis=emojis)
        if click.press.verb == "here":
            await click.reply.public(panel)
        else:
            await click.reply.redraw(payload(panel))

    def _panel(self, log: HandLog, number: int = 1, *, shared: bool = False, emojis: Emojis | None = None) -> Panel:
        """A page of it; `emojis` where one player alone sees it and wants his own cards."""
        return log_panel(log_scene(log, emojis or self.room.deck.emojis), log.streets, number, shared=shared)


def _place(words: tuple[str, ...]) -> tuple[int, int, int]:
    """Table, hand and page from a button's words, ``12.34`` and ``2.next``.

    Raises:
        NoHandYet: they name no hand.
    """
    table, _, hand = (words[0] if words else "").partition(".")
    number = (words[1] if len(words) > 1 else "1").partition(".")[0]
    if not (table.isdecimal() and hand.isdecimal() and number.isdecimal()):
        raise NoHandYet(hands=0)
    return int(table), int(hand), int(number)
