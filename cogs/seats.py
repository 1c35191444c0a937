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
    """`/sit`, `/leave`, `/rebuy`, `/seat`."""

    @slash_command("sit")
    async def sit(self, invocation: Invocation, chips: Chips | None = None, seat: SeatOption | None = None) -> Panel:
        snapshot = invocation.snapshot
        count = amounts.parse_chips(chips) if chips is not None else 0
        return await seating.sit_down(self.services, invocation.request, snapshot, count, seat or 0)

    @slash_command("leave")
    async def leave(self, invocation: Invocation) -> None:
        table = invocation.snapshot.id
        await seating.leave_table(self.services, invocation.info, invocation.reply, invocation.request, table)

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

    @slash_command("seat")
    async def seat(self, invocation: Invocation, what: str = "", minutes: BreakMinutes = 10) -> Panel:
        return await do_at_seat(invocation, what, minutes)


async def do_at_seat(invocation: Invocation, what: str, minutes: int = 10) -> Panel:
    """Do what `/seat` says, by the values of its option `what`; without one, show what the person can do."""
    user = invocation.info.user
    match what:
        case "sit out":
            return confirmations.sitting_out(await invocation.ask(SitOut(user)))
        case "break":
            return confirmations.break_wanted(await invocation.ask(AskForBreak(user, minutes)))
        case "waiting list":
            return confirmations.waiting(await invocation.ask(JoinWaitingList(user, invocation.info.name)))
        case "off the list":
            await invocation.ask(LeaveWaitingList(user))
            return confirmations.done(t(words.OFF_WAITING_LIST))
        case "":
            return await seating.own_menu(invocation.services, invocation.request, invocation.snapshot)
        case _:
            entry = EntryMethod(what) if what != "back" else None
            return await seating.come_back(invocation.services, invocation.request, invocation.snapshot, entry)
