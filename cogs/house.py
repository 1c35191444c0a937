"""`/house`: the commands of staff. House rules, chips added and removed, cancelled hands, the books, house games, bans, reports."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from bot.line.interaction import InteractionInfo
from bot.render.house import house_pages, staff_pages
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel
from bot.render.table import mixed_games
from bot.runtime.commands import VoidHand
from bot.surfaces.lobby.boards import BoardEnd
from bot.surfaces.rooms.refusals import missing_for_room
from bot.table import house_games
from bot.table.house_games import HOUSE_GAME_NAME_MAX
from bot.text import amounts, house
from bot.text import confirmations as words
from bot.text import lobby_board as lobby_words
from bot.text import rooms as room_words
from bot.text.language import t
from bot.text.quiet_hours import parse_quiet_hours, server_quiet_hours
from cogs.cog import ServicesGroup
from cogs.presses import guests
from cogs.presses.staff_pages import StaffPages
from cogs.rule_options import chosen_rules, with_rule_options
from cogs.support import confirmations
from cogs.support.commands import CommandWork, Interaction, Invocation, completions, group_description, slash_command
from cogs.support.services import Services

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
            await cog.pages.require_staff(invocation.info)
            panel = await work(cog, invocation, **options)
            return house_pages.with_note(panel, await cog.note(invocation.info)) if panel is not None else None

        return slash_command(path)(for_staff)

    return decorate


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class HouseCog(ServicesGroup, group_name="house", group_description=group_description("house")):
    """`/house …`. Permissions are checked again here, because a server can show the command to anybody."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.pages = StaffPages(services)

    @staff_command("house settings")
    @with_rule_options("house settings")
    async def settings(self, invocation: Invocation, **options: Any) -> Panel:
        bank, guild = self.services.bank, invocation.info.guild
        changes, staff_channel = chosen_rules("house settings", options), options.get("staff_channel")
        if staff_channel is not None and not (await bank.house_rules(guild)).staff_channel:
            await self.services.staff_channel.begin(guild)
        if changes:
            await bank.change_house_rules(await invocation.staff_request(), **changes)
        panel = house_pages.house_rules_panel(await bank.house_rules(guild))
        if staff_channel is not None and self.services.discord_api.servers.is_open_to_all(guild, staff_channel.id):
            panel = house_pages.with_note(panel, house.everybody_reads())
        return panel

    @staff_command("house forum")
    async def forum(self, invocation: Invocation, channel: ForumOption | None = None) -> Panel:
        chosen = channel.id if channel is not None else 0
        await self.services.bank.change_house_rules(await invocation.staff_request(), forum_channel=chosen)
        if channel is None:
            return confirmations.done(t(room_words.FORUM_OFF))
        forum = self.services.discord_api.servers.channel_or_thread(invocation.info.guild, channel.id)
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
        return await self.pages.audit_panel(invocation.info)

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
        return await guests.remove(self.services, request, player.id, reason=reason, keep_out=False)

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
        return await self.pages.reports_panel(invocation.info)

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
            await bank.change_house_rules(await invocation.staff_request(), quiet_hours=written)
        return confirmations.done(server_quiet_hours((await bank.house_rules(guild)).quiet_hours))

    async def _move_chips(self, invocation: Invocation, user: int, typed: str, reason: str, *, taken: bool) -> Panel:
        request, chips = await invocation.staff_request(), amounts.parse_chips(typed)
        move = self.services.bank.take if taken else self.services.bank.grant
        holdings = await move(request, user, chips, reason)
        return house_pages.chips_moved_panel(user, chips, holdings.wallet, reason, taken=taken)

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
        if self.services.discord_api.servers.can_write(info.guild, rules.staff_channel):
            self.services.staff_channel.wake(info.guild)
            return ""
        waiting = await self.services.staff_channel.waiting_lines(info.guild)
        return house.staff_channel_warning(rules.staff_channel, waiting)
