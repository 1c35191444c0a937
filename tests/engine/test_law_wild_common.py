"""Each player designates the wild cards on the board for their own hand. Undesignated, they are what they are (W-7)."""

import pytest

from bot.engine.choices.designations import best_designation, possible_meanings
from bot.engine.ranking.errors import AlreadyHeld, BugCannotBe, NotWild
from bot.engine.refusals import NotYourCard
from bot.engine.view.build import view
from tests.support.told import Told, deal

TWO = {"Ann": 500, "Bo": 500}


def to_the_show(game: str, ann: str, bo: str, board: str, **options: object) -> Told:
    """Play a hand that Ann and Bo check down. Players name what wild cards stand for. Bo acts first, and is asked first."""
    hand = deal(
        f"no-limit hold'em + {game} 5/10", button="Ann", stacks=TWO, cards={"Ann": ann, "Bo": bo}, board=board,
        options={"wild_call": "declare", **options},
    )  # fmt: skip
    hand.play("Ann calls", "Bo checks", *("Bo checks", "Ann checks") * 3)
    return hand


@pytest.mark.law("W-7", "W-1")
def test_a_common_wild_card_is_each_players_to_designate() -> None:
    """The ten on the board is a third king to Bo; Ann says nothing of it, so to her it is a ten."""
    hand = to_the_show("tens wild", "As Ad", "Ks Kd", "Tc 7d 8h 3s 4c")
    assert hand.to_act == "Bo"
    hand.play("Bo shows, Tc as Kh", "Ann shows")
    assert hand.wins == {"Bo": 20}


@pytest.mark.law("W-7", "W-6")
def test_both_can_designate_it_differently() -> None:
    hand = to_the_show("tens wild", "As Ad", "Ks Kd", "Tc 7d 8h 3s 4c")
    hand.play("Bo shows, Tc as Kh", "Ann shows, Tc as Ah")
    assert hand.wins == {"Ann": 20}


@pytest.mark.law("W-7")
def test_undesignated_by_all_it_is_what_it_is() -> None:
    """The dealer does not read it as wild for anybody where holders designate: two pairs of Bo's beat Ann's aces."""
    hand = to_the_show("tens wild", "As Ad", "Th 7s", "Tc 7d 8h 3s 4c")
    hand.play("Bo shows", "Ann shows")
    assert hand.wins == {"Bo": 20}


@pytest.mark.law("W-7")
def test_only_own_and_board_wild_cards_can_be_designated() -> None:
    hand = to_the_show("tens wild", "As Td", "Ks Kd", "Tc 7d 8h 3s 4c")
    hand.refuses("Bo shows, 7d as Kh", NotYourCard)
    hand.refuses("Bo shows, Td as Kh", NotYourCard)
    hand.play("Bo shows", "Ann shows, Td as Ah, Tc as Ac")
    assert hand.wins == {"Ann": 20}


@pytest.mark.law("W-1", "W-7")
def test_own_card_that_is_not_wild_is_refused() -> None:
    hand = to_the_show("tens wild", "As Td", "Ks Kd", "Tc 7d 8h 3s 4c")
    hand.refuses("Bo shows, Ks as Kh", NotWild)


@pytest.mark.law("W-4", "W-7")
def test_bug_can_complete_straight_or_flush_with_the_board() -> None:
    hand = to_the_show("joker bug", "2s 2c", "Jk 9h", "Th Jh Qh 2d 3d")
    hand.refuses("Bo shows, Jk as 2h, Jk as 3h", NotYourCard)
    assert hand.refuses("Bo shows, Jk as 3c", BugCannotBe).law == "W-4"
    hand.play("Bo shows, Jk as Kh", "Ann shows")
    assert hand.wins == {"Bo": 20}


@pytest.mark.law("W-3", "W-7")
def test_without_duplicates_it_is_no_card_of_the_board_either() -> None:
    hand = to_the_show("tens wild", "Ks 4c", "Td 9h", "Qh Jh 3h 2d 3d", wild_method="no_duplicate")
    assert hand.refuses("Bo shows, Td as Qh", AlreadyHeld).law == "W-3"
    hand.play("Bo shows, Td as Ah")
    assert hand.wins == {"Bo": 20}, "nobody else has anything to say: a flush beats threes"


@pytest.mark.law("W-7", "W-8")
def test_the_proposal_knows_the_common_wild_card() -> None:
    hand = to_the_show("tens wild", "As Ad", "Ks Kd", "Tc 7d 8h 3s 4c")
    seen, may = hand.view("Bo"), hand.legal("Bo")
    ((place, meant),) = best_designation(seen, may)
    assert (hand.hand.deck[place], meant >> 2) == (may.common_wild_cards[0][1], 11)
    assert len(possible_meanings(seen, may.common_wild_cards[0][1])) == 51
    watching = view(hand.hand, None).legal_to_act
    assert watching is not None
    assert (watching.designable_indices, watching.declarable_words) == ((), ())
