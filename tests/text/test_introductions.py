"""The three sentences of every game: they say what the game's own rule card says."""

from __future__ import annotations

import re

import pytest

from bot.engine.ranking import Scale
from bot.engine.rule_card import RuleCard
from bot.engine.steps import DealBoard, DealDown, DeclareInSecret, Draw, GiveUpCards
from bot.text.introductions import INTRODUCTIONS, introduction
from bot.variants import CATALOGUE

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
BEST_LOW = {Scale.ACE_TO_FIVE: "5-4-3-2-A", Scale.DEUCE_TO_SEVEN: "7-5-4-3-2", Scale.LOW_ACE_LOW: "6-4-3-2-A"}
LENGTH_MAX = 440
"""About nine lines on a phone."""


def games() -> list[object]:
    return [pytest.param(card, id=card.key) for card in CATALOGUE]


def test_every_introduction_belongs_to_a_game() -> None:
    assert set(INTRODUCTIONS) == {card.key for card in CATALOGUE}


@pytest.mark.parametrize("card", games())
def test_game_is_introduced_in_three_short_sentences(card: RuleCard) -> None:
    text = introduction(card)
    assert len(re.findall(r"\.(?= |$)", text)) == 3
    assert len(text) <= LENGTH_MAX


@pytest.mark.parametrize("card", games())
def test_introduction_says_how_many_hidden_cards_come_first(card: RuleCard) -> None:
    text = introduction(card)
    (first, *_) = [step for step in card.steps if isinstance(step, DealDown)]
    hidden = sum(step.count for step in card.steps if isinstance(step, DealDown))
    is_named_by_known_game = "hold'em" in text or "five-card draw" in text
    assert is_named_by_known_game or NUMBERS[first.count] in text.lower() or NUMBERS[hidden] in text.lower()


@pytest.mark.parametrize("card", games())
def test_introduction_says_that_a_pot_is_shared(card: RuleCard) -> None:
    shared = len(card.shares) > 1 or card.boards > 1
    assert shared == bool(re.search(r"\b[Hh]alf\b|share the pot", introduction(card)))


@pytest.mark.parametrize("card", games())
def test_introduction_names_the_best_low_hand(card: RuleCard) -> None:
    text = introduction(card)
    for share in card.shares:
        if share.ranking.qualifier is not None:
            assert "from ace to eight" in text
        elif share.ranking.scale in BEST_LOW and not any(isinstance(step, DeclareInSecret) for step in card.steps):
            assert BEST_LOW[share.ranking.scale] in text


@pytest.mark.parametrize("card", games())
def test_introduction_tells_of_draws_and_discards(card: RuleCard) -> None:
    text = introduction(card)
    draws = sum(isinstance(step, Draw) for step in card.steps)
    assert bool(draws) == bool(re.search(r"\bchange\b|gets? new ones|five-card draw", text))
    assert (draws == 3) == ("three times" in text.lower())
    assert any(isinstance(step, GiveUpCards) for step in card.steps) == ("give up" in text)


@pytest.mark.parametrize("card", games())
def test_introduction_tells_of_board_and_wild_cards(card: RuleCard) -> None:
    text = introduction(card)
    has_board = any(isinstance(step, DealBoard) for step in card.steps)
    assert has_board == bool(re.search(r"\bboard|hold'em|turned up for all", text))
    wild = (
        any(share.ranking.wild.ranks for share in card.shares)
        or card.options.wild_ranks
        or "joker" in card.name.lower()
    )
    assert not wild or "wild" in text or "joker" in text
