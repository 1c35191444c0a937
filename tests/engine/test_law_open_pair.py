"""An open pair on fourth street, where the table plays it: the player who shows it, and those after them, choose the small or the big bet.

Laws: VC-5 (WSOP-L 220, RR Seven-Card Stud).
"""

import pytest
from msgspec.structs import replace

from bot.engine.refusals import RaisesCapped, StackTooShort, WrongSize
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.variants import game
from bot.variants.customise import change_option
from tests.support.told import Told, deal

ROUND = {"Ann": 500, "Bo": 500, "Cy": 500}
STAKES = Stakes(ante=1, bring_in=2, small_bet=5, big_bet=10)
NINES = {"Ann": "As Kh 2c 7d", "Bo": "Ah Qs 9c 9d", "Cy": "Ks Jh 3d Td"}
"""Bo shows a pair of nines on fourth street, where everybody has two cards up; Ann brings in."""


def open_pair_card(key: str = "stud", **options: str) -> RuleCard:
    card = game(key)
    card, chosen = change_option(card, card.options, "sheet.pair_doubles", "on")
    for name, value in options.items():
        card, chosen = change_option(card, chosen, name, value)
    return replace(card, options=chosen)


def fourth_street(cards: dict[str, str] = NINES, stacks: dict[str, int] = ROUND, **options: str) -> Told:
    """All have called the bring-in of 2; Cy has the button."""
    hand = deal(open_pair_card(**options), button="Cy", stacks=stacks, cards=cards, stakes=STAKES)
    hand.play("Ann brings in 2", "Bo calls", "Cy calls")
    assert hand.street == "fourth street"
    return hand


@pytest.mark.law("VC-5")
def test_open_pair_can_bet_small_or_big() -> None:
    hand = fourth_street()
    assert (hand.to_act, hand.options) == ("Bo", {"check", "fold", "bet 5 or 10"})
    refusal = hand.refuses("Bo bets 7", WrongSize, law="L-7")
    assert (refusal.required, refusal.or_required) == (5, 10)


@pytest.mark.law("VC-5", "VB-9")
@pytest.mark.parametrize(
    ("game", "shown", "options"),
    [
        ("stud + deuces wild", "9c 2d", {"check", "fold", "bet 5 or 10"}),
        ("stud + joker bug", "Ac Jk", {"check", "fold", "bet 5 or 10"}),
        ("stud + joker bug", "9c Jk", {"check", "fold", "bet 5"}),
    ],
)
def test_wild_card_on_show_makes_an_open_pair(game: str, shown: str, options: set[str]) -> None:
    """Nine and deuce are a pair of nines where deuces are wild; the bug pairs an ace alone."""
    cards = {"Ann": "As Kh 3c 7d", "Bo": f"Ah Qs {shown}", "Cy": "Ks Jh 4d Td"}
    hand = deal(open_pair_card(game), button="Cy", stacks=ROUND, cards=cards, stakes=STAKES)
    hand.play("Ann brings in 2", "Bo calls", "Cy calls")
    assert (hand.to_act, hand.options) == ("Bo", options)


@pytest.mark.law("VC-5", "L-7")
def test_after_a_small_bet_raises_are_small_or_big() -> None:
    hand = fourth_street()
    hand.play("Bo bets 5")
    assert hand.options == {"fold", "call 5", "raise to 10 or 15"}
    hand.play("Cy raises to 10")
    assert hand.options == {"fold", "call 10", "raise to 15 or 20"}


@pytest.mark.law("VC-5", "L-7")
def test_after_a_big_bet_all_raises_are_big() -> None:
    hand = fourth_street()
    hand.play("Bo bets 10")
    assert hand.options == {"fold", "call 10", "raise to 20"}
    hand.refuses("Cy raises to 15", WrongSize, law="L-7")


@pytest.mark.law("VC-5", "L-7", "L-10")
def test_after_a_big_raise_all_raises_are_big() -> None:
    hand = fourth_street()
    hand.play("Bo bets 5", "Cy raises to 15")
    assert hand.options == {"fold", "call 15", "raise to 25"}
    hand.play("Ann raises to 25", "Bo raises to 35")
    hand.refuses("Cy raises to 45", RaisesCapped, law="L-10")


