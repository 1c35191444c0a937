"""The laws of all-ins and pots: short stacks, side pots, uncalled bets, straddles and dead money (TL-2 to TL-19, TL-42)."""

import pytest

from bot.engine.betting.pots import pots
from bot.engine.events import ActionOn, BettingRoundClosed, Payment, Posted, PotsPaid
from bot.engine.refusals import (
    BettingNotReopened,
    CannotCall,
    NobodyCanCallMore,
    NobodyToRaise,
    NotYourTurn,
    RaiseTooSmall,
    StackTooShort,
)
from bot.engine.stakes import Stakes
from tests.support.told import deal

DEEP = {"Ann": 5000, "Bo": 5000, "Cy": 5000, "Dee": 5000}
ACES, KINGS, QUEENS, JACKS = "As Ad", "Ks Kd", "Qs Qd", "Js Jd"
DULL = "2c 7d 8h 3s 4c"


@pytest.mark.law("TL-4")
def test_a_short_all_in_does_not_reopen_the_betting() -> None:
    """Facing less than a full raise, a player who has acted can call or fold."""
    hand = deal("no-limit hold'em 100/200", button="Ann", stacks={"Ann": 5000, "Bo": 5000, "Cy": 1300})
    hand.play("Ann raises to 1000", "Bo calls", "Cy is all-in to 1300")
    assert hand.to_act == "Ann"
    assert hand.options == {"fold", "call 300"}
    assert hand.legal("Ann").no_raise_law == "TL-4"
    hand.refuses("Ann raises to 3000", BettingNotReopened, law="TL-4")


@pytest.mark.law("TL-4")
def test_checker_cannot_raise_a_short_bet() -> None:
    """After the flop Ann checks and Bo is all-in for less than the minimum bet: she can call or fold; Cy, yet to act, can raise."""
    hand = deal("no-limit hold'em 100/200", button="Cy", stacks={"Ann": 5000, "Bo": 320, "Cy": 5000})
    hand.play("Cy calls", "Ann calls", "Bo checks", "Ann checks", "Bo is all-in for 120")
    assert hand.options == {"fold", "call 120", "raise to 320..4800"}
    hand.play("Cy calls 120")
    hand.refuses("Ann raises to 400", BettingNotReopened)


@pytest.mark.law("TL-5", "TL-3")
def test_minimum_raise_over_short_opening_is_one_big_blind() -> None:
    """Blind 100: an all-in of 20 opens; the next raise is to 120."""
    hand = deal("no-limit hold'em 50/100", button="Cy", stacks={"Ann": 120, "Bo": 5000, "Cy": 5000})
    hand.play("Cy calls", "Ann calls", "Bo checks", "Ann is all-in for 20")
    assert hand.options == {"fold", "call 20", "raise to 120..4900"}
    hand.refuses("Bo raises to 119", RaiseTooSmall, law="L-8")


@pytest.mark.law("TL-3", "B-7")
def test_short_stack_calls_for_what_it_has() -> None:
    hand = deal("no-limit hold'em 50/100", button="Cy", stacks={"Ann": 5000, "Bo": 5000, "Cy": 70})
    assert hand.options == {"fold", "call 70 all-in"}
    hand.play("Cy calls all-in")
    assert hand.highest_bet == 100, "the others still meet the whole big blind"
    assert hand.options == {"fold", "call 50", "raise to 200..5000"}


@pytest.mark.law("TL-7", "TL-42")
def test_short_big_blind_costs_others_a_full_one() -> None:
    hand = deal("no-limit hold'em 50/100", button="Dee", stacks=DEEP | {"Bo": 30})
    assert hand.bets == {"Ann": 50, "Bo": 30}
    assert hand.options == {"fold", "call 100", "raise to 200..5000"}
    hand.play("Cy calls", "Dee folds", "Ann calls 50")
    assert hand.pots == ((90, "Ann Bo Cy"), (140, "Ann Cy"))


@pytest.mark.law("TL-7", "TL-16")
def test_against_a_short_big_blind_alone_the_rest_comes_back() -> None:
    hand = deal(
        "no-limit hold'em 50/100",
        button="Ann",
        stacks={"Ann": 1000, "Bo": 30},
        cards={"Ann": KINGS, "Bo": ACES},
        board=DULL,
    )
    assert hand.over, "the small blind covers what is to call: nothing is left to decide"
    assert hand.hand.uncalled_bet_returned == (hand.seat("Ann"), 20)
    assert hand.wins == {"Bo": 60}


