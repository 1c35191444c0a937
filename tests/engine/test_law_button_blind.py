"""The blind of the button in short deck: one ante, or what the table has set (VC-17; WSOP-L 359-363, WSOP-T s.IX)."""

import pytest

from bot.engine.events import Posted
from bot.engine.refusals import RaiseTooSmall
from bot.engine.stakes import AmountOutOfBounds, Stakes, validate_stakes
from bot.variants import game
from tests.support.told import Told, deal

FOUR = {"Ann": 1000, "Bo": 1000, "Cy": 1000, "Dee": 1000}


def short_deck(stakes: Stakes, name: str = "short deck", **stacks: int) -> Told:
    """Dee has the button; Ann acts first."""
    return deal(name, button="Dee", stacks=FOUR | stacks, stakes=stakes)


@pytest.mark.law("VC-17")
def test_button_blind_is_one_ante_unless_set() -> None:
    hand = short_deck(Stakes(ante=10))
    assert (hand.to_act, hand.bets) == ("Ann", {"Dee": 10})
    assert hand.options == {"fold", "call 10", "raise to 20..990"}


@pytest.mark.law("VC-17")
def test_button_blind_of_two_antes() -> None:
    """WSOP: the opening raise is at least to twice the blind, a later bet at least an ante."""
    hand = short_deck(Stakes(ante=10, button_blind=20))
    assert (hand.pot, hand.bets) == (60, {"Dee": 20})
    assert hand.options == {"fold", "call 20", "raise to 40..990"}
    hand.refuses("Ann raises to 39", RaiseTooSmall, law="L-8")
    hand.play("Ann calls", "Bo calls", "Cy folds", "Dee checks")
    assert hand.options == {"check", "fold", "bet 10..970"}


@pytest.mark.law("VC-17", "TL-7")
@pytest.mark.parametrize(("stack", "posted"), [(25, 15), (10, 0), (6, 0)])
def test_short_button_blind_is_called_in_full(stack: int, posted: int) -> None:
    hand = short_deck(Stakes(ante=10, button_blind=20), Dee=stack)
    last = hand.events_of(Posted)[-1]
    assert (hand.names[last.seat], last.chips, last.owed) == ("Dee", posted, 20)
    assert hand.options == {"fold", "call 20", "raise to 40..990"}


@pytest.mark.law("VC-17", "TL-19")
@pytest.mark.parametrize("stack", [1000, 15])
def test_pot_limit_counts_the_full_button_blind(stack: int) -> None:
    """Antes of 40 and the blind of 20 make 60, as if it were whole; with a call of 20 the raise adds 80."""
    hand = short_deck(Stakes(ante=10, button_blind=20), "short deck + pot_limit", Dee=stack)
    assert hand.options == {"fold", "call 20", "raise to 40..100"}


@pytest.mark.law("VC-17", "H-4")
def test_button_blind_is_not_below_the_ante() -> None:
    options = game("short deck").options
    validate_stakes(Stakes(ante=10, button_blind=10), options)
    with pytest.raises(AmountOutOfBounds) as refusal:
        validate_stakes(Stakes(ante=10, button_blind=9), options)
    assert (refusal.value.name, refusal.value.minimum) == ("button_blind", 10)
