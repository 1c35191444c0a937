"""The special rules of the modern games, in hands with chosen cards (laws Part C)."""

import pytest

from bot.engine.refusals import RaisesCapped, RaiseTooLarge, TooManyCards, WrongSize
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal

BLINDS = Stakes(small_blind=5, big_blind=10)
STUD = Stakes(ante=1, small_bet=10, big_bet=20, bring_in=3)
TWO = {"Ann": 500, "Bo": 500}


def heads_up(game: str, ann: str, bo: str, board: str = "", **more: object) -> Told:
    """Ann has the button and the small blind."""
    return deal(game, button="Ann", stacks=TWO, cards={"Ann": ann, "Bo": bo}, board=board, stakes=BLINDS, **more)  # type: ignore[arg-type]


def checked_down(hand: Told) -> Told:
    """Play a hand in which the small blind calls and nobody bets or draws."""
    hand.play("Ann calls", "Bo checks")
    while not hand.over:
        hand.play(f"{hand.to_act} {'stands pat' if 'check' not in hand.options else 'checks'}")
    return hand


# Omaha


@pytest.mark.law("VC-1")
def test_omaha_plays_exactly_two_hole_cards() -> None:
    """Ann holds the ace of the flush and one more heart is missing; Bo's pair of sevens is two own cards."""
    hand = checked_down(heads_up("omaha", "Ah Kc Qd 2s", "7c 7d 3s 4s", "2h 5h 8h Jh 9c"))
    assert hand.wins == {"Bo": 20}
    assert hand.legal("Ann").max_to == 0


@pytest.mark.law("VC-2", "TL-43")
@pytest.mark.parametrize(
    ("board", "wins"),
    [
        ("2h 3d 4s Kc Kh", {"Ann": 10, "Bo": 10}),  # a low: A-5 with 4-3-2
        ("2h 3d Js Kc Kh", {"Bo": 20}),  # two low cards on the board make none
    ],
)
def test_omaha_eight_halves_the_pot_only_with_a_low(board: str, wins: dict[str, int]) -> None:
    hand = checked_down(heads_up("omaha8", "As 5c 9d Tc", "Ks 4c Jc Td", board))
    assert hand.wins == wins


@pytest.mark.law("VC-1", "TL-19")
def test_omaha_is_pot_limit() -> None:
    hand = deal("omaha", button="D", stacks=dict.fromkeys("ABCD", 500), stakes=BLINDS)
    assert hand.options == {"fold", "call 10", "raise to 20..35"}
    hand.refuses("C raises to 36", RaiseTooLarge, law="TL-19")


@pytest.mark.law("VC-4", "TL-28")
def test_courchevel_deals_a_board_card_before_betting() -> None:
    hand = heads_up("courchevel", "As Ks Qd Jc Th", "2c 2d 3c 4d 7h", "9h 8h 7d")
    assert hand.board() == "9h"
    hand.play("Ann calls", "Bo checks")
    assert (hand.board(), hand.hand.burn_indices) == ("9h 8h 7d", ())
    hand.play("Bo checks", "Ann checks")
    assert len(hand.hand.burn_indices) == 1


# Stud


def stud(game: str, **cards: str) -> Told:
    return deal(game, button="C", stacks=dict.fromkeys("ABC", 500), cards=cards, stakes=STUD)


@pytest.mark.law("VC-5", "TL-17")
def test_completing_the_bring_in_is_no_raise() -> None:
    hand = stud("stud", A="2c 3c Kd", B="2d 3d 4h", C="2h 3h 4c")
    assert (hand.to_act, hand.options) == ("C", {"bring in 3", "bet 10"}), "of two fours the club"
    hand.play("C brings in 3")
    assert hand.options == {"fold", "call 3", "raise to 10"}
    hand.refuses("A raises to 20", WrongSize, law="L-7")
    hand.play("A completes to 10", "B raises to 20", "C raises to 30", "A raises to 40")
    hand.refuses("B raises to 50", RaisesCapped, law="L-10")


@pytest.mark.law("VC-5", "TL-42")
def test_a_short_bring_in_still_costs_others_the_full_one() -> None:
    hand = deal(
        "stud", button="C", stacks={"A": 500, "B": 500, "C": 3}, stakes=STUD,
        cards={"A": "2c 3c Kd", "B": "2d 3d 9h", "C": "2h 3h 4c"},
    )  # fmt: skip
    hand.play("C brings in 2")
    assert hand.options == {"fold", "call 3", "raise to 10"}