@pytest.mark.law("TL-42", "TL-7")
def test_forced_money_is_posted_short() -> None:
    hand = deal(
        "no-limit hold'em",
        button="Dee",
        stacks=DEEP | {"Ann": 3, "Cy": 7},
        stakes=Stakes(small_blind=50, big_blind=100, ante=10),
    )
    paid = [(hand.names[post.seat], str(post.kind), post.chips) for post in hand.events_of(Posted)]
    assert paid == [
        ("Ann", "ante", 3), ("Bo", "ante", 10), ("Cy", "ante", 7), ("Dee", "ante", 10),
        ("Ann", "small blind", 0), ("Bo", "big blind", 100),
    ]  # fmt: skip
    assert hand.to_act == "Dee", "a player all-in for the ante does not act"


@pytest.mark.law("TL-14")
def test_big_blind_is_paid_before_the_big_blind_ante() -> None:
    """With 120 chips Bo posts 100 and antes what is left; the ante is no part of the bet."""
    hand = deal(
        "no-limit hold'em", button="Dee", stacks=DEEP | {"Bo": 120},
        options={"blinds_ante": "big_blind"}, stakes=Stakes(small_blind=50, big_blind=100, ante=100),
    )  # fmt: skip
    assert [(post.kind, post.chips) for post in hand.events_of(Posted)] == [
        ("small blind", 50),
        ("big blind", 100),
        ("dead post", 20),
    ]
    assert hand.bets == {"Ann": 50, "Bo": 100}
    assert (hand.highest_bet, hand.pot) == (100, 170)
    assert hand.options == {"fold", "call 100", "raise to 200..5000"}


@pytest.mark.law("TL-10", "F-4")
def test_returning_post_is_live_and_missed_small_blind_dead() -> None:
    """Dee posts a live 100 and a dead 50: Cy still acts first, and Dee can check or raise when only called."""
    hand = deal(
        "no-limit hold'em 50/100",
        button="Eve",
        stacks=DEEP | {"Eve": 5000},
        posts=("Dee posts 100", "Dee posts 50 dead"),
    )
    assert (hand.to_act, hand.pot, hand.highest_bet) == ("Cy", 300, 100)
    hand.play("Cy folds")
    assert hand.options == {"fold", "check", "raise to 200..4950"}


@pytest.mark.law("TL-13")
def test_live_straddle_acts_last_and_sets_the_minimum_raise() -> None:
    """Cy, under the gun, straddles 200: Dee acts first, the minimum raise is to 300, and Cy has the option."""
    hand = deal("no-limit hold'em 50/100", button="Dee", stacks=DEEP, posts=("Cy straddles 200",))
    assert (hand.to_act, hand.highest_bet) == ("Dee", 200)
    assert hand.options == {"fold", "call 200", "raise to 300..5000"}
    hand.refuses("Dee raises to 299", RaiseTooSmall, law="L-8")
    hand.play("Dee calls", "Ann calls 150", "Bo calls 100")
    assert hand.to_act == "Cy"
    assert hand.options == {"fold", "check", "raise to 300..5000"}
    hand.play("Cy checks")
    assert hand.options == {"check", "fold", "bet 100..4800"}, "later the minimum bet is the big blind"


@pytest.mark.law("TL-13")
def test_a_straddle_on_the_button_acts_last() -> None:
    hand = deal("no-limit hold'em 50/100", button="Dee", stacks=DEEP, posts=("Dee straddles 200",))
    assert hand.to_act == "Ann"
    hand.play("Ann calls", "Bo calls", "Cy calls")
    assert hand.to_act == "Dee"
    assert "check" in hand.options


@pytest.mark.law("TL-13", "TL-17")
def test_a_live_straddle_is_not_a_raise() -> None:
    """In limit hold'em 5/10 with a straddle of 20 the three raises of the cap remain."""
    hand = deal("limit hold'em 5/10", button="Dee", stacks=DEEP, posts=("Cy straddles 20",))
    hand.play("Dee raises to 30", "Ann raises to 40", "Bo raises to 50")
    assert hand.options == {"fold", "call 30"}


@pytest.mark.law("AT-20", "TL-15", "TL-16")
def test_side_pots_of_25_60_and_100() -> None:
    """A 25 all-in, B 60 all-in, C 100, D folded at 40: main pot 100 for A B C, side pot 85 for B C, and 40 back to C."""
    hand = deal(
        "no-limit hold'em 5/10", button="C", stacks={"D": 500, "A": 25, "B": 60, "C": 500},
        cards={"A": ACES, "B": KINGS, "C": QUEENS}, board=DULL,
    )  # fmt: skip
    hand.play(
        "B calls", "C calls", "D raises to 40", "A is all-in to 25", "B is all-in to 60", "C raises to 100", "D folds"
    )
    assert hand.over
    assert hand.hand.uncalled_bet_returned == (hand.seat("C"), 40)
    assert hand.pots == ((100, "A B C"), (85, "B C"))
    assert hand.wins == {"A": 100, "B": 85}


