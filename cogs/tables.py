"""`/table`: opening, closing and finding tables, and their settings."""

import discord
from discord import app_commands

from bot.engine.options.register import NOTES, UnknownHouseRule
from bot.line.interaction import InteractionInfo
from bot.render.house import house_pages
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.render.table import lobby, mixed_games
from bot.render.table.open_form import Where
from bot.runtime.mixed_table_settings import GameChangeRule
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.table_settings import NUMBER_FIELDS, NewTableRequest
from bot.surfaces.replies import Reply
from bot.table.commands import ChangeSettings
from bot.table.events import SettingsChanged
from bot.table.settings import ChipKind
from bot.text import amounts, escape
from bot.text import confirmations as words
from bot.text.commands import TEXT_MAX
from bot.text.game_names import game_names
from bot.text.language import t
from bot.variants.game_list import complete_game_list
from cogs.cog import ServicesGroup
from cogs.presses import guests, seating, table_settings
from cogs.presses.opening import TableToOpen, new_settings, open_table
from cogs.support.commands import Interaction, Invocation, completions, group_description, slash_command
from cogs.support.did_you_mean import Options
from cogs.support.services import Click, PageClick

Chips = app_commands.Range[str, 1, 24]
"""Chips as people write them: ``200``, ``1.5k``."""


