"""The fast evaluator against one that tries every five cards and every card that a wild one can stand for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards import EIGHT, JOKER, MEXICAN_41, STANDARD_52, STRIPPED_32, STRIPPED_36, WITH_JOKER_53, cards_text
from bot.engine.ranking import (
    AceStraight,
    CategoryOrder,
    Ranking,
    Scale,
    SpecialHands,
    WildMethod,
    WildPolicy,
    evaluator,
)
from tests.engine.ranking.naive_evaluator import NO_HAND, naive_key

MEXICAN_RANKS = (0, 1, 2, 3, 4, 5, 9, 10, 11, 12)
SHORT_RANKS = tuple(range(4, 13))
FREE, BUG, STRICT = WildMethod.FREE, WildMethod.BUG, WildMethod.NO_DUPLICATE

GAMES: dict[str, tuple[Ranking, tuple[int, ...], int]] = {
    "high": (Ranking(), STANDARD_52, 7),
    "aces low for high": (Ranking(scale=Scale.HIGH_ACE_LOW), STANDARD_52, 7),
    "old english straights": (Ranking(ace_straight=AceStraight.LOW_ONLY), STANDARD_52, 7),
    "cats and dogs": (Ranking(special=SpecialHands.CATS_DOGS), STANDARD_52, 7),
    "short deck": (Ranking(order=CategoryOrder.SHORT_DECK, ranks=SHORT_RANKS), STRIPPED_36, 7),
    "short deck, trips first": (Ranking(order=CategoryOrder.SHORT_DECK_TRIPS, ranks=SHORT_RANKS), STRIPPED_36, 7),
    "stripped deck": (Ranking(ace_straight=AceStraight.HIGH_ONLY, ranks=SHORT_RANKS), STRIPPED_36, 7),
    "seven to ace": (Ranking(ace_straight=AceStraight.HIGH_ONLY, ranks=tuple(range(5, 13))), STRIPPED_32, 6),
    "three cards": (Ranking(order=CategoryOrder.THREE_CARD, size=3), STANDARD_52, 5),
    "three cards, sets only": (Ranking(order=CategoryOrder.SETS_ONLY, size=3), STANDARD_52, 5),
    "ace to five": (Ranking(scale=Scale.ACE_TO_FIVE), STANDARD_52, 7),
    "eight or better": (Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT), STANDARD_52, 7),
    "deuce to seven": (Ranking(scale=Scale.DEUCE_TO_SEVEN), STANDARD_52, 7),
    "low, ace high": (Ranking(scale=Scale.LOW_ACE_HIGH), STANDARD_52, 7),
    "low, ace low": (Ranking(scale=Scale.LOW_ACE_LOW), STANDARD_52, 7),
    "badugi": (Ranking(scale=Scale.BADUGI), STANDARD_52, 5),
    "badugi, ace high": (Ranking(scale=Scale.BADUGI_ACE_HIGH), STANDARD_52, 5),
}
WILD_GAMES: dict[str, tuple[Ranking, tuple[int, ...], int]] = {
    "free joker": (Ranking(wild=WildPolicy(method=FREE)), WITH_JOKER_53, 6),
    "strict joker": (Ranking(wild=WildPolicy(method=STRICT)), WITH_JOKER_53, 6),
    "bug": (Ranking(wild=WildPolicy(method=BUG)), WITH_JOKER_53, 6),
    "bug, cats and dogs": (Ranking(wild=WildPolicy(method=BUG), special=SpecialHands.CATS_DOGS), WITH_JOKER_53, 6),
    "bug, low straights": (Ranking(wild=WildPolicy(method=BUG), ace_straight=AceStraight.LOW_ONLY), WITH_JOKER_53, 6),
    "mexican, joker down": (
        Ranking(order=CategoryOrder.SHORT_DECK, ranks=MEXICAN_RANKS, wild=WildPolicy(method=FREE)),
        MEXICAN_41,
        6,
    ),
    "mexican, joker up": (
        Ranking(order=CategoryOrder.SHORT_DECK, ranks=MEXICAN_RANKS, wild=WildPolicy(method=BUG)),
        MEXICAN_41,
        6,
    ),
    "three cards, joker": (
        Ranking(order=CategoryOrder.THREE_CARD, size=3, wild=WildPolicy(method=FREE)),
        WITH_JOKER_53,
        5,
    ),
    "ace to five, joker": (Ranking(scale=Scale.ACE_TO_FIVE, wild=WildPolicy(method=STRICT)), WITH_JOKER_53, 6),
    "deuce to seven, joker": (Ranking(scale=Scale.DEUCE_TO_SEVEN, wild=WildPolicy(method=BUG)), WITH_JOKER_53, 6),
    "low, ace high, joker": (Ranking(scale=Scale.LOW_ACE_HIGH, wild=WildPolicy(method=FREE)), WITH_JOKER_53, 6),
    "low, ace low, joker": (Ranking(scale=Scale.LOW_ACE_LOW, wild=WildPolicy(method=STRICT)), WITH_JOKER_53, 6),
}
DEUCES_GAMES: dict[str, tuple[Ranking, tuple[int, ...], int]] = {
    "deuces": (Ranking(wild=WildPolicy(method=FREE, ranks=(0,))), STANDARD_52, 5),
    "deuces, strict": (Ranking(wild=WildPolicy(method=STRICT, ranks=(0,))), STANDARD_52, 5),
    "deuces free, joker a bug": (Ranking(wild=WildPolicy(method=FREE, ranks=(0,), joker=BUG)), WITH_JOKER_53, 5),
    "deuces bugs": (Ranking(wild=WildPolicy(method=BUG, ranks=(0,))), STANDARD_52, 5),
    "deuces for low": (Ranking(scale=Scale.DEUCE_TO_SEVEN, wild=WildPolicy(method=STRICT, ranks=(0,))), STANDARD_52, 5),
}


def assert_agreement(ranking: Ranking, one: list[int], other: list[int]) -> None:
    """Check that both evaluators order two hands alike, and that both find a hand or none."""
    fast = evaluator(ranking)
    first, second = naive_key(one, ranking), naive_key(other, ranking)
    mine, yours = fast.value(one), fast.value(other)
    shown = f"{cards_text(one)} against {cards_text(other)}: {first} {second}"
    assert (mine > yours) == (first > second), shown
    assert (mine == yours) == (first == second), shown
    assert (mine == 0) == (first == NO_HAND), shown


@pytest.mark.law("R-1", "R-3", "R-7", "T-6", "LO-1", "LO-2", "LO-5", "VC-15", "VC-17", "VC-27", "VB-10", "SP-1")
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_plain_games(game: str, data: st.DataObject) -> None:
    ranking, deck, maximum = GAMES[game]
    least = 4 if ranking.is_badugi else ranking.size
    count = data.draw(st.integers(least, maximum))
    hands = st.lists(st.sampled_from(deck), min_size=count, max_size=count, unique=True)
    assert_agreement(ranking, data.draw(hands), data.draw(hands))


@pytest.mark.law("R-3", "R-6", "LO-5")
@pytest.mark.parametrize("game", [name for name in GAMES if "badugi" not in name])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_hands_near_a_flush(game: str, data: st.DataObject) -> None:
    """At random a flush is rare; here maximum cards are of one suit."""
    ranking, deck, maximum = GAMES[game]
    spades = [card for card in deck if card % 4 == 3]
    near = st.lists(st.sampled_from(spades), min_size=4, max_size=min(maximum, 6), unique=True)

    def hand() -> list[int]:
        cards = data.draw(near)
        wanted = max(ranking.size, data.draw(st.integers(len(cards), max(maximum, len(cards)))))
        others = [card for card in deck if card not in cards]
        return cards + data.draw(
            st.lists(st.sampled_from(others), min_size=wanted - len(cards), max_size=wanted - len(cards), unique=True)
        )

    assert_agreement(ranking, hand(), hand())


@pytest.mark.law("W-3", "W-4", "W-5", "W-6", "W-8", "W-9", "VB-7", "VC-22", "SP-1", "T-3", "T-4", "T-5")
@pytest.mark.parametrize("game", WILD_GAMES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_games_with_a_joker(game: str, data: st.DataObject) -> None:
    ranking, deck, maximum = WILD_GAMES[game]
    count = data.draw(st.integers(ranking.size, maximum))
    hands = st.lists(st.sampled_from(deck), min_size=count, max_size=count, unique=True)
    suit = data.draw(st.sampled_from([None, 0, 1]))
    close = [card for card in deck if card != JOKER and (suit is None or card % 4 == suit)]
    joined = st.lists(st.sampled_from(close), min_size=count - 1, max_size=count - 1, unique=True)
    assert_agreement(ranking, [JOKER, *data.draw(joined)], data.draw(hands))
    assert_agreement(ranking, [JOKER, *data.draw(joined)], [JOKER, *data.draw(joined)])


@pytest.mark.law("W-1", "W-3", "W-5", "VC-25")
@pytest.mark.parametrize("game", DEUCES_GAMES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_two_wild_cards(game: str, data: st.DataObject) -> None:
    ranking, deck, count = DEUCES_GAMES[game]
    natural = [card for card in deck if ranking.wild.method_of(card) is WildMethod.NONE]
    wild = [card for card in deck if card not in natural]
    suits = data.draw(st.sampled_from([(0, 1, 2, 3), (0,), (1,)]))
    close = [card for card in natural if card % 4 in suits]
    naturals = st.lists(st.sampled_from(close), min_size=count - 2, max_size=count - 2, unique=True)
    wilds = st.lists(st.sampled_from(wild), min_size=2, max_size=2, unique=True)
    assert_agreement(ranking, data.draw(wilds) + data.draw(naturals), data.draw(wilds) + data.draw(naturals))


@pytest.mark.full
@pytest.mark.parametrize("game", DEUCES_GAMES)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_three_wild_cards(game: str, data: st.DataObject) -> None:
    ranking, deck, count = DEUCES_GAMES[game]
    natural = [card for card in deck if ranking.wild.method_of(card) is WildMethod.NONE]
    wild = [card for card in deck if card not in natural]
    naturals = st.lists(st.sampled_from(natural), min_size=count - 3, max_size=count - 3, unique=True)
    wilds = st.lists(st.sampled_from(wild), min_size=3, max_size=3, unique=True)
    assert_agreement(ranking, data.draw(wilds) + data.draw(naturals), data.draw(wilds) + data.draw(naturals))
