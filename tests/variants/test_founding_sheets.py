"""The special rules of the games of the founding texts, in hands with chosen cards (laws Part B)."""

import pytest

from bot.engine.refusals import MustOpen, RaiseTooLarge, RaiseTooSmall, UnknownDeclaration, WrongSize
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal

PENCE = Stakes(ante=3, limit=12)
ONES = Stakes(ante=1, limit=10)
LIMIT = Stakes(ante=1, small_bet=5, big_bet=10)


def old_english(players: str = "ABCDE", button: str = "A", **stacks: int) -> Told:
    return deal("old english draw", button=button, stacks=dict.fromkeys(players, 100) | stacks, stakes=PENCE)


@pytest.mark.law("VB-1", "F-3")
def test_heads_up_the_dealer_straddles_and_the_other_antes() -> None:
    hand = old_english("AB")
    assert hand.bets == {"B": 3}
    assert hand.options == {"straddle 6", "decline"}
    assert hand.to_act == "A"
    hand.play("A does not straddle", "A opens for 6", "B calls 3")
    assert (hand.to_act, hand.options) == ("B", {"draw 0..5"}), "the ante draws first"
    hand.play("B stands pat", "A draws 1")
    assert hand.to_act == "A", "and acts last"


@pytest.mark.law("VB-1", "N-3", "A-3")
def test_when_all_fold_the_pot_goes_to_the_poster() -> None:
    """If nobody opens, the ante gets their own chips back. Over a straddle the straddler takes the ante."""
    hand = old_english()
    hand.play("C does not straddle", "C folds", "D folds", "E folds", "A folds")
    assert hand.stacks == dict.fromkeys("ABCDE", 100)
    hand = old_english()
    hand.play("C straddles", "D folds", "E folds", "A folds", "B folds")
    assert hand.stacks == dict.fromkeys("ABCDE", 100) | {"B": 97, "C": 103}


@pytest.mark.law("VB-1", "X-3", "N-3")
def test_folding_while_equalising_skips_the_draw() -> None:
    hand = old_english()
    hand.play("C does not straddle", "C opens for 6", "D folds", "E calls", "A puts in 18")
    assert (hand.to_act, hand.options) == ("B", {"fold", "call 15", "raise to 19..30"}), "the ante can still act"
    hand.play("B folds")
    assert (hand.to_act, hand.options) == ("C", {"fold", "call 12"}), "stakes are evened, not raised"
    hand.play("C folds")
    assert (hand.to_act, hand.options) == ("E", {"fold", "call 12"})
    hand.play("E folds")
    assert hand.wins == {"A": 3 + 6 + 6 + 6}
    assert hand.hand.draw_counts == ((),) * 5


@pytest.mark.law("VB-1", "TL-42", "A-5")
def test_a_short_stack_is_not_offered_a_straddle() -> None:
    hand = old_english(C=5)
    assert (hand.to_act, hand.options) == ("C", {"fold", "all-in to 5"})


@pytest.mark.law("VB-1", "C-4", "C-5")
def test_each_player_can_stand_once() -> None:
    hand = old_english("AB")
    hand.play("A does not straddle", "A opens for 6", "B calls", "B stands pat", "A stands pat", "A checks", "B checks")
    assert hand.options == {"fold", "bet 1..12"}
    hand.play("A bets 12", "B raises to 24")
    assert hand.options == {"fold", "call 12", "raise to 25..36"}


@pytest.mark.law("VB-2")
def test_heads_up_at_basic_draw_the_dealer_straddles() -> None:
    """The player left of the dealer antes, acts first before and after the draw, and draws first (source 003)."""
    hand = deal("basic draw", button="A", stacks={"A": 100, "B": 100}, stakes=Stakes(ante=1, doublings=3))
    assert (hand.bets, hand.to_act) == ({"B": 1, "A": 2}, "B")
    hand.play("B calls 1", "A checks")
    assert (hand.to_act, hand.options) == ("B", {"draw 0..3"})
    hand.play("B draws 3", "A stands pat")
    assert (hand.to_act, hand.options) == ("B", {"fold", "check", "bet 4"})


