"""`/house`: the commands of staff. House rules, chips added and removed, cancelled hands, the books, house games."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.ledger.house import HOUSE_RULE_BOUNDS
from bot.ledger.refusals import HouseRuleOutOfBounds
from bot.render.house import house_pages
from bot.render.message.panel import Panel
from bot.render.table import mixed_games
from bot.runtime.commands import VoidHand
from bot.table import house_games
from bot.table.commands import RemovePlayer
from bot.table.house_games import HOUSE_GAME_NAME_MAX
from bot.table.refusals import StaffOnly
from bot.text import amounts
from cogs.ui import seating
from cogs.ui.click import PageClick
from cogs.ui.commands import Interaction, Invocation, completions, group_description, slash_command
from cogs.ui.interaction import InteractionInfo
from cogs.ui.services import Services

Chips = app_commands.Range[str, 1, 24]
GameName = app_commands.Range[str, 1, HOUSE_GAME_NAME_MAX]
Reason = app_commands.Range[str, 1, 200]


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class HouseCog(commands.GroupCog, group_name="house", group_description=group_description("house")):
    """`/house …`. Permissions are checked again here, because a server can show the command to anybody."""

    def __init__(self, services: Services) -> None:
        self.services = services
        super().__init__()

    @slash_command("house settings")
    async def settings(self, invocation: Invocation, staff_role: discord.Role | None = None) -> Panel:
        await self._require_staff(invocation.info)
        if staff_role is not None:
            await self.services.bank.change_house_rules(await invocation.staff_request(), staff_role=staff_role.id)
        return house_pages.house_rules_panel(await self.services.bank.house_rules(invocation.info.guild))

    @slash_command("house grant")
    async def grant(self, invocation: Invocation, player: discord.Member, chips: Chips, reason: Reason) -> Panel:
        return await self._move_chips(invocation, player.id, chips, reason, taken=False)

    @slash_command("house take")
    async def take(self, invocation: Invocation, player: discord.Member, chips: Chips, reason: Reason) -> Panel:
        return await self._move_chips(invocation, player.id, chips, reason, taken=True)

    @slash_command("house cancel")
    async def cancel(self, invocation: Invocation, reason: Reason) -> Panel:
        outcome = await self.services.tables.ask(await invocation.staff_request(), VoidHand(reason))
        return house_pages.hand_voided_panel(outcome.snapshot.hand_number, reason)

    @slash_command("house books")
    async def books(self, invocation: Invocation) -> Panel:
        return await self._audit_panel(invocation.info)

    @slash_command("house save")
    async def save(self, invocation: Invocation, name: GameName) -> Panel:
        request = await invocation.staff_request()
        game = await self.services.house_games.save(request, name, invocation.snapshot.settings)
        return mixed_games.house_game_panel(game)

    @slash_command("house delete")
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

    @slash_command("house remove")
    async def remove(self, invocation: Invocation, player: discord.Member) -> Panel:
        request = await invocation.staff_request()
        outcome = await self.services.tables.ask(request, RemovePlayer(request.user, player.id, request.staff))
        leaves_later = seating.seat_of(outcome.snapshot, player.id) is not None
        return house_pages.player_removed_panel(player.id, leaves_later=leaves_later)

    async def page(self, click: PageClick) -> None:
        """Answer a click on the house rules: which one to change, then to what."""
        info, press = click.info, click.press
        await self._require_staff(info)
        match press.verb:
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

    async def _require_staff(self, info: InteractionInfo) -> None:
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
