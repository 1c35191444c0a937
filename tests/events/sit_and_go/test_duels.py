"""Duels, told hand by hand: a challenge, matches until one has won enough of them, and the ways in which a duel ends otherwise."""

from __future__ import annotations

import pytest

from bot.events.sit_and_go import commands as c
from bot.events.sit_and_go import refusals
from bot.events.sit_and_go.clock import next_level_at
from bot.events.sit_and_go.duel import PRACTICE_OPPONENT, duel_settings, winner_of
from bot.events.sit_and_go.state import AgreementKind, Duellist, EndReason, SitAndGoStatus
from bot.events.sit_and_go.structures import Speed
from tests.events.sit_and_go.told import ID, MINUTE, NAME, Told

STACK = 1_500


def duel(*, buy_in: int = 0, best_of: int = 1, speed: Speed = Speed.TURBO) -> Told:
    """Ann has challenged Bo."""
    ann, bo = Duellist(ID["Ann"], "Ann"), Duellist(ID["Bo"], "Bo")
    return Told.of(duel_settings(ann, bo, buy_in=buy_in, best_of=best_of, speed=speed))


def begun(*, buy_in: int = 0, best_of: int = 1, speed: Speed = Speed.TURBO) -> Told:
    """Ann has challenged Bo, who has accepted."""
    told = duel(buy_in=buy_in, best_of=best_of, speed=speed)
    told.start_duel("Bo")
    return told


def winner(told: Told) -> tuple[str, str] | None:
    found = winner_of(told.event)
    return (NAME[found[0].player], NAME[found[1].player]) if found is not None else None


@pytest.mark.law("SG-1", "SG-16")
def test_only_who_was_challenged_accepts_and_both_enter_at_once() -> None:
    told = duel(buy_in=500)
    with pytest.raises(refusals.NotChallenged) as refused:
        told.enter("Cy")
    assert not refused.value.is_own
    with pytest.raises(refusals.NotChallenged) as refused:
        told.enter("Ann")
    assert refused.value.is_own
    assert told.event.pool == 0
    told.start_duel("Bo")
    assert told.event.is_running
    assert told.event.pool == 1_000


def test_nobody_challenges_themselves_nor_a_practice_player_for_chips() -> None:
    ann = Duellist(ID["Ann"], "Ann")
    with pytest.raises(refusals.CannotDuelYourself):
        duel_settings(ann, ann)
    with pytest.raises(refusals.NoPracticeInEvent):
        duel_settings(ann, Duellist(PRACTICE_OPPONENT, ""), buy_in=100)


def test_practice_opponent_enters_for_honour() -> None:
    told = Told.of(duel_settings(Duellist(ID["Ann"], "Ann"), Duellist(PRACTICE_OPPONENT, "")))
    with pytest.raises(refusals.NotChallenged):
        told.enter("Bo")
    told.do(c.Enter(-101, "Ava", practice=True))
    assert [one.player for one in told.event.entrants] == [ID["Ann"], -101]


@pytest.mark.law("SG-13", "SG-16")
@pytest.mark.parametrize(
    ("name", "reason"), [("Ann", EndReason.TAKEN_BACK), ("Bo", EndReason.DECLINED), ("", EndReason.EMPTY)]
)
def test_challenge_is_taken_back_declined_or_lapses(name: str, reason: EndReason) -> None:
    told = duel(buy_in=500)
    told.do(c.CancelSitAndGo(ID.get(name, 0), nobody_came=not name))
    assert told.event.status is SitAndGoStatus.CANCELLED
    assert (told.event.end_reason, told.paid) == (reason, {})


def test_others_cannot_end_a_challenge_nor_anybody_change_it() -> None:
    told = duel()
    with pytest.raises(refusals.NotChallenged):
        told.do(c.CancelSitAndGo(ID["Cy"]))
    with pytest.raises(refusals.StructureAgreed):
        told.do(c.ChooseStructure(ID["Ann"], Speed.HYPER))


def test_one_match_is_won_by_taking_all() -> None:
    told = begun(buy_in=501)
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0))
    assert told.event.end_reason is EndReason.WON
    assert (winner(told), told.paid, told.ranks) == (("Ann", "Bo"), {"Ann": 1_002}, {"Ann": 1, "Bo": 2})


@pytest.mark.law("SG-2", "SG-16")
def test_next_match_begins_with_full_stacks_and_first_level() -> None:
    told = begun(best_of=3)
    told.hand(minutes=9, Ann=(1_500, 1_000), Bo=(1_500, 2_000))
    told.hand(minutes=1, Ann=(1_000, 0), Bo=(2_000, 3_000))
    assert told.event.is_running
    assert (told.event.level, next_level_at(told.event)) == (1, told.now + 4 * MINUTE)
    assert [one.wins for one in told.event.entrants] == [0, 1]
    assert len(told.event.players_in) == 2
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0))
    assert told.event.is_running
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0))
    assert [one.wins for one in told.event.entrants] == [2, 1]
    assert (winner(told), told.ranks) == (("Ann", "Bo"), {"Ann": 1, "Bo": 2})


def test_best_of_three_can_take_two_matches() -> None:
    told = begun(buy_in=10, best_of=3)
    for _ in range(2):
        told.hand(Ann=(1_500, 0), Bo=(1_500, 3_000))
    assert (winner(told), told.paid) == (("Bo", "Ann"), {"Bo": 20})


@pytest.mark.law("SG-16")
def test_fixed_blinds_never_rise() -> None:
    told = begun(speed=Speed.FIXED)
    for _ in range(30):
        told.hand(minutes=20, Ann=(2_000, 2_000), Bo=(2_000, 2_000))
    assert (told.event.level, next_level_at(told.event)) == (1, 0)


