"""Choosing before one's turn: what may be chosen, what comes of it at the turn, and what puts an end to it (TL-34)."""

import pytest

from bot.engine import commands as c
from bot.engine.legal import Decision, Duty
from bot.engine.refusals import HandIsDead, HandOver
from bot.engine.ruling import rule
from bot.engine.stakes import Stakes
from bot.table import events as te
from bot.table.errors import CannotPreselect, NotNow
from bot.table.preselected import Choice, Ended, Preselectable, Preselection
from bot.table.preselecting import Lapse, at_turn, ended_by, preselectable, preselected
from bot.table.view import view
from tests.support.told import Told, deal
from tests.table.story import Evening

CHECK_OR_DROP, CALL, DROP = Choice.CHECK_OR_DROP, Choice.CALL, Choice.DROP
LIMIT = Stakes(ante=1, small_blind=2, big_blind=4, small_bet=4, big_bet=8, bring_in=2)


def four(game: str = "no-limit hold'em 10/20", **options: str) -> Told:
    """Cy is first, then Dee, Ann (small blind), Bo (big blind)."""
    return deal(game, button="Dee", stacks=dict.fromkeys(("Ann", "Bo", "Cy", "Dee"), 1000), options=options or None)


def may(hand: Told, name: str) -> Preselectable:
    return preselectable(hand.hand, hand.seat(name))


def choose(hand: Told, name: str, choice: Choice, chips: int = 0) -> Preselection:
    """Choose as a player does; the choice as the table keeps it, by seats of the deal."""
    seat = hand.seat(name)
    return Preselection(seat, choice, preselected(hand.hand, seat, choice, chips))


def refused(hand: Told, name: str, choice: Choice, why: NotNow, chips: int = 0) -> CannotPreselect:
    with pytest.raises(CannotPreselect) as caught:
        choose(hand, name, choice, chips)
    assert (caught.value.law, caught.value.reason) == ("TL-34", why)
    return caught.value


def comes_to(hand: Told, name: str, chosen: Preselection) -> c.Command | Lapse:
    """What the choice comes to, its turn being there; what it says is lawful."""
    assert hand.to_act == name
    found = at_turn(hand.hand, chosen)
    if isinstance(found, c.Command):
        rule(hand.hand, hand.hand.to_act, found)
    return found


@pytest.mark.law("TL-34")
def test_check_or_drop_checks_where_nobody_bets() -> None:
    hand = four()
    chosen = choose(hand, "Bo", CHECK_OR_DROP)
    hand.play("Cy calls", "Dee folds", "Ann calls")
    assert comes_to(hand, "Bo", chosen) == c.Check()


@pytest.mark.law("TL-34")
def test_check_or_drop_drops_where_somebody_bets() -> None:
    hand = four()
    chosen = choose(hand, "Bo", CHECK_OR_DROP)
    hand.play("Cy raises to 60", "Dee folds", "Ann folds")
    assert comes_to(hand, "Bo", chosen) == c.Fold()


@pytest.mark.law("TL-34")
def test_a_call_of_20_calls_20() -> None:
    hand = four()
    chosen = choose(hand, "Dee", CALL)
    assert chosen.chips == 20
    hand.play("Cy calls")
    assert comes_to(hand, "Dee", chosen) == c.Call()


@pytest.mark.law("TL-34")
def test_a_raise_before_him_makes_a_call_of_20_lapse() -> None:
    hand = four()
    chosen = choose(hand, "Dee", CALL, 20)
    hand.play("Cy raises to 60")
    assert comes_to(hand, "Dee", chosen) == Lapse(Ended.CHANGED, 60)


@pytest.mark.law("TL-34", "TL-3")
def test_a_call_for_all_he_has_costs_the_same_whatever_is_raised() -> None:
    """His amount is unchanged: Cy has 20 behind his blind, and no more to lose."""
    hand = deal(
        "no-limit hold'em 10/20", button="Bo", stacks={"Ann": 1000, "Bo": 1000, "Cy": 30, "Dee": 1000, "Eve": 1000}
    )
    hand.play("Eve raises to 60")
    assert may(hand, "Cy") == Preselectable(check_or_drop=False, call=20, all_in=True)
    chosen = choose(hand, "Cy", CALL)
    hand.play("Ann raises to 200", "Bo folds")
    assert comes_to(hand, "Cy", chosen) == c.Call()


