"""Rebuys, bounties, and prize tables of the host's own, told hand by hand."""

from __future__ import annotations

from typing import Any

import pytest

from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go import refusals
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.state import AgreementKind, EndReason, SitAndGoStatus
from bot.events.sit_and_go.structures import LevelLength, Speed
from tests.events.sit_and_go.told import ID, MINUTE, Told

STACK = 1_500


def rebuys(seats: int = 3, **how: Any) -> Told:
    """Rebuys until level 2; a level lasts eight hands."""
    how = {"buy_in": 100, "late_until": 2, "rebuys": True, "counted_in": LevelLength.HANDS, **how}
    told = Told(seats, **how)
    told.start(*list(ID)[:seats])
    return told


def bo_has_no_chips(told: Told) -> None:
    told.hand(won={"Bo": "Ann"}, Ann=(STACK, 2 * STACK), Bo=(STACK, 0), Cy=(STACK, STACK))


# Rebuys


@pytest.mark.law("SG-9", "SG-11")
def test_who_has_no_chips_is_asked_for_thirty_seconds() -> None:
    told = rebuys()
    bo_has_no_chips(told)
    assert told.asked == ["Bo"] and told.ranks == {}
    question = told.event.rebuy_question
    assert question is not None and question.until == told.now + 30_000
    told.now += 30_000
    with pytest.raises(refusals.NoRebuyOffered):
        told.answer("Bo")
    told.do(c.CloseRebuys())
    assert told.ranks == {"Bo": 3} and told.event.pool == 300


@pytest.mark.law("SG-10", "SG-11", "TDA 27")
def test_rebuy_grows_the_prizes_exactly() -> None:
    told = rebuys()
    bo_has_no_chips(told)
    told.answer("Bo")
    assert told.ranks == {} and told.event.rebuy_question is None and told.event.pool == 400
    told.hand(Ann=(2 * STACK, 3 * STACK), Bo=(STACK, STACK), Cy=(STACK, 0))
    told.answer("Cy", rebuys=False)
    told.hand(Ann=(3 * STACK, 4 * STACK), Bo=(STACK, 0))
    told.answer("Bo", rebuys=False)
    assert (told.ranks, told.paid) == ({"Ann": 1, "Bo": 2, "Cy": 3}, {"Ann": 400})


@pytest.mark.law("SG-9")
def test_button_of_an_earlier_question_buys_nothing() -> None:
    told = rebuys()
    bo_has_no_chips(told)
    told.answer("Bo")
    told.hand(Ann=(2 * STACK, 3 * STACK), Bo=(STACK, 0), Cy=(STACK, STACK))
    with pytest.raises(refusals.NoRebuyOffered):
        told.do(c.AnswerRebuyOffer(ID["Bo"], rebuys=True, hand=1))
    told.do(c.AnswerRebuyOffer(ID["Bo"], rebuys=True, hand=2))
    assert told.event.pool == 500


@pytest.mark.law("SG-9")
def test_ranks_wait_for_everybody_who_is_asked() -> None:
    """Cy had more than Bo and says no at once: their rank depends on whether Bo rebuys."""
    told = rebuys(4)
    told.hand(Ann=(STACK, 3 * STACK), Bo=(500, 0), Cy=(600, 0), Dee=(STACK, STACK))
    told.answer("Cy", rebuys=False)
    assert told.ranks == {} and told.asked == ["Bo"]
    with pytest.raises(refusals.NoRebuyOffered):
        told.answer("Cy")
    told.answer("Bo")
    assert told.ranks == {"Cy": 4}


@pytest.mark.law("SG-9")
def test_one_alone_with_chips_wins_only_after_the_answers() -> None:
    told = rebuys(2)
    told.hand(Ann=(STACK, 2 * STACK), Bo=(STACK, 0))
    assert told.event.is_running
    told.answer("Bo")
    told.hand(Ann=(2 * STACK, 3 * STACK), Bo=(STACK, 0))
    told.do(c.CloseRebuys())
    assert (told.event.end_reason, told.paid) == (EndReason.WON, {"Ann": 300})


@pytest.mark.law("SG-11")
def test_nobody_rebuys_after_hands_of_a_later_level() -> None:
    told = rebuys(speed=Speed.HYPER)
    for _ in range(5):
        told.hand(Ann=(500, 500), Bo=(500, 500), Cy=(500, 500))
    told.hand(Ann=(500, 1_000), Bo=(500, 0), Cy=(500, 500))
    assert told.event.level == 2 and told.asked == [] and told.ranks == {"Bo": 3}