@pytest.mark.law("VB-2", "L-6", "A-11")
@pytest.mark.parametrize(
    ("options", "doublings", "levels"),
    [
        ({}, 3, (2, 6, 14, 22, 30)),
        ({}, 4, (2, 6, 14, 30, 46)),
        ({"stake_ladder": "levels"}, 3, (2, 4, 8, 16, 24)),
        ({"come_in": "four_antes"}, 3, (4, 8, 16, 24, 32)),
        ({"come_in": "four_antes"}, 4, (4, 8, 16, 32, 48)),
        ({"come_in": "four_antes", "stake_ladder": "levels"}, 3, (4, 8, 16, 24, 32)),
    ],
)
def test_the_ladder_of_basic_draw(options: dict[str, str], doublings: int, levels: tuple[int, ...]) -> None:
    """Stakes double `doublings` times over the ante of 1 and then stay, counted as sizes or as levels."""
    stakes = Stakes(ante=1, doublings=doublings)
    hand = deal("basic draw", button="D", stacks=dict.fromkeys("ABCD", 200), options=options, stakes=stakes)
    assert hand.highest_bet == levels[0]
    for level in levels[1:]:
        hand.refuses(f"{hand.to_act} raises to {level - 1}", WrongSize, law="L-6")
        hand.refuses(f"{hand.to_act} raises to {level + 1}", WrongSize, law="L-6")
        hand.play(f"{hand.to_act} raises to {level}")


@pytest.mark.law("VB-3", "N-1", "F-5")
def test_hoyle_draw_passed_out_leaves_the_antes() -> None:
    hand = deal("hoyle draw", button="C", stacks=dict.fromkeys("ABC", 100), stakes=ONES)
    hand.play("A checks", "B checks", "C checks")
    assert hand.hand.passed_out
    assert (hand.hand.carried_to_next_hand, hand.wins) == (3, {})


@pytest.mark.law("VB-3", "L-9", "Q-3")
def test_morehead_raises_match_calls_and_aggressors_get_odd_chips() -> None:
    cards = {"A": "As Ks Qd Jh 9c", "B": "Ad Kd Qh Jc 9s", "C": "2c 3d 4h 5s 7c"}
    hand = deal("morehead", button="C", stacks=dict.fromkeys("ABC", 100), cards=cards, stakes=ONES)
    hand.play("A bets 4")
    assert hand.refuses("B raises to 7", RaiseTooSmall, law="L-9").minimum == 8
    hand.refuses("B raises to 15", RaiseTooLarge, law="L-2")
    hand.play("B raises to 8", "C folds", "A calls", "A stands pat", "B stands pat", "A checks", "B checks")
    assert hand.wins == {"A": 9, "B": 10}


@pytest.mark.law("VB-5", "F-7", "S-5")
def test_when_the_high_card_opens_suits_never_decide() -> None:
    """Two kings are up. The one nearest the dealer's left opens, and cannot fold or check."""
    cards = {"A": "2c Kc", "B": "3c Ks", "C": "4c Qs"}
    hand = deal(
        "stud_high",
        button="C",
        stacks=dict.fromkeys("ABC", 100),
        cards=cards,
        stakes=Stakes(ante=1, limit=20, min_bet=2),
    )
    assert (hand.to_act, hand.options) == ("A", {"bet 2..20"})
    hand.refuses("A folds", MustOpen, law="F-7")


def high_low(word: str = "", **options: str) -> Told:
    """Play a hand in which A has aces, B deuces and C kings, and D folds. At the showdown A says `word`."""
    hand = deal(
        "high-low draw", button="D", stacks=dict.fromkeys("ABCD", 200), options=options, stakes=LIMIT,
        cards={"A": "As Ad 9c 7d 4h", "B": "2s 2d 8c 6d 3c", "C": "Ks Kd 9h 7c 4s"},
    )  # fmt: skip
    hand.play("A bets 5", "B calls", "C calls", "D folds", "A stands pat", "B stands pat", "C stands pat")
    hand.play("A checks", "B checks", "C checks")
    if options:
        assert hand.to_act == "A", "whoever holds an ace is asked"
        assert hand.options == {"show", "declare aces high", "declare aces low"}
        hand.play(word)
    return hand


@pytest.mark.law("VB-8", "LO-3", "AT-13", "TL-41")
@pytest.mark.parametrize(
    ("word", "wins"),
    [
        ("A shows, aces low", {"C": 10, "A": 9}),  # low from the deuces; high goes to the kings
        ("A shows, aces high", {"A": 10, "B": 9}),
        ("A says nothing", {"A": 10, "B": 9}),
    ],
)
def test_the_choice_of_aces_binds_both_halves(word: str, wins: dict[str, int]) -> None:
    """The odd chip of the halving goes to the high hand."""
    assert high_low(word, ace_hilo="declare_one").wins == wins


@pytest.mark.law("VB-8", "LO-2")
def test_an_ace_played_both_ways_can_win_both_halves() -> None:
    assert high_low().wins == {"A": 19}


@pytest.mark.law("VB-8", "F-7", "L-7")
def test_high_low_stud_is_opened_by_the_high_card() -> None:
    cards = {"A": "2c Kc", "B": "3c 2s", "C": "4c Qs"}
    hand = deal("hilo_stud", button="C", stacks=dict.fromkeys("ABC", 100), cards=cards, stakes=LIMIT)
    assert (hand.to_act, hand.options) == ("A", {"bet 5"})