@pytest.mark.law("TL-34")
def test_a_drop_drops_whatever_comes() -> None:
    hand = four()
    chosen = choose(hand, "Bo", DROP)
    hand.play("Cy calls", "Dee calls", "Ann calls")
    assert comes_to(hand, "Bo", chosen) == c.Fold(), "he said so, though he might check"


@pytest.mark.law("TL-34")
def test_what_may_be_chosen_is_what_would_be_lawful_now() -> None:
    hand = four()
    assert may(hand, "Dee") == Preselectable(check_or_drop=False, call=20, all_in=False)
    assert may(hand, "Ann") == Preselectable(check_or_drop=False, call=10, all_in=False)
    assert may(hand, "Bo") == Preselectable(check_or_drop=True, call=0, all_in=False)
    hand.play("Cy raises to 60")
    assert may(hand, "Bo") == Preselectable(check_or_drop=False, call=40, all_in=False)
    assert may(hand, "Cy").check_or_drop, "he has spoken, and may still be raised"


@pytest.mark.law("TL-34")
def test_what_has_changed_since_it_was_offered_is_not_noted() -> None:
    """A button drawn before the raise: Dee meant 20 chips, and a check where there is now a bet."""
    hand = four()
    hand.play("Cy raises to 60")
    assert refused(hand, "Dee", CALL, NotNow.OTHER_CALL, chips=20).call == 60
    assert refused(hand, "Bo", CHECK_OR_DROP, NotNow.NO_CHECK).call == 40
    hand.play("Dee folds", "Ann folds", "Bo calls")
    refused(hand, "Cy", CALL, NotNow.NO_CALL)


@pytest.mark.law("TL-34")
@pytest.mark.parametrize("custom", ["tda53", "hold"])
def test_where_words_or_chips_out_of_turn_count_nothing_is_preselected(custom: str) -> None:
    hand = four(out_of_turn=custom)
    for choice in Choice:
        refused(hand, "Dee", choice, NotNow.CUSTOM)


@pytest.mark.law("TL-34")
def test_who_has_no_turn_to_come_chooses_nothing() -> None:
    hand = deal("no-limit hold'em 10/20", button="Dee", stacks={"Ann": 1000, "Bo": 1000, "Cy": 500, "Dee": 1000})
    hand.play("Cy is all-in", "Dee folds")
    refused(hand, "Cy", DROP, NotNow.ALL_IN)
    with pytest.raises(HandIsDead):
        choose(hand, "Dee", DROP)
    hand.play("Ann folds", "Bo folds")
    with pytest.raises(HandOver):
        choose(hand, "Ann", DROP)


@pytest.mark.law("TL-34")
def test_while_cards_are_changed_nothing_is_chosen() -> None:
    """The next betting is another street."""
    hand = deal("badugi", button="Ann", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 500), stakes=LIMIT)
    hand.play("Ann calls", "Bo calls", "Cy checks")
    assert hand.hand.decision is Decision.DRAW
    refused(hand, "Ann", DROP, NotNow.NO_BETTING)


@pytest.mark.law("TL-34", "X-3")
def test_where_stakes_are_made_equal_at_the_draw_a_call_holds_until_then_and_a_check_is_over_with_the_say() -> None:
    """The interval closes after the draw: who owes makes good there, who owes nothing has nothing left to say."""
    hand = deal(
        "old_english", button="Ann", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 500), stakes=Stakes(ante=3, limit=12)
    )
    hand.play("Cy does not straddle", "Cy raises to 6")
    standing = choose(hand, "Cy", DROP)
    hand.play("Ann raises to 12")
    called, checked = choose(hand, "Cy", CALL), choose(hand, "Ann", CHECK_OR_DROP)
    hand.play("Bo calls", "Bo draws 0")
    assert comes_to(hand, "Cy", called) == c.Call()
    assert comes_to(hand, "Cy", standing) == c.Fold()
    hand.play("Cy calls", "Cy draws 0")
    assert comes_to(hand, "Ann", checked) == Lapse(Ended.STREET)


