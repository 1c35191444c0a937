"""An all-in hand through the bot: its luck is told once its end has been shown, and /stats tells it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from bot.runtime.luck_teller import LuckTeller
from bot.statistics.types import Scope
from tests.e2e.bot_session import PATIENCE, BotSession, bot_session
from tests.e2e.chosen_decks import no_two_tie, stack_next_deck
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.support.discord_double import Player

pytestmark = pytest.mark.real_time  # a process tells the luck
LUCK = re.compile(r"All-in luck \**([+−-][\d,]+)\** in 1 all-in \(estimate\)")


async def all_in(room: BotSession, *players: Player) -> None:
    await room.open_and_sit(*players)
    stack_next_deck(room, no_two_tie(len(players)))
    await room.next_hand()
    await room.act("All-in", *players)
    await room.act("Call", *players)


async def until_luck_is_told(room: BotSession, player: Player) -> int:
    """Wait until the luck of one hand is written. Returns it in thousandths of a chip."""
    async with asyncio.timeout(PATIENCE):
        while True:
            (guild,) = room.discord.stand_in.world.guilds
            counts = (await room.dealer.statistics.player(guild, int(player.me["id"]), Scope())).counts
            if counts.lucky_hands:
                return counts.luck
            await asyncio.sleep(0.02)


async def test_stats_tell_all_in_luck_once_the_end_is_shown(tmp_path: Path) -> None:
    async with bot_session(tmp_path, tells_luck=True) as room:
        ann, bo = await room.people("Ann", "Bo")
        await all_in(room, ann, bo)
        await room.wait_for_text("All-in · Pot 20,000")
        assert "luck" not in await ann.slash("stats"), "luck would tell how the run-out ends"
        assert await room.dealer.statistics.hands_without_luck() == ()
        teller = room.dealer.parts.get(LuckTeller)
        assert teller.measures.told == 0
        async with asyncio.timeout(PATIENCE):
            while teller.worker_pid is None:  # it prepares while the streets are shown
                await asyncio.sleep(0.01)
        await room.skip_run_out()
        await room.wait_for_text("Showdown")
        await room.wait_until_idle()
        told = {player.name: await until_luck_is_told(room, player) for player in (ann, bo)}
        assert sum(told.values()) == 0
        won = next(name for name, luck in told.items() if luck > 0)
        for player in (ann, bo):
            said = LUCK.search(await player.slash("stats"))
            assert said is not None
            chips = int(said[1].replace(",", "").replace("−", "-"))
            assert abs(1_000 * chips - told[player.name]) <= 500
            assert (chips > 0) == (player.name == won)


async def test_luck_that_was_due_at_a_kill_is_told_later(tmp_path: Path) -> None:
    """The bot is killed after the hand and before its luck is told, and told it is at the next start."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await all_in(room, ann, bo)
            await room.skip_run_out()
            await room.wait_for_text("Showdown")
            await room.wait_until_idle()
            assert "luck" not in await ann.slash("stats")
            assert len(await room.dealer.statistics.hands_without_luck()) == 1
        told.change(tells_luck=True)
        async with told.life(is_killed=False) as room:
            assert await until_luck_is_told(room, ann) == -await until_luck_is_told(room, bo)
            assert LUCK.search(await ann.slash("stats"))
            assert await room.dealer.statistics.hands_without_luck() == ()