def winner_of(game: str, first: str, second: str) -> str:
    """Return whether A or B takes the pot with these five cards."""
    hand = deal(game, button="B", stacks={"A": 200, "B": 200}, cards={"A": first, "B": second}, stakes=ONES)
    hand.play("A bets 1", "B calls", "A stands pat", "B stands pat", "A checks", "B checks")
    return "".join(sorted(hand.wins))


@pytest.mark.law("VB-11", "SP-1", "T-10")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Kc Qd Th 9s 8h", "8c 7d 5h 4s 3c"),  # big cat over little cat
        ("8c 7d 5h 4s 3c", "Ah Kd Js Tc 9d"),  # little cat over big dog
        ("Ac Jd Th Qs 9c", "7c 6d 4h 3s 2c"),  # big dog over little dog
        ("7c 6d 4h 3s 2c", "7d 5c 4d 3h 2d"),  # little dogs: the six over the five
        ("7c 6d 4h 3s 2c", "Ad Kc Qh Js Th"),  # any of them over a straight
        ("2h 6h 9h Jh 4h", "Kc Qd Th 9s 8c"),  # but under a flush
        ("7h 6h 4h 3h 2h", "Kc Qd Th 9s 8c"),  # which a dog of one suit is
    ],
)
def test_cats_and_dogs(first: str, second: str) -> None:
    assert winner_of("hoyle draw + cats and dogs", first, second) == "A"
    assert winner_of("hoyle draw + cats and dogs", second, first) == "B"


@pytest.mark.law("VB-11", "W-4", "SP-1")
def test_the_bug_can_complete_a_dog() -> None:
    assert winner_of("hoyle draw + bug + cats and dogs", "7c 6d 4h Jk 2c", "8d 7h 6s 5c 4d") == "A"
    assert winner_of("hoyle draw + bug", "7c 6d 4h Jk 2c", "8d 7h 6s 5c 4d") == "B"


@pytest.mark.law("VB-9", "W-4")
def test_the_bug_is_an_ace_where_it_fills_nothing() -> None:
    """Kings up with an ace beat kings up with a jack, and lose to aces up."""
    assert winner_of("hoyle draw + bug", "Kc Kd Qh Qs Jk", "Kh Ks Qc Qd Jh") == "A"
    assert winner_of("hoyle draw + bug", "Kc Kd Qh Qs Jk", "Ac Ad Qc Qd Jh") == "B"
    assert winner_of("hoyle draw + joker", "Kc Kd Qh Qs Jk", "Ac Ad Qc Qd Jh") == "A", (
        "a free joker makes three kings of it"
    )


@pytest.mark.law("VB-9", "W-7", "W-4")
def test_a_bug_is_designated_where_wild_cards_are() -> None:
    """A silent joker pairs nothing. What it cannot be is refused."""
    cards = {"A": "Kc Kd Qh Qs Jk", "B": "Kh Ks Qc Qd 2h"}
    hand = deal("hoyle draw + bug + strict", button="B", stacks={"A": 200, "B": 200}, cards=cards, stakes=ONES)
    hand.play("A bets 1", "B calls", "A stands pat", "B stands pat", "A checks", "B checks")
    assert hand.to_act == "A"
    assert hand.legal("A").designable_indices
    hand.refuses("A shows, aces high", UnknownDeclaration)
    hand.play("A shows")
    assert set(hand.wins) == {"B"}, "the joker plays below a two"


@pytest.mark.law("VB-10", "K-4")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("6c 7d 8h 9s Tc", "As Ac Ad 8d 9c"),  # the lowest straight, over three aces
        ("Kc Ks 7c 8d 9d", "Ac 6d 7h 8s 9c"),  # which A-9-8-7-6 is not
        ("6c 6d 6h 7c 7d", "Ah 9h 8h 7h Jh"),  # a full house stays over a flush
    ],
)
def test_thirty_six_cards(first: str, second: str) -> None:
    assert winner_of("hoyle draw + 36", first, second) == "A"


@pytest.mark.law("VB-7", "LO-5")
def test_lowball_counts_straights_and_flushes_against_a_hand() -> None:
    """Ace low: 6-4-3-2-A is best and takes it from a five-high straight."""
    blinds = Stakes(small_blind=1, big_blind=2)
    cards = {"A": "Ac 2d 3h 4s 6c", "B": "Ad 2h 3s 4c 5c"}
    hand = deal("lowball", button="B", stacks={"A": 200, "B": 200}, cards=cards, stakes=blinds)
    hand.play("B calls", "A checks", "A stands pat", "B stands pat", "A checks", "B checks")
    assert set(hand.wins) == {"A"}