@pytest.mark.law("AT-20", "TL-15", "TDA 21")
def test_a_700_all_in_against_two_of_1700() -> None:
    """Main pot 2100, side pot 2000 (TDA 16, example 3)."""
    hand = deal(
        "no-limit hold'em 50/100", button="A", stacks={"A": 700, "B": 1700, "C": 1700},
        cards={"A": JACKS, "B": KINGS, "C": QUEENS}, board=DULL,
    )  # fmt: skip
    hand.play("A is all-in for 700", "B is all-in for 1700", "C calls all-in")
    assert hand.pots == ((2100, "B C A"), (2000, "B C"))
    assert hand.wins == {"B": 4100}


@pytest.mark.law("AT-20", "TL-15")
def test_side_pots_of_25_60_100_and_a_folded_10() -> None:
    """A 25, B 60, C 100, D 100, E folded at 10: 110, 105 and 80."""
    hand = deal(
        "no-limit hold'em 5/10", button="A", stacks={"A": 25, "D": 100, "E": 300, "B": 60, "C": 100},
        cards={"A": ACES, "B": KINGS, "C": QUEENS, "D": JACKS}, board=DULL,
    )  # fmt: skip
    hand.play("B is all-in for 60", "C is all-in for 100", "A calls all-in", "D calls all-in", "E folds")
    assert hand.pots == ((110, "D B C A"), (105, "D B C"), (80, "D C"))
    assert hand.wins == {"A": 110, "B": 105, "C": 80}


@pytest.mark.law("AT-20", "TL-15", "I-7")
def test_pots_are_a_function_of_what_was_put_in() -> None:
    """Chips of who folded stay in the layers they reached; dead chips are in the main pot."""
    live = 0b00111
    assert [(pot.chips, pot.eligible_seats) for pot in pots((25, 60, 60, 40, 0), live)] == [(100, 0b111), (85, 0b110)]
    assert [pot.chips for pot in pots((25, 60, 60, 40, 0), live, dead=9)] == [109, 85]
    assert [pot.chips for pot in pots((10, 10, 500), 0b011)] == [520], "a folded player's excess is the last layer's"


@pytest.mark.law("TL-15", "TL-22")
def test_last_side_pot_is_settled_first() -> None:
    hand = deal(
        "no-limit hold'em 50/100", button="A", stacks={"A": 700, "B": 1700, "C": 1700},
        cards={"A": ACES, "B": KINGS, "C": QUEENS}, board=DULL,
    )  # fmt: skip
    hand.play("A is all-in for 700", "B is all-in for 1700", "C calls all-in")
    (paid,) = hand.events_of(PotsPaid)
    assert [(payment.pot_index, hand.names[payment.seat], payment.chips) for payment in paid.payments] == [
        (1, "B", 2000),
        (0, "A", 2100),
    ]


@pytest.mark.law("TL-16", "B-9")
def test_uncalled_bet_is_returned_before_the_showdown() -> None:
    hand = deal(
        "no-limit hold'em 50/100",
        button="Ann",
        stacks={"Ann": 5000, "Bo": 800},
        cards={"Ann": KINGS, "Bo": ACES},
        board=DULL,
    )
    hand.play("Ann raises to 3000", "Bo calls all-in")
    assert hand.events_of(BettingRoundClosed)[0] == BettingRoundClosed(hand.seat("Ann"), 2200)
    assert hand.pots == ((1600, "Bo Ann"),)
    assert hand.wins == {"Bo": 1600}
    assert hand.stacks == {"Bo": 1600, "Ann": 4200}


@pytest.mark.law("TL-17", "L-8")
def test_no_limit_raises_are_not_counted() -> None:
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks={"Ann": 5000, "Bo": 5000, "Cy": 5000}, options={"raise_cap": "3"}
    )
    around = ("Cy", "Ann", "Bo") * 4
    hand.play(*(f"{name} raises to {to}" for name, to in zip(around, range(20, 140, 10), strict=True)))
    assert hand.highest_bet == 130


@pytest.mark.law("TL-42")
def test_nobody_raises_where_every_other_is_all_in() -> None:
    hand = deal("no-limit hold'em 50/100", button="Ann", stacks={"Ann": 300, "Bo": 5000})
    hand.play("Ann is all-in for 300")
    assert hand.options == {"fold", "call 200"}
    assert hand.legal("Bo").no_raise_law == "TL-42"
    hand.refuses("Bo raises to 600", NobodyToRaise, law="TL-42")


