"""What a practice player reckons with when a price is asked of him in the middle of a street (VC-24)."""

import random

import pytest

from bot.engine import commands as c
from bot.engine.view import HandView
from bot.players import TEMPERS, choosing
from tests.engine.test_law_baseball import around


@pytest.mark.law("VC-24")
def test_those_behind_who_are_still_to_be_served_count_as_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """B is asked for his three: A and he have their cards of the street, C and D will have them."""
    reckoned: list[HandView] = []

    def strength(view: HandView, _rng: random.Random) -> float:
        reckoned.append(view)
        return 1.0

    monkeypatch.setattr(choosing, "strength", strength)
    hand = around("7s | 3h | 9d | Ts")
    view = hand.view("B")
    assert view.legal is not None
    assert isinstance(choosing.take_offer(view, view.legal, TEMPERS[0], random.Random(1)), c.Accept)
    assert [len(seat.cards) for seat in view.seats] == [3, 3, 2, 2]
    assert [len(seat.cards) for seat in reckoned[0].seats] == [3, 3, 3, 3]
    assert view.to_come == (4, 0, 0)
