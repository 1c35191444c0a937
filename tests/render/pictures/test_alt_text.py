"""The description of a picture: the hand in words, never longer than Discord takes."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from bot.engine.rule_card import RuleCard
from bot.engine.view.build import view
from bot.render.hand.scene import Person
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.render.pictures.alt_text import picture_alt_text
from bot.text.language import reading
from bot.variants import CATALOGUE, game
from tests.render.pictures.random_hands import new_hand, scene_of, states
from tests.render.sample_hands import mid_hand, scene, showdown
from tests.support.pseudo_language import pseudo_language

LONG_NAMES = {
    number: Person(f"{number} " + "Wolfeschlegelsteinhausenbergerdorff"[:30], 100 + number) for number in range(1, 11)
}


def test_running_hand_in_words() -> None:
    assert picture_alt_text(scene(mid_hand())) == (
        "Turn. Board: ace of hearts, king of diamonds, nine of clubs, nine of spades. Pot 10,475. river_rat to act. "
        "In: bob_the_builder, Ayşe, NightOwl (all-in), river_rat."
    )


def test_result_in_words() -> None:
    assert picture_alt_text(scene(showdown())) == (
        "NightOwl wins 9,450 with kings full of nines. river_rat wins 4,100 with nines full of aces. Showdown. "
        "Board: ace of hearts, king of diamonds, nine of clubs, nine of spades, deuce of diamonds."
    )


def test_uncontested_result_names_the_winner_alone() -> None:
    won = replace(showdown(), showdown=False, payments=())
    assert picture_alt_text(scene(won)) == "NightOwl wins 9,450. river_rat wins 4,100."


def test_cancelled_hand_says_so() -> None:
    assert picture_alt_text(scene(replace(showdown(), voided=True))) == "Hand #1284 was cancelled."


def test_description_is_plain_text() -> None:
    """No markdown is escaped in it, and no line is broken."""
    people = {**scene(mid_hand()).people, 7: Person("river_rat\n*the* [great]")}
    assert "river_rat *the* [great] to act." in picture_alt_text(scene(mid_hand(), people=people))


@pytest.mark.parametrize("key", ["double_board_omaha", "double_board_holdem", "holdem", "anaconda", "stud8", "big_o"])
def test_ten_long_names_always_fit(key: str) -> None:
    for seed in range(12):
        dice = random.Random(f"{key} {seed}")
        for state in states(new_hand(game(key), dice), dice):
            shown = replace(scene_of(view(state, None)), people=LONG_NAMES)
            text = picture_alt_text(shown)
            assert 0 < len(text) <= PICTURE_TEXT_MAX
            assert not text.endswith("…"), "what is left out is left out whole"


@pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)
def test_description_fits_in_a_longer_language(card: RuleCard) -> None:
    dice = random.Random(card.key)
    with reading(pseudo_language("de")):
        for state in states(new_hand(card, dice), dice):
            assert len(picture_alt_text(replace(scene_of(view(state, None)), people=LONG_NAMES))) <= PICTURE_TEXT_MAX
