"""The laws of betting rounds: who acts, what is allowed, and when a betting round is over (A8, A9, M)."""

import pytest

from bot.engine import commands as c
from bot.engine.decide import decide_and_evolve
from bot.engine.events import (
    ActionOn,
    BettingRoundClosed,
    BettingRoundOpened,
    BetTo,
    Burned,
    Checked,
    DealtDown,
    RaisedTo,
)
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
from bot.engine.stakes import NotWholeChips, parse_chips
from tests.support.told import Told, deal

FOUR = {"Ann": 1000, "Bo": 1000, "Cy": 1000, "Dee": 1000}


def four(**more: str) -> Told:
    """Four players at 5/10, Dee on the button: Ann and Bo post, Cy acts first."""
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
def test_big_blind_can_raise_when_only_called() -> None:
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
def test_result_does_not_affect_another_hand() -> None:
    """A hand is a value of its own: it begins with nothing but its first event, and what is done in one changes no other."""
    first, second = four(), four()
    first.play("Cy raises to 500", "Dee folds", "Ann folds", "Bo folds")
    assert second.stacks == {"Ann": 995, "Bo": 990, "Cy": 1000, "Dee": 1000}
    again = four()
    assert again.events == second.events


@pytest.mark.law("B-3", "B-11")
def test_turns_move_left_past_folded_players() -> None:
    hand = to_the_flop()
    hand.play("Ann checks", "Bo folds", "Cy bets 20", "Dee folds", "Ann calls")
    assert hand.street == "turn"
    hand.play("Ann bets 40")
    assert hand.to_act == "Cy"


@pytest.mark.law("B-4", "M-3")
def test_four_betting_rounds_and_then_the_showdown() -> None:
    hand = to_the_flop()
    for street in ("flop", "turn", "river"):
        assert hand.street == street
        hand.play("Ann checks", "Bo checks", "Cy checks", "Dee checks")
    assert hand.over
    assert hand.hand.showdown
    opened = [event.street for event in hand.events_of(BettingRoundOpened)]
    assert opened == ["pre-flop", "flop", "turn", "river"]


@pytest.mark.law("B-5", "F-4", "TL-7")
def test_one_player_acts_first() -> None:
    """Left of the big blind before the flop; afterwards the first live player left of the dealer."""
    hand = four()
    hand.play("Cy calls", "Dee calls", "Ann folds", "Bo checks")
    hand.play("Bo checks", "Cy checks", "Dee bets 10", "Bo folds", "Cy calls")
    opened = [hand.names[event.first_to_act] for event in hand.events_of(BettingRoundOpened)]
    assert opened == ["Cy", "Bo", "Cy"]


@pytest.mark.law("F-4", "TL-42")
def test_first_action_skips_all_in_players() -> None:
    hand = deal("no-limit hold'em 5/10", button="Dee", stacks=FOUR | {"Ann": 30})
    hand.play("Cy calls", "Dee calls", "Ann is all-in to 30", "Bo calls", "Cy calls", "Dee calls")
    assert (hand.street, hand.to_act) == ("flop", "Bo")


@pytest.mark.law("B-6")
def test_folded_player_has_no_claim_whatever_follows() -> None:
    """Ann folds what would have been quads: her chips stay in, the pot is the others'."""
    hand = to_the_flop(Ann="As Ad", Bo="Kc Kd", board="Ah Ac 7d 2s 3c")
    hand.play("Ann folds", "Bo bets 10", "Cy calls", "Dee folds", "Bo checks", "Cy checks", "Bo checks", "Cy checks")
    assert hand.wins == {"Bo": 60}
    assert hand.stacks["Ann"] == 990
    assert "Ann" not in hand.shown


@pytest.mark.law("B-6", "TL-36")
def test_folding_is_allowed_when_checking_is_free() -> None:
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
    assert hand.events_of(Checked)[-1] == Checked(hand.seat("Ann"))
    assert hand.pot == 40


@pytest.mark.law("TL-18", "B-8")
def test_bet_and_raise_commands_are_interchangeable() -> None:
    hand = to_the_flop()
    hand.play("Ann raises to 10")
    assert hand.events_of(BetTo)[-1].to == 10
    hand.play("Bo bets 30")
    assert hand.events_of(RaisedTo)[-1].to == 30


@pytest.mark.law("B-8", "L-8", "TL-1")
def test_a_raise_calls_and_adds() -> None:
    hand = four()
    hand.play("Cy raises to 30")
    hand.refuses("Dee raises to 30", RaiseTooSmall, law="L-8")
    hand.refuses("Dee raises to 49", RaiseTooSmall, law="L-8")
    assert hand.refuses("Dee raises to 1001", StackTooShort, law="TL-1").maximum == 1000
    hand.play("Dee raises to 50")
    assert hand.stacks["Dee"] == 950


