"""Posts of game nights show newcomers the best hand of a game that is played for low."""

import pytest
from msgspec.structs import replace

from bot.render.table.nights import best_low_hand
from bot.table.settings import TableSettings
from bot.text.nights import best_hand
from bot.variants import game, mix_rotation
from bot.variants.mixes import HORSE
from tests.table.evening import settings


def of(key: str) -> TableSettings:
    card = game(key)
    return replace(settings(card.options), rule_card=card)


def told(chosen: TableSettings) -> str:
    best = best_low_hand(chosen)
    return best_hand(best.game, best.share, best.hand) if best is not None else ""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("holdem", ""),
        ("badugi", "-# Best hand: four-card badugi, 4-3-2-A"),
        ("razz", "-# Best hand: 5-4-3-2-A"),
        ("omaha8", "-# Best low: 5-4-3-2-A"),
    ],
)
def test_best_hand_is_told_where_low_is_played(key: str, line: str) -> None:
    assert told(of(key)) == line


def test_mixture_tells_best_hand_of_a_low_game() -> None:
    assert told(replace(of("holdem"), rotation=mix_rotation(HORSE))) == "-# Best Limit Razz: 5-4-3-2-A"