@pytest.mark.law("TL-42")
def test_nobody_raises_what_no_other_could_call() -> None:
    """Ann is all-in for 300, which is all that Cy has: what Bo puts in beyond it could only come back."""
    hand = deal("no-limit hold'em 50/100", button="Ann", stacks={"Ann": 300, "Bo": 5000, "Cy": 300})
    hand.play("Ann is all-in for 300")
    assert hand.options == {"fold", "call 250"}
    assert hand.legal("Bo").no_raise_law == "TL-42"
    hand.refuses("Bo raises to 600", NobodyCanCallMore, law="TL-42")
    hand.play("Bo calls 250", "Cy calls all-in")
    assert sum(event.returned for event in hand.events_of(BettingRoundClosed)) == 0
    assert sum(hand.wins.values()) == 900


@pytest.mark.law("TL-42")
def test_one_chip_more_than_the_call_can_be_raised() -> None:
    hand = deal("no-limit hold'em 50/100", button="Ann", stacks={"Ann": 300, "Bo": 5000, "Cy": 301})
    hand.play("Ann is all-in for 300")
    assert hand.options == {"fold", "call 250", "raise to 500..5000"}


@pytest.mark.law("TL-42", "L-4")
def test_an_ante_that_cannot_be_called_is_opened() -> None:
    """Nobody has more than Ann's ante of 10 but Bo; they open it at double all the same, as nobody can call it."""
    hand = deal("old_english", button="Cy", stacks={"Ann": 10, "Bo": 500, "Cy": 10}, stakes=Stakes(ante=10, limit=100))
    hand.play("Bo declines")
    assert hand.to_act == "Bo"
    assert hand.options == {"fold", "raise to 20..110"}


@pytest.mark.law("TL-42", "AT-22", "TL-32")
def test_all_in_players_are_never_asked_again() -> None:
    """No clock runs for a player without chips; their hand plays to the showdown."""
    hand = deal(
        "no-limit hold'em 50/100",
        button="Cy",
        stacks={"Ann": 5000, "Bo": 300, "Cy": 5000},
        cards={"Ann": KINGS, "Bo": ACES, "Cy": QUEENS},
        board=DULL,
    )
    hand.play("Cy raises to 300", "Ann calls", "Bo calls all-in")
    hand.refuses("Bo folds", NotYourTurn)
    hand.play("Ann checks", "Cy bets 100", "Ann calls", "Ann checks", "Cy checks", "Ann checks", "Cy checks")
    asked = [hand.names[event.seat] for event in hand.events_of(ActionOn)]
    assert asked.count("Bo") == 1
    assert hand.wins["Bo"] == 900


@pytest.mark.law("B-7", "VB-13")
def test_a_strict_table_knows_no_all_in() -> None:
    """Under the strict old laws a player who cannot call must fold, and side pots never arise."""
    hand = deal("no-limit hold'em 50/100", button="Cy", stacks=DEEP | {"Dee": 200}, options={"stakes": "open_purse"})
    hand.play("Bo raises to 600", "Cy calls")
    assert hand.options == {"fold"}
    refused = hand.refuses("Dee calls", CannotCall, law="B-7")
    assert (refused.to_call, refused.stack) == (550, 150)
    hand.refuses("Dee is all-in", CannotCall, law="B-7")


@pytest.mark.law("TL-3", "VB-13")
def test_raise_below_the_call_is_refused_with_its_own_reason() -> None:
    """They have the chips they name, but it is no raise. The refusal tells what they can do instead."""
    hand = deal("no-limit hold'em 5/10", button="Cy", stacks={"Ann": 500, "Bo": 500, "Cy": 8})
    refused = hand.refuses("Cy raises to 8", RaiseTooSmall, law="TL-3")
    assert (refused.minimum, hand.options) == (20, {"fold", "call 8 all-in"})
    assert hand.refuses("Cy raises to 9", StackTooShort).maximum == 8
    hand = deal(
        "no-limit hold'em 5/10", button="Cy", stacks={"Ann": 500, "Bo": 500, "Cy": 15}, options={"stakes": "open_purse"}
    )
    assert hand.refuses("Cy raises to 15", RaiseTooSmall, law="B-7").minimum == 20