@pytest.mark.law("B-9")
def test_raiser_called_by_all_cannot_raise_again() -> None:
    hand = four()
    hand.play("Cy raises to 30", "Dee calls", "Ann calls", "Bo calls")
    assert (hand.street, hand.to_act) == ("flop", "Ann")
    hand.refuses("Cy raises to 60", NotYourTurn, law="B-10")


@pytest.mark.law("B-10", "TL-34")
def test_nobody_acts_out_of_turn() -> None:
    """Every action out of turn is refused, and the refusal names the player to act."""
    hand = four()
    for line in ("Dee folds", "Dee checks", "Dee calls", "Dee raises to 30", "Ann is all-in"):
        assert hand.refuses(line, NotYourTurn, law="B-10").seat_number == 3
    hand.play("Cy calls")


@pytest.mark.law("B-10", "TL-37")
def test_player_not_dealt_in_cannot_act() -> None:
    hand = four()
    for stranger in (-1, 4, 9):
        with pytest.raises(NotDealtIn):
            decide_and_evolve(hand.hand, stranger, c.Fold())


@pytest.mark.law("B-11")
def test_a_turn_ends_only_with_a_whole_action() -> None:
    """A refused action moves no chip and no turn: the next is asked only when the chips are right."""
    hand = four()
    hand.play("Cy raises to 30")
    hand.refuses("Dee raises to 40", RaiseTooSmall)
    hand.refuses("Ann calls", NotYourTurn)
    hand.play("Dee calls 30", "Ann calls 25")
    assert [event.seat for event in hand.events_of(ActionOn)] == [hand.seat(name) for name in ("Dee", "Ann", "Bo")]


@pytest.mark.law("B-12", "C-1", "M-5")
def test_once_there_is_a_bet_nobody_checks() -> None:
    """Earlier checkers too must fold, call or raise."""
    hand = to_the_flop()
    hand.play("Ann checks", "Bo bets 20")
    refused = hand.refuses("Cy checks", CannotCheck, law="B-12")
    assert refused.to_call == 20
    hand.play("Cy folds", "Dee folds")
    assert hand.options == {"fold", "call 20", "raise to 40..990"}
    hand.refuses("Ann checks", CannotCheck, law="B-12")


@pytest.mark.law("C-3", "B-12")
def test_nobody_checks_against_the_blinds() -> None:
    hand = four()
    hand.refuses("Cy checks", CannotCheck, law="B-12")
    hand.play("Cy calls", "Dee calls")
    assert hand.refuses("Ann checks", CannotCheck, law="B-12").to_call == 5


@pytest.mark.law("C-1", "M-5", "N-2")
def test_betting_round_can_be_checked_through() -> None:
    """A check is a bet of nothing: all can follow, and the deal goes on."""
    hand = to_the_flop()
    hand.play("Ann checks", "Bo checks", "Cy checks", "Dee checks")
    assert (hand.street, hand.pot) == ("turn", 40)
    assert hand.events_of(BettingRoundClosed)[-1] == BettingRoundClosed()


@pytest.mark.law("B-13", "H-5")
def test_a_bet_names_its_amount() -> None:
    """A bet cannot be made without its amount, and the amount is a whole number of chips, at least one."""
    for verb in (c.Bet, c.RaiseTo):
        with pytest.raises(TypeError):
            verb()  # type: ignore[call-arg]
    hand = to_the_flop()
    for amount in ("0", "-3", "-1000000000000", "9999999999999999"):
        hand.refuses(f"Ann bets {amount}", NotAnAmount, law="H-5")
    with pytest.raises(NotWholeChips) as refusal:
        parse_chips("bet", "2.5")
    assert refusal.value.law == "H-5"


@pytest.mark.law("B-14", "B-10")
def test_a_folded_hand_is_dead() -> None:
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
    """All fold to the big blind, whose only bet is the forced one: the pot is theirs."""
    hand = four()
    hand.play("Cy folds", "Dee folds", "Ann folds")
    assert hand.over
    assert hand.wins == {"Bo": 10}
    assert hand.stacks == {"Ann": 995, "Bo": 1005, "Cy": 1000, "Dee": 1000}
    assert hand.shown == []
    assert hand.hand.burn_indices == ()


