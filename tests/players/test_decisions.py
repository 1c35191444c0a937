"""A practice player decides on a price in the middle of a street (VC-24)."""

import random

import pytest

from bot.engine import commands as c
from bot.engine.view.types import HandView
from bot.players import PERSONALITIES, decisions
from tests.engine.test_law_baseball import around


@pytest.mark.law("VC-24")
def test_opponents_still_to_be_dealt_count_as_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """B must pay for a three: A and B have their cards of the street, C and D will get theirs."""
    reckoned: list[HandView] = []

    def strength(view: HandView, _rng: random.Random) -> float:
        reckoned.append(view)
        return 1.0

    monkeypatch.setattr(decisions, "expected_pot_share", strength)
    hand = around("7s | 3h | 9d | Ts")
    view = hand.view("B")
    assert view.legal is not None
    assert isinstance(decisions.take_offer(view, view.legal, PERSONALITIES[0], random.Random(1)), c.Accept)
    assert [len(seat.cards) for seat in view.seats] == [3, 3, 2, 2]
    assert [len(seat.cards) for seat in reckoned[0].seats] == [3, 3, 3, 3]
    assert view.cards_to_come == (4, 0, 0)
