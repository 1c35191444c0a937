"""Every game of the catalogue plays, is found, fits its sheet, and can be told."""

import re
from collections import Counter

import pytest
from msgspec.structs import replace

from bot.engine.card import RuleCard
from bot.engine.mixes import Game
from bot.engine.options import Limit
from bot.engine.packs import seats_served
from bot.engine.register import check_options
from bot.engine.stakes import check_stakes
from bot.engine.usual import usual_stakes
from bot.table.errors import GameSeats, PackCannotServe
from bot.table.pack import seats_allowed
from bot.table.rules import check_game
from bot.variants import CATALOGUE, NotABettingGame, UnknownGame, game, search
from bot.variants.finding import plain
from bot.variants.honoured import settled
from bot.variants.tailoring import tailored, taste_of
from bot.variants.telling import told
from tests.variants.play import play

every_game = pytest.mark.parametrize("card", CATALOGUE, ids=lambda card: card.key)

SEATS = {
    "VB-1": (6, 10), "VB-2": (7, 10), "VB-3": (8, 10), "VB-4": (9, 10), "VB-5": (9, 10), "VB-6": (10, 14), "VB-7": (6, 10),
    "VC-1": (10, 11), "VC-2": (10, 11), "VC-4": (8, 8), "VC-5": (8, 8), "VC-6": (8, 8), "VC-7": (8, 8), "VC-8": (7, 7),
    "VC-9": (6, 6), "VC-10": (6, 6), "VC-11": (6, 6), "VC-13": (8, 8), "VC-14": (7, 7), "VC-15": (8, 8), "VC-16": (6, 6),
    "VC-17": (9, 9), "VC-19": (10, 10), "VC-20": (8, 10), "VC-21": (10, 10), "VC-22": (7, 7), "VC-23": (7, 7),
    "VC-24": (6, 6), "VC-25": (7, 7), "VC-26": (7, 7), "VC-27": (10, 10),
}  # fmt: skip
"""What each sheet seats, and what a host may ask for (P-6, P-2)."""


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
        play(card, seed)
    play(card, 3, players=card.seats_min)
    play(card, 4, players=card.seats_max)


@every_game
def test_a_game_may_be_played_with_every_value_of_every_option_it_honours(card: RuleCard) -> None:
    """What is offered can be dealt: no option is offered that does not go with the game."""
    for seed, (name, entry, now) in enumerate(taste_of(card, card.options)):
        for choice in entry.choices:
            if choice.value == now:
                continue
            changed, options = tailored(card, card.options, name, choice.value)
            changed = replace(changed, options=options)
            seats = seats_allowed(changed, options.deck)
            stakes = usual_stakes(changed)
            check_options(options)
            check_stakes(stakes, options)
            play(replace(changed, seats_max=min(seats, changed.seats_max)), seed)


@every_game
def test_a_games_own_options_go_together(card: RuleCard) -> None:
    assert settled(card, card.options) == card.options


@every_game
@pytest.mark.law("P-1", "P-2", "P-6")
def test_a_game_seats_what_its_sheet_says(card: RuleCard) -> None:
    assert card.options.max_seats == card.seats_max
    assert card.seats_min == 2
    most = seats_allowed(card, card.options.deck)
    assert card.seats_max <= most <= 14
    if card.sheet in SEATS and card.key not in ("morehead", "modern_stud5"):
        assert (card.seats_max, most) == SEATS[card.sheet]
    if most > card.seats_max:
        assert most <= seats_served(card, card.options.deck)


@every_game
@pytest.mark.law("P-6", "VB-1", "VC-1")
def test_more_or_fewer_players_are_refused_by_the_sheet_or_the_pack(card: RuleCard) -> None:
    """``Law VC-26: this game seats 2 to 7``; where the pack is what stops them, it says so."""
    lawful = Game(card, card.options, usual_stakes(card))
    most = seats_allowed(card, card.options.deck)
    check_game(lawful, most)
    with pytest.raises(GameSeats, match=rf"Law {card.sheet}: this game seats 2 to {most}, not 1"):
        check_game(lawful, 1)
    with pytest.raises((GameSeats, PackCannotServe)) as refused:
        check_game(lawful, most + 1)
    served = most == seats_served(card, card.options.deck)
    assert refused.value.law == ("P-6" if served else card.sheet)


@pytest.mark.law("VC-3", "VB-8")
def test_more_own_cards_seat_fewer() -> None:
    assert [game(key).seats_max for key in ("omaha5", "omaha6", "big_o", "hilo_draw", "hilo_stud")] == [8, 7, 8, 8, 9]


@every_game
def test_a_game_is_found_by_all_its_names(card: RuleCard) -> None:
    """And offered first for them, before whatever else has them in its name."""
    for word in (card.key, card.name, card.name.upper(), *card.aliases):
        assert game(word) == card
        assert search(word)[0] == card, word
        assert card in search(word[: 2 * len(word) // 3], most=100), word
    assert card in search(card.family, most=100)


def test_no_name_means_two_games() -> None:
    names = Counter(
        name for card in CATALOGUE for name in {plain(word) for word in (card.key, card.name, *card.aliases)}
    )  # fmt: skip
    assert [name for name, count in names.items() if count > 1] == []


@every_game
def test_a_rule_card_can_be_told(card: RuleCard) -> None:
    lines = [line for line in told(card) if line]
    assert lines[0].startswith(card.name)
    assert all(re.search(r"\S", line) and "None" not in line for line in lines)


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownGame) as caught:
        game("old maid")
    assert caught.value.law == "H-2"
    assert "Pot-Limit Omaha" in caught.value.known


@pytest.mark.law("VC-30")
@pytest.mark.parametrize("word", ["Chinese", "chinese poker", "Open-Face Chinese", "OFC"])
def test_chinese_poker_is_not_dealt(word: str) -> None:
    with pytest.raises(NotABettingGame, match=r"Law VC-30: not a betting game"):
        game(word)


@pytest.mark.law("VC-12")
def test_kansas_city_lowball_is_deuce_to_seven_single_draw() -> None:
    assert game("Kansas City Lowball") == game("2-7 single draw")
    assert game("kansas city lowball").options.limit is Limit.NO_LIMIT


@pytest.mark.law("P-6", "VC-27")
def test_no_more_sit_down_than_are_dealt_their_first_cards() -> None:
    """Five cards each of a pack of 32 are enough for six, whatever the sheet seats with three cards each."""
    guts = game("guts + 32-card pack")
    assert seats_allowed(guts, guts.options.deck) == 10
    of_five = replace(guts, steps=game("guts_five").steps)
    assert seats_allowed(of_five, guts.options.deck) == 6
