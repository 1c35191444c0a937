"""The laws of home games: jackpots, spit in the ocean, anaconda, guts, double boards, high-low draw (VB-8, VC-20, VC-21, VC-26, VC-27,
VC-29)."""

import pytest

from bot.engine import events as e
from bot.engine.cards import card_text
from bot.engine.refusals import AlreadyChosen, NoOpeners, NotYourCard, UnknownDeclaration, WrongCardCount
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal

FOUR = dict.fromkeys("ABCD", 200)
ONES = Stakes(ante=1, limit=10)


@pytest.mark.law("VC-20", "F-5")
def test_jackpots_are_opened_on_jacks_or_better() -> None:
    """A player without openers is not offered the bet; the opener shows what they opened on."""
    hand = deal(
        "jackpots", button="D", stacks=FOUR, stakes=ONES,
        cards={"A": "Ts Td 4c 7d 9h", "B": "Js Jd 2c 5d 9c", "C": "As Kd 2d 7c 8h", "D": "Qs Qd 3c 5c 8s"},
    )  # fmt: skip
    assert hand.options == {"fold", "check"}
    hand.refuses("A bets 5", NoOpeners, law="VC-20")
    hand.refuses("A is all-in", NoOpeners, law="VC-20")  # not a chip could go in, and it is no check
    hand.play("A checks", "B bets 5", "C calls", "D folds", "A calls")
    hand.play("A stands pat", "B draws 3", "C stands pat")
    assert hand.to_act == "B"
    hand.play("B bets 5", "C folds", "A folds")
    (shown,) = hand.events_of(e.OpenersShown)
    assert [hand.hand.deck[place] >> 2 for place in shown.card_indices] == [9, 9]


@pytest.mark.law("VC-20", "N-1")
def test_unopened_jackpots_wait_for_the_next_hand() -> None:
    hand = deal("jackpots", button="D", stacks=FOUR, stakes=ONES)
    hand.play("A checks", "B checks", "C checks", "D checks")
    assert hand.over
    assert hand.hand.passed_out
    assert (hand.hand.carried_to_next_hand, hand.wins) == (4, {})


@pytest.mark.law("VC-21", "W-1")
def test_spit_card_is_everyones_fifth_and_its_rank_wild() -> None:
    """A five is turned: A's own five and the turned one are wild, so A has four kings against B's natural aces and fives."""
    hand = deal(
        "spit", button="D", stacks=FOUR, stakes=ONES, board="5h",
        cards={"A": "Ks Kd 5c 2d", "B": "As Ad Qc Jd"},
    )  # fmt: skip
    assert hand.board() == "5h"
    hand.play("A bets 2", "B calls", "C folds", "D folds", "A stands pat", "B stands pat", "A checks", "B checks")
    assert set(hand.wins) == {"A"}


def anaconda(game: str = "anaconda") -> Told:
    return deal(
        game, button="C", stacks=dict.fromkeys("ABC", 200), stakes=ONES,
        cards={"A": "As Ad Ac 2c 2d 3h 7s", "B": "Ks Kd Kc 4c 4d 3s 8s", "C": "Qs Qd Qc 5c 6d 3d 9s"},
    )  # fmt: skip


@pytest.mark.law("VC-26", "TL-35")
def test_cards_are_passed_all_at_once_and_in_secret() -> None:
    """Nobody sees the cards they get before all have passed; then each has seven cards again."""
    hand = anaconda()
    hand.play("A bets 1", "B calls", "C calls")
    assert hand.options == {"choose 3"}
    hand.refuses("A passes 2c 2d", WrongCardCount, law="VC-26")
    hand.refuses("A passes 2c 2d Ks", NotYourCard)
    hand.play("C passes 3d 9s 5c", "A passes 2c 2d 3h")
    hand.refuses("A passes 2c 2d 3h", AlreadyChosen, law="TL-35")
    assert "3d" not in hand.cards("A").split()
    hand.play("B passes 4c 4d 3s")
    assert set(hand.cards("A").split()) == {"As", "Ad", "Ac", "7s", "3d", "9s", "5c"}
    assert set(hand.cards("B").split()) == {"Ks", "Kd", "Kc", "8s", "2c", "2d", "3h"}
    seat_of_a, seat_of_b = hand.seat("A"), hand.seat("B")
    own = hand.view("B").seats[seat_of_b]
    assert {card_text(card) for card in own.received_cards} == {"2c", "2d", "3h"}
    assert own.received_from == hand.view().seats[seat_of_a].seat_number
    assert not hand.view("A").seats[seat_of_b].received_cards and not hand.view().seats[seat_of_b].received_cards
    hand.play(*(f"{name} checks" for name in turn_order(hand)), *(f"{name} says nothing" for name in "ABC"))
    assert not hand.view("B").seats[seat_of_b].received_cards, "until the next secret choice"


