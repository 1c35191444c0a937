"""Sit-and-gos by tournament law, told hand by hand."""

from __future__ import annotations

from typing import Any

import pytest

from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go import refusals
from bot.events.sit_and_go.clock import hands_to_next_level, next_level_at
from bot.events.sit_and_go.prizes import PrizeTable
from bot.events.sit_and_go.state import AgreementKind, EndReason, SitAndGoStatus, StopReason
from bot.events.sit_and_go.structures import HAND_LEVELS, STRUCTURES, Level, LevelLength, Speed, Structure, rises
from tests.events.sit_and_go.told import ID, MINUTE, Told

# Entering


@pytest.mark.law("SG-1")
def test_everybody_enters_once_and_only_before_the_start() -> None:
    told = Told(3)
    told.enter("Ann", "Bo")
    with pytest.raises(refusals.EnteredAlready):
        told.enter("Bo")
    told.do(c.WithdrawEntry(ID["Bo"]))
    with pytest.raises(refusals.NotEntered):
        told.do(c.WithdrawEntry(ID["Bo"]))
    told.start("Bo", "Cy")
    with pytest.raises(refusals.EventHasStarted):
        told.enter("Dee")
    with pytest.raises(refusals.EventHasStarted):
        told.do(c.WithdrawEntry(ID["Bo"]))
    assert sorted(one.seat_number for one in told.event.entrants) == [1, 2, 3]


def test_full_event_takes_nobody_and_one_alone_cannot_start() -> None:
    told = Told(2)
    told.enter("Ann")
    with pytest.raises(refusals.TooFewEntrants):
        told.do(c.StartSitAndGo(ID["Ann"], (1, 2)))
    told.enter("Bo")
    with pytest.raises(refusals.EventIsFull):
        told.enter("Cy")
    with pytest.raises(refusals.EventHostOnly):
        told.do(c.StartSitAndGo(ID["Bo"], (1, 2)))
    assert told.do(c.StartSitAndGo(ID["Ann"], (1, 2))).is_running


def test_practice_players_enter_free_events_only() -> None:
    with pytest.raises(refusals.NoPracticeInEvent):
        Told(3, buy_in=100).do(c.Enter(-1, "Ava", practice=True))
    assert Told(3).do(c.Enter(-1, "Ava", practice=True)).entrants[0].practice


# Levels


@pytest.mark.law("SG-2")
def test_new_level_applies_to_the_next_hand() -> None:
    told = Told(3)
    told.start("Ann", "Bo", "Cy")
    three = {"Ann": (1_500, 1_500), "Bo": (1_500, 1_500), "Cy": (1_500, 1_500)}
    told.hand(minutes=3.5, **three)
    told.hand(minutes=2, **three)
    assert told.event.level == 1, "it was due in the middle of a hand"
    told.do(c.BeginHand())
    assert (told.event.level, told.event.current_level) == (2, Level(40))
    assert next_level_at(told.event) == told.now + int(2.5 * MINUTE), "what ran on counts for the new level"


@pytest.mark.law("SG-2")
def test_redeal_of_a_void_hand_keeps_its_level() -> None:
    told = Told(2)
    told.start("Ann", "Bo")
    told.do(c.BeginHand())
    told.now += 5 * MINUTE
    told.do(c.VoidHandInEvent())
    told.hand(Ann=(1_500, 1_600), Bo=(1_500, 1_400))
    assert told.event.level == 1
    told.do(c.BeginHand())
    assert told.event.level == 2


@pytest.mark.law("SG-2")
def test_levels_by_hands_count_no_void_hand() -> None:
    told = Told(2, speed=Speed.HYPER, counted_in=LevelLength.HANDS)
    told.start("Ann", "Bo")
    for _ in range(4):
        told.hand(Ann=(500, 500), Bo=(500, 500))
        told.do(c.VoidHandInEvent())
    assert (told.event.level, hands_to_next_level(told.event)) == (1, 1)
    told.hand(Ann=(500, 500), Bo=(500, 500))
    told.do(c.BeginHand())
    assert told.event.level == 2


