"""What may be laid over any game, reached by name, and games that stand in no list."""

import random

import pytest
from msgspec.structs import replace

from bot.engine.cards import JACK, JOKER, TWO
from bot.engine.mixes import Bomb, BombWhen, Game
from bot.engine.options import Ante, Deck, Limit, Purse, Special, WildCall, WildMethod
from bot.engine.steps import BetStep
from bot.engine.usual import usual_stakes
from bot.table.rules import check_settings
from bot.table.settings import TableSettings
from bot.variants import CATALOGUE, MODIFIERS, CannotModify, UnknownGame, base_game, game, search
from bot.variants.modifiers import modified
from tests.variants.play import play


@pytest.mark.law("VB-9", "VB-10", "VB-11", "VB-12", "VB-13", "VC-25")
@pytest.mark.parametrize("modifier", MODIFIERS, ids=lambda one: one.word)
def test_a_modifier_goes_with_a_game_or_says_why_not(modifier) -> None:  # type: ignore[no-untyped-def]
    """A dozen games are tried with it, and played where it goes with them."""
    dice = random.Random(modifier.word)
    played = 0
    for card in (game("deuces_wild"), game("omaha"), *dice.sample(CATALOGUE, 12)):
        try:
            changed = modified(card, modifier)
        except CannotModify as refusal:
            assert refusal.law and str(refusal)
            continue
        play(changed, dice.randrange(1000))
        played += 1
        assert base_game(changed) == changed, "it is found again by its key"
    assert played, "it goes with none"


@pytest.mark.law("VB-9", "W-4", "K-3")
@pytest.mark.parametrize(
    "word", ["omaha + joker bug", "Omaha +bug", "Pot-Limit Omaha with the joker as bug", "plo, joker as bug"]
)
def test_omaha_with_the_bug_is_a_name_away(word: str) -> None:
    card = game(word)
    assert (card.options.deck, card.options.wild_method) == (Deck.WITH_JOKER_53, WildMethod.BUG)
    assert (card.key, card.name) == ("omaha+joker_bug", "Pot-Limit Omaha, Joker as Bug")
    assert card.steps == game("omaha").steps


@pytest.mark.law("VB-10", "K-4", "P-6")
@pytest.mark.parametrize(
    ("word", "seats"),
    [("holdem +36", 9), ("five_card_draw +36", 7), ("stud_low +36", 7), ("omaha +36", 6), ("hoyle draw + 32", 6)],
)
def test_a_stripped_pack_seats_fewer(word: str, seats: int) -> None:
    assert game(word).seats_max == game(word).options.max_seats == seats


@pytest.mark.law("W-1", "VC-25", "VB-11", "VB-13")
def test_modifiers_add_up() -> None:
    card = game("hoyle draw + deuces wild + one-eyed jacks wild + cats dogs + strict")
    options = card.options
    assert options.wild_ranks == (TWO,)
    assert {one >> 2 for one in options.wild_cards} == {JACK}
    assert (options.wild_method, options.special) == (WildMethod.FREE, Special.CATS_DOGS)
    assert (options.stakes, options.wild_call) == (Purse.OPEN_PURSE, WildCall.DECLARE)
    assert JOKER not in play(card, 1).deck


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
def test_what_does_not_go_together_is_refused(word: str) -> None:
    with pytest.raises(CannotModify):
        game(word)
    with pytest.raises(UnknownGame):
        game("holdem + marmalade")


def test_who_types_a_plus_is_offered_what_goes_with_the_game() -> None:
    names = [card.name for card in search("stud + jok")]
    assert "Limit Seven-Card Stud, Joker as Bug" in names
    assert not any("Bomb" in card.name for card in search("stud +", most=100))
    assert search("nothing of the kind + joker") == ()


@pytest.mark.law("VB-9", "VC-29", "TL-19")
def test_a_game_that_stands_in_no_list_is_data_alone() -> None:
    """Omaha with the joker as bug, pot-limit, bomb pot each lap: composed of values, ruled on, and played."""
    card = game("Omaha with the joker as bug, pot-limit")
    bomb = game("omaha + joker bug + bomb")
    settings = TableSettings(
        card=card, options=card.options, stakes=usual_stakes(card),
        bomb=Bomb(Game(bomb, bomb.options, usual_stakes(bomb)), BombWhen.LAP),
    )  # fmt: skip
    check_settings(settings)
    assert card.options.limit is Limit.POT_LIMIT
    assert bomb.options.ante is Ante.EVERYONE
    assert sum(isinstance(step, BetStep) for step in bomb.steps) == 3
    for seed in range(20):
        assert JOKER in play(card, seed).deck
        play(bomb, seed)


def test_a_card_made_by_hand_is_played_too() -> None:
    """Nothing asks for a game's name: a copy under another key plays the same."""
    copy = replace(game("follow_the_queen"), key="nobody_knows_it", name="Nobody Knows It", aliases=())
    assert play(copy, 7).stacks == play(game("follow_the_queen"), 7).stacks
