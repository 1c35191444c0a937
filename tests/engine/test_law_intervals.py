"""The laws of betting intervals, told: who speaks, what may be said, and when an interval is over (A8, A9, M)."""

import pytest

from bot.engine import commands as c
from bot.engine.events import ActionOn, BetTo, Burned, Checked, DealtDown, IntervalClosed, IntervalOpened, RaisedTo
from bot.engine.refusals import (
    CannotCheck,
    HandIsDead,
    HandOver,
    NotAnAmount,
    NotDealtIn,
    NotYourTurn,
    RaiseTooSmall,
    StackTooShort,
)
from bot.engine.ruling import rule
from bot.engine.stakes import NotWholeChips, whole_chips
from tests.support.told import Told, deal

FOUR = {"Ann": 1000, "Bo": 1000, "Cy": 1000, "Dee": 1000}


def four(**more: str) -> Told:
    """Four players at 5/10, Dee on the button: Ann and Bo post, Cy speaks first."""
    return deal("no-limit hold'em 5/10", button="Dee", stacks=FOUR, board=more.pop("board", ""), cards=more)


def to_the_flop(**more: str) -> Told:
    hand = four(**more)
    hand.play("Cy calls", "Dee calls", "Ann calls", "Bo checks")
    return hand


@pytest.mark.law("A-12", "TL-7", "F-4")
def test_blinds_are_posted_left_of_the_dealer() -> None:
    hand = four()
    assert hand.bets == {"Ann": 5, "Bo": 10}
    assert hand.to_act == "Cy"


@pytest.mark.law("A-13", "TL-7", "B-9", "C-3")
def test_the_big_blind_may_raise_though_only_called() -> None:
    """Blinds are live: the poster of the big one has the option, to check or to raise."""
    hand = four()
    hand.play("Cy calls", "Dee calls", "Ann calls 5")
    assert hand.to_act == "Bo"
    assert hand.options == {"fold", "check", "raise to 20..1000"}
    hand.play("Bo raises to 40")
    assert (hand.street, hand.to_act) == ("pre-flop", "Cy")


@pytest.mark.law("A-13", "B-7")
def test_a_blind_counts_towards_its_posters_bet() -> None:
    hand = four()
    hand.play("Cy raises to 30", "Dee folds")
    assert hand.options == {"fold", "call 25", "raise to 50..1000"}
    hand.play("Ann calls 25", "Bo calls 20")
    assert hand.pot == 90


@pytest.mark.law("B-1", "H-6")
def test_all_bets_make_one_pot() -> None:
    hand = four()
    hand.play("Cy raises to 30", "Dee calls", "Ann calls", "Bo folds")
    assert hand.pot == 100
    assert hand.pots == ((100, "Ann Cy Dee"),)


@pytest.mark.law("B-2")
def test_no_result_touches_another_deal() -> None:
    """A deal is a value of its own: it begins with nothing but its first event, and what is done in one changes no other."""
    first, second = four(), four()
    first.play("Cy raises to 500", "Dee folds", "Ann folds", "Bo folds")
    assert second.stacks == {"Ann": 995, "Bo": 990, "Cy": 1000, "Dee": 1000}
    again = four()
    assert again.events == second.events


@pytest.mark.law("B-3", "B-11")
def test_turns_move_left_past_those_who_dropped() -> None:
    hand = to_the_flop()
    hand.play("Ann checks", "Bo folds", "Cy bets 20", "Dee folds", "Ann calls")
    assert hand.street == "turn"
    hand.play("Ann bets 40")
    assert hand.to_act == "Cy"


@pytest.mark.law("B-4", "M-3")
def test_four_intervals_and_then_the_showdown() -> None:
    hand = to_the_flop()
    for street in ("flop", "turn", "river"):
        assert hand.street == street
        hand.play("Ann checks", "Bo checks", "Cy checks", "Dee checks")
    assert hand.over
    assert hand.hand.showdown
    opened = [event.street for event in hand.happened(IntervalOpened)]
    assert opened == ["pre-flop", "flop", "turn", "river"]