@pytest.mark.law("VC-5", "TL-42")
def test_an_all_in_low_card_passes_the_bring_in_on() -> None:
    hand = deal(
        "stud", button="C", stacks={"A": 500, "B": 500, "C": 1}, stakes=STUD,
        cards={"A": "2c 3c Kd", "B": "2d 3d 9h", "C": "2h 3h 4c"},
    )  # fmt: skip
    assert (hand.to_act, hand.options) == ("A", {"fold", "bring in 3", "bet 10"})


def down_the_streets(hand: Told) -> Told:
    """Let the opener bring in, all call, and then all check."""
    hand.play(f"{hand.to_act} brings in 3")
    while not hand.over:
        hand.play(f"{hand.to_act} {'checks' if 'check' in hand.options else 'calls'}")
    return hand


@pytest.mark.law("VC-6", "TL-43", "TL-23")
def test_stud_eight_takes_any_five_of_seven_for_each_half() -> None:
    """A has a six-low and two pairs, B a full house; C has nothing. Pot 12: six each."""
    hand = down_the_streets(stud("stud8", A="As 2c 3d 4h 6s 6h Kd", B="Jc Jd Jh 9c 9d Qs 2d", C="Ts 8c Qd Qc 7d 5s Kc"))
    assert hand.wins == {"A": 6, "B": 6}


@pytest.mark.law("VC-6")
@pytest.mark.parametrize(("game", "opener"), [("stud8", "B"), ("stud_hilo", "A"), ("razz", "B")])
def test_a_door_ace_is_high_in_stud_low_in_razz(game: str, opener: str) -> None:
    """Ace, king and queen are up: in stud eight the lowest brings in, without a qualifier the highest, in razz the highest but the ace."""
    hand = stud(
        game,
        A="2c 3c Ah",
        B="2d 3d Kd" if game != "stud8" else "2d 3d Qh",
        C="2h 3h Qc" if game != "stud8" else "2h 3h Kc",
    )
    assert hand.to_act == opener


@pytest.mark.law("VC-6")
def test_without_qualifier_the_lowest_up_cards_act_first_later() -> None:
    hand = stud("stud_hilo", A="2c 3c Ah Ks", B="2d 3d Kd 4h", C="2h 3h 9c 8c")
    hand.play("A brings in 3", "B calls", "C calls")
    assert hand.to_act == "C", "nine-eight is the lowest hand on show"


@pytest.mark.law("VB-4", "VC-5")
def test_limit_five_card_stud_opens_low_then_high() -> None:
    hand = stud("modern five-card stud", A="Kc 4d 9h", B="Kd 4c 2h", C="Kh Qc 9c")
    assert (hand.to_act, hand.options) == ("B", {"bring in 3", "bet 10"}), "the four of clubs"
    hand.play("B brings in 3", "C calls", "A calls")
    assert hand.to_act == "C"


@pytest.mark.law("VC-6", "TL-43")
def test_stud_without_qualifier_pays_any_low() -> None:
    hand = stud("stud_hilo", A="Ks Kc Th Jh 9s Qd Kd", B="Jc Jd 9h 9c Td Qs 2d", C="Ts 8c Qh Qc 7d Tc 5h")
    assert hand.to_act == "C", "the high card brings in"
    down_the_streets(hand)
    assert hand.wins == {"A": 6, "C": 6}, "queen-ten is the lowest"


@pytest.mark.law("VC-7")
def test_razz_high_card_brings_in_and_low_hand_opens() -> None:
    hand = stud("razz", A="2c 3c Kd 4d", B="2d 3d Ah 2h", C="4h 5h Ks Qc")
    assert hand.to_act == "C", "the king of spades; an ace is low"
    hand.play("C brings in 3", "A calls", "B calls")
    assert hand.to_act == "B", "two-ace is the lowest hand on show"


