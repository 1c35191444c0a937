"""A hand that nobody opens is passed out, or played on instead (N-1, TL-15, TL-42)."""

import pytest

from bot.engine import events as e
from bot.engine.refusals import NoOpeners
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal

STAKES = Stakes(ante=10, limit=50)
HANDS = {
    "Di": "Ks Kd 8h 7c 2d", "Ann": "Qs Qd 9h 5c 3d", "Bo": "Tc 9d 6s 5d 2h", "Cy": "As Ad 4h 4d 8c",
}  # fmt: skip


def one_all_in(game: str, **cards: str) -> Told:
    """Return a hand in which Cy, the dealer, has only 6 of the ante of 10."""
    stacks = {"Ann": 500, "Bo": 500, "Cy": 6, "Di": 500}
    return deal(game, button="Cy", stacks=stacks, stakes=STAKES, cards=HANDS | cards)


@pytest.mark.law("N-1")
def test_all_pass_dealer_included() -> None:
    hand = deal("hoyle_draw", button="Cy", stacks=dict.fromkeys(HANDS, 500), stakes=STAKES, cards=HANDS)
    hand.play("Di checks", "Ann checks", "Bo checks")
    assert not hand.over, "the dealer has yet to act"
    hand.play("Cy checks")
    assert (hand.over, hand.hand.passed_out, hand.hand.carried_to_next_hand) == (True, True, 40)


@pytest.mark.law("N-1", "TL-15", "TL-42", "N-2")
def test_pot_with_an_all_in_ante_is_played_for() -> None:
    """Cy cannot act, but has paid for the showdown. If the chips stayed for a hand that Cy is not in, Cy would lose them.

    So the others' passing only ends the betting round. After the draw, with no opener, the first left of the dealer acts.
    """
    hand = one_all_in("hoyle_draw")
    hand.play("Di checks", "Ann checks", "Bo checks")
    assert (hand.over, hand.street) == (False, "the draw")
    hand.play("Di stands pat", "Ann stands pat", "Bo stands pat", "Cy stands pat")
    assert hand.to_act == "Di"
    hand.play("Di checks", "Ann checks", "Bo checks")
    assert not hand.hand.passed_out and hand.hand.carried_to_next_hand == 0
    assert hand.wins == {"Cy": 24, "Di": 12}, "aces up take the four sixes, kings the rest of the antes"


@pytest.mark.law("N-1", "TL-15", "TL-42")
def test_cards_are_played_out_with_nobody_left_to_bet() -> None:
    hand = deal(
        "hoyle_draw", button="Cy", stacks={"Ann": 6, "Bo": 8, "Cy": 6, "Di": 500}, stakes=STAKES, cards=HANDS
    )  # fmt: skip
    hand.play("Di stands pat", "Ann stands pat", "Bo stands pat", "Cy stands pat")
    assert hand.over and not hand.hand.passed_out
    assert hand.wins == {"Cy": 24, "Di": 4}
    assert hand.hand.stacks == [496, 0, 0, 24], "the two chips that only Di has put in are hers again"


@pytest.mark.law("VC-20", "N-1", "TL-42")
def test_unopened_jackpots_with_an_all_in_player_are_played_out() -> None:
    """Openers are required in the first betting round only. Nobody has opened, so the next hand requires the same as this one."""
    hand = one_all_in("jackpots", Di="Js Td 8h 7c 2d")
    hand.refuses("Di bets 10", NoOpeners, law="VC-20")
    hand.play("Di checks", "Ann checks", "Bo checks")
    hand.play("Di stands pat", "Ann stands pat", "Bo stands pat", "Cy stands pat")
    hand.play("Di checks", "Ann checks", "Bo checks")
    assert not hand.hand.passed_out
    assert hand.wins == {"Cy": 24, "Ann": 12}
    assert hand.events_of(e.OpenersShown) == []


@pytest.mark.law("VC-20", "Z-4")
def test_bet_after_unopened_jackpots_draw_opens_nothing() -> None:
    """They needed no openers for it, so none are shown, and their cards stay hidden when the others fold."""
    hand = one_all_in("jackpots", Di="Js Td 8h 7c 2d")
    hand.play("Di checks", "Ann checks", "Bo checks")
    hand.play("Di stands pat", "Ann stands pat", "Bo stands pat", "Cy stands pat")
    hand.play("Di bets 5", "Ann folds", "Bo folds")
    assert hand.over
    assert hand.events_of(e.OpenersShown) == []
