"""`/table`: the menu of a table. Its settings, its people, its seats and its deal."""

from discord import app_commands

from bot.engine.options.register import NOTES, UnknownHouseRule
from bot.line.interaction import InteractionInfo
from bot.render.house import house_pages
from bot.render.menus import page_select
from bot.render.message.notice import notice_panel
from bot.render.message.panel import Panel, payload
from bot.render.table import lobby, mixed_games
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.table_settings import NUMBER_FIELDS
from bot.surfaces.replies import Reply
from bot.table.commands import ChangeSettings
from bot.table.events import SettingsChanged
from bot.text import amounts, escape
from bot.text import confirmations as words
from bot.text import menus as menu_words
from bot.text import rooms as room_words
from bot.text.language import t
from cogs.cog import ServicesCog
from cogs.presses import guests, seating, table_settings
from cogs.seating import SEAT_AND_DEAL_PAGES
from cogs.support.commands import Invocation, slash_command
from cogs.support.did_you_mean import Options
from cogs.support.menus import Menu, MenuPage, without_input
from cogs.support.services import Click, PageClick, Services


class TablesCog(ServicesCog):
    """`/table`, and the pages of a table's settings."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.menu = Menu("table", self._home, {**self._pages(), **SEAT_AND_DEAL_PAGES})

    def _pages(self) -> dict[str, MenuPage]:
        return {
            "info": MenuPage(self._info),
            "settings": without_input(self._settings),
            "notes": without_input(self._notes),
            "games": without_input(self._house_games),
            "invite": without_input(self._invite),
            "remove": without_input(self._remove),
            "close": without_input(self._close),
        }

    @slash_command("table")
    async def table(
        self, invocation: Invocation, page: str = "", number: app_commands.Range[int, 1] | None = None
    ) -> Panel | None:
        return await self.menu.open(invocation, page or ("info" if number else ""), {"number": number or 0})

    async def _home(self, invocation: Invocation) -> Panel:
        panel = await self._info(invocation, {})
        selects = (
            page_select("table", self._pages(), menu_words.TABLE_PAGES),
            page_select("table", SEAT_AND_DEAL_PAGES, menu_words.SEAT_PAGES),
        )
        return Panel(panel.accent, (*panel.blocks, *selects))

    async def _close(self, invocation: Invocation) -> Panel:
        return guests.close_question(invocation.snapshot, await invocation.staff_request())

    async def _invite(self, invocation: Invocation) -> Panel:
        return guests.invite_question(invocation.snapshot, await invocation.staff_request())

    async def _remove(self, invocation: Invocation) -> Panel:
        return guests.remove_question(invocation.snapshot, await invocation.staff_request())

    async def _house_games(self, invocation: Invocation) -> Panel:
        return mixed_games.house_games_panel(await self.services.house_games.games(invocation.info.guild))

    async def _info(self, invocation: Invocation, given: Options) -> Panel:
        number, request = int(given.get("number", 0)), await invocation.staff_request()
        snapshot = self.services.tables.table_numbered(request, number) if number else invocation.snapshot
        notes = [t(words.HAND_RUNNING, number=snapshot.hand_number)] if snapshot.hand_running else []
        if snapshot.invited:
            notes.append(guests.invited_text(snapshot))
        return lobby.info_panel(snapshot.table, "\n-# ".join(notes))

    async def _settings(self, invocation: Invocation) -> Panel:
        return await self._settings_panel(invocation.info, invocation.snapshot)

    async def _notes(self, invocation: Invocation) -> None:
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
        if settings.is_slow and not snapshot.settings.is_slow and not self.services.rooms.has_own(snapshot.id):
            return notice_panel(t(room_words.WAITS_IN_THREAD))
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