@pytest.mark.law("TL-34", "VC-5")
def test_what_a_card_on_show_asks_of_its_owner_is_asked_of_nobody_else() -> None:
    hand = deal("seven_card_stud", button="Ann", stacks=dict.fromkeys(("Ann", "Bo", "Cy"), 500), stakes=LIMIT)
    opener, others = hand.to_act, [name for name in ("Ann", "Bo", "Cy") if name != hand.to_act]
    assert may(hand, others[0]) == Preselectable(check_or_drop=True, call=0, all_in=False)
    chosen = choose(hand, others[0], CHECK_OR_DROP)
    hand.play(f"{opener} brings in 2")
    if hand.to_act != others[0]:
        hand.play(f"{others[1]} calls")
    assert comes_to(hand, others[0], chosen) == c.Fold()


@pytest.mark.law("TL-34", "C-5")
def test_a_check_that_the_game_bars_lapses_and_never_becomes_a_drop() -> None:
    """Where one may stand once only, a choice made before one stood comes to nothing when nobody has bet since."""
    hand = four()
    hand.play("Cy calls", "Dee folds", "Ann calls")
    barred = hand.hand.copy()
    barred.duty = Duty.OPEN
    assert at_turn(barred, Preselection(0, CHECK_OR_DROP)) == Lapse(Ended.BARRED)
    assert at_turn(barred, Preselection(0, DROP)) == Lapse(Ended.BARRED)


@pytest.mark.law("TL-34")
def test_a_choice_ends_with_its_street_and_with_its_seats_own_action() -> None:
    hand = four()
    seats = hand.hand.started.seats
    kept = [Preselection(seats[hand.seat(name)], DROP) for name in ("Cy", "Bo")]
    events, _ = rule(hand.hand, hand.seat("Cy"), c.Call())
    assert ended_by(kept, seats, events) == [(seats[hand.seat("Cy")], Ended.DONE)]
    hand.play("Cy calls", "Dee calls", "Ann calls")
    events, _ = rule(hand.hand, hand.seat("Bo"), c.Check())
    told = [Preselection(seats[hand.seat("Cy")], CALL, 40, Ended.CHANGED), Preselection(seats[hand.seat("Ann")], DROP)]
    assert ended_by([*kept, *told], seats, events) == [
        (seats[hand.seat("Cy")], Ended.STREET),
        (seats[hand.seat("Bo")], Ended.DONE),
        (seats[hand.seat("Ann")], Ended.STREET),
    ]


@pytest.mark.law("TL-34")
def test_the_table_keeps_one_choice_for_each_seat_until_the_hand_is_over() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2, Cy=3)
    evening.begin()

    def kept() -> tuple[Preselection, ...]:
        assert evening.table.running is not None
        return evening.table.running.preselections

    evening.happen(te.Preselected(1, CALL, 100), te.Preselected(2, DROP), te.Preselected(1, CHECK_OR_DROP))
    assert kept() == (Preselection(2, DROP), Preselection(1, CHECK_OR_DROP))
    evening.happen(te.PreselectionEnded(2, Ended.CLEARED), te.Preselected(3, CALL, 100))
    evening.happen(te.PreselectionEnded(3, Ended.CHANGED, 300))
    assert kept() == (Preselection(1, CHECK_OR_DROP), Preselection(3, CALL, 100, Ended.CHANGED, 300))
    evening.happen(te.PreselectionEnded(3, Ended.DONE))
    assert kept() == (Preselection(1, CHECK_OR_DROP),)
    evening.replays()
    evening.end()
    evening.begin()
    assert kept() == ()
    evening.replays()


@pytest.mark.law("TL-34")
def test_what_is_public_of_a_table_tells_nothing_of_a_choice() -> None:
    evening = Evening()
    evening.seats(Ann=1, Bo=2)
    evening.begin()
    before = view(evening.table)
    evening.happen(te.Preselected(1, DROP))
    assert view(evening.table) == before