@pytest.mark.law("SG-3")
def test_blinds_double_every_ten_hands_after_the_last_level() -> None:
    told = Told(2, structure=Structure(500, (Level(20), Level(40, 40)), 1))
    told.start("Ann", "Bo")
    two = {"Ann": (500, 500), "Bo": (500, 500)}
    told.hand(minutes=1, **two)
    told.hand(minutes=1, **two)
    seen = []
    for _ in range(21):
        told.hand(minutes=5, **two)
        seen.append(told.event.current_level)
    assert seen == [Level(80, 80)] * 10 + [Level(160, 160)] * 10 + [Level(320, 320)]


@pytest.mark.law("SG-15")
def test_clock_stands_still_while_the_dealer_is_down() -> None:
    told = Told(2)
    told.start("Ann", "Bo")
    told.now += MINUTE
    down_since = told.now
    told.now += 60 * MINUTE
    told.do(c.DealerReturned(down_since))
    assert next_level_at(told.event) == told.now + 3 * MINUTE
    told.hand(Ann=(1_500, 1_500), Bo=(1_500, 1_500))
    assert told.event.level == 1


@pytest.mark.law("SG-15")
def test_host_pauses_ten_minutes_in_all() -> None:
    told = Told(2)
    told.start("Ann", "Bo")
    with pytest.raises(refusals.EventHostOnly):
        told.do(c.PauseEvent(ID["Bo"], 5))
    told.do(c.PauseEvent(ID["Ann"], 7))
    told.now += 6 * MINUTE
    down_since = told.now
    told.now += MINUTE
    told.do(c.DealerReturned(down_since))  # stops that overlap count once
    assert told.event.clock.stopped_for is StopReason.PAUSE
    told.do(c.ResumeEvent(0))
    assert next_level_at(told.event) == told.now + 4 * MINUTE
    with pytest.raises(refusals.PauseUsedUp) as refused:
        told.do(c.PauseEvent(ID["Ann"], 4))
    assert refused.value.minutes_left == 3
    with pytest.raises(refusals.NotPaused):
        told.do(c.ResumeEvent(ID["Ann"]))