@app_commands.guild_only()
class TablesCog(ServicesGroup, group_name="table", group_description=group_description("table")):
    """`/table …`, and the pages of a table's settings."""

    @slash_command("table open")
    async def open_table(
        self,
        invocation: Invocation,
        game: app_commands.Range[str, 1, 100] = "holdem",
        big_blind: Chips | None = None,
        seats: app_commands.Range[int, 2, 14] | None = None,
        buy_in: Chips | None = None,
        most: Chips | None = None,
        ante: Chips | None = None,
        seconds: app_commands.Range[int, 15, 86400] | None = None,
        practice: app_commands.Range[int, 1, 9] | None = None,
        chips: str | None = None,
        change: str | None = None,
        every: app_commands.Range[int, 1, 1000] | None = None,
        bomb: str | None = None,
        where: str = Where.USUAL,
    ) -> Panel | None:
        info = invocation.info
        table_request = NewTableRequest(
            big_blind=_optional_chips(big_blind),
            seats=seats or 0,
            min_buyin=_optional_chips(buy_in),
            max_buyin=_optional_chips(most),
            ante=_optional_chips(ante),
            turn_seconds=seconds or 0,
            practice=practice is not None,
            chips=_chip_kind(chips, Where(where)),
        )
        game_change = GameChangeRule(table_settings.GAME_CHANGES[change], every or 0) if change is not None else None
        settings = await new_settings(self.services, info.guild, game, table_request, game_change, bomb)
        new = TableToOpen(settings, practice or 0, where=Where(where))
        await open_table(self.services, await invocation.staff_request(), invocation.reply, new, info)
        return None

    @open_table.autocomplete("game")
    @completions
    async def games(self, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
        """Return the server's house games, mixtures, and games by name, alias or family."""
        house_games = await self.services.house_games.games(interaction.guild_id or 0)
        own = [game.name for game in house_games if typed.casefold() in game.name.casefold()]
        known = [(game_names(name)[-TEXT_MAX:], value) for name, value in complete_game_list(typed)]
        return [*zip(own, own, strict=True), *known]

    @slash_command("table close")
    async def close_table(self, invocation: Invocation) -> Panel:
        return await guests.close(self.services, await invocation.staff_request())

    @slash_command("table invite")
    async def invite(
        self,
        invocation: Invocation,
        player: discord.Member,
        second: discord.Member | None = None,
        third: discord.Member | None = None,
        fourth: discord.Member | None = None,
        fifth: discord.Member | None = None,
    ) -> Panel:
        members = [one for one in (player, second, third, fourth, fifth) if one is not None]
        people = [one.id for one in members if not one.bot]
        if not people:
            return notice_panel(t(words.CANNOT_INVITE_BOTS))
        return await guests.invite(self.services, await invocation.staff_request(), people)

    @slash_command("table remove")
    async def remove(self, invocation: Invocation, player: discord.Member) -> Panel:
        return await guests.remove(self.services, await invocation.staff_request(), player.id)

    @slash_command("table list")
    async def list_tables(self, invocation: Invocation) -> Panel:
        tables = self.services.tables.tables_seen_by(await invocation.staff_request())
        return lobby.tables_panel((snapshot.table, snapshot.address.channel) for snapshot in tables)

    @slash_command("table games")
    async def house_games(self, invocation: Invocation) -> Panel:
        return mixed_games.house_games_panel(await self.services.house_games.games(invocation.info.guild))

    @slash_command("table info")
    async def info(self, invocation: Invocation, number: app_commands.Range[int, 1] | None = None) -> Panel:
        request = await invocation.staff_request()
        snapshot = self.services.tables.table_numbered(request, number) if number else invocation.snapshot
        notes = [t(words.HAND_RUNNING, number=snapshot.hand_number)] if snapshot.hand_running else []
        if snapshot.invited:
            notes.append(guests.invited_text(snapshot))
        return lobby.info_panel(snapshot.table, "\n-# ".join(notes))

    @slash_command("table settings")
    async def settings(self, invocation: Invocation) -> Panel:
        return await self._settings_panel(invocation.info, invocation.snapshot)

    @slash_command("table notes")
    async def notes(self, invocation: Invocation) -> None:
        snapshot, user = invocation.snapshot, invocation.info.user
        choice = house_pages.notes_choice(snapshot.settings)
        await invocation.reply.form(house_pages.setting_form(snapshot.id, snapshot.hand_number, choice, user, ""))

    # a change of settings, step by step

    async def _settings_panel(self, info: InteractionInfo, snapshot: TableSnapshot) -> Panel:
        request = await self.services.request(info)
        view = snapshot.table
        may_change = request.staff or view.host == info.user or seating.seat_of(snapshot, info.user) is not None
        customs = (*mixed_games.mixed_game_choices(snapshot.settings), *house_pages.table_setting_choices(view))
        return house_pages.settings_panel(
            snapshot.id,
            view,
            customs,
            house_pages.law_setting_choices(snapshot.settings) if may_change else (),
            may_change=may_change,
        )

    async def page(self, click: PageClick) -> None:
        """Answer a click on the settings: what to change, then to what.

        Raises:
            TableGone: the table is closed, or it is of another server: somebody has made up the id.
        """
        press = click.press
        table = press.number()
        snapshot = self.services.tables.table_for(await self.services.request(click.info, table=table))
        chosen = click.info.values[0] if click.info.values else ""
        if press.verb == "show":
            await click.reply.private(await self._settings_panel(click.info, snapshot))
            return
        if press.verb == "rules":
            laws = house_pages.law_setting_choices(snapshot.settings)
            await click.reply.redraw(payload(house_pages.table_rules_panel(table, snapshot.table, laws)))
            return
        if press.verb in {"change", "law"}:
            choice = _setting_choice(snapshot, chosen)
            if choice.options:
                await click.reply.private(house_pages.setting_panel(table, choice))
                return
            if choice.field == mixed_games.GAMES_FIELD:
                await click.reply.form(
                    mixed_games.games_form(table, snapshot.hand_number, choice.value_text, click.info.user)
                )
                return
            hint = t(words.SETTING_NOW, value=choice.value_text)
            form = house_pages.setting_form(table, snapshot.hand_number, choice, click.info.user, hint)
            await click.reply.form(form)
            return
        field = press.words[1] if len(press.words) > 1 else ""
        several = ",".join(click.info.values)
        await click.reply.redraw(payload(await self._change_setting(click.info, snapshot, field, several)))

    async def setting_form_submitted(self, click: Click) -> None:
        """Change the setting that a form names."""
        table = click.press.table

        async def ask(info: InteractionInfo, reply: Reply, fields: Options) -> None:
            for field, value in fields.items():
                snapshot = self.services.tables.table_for(await self.services.request(info, table=table))
                await reply.private(await self._change_setting(info, snapshot, field, value))
                return

        await self.services.corrections.answer(click.info, click.reply, ask, click.info.fields)

    async def _change_setting(self, info: InteractionInfo, snapshot: TableSnapshot, field: str, value: str) -> Panel:
        choice = _setting_choice(snapshot, field)
        request = await self.services.request(info, table=snapshot.id)
        wanted = amounts.parse_chips(value) if field in NUMBER_FIELDS and value.strip() != "0" else value
        settings = table_settings.with_setting(snapshot.settings, field, wanted)
        outcome = await self.services.tables.ask(request, ChangeSettings(request.user, settings, request.staff))
        changed = any(isinstance(event, SettingsChanged) for event in outcome.events)
        shown = _setting_choice(outcome.snapshot, field).value_text if changed else _proposed_value(choice, value)
        if field == NOTES.field and changed:
            shown = escape.text(shown)
        return house_pages.setting_changed_panel(choice.label, shown, proposed=not changed)


def _setting_choice(snapshot: TableSnapshot, field: str) -> house_pages.SettingChoice:
    """Return a setting that can be changed, by its field.

    Raises:
        UnknownHouseRule: there is no such setting.
    """
    choices = [
        *mixed_games.mixed_game_choices(snapshot.settings),
        *house_pages.table_setting_choices(snapshot.table),
        *house_pages.law_setting_choices(snapshot.settings),
    ]
    for choice in choices:
        if choice.field == field:
            return choice
    raise UnknownHouseRule(name=field, known=())


def _proposed_value(choice: house_pages.SettingChoice, value: str) -> str:
    """Return a proposed value, in words."""
    return dict(choice.options).get(value, escape.text(value, 200))


def _optional_chips(typed: str | None) -> int:
    return amounts.parse_chips(typed) if typed is not None else 0


def _chip_kind(chosen: str | None, where: Where) -> ChipKind:
    """Return the chips of a new table: as chosen, else table chips at a private one."""
    if chosen is not None:
        return ChipKind(chosen)
    return ChipKind.TABLE if where is Where.PRIVATE else ChipKind.SERVER
