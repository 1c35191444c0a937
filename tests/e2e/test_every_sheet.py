"""Every sheet of the law book, played through the bot as people play it: opened by name, dealt, every choice made by clicks, paid.

What everybody saw is looked through: no message names a card that is not its reader's to see.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.engine.card import RuleCard
from bot.variants import CATALOGUE
from cogs.ui import surface
from tests.e2e.evening import evening
from tests.e2e.sheets import play_hand

SLICE = {
    "pot_limit_holdem", "omaha8", "courchevel", "old_english", "basic_draw", "hilo_draw", "jackpots", "spit", "deuces_wild",
    "california_joker", "triple_draw_27", "badugi", "stud_low", "stud8", "razz", "mexican_stud", "follow_the_queen", "baseball",
    "crazy_pineapple", "anaconda_hilo", "guts", "double_board_holdem", "drawmaha",
}  # fmt: skip
"""Those that everybody plays at every test run: each kind of step and of choice is in one of them."""


def sheets() -> list[object]:
    """Every game; the others than the slice only with the full figures."""
    return [
        pytest.param(card, id=card.key, marks=[] if card.key in SLICE else [pytest.mark.full]) for card in CATALOGUE
    ]


@pytest.mark.parametrize("card", sheets())
async def test_a_hand_of_every_sheet(tmp_path: Path, card: RuleCard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surface, "EDIT_SECONDS", 0.01)  # what is private is told the table at once
    dice = random.Random(card.key)
    async with evening(tmp_path) as room:
        players = await room.people("Ann", "Bo", "Cy")
        await room.seat(*players, game=card.name, seats=max(3, card.seats_min))
        chips = sum(line.stack for line in room.now.table.seats)
        await room.dealt()
        await play_hand(room, players, dice)
        await room.quiet()
        view = room.now.hand
        assert view is not None and view.over and not view.voided
        assert sum(line.stack for line in room.now.table.seats) + view.carried == chips
        assert view.payments or view.passed_out
        room.check()
