"""`/chips`: what a player has, and what the house gives."""

from discord import app_commands

from bot.ledger.gifts import DAY_MS
from bot.line.interaction import InteractionInfo
from bot.render.house import chips as pages
from bot.render.message.panel import Panel, payload
from cogs.cog import ServicesGroup
from cogs.support.commands import Invocation, group_description, slash_command
from cogs.support.services import PageClick


@app_commands.guild_only()
class ChipsCog(ServicesGroup, group_name="chips", group_description=group_description("chips")):
    """`/chips …`."""

    @slash_command("chips balance")
    async def balance(self, invocation: Invocation) -> Panel:
        return await self._balance(invocation.info)

    @slash_command("chips daily")
    async def daily(self, invocation: Invocation) -> Panel:
        return await self._daily(invocation.info)

    @slash_command("chips free")
    async def free(self, invocation: Invocation) -> Panel:
        return await self._relief(invocation.info)

    @slash_command("chips history")
    async def history(self, invocation: Invocation) -> Panel:
        return await self._history(invocation.info)

    async def chips_page(self, click: PageClick) -> None:
        """Answer a click on one's own chips."""
        info = click.info
        match click.press.verb:
            case "here":
                with self.services.in_server_language(info.guild):
                    panel = await self._balance(info, shared=True)
                await click.reply.public(panel)
            case "daily":
                await click.reply.redraw(payload(await self._daily(info)))
            case "relief":
                await click.reply.redraw(payload(await self._relief(info)))
            case "history":
                await click.reply.redraw(payload(await self._history(info, click.press.number())))
            case _:
                await click.reply.redraw(payload(await self._balance(info)))

    async def _balance(self, info: InteractionInfo, *, shared: bool = False) -> Panel:
        bank = self.services.bank
        opening_at = await bank.opening_grant_at(info.guild, info.user)
        holdings = await bank.holdings(info.guild, info.user)
        rules = await bank.house_rules(info.guild)
        gifts = await bank.next_gifts(info.guild, info.user, info.joined_at)
        practice = await bank.practice_chips(info.guild, info.user)
        return pages.balance_panel(
            holdings,
            daily_at=-(-gifts.daily_at // 1000),
            daily_chips=gifts.daily,
            relief_at=-(-gifts.relief_at // 1000),
            relief_chips=gifts.relief,
            held=await bank.held(info.guild, info.user),
            opening_at=-(-opening_at // 1000),
            opening_chips=rules.opening_grant,
            practice=practice,
            shared=shared,
        )

    async def _daily(self, info: InteractionInfo) -> Panel:
        gift = await self.services.bank.daily(info.request())
        tomorrow = (self.services.clock.now() // DAY_MS + 1) * DAY_MS // 1000
        return pages.gift_claimed_panel(
            "daily", gift.chips, gift.holdings.wallet, streak=gift.holdings.claims.streak, next_at=tomorrow
        )

    async def _relief(self, info: InteractionInfo) -> Panel:
        gift = await self.services.bank.relief(info.request())
        return pages.gift_claimed_panel("relief", gift.chips, gift.holdings.wallet)

    async def _history(self, info: InteractionInfo, before: int = 0) -> Panel:
        history = await self.services.bank.history(info.guild, info.user, before=before)
        return pages.history_panel(history, first=not before)
