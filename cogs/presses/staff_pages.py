"""What staff press on the pages of `/house`: a rule to change, a report to settle, a ban to lift."""

import discord

from bot.house.rules import LISTED, rules_of_page
from bot.line.interaction import InteractionInfo
from bot.render.hand.hand_log import hand_log_panel
from bot.render.house import house_pages, staff_pages
from bot.render.house.rule_controls import chosen_value
from bot.render.message.custom_ids import PagePress
from bot.render.message.panel import Panel, payload
from bot.runtime.errors import NoHandYet, NoSuchReport, NotBanned
from bot.runtime.flow_alarms import giver_and_taker
from bot.surfaces.rooms.refusals import missing_for_room
from bot.surfaces.scenes import hand_log_scene
from bot.table.refusals import StaffOnly
from bot.text import amounts, house
from bot.text import rooms as room_words
from bot.text.language import t
from cogs.support.services import Effort, PageClick, Services

_CHOSEN = frozenset(rules_of_page("house.server"))
"""The rules that are chosen in selects."""


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
            case "rule" if press.words and press.words[0] in _CHOSEN:
                await click.reply.redraw(payload(await self._choose_rule(info, press.words[0])))
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
                self.services.spend_time(Effort.LEADERBOARD, info.user)
                await click.reply.redraw(payload(await self.flow_panel(info, number, press.number(1))))
            case "flowlook" | "flowaside" | "flowback":
                await self._settle_alarm(click, number)
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

    async def server_panel(self, info: InteractionInfo) -> Panel:
        """Return the roles, channels and looks of the server."""
        return house_pages.house_server_panel(await self.services.bank.house_rules(info.guild))

    async def _choose_rule(self, info: InteractionInfo, field: str) -> Panel:
        """Change a rule that is chosen in a select, and return the page with what staff have to know of it."""
        bank, guild, value = self.services.bank, info.guild, chosen_value(field, info.values)
        if value is None:
            return await self.server_panel(info)
        if field == "staff_channel" and value and not (await bank.house_rules(guild)).staff_channel:
            await self.services.staff_channel.begin(guild)
        await bank.change_house_rules(await self.services.request(info), **{field: value})
        return house_pages.with_note(await self.server_panel(info), self._note_on(guild, field, value))

    def _note_on(self, guild: int, field: str, value: int | str) -> str:
        servers = self.services.discord_api.servers
        if field == "staff_channel" and value and servers.is_open_to_all(guild, int(value)):
            return house.everybody_reads()
        if field != "forum_channel":
            return ""
        if not value:
            return t(room_words.FORUM_OFF)
        forum, missing, makes_tags = servers.channel_or_thread(guild, int(value)), ["view_channel"], True
        if isinstance(forum, discord.ForumChannel):
            missing = missing_for_room(forum, private=False)
            makes_tags = forum.permissions_for(forum.guild.me).manage_channels
        return room_words.forum_chosen(int(value), missing, makes_tags=makes_tags)

    async def _set_rule(self, info: InteractionInfo, field: str) -> Panel:
        before = await self.services.bank.house_rules(info.guild)
        value = parse_rule_value(info.fields.get(house_pages.VALUE_FIELD, ""))
        after = await self.services.bank.change_house_rules(await self.services.request(info), **{field: value})
        return house_pages.house_rule_changed_panel(field, getattr(before, field), getattr(after, field))

    async def audit_panel(self, info: InteractionInfo) -> Panel:
        self.services.spend_time(Effort.LEADERBOARD, info.user)
        return house_pages.audit_panel(await self.services.bank.audit(await self.services.request(info)))

    async def reports_panel(self, info: InteractionInfo, after: int = 0) -> Panel:
        staff_log = self.services.tables.staff_log
        return staff_pages.reports_panel(*await staff_log.open_reports(await self.services.request(info), after=after))

    async def flow_panel(self, info: InteractionInfo, days: int, first: int = 0) -> Panel:
        """Return who gives chips to whom, and the alarms that wait."""
        request = await self.services.request(info)
        flows = await self.services.bank.flow(request, days)
        return staff_pages.flow_panel(flows, days, first, *await self.services.flow_alarms.waiting(request))

    async def _settle_alarm(self, click: PageClick, alarm: int) -> None:
        """Answer what staff press under an alarm; the message of the staff channel stays as it is."""
        alarms, request = self.services.flow_alarms, await self.services.request(click.info)
        if click.press.verb == "flowlook":
            giver, taker = giver_and_taker((await alarms.look(request, alarm)).entry)
            flows = await self.services.bank.flow(request, staff_pages.FLOW_DAYS)
            told = [flow for flow in flows if {giver, taker} & {flow.giver, flow.taker}]
            told.sort(key=lambda flow: (flow.giver, flow.taker) != (giver, taker))
            await click.reply.private(staff_pages.flow_panel(told, staff_pages.FLOW_DAYS))
            return
        aside = click.press.verb == "flowaside"
        line = await (alarms.set_aside if aside else alarms.count_again)(request, alarm)
        await click.reply.private(staff_pages.alarm_settled_panel(line, aside=aside))

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


def parse_rule_value(text: str) -> int:
    """Read the value of a house rule as it was typed. 0 and -1 are no amounts of chips, but some rules take them.

    Raises:
        BadAmount: it cannot be read.
    """
    typed = text.strip()
    return int(typed) if typed in {"0", "-1"} else amounts.parse_chips(typed)
