"""`/chips`: what a player has, and what the house gives."""

from discord import app_commands

from bot.house.rules import HouseRules
from bot.ledger.gifts import DAY_MS, HOUR_MS, daily_chips, gifts_at, streak_after_claim
from bot.line.interaction import InteractionInfo
from bot.render.house import chips as pages
from bot.render.message.panel import Panel, payload
from bot.runtime.store_types import PlayerHoldings
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
        daily_at, chips, relief_at = next_gifts(rules, holdings, info.joined_at, self.services.clock.now())
        practice = await bank.practice_chips(info.guild, info.user)
        return pages.balance_panel(
            holdings,
            daily_at=daily_at,
            daily_chips=chips,
            relief_at=relief_at,
            relief_chips=rules.relief,
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


def next_gifts(rules: HouseRules, holdings: PlayerHoldings, joined_at: int, now: int) -> tuple[int, int, int]:
    """Return when daily chips can be claimed next, how many they are, and when free chips can; times in seconds, 0 for at once.

    Args:
        joined_at: when the player joined the server, in ms; 0 where Discord does not say.
        now: milliseconds since the epoch.
    """
    day = now // DAY_MS
    claims = holdings.claims
    claimed = claims.last_daily_day >= day
    tenured_at = gifts_at(rules, claims, holdings.user, joined_at, now)
    daily_at = max((claims.last_daily_day + 1) * DAY_MS if claimed else 0, tenured_at)
    streak = claims.streak + 1 if claimed else streak_after_claim(claims, day)
    relief_at = max(claims.relief_at + rules.relief_hours * HOUR_MS if claims.relief_at else 0, tenured_at)
    daily_at, relief_at = (-(-at // 1000) if at > now else 0 for at in (daily_at, relief_at))
    return daily_at, daily_chips(rules, streak) if rules.daily else 0, relief_at
