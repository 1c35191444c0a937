"""What somebody probably meant by a name that is misspelled."""

import pytest

from bot.variants.closest import closest_games, closest_words
from bot.variants.game_list import complete_game_list


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hols", "No-Limit Hold'em"),
        ("baduggi", "Limit Badugi"),
        ("razzz", "Limit Razz"),
        ("no limt holdem", "No-Limit Hold'em"),
        ("omaha + jocker", "Pot-Limit Omaha, Joker Wild"),
    ],
)
def test_closest_game_comes_first(typed: str, meant: str) -> None:
    assert closest_games(typed)[0].name == meant


@pytest.mark.parametrize("typed", ["bridge", "old maid", "zzzzzz"])
def test_names_unlike_any_game_suggest_nothing(typed: str) -> None:
    assert closest_games(typed) == ()


def test_misspelled_game_is_completed() -> None:
    assert complete_game_list("baduggi") == (("Limit Badugi", "badugi"),)
    assert complete_game_list("holdem / razzz")[0] == ("holdem / Limit Razz", "holdem / razz")


def test_closest_words_are_compared_without_signs() -> None:
    assert closest_words("run twice", ("RABBIT", "RUN_TWICE")) == ("RUN_TWICE",)
