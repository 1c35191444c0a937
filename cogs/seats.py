"""Sitting down, taking a break, adding chips, leaving: the commands of seated players."""

from discord import app_commands

from bot.render.message.panel import Panel
from bot.table.commands import AskForBreak, JoinWaitingList, LeaveWaitingList, SitOut, TopUp
from bot.table.state import EntryMethod
from bot.text import amounts
from bot.text import confirmations as words
from bot.text.language import t
from cogs.cog import ServicesCog
from cogs.presses import seating
from cogs.support import confirmations
from cogs.support.commands import Invocation, slash_command

Chips = app_commands.Range[str, 1, 24]
BreakMinutes = app_commands.Range[int, 5, 30]
SeatOption = app_commands.Range[int, 1, 14]


class SeatsCog(ServicesCog):
    """`/sit`, `/leave`, `/sitout`, `/back`, `/break`, `/rebuy`, `/waitinglist`."""

    @slash_command("sit")
    async def sit(self, invocation: Invocation, chips: Chips | None = None, seat: SeatOption | None = None) -> Panel:
        snapshot = invocation.snapshot
        count = amounts.parse_chips(chips) if chips is not None else 0
        return await seating.sit_down(self.services, invocation.request, snapshot, count, seat or 0)

    @slash_command("leave")
    async def leave(self, invocation: Invocation) -> None:
        table = invocation.snapshot.id
        await seating.leave_table(self.services, invocation.info, invocation.reply, invocation.request, table)

    @slash_command("sitout")
    async def sitout(self, invocation: Invocation) -> Panel:
        return confirmations.sitting_out(await invocation.ask(SitOut(invocation.info.user)))

    @slash_command("back")
    async def back(self, invocation: Invocation, how: str | None = None) -> Panel:
        entry = EntryMethod(how) if how is not None else None
        return await seating.come_back(self.services, invocation.request, invocation.snapshot, entry)

    @slash_command("break")
    async def table_break(self, invocation: Invocation, minutes: BreakMinutes = 10) -> Panel:
        return confirmations.break_wanted(await invocation.ask(AskForBreak(invocation.info.user, minutes)))

    @slash_command("rebuy")
    async def rebuy(self, invocation: Invocation, chips: Chips | None = None) -> Panel:
        user, snapshot = invocation.info.user, invocation.snapshot
        count = amounts.parse_chips(chips) if chips is not None else 0
        if chips is None and not snapshot.settings.has_table_chips:
            ways = await self.services.buy_ins.ways(snapshot, invocation.request)
            if not ways.buy_in or ways.gift:
                return await seating.own_menu(self.services, invocation.request, snapshot)
            count = ways.buy_in
        return confirmations.top_up(await invocation.ask(TopUp(user, count)))

    @slash_command("waitinglist")
    async def waitinglist(self, invocation: Invocation, wait: bool = True) -> Panel:
        info = invocation.info
        if wait:
            return confirmations.waiting(await invocation.ask(JoinWaitingList(info.user, info.name)))
        await invocation.ask(LeaveWaitingList(info.user))
        return confirmations.done(t(words.OFF_WAITING_LIST))
