"""What somebody probably meant by a name that is misspelled."""

import pytest

from bot.variants.closest import closest_game_names, closest_games, closest_wild_cards, closest_words
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


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hrse", [("H.O.R.S.E.", "horse")]),
        ("dealers choise", [("Dealer's Choice", "dealers_choice")]),
        ("fryday", [("Friday Night", "Friday Night")]),
        ("", []),
    ],
)
def test_mixtures_and_house_games_are_meant_too(typed: str, meant: list[tuple[str, str]]) -> None:
    assert list(closest_game_names(typed, ["Friday Night"])) == meant


@pytest.mark.parametrize(
    ("typed", "meant"), [("blak twos", ("black twos",)), ("one-eyd jacks", ("one-eyed jacks",)), ("xyzzy", ())]
)
def test_misspelled_wild_cards_are_corrected_word_by_word(typed: str, meant: tuple[str, ...]) -> None:
    assert closest_wild_cards(typed) == meant
