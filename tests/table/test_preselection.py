"""Choices before the turn: what players can choose, what happens at the turn, and when a choice ends (TL-34)."""

from typing import TypeVar

import pytest

from bot.engine import commands as c
from bot.engine.decide import decide_and_evolve
from bot.engine.legal import Decision, OpeningDuty
from bot.engine.refusals import HandIsDead, HandOver
from bot.engine.stakes import Stakes
from bot.table import events as te
from bot.table.preselection.rules import (
    LapsedPreselection,
    command_at_turn,
    preselection_options,
    preselections_ended_by,
    validate_preselection,
)
from bot.table.preselection.types import PreselectedAction, Preselection, PreselectionEndReason, PreselectionOptions
from bot.table.refusals import (
    CallHasChanged,
    CannotCallAhead,
    CannotCheckAhead,
    CannotPreselect,
    NoBettingNow,
    NothingLeftToDecide,
    OutOfTurnCounts,
)
from bot.table.view import view_table
from tests.support.told import Told, deal
from tests.table.evening import Evening

CHECK_OR_FOLD, CALL, FOLD = PreselectedAction.CHECK_OR_FOLD, PreselectedAction.CALL, PreselectedAction.FOLD
LIMIT = Stakes(ante=1, small_blind=2, big_blind=4, small_bet=4, big_bet=8, bring_in=2)

Refusal = TypeVar("Refusal", bound=CannotPreselect)


def four(game: str = "no-limit hold'em 10/20", **options: str) -> Told:
    """Cy is first, then Dee, Ann (small blind), Bo (big blind)."""
    return deal(game, button="Dee", stacks=dict.fromkeys(("Ann", "Bo", "Cy", "Dee"), 1000), options=options or None)


def preselection_options_of(hand: Told, name: str) -> PreselectionOptions:
    return preselection_options(hand.hand, hand.seat(name))


def preselect(hand: Told, name: str, choice: PreselectedAction, chips: int = 0) -> Preselection:
    """Choose as a player does. Returns the choice as the table keeps it, with the seat index as seat number."""
    seat = hand.seat(name)
    return Preselection(seat, choice, validate_preselection(hand.hand, seat, choice, chips))


def refused_preselection(
    hand: Told, name: str, choice: PreselectedAction, refusal: type[Refusal], chips: int = 0
) -> Refusal:
    with pytest.raises(refusal) as caught:
        preselect(hand, name, choice, chips)
    assert caught.value.law == "TL-34"
    return caught.value


def outcome_at_turn(hand: Told, name: str, chosen: Preselection) -> c.HandCommand | LapsedPreselection:
    """Return what the choice does at its turn, and check that an action is legal."""
    assert hand.to_act == name
    found = command_at_turn(hand.hand, chosen)
    if not isinstance(found, LapsedPreselection):
        decide_and_evolve(hand.hand, hand.hand.to_act, found)
    return found


@pytest.mark.law("TL-34")
def test_check_or_fold_checks_without_a_bet() -> None:
    hand = four()
    chosen = preselect(hand, "Bo", CHECK_OR_FOLD)
    hand.play("Cy calls", "Dee folds", "Ann calls")
    assert outcome_at_turn(hand, "Bo", chosen) == c.Check()


@pytest.mark.law("TL-34")
def test_check_or_fold_folds_to_a_bet() -> None:
    hand = four()
    chosen = preselect(hand, "Bo", CHECK_OR_FOLD)
    hand.play("Cy raises to 60", "Dee folds", "Ann folds")
    assert outcome_at_turn(hand, "Bo", chosen) == c.Fold()


@pytest.mark.law("TL-34")
def test_preselected_call_calls_the_same_amount() -> None:
    hand = four()
    chosen = preselect(hand, "Dee", CALL)
    assert chosen.chosen_call == 20
    hand.play("Cy calls")
    assert outcome_at_turn(hand, "Dee", chosen) == c.Call()


@pytest.mark.law("TL-34")
def test_raise_before_the_turn_lapses_a_preselected_call() -> None:
    hand = four()
    chosen = preselect(hand, "Dee", CALL, 20)
    hand.play("Cy raises to 60")
    assert outcome_at_turn(hand, "Dee", chosen) == LapsedPreselection(PreselectionEndReason.CALL_CHANGED, 60)


