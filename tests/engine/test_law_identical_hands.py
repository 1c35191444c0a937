"""Players who tie for every share of a pot divide the whole of it as evenly as chips allow, whoever gets the odd chip elsewhere.

Laws: TL-23, Q-1 to Q-4, VB-8 (TDA 20-D, sources 000 and 004).
"""

import pytest

from bot.engine.options.values import OddChip
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal

THREE = {"Ann": 100, "Bo": 100, "Cy": 100}


def check_down(hand: Told) -> None:
    """Everybody comes in, and nobody bets: three players at 1/2, Cy on the button."""
    hand.play("Cy calls", "Ann calls", "Bo checks")
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks")


def tied_omaha_eight(*, players: int, carried: int) -> Told:
    """Omaha 8 with a pot of 6 and what was carried: Ann and Bo, or all three, hold A-2-K-Q and tie both ways."""
    third = "As 2s Kh Qh" if players == 3 else "9c 9d Jc Jd"
    hand = deal(
        "limit_omaha8", button="Cy", stacks=THREE, stakes=Stakes(small_blind=1, big_blind=2), carried=carried,
        cards={"Ann": "Ac 2c Kd Qd", "Bo": "Ad 2d Ks Qs", "Cy": third}, board="3c 4d 7h Kc Ts",
    )  # fmt: skip
    check_down(hand)
    return hand


@pytest.mark.law("TL-23", "Q-1", "VB-8")
@pytest.mark.parametrize("odd_chip", OddChip)
@pytest.mark.parametrize("pot", [14, 15, 16, 17])
def test_same_hands_both_ways_divide_evenly(odd_chip: str, pot: int) -> None:
    hand = deal(
        "hilo_draw", button="Cy", stacks=THREE, stakes=Stakes(ante=1, small_bet=2, big_bet=4), carried=pot - 7,
        cards={"Ann": "9c 8d 7h 5s 4c", "Bo": "9d 8h 7s 5c 4d"}, options={"odd_chip": odd_chip},
    )  # fmt: skip
    hand.play("Ann checks", "Bo bets 2", "Cy folds", "Ann calls")
    while not hand.over:
        hand.play(f"{hand.to_act} stands pat" if "draw 0..3" in hand.options else f"{hand.to_act} checks")
    assert sorted(hand.wins.values()) == [pot // 2, pot - pot // 2]


@pytest.mark.law("TL-23", "TL-43")
@pytest.mark.parametrize(("carried", "ann", "bo"), [(0, 3, 3), (1, 4, 3), (2, 4, 4), (3, 5, 4)])
def test_omaha_eight_tied_both_ways_divides_evenly(carried: int, ann: int, bo: int) -> None:
    """The pot of 6 has halves of 3 and 3, which is no reason to make it 4 and 2."""
    assert tied_omaha_eight(players=2, carried=carried).wins == {"Ann": ann, "Bo": bo}


@pytest.mark.law("TL-23", "VC-29")
@pytest.mark.parametrize(("carried", "ann", "bo"), [(0, 3, 3), (1, 4, 3), (2, 4, 4), (3, 5, 4)])
def test_two_boards_tied_by_the_same_divide_evenly(carried: int, ann: int, bo: int) -> None:
    hand = deal(
        "double_board_holdem", button="Cy", stacks=THREE, stakes=Stakes(small_blind=1, big_blind=2), carried=carried,
        cards={"Ann": "Ac Kd", "Bo": "Ad Kc", "Cy": "2c 3d"}, board="As Ks 7h 8d 9c / Ah Kh 7c 8s 9d",
    )  # fmt: skip
    check_down(hand)
    assert hand.wins == {"Ann": ann, "Bo": bo}


@pytest.mark.law("TL-23", "Q-4", "TDA 20-D")
def test_odd_chips_of_three_go_round() -> None:
    """Three tied both ways, pot 8: halves of 4, each with an odd chip; the whole leaves two, for the first two from the left."""
    hand = tied_omaha_eight(players=3, carried=2)
    assert hand.wins == {"Ann": 3, "Bo": 3, "Cy": 2}
    assert [(hand.names[paid.seat], paid.odd_chips) for paid in hand.hand.payments if paid.odd_chips] == [
        ("Ann", 1),
        ("Bo", 1),
    ]


@pytest.mark.law("TL-23")
def test_no_odd_chip_is_told_of_an_even_division() -> None:
    hand = tied_omaha_eight(players=3, carried=0)
    assert hand.wins == {"Ann": 2, "Bo": 2, "Cy": 2}
    assert not any(paid.odd_chips for paid in hand.hand.payments)


@pytest.mark.law("TL-23", "VC-2")
def test_other_winners_of_a_half_keep_its_odd_chip() -> None:
    """Ann and Bo tie for the low alone; Cy has the high: the odd chip of the low half goes to Ann."""
    hand = deal(
        "limit_omaha8", button="Cy", stacks=THREE, stakes=Stakes(small_blind=1, big_blind=2),
        cards={"Ann": "Ac 2c Kd Qd", "Bo": "Ah 2h Ks Qs", "Cy": "9c 9d Jc Jd"}, board="3c 4d 7h Ts 9h",
    )  # fmt: skip
    check_down(hand)
    assert hand.wins == {"Cy": 3, "Ann": 2, "Bo": 1}