@pytest.mark.law("VC-13", "TL-19")
def test_london_is_razz_where_straights_count_at_pot_limit() -> None:
    """A wheel is a straight; six-four takes it."""
    hand = stud("london", A="As 2c 3d 4h 6s Kh Kd", B="Ad 2d 3s 4c 5h Qd Jd", C="Ts 8c Jc Qc 7d Td 9h")
    assert hand.to_act == "C"
    hand.play("C brings in 3")
    assert hand.legal("A").max_to == 12, "3 + (pot 3 + 3 in front + call 3)"
    hand.play("A calls", "B calls")
    while not hand.over:
        hand.play(f"{hand.to_act} checks")
    assert hand.wins == {"A": 12}


# Draw


@pytest.mark.law("VC-9", "X-2")
def test_triple_draw_bets_double_after_the_second_draw() -> None:
    hand = deal("2-7 triple draw", button="C", stacks=dict.fromkeys("ABC", 500), stakes=BLINDS)
    hand.play("C calls", "A calls", "B checks")
    for number, size in enumerate((10, 20, 20), 1):
        assert hand.options == {"draw 0..5"}
        hand.play("A draws 5", "B stands pat", "C draws 1")
        assert hand.options == {"fold", "check", f"bet {size}"}, f"after draw {number}"
        hand.play("A checks", "B checks", "C checks")
    assert hand.over
    assert [sum(count) for count in hand.hand.draw_counts] == [15, 0, 3]


@pytest.mark.law("VC-8", "VC-12")
@pytest.mark.parametrize("game", ["2-7 single draw", "kansas city lowball"])
def test_deuce_to_seven_aces_are_high_and_straights_count(game: str) -> None:
    assert checked_down(heads_up(game, "7s 5d 4c 3h 2c", "5h 4h 3d 2d As")).wins == {"Ann": 20}
    assert checked_down(heads_up(game, "Ks Qd Jc 9h 8c", "6h 5h 4d 3d 2s")).wins == {"Ann": 20}


@pytest.mark.law("VC-11", "VB-7")
def test_the_california_lowball_joker_is_the_lowest_missing_card() -> None:
    assert checked_down(heads_up("california_joker", "7s 5d 4c 2h Jk", "7d 5h 4h 3d 2s")).wins == {"Ann": 20}


@pytest.mark.law("VC-15", "X-2")
def test_badugi_counts_cards_before_ranks() -> None:
    """Four cards of four suits and ranks beat any three; at most the four held are changed."""
    hand = heads_up("badugi", "Kc Qd Jh Ts", "Ac 2d 3h 4h")
    hand.play("Ann calls", "Bo checks")
    assert hand.options == {"draw 0..4"}
    hand.refuses("Bo discards Ac 2d 3h 4h Kc", TooManyCards, law="X-2")
    while not hand.over:
        hand.play(f"{hand.to_act} {'stands pat' if 'check' not in hand.options else 'checks'}")
    assert hand.wins == {"Ann": 20}


@pytest.mark.law("VC-16", "TL-23")
@pytest.mark.parametrize(
    ("game", "ann", "bo"),
    [
        ("badacey", "Ac 2d 3h 4s Ks", "As 2h 3s 5h 6c"),  # badugi A-2-3-4 and low 6-5-3-2-A
        ("badeucey", "2c 3d 4h 5s Ks", "2h 3s 4s 5h 7c"),  # badugi 5-4-3-2 and low 7-5-4-3-2
    ],
)
def test_badacey_and_badeucey_share_between_badugi_and_low(game: str, ann: str, bo: str) -> None:
    """The odd chip goes to the five-card hand."""
    assert checked_down(heads_up(game, ann, bo, carried=1)).wins == {"Ann": 10, "Bo": 11}


# Hold'em with a twist


@pytest.mark.law("VC-17", "F-1")
def test_short_deck_ranks_flush_over_full_house() -> None:
    stakes = Stakes(ante=10)
    for ann, bo, board in (
        ("Ah 9h", "Kc Kd", "Ks 7h 7d 8h Qh"),
        ("Ac 9c", "Kc Kd", "Ks 6h 7d 8h Qs"),
    ):
        hand = deal("short deck", button="Ann", stacks=TWO, cards={"Ann": ann, "Bo": bo}, board=board, stakes=stakes)
        assert (hand.to_act, hand.options) == ("Bo", {"fold", "call 10", "raise to 20..490"})
        hand.play("Bo calls", "Ann checks")
        while not hand.over:
            hand.play(f"{hand.to_act} checks")
        assert hand.wins == {"Ann": 40}


