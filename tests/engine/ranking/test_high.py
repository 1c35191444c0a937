"""High hands: the classes, the ties and their names."""

import itertools

import pytest

from bot.engine.ranking import Ranking, evaluator
from tests.engine.ranking.support import beats, mixed, name_of, suited, ties


@pytest.mark.law("AT-4", "T-1", "T-6", "T-7", "T-8")
@pytest.mark.parametrize(
    ("winner", "loser"),
    [
        # Source 000
        ("65432", "5432A"),
        ("AA334", "KKQQ5"),
        ("AA665", "AA559"),
        ("AA667", "AA665"),
        ("KK532", "JJAKQ"),
        ("JJA32", "JJKQT"),
        ("JJA43", "JJA32"),
        ("JJAK7", "JJAK6"),
        ("A7532", "KQJ74"),
        # Source 004
        ("88953", "88952"),
        ("A9743", "A8743"),
        ("A8743", "A8742"),
    ],
)
def test_the_ties_of_the_sources(winner: str, loser: str) -> None:
    assert beats(mixed(winner), mixed(loser, 1))


@pytest.mark.law("AT-4", "T-6")
@pytest.mark.parametrize(("winner", "loser"), [("A7532", "KQJ74"), ("AK432", "AQJT8"), ("J9864", "J9863")])
def test_flushes_go_card_by_card(winner: str, loser: str) -> None:
    assert beats(suited(winner, "d"), suited(loser, "s"))


@pytest.mark.law("AT-4", "T-9")
@pytest.mark.parametrize("ranks", ["A7532", "JJA43", "AA667", "65432", "99944", "9994A", "77774"])
def test_suits_never_decide(ranks: str) -> None:
    if len(set(ranks)) > 2:
        assert ties(mixed(ranks), mixed(ranks, 1))
    assert ties(suited("A7532", "s"), suited("A7532", "h"))


@pytest.mark.law("R-1")
def test_the_best_five_of_seven_play() -> None:
    assert name_of("As Ah Ks Kd Qc Qd 2s") == "two pair, aces and kings"
    assert ties("As Ah Ks Kd Qc Qd 2s", "Ac Ad Kh Kc Qh 3s 4d")
    assert name_of("2s 3s 4s 5s 9s 6d 7h") == "flush, nine high"
    assert name_of("5c 6c 7c 8c 9c Th Jh") == "straight flush, nine high"
    assert name_of("9c 9d 9h 4s 4d 4c 2h") == "full house, nines full of fours"


CLASSES = (
    ("R-3", suited("AKQJT"), "royal flush"),
    ("R-3", suited("KQJT9"), "straight flush, king high"),
    ("R-3", suited("5432A"), "straight flush, five high"),
    ("R-4", mixed("7777Q"), "four of a kind, sevens"),
    ("R-5", mixed("666AA"), "full house, sixes full of aces"),
    ("R-6", suited("J9863"), "flush, jack high"),
    ("R-7", mixed("AKQJT"), "straight, ace high"),
    ("R-7", mixed("5432A"), "straight, five high"),
    ("R-9", mixed("999K3"), "three of a kind, nines"),
    ("R-10", mixed("QQ884"), "two pair, queens and eights"),
    ("R-11", mixed("99K53"), "a pair of nines"),
    ("R-12", mixed("A9743"), "no pair, ace high"),
)


@pytest.mark.law("R-3", "R-4", "R-5", "R-6", "R-7", "R-9", "R-10", "R-11", "R-12")
def test_every_class_has_its_names_and_beats_all_below() -> None:
    for _, hand, name in CLASSES:
        assert name_of(hand) == name
    hands = [hand for _, hand, _ in CLASSES]
    for better, worse in itertools.pairwise(hands):
        assert beats(better, worse)


@pytest.mark.law("AT-5", "R-5", "R-6", "R-10")
@pytest.mark.parametrize(
    ("hand", "name"),
    [
        (suited("T9876"), "straight flush, ten high"),
        (mixed("7777Q"), "four of a kind, sevens"),
        (mixed("666AA"), "full house, sixes full of aces"),
        (suited("J9863"), "flush, jack high"),
        (mixed("999K3"), "three of a kind, nines"),
        (mixed("QQ884"), "two pair, queens and eights"),
        (mixed("87654"), "straight, eight high"),
        (suited("AKQJT"), "royal flush"),
    ],
)
def test_the_names_of_the_sources(hand: str, name: str) -> None:
    assert name_of(hand) == name


@pytest.mark.law("R-7")
@pytest.mark.parametrize("ranks", ["32AKQ", "432AK", "2AKQJ"])
def test_a_straight_never_wraps_around_the_ace(ranks: str) -> None:
    assert name_of(mixed(ranks)) == "no pair, ace high"


@pytest.mark.law("T-1")
def test_five_four_three_two_ace_is_five_high() -> None:
    assert beats(mixed("65432"), mixed("5432A", 1))
    assert beats(suited("65432"), suited("5432A", "h"))


@pytest.mark.law("T-2")
def test_higher_sets_win() -> None:
    assert beats(mixed("33332"), mixed("2222A"))
    assert beats(mixed("33322"), mixed("222AA"))
    assert beats(mixed("33345"), mixed("222AK"))


@pytest.mark.law("T-3", "T-4", "T-5")
def test_equal_sets_go_on_to_the_odd_cards() -> None:
    """With one deck this needs a board, or wild cards."""
    assert beats("9c9d9h9sKc", "9c9d9h9sQc")
    assert beats("9c9d9hKcKd", "9c9d9hQcQd")
    assert beats("9c9d9hKc3d", "9c9d9hQcJd")
    assert beats("9c9d9hKc4d", "9c9d9hKc3d")


@pytest.mark.law("T-9")
def test_a_board_that_plays_ties_everyone() -> None:
    game_evaluator = evaluator(Ranking())
    board = (48, 44, 41, 37, 35)  # A♣ K♣ Q♦ J♦ T♠
    assert len(set(game_evaluator.values([(0, 1), (4, 5), (8, 22)], board))) == 1


def test_fewer_than_five_cards_rank_as_far_as_they_go() -> None:
    assert name_of("AsAh") == "a pair of aces"
    assert name_of("As Ah Kd") == "a pair of aces"
    assert name_of("2s") == "no pair, deuce high"
    assert name_of("As Ks Qs Js") == "no pair, ace high"
    assert name_of("As Ah Ad Ac") == "four of a kind, aces"
    assert name_of("As Ah Kd Kc") == "two pair, aces and kings"
    assert beats("AsAhKd", "AcAdQd")


def test_no_cards_are_no_hand() -> None:
    game_evaluator = evaluator(Ranking())
    with pytest.raises(ValueError, match="no hand"):
        game_evaluator.name(0)
