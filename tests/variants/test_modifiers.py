"""Modifiers are found by name and laid over any game, also over games that are in no list."""

import random

import pytest
from msgspec.structs import replace

from bot.engine.cards import JACK, JOKER, TWO
from bot.engine.mixes import BombPot, BombPotTrigger, Game
from bot.engine.options.values import Ante, DeckKind, Limit, StakesRule
from bot.engine.ranking.spec import SpecialHands, WildCall, WildMethod
from bot.engine.steps import BettingRound
from bot.engine.usual_stakes import usual_stakes
from bot.table.settings import TableSettings
from bot.table.validate_settings import validate_settings
from bot.variants import CATALOGUE, MODIFIERS, CannotModify, UnknownGame, base_game, game, search_games
from bot.variants.modifiers import apply_modifier
from tests.variants.play_hand import play_hand


@pytest.mark.law("VB-9", "VB-10", "VB-11", "VB-12", "VB-13", "VC-25")
@pytest.mark.parametrize("modifier", MODIFIERS, ids=lambda one: one.key)
def test_a_modifier_applies_or_says_why_not(modifier) -> None:  # type: ignore[no-untyped-def]
    """It is tried with a dozen games, and played where it goes with them."""
    rng = random.Random(modifier.key)
    played = 0
    for card in (game("deuces_wild"), game("omaha"), *rng.sample(CATALOGUE, 12)):
        try:
            changed = apply_modifier(card, modifier)
        except CannotModify as refusal:
            assert refusal.law and str(refusal)
            continue
        play_hand(changed, rng.randrange(1000))
        played += 1
        assert base_game(changed) == changed, "it is found again by its key"
    assert played, "it goes with none"


@pytest.mark.law("VB-9", "W-4", "K-3")
@pytest.mark.parametrize(
    "word", ["omaha + joker bug", "Omaha +bug", "Pot-Limit Omaha with the joker as bug", "plo, joker as bug"]
)
def test_omaha_with_the_bug_is_found_by_name(word: str) -> None:
    card = game(word)
    assert (card.options.deck, card.options.wild_method) == (DeckKind.WITH_JOKER_53, WildMethod.BUG)
    assert (card.key, card.name) == ("omaha+joker_bug", "Pot-Limit Omaha, Joker as Bug")
    assert card.steps == game("omaha").steps


@pytest.mark.law("VB-12", "L-2")
@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("holdem + doubling", "Hold'em, Doubling"),
        ("omaha + no_limit", "Omaha, No-Limit"),
        ("double_board_omaha + limit", "Double-Board Omaha, Limit"),
        ("badugi + stake_limit", "Badugi, Stake Limit"),
        ("hoyle_draw + doubling", "Hoyle Draw, Doubling"),
        ("holdem + no_limit", "No-Limit Hold'em"),
    ],
)
def test_another_limit_replaces_its_own_in_the_name(word: str, name: str) -> None:
    assert game(word).name == name


@pytest.mark.law("VB-10", "K-4", "P-6")
@pytest.mark.parametrize(
    ("word", "seats"),
    [("holdem +36", 9), ("five_card_draw +36", 7), ("stud_low +36", 7), ("omaha +36", 6), ("hoyle draw + 32", 6)],
)
def test_a_stripped_deck_seats_fewer(word: str, seats: int) -> None:
    assert game(word).seats_max == game(word).options.max_seats == seats


@pytest.mark.law("W-1", "VC-25", "VB-11", "VB-13")
def test_modifiers_add_up() -> None:
    card = game("hoyle draw + deuces wild + one-eyed jacks wild + cats dogs + strict")
    options = card.options
    assert options.wild_ranks == (TWO,)
    assert {one >> 2 for one in options.wild_cards} == {JACK}
    assert (options.wild_method, options.special) == (WildMethod.FREE, SpecialHands.CATS_DOGS)
    assert (options.stakes, options.wild_call) == (StakesRule.OPEN_PURSE, WildCall.DECLARE)
    assert JOKER not in play_hand(card, 1).deck


@pytest.mark.law("K-3", "VB-10", "VB-11")
@pytest.mark.parametrize(
    "word",
    [
        "mexican stud + joker",
        "short deck + 32",
        "razz + cats dogs",
        "stud + bomb",
        "stud + double board",
        "guts + no duplicate",
    ],
)
def test_modifiers_that_do_not_fit_are_refused(word: str) -> None:
    with pytest.raises(CannotModify):
        game(word)
    with pytest.raises(UnknownGame):
        game("holdem + marmalade")


def test_typing_a_plus_offers_modifiers_that_fit() -> None:
    names = [card.name for card in search_games("stud + jok")]
    assert "Limit Seven-Card Stud, Joker as Bug" in names
    assert not any("Bomb" in card.name for card in search_games("stud +", max_results=100))
    assert search_games("nothing of the kind + joker") == ()


@pytest.mark.law("VB-9", "VC-29", "TL-19")
def test_a_game_outside_the_catalogue_is_pure_data() -> None:
    """Omaha with the joker as bug, pot-limit, with a bomb pot each lap, is composed of values, ruled on and played."""
    card = game("Omaha with the joker as bug, pot-limit")
    bomb = game("omaha + joker bug + bomb")
    settings = TableSettings(
        rule_card=card, options=card.options, stakes=usual_stakes(card),
        bomb_pot=BombPot(Game(bomb, bomb.options, usual_stakes(bomb)), BombPotTrigger.LAP),
    )  # fmt: skip
    validate_settings(settings)
    assert card.options.limit is Limit.POT_LIMIT
    assert bomb.options.ante is Ante.EVERYONE
    assert sum(isinstance(step, BettingRound) for step in bomb.steps) == 3
    for seed in range(20):
        assert JOKER in play_hand(card, seed).deck
        play_hand(bomb, seed)


def test_a_handmade_rule_card_is_played() -> None:
    """No code asks for a game's name: a copy under another key plays the same."""
    copy = replace(game("follow_the_queen"), key="nobody_knows_it", name="Nobody Knows It", aliases=())
    assert play_hand(copy, 7).stacks == play_hand(game("follow_the_queen"), 7).stacks