@pytest.mark.law("SG-13")
def test_who_left_is_not_asked_and_leaving_is_no() -> None:
    told = rebuys(4)
    told.do(c.LeaveByChoice(ID["Bo"]))
    told.hand(Ann=(STACK, 3 * STACK), Bo=(STACK, 0), Cy=(STACK, 0), Dee=(STACK, STACK))
    assert told.asked == ["Cy"]
    told.do(c.LeaveByChoice(ID["Cy"]))
    assert told.ranks == {"Bo": 3, "Cy": 3}


@pytest.mark.law("SG-15")
def test_time_to_answer_stands_still_while_the_dealer_is_down() -> None:
    told = rebuys()
    bo_has_no_chips(told)
    told.now += 10_000
    down_since = told.now
    told.now += 5 * MINUTE
    told.do(c.DealerReturned(down_since))
    question = told.event.rebuy_question
    assert question is not None and question.until == told.now + 20_000


@pytest.mark.law("SG-9")
def test_unknown_absence_gives_all_the_time_again() -> None:
    told = rebuys()
    bo_has_no_chips(told)
    told.now += 20_000
    told.do(c.DealerReturned(0))
    assert told.event.rebuy_question is not None
    assert told.event.rebuy_question.until == told.now + 30_000


@pytest.mark.law("SG-12")
def test_nothing_is_offered_before_rebuys_are_answered() -> None:
    told = rebuys()
    bo_has_no_chips(told)
    with pytest.raises(refusals.RebuysPending):
        told.do(c.OfferAgreement(ID["Ann"], AgreementKind.EQUAL, ((ID["Ann"], 1), (ID["Cy"], 1))))


@pytest.mark.law("SG-13")
def test_cancelled_before_the_answer_who_has_no_chips_is_out() -> None:
    told = rebuys(bounty=10)
    bo_has_no_chips(told)
    told.do(c.CancelSitAndGo(0, stacks=((ID["Ann"], 2 * STACK), (ID["Bo"], 0), (ID["Cy"], STACK))))
    assert (told.event.status, told.paid) == (SitAndGoStatus.CANCELLED, {"Ann": 200, "Cy": 100})
    assert told.bounties == {"Ann": 20, "Cy": 10}


@pytest.mark.law("SG-3")
def test_rebuy_wakes_an_event_of_sleepers() -> None:
    told = rebuys()
    for _ in range(5):
        told.hand(own_will=False, Ann=(STACK, STACK), Bo=(STACK, STACK), Cy=(STACK, STACK))
    told.hand(False, 0, None, Ann=(STACK, 2 * STACK), Bo=(STACK, 0), Cy=(STACK, STACK))
    told.answer("Bo")
    assert told.event.is_running and told.event.idle_hands == 0


# Bounties


@pytest.mark.law("SG-10")
def test_bounty_goes_to_who_wins_the_last_chip() -> None:
    told = Told(3, buy_in=100, bounty=50)
    told.start("Ann", "Bo", "Cy")
    bo_has_no_chips(told)
    told.hand(won={"Cy": "Ann"}, Ann=(2 * STACK, 3 * STACK), Cy=(STACK, 0))
    assert (told.paid, told.bounties) == ({"Ann": 300}, {"Ann": 150}), "their own too"


@pytest.mark.law("SG-10")
def test_winners_of_a_pot_share_the_bounty_evenly() -> None:
    told = Told(4, buy_in=100, bounty=51)
    told.start("Ann", "Bo", "Cy", "Dee")
    told.hand(won={"Bo": "Cy Ann"}, Cy=(STACK, 2_250), Bo=(STACK, 0), Ann=(STACK, 2_250), Dee=(STACK, STACK))
    won = {one.name: one.bounties_won for one in told.event.entrants}
    assert won == {"Ann": 25, "Bo": 0, "Cy": 26, "Dee": 0}, "the odd chip goes to the first left of the button"