@pytest.mark.law("B-18")
def test_a_bet_that_nobody_meets_takes_the_pot() -> None:
    hand = to_the_flop()
    hand.play("Ann bets 200", "Bo folds", "Cy folds", "Dee folds")
    assert hand.wins == {"Ann": 40}
    assert hand.hand.uncalled_bet_returned == (hand.seat("Ann"), 200)


@pytest.mark.law("TL-35", "B-14")
def test_nothing_more_happens_in_a_finished_hand() -> None:
    hand = four()
    hand.play("Cy folds", "Dee folds", "Ann folds")
    for line in ("Bo checks", "Cy calls", "Bo raises to 50", "Bo mucks"):
        hand.refuses(line, HandOver, law="TL-35")


@pytest.mark.law("TL-35", "I-9")
@pytest.mark.parametrize("announce", ["binding", "void_without_chips"])
def test_announced_action_takes_effect_at_once(announce: str) -> None:
    """One message is one whole action: saying the bet puts its chips in, so nothing is announced without chips, and saying it again
    comes too late."""
    hand = deal("no-limit hold'em 5/10", button="Dee", stacks=FOUR, options={"announce": announce})
    turn = hand.hand.decision_number
    hand.play("Cy raises to 30")
    assert hand.stacks["Cy"] == 970
    assert hand.hand.decision_number == turn + 1
    hand.refuses("Cy raises to 30", NotYourTurn)
    hand.refuses("Cy raises to 60", NotYourTurn)


@pytest.mark.law("M-1", "D-9", "K-6")
def test_two_cards_each_dealt_singly_from_the_dealers_left() -> None:
    hand = four()
    (dealt,) = hand.events_of(DealtDown)
    assert (dealt.count, dealt.first_card_index, dealt.first_seat) == (2, 0, 0)
    assert hand.names == ("Ann", "Bo", "Cy", "Dee"), "the dealer is the last"
    assert hand.hand.down_indices == ((0, 4), (1, 5), (2, 6), (3, 7))


@pytest.mark.law("M-1", "A-12")
def test_cards_come_after_the_blinds() -> None:
    kinds = [type(event).__name__ for event in four().events]
    assert kinds == ["HandStarted", "Posted", "Posted", "AllPosted", "DealtDown", "BettingRoundOpened"]


@pytest.mark.law("M-2", "M-3", "TL-28")
def test_one_burn_before_each_street_and_no_card_twice() -> None:
    hand = to_the_flop()
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks", "Dee checks")
    board = hand.hand.board_indices[0]
    assert [event.card_index for event in hand.events_of(Burned)] == [8, 12, 14]
    assert board == (9, 10, 11, 13, 15), "three, one and one, each after its burn"
    used = [*hand.hand.burn_indices, *board, *(place for places in hand.hand.down_indices for place in places)]
    assert len(set(used)) == len(used)


@pytest.mark.law("TL-28")
def test_a_burned_card_is_shown_to_nobody() -> None:
    hand = to_the_flop()
    burned = hand.hand.deck[hand.hand.burn_indices[0]]
    for viewer in (None, *hand.names):
        seen = hand.view(viewer)
        assert burned not in [card.card for seat in seen.seats for card in seat.cards]
        assert burned not in seen.boards[0]


@pytest.mark.law("M-5", "VB-6")
def test_after_the_flop_check_bet_or_fold_until_a_bet() -> None:
    hand = to_the_flop()
    assert hand.options == {"check", "fold", "bet 10..990"}
    hand.play("Ann checks", "Bo bets 10")
    assert hand.options == {"fold", "call 10", "raise to 20..990"}


@pytest.mark.law("TL-8", "F-4", "VB-6")
def test_two_alone() -> None:
    """The button posts the small blind, is dealt last, acts first before the flop and last after it."""
    hand = deal("no-limit hold'em 5/10", button="Ann", stacks={"Ann": 1000, "Bo": 1000})
    assert hand.bets == {"Ann": 5, "Bo": 10}
    assert hand.names == ("Bo", "Ann")
    assert hand.hand.down_indices == ((0, 2), (1, 3))
    assert hand.to_act == "Ann"
    hand.play("Ann calls", "Bo checks")
    assert (hand.street, hand.to_act) == ("flop", "Bo")


@pytest.mark.law("TL-39")
def test_every_prompt_shows_the_call_and_all_stacks() -> None:
    hand = four()
    hand.play("Cy raises to 30")
    seen = hand.view()
    assert seen.legal_to_act is not None
    assert (seen.current_bet, seen.legal_to_act.to_call, seen.legal_to_act.call_chips, seen.pot) == (30, 30, 30, 45)
    assert [(seat.stack, seat.bet) for seat in seen.seats] == [(995, 5), (990, 10), (970, 30), (1000, 0)]
