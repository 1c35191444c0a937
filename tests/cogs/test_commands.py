"""The slash commands as Discord gets them: all there, described, for servers only, and sent only when they have changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.e2e.clock import MovableClock
from tests.e2e.evening import dealer_at
from tests.support.discord_double import discord_double

COMMANDS = {
    "table open", "table close", "table list", "table info", "table settings", "table games",
    "deal cut", "deal nocut", "deal shuffle", "deal first", "deal lot", "deal skip", "deal misdeal", "deal choose", "deal bomb",
    "seats draw", "seats choose", "seats dealer", "seats exchange", "seats substitute", "seats adjust",
    "sit", "leave", "sitout", "back", "rebuy", "waitinglist",
    "fold", "check", "call", "bet", "raise", "allin", "straddle", "show", "muck", "time", "peek", "preselect",
    "draw", "discard", "standpat", "declare", "runtwice", "answer",
    "chips balance", "chips daily", "chips relief", "chips history", "leaderboard",
    "laws", "hand", "help", "cards",
    "house settings", "house grant", "house take", "house void", "house audit",
    "house save", "house forget", "house remove",
}  # fmt: skip

Json = dict[str, Any]


def leaves(command: Json, path: str = "") -> dict[str, Json]:
    """Every command that can be used, by its whole name."""
    name = f"{path} {command['name']}".strip()
    below = [option for option in command.get("options", []) if option["type"] in (1, 2)]
    if not below:
        return {name: command}
    return {full: leaf for option in below for full, leaf in leaves(option, name).items()}


async def test_every_command_is_there_described_and_for_servers_only(tmp_path: Path) -> None:
    async with (
        discord_double(tmp_path / "discord") as discord,
        dealer_at(discord, tmp_path / "data", MovableClock()),
    ):
        commands = discord.you.commands.values()
        found = {name: leaf for command in commands for name, leaf in leaves(command).items()}
        assert set(found) == COMMANDS
        for name, leaf in found.items():
            assert 3 < len(leaf["description"]) <= 100, name
            for option in leaf.get("options", []):
                assert option["description"] not in {"", "…"}, f"{name} {option['name']}"
        for command in commands:
            assert command["contexts"] == [0], command["name"]
        assert discord.you.commands["house"]["default_member_permissions"] == str(1 << 5)


async def test_commands_are_sent_once_and_again_only_when_they_changed(tmp_path: Path) -> None:
    async with discord_double(tmp_path / "discord") as discord:
        for starts in (1, 2):
            async with dealer_at(discord, tmp_path / "data", MovableClock()):
                await discord.bot_ready()
            await discord.bot_gone()
            sent = [one for one in discord.requests if one.method == "PUT" and one.path.endswith("/commands")]
            assert len(sent) == 1, starts


async def test_card_emojis_are_uploaded_once(tmp_path: Path) -> None:
    async with discord_double(tmp_path / "discord") as discord:
        for _ in range(2):
            async with dealer_at(discord, tmp_path / "data", MovableClock()) as dealer:
                for task in list(dealer._tasks):
                    await task
                assert dealer.room.deck.emojis.marks
            await discord.bot_gone()
        sent = [one for one in discord.requests if one.method == "POST" and one.path.endswith("/emojis")]
        assert len(sent) == 80
