"""A small discord.py bot that uses the same features of Discord as the dealer."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
from discord import app_commands, ui

from tests.support.discord_double import Discord, endpoints

Interaction = discord.Interaction[discord.Client]

GUILDS = discord.Intents(guilds=True)
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cfc00000030101"
    "00c9fe92ef0000000049454e44ae426082"
)


class CallButton(ui.DynamicItem[ui.Button[ui.View]], template=r"call:(?P<amount>\d+)"):
    """A button that still works after a restart, since its amount is in its custom id."""

    def __init__(self, amount: int) -> None:
        super().__init__(ui.Button(label=f"Call {amount}", custom_id=f"call:{amount}", style=discord.ButtonStyle.green))
        self.amount = amount

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> CallButton:
        return cls(int(match["amount"]))

    async def callback(self, interaction: Interaction) -> Any:
        await interaction.response.edit_message(view=table(self.amount + 10, f"{interaction.user.mention} calls"))
        await interaction.followup.send("your cards", ephemeral=True)


class RaiseModal(ui.Modal, title="Raise to"):
    """A modal with a text input and a radio group."""

    amount: ui.Label[Any] = ui.Label(text="Amount", component=ui.TextInput(max_length=10))
    size: ui.Label[Any] = ui.Label(
        text="Or",
        component=ui.RadioGroup(
            options=[
                discord.RadioGroupOption(label="Half pot", value="half"),
                discord.RadioGroupOption(label="Pot", value="pot"),
            ],
            required=False,
        ),
    )

    async def on_submit(self, interaction: Interaction) -> None:
        assert isinstance(self.amount.component, ui.TextInput)
        assert isinstance(self.size.component, ui.RadioGroup)
        text = f"raise to {self.amount.component.value}, {self.size.component.value}"
        await interaction.response.edit_message(view=table(500, text))


class RaiseButton(ui.DynamicItem[ui.Button[ui.View]], template=r"raise"):
    """A button that opens a modal."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Raise…", custom_id="raise"))

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> RaiseButton:
        return cls()

    async def callback(self, interaction: Interaction) -> Any:
        await interaction.response.send_modal(RaiseModal())


class SeatSelect(ui.DynamicItem[ui.Select[ui.View]], template=r"seats"):
    """A select menu of seats."""

    def __init__(self) -> None:
        options = [discord.SelectOption(label=f"Seat {n}", value=str(n)) for n in range(1, 4)]
        super().__init__(ui.Select(custom_id="seats", placeholder="Choose a seat number…", options=options))

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> SeatSelect:
        return cls()

    async def callback(self, interaction: Interaction) -> Any:
        await interaction.response.send_message(f"you sit in seat {self.item.values[0]}", ephemeral=True)


def table(amount: int, text: str = "to act") -> ui.LayoutView:
    """Return the table's message: a container with a row of buttons and a select menu."""
    view = ui.LayoutView(timeout=None)
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow(CallButton(amount), RaiseButton())  # type: ignore[arg-type]
    seats: ui.ActionRow[ui.LayoutView] = ui.ActionRow(SeatSelect())  # type: ignore[arg-type]
    view.add_item(ui.Container(ui.TextDisplay(f"### Pot {amount * 2}\n{text}"), row, seats, accent_colour=0xF2B233))
    return view


class Tree(app_commands.CommandTree[Any]):
    """Answers commands that are not there."""

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        if isinstance(error, app_commands.CommandNotFound):
            await interaction.response.send_message(f"There is no {' '.join((*error.parents, error.name))} now.")
        else:
            await super().on_error(interaction, error)


class SampleBot(discord.AutoShardedClient):
    """The bot. Its commands append what they observe to `observed`."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.05,  # by default discord.py waits two seconds for more servers
        )
        self.tree = Tree(self)
        self.observed: list[Any] = []
        self.tree.add_command(TableCommands(self))
        for command in _commands(self):
            self.tree.add_command(command)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do not wait five seconds before a new session, as discord.py does."""

    async def setup_hook(self) -> None:
        self.add_dynamic_items(CallButton, RaiseButton, SeatSelect)
        await self.tree.sync()


class TableCommands(app_commands.Group):
    """A group of subcommands."""

    def __init__(self, bot: SampleBot) -> None:
        super().__init__(name="table", description="Tables", guild_only=True)
        self.bot = bot

    @app_commands.command(name="open", description="Open a table")
    @app_commands.describe(amount="The first call")
    async def open_table(self, interaction: Interaction, amount: app_commands.Range[int, 10, 1000] = 40) -> None:
        self.bot.observed.append((interaction.permissions, interaction.app_permissions, interaction.channel))
        await interaction.response.send_message(view=table(amount))


def _commands(bot: SampleBot) -> list[Any]:
    @app_commands.command(description="Says hello to everybody")
    async def hello(interaction: Interaction) -> None:
        answer = await interaction.response.send_message(f"hello {interaction.user.mention}")
        bot.observed.append(answer.message_id)

    @app_commands.command(description="For your eyes only")
    async def secret(interaction: Interaction) -> None:
        await interaction.response.send_message("the ace of spades", ephemeral=True)

    @app_commands.command(description="Thinks first")
    async def think(interaction: Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.edit_original_response(content="thought")
        await interaction.followup.send("and more", ephemeral=True)

    @app_commands.command(description="Never answers")
    async def silent(interaction: Interaction) -> None:
        bot.observed.append(interaction)

    @app_commands.command(description="Shows a picture")
    async def picture(interaction: Interaction) -> None:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://table.png", description="a table")))
        await interaction.response.send_message(view=view, file=discord.File(io.BytesIO(PIXEL), "table.png"))

    @app_commands.command(description="Writes to somebody")
    async def whisper(interaction: Interaction, to: discord.Member) -> None:
        await interaction.response.defer(ephemeral=True)
        try:
            await to.send("psst", silent=True)
        except discord.HTTPException as error:
            await interaction.followup.send(f"refused: {error.code}")
        else:
            await interaction.followup.send("sent")

    @app_commands.command(description="Completes names of games")
    async def game(interaction: Interaction, name: str) -> None:
        await interaction.response.send_message(f"playing {name}", ephemeral=True)

    @game.autocomplete("name")
    async def complete(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        names = ["hold'em", "omaha", "stud"]
        return [app_commands.Choice(name=name, value=name) for name in names if typed in name]

    @app_commands.command(description="For staff")
    @app_commands.default_permissions(manage_guild=True)
    async def house(interaction: Interaction) -> None:
        await interaction.response.send_message("staff only", ephemeral=True)

    @app_commands.context_menu(name="Read aloud")
    async def read(interaction: Interaction, message: discord.Message) -> None:
        bot.observed.append(message)
        await interaction.response.send_message(f"it says {message.content}", ephemeral=True)

    @app_commands.context_menu(name="Wave at")
    async def wave(interaction: Interaction, member: discord.Member) -> None:
        bot.observed.append(member)
        await interaction.response.send_message(f"{interaction.user.mention} waves at {member.mention}")

    return [hello, secret, think, silent, picture, whisper, game, house, read, wave]


@asynccontextmanager
async def run_sample_bot(double: Discord, intents: discord.Intents = GUILDS) -> AsyncIterator[SampleBot]:
    """Run the bot. It is logged in and has registered its commands."""
    with endpoints(double.stand_in):
        bot = SampleBot(intents)
        await bot.login(double.stand_in.token)
        task = asyncio.create_task(bot.connect())
        try:
            await bot.wait_until_ready()
            await double.bot_ready()
            yield bot
        finally:
            await bot.close()
            await task
