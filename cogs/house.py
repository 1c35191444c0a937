"""Staff's commands: rules of the house, grants, takings, cancelled hands, the audit.

Source: issue 2 "Discord", "Chips"; design §3.
"""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.ledger.errors import RuleOutOfBounds
from bot.ledger.house import BOUNDS, HouseRules
from bot.render import amounts, house, mixing
from bot.render.panel import Panel
from bot.table import house_games
from bot.table.errors import StaffOnly
from bot.table.house_games import NAME_MAX
from cogs.ui import seating
from cogs.ui.click import PageClick
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room

Chips = app_commands.Range[str, 1, 24]
GameName = app_commands.Range[str, 1, NAME_MAX]
Reason = app_commands.Range[str, 1, 200]


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class HouseCog(commands.GroupCog, name="house", description="For staff: rules, grants, audit"):
    """`/house …`. Permissions are checked again here: a server may show the command to anybody."""

    def __init__(self, room: Room) -> None:
        self.room = room
        super().__init__()

    @app_commands.command(description="The rules of the house; choose one to change it")
    @app_commands.describe(staff_role="A role that is staff besides Manage Server")
    async def settings(self, interaction: Interaction, staff_role: discord.Role | None = None) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            await self._staff_only(deed)
            if staff_role is not None:
                asked = await self.room.asked(deed)
                await self.room.bank.change_house_rules(asked, staff_role=staff_role.id)
            await reply.private(house.rules_panel(await self.room.bank.house_rules(deed.guild)))

        await attend(self.room, interaction, tell)

    @app_commands.command(description="Give a player chips")
    @app_commands.describe(player="To whom", chips="How many: 5000, 5k", reason="Why; it is kept")
    async def grant(self, interaction: Interaction, player: discord.Member, chips: Chips, reason: Reason) -> None:
        await self._move(interaction, player.id, chips, reason, taken=False)

    @app_commands.command(description="Take chips from a player's wallet")
    @app_commands.describe(player="From whom", chips="How many: 5000, 5k", reason="Why; it is kept")
    async def take(self, interaction: Interaction, player: discord.Member, chips: Chips, reason: Reason) -> None:
        await self._move(interaction, player.id, chips, reason, taken=True)

    @app_commands.command(description="Cancel the running hand of this table; all bets go back")
    @app_commands.describe(reason="Why; everybody reads it")
    async def void(self, interaction: Interaction, reason: Reason) -> None:
        async def cancel(deed: Deed, reply: Reply) -> None:
            outcome = await self.room.tables.void(await self.room.asked(deed), reason)
            await reply.private(house.voided_panel(outcome.now.hand_number, reason))

        await attend(self.room, interaction, cancel)

    @app_commands.command(description="Add up the books of this server, and hold the tables against them")
    async def audit(self, interaction: Interaction) -> None:
        async def add_up(deed: Deed, reply: Reply) -> None:
            await reply.private(await self._audit(deed))

        await attend(self.room, interaction, add_up)

    @app_commands.command(description="Save the rules of this channel's table as a house game")
    @app_commands.describe(name="What the house game is called; one of that name gives way to it")
    async def save(self, interaction: Interaction, name: GameName) -> None:
        async def keep(deed: Deed, reply: Reply) -> None:
            asked = await self.room.asked(deed)
            settings = self.room.here(deed).settings
            await reply.private(mixing.house_game_panel(await self.room.house_games.save(asked, name, settings)))

        await attend(self.room, interaction, keep)

    @app_commands.command(description="Forget a house game")
    @app_commands.describe(name="What it is called")
    async def forget(self, interaction: Interaction, name: GameName) -> None:
        async def drop(deed: Deed, reply: Reply) -> None:
            known = house_games.find(await self.room.house_games.games(deed.guild), name)
            await self.room.house_games.forget(await self.room.asked(deed), name)
            await reply.private(mixing.house_game_panel(known, forgotten=True))

        await attend(self.room, interaction, drop)

    @save.autocomplete("name")
    @forget.autocomplete("name")
    async def names(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The house games there are."""
        games = await self.room.house_games.games(interaction.guild_id or 0)
        found = [game.name for game in games if typed.casefold() in game.name.casefold()]
        return [app_commands.Choice(name=name, value=name) for name in found[:25]]

    @app_commands.command(description="Remove a player from this table; he is paid out, after the hand he is in")
    @app_commands.describe(player="Whom")
    async def remove(self, interaction: Interaction, player: discord.Member) -> None:
        async def send_away(deed: Deed, reply: Reply) -> None:
            outcome = await self.room.tables.remove(await self.room.asked(deed), player.id)
            await reply.private(
                house.removed_panel(player.id, still=seating.seat_of(outcome.now, player.id) is not None)
            )

        await attend(self.room, interaction, send_away)

    async def page(self, click: PageClick) -> None:
        """A click on the rules of the house: which one to change, then to what."""
        deed, press = click.deed, click.press
        await self._staff_only(deed)
        match press.verb:
            case "audit":
                await click.reply.private(await self._audit(deed))
            case "change" if deed.values and deed.values[0] in BOUNDS:
                field = deed.values[0]
                rules = await self.room.bank.house_rules(deed.guild)
                form = house.rule_form(field, getattr(rules, field), *BOUNDS[field], deed.user)
                await click.reply.form(form)
            case "set" if press.words and press.words[0] in BOUNDS:
                await click.reply.private(await self._set(deed, press.words[0]))
            case _:
                await click.reply.nothing()

    async def _set(self, deed: Deed, field: str) -> Panel:
        before: HouseRules = await self.room.bank.house_rules(deed.guild)
        value = _number(field, deed.fields.get(house.VALUE_FIELD, ""))
        after = await self.room.bank.change_house_rules(await self.room.asked(deed), **{field: value})
        return house.rule_changed_panel(field, getattr(before, field), getattr(after, field))

    async def _audit(self, deed: Deed) -> Panel:
        return house.audit_panel(await self.room.bank.audit(await self.room.asked(deed)))

    async def _move(self, interaction: Interaction, user: int, chips: str, reason: str, *, taken: bool) -> None:
        async def move(deed: Deed, reply: Reply) -> None:
            asked = await self.room.asked(deed)
            count = amounts.chips(chips)
            do = self.room.bank.take if taken else self.room.bank.grant
            purse = await do(asked, user, count, reason)
            await reply.private(house.moved_panel(user, count, purse.wallet, reason, taken=taken))

        await attend(self.room, interaction, move)

    async def _staff_only(self, deed: Deed) -> None:
        if not (await self.room.asked(deed)).staff:
            raise StaffOnly


def _number(field: str, word: str) -> int:
    """A rule's value as it was written; 0 and -1 are not chips, but rules they may be.

    Raises:
        BadAmount: it cannot be read.
        RuleOutOfBounds: it is none for this rule.
    """
    plain = word.strip()
    if plain in {"0", "-1"}:
        least, most = BOUNDS[field]
        if not least <= int(plain) <= most:
            raise RuleOutOfBounds(name=field, value=int(plain), least=least, most=most)
        return int(plain)
    return amounts.chips(plain)