@pytest.mark.law("VC-26", "TL-41")
def test_two_are_given_up_five_arranged_and_rolled_out() -> None:
    hand = anaconda()
    hand.play("A bets 1", "B calls", "C calls", "A says nothing", "B says nothing", "C says nothing")
    hand.play(*(f"{name} checks" for name in turn_order(hand)))
    assert hand.options == {"choose 2"}
    for name in "ABC":
        hand.play(f"{name} says nothing")
    assert hand.options == {"choose 5"}
    held = hand.cards("A").split()
    hand.play(f"A arranges {' '.join(held[::-1])}", "B says nothing", "C says nothing")
    for count in range(1, 5):
        assert [len(up) for up in hand.hand.up_indices] == [count] * 3
        hand.play(*(f"{name} checks" for name in turn_order(hand)))
    assert hand.over
    assert sum(hand.wins.values()) == 6


def turn_order(hand: Told) -> list[str]:
    """Return all live players from the one to act."""
    at = hand.names.index(hand.to_act)
    return [*hand.names[at:], *hand.names[:at]]


@pytest.mark.law("VC-27", "TL-41")
def test_guts_declares_in_secret_and_loser_matches_the_pot() -> None:
    hand = deal(
        "guts", button="C", stacks=dict.fromkeys("ABC", 200), stakes=Stakes(ante=5, limit=10),
        cards={"A": "As Ad 2c", "B": "Ks Kd 3c", "C": "Qs 7d 4c"},
    )  # fmt: skip
    hand.refuses("A declares perhaps", UnknownDeclaration)
    hand.play("B declares in", "A declares in")
    assert hand.wins == {}
    hand.play("C says nothing")
    assert hand.over
    assert hand.wins == {"A": 15}
    assert hand.stacks == {"A": 210, "B": 180, "C": 195}
    assert hand.hand.carried_to_next_hand == 15


@pytest.mark.law("VC-29", "TL-23")
def test_two_boards_share_every_pot() -> None:
    hand = deal(
        "double_board_holdem", button="Ann", stacks={"Ann": 500, "Bo": 500}, stakes=Stakes(small_blind=5, big_blind=10),
        cards={"Ann": "As Ad", "Bo": "Ks Kd"}, board="2c 7d 8h 3s 4c / Kh 9d 9h 3d 5c", carried=1,
    )  # fmt: skip
    hand.play("Ann calls", "Bo checks", *("Bo checks", "Ann checks") * 3)
    assert hand.wins == {"Ann": 11, "Bo": 10}


@pytest.mark.law("VB-8", "LO-2")
def test_high_low_draw_halves_the_pot() -> None:
    """Best high and best low, no qualifier; the odd chip of the halving goes to high."""
    hand = deal(
        "hilo_draw", button="D", stacks=FOUR, stakes=Stakes(ante=1, small_bet=5, big_bet=10), carried=1,
        cards={"A": "Ks Kd Kc 4c 5c", "B": "As 2d 3c 4d 6h"},
    )  # fmt: skip
    hand.play("A bets 5", "B calls", "C folds", "D folds", "A stands pat", "B stands pat", "A checks", "B checks")
    assert hand.wins == {"A": 8, "B": 7}


@pytest.mark.law("VC-20", "TL-37", "VB-13")
@pytest.mark.parametrize("cards", ["Js Jd 2c 3c 4d", "9s 7d 2c 3c 4d"])
def test_short_stack_does_not_reveal_openers(cards: str) -> None:
    """Open purse, and 5 chips behind where the minimum bet is 10: with a pair of jacks or without, the table sees the same of them."""
    hand = deal(
        "jacks or better", button="Cy", stacks={"Ann": 15, "Bo": 500, "Cy": 500}, cards={"Ann": cards},
        options={"stakes": "open_purse"}, stakes=Stakes(ante=10, limit=100, min_bet=10),
    )  # fmt: skip
    assert hand.to_act == "Ann"
    seen = hand.view("Bo").legal_to_act
    assert seen is not None
    assert (seen.min_to, seen.max_to, seen.no_raise_law) == (0, 0, "B-7")
