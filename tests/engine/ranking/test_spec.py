"""A ranking is plain data: it is written into a hand's first event and read back the same."""

import msgspec
import pytest

from bot.engine.cards import EIGHT, JOKER, QUEEN, THREE, TWO, parse_cards
from bot.engine.ranking import EXACTLY_TWO, CategoryOrder, Ranking, Scale, WildCall, WildMethod, WildPolicy, evaluator
from tests.engine.ranking.support import with_wild


def test_a_ranking_survives_being_written_down() -> None:
    ranking = Ranking(
        scale=Scale.ACE_TO_FIVE,
        order=CategoryOrder.SHORT_DECK,
        wild=WildPolicy(method=WildMethod.FREE, ranks=(TWO,), cards=(37,), joker=WildMethod.BUG, call=WildCall.DECLARE),
        qualifier=EIGHT,
        from_hole=EXACTLY_TWO,
    )
    assert msgspec.json.decode(msgspec.json.encode(ranking), type=Ranking) == ranking
    assert msgspec.json.encode(Ranking()) == b"{}"


def test_equal_rankings_share_one_evaluator() -> None:
    assert evaluator(Ranking()) is evaluator(Ranking(scale=Scale.HIGH))


@pytest.mark.law("W-1")
def test_wild_cards_need_a_method() -> None:
    with pytest.raises(ValueError, match="method"):
        WildPolicy(ranks=(TWO,))


def test_two_methods_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="repeat"):
        WildPolicy(method=WildMethod.FREE, ranks=(TWO,), joker=WildMethod.NO_DUPLICATE)


@pytest.mark.parametrize(
    ("scale", "size", "from_hole"),
    [
        (Scale.BADUGI, 5, (5, 5)),
        (Scale.HIGH, 3, (5, 5)),
        (Scale.HIGH, 5, (3, 2)),
        (Scale.HIGH, 5, (0, 0)),
        (Scale.HIGH, 5, (-1, 2)),
    ],
)
def test_hole_cards_that_make_no_hand_are_refused(scale: Scale, size: int, from_hole: tuple[int, int]) -> None:
    """As one would write the badugi half of dramadugi after drawmaha: five hole cards, none of whose hands has five."""
    with pytest.raises(ValueError, match="hole cards"):
        Ranking(scale=scale, size=size, from_hole=from_hole)


def test_a_badugi_of_four_hole_cards_is_compared() -> None:
    dramadugi = evaluator(Ranking(scale=Scale.BADUGI, from_hole=(4, 4)))
    board = parse_cards("As2h3dKc9c")
    ann, bo = dramadugi.values((parse_cards("5s6h7d8cKd"), parse_cards("4s6s7d8cKh")), board)
    assert ann > bo > 0


@pytest.mark.law("VC-23", "VC-22")
def test_wild_cards_change_in_the_middle_of_a_deal() -> None:
    queens = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(QUEEN,)))
    follow = with_wild(queens, ranks=(QUEEN, THREE))
    assert follow.wild.ranks == (THREE, QUEEN)
    assert follow.wild.method is WildMethod.FREE
    assert evaluator(follow).rules is evaluator(queens).rules
    joker_down = Ranking(wild=WildPolicy(method=WildMethod.FREE))
    joker_up = with_wild(joker_down, joker=WildMethod.BUG)
    assert joker_down.wild.method_of(JOKER) is WildMethod.FREE
    assert joker_up.wild.method_of(JOKER) is WildMethod.BUG
