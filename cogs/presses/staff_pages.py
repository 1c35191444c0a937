"""What staff press on the pages of `/house`: a rule to change, a report to settle, a ban to lift."""

from discord import app_commands

from bot.house.rules import LISTED
from bot.line.interaction import InteractionInfo
from bot.render.hand.hand_log import hand_log_panel
from bot.render.house import house_pages, staff_pages
from bot.render.message.custom_ids import PagePress
from bot.render.message.panel import Panel, payload
from bot.runtime.errors import NoHandYet, NoSuchReport, NotBanned
from bot.surfaces.scenes import hand_log_scene
from bot.table.house_games import HOUSE_GAME_NAME_MAX
from bot.table.refusals import StaffOnly
from bot.text import amounts
from cogs.support.services import PageClick, Services

Chips = app_commands.Range[str, 1, 24]
GameName = app_commands.Range[str, 1, HOUSE_GAME_NAME_MAX]
Reason = app_commands.Range[str, 1, 200]


class StaffPages:
    """Answers clicks of staff."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def page(self, click: PageClick) -> None:
        """Answer a click of staff: a house rule to change, and to what; more of a list; a report; a ban to lift."""
        info, press = click.info, click.press
        await self.require_staff(info)
        number = press.number()
        match press.verb:
            case "nochannel":
                await self.services.bank.change_house_rules(await self.services.request(info), staff_channel=0)
                rules = await self.services.bank.house_rules(info.guild)
                await click.reply.redraw(payload(house_pages.house_rules_panel(rules)))
            case "adjusted":
                page = await self.services.bank.adjustments(await self.services.request(info), before=number)
                await click.reply.redraw(payload(house_pages.adjustments_panel(page)))
            case "reports":
                await click.reply.redraw(payload(await self.reports_panel(info, after=number)))
            case "look":
                await click.reply.private(await self._reported_hand_panel(info, press))
            case "done":
                await self._settle_report(click, number)
            case "flow" if 1 <= number <= 90:
                flows = await self.services.bank.flow(await self.services.request(info), number)
                await click.reply.redraw(payload(staff_pages.flow_panel(flows, number, press.number(1))))
            case "unban":
                await self._lift_ban(click)
            case "audit":
                await click.reply.private(await self.audit_panel(info))
            case "change" if info.values and info.values[0] in LISTED:
                field = info.values[0]
                rules = await self.services.bank.house_rules(info.guild)
                await click.reply.form(house_pages.house_rule_form(field, getattr(rules, field), info.user))
            case "set" if press.words and press.words[0] in LISTED:
                await click.reply.private(await self._set_rule(info, press.words[0]))
            case _:
                await click.reply.acknowledge()

    async def _set_rule(self, info: InteractionInfo, field: str) -> Panel:
        before = await self.services.bank.house_rules(info.guild)
        value = _parse_rule_value(info.fields.get(house_pages.VALUE_FIELD, ""))
        after = await self.services.bank.change_house_rules(await self.services.request(info), **{field: value})
        return house_pages.house_rule_changed_panel(field, getattr(before, field), getattr(after, field))

    async def audit_panel(self, info: InteractionInfo) -> Panel:
        return house_pages.audit_panel(await self.services.bank.audit(await self.services.request(info)))

    async def reports_panel(self, info: InteractionInfo, after: int = 0) -> Panel:
        staff_log = self.services.tables.staff_log
        return staff_pages.reports_panel(*await staff_log.open_reports(await self.services.request(info), after=after))

    async def _settle_report(self, click: PageClick, report: int) -> None:
        """Mark a report as done: the list is drawn again; the message of the staff channel stays as it is."""
        if not 0 < report < 2**63:
            raise NoSuchReport
        line = await self.services.tables.staff_log.settle_report(await self.services.request(click.info), report)
        if click.info.message_is_private:
            await click.reply.redraw(payload(await self.reports_panel(click.info)))
        else:
            await click.reply.private(staff_pages.report_done_panel(line.entry.hand))

    async def _reported_hand_panel(self, info: InteractionInfo, press: PagePress) -> Panel:
        """Return a hand of this server as everybody could see it, also of a table that is closed."""
        hand = press.hand()
        if hand is None:
            raise NoHandYet(hands=0)
        log = await self.services.tables.read_public_hand(await self.services.request(info), *hand)
        return hand_log_panel(hand_log_scene(log, self.services.emojis_for(info.user)), log.street_views, shared=True)

    async def _lift_ban(self, click: PageClick) -> None:
        chosen = click.info.values[0] if click.info.values else ""
        if not chosen.isdecimal() or len(chosen) > 20:
            raise NotBanned
        await self.services.tables.staff_log.unban(await self.services.request(click.info), int(chosen))
        await click.reply.private(staff_pages.unbanned_panel(int(chosen)))

    async def require_staff(self, info: InteractionInfo) -> None:
        """Raise StaffOnly for anybody else: a server can show `/house` to all."""
        if not (await self.services.request(info)).staff:
            raise StaffOnly


def _parse_rule_value(text: str) -> int:
    """Read the value of a house rule as it was typed. 0 and -1 are no amounts of chips, but some rules take them.

    Raises:
        BadAmount: it cannot be read.
    """
    typed = text.strip()
    return int(typed) if typed in {"0", "-1"} else amounts.parse_chips(typed)
