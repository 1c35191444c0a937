"""`/house`: the commands of staff. House rules, chips added and removed, cancelled hands, the books, house games, bans, reports."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.ledger.house import HOUSE_RULE_BOUNDS
from bot.ledger.refusals import HouseRuleOutOfBounds
from bot.render.hand.hand_log import hand_log_panel
from bot.render.house import house_pages, staff_pages
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.render.table import mixed_games
from bot.runtime.commands import VoidHand
from bot.runtime.errors import NoHandYet, NoSuchReport, NotBanned
from bot.table import house_games
from bot.table.commands import RemovePlayer
from bot.table.house_games import HOUSE_GAME_NAME_MAX
from bot.table.refusals import StaffOnly
from bot.text import amounts, house
from bot.text import confirmations as words
from bot.text import lobby_board as lobby_words
from bot.text import rooms as room_words
from bot.text.language import t
from bot.text.quiet_hours import parse_quiet_hours, server_quiet_hours
from cogs.ui import confirmations, seating
from cogs.ui.click import PageClick
from cogs.ui.commands import CommandWork, Interaction, Invocation, completions, group_description, slash_command
from cogs.ui.interaction import InteractionInfo
from cogs.ui.lobby_boards import BoardEnd
from cogs.ui.rooms import missing_for_room
from cogs.ui.scenes import hand_log_scene
from cogs.ui.services import Services

Chips = app_commands.Range[str, 1, 24]
GameName = app_commands.Range[str, 1, HOUSE_GAME_NAME_MAX]
Reason = app_commands.Range[str, 1, 200]


class _ForumTransformer(app_commands.Transformer):
    """Offers the forums of a server. discord.py would offer channels for media too."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return [discord.ChannelType.forum]

    async def transform(self, interaction: Interaction, value: Any, /) -> Any:
        """Return the chosen channel."""
        return value


ForumOption = app_commands.Transform[app_commands.AppCommandChannel, _ForumTransformer]