@pytest.mark.law("SG-10")
def test_rebuy_has_a_new_bounty_only_if_paid_for() -> None:
    told = rebuys(bounty=50)
    bo_has_no_chips(told)
    told.answer("Bo")
    told.hand(won={"Bo": "Cy"}, Ann=(2 * STACK, STACK), Bo=(STACK, 0), Cy=(STACK, 3 * STACK))
    assert [one.bounties_won for one in told.event.entrants] == [50, 0, 0]
    told.answer("Bo", bounty=True)
    assert told.event.bounty_chips == 200 and told.event.pool == 500
    told.hand(won={"Bo": "Cy"}, Ann=(STACK, STACK), Bo=(STACK, 0), Cy=(3 * STACK, 4 * STACK))
    assert [one.bounties_won for one in told.event.entrants] == [50, 0, 50]


@pytest.mark.law("SG-10", "SG-12")
def test_agreement_leaves_everybody_their_own_bounty() -> None:
    told = Told(3, buy_in=100, bounty=50)
    told.start("Ann", "Bo", "Cy")
    bo_has_no_chips(told)
    told.do(c.OfferAgreement(ID["Cy"], AgreementKind.EQUAL, ((ID["Ann"], 2 * STACK), (ID["Cy"], STACK))))
    told.do(c.AnswerAgreement(ID["Ann"], True))
    assert (told.paid, told.bounties) == ({"Ann": 150, "Cy": 150}, {"Ann": 100, "Cy": 50})


@pytest.mark.law("SG-10", "SG-13")
def test_cancelled_before_the_first_hand_bounties_come_back() -> None:
    told = Told(3, buy_in=100, bounty=50)
    told.enter("Ann", "Bo")
    told.do(c.CancelSitAndGo(ID["Ann"]))
    assert (told.paid, told.bounties) == ({"Ann": 100, "Bo": 100}, {"Ann": 50, "Bo": 50})


@pytest.mark.law("SG-10")
def test_bounty_stays_as_those_saw_it_who_have_entered() -> None:
    told = Told(3, buy_in=100)
    with pytest.raises(refusals.BountyTooLarge):
        told.do(c.ChooseStructure(ID["Ann"], Speed.TURBO, bounty=101))
    told.do(c.ChooseStructure(ID["Ann"], Speed.TURBO, bounty=100))
    told.enter("Ann")
    with pytest.raises(refusals.BountyAgreed):
        told.do(c.ChooseStructure(ID["Ann"], Speed.TURBO, bounty=50))
    assert told.event.settings.entry_cost == 200


# Prize tables and amounts


@pytest.mark.law("SG-10")
def test_own_prize_table_pays_no_more_ranks_than_entrants() -> None:
    told = Told(6, buy_in=100)
    for percents in ((), (50, 30), (30, 50, 20), (100, 0), (110, -10)):
        with pytest.raises(refusals.NotAPrizeTable):
            told.do(c.ChooseStructure(ID["Ann"], Speed.TURBO, prizes=PrizeTable.OWN, percents=percents))
    told.do(c.ChooseStructure(ID["Ann"], Speed.TURBO, prizes=PrizeTable.OWN, percents=(40, 30, 20, 10)))
    told.start("Ann", "Bo", "Cy")
    told.hand(Ann=(STACK, 3 * STACK), Bo=(STACK - 1, 0), Cy=(STACK, 0))
    assert told.paid == {"Ann": 134, "Cy": 100, "Bo": 66}, "40, 30 and 20 parts of 90"


@pytest.mark.law("SG-12")
def test_agreed_amounts_sum_to_what_is_left() -> None:
    told = Told(3, buy_in=100, prizes=PrizeTable.TWO)
    told.start("Ann", "Bo", "Cy")
    bo_has_no_chips(told)
    left = ((ID["Ann"], 2 * STACK), (ID["Cy"], STACK))

    def offer(**amounts: int) -> None:
        given = tuple((ID[name], chips) for name, chips in amounts.items())
        told.do(c.OfferAgreement(ID["Cy"], AgreementKind.AMOUNTS, left, given))

    for wrong in ({"Ann": 200, "Cy": 101}, {"Ann": 300}, {"Ann": 301, "Cy": -1}, {"Ann": 200, "Cy": 50, "Bo": 50}):
        with pytest.raises(refusals.AmountsDoNotSum) as refused:
            offer(**wrong)
        assert refused.value.left == 300
    offer(Ann=177, Cy=123)
    told.do(c.AnswerAgreement(ID["Ann"], True))
    assert (told.event.end_reason, told.paid) == (EndReason.AGREED, {"Ann": 177, "Cy": 123})
