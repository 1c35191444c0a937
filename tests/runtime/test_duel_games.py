"""Duels in other games and in mixtures, best of three, at real tables."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.events.sit_and_go.refusals import ClockTooSlow, GameNotInEvents
from bot.house.rules import HouseRules
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.table.settings import SLOW_CLOCK_SECONDS
from bot.variants import game
from cogs.presses.table_settings import new_table_settings
from tests.runtime.duel_evening import DuelEvening, wanted
from tests.runtime.test_sit_and_go_games import KEYS, REFUSED

RULES = HouseRules()


async def play(folder: Path, name: str, seed: int) -> None:
    evening = DuelEvening(folder, seed=seed)
    await evening.begin()
    try:
        chosen = new_table_settings(name, RULES, NewTableRequest(seats=2), None, None)
        await evening.challenge(wanted(buy_in=101, best_of=3), chosen=chosen)
        await evening.accept()
        await evening.play_on(random.Random(seed))
        assert not evening.is_open(), "it never ends"
        event = await evening.saved_event()
        assert sum(chips for _, chips in event.prizes_paid) == 202
        assert max(one.wins for one in event.entrants) == 2
        await evening.audit()
    finally:
        await evening.end()


@pytest.mark.law("SG-14")
@pytest.mark.parametrize("name", ["horse", "anaconda"])
async def test_duels_are_played_in_other_games(tmp_path: Path, name: str) -> None:
    await play(tmp_path, name, 3)


@pytest.mark.law("SG-2", "VC-27")
async def test_some_games_and_clocks_are_refused(tmp_path: Path) -> None:
    evening = DuelEvening(tmp_path)
    await evening.begin()
    with pytest.raises(GameNotInEvents):
        await evening.challenge(wanted(), chosen=default_table_settings(game("guts"), RULES))
    slow = default_table_settings(game("holdem"), RULES, NewTableRequest(turn_seconds=SLOW_CLOCK_SECONDS))
    with pytest.raises(ClockTooSlow):
        await evening.challenge(wanted(), chosen=slow)
    await evening.end()


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("key", sorted(set(KEYS) - REFUSED))
async def test_every_game_ends_as_a_duel(tmp_path: Path, key: str, seed: int) -> None:
    await play(tmp_path, key, seed)