@pytest.mark.law("B-5", "F-4", "TL-7")
def test_one_player_has_the_first_say() -> None:
    """Left of the big blind before the flop; afterwards the first live player left of the dealer."""
    hand = four()
    hand.play("Cy calls", "Dee calls", "Ann folds", "Bo checks")
    hand.play("Bo checks", "Cy checks", "Dee bets 10", "Bo folds", "Cy calls")
    opened = [hand.names[event.first] for event in hand.happened(IntervalOpened)]
    assert opened == ["Cy", "Bo", "Cy"]


@pytest.mark.law("F-4", "TL-42")
def test_the_first_say_passes_over_the_all_in() -> None:
    hand = deal("no-limit hold'em 5/10", button="Dee", stacks=FOUR | {"Ann": 30})
    hand.play("Cy calls", "Dee calls", "Ann is all-in to 30", "Bo calls", "Cy calls", "Dee calls")
    assert (hand.street, hand.to_act) == ("flop", "Bo")


@pytest.mark.law("B-6")
def test_who_drops_has_no_claim_whatever_follows() -> None:
    """Ann drops what would have been quads: her chips stay in, the pot is the others'."""
    hand = to_the_flop(Ann="As Ad", Bo="Kc Kd", board="Ah Ac 7d 2s 3c")
    hand.play("Ann folds", "Bo bets 10", "Cy calls", "Dee folds", "Bo checks", "Cy checks", "Bo checks", "Cy checks")
    assert hand.wins == {"Bo": 60}
    assert hand.stacks["Ann"] == 990
    assert "Ann" not in hand.shown


@pytest.mark.law("B-6", "TL-36")
def test_one_may_drop_even_where_one_could_check() -> None:
    """It is lawful; the hand tells that a check was free, so that the player can be asked once more."""
    hand = to_the_flop()
    assert hand.legal("Ann").check
    assert hand.legal("Ann").fold
    hand.play("Ann folds")
    assert hand.live == ["Bo", "Cy", "Dee"]


@pytest.mark.law("B-7", "TL-18")
def test_a_call_puts_in_what_is_owed_and_no_more() -> None:
    hand = four()
    hand.play("Cy raises to 35", "Dee calls 35", "Ann calls 30", "Bo calls 25")
    assert hand.pot == 140


@pytest.mark.law("TL-18", "B-7")
def test_a_call_of_nothing_is_a_check() -> None:
    hand = to_the_flop()
    hand.play("Ann calls")
    assert hand.happened(Checked)[-1] == Checked(hand.seat("Ann"))
    assert hand.pot == 40


@pytest.mark.law("TL-18", "B-8")
def test_a_raise_of_no_bet_is_a_bet_and_a_bet_over_a_bet_is_a_raise() -> None:
    hand = to_the_flop()
    hand.play("Ann raises to 10")
    assert hand.happened(BetTo)[-1].to == 10
    hand.play("Bo bets 30")
    assert hand.happened(RaisedTo)[-1].to == 30


@pytest.mark.law("B-8", "L-8", "TL-1")
def test_a_raise_calls_and_adds() -> None:
    hand = four()
    hand.play("Cy raises to 30")
    hand.refuses("Dee raises to 30", RaiseTooSmall, law="L-8")
    hand.refuses("Dee raises to 49", RaiseTooSmall, law="L-8")
    assert hand.refuses("Dee raises to 1001", StackTooShort, law="TL-1").max_to == 1000
    hand.play("Dee raises to 50")
    assert hand.stacks["Dee"] == 950


@pytest.mark.law("B-9")
def test_a_raiser_whom_all_only_call_may_not_raise_again() -> None:
    hand = four()
    hand.play("Cy raises to 30", "Dee calls", "Ann calls", "Bo calls")
    assert (hand.street, hand.to_act) == ("flop", "Ann")
    hand.refuses("Cy raises to 60", NotYourTurn, law="B-10")


@pytest.mark.law("B-10", "TL-34")
def test_nobody_acts_out_of_turn() -> None:
    """Everything said out of turn is refused, and names who is to act."""
    hand = four()
    for line in ("Dee folds", "Dee checks", "Dee calls", "Dee raises to 30", "Ann is all-in"):
        assert hand.refuses(line, NotYourTurn, law="B-10").to_act == 3
    hand.play("Cy calls")


@pytest.mark.law("B-10", "TL-37")
def test_who_is_not_in_the_deal_has_no_say() -> None:
    hand = four()
    for stranger in (-1, 4, 9):
        with pytest.raises(NotDealtIn):
            rule(hand.hand, stranger, c.Fold())


