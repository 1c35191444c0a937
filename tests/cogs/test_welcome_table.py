"""A practice table of the local cardroom waits for the first visitor."""

from __future__ import annotations

from pathlib import Path

from bot.players import PracticePlayers
from bot.runtime.request import Request
from tests.e2e.bot_session import logged_in_bot
from tests.e2e.movable_clock import MovableClock
from tests.support.discord_double import discord_double


async def test_one_practice_table_waits_for_the_first_visitor(tmp_path: Path) -> None:
    """It stays open however long nobody comes, and a restart finds it again instead of opening another."""
    async with discord_double(tmp_path / "discord") as discord:
        for _ in range(2):
            clock = MovableClock()
            async with logged_in_bot(
                discord, tmp_path / "data", clock, local=True, policies=PracticePlayers()
            ) as dealer:
                await discord.you.until("4 of 6 seats taken")
                clock.skip(3 * 60 * 60)
                (now,) = dealer.tables.all_tables()
                assert now.settings.practice and now.settings.idle_minutes == 0
                assert sum(seat.practice for seat in now.table.seats) == 4
            await discord.bot_gone()


async def test_waiting_table_stays_though_staff_close_idle_ones(tmp_path: Path) -> None:
    async with discord_double(tmp_path / "discord") as discord:
        (guild,) = map(int, discord.stand_in.world.guilds)
        async with logged_in_bot(discord, tmp_path / "data", MovableClock()) as dealer:
            staff = Request(key="", guild=guild, channel=0, user=1, staff=True)
            await dealer.bank.change_house_rules(staff, idle_close_minutes=30)
        await discord.bot_gone()
        async with logged_in_bot(discord, tmp_path / "data", MovableClock(), local=True) as dealer:
            await discord.you.until("4 of 6 seats taken")
            (now,) = dealer.tables.all_tables()
            assert now.settings.idle_minutes == 0


async def test_no_table_opens_by_itself_outside_local_mode(tmp_path: Path) -> None:
    async with (
        discord_double(tmp_path / "discord") as discord,
        logged_in_bot(discord, tmp_path / "data", MovableClock()) as dealer,
    ):
        assert not dealer.tables.all_tables()