def staff_command(path: str) -> Callable[[CommandWork], app_commands.Command[Any, ..., None]]:
    """Make a method a slash command for staff. Its answer also says what staff have to know: that nobody is told what they do."""

    def decorate(work: CommandWork) -> app_commands.Command[Any, ..., None]:
        @functools.wraps(work)
        async def for_staff(cog: HouseCog, invocation: Invocation, **options: Any) -> Panel | None:
            await cog.require_staff(invocation.info)
            panel = await work(cog, invocation, **options)
            return house_pages.with_note(panel, await cog.note(invocation.info)) if panel is not None else None

        return slash_command(path)(for_staff)

    return decorate


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class HouseCog(commands.GroupCog, group_name="house", group_description=group_description("house")):
    """`/house …`. Permissions are checked again here, because a server can show the command to anybody."""

    def __init__(self, services: Services) -> None:
        self.services = services
        super().__init__()

    @staff_command("house settings")
    async def settings(
        self,
        invocation: Invocation,
        staff_role: discord.Role | None = None,
        staff_channel: discord.TextChannel | None = None,
        theme: str = "",
        achievements: bool | None = None,
    ) -> Panel:
        bank, guild = self.services.bank, invocation.info.guild
        changes: dict[str, int] = {}
        if staff_role is not None:
            changes["staff_role"] = staff_role.id
        if achievements is not None:
            changes["achievements"] = int(achievements)
        if staff_channel is not None:
            changes["staff_channel"] = staff_channel.id
            if not (await bank.house_rules(guild)).staff_channel:
                await self.services.staff_channel.begin(guild)
        if changes or theme:
            await bank.change_house_rules(await invocation.staff_request(), theme, **changes)
        panel = house_pages.house_rules_panel(await bank.house_rules(guild))
        if staff_channel is not None and self.services.discord_api.is_open_to_all(guild, staff_channel.id):
            panel = house_pages.with_note(panel, house.everybody_reads())
        return panel

    @staff_command("house forum")
    async def forum(self, invocation: Invocation, channel: ForumOption | None = None) -> Panel:
        chosen = channel.id if channel is not None else 0
        await self.services.bank.change_house_rules(await invocation.staff_request(), forum_channel=chosen)
        if channel is None:
            return confirmations.done(t(room_words.FORUM_OFF))
        forum = self.services.discord_api.channel_or_thread(invocation.info.guild, channel.id)
        missing, makes_tags = ["view_channel"], True
        if isinstance(forum, discord.ForumChannel):
            missing = missing_for_room(forum, private=False)
            makes_tags = forum.permissions_for(forum.guild.me).manage_channels
        return confirmations.done(room_words.forum_chosen(channel.id, missing, makes_tags=makes_tags))

    @staff_command("house grant")
    async def grant(self, invocation: Invocation, player: discord.Member, chips: Chips, reason: Reason) -> Panel:
        return await self._move_chips(invocation, player.id, chips, reason, taken=False)

    @staff_command("house take")
    async def take(self, invocation: Invocation, player: discord.Member, chips: Chips, reason: Reason) -> Panel:
        return await self._move_chips(invocation, player.id, chips, reason, taken=True)

    @staff_command("house cancel")
    async def cancel(self, invocation: Invocation, reason: Reason) -> Panel:
        outcome = await self.services.tables.ask(await invocation.staff_request(), VoidHand(reason))
        return house_pages.hand_voided_panel(outcome.snapshot.hand_number, reason)

    @staff_command("house books")
    async def books(self, invocation: Invocation) -> Panel:
        return await self._audit_panel(invocation.info)

    @staff_command("house save")
    async def save(self, invocation: Invocation, name: GameName) -> Panel:
        request = await invocation.staff_request()
        game = await self.services.house_games.save(request, name, invocation.snapshot.settings)
        return mixed_games.house_game_panel(game)

    @staff_command("house delete")
    async def delete(self, invocation: Invocation, name: GameName) -> Panel:
        game = house_games.find_house_game(await self.services.house_games.games(invocation.info.guild), name)
        await self.services.house_games.delete(await invocation.staff_request(), name)
        return mixed_games.house_game_panel(game, forgotten=True)

    @save.autocomplete("name")
    @delete.autocomplete("name")
    @completions
    async def names(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the house games of the server."""
        games = await self.services.house_games.games(interaction.guild_id or 0)
        return [(game.name, game.name) for game in games if typed.casefold() in game.name.casefold()]

    @staff_command("house remove")
    async def remove(self, invocation: Invocation, player: discord.Member, reason: Reason = "") -> Panel:
        request = await invocation.staff_request()
        remove = RemovePlayer(request.user, player.id, request.staff, reason)
        outcome = await self.services.tables.ask(request, remove)
        leaves_later = seating.seat_of(outcome.snapshot, player.id) is not None
        return house_pages.player_removed_panel(player.id, leaves_later=leaves_later)

    @staff_command("house ban")
    async def ban(self, invocation: Invocation, player: discord.User, reason: Reason = "") -> Panel:
        request = await invocation.staff_request()
        _, leaves_later = await self.services.tables.ban(request, player.id, reason, player.display_name)
        return staff_pages.banned_panel(player.id, leaves_later=leaves_later)

    @staff_command("house unban")
    async def unban(self, invocation: Invocation, player: discord.User, reason: Reason = "") -> Panel:
        await self.services.tables.staff_log.unban(await invocation.staff_request(), player.id, reason)
        return staff_pages.unbanned_panel(player.id)

    @staff_command("house bans")
    async def bans(self, invocation: Invocation) -> Panel:
        return staff_pages.bans_panel(self.services.tables.staff_log.bans(await invocation.staff_request()))

    @staff_command("house reports")
    async def reports(self, invocation: Invocation) -> Panel:
        return await self._reports_panel(invocation.info)

    @staff_command("house flow")
    async def flow(self, invocation: Invocation, days: app_commands.Range[int, 1, 90] = 30) -> Panel:
        flows = await self.services.bank.flow(await invocation.staff_request(), days)
        return staff_pages.flow_panel(flows, days)

    @staff_command("house lobby")
    async def lobby(self, invocation: Invocation, remove: bool = False) -> Panel:
        boards, info = self.services.lobby, invocation.info
        if remove:
            return confirmations.done(
                t(lobby_words.REMOVED if await boards.remove(info.guild) else lobby_words.NO_LOBBY)
            )
        if not info.bot_can_write:
            return notice_panel(t(words.CANNOT_WRITE_HERE))
        await boards.put(info.guild, info.channel)
        return confirmations.done(t(lobby_words.SHOWN_HERE, channel=f"<#{info.channel}>"))

    @staff_command("house quiet")
    async def quiet(self, invocation: Invocation, hours: app_commands.Range[str, 1, 60] = "") -> Panel:
        bank, guild = self.services.bank, invocation.info.guild
        if hours:
            written = str(parse_quiet_hours(hours) or "")
            await bank.change_house_rules(await invocation.staff_request(), "", written)
        return confirmations.done(server_quiet_hours((await bank.house_rules(guild)).quiet_hours))

    async def page(self, click: PageClick) -> None:
        """Answer a click of staff: a house rule to change, and to what; more of a list; a report; a ban to lift."""
        info, press = click.info, click.press
        await self.require_staff(info)
        number = int(press.words[0]) if press.words and press.words[0].isdecimal() else 0
        match press.verb:
            case "nochannel":
                await self.services.bank.change_house_rules(await self.services.request(info), staff_channel=0)
                rules = await self.services.bank.house_rules(info.guild)
                await click.reply.redraw(payload(house_pages.house_rules_panel(rules)))
            case "adjusted":
                page = await self.services.bank.adjustments(await self.services.request(info), before=number)
                await click.reply.redraw(payload(house_pages.adjustments_panel(page)))
            case "reports":
                await click.reply.redraw(payload(await self._reports_panel(info, after=number)))
            case "look":
                await click.reply.private(await self._reported_hand_panel(info, press.words))
            case "done":
                await self._settle_report(click, number)
            case "flow" if 1 <= number <= 90:
                first = int(press.words[1]) if len(press.words) > 1 and press.words[1].isdecimal() else 0
                flows = await self.services.bank.flow(await self.services.request(info), number)
                await click.reply.redraw(payload(staff_pages.flow_panel(flows, number, first)))
            case "unban":
                await self._lift_ban(click)
            case "audit":
                await click.reply.private(await self._audit_panel(info))
            case "change" if info.values and info.values[0] in HOUSE_RULE_BOUNDS:
                field = info.values[0]
                rules = await self.services.bank.house_rules(info.guild)
                form = house_pages.house_rule_form(field, getattr(rules, field), *HOUSE_RULE_BOUNDS[field], info.user)
                await click.reply.form(form)
            case "set" if press.words and press.words[0] in HOUSE_RULE_BOUNDS:
                await click.reply.private(await self._set_rule(info, press.words[0]))
            case _:
                await click.reply.acknowledge()

    async def _set_rule(self, info: InteractionInfo, field: str) -> Panel:
        before = await self.services.bank.house_rules(info.guild)
        value = _parse_rule_value(field, info.fields.get(house_pages.VALUE_FIELD, ""))
        after = await self.services.bank.change_house_rules(await self.services.request(info), **{field: value})
        return house_pages.house_rule_changed_panel(field, getattr(before, field), getattr(after, field))

    async def _audit_panel(self, info: InteractionInfo) -> Panel:
        return house_pages.audit_panel(await self.services.bank.audit(await self.services.request(info)))

    async def _move_chips(self, invocation: Invocation, user: int, typed: str, reason: str, *, taken: bool) -> Panel:
        request, chips = await invocation.staff_request(), amounts.parse_chips(typed)
        move = self.services.bank.take if taken else self.services.bank.grant
        holdings = await move(request, user, chips, reason)
        return house_pages.chips_moved_panel(user, chips, holdings.wallet, reason, taken=taken)

    async def _reports_panel(self, info: InteractionInfo, after: int = 0) -> Panel:
        staff_log = self.services.tables.staff_log
        return staff_pages.reports_panel(*await staff_log.open_reports(await self.services.request(info), after=after))

    async def _settle_report(self, click: PageClick, report: int) -> None:
        """Mark a report as done: the list is drawn again; the message of the staff channel stays as it is."""
        if not 0 < report < 2**63:
            raise NoSuchReport
        line = await self.services.tables.staff_log.settle_report(await self.services.request(click.info), report)
        if click.info.message_is_private:
            await click.reply.redraw(payload(await self._reports_panel(click.info)))
        else:
            await click.reply.private(staff_pages.report_done_panel(line.entry.hand))

    async def _reported_hand_panel(self, info: InteractionInfo, words: tuple[str, ...]) -> Panel:
        """Return a hand of this server as everybody could see it, also of a table that is closed."""
        table, _, hand = (words[0] if words else "").partition(".")
        if not (table.isdecimal() and hand.isdecimal()) or max(len(table), len(hand)) > 18:
            raise NoHandYet(hands=0)
        request = await self.services.request(info)
        log = await self.services.tables.read_public_hand(request, int(table), int(hand))
        return hand_log_panel(hand_log_scene(log, self.services.emojis_for(info.user)), log.street_views, shared=True)

    async def _lift_ban(self, click: PageClick) -> None:
        chosen = click.info.values[0] if click.info.values else ""
        if not chosen.isdecimal() or len(chosen) > 20:
            raise NotBanned
        await self.services.tables.staff_log.unban(await self.services.request(click.info), int(chosen))
        await click.reply.private(staff_pages.unbanned_panel(int(chosen)))

    async def note(self, info: InteractionInfo) -> str:
        """Return what staff have to know besides the answer to their command; empty for nothing."""
        ended = self.services.lobby.ended(info.guild)
        lobby = lobby_words.ended(ended[0], gone=ended[1] is BoardEnd.GONE) if ended is not None else ""
        return "\n".join(line for line in (lobby, await self._staff_log_note(info)) if line)

    async def _staff_log_note(self, info: InteractionInfo) -> str:
        rules = await self.services.bank.house_rules(info.guild)
        if not rules.staff_channel:
            _, waiting = await self.services.tables.staff_log.open_reports(await self.services.request(info))
            return house.reports_waiting(waiting) if waiting else ""
        if self.services.discord_api.can_write(info.guild, rules.staff_channel):
            self.services.staff_channel.wake(info.guild)
            return ""
        waiting = await self.services.staff_channel.waiting_lines(info.guild)
        return house.staff_channel_warning(rules.staff_channel, waiting)

    async def require_staff(self, info: InteractionInfo) -> None:
        """Raise StaffOnly for anybody else: a server can show `/house` to all."""
        if not (await self.services.request(info)).staff:
            raise StaffOnly


def _parse_rule_value(field: str, text: str) -> int:
    """Read the value of a house rule as it was typed. 0 and -1 are no amounts of chips, but some rules take them.

    Raises:
        BadAmount: it cannot be read.
        HouseRuleOutOfBounds: the rule does not take it.
    """
    typed = text.strip()
    if typed not in {"0", "-1"}:
        return amounts.parse_chips(typed)
    value = int(typed)
    minimum, maximum = HOUSE_RULE_BOUNDS[field]
    if not minimum <= value <= maximum:
        raise HouseRuleOutOfBounds(name=field, value=value, minimum=minimum, maximum=maximum)
    return value
