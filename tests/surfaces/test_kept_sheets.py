"""What is kept of a sheet forgets a person wherever it named them."""

from __future__ import annotations

from msgspec.structs import replace

from bot.surfaces.evenings.saved import KeptSheet
from bot.surfaces.keeper import NOWHERE
from bot.table.ended_game import FinishTold
from bot.text.people import is_former
from tests.render.test_sheet import FRIENDS, ended


def test_deleted_person_leaves_standings_and_places() -> None:
    finishes = tuple([FinishTold(rank, one.player, one.name) for rank, one in enumerate(FRIENDS, 1)])
    game = replace(ended(*FRIENDS), is_event=True, finishes=finishes, shares=finishes)
    kept = KeptSheet(game, 0, NOWHERE, 0, 0).forgetting(101)
    for told in (kept.game.standings, kept.game.finishes, kept.game.shares):
        assert [(one.name, is_former(one.player)) for one in sorted(told, key=lambda one: one.name)] == [
            ("", True),
            ("Ada", False),
            ("Mia", False),
        ]
