"""Every game of the catalogue plays, is found, fits its rule sheet, and can be described."""

import re
from collections import Counter

import pytest
from msgspec.structs import replace

from bot.engine.dealing.decks import max_seats_served
from bot.engine.mixes import Game
from bot.engine.options.applicable import reconcile_options
from bot.engine.options.register import validate_options
from bot.engine.options.values import Limit
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import validate_stakes
from bot.engine.usual_stakes import usual_stakes
from bot.table.refusals import DeckTooSmall, SeatCountOutOfBounds
from bot.table.seat_limits import seats_allowed
from bot.table.validate_settings import validate_game
from bot.text.describe_game import describe_game
from bot.variants import CATALOGUE, NotABettingGame, UnknownGame, game, search_games
from bot.variants.catalogue import normalise_name
from bot.variants.customise import change_option, offered_options
from tests.variants.play_hand import play_hand

every_game = pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)

SEATS = {
    "VB-1": (6, 10), "VB-2": (7, 10), "VB-3": (8, 10), "VB-4": (9, 10), "VB-5": (9, 10), "VB-6": (10, 14), "VB-7": (6, 10),
    "VC-1": (10, 11), "VC-2": (10, 11), "VC-4": (8, 8), "VC-5": (8, 8), "VC-6": (8, 8), "VC-7": (8, 8), "VC-8": (7, 7),
    "VC-9": (6, 6), "VC-10": (6, 6), "VC-11": (6, 6), "VC-13": (8, 8), "VC-14": (7, 7), "VC-15": (8, 8), "VC-16": (6, 6),
    "VC-17": (9, 9), "VC-19": (10, 10), "VC-20": (8, 10), "VC-21": (10, 10), "VC-22": (7, 7), "VC-23": (7, 7),
    "VC-24": (6, 6), "VC-25": (7, 7), "VC-26": (7, 7), "VC-27": (10, 10),
}  # fmt: skip
"""The seats of each rule sheet, and the seats that a host can ask for (P-6, P-2)."""


@every_game
@pytest.mark.law(
    "VB-1",
    "VB-2",
    "VB-3",
    "VB-4",
    "VB-5",
    "VB-6",
    "VB-7",
    "VB-8",
    "VC-1",
    "VC-2",
    "VC-3",
    "VC-4",
    "VC-5",
    "VC-6",
    "VC-7",
    "VC-8",
    "VC-9",
    "VC-10",
    "VC-11",
    "VC-12",
    "VC-13",
    "VC-14",
    "VC-15",
    "VC-16",
    "VC-17",
    "VC-18",
    "VC-19",
    "VC-20",
    "VC-21",
    "VC-22",
    "VC-23",
    "VC-24",
    "VC-25",
    "VC-26",
    "VC-27",
)
def test_a_game_plays_to_its_end(card: RuleCard) -> None:
    for seed in range(3):
        play_hand(card, seed)
    play_hand(card, 3, players=card.seats_min)
    play_hand(card, 4, players=card.seats_max)


@every_game
def test_a_game_plays_with_every_value_of_applicable_options(card: RuleCard) -> None:
    """No option is offered that does not go with the game."""
    for seed, (name, option, now) in enumerate(offered_options(card, card.options)):
        for value in option.values:
            if value == now:
                continue
            changed, options = change_option(card, card.options, name, value)
            changed = replace(changed, options=options)
            seats = seats_allowed(changed, options.deck)
            stakes = usual_stakes(changed)
            validate_options(options)
            validate_stakes(stakes, options)
            play_hand(replace(changed, seats_max=min(seats, changed.seats_max)), seed)


@every_game
def test_a_games_own_options_go_together(card: RuleCard) -> None:
    assert reconcile_options(card, card.options) == card.options


@every_game
@pytest.mark.law("P-1", "P-2", "P-6")
def test_a_game_seats_what_its_sheet_says(card: RuleCard) -> None:
    assert card.options.max_seats == card.seats_max
    assert card.seats_min == 2
    most = seats_allowed(card, card.options.deck)
    assert card.seats_max <= most <= 14
    if card.law_id in SEATS and card.key not in ("morehead", "modern_stud5"):
        assert (card.seats_max, most) == SEATS[card.law_id]
    if most > card.seats_max:
        assert most <= max_seats_served(card, card.options.deck)


@every_game
@pytest.mark.law("P-6", "VB-1", "VC-1")
def test_too_many_or_too_few_players_are_refused(card: RuleCard) -> None:
    """The law of the game refuses them, or P-6 if the deck is too small."""
    lawful = Game(card, card.options, usual_stakes(card))
    most = seats_allowed(card, card.options.deck)
    validate_game(lawful, most)
    with pytest.raises(SeatCountOutOfBounds) as too_few:
        validate_game(lawful, 1)
    assert too_few.value.law == card.law_id
    assert (too_few.value.minimum, too_few.value.maximum, too_few.value.seat_count) == (2, most, 1)
    with pytest.raises((SeatCountOutOfBounds, DeckTooSmall)) as refused:
        validate_game(lawful, most + 1)
    served = most == max_seats_served(card, card.options.deck)
    assert refused.value.law == ("P-6" if served else card.law_id)


@pytest.mark.law("VC-3", "VB-8")
def test_more_hole_cards_seat_fewer() -> None:
    assert [game(key).seats_max for key in ("omaha5", "omaha6", "big_o", "hilo_draw", "hilo_stud")] == [8, 7, 8, 8, 9]


@every_game
def test_a_game_is_found_by_all_its_names(card: RuleCard) -> None:
    """It comes first, before other games that have the words in their names."""
    for word in (card.key, card.name, card.name.upper(), *card.aliases):
        assert game(word) == card
        assert search_games(word)[0] == card, word
        assert card in search_games(word[: 2 * len(word) // 3], max_results=100), word
    assert card in search_games(card.family, max_results=100)


def test_no_name_means_two_games() -> None:
    names = Counter(
        name for card in CATALOGUE for name in {normalise_name(word) for word in (card.key, card.name, *card.aliases)}
    )  # fmt: skip
    assert [name for name, count in names.items() if count > 1] == []


@every_game
def test_a_rule_card_can_be_described(card: RuleCard) -> None:
    lines = [line for line in describe_game(card) if line]
    assert lines[0].startswith(card.name)
    assert all(re.search(r"\S", line) and "None" not in line for line in lines)


def test_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame) as caught:
        game("old maid")
    assert (caught.value.law, caught.value.word) == ("H-2", "old maid")


@pytest.mark.law("VC-30")
@pytest.mark.parametrize("word", ["Chinese", "chinese poker", "Open-Face Chinese", "OFC"])
def test_chinese_poker_is_not_dealt(word: str) -> None:
    with pytest.raises(NotABettingGame) as refused:
        game(word)
    assert refused.value.law == "VC-30"


@pytest.mark.law("VC-12")
def test_kansas_city_lowball_is_deuce_to_seven_single_draw() -> None:
    assert game("Kansas City Lowball") == game("2-7 single draw")
    assert game("kansas city lowball").options.limit is Limit.NO_LIMIT


@pytest.mark.law("P-6", "VC-27")
def test_seats_never_exceed_what_the_first_deal_serves() -> None:
    """A deck of 32 serves six players with five cards each, however many the game seats with three cards each."""
    guts = game("guts + 32-card pack")
    assert seats_allowed(guts, guts.options.deck) == 10
    of_five = replace(guts, steps=game("guts_five").steps)
    assert seats_allowed(of_five, guts.options.deck) == 6
