"""The same seeded hands give the same events as at commit 73fe2bd, before the customs of a game were types of their own.

`tests/data/seeded_hands.json` was made there. Where a rule of play changes on purpose, the digests of the games concerned are made anew.
"""

import json
from pathlib import Path

import pytest

from tests.variants.seeded_hands import digest_of_hands, games_dealt

DIGESTS: dict[str, str] = json.loads((Path(__file__).parents[1] / "data" / "seeded_hands.json").read_text("utf-8"))
GAMES = dict(games_dealt())
HANDS = 20


@pytest.mark.parametrize("name", DIGESTS)
def test_hands_give_the_same_events_as_before(name: str) -> None:
    assert digest_of_hands(GAMES[name], HANDS) == DIGESTS[name]
