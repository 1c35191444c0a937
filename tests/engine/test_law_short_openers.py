"""Where a card on show must open and its player is all-in with less than a full bet.

Laws: F-6, F-7, VC-5, TL-6, TL-42 (WSOP-L 217, 219; RR Seven-Card Stud).
"""

import pytest

from bot.engine.refusals import WrongSize
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal

FORCED_FULL = Stakes(ante=1, small_bet=20, big_bet=40)
WITH_BRING_IN = Stakes(ante=1, small_bet=20, big_bet=40, bring_in=5)


def five_card_stud(stack: int, game: str = "stud_low", stakes: Stakes = FORCED_FULL) -> Told:
    """Ann shows the deuce and must open with what the ante leaves of her stack."""
    return deal(
        game, button="Cy", stacks={"Ann": stack, "Bo": 500, "Cy": 500}, stakes=stakes,
        cards={"Ann": "Ks 2c", "Bo": "Qs Jd", "Cy": "Jc Td"},
    )  # fmt: skip


def seven_card_stud(stack: int) -> Told:
    """Ann shows the deuce: she brings in 5, or completes to 20."""
    return deal(
        "stud", button="Cy", stacks={"Ann": stack, "Bo": 500, "Cy": 500}, stakes=WITH_BRING_IN,
        cards={"Ann": "Ks Kh 2c", "Bo": "Qs Qh Jd", "Cy": "Jc Th Td"},
    )  # fmt: skip


@pytest.mark.law("F-6", "TL-6", "TL-42", "L-7")
@pytest.mark.parametrize("stack", [6, 11, 16])
def test_raise_goes_beyond_a_short_forced_bet(stack: int) -> None:
    """The forced bet of 20 stands in full, however little of it Ann has: to raise it is to make it 40, and not 20."""
    hand = five_card_stud(stack)
    hand.play(f"Ann is all-in for {stack - 1}")
    assert hand.options == {"fold", "call 20", "raise to 40"}
    hand.refuses("Bo raises to 20", WrongSize, law="L-7")
    hand.play("Bo raises to 40", "Cy raises to 60")
    assert hand.options == {"fold", "call 20", "raise to 80"}


@pytest.mark.law("F-6", "L-6", "TL-42")
def test_short_forced_bet_takes_its_step_on_the_ladder() -> None:
    """Ante 1: the forced bet is 2, and the first raise 4 more, also where only one chip of the two is there."""
    hand = five_card_stud(2, "stud_low + doubling", Stakes(ante=1, doublings=3))
    hand.play("Ann is all-in for 1")
    assert hand.options == {"fold", "call 2", "raise to 6"}


@pytest.mark.law("TL-6", "VC-5", "AT-18")
@pytest.mark.parametrize(("all_in", "raise_to"), [(10, 30), (15, 35), (19, 39)])
def test_opener_all_in_for_half_a_bet_has_bet(all_in: int, raise_to: int) -> None:
    """With 10 or more of 20, an all-in is a full bet whoever makes it: the bring-in, or the player after it."""
    hand = seven_card_stud(all_in + 1)
    assert hand.options == {"bring in 5", f"all-in to {all_in}"}
    hand.play(f"Ann is all-in for {all_in}")
    assert hand.options == {"fold", f"call {all_in}", f"raise to {raise_to}"}


@pytest.mark.law("TL-6", "VC-5")
def test_opener_all_in_under_half_can_be_completed() -> None:
    hand = seven_card_stud(10)
    hand.play("Ann is all-in for 9")
    assert hand.options == {"fold", "call 9", "raise to 20"}


@pytest.mark.law("VC-5", "AT-18")
def test_bring_in_of_half_a_bet_is_completed() -> None:
    """A bring-in of 10 is half of 20, and no bet for that: completing it takes none of the raises."""
    hand = deal(
        "stud", button="Cy", stacks={"Ann": 11, "Bo": 500, "Cy": 500},
        stakes=Stakes(ante=1, small_bet=20, big_bet=40, bring_in=10),
        cards={"Ann": "Ks Kh 2c", "Bo": "Qs Qh Jd", "Cy": "Jc Th Td"},
    )  # fmt: skip
    hand.play("Ann is all-in for 10")
    assert hand.options == {"fold", "call 10", "raise to 20"}
    hand.play("Bo completes to 20")
    assert hand.hand.raise_count == 0