@pytest.mark.law("B-11")
def test_a_turn_ends_only_with_a_whole_action() -> None:
    """A refused action moves no chip and no turn: the next is asked only when the chips are right."""
    hand = four()
    hand.play("Cy raises to 30")
    hand.refuses("Dee raises to 40", RaiseTooSmall)
    hand.refuses("Ann calls", NotYourTurn)
    hand.play("Dee calls 30", "Ann calls 25")
    assert [event.seat for event in hand.happened(ActionOn)] == [hand.seat(name) for name in ("Dee", "Ann", "Bo")]


@pytest.mark.law("B-12", "C-1", "M-5")
def test_once_there_is_a_bet_nobody_checks() -> None:
    """Earlier checkers too must drop, call or raise."""
    hand = to_the_flop()
    hand.play("Ann checks", "Bo bets 20")
    refused = hand.refuses("Cy checks", CannotCheck, law="B-12")
    assert (refused.level, refused.owe) == (20, 20)
    hand.play("Cy folds", "Dee folds")
    assert hand.options == {"fold", "call 20", "raise to 40..990"}
    hand.refuses("Ann checks", CannotCheck, law="B-12")


@pytest.mark.law("C-3", "B-12")
def test_nobody_checks_against_the_blinds() -> None:
    hand = four()
    hand.refuses("Cy checks", CannotCheck, law="B-12")
    hand.play("Cy calls", "Dee calls")
    assert hand.refuses("Ann checks", CannotCheck, law="B-12").owe == 5


@pytest.mark.law("C-1", "M-5", "N-2")
def test_an_interval_may_be_checked_through() -> None:
    """A check is a bet of nothing: all may follow, and the deal goes on."""
    hand = to_the_flop()
    hand.play("Ann checks", "Bo checks", "Cy checks", "Dee checks")
    assert (hand.street, hand.pot) == ("turn", 40)
    assert hand.happened(IntervalClosed)[-1] == IntervalClosed()


@pytest.mark.law("B-13", "H-5")
def test_a_bet_says_how_much() -> None:
    """A bet cannot be made without its amount, and the amount is a whole number of chips, at least one."""
    for verb in (c.Bet, c.RaiseTo):
        with pytest.raises(TypeError):
            verb()  # type: ignore[call-arg]
    hand = to_the_flop()
    for amount in ("0", "-3", "-1000000000000", "9999999999999999"):
        hand.refuses(f"Ann bets {amount}", NotAnAmount, law="H-5")
    with pytest.raises(NotWholeChips) as refusal:
        whole_chips("bet", "2.5")
    assert refusal.value.law == "H-5"


@pytest.mark.law("B-14", "B-10")
def test_a_dropped_hand_is_dead() -> None:
    """It has no turn to bet in, and cannot be taken back to draw or to be shown."""
    hand = four()
    hand.play("Cy folds")
    for line in ("Cy calls", "Cy checks", "Cy raises to 50", "Cy folds", "Cy is all-in"):
        hand.refuses(line, HandIsDead, law="B-10")
    hand = deal("five-card draw 5/10", button="Dee", stacks=FOUR)
    hand.play("Cy folds", "Dee calls", "Ann calls", "Bo checks")
    hand.refuses("Cy draws 1", HandIsDead, law="B-14")
    hand.refuses("Cy stands pat", HandIsDead, law="B-14")


@pytest.mark.law("B-18", "Z-4", "N-3", "H-6")
def test_the_last_one_left_takes_the_pot_unseen() -> None:
    """All drop to the big blind: his own bet is the forced one, and the pool is his."""
    hand = four()
    hand.play("Cy folds", "Dee folds", "Ann folds")
    assert hand.over
    assert hand.wins == {"Bo": 10}
    assert hand.stacks == {"Ann": 995, "Bo": 1005, "Cy": 1000, "Dee": 1000}
    assert hand.shown == []
    assert hand.hand.burns == ()


@pytest.mark.law("B-18")
def test_a_bet_that_nobody_meets_takes_the_pot() -> None:
    hand = to_the_flop()
    hand.play("Ann bets 200", "Bo folds", "Cy folds", "Dee folds")
    assert hand.wins == {"Ann": 40}
    assert hand.hand.returned == (hand.seat("Ann"), 200)