@pytest.mark.law("VC-18")
@pytest.mark.parametrize(
    ("game", "dropped_before"), [("pineapple", "flop"), ("crazy pineapple", "turn"), ("lazy pineapple", "")]
)
def test_the_three_pineapples(game: str, dropped_before: str) -> None:
    """Three cards are dealt. In two games one is given up, before the flop or after its betting. In the lazy one at most two play."""
    hand = heads_up(game, "Ah Kh Qh", "2c 2d 9s", "2h 3h 7s 8s Jd")
    assert [len(down) for down in hand.hand.down_indices] == [3, 3]
    hand.play("Ann calls", "Bo checks")
    seen = ""
    while not hand.over:
        if hand.options == {"choose 1"}:
            seen = {"": "flop", "2h 3h 7s": "turn"}[hand.board()]
            hand.play("Ann gives up Qh", "Bo gives up 9s")
            assert [len(down) for down in hand.hand.down_indices] == [2, 2]
        else:
            hand.play(f"{hand.to_act} checks")
    assert seen == dropped_before
    assert hand.wins == {"Bo": 20}, "three hearts of one's own and two of the board are no flush here"


@pytest.mark.law("VC-19", "TL-19")
def test_irish_discards_two_cards_after_flop_betting() -> None:
    hand = heads_up("irish", "As Ad Kc Kd", "2c 2d 7h 7c", "2h 7s 9d Jc 3h")
    hand.play("Ann calls", "Bo checks", "Bo bets 10", "Ann calls")
    assert (hand.board(), hand.options) == ("2h 7s 9d", {"choose 2"})
    hand.play("Ann gives up Kc Kd", "Bo gives up 2c 2d")
    assert (hand.cards("Ann"), hand.cards("Bo")) == ("As Ad", "7h 7c")
    while not hand.over:
        hand.play(f"{hand.to_act} checks")
    assert hand.wins == {"Bo": 40}, "any use of the two kept: three sevens"


@pytest.mark.law("VC-25", "W-5")
def test_deuces_are_wild_in_any_sheet() -> None:
    assert checked_down(heads_up("holdem + deuces wild", "2c 2d", "Ac Ad", "Kh Ks Qd 7c 3h")).wins == {"Ann": 20}
    assert checked_down(heads_up("deuces wild", "2c 9d 9h 4s 6d", "Ac Ad 3h 7s 8d")).wins == {"Ann": 20}


@pytest.mark.law("VC-29")
def test_drawmaha_shares_between_the_hand_drawn_and_omaha() -> None:
    """The hand goes bets, flop, bets, draw, turn, river. Bo holds a flush; Ann's aces and the board make the better Omaha hand."""
    hand = heads_up("drawmaha", "Ac Ad 2d 7d 9h", "Kc Qc 3c 4c 5c", "As Ah 2h 8d 8s")
    hand.play("Ann calls", "Bo checks")
    assert hand.board() == "As Ah 2h"
    hand.play("Bo checks", "Ann checks")
    assert (hand.to_act, hand.options) == ("Bo", {"draw 0..5"})
    hand.play("Bo stands pat", "Ann discards 9h")
    assert (hand.street, hand.board()) == ("turn", "As Ah 2h 8d")
    hand.play("Bo checks", "Ann checks", "Bo checks", "Ann checks")
    assert hand.wins == {"Ann": 10, "Bo": 10}
    assert {payment.share: hand.names[payment.seat] for payment in hand.hand.payments} == {"draw": "Bo", "omaha": "Ann"}


@pytest.mark.law("VC-29", "TL-23")
def test_a_double_board_pays_odd_chips_to_the_first_board() -> None:
    boards = "2c 7d 8h 3s 4c / Kh 9d 9h 3d 5c"
    hand = checked_down(heads_up("double-board hold'em", "As Ad", "Ks Kd", boards, carried=1))
    assert hand.wins == {"Ann": 11, "Bo": 10}


@pytest.mark.law("VC-29")
def test_everybody_antes_a_bomb_pot_before_the_flop() -> None:
    hand = deal("bomb pot omaha", button="C", stacks=dict.fromkeys("ABC", 500), stakes=Stakes(ante=20))
    assert (hand.street, hand.pot, hand.to_act) == ("flop", 60, "A")
    assert hand.options == {"fold", "check", "bet 20..60"}
