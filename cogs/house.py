"""`/house`: the menu of staff. House rules, chips added and removed, cancelled hands, the books, house games, bans, reports."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.line.interaction import InteractionInfo
from bot.render.house import house_pages, staff_pages
from bot.render.menus import page_select
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel
from bot.render.table import mixed_games
from bot.runtime.commands import VoidHand
from bot.surfaces.lobby.boards import BoardEnd
from bot.table import house_games
from bot.table.commands import CorrectChips
from bot.text import adjustments, amounts, escape, house
from bot.text import confirmations as words
from bot.text import lobby_board as lobby_words
from bot.text.flow import alarms_waiting
from bot.text.language import t
from bot.text.quiet_hours import SERVER_ZONE, parse_quiet_hours, parse_zone, server_quiet_hours, zone_text
from cogs.cog import ServicesCog
from cogs.presses import guests
from cogs.presses.staff_pages import StaffPages
from cogs.support import confirmations
from cogs.support.commands import Invocation, slash_command
from cogs.support.did_you_mean import Options
from cogs.support.menus import PLAYER, Menu, MenuPage, without_input
from cogs.support.services import Effort, Services


class HouseCog(ServicesCog):
    """`/house`. Permissions are checked again here, because a server can show the command to anybody."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.pages = StaffPages(services)
        self.menu = Menu("house", self._home, self._pages(), admit=self.pages.require_staff, note=self._noted)

    def _pages(self) -> dict[str, MenuPage]:
        return {
            "rules": without_input(self._rules),
            "server": without_input(lambda one: self.pages.server_panel(one.info)),
            "quiet": MenuPage(self._quiet, ("hours",)),
            "zone": MenuPage(self._zone, ("zone",)),
            "lobby": without_input(self._lobby),
            "nolobby": without_input(self._no_lobby),
            "grant": MenuPage(self._grant, ("chips", "reason"), of_person=True),
            "take": MenuPage(self._take, ("chips", "reason"), of_person=True),
            "correct": MenuPage(self._correct, ("corrections", "reason")),
            "flow": without_input(self._flow),
            "books": without_input(lambda one: self.pages.audit_panel(one.info)),
            "cancel": MenuPage(self._cancel, ("reason",)),
            "remove": MenuPage(self._remove, ("why",), of_person=True),
            "ban": MenuPage(self._ban, ("why",), of_person=True),
            "unban": MenuPage(self._unban, ("why",), of_person=True),
            "bans": without_input(self._bans),
            "reports": without_input(lambda one: self.pages.reports_panel(one.info)),
            "save": MenuPage(self._save, ("name",)),
            "delete": MenuPage(self._delete, ("name",)),
        }

    @app_commands.default_permissions(manage_guild=True)
    @slash_command("house")
    async def house(self, invocation: Invocation, page: str = "", player: discord.User | None = None) -> Panel | None:
        return await self.menu.open(invocation, page, {PLAYER: str(player.id)} if player is not None else {})

    async def _home(self, invocation: Invocation) -> Panel:
        panel = await self._rules(invocation)
        return Panel(panel.accent, (page_select("house"), *panel.blocks))

    async def _rules(self, invocation: Invocation) -> Panel:
        return house_pages.house_rules_panel(await self.services.bank.house_rules(invocation.info.guild))

    async def _grant(self, invocation: Invocation, given: Options) -> Panel:
        return await self._move_chips(invocation, given, taken=False)

    async def _take(self, invocation: Invocation, given: Options) -> Panel:
        return await self._move_chips(invocation, given, taken=True)

    async def _correct(self, invocation: Invocation, given: Options) -> Panel:
        snapshot, request = invocation.snapshot, await invocation.staff_request()
        left = [(one.player, one.name) for one in snapshot.table.standings if not one.is_seated]
        changes = adjustments.parse_adjustment(given["corrections"], snapshot.table.seats, left)
        await self.services.tables.ask(request, CorrectChips(request.user, changes, given["reason"], request.staff))
        names = {player: escape.name(name) for player, name in left} | confirmations.names_by_user(snapshot)
        later = any(change.player in snapshot.dealt_users for change in changes) and snapshot.hand_running
        text = words.CORRECTED_AFTER_HAND if later else words.CORRECTED
        return confirmations.done(t(text, changes=adjustments.adjustment_text(changes, names)))

    async def _cancel(self, invocation: Invocation, given: Options) -> Panel:
        outcome = await self.services.tables.ask(await invocation.staff_request(), VoidHand(given["reason"]))
        return house_pages.hand_voided_panel(outcome.snapshot.hand_number, given["reason"])

    async def _save(self, invocation: Invocation, given: Options) -> Panel:
        request = await invocation.staff_request()
        game = await self.services.house_games.save(request, given["name"], invocation.snapshot.settings)
        return mixed_games.house_game_panel(game)

    async def _delete(self, invocation: Invocation, given: Options) -> Panel:
        name = given["name"]
        game = house_games.find_house_game(await self.services.house_games.games(invocation.info.guild), name)
        await self.services.house_games.delete(await invocation.staff_request(), name)
        return mixed_games.house_game_panel(game, forgotten=True)

    async def _remove(self, invocation: Invocation, given: Options) -> Panel:
        request = await invocation.staff_request()
        return await guests.remove(self.services, request, int(given[PLAYER]), reason=given["why"], keep_out=False)

    async def _ban(self, invocation: Invocation, given: Options) -> Panel:
        request, user = await invocation.staff_request(), int(given[PLAYER])
        names = self.services.display_names
        name = (await names.of(request.guild, [user])).get(user) or (await names.departed(request.guild, [user])).get(
            user
        )
        _, leaves_later = await self.services.tables.ban(request, user, given["why"], name or "")
        return staff_pages.banned_panel(user, leaves_later=leaves_later)

    async def _unban(self, invocation: Invocation, given: Options) -> Panel:
        user = int(given[PLAYER])
        await self.services.tables.staff_log.unban(await invocation.staff_request(), user, given["why"])
        return staff_pages.unbanned_panel(user)

    async def _bans(self, invocation: Invocation) -> Panel:
        return staff_pages.bans_panel(self.services.tables.staff_log.bans(await invocation.staff_request()))

    async def _flow(self, invocation: Invocation) -> Panel:
        self.services.spend_time(Effort.LEADERBOARD, invocation.info.user)
        await invocation.staff_request()
        return await self.pages.flow_panel(invocation.info, staff_pages.FLOW_DAYS)

    async def _lobby(self, invocation: Invocation) -> Panel:
        info = invocation.info
        if not info.bot_can_write:
            return notice_panel(t(words.CANNOT_WRITE_HERE))
        await self.services.lobby.put(info.guild, info.channel)
        return confirmations.done(t(lobby_words.SHOWN_HERE, channel=f"<#{info.channel}>"))

    async def _no_lobby(self, invocation: Invocation) -> Panel:
        removed = await self.services.lobby.remove(invocation.info.guild)
        return confirmations.done(t(lobby_words.REMOVED if removed else lobby_words.NO_LOBBY))

    async def _quiet(self, invocation: Invocation, given: Options) -> Panel:
        bank, guild = self.services.bank, invocation.info.guild
        written = str(parse_quiet_hours(given["hours"]) or "")
        await bank.change_house_rules(await invocation.staff_request(), quiet_hours=written)
        return confirmations.done(server_quiet_hours((await bank.house_rules(guild)).quiet_hours))

    async def _zone(self, invocation: Invocation, given: Options) -> Panel:
        zone = parse_zone(given["zone"])
        await self.services.bank.change_house_rules(await invocation.staff_request(), time_zone=zone)
        return confirmations.done(t(SERVER_ZONE, zone=zone_text(zone)))

    async def _move_chips(self, invocation: Invocation, given: Options, *, taken: bool) -> Panel:
        request, chips, user = await invocation.staff_request(), amounts.parse_chips(given["chips"]), int(given[PLAYER])
        move = self.services.bank.take if taken else self.services.bank.grant
        holdings = await move(request, user, chips, given["reason"])
        return house_pages.chips_moved_panel(user, chips, holdings.wallet, given["reason"], taken=taken)

    async def _noted(self, panel: Panel, info: InteractionInfo) -> Panel:
        """Add what staff have to know: that the lobby is gone, or that nobody is told what they do."""
        ended = self.services.lobby.ended(info.guild)
        lobby = lobby_words.ended(ended[0], gone=ended[1] is BoardEnd.GONE) if ended is not None else ""
        note = "\n".join(line for line in (lobby, await self._staff_log_note(info)) if line)
        return house_pages.with_note(panel, note)

    async def _staff_log_note(self, info: InteractionInfo) -> str:
        rules = await self.services.bank.house_rules(info.guild)
        if not rules.staff_channel:
            request = await self.services.request(info)
            _, waiting = await self.services.tables.staff_log.open_reports(request)
            _, alarms = await self.services.flow_alarms.waiting(request)
            notes = [house.reports_waiting(waiting) if waiting else "", alarms_waiting(alarms) if alarms else ""]
            return "\n".join(note for note in notes if note)
        if self.services.discord_api.servers.can_write(info.guild, rules.staff_channel):
            self.services.staff_channel.wake(info.guild)
            return ""
        waiting = await self.services.staff_channel.waiting_lines(info.guild)
        return house.staff_channel_warning(rules.staff_channel, waiting)
