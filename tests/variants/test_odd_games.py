"""What is peculiar to single games, told with chosen cards: wild cards that change, cards bought, hands rolled out and declared."""

import pytest

from bot.engine.ranking import long_name
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal

STUD = Stakes(ante=1, small_bet=10, big_bet=20, bring_in=5, price=30)


def three(game: str, cards: dict[str, str], **stacks: int) -> Told:
    return deal(game, button="C", stacks=dict.fromkeys("ABC", 500) | stacks, cards=cards, stakes=STUD)


def all_call(hand: Told) -> None:
    """The opener brings in, and the others call him."""
    street = hand.street
    hand.play(f"{hand.to_act} brings in 5")
    while hand.street == street:
        hand.play(f"{hand.to_act} calls")


@pytest.mark.law("VC-23", "VB-9", "F-6")
def test_a_door_card_that_a_queen_made_wild_is_not_the_lowest() -> None:
    """A queen, then a six: sixes are wild and so count as aces; the seven brings in."""
    hand = three("follow_the_queen", {"A": "2c 3c Qs", "B": "2d 3d 6c", "C": "2h 3h 7c"})
    assert hand.hand.wild_now == (4,)
    assert hand.to_act == "C"


@pytest.mark.law("VC-23", "VB-9", "S-5", "F-7")
def test_hands_on_show_are_read_again_after_every_card_up() -> None:
    """An eight follows the queen; on the next street a second eight falls: a pair of wild cards speaks before queen and ten."""
    hand = three("follow_the_queen", {"A": "2c 3c 7s 9h", "B": "2d 3d Qc Th", "C": "2h 3h 8c 8d"})
    assert hand.hand.wild_now == (6,)
    all_call(hand)
    assert hand.to_act == "C"


@pytest.mark.law("VC-23")
def test_another_queen_takes_the_place_of_the_rank_before() -> None:
    """Sixes follow the first queen; the second is the last card up of its street, so queens alone are wild, until the next card falls."""
    cards = {"A": "2c 3c Qs 9h 4d", "B": "2d 3d 6c Th 5d", "C": "2h 3h 7c Qd 7d"}
    hand = three("follow_the_queen", cards)
    assert hand.view().wild_ranks == (10, 4)
    all_call(hand)
    assert hand.view().wild_ranks == (10,)
    for _ in range(3):
        hand.play(f"{hand.to_act} checks")
    assert hand.view().wild_ranks == (10, 2), "a four was the first card up after it"


@pytest.mark.law("VC-23")
def test_a_queen_as_the_last_card_up_leaves_only_queens_wild() -> None:
    cards = {"A": "2c 3c Qs 9h 4d 8h", "B": "2d 3d 6c Th 5d 9s", "C": "2h 3h 7c 9d 7d Qd"}
    hand = three("follow_the_queen", cards)
    all_call(hand)
    for _ in range(6):
        assert hand.hand.wild_now == (4,)
        hand.play(f"{hand.to_act} checks")
    assert hand.street == "sixth street"
    assert hand.hand.wild_now == ()


@pytest.mark.law("VC-24", "F-6")
def test_a_four_up_brings_a_card_at_once_and_stays_the_door_card() -> None:
    """A's four brings a king, which is not his door card: the four is lower than the six."""
    hand = three("baseball", {"A": "2c 5c 4s Kh", "B": "2d 5d 6c", "C": "2h 5h 7c"})
    assert [len(up) for up in hand.hand.up] == [2, 1, 1]
    assert hand.to_act == "A"


@pytest.mark.law("VC-24")
def test_fours_bring_cards_one_after_the_other_and_a_three_among_them_is_paid_for() -> None:
    hand = three("baseball", {"A": "Ac Kc 4s 4h 3h", "B": "2d 5d 8c", "C": "2h 6h 9c"})
    assert hand.cards("A") == "Ac Kc 4s 4h 3h"
    assert (hand.to_act, hand.legal("A").offer) == ("A", 30)
    hand.play("A pays")
    assert (hand.pot, hand.level, hand.bets) == (33, 0, {}), "dead money: no call, no raise"


@pytest.mark.law("VC-24", "TL-41", "TL-32")
def test_who_does_not_pay_drops_who_has_less_pays_it_all_and_who_is_all_in_owes_nothing() -> None:
    cards = {"A": "2c 5c 3s", "B": "2d 5d 3c", "C": "2h 5h 3h"}
    hand = three("baseball", cards, B=20, C=1)
    assert hand.legal("A").offer == 30
    hand.play("A says nothing")
    assert (hand.to_act, hand.live, hand.legal("B").offer) == ("B", ["B", "C"], 19)
    hand.play("B pays")
    assert hand.stacks["B"] == 0
    assert not hand.bets
    assert hand.over, "C is all-in for the ante and owes nothing; the cards are run"


@pytest.mark.law("VC-24")
def test_threes_and_nines_are_wild_and_a_three_dealt_down_is_free() -> None:
    cards = {"A": "3c 9c As Ah Kd Qc 8d", "B": "2d 5d 8c Td Jh 6s 7s", "C": "2h 6h 7c Ts Jd 5s Kc"}
    hand = three("baseball", cards)
    assert hand.legal(hand.to_act).about == ""
    all_call(hand)
    while not hand.over:
        hand.play(f"{hand.to_act} checks")
    assert set(hand.wins) == {"A"}
    made = hand.view("A").seats[0].made
    assert made is not None
    assert long_name(made) == "four of a kind, aces"