@pytest.mark.law("TL-35", "B-14")
def test_nothing_more_is_done_in_a_deal_that_is_over() -> None:
    hand = four()
    hand.play("Cy folds", "Dee folds", "Ann folds")
    for line in ("Bo checks", "Cy calls", "Bo raises to 50", "Bo mucks"):
        hand.refuses(line, HandOver, law="TL-35")


@pytest.mark.law("TL-35", "I-9")
@pytest.mark.parametrize("announce", ["binding", "void_without_chips"])
def test_what_is_said_is_done_at_once(announce: str) -> None:
    """One message is one whole action: saying the bet puts its chips in, so nothing is announced without chips, and saying it again
    comes too late."""
    hand = deal("no-limit hold'em 5/10", button="Dee", stacks=FOUR, options={"announce": announce})
    turn = hand.hand.turn
    hand.play("Cy raises to 30")
    assert hand.stacks["Cy"] == 970
    assert hand.hand.turn == turn + 1
    hand.refuses("Cy raises to 30", NotYourTurn)
    hand.refuses("Cy raises to 60", NotYourTurn)


@pytest.mark.law("M-1", "D-9", "K-6")
def test_two_cards_each_one_at_a_time_from_the_dealers_left() -> None:
    hand = four()
    (dealt,) = hand.happened(DealtDown)
    assert (dealt.count, dealt.place, dealt.first) == (2, 0, 0)
    assert hand.names == ("Ann", "Bo", "Cy", "Dee"), "the dealer is the last"
    assert hand.hand.down == ((0, 4), (1, 5), (2, 6), (3, 7))


@pytest.mark.law("M-1", "A-12")
def test_cards_come_after_the_blinds() -> None:
    kinds = [type(event).__name__ for event in four().events]
    assert kinds == ["HandStarted", "Posted", "Posted", "AllPosted", "DealtDown", "IntervalOpened"]


@pytest.mark.law("M-2", "M-3", "TL-28")
def test_one_burn_before_each_street_and_no_card_twice() -> None:
    hand = to_the_flop()
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks", "Dee checks")
    board = hand.hand.boards[0]
    assert [event.place for event in hand.happened(Burned)] == [8, 12, 14]
    assert board == (9, 10, 11, 13, 15), "three, one and one, each after its burn"
    used = [*hand.hand.burns, *board, *(place for places in hand.hand.down for place in places)]
    assert len(set(used)) == len(used)


@pytest.mark.law("TL-28")
def test_a_burned_card_is_shown_to_nobody() -> None:
    hand = to_the_flop()
    burned = hand.hand.deck[hand.hand.burns[0]]
    for viewer in (None, *hand.names):
        seen = hand.view(viewer)
        assert burned not in [card.card for seat in seen.seats for card in seat.cards]
        assert burned not in seen.boards[0]


@pytest.mark.law("M-5", "VB-6")
def test_after_the_flop_check_bet_or_drop_until_someone_bets() -> None:
    hand = to_the_flop()
    assert hand.options == {"check", "fold", "bet 10..990"}
    hand.play("Ann checks", "Bo bets 10")
    assert hand.options == {"fold", "call 10", "raise to 20..990"}


@pytest.mark.law("TL-8", "F-4", "VB-6")
def test_two_alone() -> None:
    """The button posts the small blind, is dealt last, speaks first before the flop and last after it."""
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 1000, "Bo": 1000})
    assert hand.bets == {"Ann": 5, "Bo": 10}
    assert hand.names == ("Bo", "Ann")
    assert hand.hand.down == ((0, 2), (1, 3))
    assert hand.to_act == "Ann"
    hand.play("Ann calls", "Bo checks")
    assert (hand.street, hand.to_act) == ("flop", "Bo")


@pytest.mark.law("TL-39")
def test_every_prompt_says_what_is_to_call_and_who_has_what() -> None:
    hand = four()
    hand.play("Cy raises to 30")
    seen = hand.view()
    assert seen.acting is not None
    assert (seen.level, seen.acting.owe, seen.acting.call, seen.pot) == (30, 30, 30, 45)
    assert [(seat.stack, seat.bet) for seat in seen.seats] == [(995, 5), (990, 10), (970, 30), (1000, 0)]