@pytest.mark.law("SG-16")
def test_who_leaves_a_duel_between_deals_gives_it_up() -> None:
    told = begun(buy_in=100, best_of=3)
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0))
    told.do(c.LeaveByChoice(ID["Ann"], ((ID["Ann"], STACK), (ID["Bo"], STACK))))
    assert told.event.end_reason is EndReason.GIVEN_UP
    assert (winner(told), told.paid, told.ranks) == (("Bo", "Ann"), {"Bo": 200}, {"Bo": 1, "Ann": 2})


@pytest.mark.law("SG-16")
@pytest.mark.parametrize(("after", "won"), [((1_600, 1_400), "Bo"), ((3_000, 0), "Ann"), ((0, 3_000), "Bo")])
def test_who_leaves_in_a_hand_gives_up_after_it(after: tuple[int, int], won: str) -> None:
    told = begun()
    told.do(c.BeginHand())
    told.do(c.LeaveByChoice(ID["Ann"]))
    assert told.event.is_running
    told.hand(Ann=(1_500, after[0]), Bo=(1_500, after[1]))
    assert not told.event.is_open
    found = winner(told)
    assert found is not None and found[0] == won  # whoever has taken all has won, also who was about to leave


@pytest.mark.law("SG-16")
def test_leaving_in_a_won_match_gives_up_the_others() -> None:
    told = begun(best_of=3)
    told.do(c.BeginHand())
    told.do(c.LeaveByChoice(ID["Ann"]))
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0))
    assert (told.event.end_reason, winner(told)) == (EndReason.GIVEN_UP, ("Bo", "Ann"))


@pytest.mark.law("SG-3", "SG-9", "SG-16")
def test_two_who_sleep_have_no_winner_but_ranks() -> None:
    told = begun(buy_in=100, best_of=3)
    told.hand(Ann=(1_500, 0), Bo=(1_500, 3_000))
    for _ in range(4):
        told.hand(own_will=False, Ann=(1_600, 1_600), Bo=(1_400, 1_400))
    assert told.event.end_reason is EndReason.ASLEEP
    assert (winner(told), told.paid) == (None, {"Bo": 200})  # a match won goes before chips


@pytest.mark.law("SG-12", "SG-16")
def test_duel_is_called_off_by_equal_shares() -> None:
    told = begun(buy_in=100, best_of=3)
    stacks = ((ID["Ann"], 1_000), (ID["Bo"], 2_000))
    with pytest.raises(refusals.NoOpenOffer):
        told.do(c.OfferAgreement(ID["Ann"], AgreementKind.CHIPS, stacks))
    told.do(c.OfferAgreement(ID["Ann"], AgreementKind.EQUAL, stacks))
    told.do(c.AnswerAgreement(ID["Bo"], agrees=True))
    assert (told.event.end_reason, winner(told), told.paid) == (EndReason.AGREED, None, {"Ann": 100, "Bo": 100})


@pytest.mark.law("SG-13", "SG-16")
@pytest.mark.parametrize(
    ("won", "lead", "paid"),
    [
        ([], 1_500, {"Ann": 100, "Bo": 100}),
        ([], 3_000 - 750, {"Ann": 125, "Bo": 75}),  # 3/4 of 3/4, and 1/4 of 1/4
        (["Ann"], 1_500, {"Ann": 150, "Bo": 50}),
        (["Ann"], 750, {"Ann": 125, "Bo": 75}),  # ahead with the shorter stack
        (["Ann", "Bo"], 750, {"Ann": 50, "Bo": 150}),
    ],
)
def test_cancelled_best_of_three_counts_matches_won(won: list[str], lead: int, paid: dict[str, int]) -> None:
    told = begun(buy_in=100, best_of=3)
    for name in won:
        ann = 3_000 if name == "Ann" else 0
        told.hand(Ann=(1_500, ann), Bo=(1_500, 3_000 - ann))
    told.hand(Ann=(1_500, lead), Bo=(1_500, 3_000 - lead))
    told.do(c.CancelSitAndGo(ID["Cy"], staff=True, stacks=((ID["Ann"], lead), (ID["Bo"], 3_000 - lead))))
    assert told.paid == paid


@pytest.mark.law("SG-13")
def test_cancelled_duel_pays_by_chips() -> None:
    told = begun(buy_in=100)
    told.hand(Ann=(1_500, 2_000), Bo=(1_500, 1_000))
    told.do(c.CancelSitAndGo(ID["Cy"], staff=True, stacks=((ID["Ann"], 2_000), (ID["Bo"], 1_000))))
    assert (winner(told), told.paid) == (None, {"Ann": 133, "Bo": 67})


@pytest.mark.law("SG-12")
def test_old_button_agrees_to_no_offer_of_another_match() -> None:
    told = begun(buy_in=100, best_of=3)
    stacks = ((ID["Ann"], STACK), (ID["Bo"], STACK))
    told.do(c.OfferAgreement(ID["Ann"], AgreementKind.EQUAL, stacks))
    told.hand(Ann=(1_500, 3_000), Bo=(1_500, 0))
    told.do(c.OfferAgreement(ID["Ann"], AgreementKind.EQUAL, stacks))
    with pytest.raises(refusals.NoOpenOffer):
        told.do(c.AnswerAgreement(ID["Bo"], agrees=True, offer=1))
    told.do(c.AnswerAgreement(ID["Bo"], agrees=True, offer=2))
    assert told.event.end_reason is EndReason.AGREED
