"""A player's chips: what they have, and what the house gives."""

from bot.ledger.gifts import DAY_MS
from bot.line.interaction import InteractionInfo
from bot.render.house import chips as pages
from bot.render.message.panel import Panel, payload
from cogs.support.services import PageClick, Services


class ChipPages:
    """Shows a player their chips, and gives them those of the house."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def chips_page(self, click: PageClick) -> None:
        """Answer a click on one's own chips."""
        info = click.info
        match click.press.verb:
            case "here":
                with self.services.in_server_language(info.guild):
                    panel = await self.balance(info, shared=True)
                await click.reply.public(panel)
            case "daily":
                await click.reply.redraw(payload(await self.daily(info)))
            case "relief":
                await click.reply.redraw(payload(await self.relief(info)))
            case "history":
                await click.reply.redraw(payload(await self.history(info, click.press.number())))
            case _:
                await click.reply.redraw(payload(await self.balance(info)))

    async def balance(self, info: InteractionInfo, *, shared: bool = False) -> Panel:
        """Return what a player has, and when the house gives next."""
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

    async def daily(self, info: InteractionInfo) -> Panel:
        """Give a player their daily chips."""
        gift = await self.services.bank.daily(info.request())
        tomorrow = (self.services.clock.now() // DAY_MS + 1) * DAY_MS // 1000
        return pages.gift_claimed_panel(
            "daily", gift.chips, gift.holdings.wallet, streak=gift.holdings.claims.streak, next_at=tomorrow
        )

    async def relief(self, info: InteractionInfo) -> Panel:
        """Give chips to a player who has none."""
        gift = await self.services.bank.relief(info.request())
        return pages.gift_claimed_panel("relief", gift.chips, gift.holdings.wallet)

    async def history(self, info: InteractionInfo, before: int = 0) -> Panel:
        """Return where a player's chips came from and went."""
        history = await self.services.bank.history(info.guild, info.user, before=before)
        return pages.history_panel(history, first=not before)