@pytest.mark.law("L-6", "TL-6", "TL-42")
@pytest.mark.parametrize(("stack", "next_to"), [(3, 6), (4, 8)])
def test_all_in_below_half_does_not_advance_the_ladder(stack: int, next_to: int) -> None:
    """Ladder 1, 2, 4, 8: a raise of 4 over the blind of 2 is due. All-in to 3 (by one) can be completed to 6; to 4 (by two) it is a
    raise, and the next is 8 more."""
    hand = deal(
        "no-limit hold'em", button="Dee", stacks={"Ann": 200, "Bo": 200, "Cy": stack, "Dee": 200},
        options={"limit": "doubling_flat", "min_raise": "by_ladder", "raise_cap": "none"},
        stakes=Stakes(small_blind=1, big_blind=2, doublings=3),
    )  # fmt: skip
    hand.play(f"Cy is all-in to {stack}")
    assert hand.legal("Dee").max_to == (next_to if stack == 3 else 4 + 8)


@pytest.mark.law("TL-19")
@pytest.mark.parametrize(("counts", "cap"), [("off", 700), ("on", 800)])
def test_small_blind_can_count_as_big_in_pot_limit(counts: str, cap: int) -> None:
    """A house option: then the opening cap is four times the big blind."""
    hand = deal("pot-limit hold'em 100/200", button="Dee", stacks=DEEP, options={"small_counts_as_big": counts})
    assert hand.legal("Cy").max_to == cap


@pytest.mark.law("TL-23", "Q-4")
def test_odd_chips_of_each_pot_go_left_of_the_button() -> None:
    """Three equal hands share 1,001 dead and live chips: the odd ones go one each to the first seats left of the button."""
    hand = deal(
        "no-limit hold'em 50/100", button="Cy", stacks={"Ann": 1000, "Bo": 1000, "Cy": 1000},
        cards={"Ann": "2c 3c", "Bo": "2d 3d", "Cy": "2h 3h"}, board="As Ks Qd Jd Th", carried=2,
    )  # fmt: skip
    hand.play("Cy raises to 200", "Ann calls", "Bo calls")
    for _ in range(3):
        hand.play("Ann checks", "Bo checks", "Cy checks")
    assert hand.wins == {"Ann": 201, "Bo": 201, "Cy": 200}
    (paid,) = hand.events_of(PotsPaid)
    assert [payment.odd_chips for payment in paid.payments if isinstance(payment, Payment)] == [1, 1, 0]


@pytest.mark.law("TL-6", "TL-4")
@pytest.mark.parametrize(("all_in", "options"), [(30, {"fold", "call 10", "raise to 50"}), (29, {"fold", "call 9"})])
def test_limit_betting_reopens_from_half_a_raise_all_in(all_in: int, options: set[str]) -> None:
    """Bets of 20: Ann bets, Bo is all-in over it, Cy folds."""
    hand = deal("limit hold'em 10/20", button="Cy", stacks={"Ann": 500, "Bo": 20 + all_in, "Cy": 500})
    hand.play("Cy calls", "Ann calls", "Bo checks", "Ann bets 20", f"Bo is all-in to {all_in}", "Cy calls")
    assert hand.options == options


@pytest.mark.law("TL-6", "TL-17", "L-10")
def test_a_completed_short_all_in_counts_as_one_raise() -> None:
    """Bo's all-in of 25 over a bet of 20 is no raise; Cy's completion to 40 is the first of three."""
    stacks = {"Ann": 500, "Bo": 45, "Cy": 500, "Dee": 500}
    hand = deal("limit hold'em 10/20", button="Dee", stacks=stacks)
    hand.play("Cy calls", "Dee calls", "Ann calls", "Bo checks")
    hand.play("Ann bets 20", "Bo is all-in to 25", "Cy raises to 40", "Dee raises to 60", "Ann raises to 80")
    assert hand.options == {"fold", "call 40"}


@pytest.mark.law("TL-15", "B-6")
def test_folded_chips_stay_in_every_pot_they_reached() -> None:
    """Ann is all-in for 100, Bo and Cy go on to 300 each, then Bo folds: Bo's chips lie in both pots, and only Cy plays for the second."""
    hand = deal(
        "no-limit hold'em 5/10",
        button="Cy",
        stacks={"Ann": 100, "Bo": 500, "Cy": 500},
        cards={"Ann": ACES, "Cy": KINGS},
        board=DULL,
    )
    hand.play(
        "Cy raises to 100",
        "Ann calls all-in",
        "Bo calls",
        "Bo bets 200",
        "Cy calls",
        "Bo bets 50",
        "Cy raises to 150",
        "Bo folds",
    )
    assert hand.hand.uncalled_bet_returned == (hand.seat("Cy"), 100)
    assert hand.pots == ((300, "Ann Cy"), (500, "Cy"))
    assert hand.wins == {"Ann": 300, "Cy": 500}
