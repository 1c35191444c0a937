"""The cards that play are those of the best hand that the game allows: every choice of cards is tried."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from bot.engine.dealing.decks import DECKS
from bot.engine.ranking import Evaluator
from bot.engine.ranking.designation import designated_value
from bot.engine.ranking.layout import playing_cards
from bot.engine.ranking.spec import WildMethod
from bot.engine.rule_card import RuleCard
from bot.engine.rules_in_force import RulesInForce
from bot.engine.steps import DealBoard, DealDown, DealUp, GiveUpCards
from bot.engine.usual_stakes import usual_stakes
from bot.variants import CATALOGUE

ROUNDS = 12


def cards_held(card: RuleCard) -> tuple[int, int]:
    """Return how many cards a seat holds in the end, and how many lie on a board."""
    own = sum(step.count for step in card.steps if isinstance(step, DealDown | DealUp))
    given_up = sum(step.count for step in card.steps if isinstance(step, GiveUpCards))
    return min(own - given_up, 7), sum(step.count for step in card.steps if isinstance(step, DealBoard))


def every_choice(evaluator: Evaluator, hole: tuple[int, ...], board: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return every choice of cards that the game allows."""
    cards = (*hole, *board)
    if evaluator.ranking.is_badugi:
        return {chosen for size in range(1, 5) for chosen in combinations(cards, size)}
    at_least, at_most = evaluator.ranking.from_hole or (0, len(hole))
    return {
        chosen
        for chosen in combinations(cards, min(evaluator.ranking.size, len(cards)))
        if min(at_least, len(hole)) <= len(set(chosen) & set(hole)) <= at_most
    }


@pytest.mark.law("R-1", "VC-1", "VC-15", "W-6")
@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_playing_cards_make_the_best_hand(card: RuleCard) -> None:
    dice = random.Random(card.key)
    own, common = cards_held(card)
    for evaluator in RulesInForce(card, card.options, usual_stakes(card)).evaluators:
        for _ in range(ROUNDS):
            drawn = dice.sample(list(DECKS[card.options.deck]), own + common)
            hole, board = tuple(drawn[:own]), tuple(drawn[own:])
            played = playing_cards(evaluator, hole, board)
            best = max((evaluator.value(chosen) for chosen in every_choice(evaluator, hole, board)), default=0)
            assert best == evaluator.best(hole, board)
            if not best:
                assert played == ()
                continue
            assert evaluator.value(played) == best
            assert len(set(played)) == len(played)
            assert frozenset(played) in {frozenset(chosen) for chosen in every_choice(evaluator, hole, board)}


@pytest.mark.law("W-7")
@pytest.mark.parametrize(
    "card",
    [card for card in CATALOGUE if card.options.wild_method is not WildMethod.NONE],
    ids=lambda card: card.key,
)
def test_playing_cards_follow_what_was_designated(card: RuleCard) -> None:
    dice = random.Random(card.key)
    own, common = cards_held(card)
    for evaluator in RulesInForce(card, card.options, usual_stakes(card)).evaluators:
        for _ in range(ROUNDS):
            drawn = dice.sample(list(DECKS[card.options.deck]), own + common)
            hole, board = tuple(drawn[:own]), tuple(drawn[own:])
            wild = [held for held in drawn if evaluator.ranking.wild.method_of(held) is not WildMethod.NONE]
            said = {held: dice.choice(range(52)) for held in wild}
            played = playing_cards(evaluator, hole, board, said)
            wanted = designated_value(evaluator, hole, said, board)
            assert bool(played) == bool(wanted)
            if played:
                assert set(played) <= set(drawn)
                assert len(played) == min(evaluator.ranking.size, len(drawn))
                mine = tuple(held for held in hole if held in played)
                shared = tuple(held for held in board if held in played)
                assert designated_value(evaluator, mine, said, shared) == wanted