@pytest.mark.law("TL-34", "TL-3")
def test_preselected_all_in_call_survives_a_raise() -> None:
    """The call is unchanged: Cy has only 20 chips behind the blind."""
    hand = deal(
        "no-limit hold'em 10/20", button="Bo", stacks={"Ann": 1000, "Bo": 1000, "Cy": 30, "Dee": 1000, "Eve": 1000}
    )
    hand.play("Eve raises to 60")
    assert preselection_options_of(hand, "Cy") == PreselectionOptions(check_or_fold=False, call=20, all_in=True)
    chosen = preselect(hand, "Cy", CALL)
    hand.play("Ann raises to 200", "Bo folds")
    assert outcome_at_turn(hand, "Cy", chosen) == c.Call()


@pytest.mark.law("TL-34")
def test_preselected_fold_folds_even_after_a_raise() -> None:
    hand = four()
    chosen = preselect(hand, "Bo", FOLD)
    hand.play("Cy calls", "Dee calls", "Ann calls")
    assert outcome_at_turn(hand, "Bo", chosen) == c.Fold(), "Bo chose to fold, although a check is free"


@pytest.mark.law("TL-34")
def test_preselection_offers_what_would_be_legal_now() -> None:
    hand = four()
    assert preselection_options_of(hand, "Dee") == PreselectionOptions(check_or_fold=False, call=20, all_in=False)
    assert preselection_options_of(hand, "Ann") == PreselectionOptions(check_or_fold=False, call=10, all_in=False)
    assert preselection_options_of(hand, "Bo") == PreselectionOptions(check_or_fold=True, call=0, all_in=False)
    hand.play("Cy raises to 60")
    assert preselection_options_of(hand, "Bo") == PreselectionOptions(check_or_fold=False, call=40, all_in=False)
    assert preselection_options_of(hand, "Cy").check_or_fold, "Cy has acted, and can still be raised"


@pytest.mark.law("TL-34")
def test_preselection_is_refused_when_its_offer_has_changed() -> None:
    """The buttons were drawn before the raise: Dee meant to call 20, or to check where there is a bet now."""
    hand = four()
    hand.play("Cy raises to 60")
    assert refused_preselection(hand, "Dee", CALL, CallHasChanged, chips=20).call == 60
    assert refused_preselection(hand, "Bo", CHECK_OR_FOLD, CannotCheckAhead).call == 40
    hand.play("Dee folds", "Ann folds", "Bo calls")
    refused_preselection(hand, "Cy", CALL, CannotCallAhead)


@pytest.mark.law("TL-34")
@pytest.mark.parametrize("custom", ["tda53", "hold"])
def test_binding_out_of_turn_rules_forbid_preselection(custom: str) -> None:
    hand = four(out_of_turn=custom)
    for choice in PreselectedAction:
        refused_preselection(hand, "Dee", choice, OutOfTurnCounts)


@pytest.mark.law("TL-34")
def test_player_without_a_coming_turn_cannot_preselect() -> None:
    hand = deal("no-limit hold'em 10/20", button="Dee", stacks={"Ann": 1000, "Bo": 1000, "Cy": 500, "Dee": 1000})
    hand.play("Cy is all-in", "Dee folds")
    refused_preselection(hand, "Cy", FOLD, NothingLeftToDecide)
    with pytest.raises(HandIsDead):
        preselect(hand, "Dee", FOLD)
    hand.play("Ann folds", "Bo folds")
    with pytest.raises(HandOver):
        preselect(hand, "Ann", FOLD)


@pytest.mark.law("TL-34")
def test_no_preselection_while_players_draw() -> None:
    """The next betting round is another street."""
    hand = deal("badugi", button="Ann", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 500), stakes=LIMIT)
    hand.play("Ann calls", "Bo calls", "Cy checks")
    assert hand.hand.decision is Decision.DRAW
    refused_preselection(hand, "Ann", FOLD, NoBettingNow)


@pytest.mark.law("TL-34", "X-3")
def test_equalising_at_the_draw_keeps_calls_and_ends_checks() -> None:
    """The betting round closes after the draw. Players who have to call do it there; the others have nothing left to decide."""
    hand = deal(
        "old_english", button="Ann", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 500), stakes=Stakes(ante=3, limit=12)
    )
    hand.play("Cy does not straddle", "Cy raises to 6")
    standing = preselect(hand, "Cy", FOLD)
    hand.play("Ann raises to 12")
    called, checked = preselect(hand, "Cy", CALL), preselect(hand, "Ann", CHECK_OR_FOLD)
    hand.play("Bo calls", "Bo draws 0")
    assert outcome_at_turn(hand, "Cy", called) == c.Call()
    assert outcome_at_turn(hand, "Cy", standing) == c.Fold()
    hand.play("Cy calls", "Cy draws 0")
    assert outcome_at_turn(hand, "Ann", checked) == LapsedPreselection(PreselectionEndReason.STREET_OVER)


