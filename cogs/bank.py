"""Chips and the leaderboard.

Source: issue 2 "Chips", "Discord"; ui §5 g.
"""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.ledger.accounts import Book
from bot.ledger.house import DAY, HOUR, HouseRules, daily_chips, streak_on
from bot.render import chips as pages
from bot.render.panel import Panel, payload
from bot.runtime.ports import Purse
from cogs.ui.click import PageClick
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room


@app_commands.guild_only()
class BankCog(commands.GroupCog, name="chips", description="Your chips: balance, daily chips, relief, history"):
    """`/chips …`."""

    def __init__(self, room: Room) -> None:
        self.room = room
        super().__init__()

    @app_commands.command(description="What you have, and what the house gives next")
    async def balance(self, interaction: Interaction) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            await reply.private(await self._balance(deed))

        await attend(self.room, interaction, tell)

    @app_commands.command(description="Claim your daily chips")
    async def daily(self, interaction: Interaction) -> None:
        async def claim(deed: Deed, reply: Reply) -> None:
            await reply.private(await self._daily(deed))

        await attend(self.room, interaction, claim)

    @app_commands.command(description="Claim relief, when you have no chips left anywhere")
    async def relief(self, interaction: Interaction) -> None:
        async def claim(deed: Deed, reply: Reply) -> None:
            await reply.private(await self._relief(deed))

        await attend(self.room, interaction, claim)

    @app_commands.command(description="Where your chips came from and went")
    async def history(self, interaction: Interaction) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            await reply.private(await self._history(deed))

        await attend(self.room, interaction, tell)

    async def chips_page(self, click: PageClick) -> None:
        """A click on one's own chips."""
        deed = click.deed
        match click.press.verb:
            case "here":
                await click.reply.public(await self._balance(deed, shared=True))
            case "daily":
                await click.reply.redraw(payload(await self._daily(deed)))
            case "relief":
                await click.reply.redraw(payload(await self._relief(deed)))
            case "history":
                before = int(click.press.words[0]) if click.press.words and click.press.words[0].isdecimal() else 0
                await click.reply.redraw(payload(await self._history(deed, before)))
            case _:
                await click.reply.redraw(payload(await self._balance(deed)))

    async def board_page(self, click: PageClick) -> None:
        """A click on the leaderboard: a page of one's own, or of one shown to everybody."""
        words = click.press.words
        number = max(1, int(words[0])) if words and words[0].isdecimal() else 1
        match click.press.verb:
            case "here":
                await click.reply.public(await leaderboard(self.room, click.deed, number, shared=True))
            case "shared":
                await click.reply.redraw(payload(await leaderboard(self.room, click.deed, number, shared=True)))
            case _:
                await click.reply.redraw(payload(await leaderboard(self.room, click.deed, number)))

    async def _balance(self, deed: Deed, *, shared: bool = False) -> Panel:
        bank = self.room.bank
        purse = await bank.purse(deed.guild, deed.user)
        rules = await bank.house_rules(deed.guild)
        now = self.room.clock.now()
        daily_at, chips, relief_at = next_gifts(rules, purse, now)
        practice = await bank.practice_chips(deed.guild, deed.user)
        return pages.balance_panel(
            purse,
            daily_at=daily_at,
            daily_chips=chips,
            relief_at=relief_at,
            relief_chips=rules.relief,
            practice=practice,
            shared=shared,
        )

    async def _daily(self, deed: Deed) -> Panel:
        given = await self.room.bank.daily(deed.asked())
        tomorrow = (self.room.clock.now() // DAY + 1) * DAY // 1000
        return pages.claimed_panel(
            "daily", given.chips, given.purse.wallet, streak=given.purse.claims.streak, next_at=tomorrow
        )

    async def _relief(self, deed: Deed) -> Panel:
        given = await self.room.bank.relief(deed.asked())
        return pages.claimed_panel("relief", given.chips, given.purse.wallet)

    async def _history(self, deed: Deed, before: int = 0) -> Panel:
        history = await self.room.bank.history(deed.guild, deed.user, before=before)
        return pages.history_panel(history, first=not before)


class BoardCog(commands.Cog):
    """`/leaderboard`."""

    def __init__(self, room: Room) -> None:
        self.room = room

    @app_commands.command(name="leaderboard", description="Who has most chips here, in the wallet and on tables")
    @app_commands.describe(page="Which page")
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, page: app_commands.Range[int, 1, 100_000] = 1) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            await reply.private(await leaderboard(self.room, deed, page))

        await attend(self.room, interaction, tell)


async def leaderboard(room: Room, deed: Deed, number: int, *, shared: bool = False) -> Panel:
    """A page of the leaderboard, counted from 1. A local cardroom also shows the books of its practice tables."""
    bank, guild, user = room.bank, deed.guild, deed.user
    await bank.purse(guild, user)
    board = await bank.leaderboard(guild, user, page=number - 1)
    practice = await bank.leaderboard(guild, user, book=Book.PRACTICE) if room.local and number == 1 else None
    return pages.leaderboard_panel(board, number, user=user, shared=shared, practice=practice)


def next_gifts(rules: HouseRules, purse: Purse, now: int) -> tuple[int, int, int]:
    """When the next daily chips may be claimed and how many they are, and when relief may; times in s, 0 for now."""
    day = now // DAY
    claims = purse.claims
    claimed = claims.day >= day
    daily_at = (claims.day + 1) * DAY // 1000 if claimed else 0
    streak = claims.streak + 1 if claimed else streak_on(claims, day)
    relief_at = claims.relief_at + rules.relief_hours * HOUR if claims.relief_at else 0
    return daily_at, daily_chips(rules, streak) if rules.daily else 0, relief_at // 1000 if relief_at > now else 0