@pytest.mark.law("SG-15")
def test_break_begins_after_the_running_hand() -> None:
    told = Told(2, structure=Structure(500, (Level(20), Level(40), Level(60)), 1, break_every=1))
    told.start("Ann", "Bo")
    told.hand(minutes=0.5, Ann=(500, 500), Bo=(500, 500))
    assert told.event.clock.stopped_for is None
    told.hand(minutes=1, Ann=(500, 500), Bo=(500, 500))
    assert (told.event.clock.stopped_for, told.event.clock.resumes_at) == (StopReason.BREAK, told.now + 5 * MINUTE)
    told.now += 5 * MINUTE
    told.do(c.ResumeEvent(0))
    told.do(c.BeginHand())
    assert (told.event.level, next_level_at(told.event)) == (2, told.now + MINUTE // 2)


@pytest.mark.parametrize("speed", list(HAND_LEVELS))
def test_every_structure_rises(speed: Speed) -> None:
    structure = STRUCTURES[speed]
    assert rises(structure)
    assert all(level.big_blind % 2 == 0 for level in structure.levels), "a small blind is half of it"
    assert structure.starting_stack >= 20 * structure.levels[0].big_blind
    assert structure.levels[-1].big_blind * 4 > structure.starting_stack


# Places


@pytest.mark.law("SG-9")
def test_players_who_go_out_together_rank_by_their_stacks() -> None:
    told = Told(4, buy_in=100)
    told.start("Ann", "Bo", "Cy", "Dee")
    told.hand(Ann=(400, 1_300), Bo=(400, 0), Cy=(500, 0), Dee=(4_700, 4_700))
    assert told.ranks == {"Cy": 3, "Bo": 4}
    told.hand(Ann=(1_300, 0), Dee=(4_700, 6_000))
    assert told.ranks == {"Dee": 1, "Ann": 2, "Cy": 3, "Bo": 4}
    assert told.paid == {"Dee": 260, "Ann": 140}
    assert (told.event.status, told.event.end_reason) == (SitAndGoStatus.OVER, EndReason.WON)


@pytest.mark.law("SG-9")
def test_equal_stacks_share_places_and_prizes() -> None:
    """Two of four go out with 500 each, and share second and third place; the odd chip goes to the first left of the button."""
    told = Told(4, buy_in=101, prizes=PrizeTable.TWO)
    told.start("Ann", "Bo", "Cy", "Dee")
    told.hand(Cy=(500, 0), Dee=(1_000, 6_000), Ann=(4_000, 0), Bo=(500, 0))
    assert told.ranks == {"Dee": 1, "Ann": 2, "Cy": 3, "Bo": 3}
    assert told.paid == {"Dee": 263, "Ann": 141}
    told = Told(3, buy_in=101, prizes=PrizeTable.TWO)
    told.start("Ann", "Bo", "Cy")
    told.hand(Cy=(1_000, 0), Ann=(2_500, 4_500), Bo=(1_000, 0))
    assert told.ranks == {"Ann": 1, "Cy": 2, "Bo": 2}
    assert told.paid == {"Ann": 197, "Cy": 53, "Bo": 53}


@pytest.mark.law("SG-3")
def test_event_ends_where_everybody_sleeps_for_two_laps() -> None:
    told = Told(3, buy_in=100, prizes=PrizeTable.TWO)
    told.start("Ann", "Bo", "Cy")
    for _ in range(5):
        told.hand(own_will=False, Ann=(1_500, 1_600), Bo=(1_500, 1_500), Cy=(1_500, 1_400))
    told.hand(own_will=True, Ann=(1_500, 1_600), Bo=(1_500, 1_500), Cy=(1_500, 1_400))
    for _ in range(6):
        assert told.event.is_running
        told.hand(own_will=False, Ann=(1_500, 1_600), Bo=(1_500, 1_500), Cy=(1_500, 1_400))
    assert told.event.end_reason is EndReason.ASLEEP
    assert told.ranks == {"Ann": 1, "Bo": 2, "Cy": 3}
    assert told.paid == {"Ann": 195, "Bo": 105}


# Leaving and cancelling


@pytest.mark.law("SG-13")
def test_leaving_by_choice_keeps_the_buy_in() -> None:
    told = Told(2, buy_in=100)
    told.enter("Ann")
    with pytest.raises(refusals.EventNotStarted):
        told.do(c.LeaveByChoice(ID["Ann"]))
    told.start("Bo")
    assert told.do(c.LeaveByChoice(ID["Bo"])).entrants[1].left and told.event.pool == 200
    told.do(c.PlayOn(ID["Bo"]))
    told.hand(Ann=(1_500, 0), Bo=(1_500, 3_000))
    assert told.paid == {"Bo": 200}
    with pytest.raises(refusals.EventIsOver):
        told.do(c.LeaveByChoice(ID["Ann"]))


@pytest.mark.law("SG-13")
def test_cancelled_before_the_first_hand_every_buy_in_comes_back() -> None:
    told = Told(3, buy_in=100)
    told.enter("Ann", "Bo")
    with pytest.raises(refusals.EventHostOnly):
        told.do(c.CancelSitAndGo(ID["Bo"]))
    told.do(c.CancelSitAndGo(ID["Ann"]))
    assert (told.event.status, told.paid) == (SitAndGoStatus.CANCELLED, {"Ann": 100, "Bo": 100})


@pytest.mark.law("SG-13")
def test_cancelled_in_the_middle_pays_by_icm() -> None:
    told = Told(4, buy_in=100)
    told.start("Ann", "Bo", "Cy", "Dee")
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0), Cy=(1_500, 1_500), Dee=(1_500, 1_500))
    left = ((ID["Ann"], 3_000), (ID["Cy"], 1_500), (ID["Dee"], 1_500))
    with pytest.raises(refusals.EventHostOnly) as refused:
        told.do(c.CancelSitAndGo(ID["Ann"], stacks=left))
    assert refused.value.staff_only
    told.do(c.CancelSitAndGo(99, staff=True, stacks=left))
    assert told.paid == {"Ann": 177, "Cy": 112, "Dee": 111}


def test_cancelled_in_the_middle_those_out_keep_their_prize() -> None:
    told = Told(3, buy_in=100, prizes=PrizeTable.TWO)
    told.start("Ann", "Bo", "Cy")
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0), Cy=(1_500, 1_500))
    told.do(c.CancelSitAndGo(0, stacks=((ID["Ann"], 3_000), (ID["Cy"], 1_500))))
    assert sum(told.paid.values()) == 300 and "Bo" not in told.paid