@pytest.mark.law("VC-5")
def test_pair_that_checks_or_folds_leaves_the_choice() -> None:
    for does in ("checks", "folds"):
        hand = fourth_street()
        hand.play(f"Bo {does}")
        assert hand.options == {"check", "fold", "bet 5 or 10"}


@pytest.mark.law("VC-5")
def test_without_an_open_pair_there_is_one_size() -> None:
    hand = fourth_street(NINES | {"Bo": "Ah 9s 9c Qd"})
    assert hand.options == {"check", "fold", "bet 5"}


@pytest.mark.law("VC-5")
def test_pair_of_a_folded_hand_changes_nothing() -> None:
    hand = deal(open_pair_card(), button="Cy", stacks=ROUND, cards=NINES, stakes=STAKES)
    hand.play("Ann brings in 2", "Bo folds", "Cy calls")
    assert hand.options == {"check", "fold", "bet 5"}


@pytest.mark.law("VC-5", "TL-42")
def test_all_in_pair_leaves_the_choice_to_the_next() -> None:
    hand = fourth_street(stacks=ROUND | {"Bo": 3})
    assert (hand.to_act, hand.options) == ("Cy", {"check", "fold", "bet 5 or 10"})


@pytest.mark.law("VC-5", "F-6")
def test_players_before_the_pair_have_the_small_bet() -> None:
    """Where left of the dealer acts first later on, Ann comes before Bo, who shows the pair."""
    hand = fourth_street(first_n="left_of_dealer")
    assert (hand.to_act, hand.options) == ("Ann", {"check", "fold", "bet 5"})
    hand.play("Ann checks")
    assert (hand.to_act, hand.options) == ("Bo", {"check", "fold", "bet 5 or 10"})
    hand.play("Bo checks", "Cy bets 10")
    assert (hand.to_act, hand.options) == ("Ann", {"fold", "call 10", "raise to 20"})


@pytest.mark.law("VC-5", "L-7")
def test_later_streets_have_the_big_bet_alone() -> None:
    hand = fourth_street()
    hand.play("Bo bets 5", "Cy calls", "Ann calls")
    assert (hand.street, hand.options) == ("fifth street", {"check", "fold", "bet 10"})


@pytest.mark.law("VC-5", "TL-3", "TL-6")
@pytest.mark.parametrize(
    ("left", "options"),
    [
        (4, {"check", "fold", "all-in to 4"}),
        (7, {"check", "fold", "bet 5 or 7"}),
        (10, {"check", "fold", "bet 5 or 10"}),
    ],
)
def test_short_stack_chooses_what_it_has(left: int, options: set[str]) -> None:
    hand = fourth_street(stacks=ROUND | {"Bo": 3 + left})
    assert hand.options == options
    if left == 7:
        hand.refuses("Bo bets 6", WrongSize, law="L-7")
        hand.refuses("Bo bets 10", StackTooShort)
        hand.play("Bo is all-in to 7")
        assert hand.options == {"fold", "call 7", "raise to 17"}


@pytest.mark.law("VC-5", "TL-41")
def test_timeout_of_the_pair_checks() -> None:
    hand = fourth_street()
    hand.play("Bo says nothing")
    assert hand.to_act == "Cy"


@pytest.mark.law("VC-5", "I-8")
def test_chips_out_of_turn_are_one_of_both_sizes() -> None:
    hand = fourth_street(out_of_turn="hold")
    hand.refuses("Cy bets 7", WrongSize, law="L-7")
    hand.play("Cy bets 10", "Bo checks")
    assert hand.bets == {"Cy": 10}
    assert (hand.to_act, hand.options) == ("Ann", {"fold", "call 10", "raise to 20"})


@pytest.mark.law("VC-5", "L-6", "VB-12")
def test_doubling_ladder_leaves_no_choice_to_an_open_pair() -> None:
    """There is no small and no big bet on the ladder: after a bet of 4 the raise is to 12, also for who shows a pair."""
    card = open_pair_card("stud + doubling")
    hand = deal(card, button="Cy", stacks=ROUND, cards=NINES, stakes=Stakes(ante=2, bring_in=2, doublings=3))
    hand.play("Ann brings in 2", "Bo calls", "Cy calls")
    assert (hand.to_act, hand.options) == ("Bo", {"check", "fold", "bet 4"})
    hand.play("Bo bets 4")
    assert hand.options == {"fold", "call 4", "raise to 12"}
