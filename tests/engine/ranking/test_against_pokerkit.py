"""Agreement with PokerKit's evaluators where its games are ours."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pokerkit
import pytest

from bot.engine.cards import EIGHT, STANDARD_52, STRIPPED_36, cards_text
from bot.engine.ranking import EXACTLY_TWO, CategoryOrder, Ranking, Scale, evaluator

SHORT = Ranking(order=CategoryOrder.SHORT_DECK, ranks=tuple(range(4, 13)))
GAMES: dict[str, tuple[Ranking, type[Any], Sequence[int], int, int]] = {
    "high": (Ranking(), pokerkit.StandardHighHand, STANDARD_52, 2, 5),
    "five cards": (Ranking(), pokerkit.StandardHighHand, STANDARD_52, 5, 0),
    "ace to five": (Ranking(scale=Scale.ACE_TO_FIVE), pokerkit.RegularLowHand, STANDARD_52, 7, 0),
    "eight or better": (
        Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT),
        pokerkit.EightOrBetterLowHand,
        STANDARD_52,
        7,
        0,
    ),
    "deuce to seven": (Ranking(scale=Scale.DEUCE_TO_SEVEN), pokerkit.StandardLowHand, STANDARD_52, 5, 0),
    "badugi": (Ranking(scale=Scale.BADUGI), pokerkit.BadugiHand, STANDARD_52, 4, 0),
    "short deck": (SHORT, pokerkit.ShortDeckHoldemHand, STRIPPED_36, 2, 5),
    "omaha": (Ranking(from_hole=EXACTLY_TWO), pokerkit.OmahaHoldemHand, STANDARD_52, 4, 5),
    "omaha eight": (
        Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT, from_hole=EXACTLY_TWO),
        pokerkit.OmahaEightOrBetterLowHand,
        STANDARD_52,
        4,
        5,
    ),
}


@pytest.mark.law("R-1", "LO-5", "VC-1", "VC-2", "VC-15", "VC-17")
@pytest.mark.parametrize("game", GAMES)
def test_pokerkit_orders_random_hands_alike(game: str) -> None:
    ranking, theirs, deck, own, common = GAMES[game]
    game_evaluator = evaluator(ranking)
    shuffler = random.Random(f"cardroom {game}")
    for _ in range(60):
        cards = shuffler.sample(deck, 2 * own + common)
        board, holes = cards[2 * own :], (cards[:own], cards[own : 2 * own])
        mine = [game_evaluator.best(hole, board) for hole in holes]
        hands = [theirs.from_game_or_none(cards_text(hole), cards_text(board)) for hole in holes]
        shown = [cards_text(hole) for hole in holes], cards_text(board)
        assert [hand_value == 0 for hand_value in mine] == [hand is None for hand in hands], shown
        if all(mine):
            assert (mine[0] > mine[1]) == (hands[0] > hands[1]), shown
            assert (mine[0] == mine[1]) == (hands[0] == hands[1]), shown
