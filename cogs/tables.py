"""Tables: opening, closing, finding, settings.

Source: issue 2 "Discord"; style §6.
"""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.engine.register import UnknownHouseRule
from bot.render import amounts, escape, house, lobby, mixing, wording
from bot.render.panel import Panel, payload
from bot.runtime.asked import Asked
from bot.runtime.house_table import NUMBERS, Wishes
from bot.runtime.mixed_table import Turning
from bot.runtime.now import TableNow
from bot.table.events import SettingsChanged
from bot.table.settings import TableSettings
from bot.variants.listing import completions
from cogs.ui import own_tables, said, seating
from cogs.ui.click import Click, PageClick
from cogs.ui.commands import Interaction, attend
from cogs.ui.deed import Deed
from cogs.ui.replies import Reply
from cogs.ui.room import Room
from cogs.ui.scenes import lobby_panel

Chips = app_commands.Range[str, 1, 24]
"""Chips as people write them: ``200``, ``1.5k``."""

CHOICE_MAX, CHOICES_MOST = 100, 25
"""Letters of a completion, and completions, that Discord takes."""

NO_PERMISSION = (
    "I may not write in this channel. I need **View Channel** and **Send Messages** here. No table was opened."
)


@app_commands.guild_only()
class TablesCog(commands.GroupCog, name="table", description="Open, close and find tables"):
    """`/table …` and the commands of who sits."""

    def __init__(self, room: Room) -> None:
        self.room = room
        super().__init__()

    # /table

    @app_commands.command(name="open", description="Open a table in this channel; you are its host")
    @app_commands.describe(
        game="A game, a mixture or a house game; several with / between them. Else No-Limit Hold'em",
        big_blind="The big blind (or small bet) in chips: 100, 1k",
        seats="How many seats",
        buy_in="The least to sit down with, in chips",
        most="The most to sit down with, in chips",
        ante="An ante in chips, beside the blinds",
        seconds="Seconds for each action",
        practice="Practice players to play against, on books of their own",
        change="With several games: when the next one comes",
        every="After how many hands or minutes the next game comes",
        bomb="Bomb pots in between: everybody antes, and the flop comes at once",
    )
    @app_commands.choices(
        change=[
            app_commands.Choice(name="after a lap", value="lap"),
            app_commands.Choice(name="after so many hands", value="deals"),
            app_commands.Choice(name="after so many minutes", value="time"),
            app_commands.Choice(name="the dealer chooses", value="choice"),
        ],
        bomb=[app_commands.Choice(name=name, value=word) for word, name in mixing.BOMBS],
    )
    async def open_table(
        self,
        interaction: Interaction,
        game: app_commands.Range[str, 1, 100] = "holdem",
        big_blind: Chips | None = None,
        seats: app_commands.Range[int, 2, 14] | None = None,
        buy_in: Chips | None = None,
        most: Chips | None = None,
        ante: Chips | None = None,
        seconds: app_commands.Range[int, 15, 86400] | None = None,
        practice: app_commands.Range[int, 1, 9] | None = None,
        change: str | None = None,
        every: app_commands.Range[int, 1, 1000] | None = None,
        bomb: str | None = None,
    ) -> None:
        async def open_it(deed: Deed, reply: Reply) -> None:
            if not deed.bot_may.send_messages or not deed.bot_may.view_channel:
                await reply.private(wording.notice(NO_PERMISSION))
                return
            wishes = Wishes(
                big_blind=_chips(big_blind),
                seats=seats or 0,
                least=_chips(buy_in),
                most=_chips(most),
                ante=_chips(ante),
                turn_seconds=seconds or 0,
                practice=practice is not None,
            )
            turning = Turning(own_tables.CHANGES[change], every or 0) if change is not None else None
            saved = await self.room.house_games.find(deed.guild, game)
            if saved is not None:
                settings = own_tables.house_table(saved, wishes, turning=turning, bomb=bomb)
            else:
                rules = await self.room.bank.house_rules(deed.guild)
                settings = own_tables.new_table(game, rules, wishes, turning, bomb)
            await self._open(deed, reply, settings, practice or 0)

        await attend(self.room, interaction, open_it)

    @open_table.autocomplete("game")
    async def games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The server's house games, mixtures, and games by name, alias or family."""
        house_games = await self.room.house_games.games(interaction.guild_id or 0)
        own = [(one.name, one.name) for one in house_games if typed.casefold() in one.name.casefold()]
        found = [one for one in (*own, *completions(typed)) if len(one[1]) <= CHOICE_MAX]
        return [app_commands.Choice(name=name[-CHOICE_MAX:], value=value) for name, value in found[:CHOICES_MOST]]

    async def _open(self, deed: Deed, reply: Reply, settings: TableSettings, practice: int) -> None:
        """The answer to the command is the table's first message."""
        room, asked = self.room, await self.room.asked(deed)
        room.surface.opening(asked.key)
        message = 0
        opened: TableNow | None = None
        try:
            opened = (await room.tables.open(asked, settings)).now
            if practice:
                again = Asked(key=f"{asked.key}:practice", guild=asked.guild, channel=asked.channel, user=asked.user)
                opened = (await room.tables.seat_practice(again, practice)).now
            message = await reply.public(lobby_panel(opened, room.deck.emojis))
        finally:
            room.surface.opened(asked.key, opened.id if opened is not None else 0, message)

    @app_commands.command(name="close", description="Close this table; everybody is paid out")
    async def close_table(self, interaction: Interaction) -> None:
        async def close_it(deed: Deed, reply: Reply) -> None:
            outcome = await self.room.tables.close(await self.room.asked(deed))
            after = " after this hand" if outcome.now.running else ""
            await reply.private(said.good(f"Table {outcome.now.place.number} closes{after}. Everybody is paid out."))

        await attend(self.room, interaction, close_it)

    @app_commands.command(name="list", description="The open tables of this server")
    async def list_tables(self, interaction: Interaction) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            here = self.room.tables.tables(deed.guild)
            await reply.private(lobby.tables_panel((now.table, now.place.channel) for now in here))

        await attend(self.room, interaction, tell)

    @app_commands.command(name="games", description="The house games of this server: rules it has saved under a name")
    async def house_games(self, interaction: Interaction) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            await reply.private(mixing.house_games_panel(await self.room.house_games.games(deed.guild)))

        await attend(self.room, interaction, tell)

    @app_commands.command(name="info", description="A table in words: who sits, what it plays for, its clocks")
    @app_commands.describe(number="Its number; this channel's table if you name none")
    async def info(self, interaction: Interaction, number: app_commands.Range[int, 1] | None = None) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            now = self.room.tables.table_numbered(deed.guild, number) if number else self.room.here(deed)
            last = f"Hand #{now.hand_number} is being played" if now.running else ""
            await reply.private(lobby.info_panel(now.table, last))

        await attend(self.room, interaction, tell)

    @app_commands.command(name="settings", description="What this table has agreed on, and changing it")
    async def settings(self, interaction: Interaction) -> None:
        async def tell(deed: Deed, reply: Reply) -> None:
            await reply.private(await self._settings_panel(deed, self.room.here(deed)))

        await attend(self.room, interaction, tell)

    # a change of settings, step by step

    async def _settings_panel(self, deed: Deed, now: TableNow) -> Panel:
        asked = await self.room.asked(deed)
        view = now.table
        may = asked.staff or view.host == deed.user or seating.seat_of(now, deed.user) is not None
        customs = (*mixing.mix_choices(now.settings), *house.table_choices(view))
        return house.settings_panel(
            now.id, view, customs, house.law_choices(now.settings) if may else (), may_change=may
        )

    async def page(self, click: PageClick) -> None:
        """A click on the settings: what to change, then to what."""
        press = click.press
        table = int(press.words[0]) if press.words and press.words[0].isdecimal() else 0
        now = self.room.tables.now(table)
        chosen = click.deed.values[0] if click.deed.values else ""
        if press.verb in {"change", "law"}:
            choice = _choice(now, chosen)
            if choice.values:
                await click.reply.private(house.setting_panel(table, choice))
                return
            if choice.field == mixing.GAMES_FIELD:
                await click.reply.form(mixing.games_form(table, now.hand_number, choice.now, click.deed.user))
                return
            hint = f"Now {choice.now}"
            form = house.setting_form(table, now.hand_number, choice, click.deed.user, hint)
            await click.reply.form(form)
            return
        field = press.words[1] if len(press.words) > 1 else ""
        await click.reply.redraw(payload(await self._change(click.deed, now, field, chosen)))

    async def setting_written(self, click: Click) -> None:
        """The form for a setting has come back."""
        for field, value in click.deed.fields.items():
            await click.reply.private(await self._change(click.deed, click.now, field, value))
            return

    async def _change(self, deed: Deed, now: TableNow, field: str, value: str) -> Panel:
        choice = _choice(now, field)
        asked = await self.room.asked(deed, table=now.id)
        meant = amounts.chips(value) if field in NUMBERS and value.strip() != "0" else value
        outcome = await self.room.tables.change_settings(asked, own_tables.changed(now.settings, field, meant))
        done = any(isinstance(event, SettingsChanged) for event in outcome.events)
        shown = _choice(outcome.now, field).now if done else _offered(choice, value)
        return house.setting_changed_panel(choice.label, shown, proposed=not done)


def _choice(now: TableNow, field: str) -> house.Choice:
    """What may be changed, by its field.

    Raises:
        UnknownHouseRule: nothing goes by that name.
    """
    known = (
        *mixing.mix_choices(now.settings), *house.table_choices(now.table), *house.law_choices(now.settings),
    )  # fmt: skip
    for choice in known:
        if choice.field == field:
            return choice
    raise UnknownHouseRule(name=field, known=())


def _offered(choice: house.Choice, value: str) -> str:
    """What is proposed, in words."""
    return dict(choice.values).get(value, escape.text(value, 200))


def _chips(word: str | None) -> int:
    return amounts.chips(word) if word is not None else 0
