"""Every game but guts is played as a sit-and-go, at real tables, to its prizes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.events.sit_and_go.refusals import GameNotInEvents
from bot.house.rules import HouseRules
from bot.runtime.table_settings import default_table_settings
from bot.variants import CATALOGUE, game
from tests.runtime.sit_and_go_evening import SitAndGoEvening
from tests.runtime.test_rebuys_and_bounties import bounties_recounted
from tests.runtime.test_sit_and_go import finishes_told, hands_of, ranks_recounted

NAMES = ("Ann", "Bo", "Cy", "Dee")
REFUSED = {"guts", "guts_two", "guts_five"}
"""Their pots are matched by those who lose, and go on: nobody is out by a hand (VC-27)."""
KEYS = [card.key for card in CATALOGUE.values()] if isinstance(CATALOGUE, dict) else [card.key for card in CATALOGUE]


async def play(folder: Path, key: str, seed: int) -> None:
    evening = await SitAndGoEvening(folder, seed=seed).begin()
    try:
        chosen = default_table_settings(game(key), HouseRules())
        names = NAMES[: chosen.seat_count]
        more = {"bounty": 33, "late_until": 3, "rebuys": True} if seed > 1 else {}
        await evening.open_sit_and_go(len(names), buy_in=101, chosen=chosen, **more)
        await evening.enter(*names)
        absent = frozenset({"Dee"}) if seed % 2 else frozenset[str]()
        await evening.play_on(random.Random(seed), absent=absent)
        assert not evening.is_open(), "it never ends"
        event = await evening.saved_event()
        rebuys = sum(one.rebuys for one in event.entrants)
        assert sum(chips for _, chips in event.prizes_paid) == 101 * (len(names) + rebuys)
        assert sum(chips for _, chips in event.bounties) == event.bounty_chips
        assert dict(event.bounties) == await bounties_recounted(evening)
        assert finishes_told(event) == ranks_recounted(await hands_of(evening, event.hands))
        await evening.audit()
    finally:
        await evening.end()


@pytest.mark.law("SG-14")
@pytest.mark.parametrize("key", ["stud", "jackpots", "triple_draw_27", "omaha8", "anaconda"])
async def test_sit_and_gos_are_played_in_other_games(tmp_path: Path, key: str) -> None:
    await play(tmp_path, key, 3)


@pytest.mark.law("SG-14", "VC-27")
@pytest.mark.parametrize("key", sorted(REFUSED))
async def test_guts_is_refused_as_a_sit_and_go(tmp_path: Path, key: str) -> None:
    evening = await SitAndGoEvening(tmp_path).begin()
    with pytest.raises(GameNotInEvents) as refused:
        await evening.open_sit_and_go(3, chosen=default_table_settings(game(key), HouseRules()))
    assert refused.value.law == "VC-27"
    await evening.end()


def test_nearly_every_game_is_played_as_a_sit_and_go() -> None:
    assert len(set(KEYS) - REFUSED) >= 55


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("key", sorted(set(KEYS) - REFUSED))
async def test_every_game_ends_as_a_sit_and_go(tmp_path: Path, key: str, seed: int) -> None:
    await play(tmp_path, key, seed)
