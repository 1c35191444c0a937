"""The evaluator lays out the cards that play, in order, and what the wild ones stand for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards import EIGHT, JOKER, TWO, WITH_JOKER_53, cards_text, parse_cards
from bot.engine.ranking import EXACTLY_TWO, Ranking, Scale, SpecialHands, SuitRank, WildMethod, WildPolicy, evaluator
from bot.engine.ranking.layout import hand_layout
from tests.engine.ranking.naive_evaluator import natural_key

FREE = Ranking(wild=WildPolicy(method=WildMethod.FREE))


def layout_of(hole: str, board: str = "", ranking: Ranking | None = None) -> tuple[str, str]:
    played = hand_layout(evaluator(ranking or Ranking()), parse_cards(hole), parse_cards(board))
    return cards_text(played.cards), cards_text(played.stands_for)


@pytest.mark.law("R-1", "M-4")
@pytest.mark.parametrize(
    ("hole", "board", "five"),
    [
        ("KsKd", "9h9cKc4d2s", "KsKdKc9h9c"),
        ("As2d", "3h4c5s9dKd", "5s4c3h2dAs"),
        ("AsKs", "QsJsTs9s8s", "AsKsQsJsTs"),
        ("7c7d", "AsKhQd9c7h", "7h7d7cAsKh"),
        ("AsJd", "Ah9c9dKs2h", "AsAh9d9cKs"),
        ("2s7s", "9sJsKs3d3h", "KsJs9s7s2s"),
        ("8s6d", "AhJc4d3s2c", "AhJc8s6d4d"),
    ],
)
def test_the_five_that_play(hole: str, board: str, five: str) -> None:
    assert layout_of(hole, board) == (five, five)


@pytest.mark.law("VC-1")
def test_exactly_two_hole_cards_are_laid_out() -> None:
    assert layout_of("AsKdQcJh", "2s3s4s5s9d", Ranking(from_hole=EXACTLY_TWO))[0] == "AsKd9d5s4s"


@pytest.mark.law("W-6", "W-8")
@pytest.mark.parametrize(
    ("hand", "cards", "stands_for"),
    [
        ("9c9dJkKc4s", "9d9cJkKc4s", "9d9c9sKc4s"),
        ("AcKc9c6cJk", "AcJkKc9c6c", "AcAcKc9c6c"),
        ("QsJhTd9cJk", "JkQsJhTd9c", "KhQsJhTd9c"),
        ("AsKsQsJsJk", "AsKsQsJsJk", "AsKsQsJsTs"),
        ("AsAhAdAcJk", "AsAhAdAcJk", "AsAhAdAcAs"),
    ],
)
def test_what_the_joker_stands_for(hand: str, cards: str, stands_for: str) -> None:
    laid_out = layout_of(hand, ranking=FREE)
    if hand.startswith("Qs"):
        assert laid_out[0] == cards
        assert laid_out[1][0] == "K"
    else:
        assert laid_out == (cards, stands_for)


@pytest.mark.law("VC-15")
def test_only_the_cards_of_a_badugi_are_laid_out() -> None:
    assert layout_of("3c3d2sAh", ranking=Ranking(scale=Scale.BADUGI))[0] in {"3d2sAh", "3c2sAh"}
    assert layout_of("7s5d3h2c", ranking=Ranking(scale=Scale.BADUGI))[0] == "7s5d3h2c"


@pytest.mark.law("VC-2")
def test_a_hand_that_does_not_qualify_has_no_layout() -> None:
    with pytest.raises(ValueError, match="qualifies"):
        layout_of("9s8d4h3c2s", ranking=Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT))


GAMES = {
    "high": Ranking(),
    "free": FREE,
    "strict deuces": Ranking(wild=WildPolicy(method=WildMethod.NO_DUPLICATE, ranks=(TWO,))),
    "bug": Ranking(wild=WildPolicy(method=WildMethod.BUG), special=SpecialHands.CATS_DOGS),
    "hearts": Ranking(wild=WildPolicy(method=WildMethod.FREE), suit_rank=SuitRank.HEARTS_FIRST),
    "27": Ranking(scale=Scale.DEUCE_TO_SEVEN, wild=WildPolicy(method=WildMethod.FREE)),
    "ace low": Ranking(scale=Scale.LOW_ACE_LOW, wild=WildPolicy(method=WildMethod.NO_DUPLICATE)),
    "A5": Ranking(scale=Scale.ACE_TO_FIVE, wild=WildPolicy(method=WildMethod.BUG)),
}


@pytest.mark.law("W-6", "W-8", "R-1")
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_the_laid_out_hand_has_the_reported_value(game: str, data: st.DataObject) -> None:
    """The cards are held, there are five, and with their meanings they are the hand that was named."""
    ranking = GAMES[game]
    count = data.draw(st.integers(5, 7))
    suits = data.draw(st.sampled_from([(0, 1, 2, 3), (2, 3), (1,)]))
    deck = [card for card in WITH_JOKER_53 if (card % 4 in suits or card == JOKER)]
    if game == "high":
        deck.remove(JOKER)
    cards = data.draw(st.lists(st.sampled_from(deck), min_size=count, max_size=count, unique=True))
    game_evaluator = evaluator(ranking)
    if game == "strict deuces" and JOKER in cards:
        cards[cards.index(JOKER)] = next(card for card in range(51, -1, -1) if card not in cards)
    played = hand_layout(game_evaluator, cards)
    assert len(set(played.cards)) == len(played.cards) == 5
    assert set(played.cards) <= set(cards)
    for card, shown in zip(played.cards, played.stands_for, strict=True):
        assert card == shown or ranking.wild.method_of(card) is not WildMethod.NONE
    plain = Ranking(scale=ranking.scale, special=ranking.special)
    natural = Ranking(scale=ranking.scale, special=ranking.special, suit_rank=ranking.suit_rank)
    if len(set(played.stands_for)) == 5:
        assert evaluator(natural).value(played.stands_for) == played.value
    else:
        assert natural_key(tuple(sorted(played.stands_for)), plain)[1] in {"flush", "five"}