# Agreements


def _three_left(**how: Any) -> Told:
    told = Told(4, buy_in=100, prizes=PrizeTable.TWO, **how)
    told.start("Ann", "Bo", "Cy", "Dee")
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0), Cy=(1_500, 1_500), Dee=(1_500, 1_500))
    return told


LEFT = ((ID["Ann"], 3_000), (ID["Cy"], 1_500), (ID["Dee"], 1_500))


@pytest.mark.law("SG-12")
@pytest.mark.parametrize(
    ("kind", "shares"),
    [
        (AgreementKind.EQUAL, {"Ann": 134, "Cy": 133, "Dee": 133}),
        (AgreementKind.CHIPS, {"Ann": 200, "Cy": 100, "Dee": 100}),
        (AgreementKind.ICM, {"Ann": 177, "Cy": 112, "Dee": 111}),
    ],
)
def test_agreement_of_everybody_divides_what_is_left(kind: AgreementKind, shares: dict[str, int]) -> None:
    told = _three_left()
    told.do(c.OfferAgreement(ID["Cy"], kind, LEFT))
    told.do(c.AnswerAgreement(ID["Ann"], True))
    told.do(c.AnswerAgreement(ID["Ann"], True))
    assert told.event.is_running
    told.do(c.AnswerAgreement(ID["Dee"], True))
    assert (told.event.end_reason, told.paid) == (EndReason.AGREED, shares)
    assert told.ranks == {"Ann": 1, "Cy": 2, "Dee": 2, "Bo": 4}


@pytest.mark.law("SG-12")
def test_no_or_the_next_hand_ends_an_offer() -> None:
    told = _three_left()
    told.do(c.OfferAgreement(ID["Cy"], AgreementKind.EQUAL, LEFT))
    with pytest.raises(refusals.AgreementPending):
        told.do(c.OfferAgreement(ID["Dee"], AgreementKind.EQUAL, LEFT))
    told.do(c.AnswerAgreement(ID["Ann"], False))
    with pytest.raises(refusals.NoOpenOffer):
        told.do(c.AnswerAgreement(ID["Dee"], True))
    with pytest.raises(refusals.OfferedInThisLevel):
        told.do(c.OfferAgreement(ID["Cy"], AgreementKind.CHIPS, LEFT))
    told.do(c.OfferAgreement(ID["Dee"], AgreementKind.EQUAL, LEFT))
    told.do(c.BeginHand())
    assert told.event.agreement is None


@pytest.mark.law("SG-12")
def test_agree_button_of_an_earlier_offer_agrees_to_nothing() -> None:
    told = _three_left()
    told.do(c.OfferAgreement(ID["Cy"], AgreementKind.CHIPS, LEFT))
    told.do(c.AnswerAgreement(ID["Dee"], False, offer=1))
    told.do(c.OfferAgreement(ID["Ann"], AgreementKind.ICM, LEFT))
    for agrees in (True, False):
        with pytest.raises(refusals.NoOpenOffer):
            told.do(c.AnswerAgreement(ID["Dee"], agrees, offer=1))
    told.do(c.AnswerAgreement(ID["Dee"], True, offer=2))
    assert told.event.agreement is not None and told.event.agreement.consents == (ID["Ann"], ID["Dee"])


@pytest.mark.law("SG-12")
def test_who_left_or_is_out_has_no_vote() -> None:
    told = _three_left()
    told.do(c.LeaveByChoice(ID["Dee"]))
    for name in ("Bo", "Dee"):
        with pytest.raises(refusals.NoVoteInAgreement):
            told.do(c.OfferAgreement(ID[name], AgreementKind.EQUAL, LEFT))
    told.do(c.OfferAgreement(ID["Ann"], AgreementKind.EQUAL, LEFT))
    told.do(c.AnswerAgreement(ID["Cy"], True))
    assert told.paid == {"Ann": 134, "Cy": 133, "Dee": 133}, "who left gets their share"


def test_free_sit_and_go_has_nothing_to_divide() -> None:
    told = Told(2)
    told.start("Ann", "Bo")
    with pytest.raises(refusals.NothingToDivide):
        told.do(c.OfferAgreement(ID["Ann"], AgreementKind.EQUAL, LEFT))
