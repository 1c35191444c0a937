"""Discord gets all slash commands, described and for servers only, and only when they have changed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.render.menus import moved_panel
from bot.surfaces.card_emojis import CardEmojis
from bot.text.commands import COMMANDS, MENU_COMMANDS, MENU_NAME_MAX, TEXT_MAX
from bot.text.old_commands import NEW_NAMES
from cogs.act import ACTS
from cogs.chips import ChipPages
from cogs.house import HouseCog
from cogs.me import MeCog
from cogs.privacy import PrivacyPages
from cogs.seasons import SeasonCog
from cogs.tables import TablesCog
from tests.e2e.bot_session import logged_in_bot
from tests.e2e.movable_clock import MovableClock
from tests.support.discord_double import discord_double
from tests.support.message_limits import within_limits

ROOT = Path(__file__).resolve().parents[2]

Json = dict[str, Any]


def leaf_commands(command: Json, path: str = "") -> dict[str, Json]:
    """Return every command that can be used, by its whole name."""
    name = f"{path} {command['name']}".strip()
    below = [option for option in command.get("options", []) if option["type"] in (1, 2)]
    if not below:
        return {name: command}
    return {full: leaf for option in below for full, leaf in leaf_commands(option, name).items()}


async def test_every_command_exists_with_description_for_servers_only(tmp_path: Path) -> None:
    async with (
        discord_double(tmp_path / "discord") as discord,
        logged_in_bot(discord, tmp_path / "data", MovableClock()),
    ):
        commands = discord.you.commands.values()
        found = {name: leaf for command in commands for name, leaf in leaf_commands(command).items()}
        assert set(found) == set(COMMANDS)
        for name, leaf in found.items():
            text, options = COMMANDS[name], {option["name"]: option for option in leaf.get("options", [])}
            assert leaf["description"] == text.description
            assert {each: option["description"] for each, option in options.items()} == text.options, name
            choices = {each: option["choices"] for each, option in options.items() if "choices" in option}
            assert {
                each: {one["value"]: one["name"] for one in offered} for each, offered in choices.items()
            } == text.choices, name
        for command in commands:
            in_direct_messages = command["name"] == "me"  # where it has what is kept in all servers
            assert command["contexts"] == ([0, 1] if in_direct_messages else [0]), command["name"]
        menus = discord.you.menu_commands
        assert set(menus) == set(MENU_COMMANDS)
        assert all(command["contexts"] == [0] for command in menus.values())
        assert discord.you.commands["house"]["default_member_permissions"] == str(1 << 5)


def test_texts_of_commands_fit_discord() -> None:
    for name, text in COMMANDS.items():
        assert all(0 < len(each) <= 32 for each in (*name.split(), *text.options)), name
        choices = [choice for offered in text.choices.values() for choice in offered.values()]
        assert all(0 < len(each) <= TEXT_MAX for each in (text.description, *text.options.values(), *choices)), name
    assert all(0 < len(name) <= MENU_NAME_MAX for name in MENU_COMMANDS)


def test_few_commands_stand_in_the_picker() -> None:
    """Nobody finds a command among ninety."""
    assert len(COMMANDS) <= 25
    assert not [name for name in COMMANDS if " " in name], "each would be one more entry, of fifty at most"


def test_menus_offer_what_their_command_does() -> None:
    services: Any = None
    chips, privacy = ChipPages(services), PrivacyPages(services)
    cogs = (MeCog(services, chips, privacy), TablesCog(services), SeasonCog(services), HouseCog(services))
    for menu in (cog.menu for cog in cogs):
        assert set(menu.pages) == set(COMMANDS[menu.command].choices["page"]), menu.command
    assert {*ACTS, "show"} == set(COMMANDS["act"].choices["what"])


COMMAND_IN_TEXT = re.compile(r"`/([a-z]+)(?: ([a-z]+):([a-z ]*))?`")
FOLDERS = frozenset({"data", "tmp", "livez", "readyz", "metrics"})
"""Folders and addresses are written like commands."""
WRITTEN = (*ROOT.glob("bot/text/**/*.py"), ROOT / "README.md", *ROOT.glob(".github/*.md"))


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: str(file.relative_to(ROOT)))
def test_commands_named_in_texts_exist(file: Path) -> None:
    for name, option, value in COMMAND_IN_TEXT.findall(file.read_text()):
        if name in FOLDERS:
            continue
        assert name in COMMANDS, f"/{name}"
        assert not option or option in COMMANDS[name].options, f"/{name} {option}:"
        assert not value or value in COMMANDS[name].choices.get(option, {value}), f"/{name} {option}:{value}"
    assert not re.findall(r"`/[a-z]+ [a-z]+`", file.read_text()), "a command has no subcommands"


def test_every_new_name_of_an_old_command_exists() -> None:
    for old, new in NEW_NAMES.items():
        assert old not in COMMANDS
        assert new.command in COMMANDS and (not new.option or new.value in COMMANDS[new.command].choices[new.option]), (
            new
        )
        within_limits(moved_panel(new))


async def test_commands_are_sent_again_only_when_changed(tmp_path: Path) -> None:
    async with discord_double(tmp_path / "discord") as discord:
        for starts in (1, 2):
            async with logged_in_bot(discord, tmp_path / "data", MovableClock()):
                await discord.bot_ready()
            await discord.bot_gone()
            sent = [one for one in discord.requests if one.method == "PUT" and one.path.endswith("/commands")]
            assert len(sent) == 1, starts


async def test_card_emojis_are_uploaded_once(tmp_path: Path) -> None:
    async with discord_double(tmp_path / "discord") as discord:
        for _ in range(2):
            async with logged_in_bot(discord, tmp_path / "data", MovableClock()) as dealer:
                await dealer.parts.get(CardEmojis).wait_until_idle()
                assert dealer.services.emoji_decks.four_colour.marks
            await discord.bot_gone()
        sent = [one for one in discord.requests if one.method == "POST" and one.path.endswith("/emojis")]
        assert len(sent) == 80