@pytest.mark.law("TL-34", "VC-5")
def test_bring_in_duty_is_not_offered_to_other_seats() -> None:
    hand = deal("seven_card_stud", button="Ann", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 500), stakes=LIMIT)
    opener, others = hand.to_act, [name for name in ("Ann", "Bo", "Cy") if name != hand.to_act]
    assert preselection_options_of(hand, others[0]) == PreselectionOptions(check_or_fold=True, call=0, all_in=False)
    chosen = preselect(hand, others[0], CHECK_OR_FOLD)
    hand.play(f"{opener} brings in 2")
    if hand.to_act != others[0]:
        hand.play(f"{others[1]} calls")
    assert outcome_at_turn(hand, others[0], chosen) == c.Fold()


@pytest.mark.law("TL-34", "C-5")
def test_forbidden_check_lapses_and_never_becomes_a_fold() -> None:
    """Where a player can check only once, a choice made before that check lapses if nobody has bet since."""
    hand = four()
    hand.play("Cy calls", "Dee folds", "Ann calls")
    barred = hand.hand.copy()
    barred.opening_duty = OpeningDuty.OPEN
    assert command_at_turn(barred, Preselection(0, CHECK_OR_FOLD)) == LapsedPreselection(
        PreselectionEndReason.NOT_LAWFUL
    )
    assert command_at_turn(barred, Preselection(0, FOLD)) == LapsedPreselection(PreselectionEndReason.NOT_LAWFUL)


@pytest.mark.law("TL-34")
def test_preselection_ends_with_its_street_or_own_action() -> None:
    hand = four()
    seats = hand.hand.started.seat_numbers
    kept = [Preselection(seats[hand.seat(name)], FOLD) for name in ("Cy", "Bo")]
    events, _ = decide_and_evolve(hand.hand, hand.seat("Cy"), c.Call())
    assert preselections_ended_by(kept, seats, events) == [(seats[hand.seat("Cy")], PreselectionEndReason.DONE)]
    hand.play("Cy calls", "Dee calls", "Ann calls")
    events, _ = decide_and_evolve(hand.hand, hand.seat("Bo"), c.Check())
    lapsed = [
        Preselection(seats[hand.seat("Cy")], CALL, 40, PreselectionEndReason.CALL_CHANGED),
        Preselection(seats[hand.seat("Ann")], FOLD),
    ]
    assert preselections_ended_by([*kept, *lapsed], seats, events) == [
        (seats[hand.seat("Cy")], PreselectionEndReason.STREET_OVER),
        (seats[hand.seat("Bo")], PreselectionEndReason.DONE),
        (seats[hand.seat("Ann")], PreselectionEndReason.STREET_OVER),
    ]


@pytest.mark.law("TL-34")
def test_table_keeps_one_preselection_per_seat() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2, Cy=3)
    evening.begin_hand()

    def kept() -> tuple[Preselection, ...]:
        assert evening.table.running_hand is not None
        return evening.table.running_hand.preselections

    evening.apply(te.Preselected(1, CALL, 100), te.Preselected(2, FOLD), te.Preselected(1, CHECK_OR_FOLD))
    assert kept() == (Preselection(2, FOLD), Preselection(1, CHECK_OR_FOLD))
    evening.apply(te.PreselectionEnded(2, PreselectionEndReason.CLEARED), te.Preselected(3, CALL, 100))
    evening.apply(te.PreselectionEnded(3, PreselectionEndReason.CALL_CHANGED, 300))
    assert kept() == (
        Preselection(1, CHECK_OR_FOLD),
        Preselection(3, CALL, 100, PreselectionEndReason.CALL_CHANGED, 300),
    )
    evening.apply(te.PreselectionEnded(3, PreselectionEndReason.DONE))
    assert kept() == (Preselection(1, CHECK_OR_FOLD),)
    evening.assert_replays()
    evening.end_hand()
    evening.begin_hand()
    assert kept() == ()
    evening.assert_replays()


@pytest.mark.law("TL-34")
def test_public_view_reveals_no_preselection() -> None:
    evening = Evening()
    evening.sit_all(Ann=1, Bo=2)
    evening.begin_hand()
    before = view_table(evening.table)
    evening.apply(te.Preselected(1, FOLD))
    assert view_table(evening.table) == before
