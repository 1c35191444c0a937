"""PokerKit reads our PHH files of every game of the standard, with deep stacks and short ones, and comes to the same stacks.

Where it does not, one of its known differences explains it at the action where the two part (`tests.support.pokerkit_phh`).
"""

import random
from collections import Counter

import pytest

from bot.engine.view.redact import ALL_KNOWING, PUBLIC, HistoryViewer
from bot.history.phh_fields import GAME_KEY_BY_CODE
from bot.variants import game
from tests.support.pokerkit_phh import Difference, difference_of
from tests.support.random_hands import PlainHand

STANDARD = ("FT", "NT", "NS", "PO", "FO/8", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB")
"""The eleven games of PHH 0.1."""
HANDS = 30
FULL = 1_000
SAME_AT_LEAST = 0.93
"""Of the hands of each game, so many are read to the same stacks without any excuse."""


def compare(code: str, count: int) -> Counter[Difference | None]:
    """Return how many hands PokerKit reads to the same stacks (None), and how many not by which difference."""
    found: Counter[Difference | None] = Counter()
    for number in range(count):
        rng = random.Random(number * 31 + 7)
        hand = PlainHand(rng, game(GAME_KEY_BY_CODE[code]), odd=False, shallow=number % 2 == 0)
        hand.play()
        viewer: HistoryViewer = (ALL_KNOWING, PUBLIC, number % hand.hand.seat_count)[number % 3]
        found[difference_of(hand, viewer)] += 1
    return found


@pytest.mark.parametrize("code", STANDARD)
def test_pokerkit_reads_our_phh_to_the_same_stacks(code: str) -> None:
    found = compare(code, HANDS)
    assert found.total() == HANDS
    assert found[None] >= SAME_AT_LEAST * HANDS, found


@pytest.mark.full
def test_pokerkit_reads_11000_hands_of_the_standard_games() -> None:
    met: set[Difference | None] = set()
    print(f"\n{'code':6}{'same':>6}")
    for code in STANDARD:
        found = compare(code, FULL)
        others = "".join(f"  {one.name} {hands}" for one, hands in found.most_common() if one is not None)
        print(f"{code:6}{found[None]:6}{others}")
        assert found.total() == FULL
        assert found[None] >= SAME_AT_LEAST * FULL, found
        met.update(found)
    assert met == {None, *Difference}
