"""Examples of what beats what: each is what it says under its ranking, and they come from the best to the worst."""

from itertools import combinations

import pytest

from bot import variants
from bot.engine.cards import MEXICAN_41, STANDARD_52, STRIPPED_36, WITH_JOKER_53, parse_cards
from bot.engine.dealing.decks import DECKS
from bot.engine.ranking import Category, Ranking, evaluator
from bot.engine.ranking import presets as p
from bot.engine.ranking.examples import ExampleHand, example_hands
from bot.engine.ranking.spec import WildMethod, WildPolicy
from bot.engine.showdown.ranking_in_force import ranking_in_force

RANKINGS = sorted(
    {
        (ranking_in_force(share.ranking, card, card.options), tuple(DECKS[card.options.deck]))
        for card in variants.CATALOGUE
        for share in card.shares
    },
    key=repr,
)
"""Every ranking of the catalogue, with its deck."""


def categories(ranking: Ranking, deck: tuple[int, ...] = STANDARD_52) -> list[Category]:
    return list(dict.fromkeys(example.name.category for example in example_hands(ranking, deck)))


def ranks(example: ExampleHand) -> list[int]:
    return [card >> 2 for card in example.cards]


@pytest.mark.parametrize(("ranking", "deck"), RANKINGS)
def test_every_example_is_what_its_ranking_calls_it(ranking: Ranking, deck: tuple[int, ...]) -> None:
    plain = evaluator(ranking)
    for example in example_hands(ranking, deck):
        held = (*example.cards, *example.idle)
        assert set(held) <= set(deck)
        assert len(set(held)) == len(held) == (4 if ranking.is_badugi else ranking.size)
        assert plain.value(held) == example.value
        assert plain.name(example.value) == example.name


@pytest.mark.parametrize(("ranking", "deck"), RANKINGS)
def test_examples_come_from_the_best_to_the_worst(ranking: Ranking, deck: tuple[int, ...]) -> None:
    values = [example.value for example in example_hands(ranking, deck)]
    assert values == sorted(set(values), reverse=True)


@pytest.mark.parametrize(("ranking", "deck"), RANKINGS)
def test_every_category_that_somebody_can_hold_has_an_example(ranking: Ranking, deck: tuple[int, ...]) -> None:
    """Every hand out of 22 cards of the deck: a category without an example would be found there."""
    plain = evaluator(ranking)
    size = 4 if ranking.is_badugi else ranking.size
    dealt = [card for at, card in enumerate(sorted(deck, key=lambda card: (card * 37) % 101)) if at < 22]
    held = {plain.name(value).category for hand in combinations(dealt, size) if (value := plain.value(hand))}
    assert held <= {example.name.category for example in example_hands(ranking, deck)}


def test_flush_beats_full_house_in_short_deck() -> None:
    found = categories(p.SHORT_DECK, STRIPPED_36)
    assert found.index(Category.FLUSH) < found.index(Category.FULL_HOUSE)
    found = categories(p.HIGH)
    assert found.index(Category.FLUSH) > found.index(Category.FULL_HOUSE)


def test_five_of_a_kind_needs_a_wild_card() -> None:
    assert Category.FIVE_OF_A_KIND not in categories(p.HIGH)
    best = example_hands(p.MEXICAN, MEXICAN_41)[0]
    assert best.name.category is Category.FIVE_OF_A_KIND
    assert best.wild == parse_cards("Jk")
    assert categories(Ranking(wild=WildPolicy(method=WildMethod.BUG)), WITH_JOKER_53)[0] is Category.FIVE_OF_A_KIND


def test_only_five_of_a_kind_shows_wild_cards() -> None:
    deuces = Ranking(wild=WildPolicy(method=WildMethod.FREE, ranks=(0,)))
    shown = [example for example in example_hands(deuces, STANDARD_52) if example.wild]
    assert [example.name.category for example in shown] == [Category.FIVE_OF_A_KIND]


@pytest.mark.parametrize(
    ("ranking", "best", "worst"),
    [
        (p.ACE_TO_FIVE, "5432A", "KQJT9"),
        (p.EIGHT_OR_BETTER, "5432A", "87654"),
        (p.DEUCE_TO_SEVEN, "75432", "AKQJ9"),
        (p.ACE_LOW, "6432A", "KQJT8"),
        (p.ACE_HIGH, "75432", "AKQJ9"),
    ],
)
def test_lows_begin_with_the_best_and_end_with_the_worst(ranking: Ranking, best: str, worst: str) -> None:
    lows = [x for x in example_hands(ranking, STANDARD_52) if x.name.category is Category.HIGH_CARD]
    plain = evaluator(ranking)
    hands = [[rank * 4 + at % 4 for at, rank in enumerate(hand)] for hand in combinations(range(13), 5)]
    values = [v for hand in hands if (v := plain.value(hand)) and plain.name(v).category is Category.HIGH_CARD]
    assert (lows[0].value, lows[-1].value) == (max(values), min(values))
    assert ranks(lows[0]) == ["23456789TJQKA".index(rank) for rank in best]
    assert ranks(lows[-1]) == ["23456789TJQKA".index(rank) for rank in worst]


def test_low_that_does_not_qualify_is_left_out() -> None:
    assert categories(p.EIGHT_OR_BETTER) == [Category.HIGH_CARD]
    assert max(ranks(example)[0] for example in example_hands(p.EIGHT_OR_BETTER, STANDARD_52)) == 6


def test_badugis_show_which_cards_do_not_count() -> None:
    found = example_hands(p.BADUGI, STANDARD_52)
    assert [len(example.cards) for example in found] == [4, 4, 3, 2, 1]
    assert [len(example.idle) for example in found] == [0, 0, 1, 2, 3]


def test_hands_of_guts_have_as_many_cards_as_are_dealt() -> None:
    assert {len(example.cards) for example in example_hands(p.THREE_CARD, STANDARD_52)} == {3}
    assert categories(p.TWO_CARD) == [Category.PAIR, Category.HIGH_CARD]


def test_cats_and_dogs_stand_where_the_law_puts_them() -> None:
    found = categories(p.CATS_DOGS)
    at = found.index(Category.BIG_CAT)
    assert found[at - 1 : at + 5] == [
        Category.FLUSH, Category.BIG_CAT, Category.LITTLE_CAT, Category.BIG_DOG, Category.LITTLE_DOG, Category.STRAIGHT,
    ]  # fmt: skip
