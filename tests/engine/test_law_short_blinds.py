"""A blind that the ante has used up, in whole or in part: the others meet the full one all the same.

Laws: TL-7, TL-42, F-4, L-7, TL-13, TL-19.
"""

import pytest

from bot.engine.events import Posted
from bot.engine.refusals import CannotCheck, RaiseTooLarge, RaiseTooSmall, WrongSize
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal

ANTE_10 = Stakes(small_blind=50, big_blind=100, ante=10)
FIVE = {"Ann": 3000, "Bo": 3000, "Cy": 3000, "Dee": 3000, "Eve": 3000}


def with_antes(game: str, **short: int) -> Told:
    """Blinds of 50 and 100 and an ante of 10 from everyone. Eve deals, Ann posts the small blind, Bo the big one."""
    return deal(game, button="Eve", stacks=FIVE | short, stakes=ANTE_10)


@pytest.mark.law("TL-7", "TL-42")
@pytest.mark.parametrize("left", [10, 9, 1])
def test_big_blind_taken_by_the_ante_costs_others_in_full(left: int) -> None:
    hand = with_antes("no-limit hold'em", Bo=left)
    assert hand.bets == {"Ann": 50}
    assert (hand.to_act, hand.highest_bet) == ("Cy", 100)
    assert hand.options == {"fold", "call 100", "raise to 200..2990"}
    hand.refuses("Cy raises to 150", RaiseTooSmall, law="L-8")
    hand.play("Cy calls", "Dee folds", "Eve folds", "Ann calls 50")
    assert hand.street == "flop"
    assert hand.pots == ((40 + left if left == 10 else 5 * left, "Ann Bo Cy"), (200 + 4 * (10 - left), "Ann Cy"))


@pytest.mark.law("TL-7", "TL-19")
def test_pot_limit_counts_a_big_blind_that_was_not_posted() -> None:
    """In the pot: five antes, the small blind and what the big blind lacks. With the call of 100: 300 more."""
    hand = with_antes("pot-limit hold'em", Bo=10)
    assert hand.options == {"fold", "call 100", "raise to 200..400"}
    hand.refuses("Cy raises to 401", RaiseTooLarge, law="TL-19")


@pytest.mark.law("TL-7", "L-7")
def test_limit_raise_counts_from_a_big_blind_not_posted() -> None:
    hand = with_antes("limit hold'em", Bo=10)
    assert hand.options == {"fold", "call 100", "raise to 200"}
    hand.refuses("Cy raises to 150", WrongSize, law="L-7")


@pytest.mark.law("TL-7", "C-3", "F-4")
@pytest.mark.parametrize("game", ["no-limit hold'em", "pot-limit hold'em", "limit hold'em"])
def test_nobody_checks_when_antes_took_both_blinds(game: str) -> None:
    hand = with_antes(game, Ann=10, Bo=10)
    assert (hand.to_act, hand.bets, hand.highest_bet) == ("Cy", {}, 100)
    hand.refuses("Cy checks", CannotCheck, law="B-12")
    assert "call 100" in hand.options
    hand.play("Cy calls", "Dee calls", "Eve folds")
    assert (hand.street, hand.to_act) == ("flop", "Cy")
    assert hand.pots == ((50, "Ann Bo Cy Dee"), (200, "Cy Dee"))


@pytest.mark.law("TL-7", "TL-16")
def test_only_caller_of_an_empty_blind_gets_the_call_back() -> None:
    hand = with_antes("no-limit hold'em", Ann=10, Bo=10)
    hand.play("Cy calls", "Dee folds", "Eve folds")
    assert hand.over
    assert hand.hand.uncalled_bet_returned == (hand.seat("Cy"), 100)


@pytest.mark.law("TL-7", "TL-8")
def test_heads_up_ante_took_the_big_blind() -> None:
    """The button has met all that Bo can win: nothing is left to decide, and the small blind goes back."""
    hand = deal("no-limit hold'em", button="Ann", stacks={"Ann": 3000, "Bo": 10}, stakes=ANTE_10)
    assert hand.over
    assert hand.hand.uncalled_bet_returned == (hand.seat("Ann"), 50)


@pytest.mark.law("TL-7", "TL-13")
def test_straddle_taken_by_the_ante_still_sets_the_call() -> None:
    hand = deal("no-limit hold'em", button="Eve", stacks=FIVE | {"Cy": 10}, stakes=ANTE_10, posts=("Cy straddles 200",))
    assert (hand.to_act, hand.highest_bet) == ("Dee", 200)
    assert hand.options == {"fold", "call 200", "raise to 300..2990"}


@pytest.mark.law("TL-7", "TL-10")
def test_empty_live_post_changes_nothing_for_others() -> None:
    hand = deal("no-limit hold'em", button="Eve", stacks=FIVE | {"Dee": 10}, stakes=ANTE_10, posts=("Dee posts 100",))
    assert hand.options == {"fold", "call 100", "raise to 200..2990"}


@pytest.mark.law("VC-17", "TL-7")
@pytest.mark.parametrize("left", [10, 14])
def test_short_button_blind_costs_others_in_full(left: int) -> None:
    """Short deck, ante 10: the button has its ante and at most 4 more. Left of the button owes 10 and raises to 20."""
    hand = deal("short deck", button="Eve", stacks=FIVE | {"Eve": left}, stakes=Stakes(ante=10))
    assert (hand.to_act, hand.highest_bet) == ("Ann", 10)
    assert hand.options == {"fold", "call 10", "raise to 20..2990"}


@pytest.mark.law("TL-7", "TL-42")
def test_empty_blind_is_an_event_of_no_chips() -> None:
    hand = with_antes("no-limit hold'em", Bo=10)
    posted = [(hand.names[post.seat], post.kind, post.chips, post.owed) for post in hand.events_of(Posted)]
    assert posted[-2:] == [("Ann", "small blind", 50, 50), ("Bo", "big blind", 0, 100)]
