"""Several games are read from one line, and half a line gets suggestions."""

import pytest

from bot.engine.mixes import RotationChange
from bot.engine.options.values import Limit
from bot.variants import MIXES, UnknownGame
from bot.variants.game_list import complete_game_list, parse_game_list
from bot.variants.mixes import Mix


@pytest.mark.law("VC-28")
def test_a_game_a_mix_and_a_list_are_parsed() -> None:
    assert [card.key for card in parse_game_list("razz").games] == ["razz"]
    assert not parse_game_list("omaha + joker bug").is_mixed
    horse = parse_game_list("H.O.R.S.E.")
    assert (horse.name, len(horse.games), horse.change) == ("H.O.R.S.E.", 5, RotationChange.LAP)
    assert parse_game_list("Dealer's Choice").change is RotationChange.DEALERS_CHOICE
    own = parse_game_list("holdem / omaha + joker bug; razz | badugi")
    assert [card.key for card in own.games] == ["holdem", "omaha+joker_bug", "razz", "badugi"]
    with pytest.raises(UnknownGame):
        parse_game_list("holdem / bridge")


def test_the_last_game_of_a_list_is_completed() -> None:
    assert complete_game_list("8")[0] == ("8-Game Mix", "8_game")
    assert ("holdem / Limit Razz", "holdem / razz") in complete_game_list("holdem / raz")
    assert len(complete_game_list("")) == 25


def test_blanks_are_ignored() -> None:
    """The typed line is read once; it used to be searched again behind each blank."""
    blanks = " " * 100_000
    assert parse_game_list(f"razz{blanks}/{blanks}badugi") == parse_game_list("razz/badugi")
    assert parse_game_list(f"omaha{blanks}with{blanks}the joker{blanks}") == parse_game_list("omaha + joker")
    with pytest.raises(UnknownGame):
        parse_game_list(f"hold{blanks}?em{blanks}or bridge")
    assert complete_game_list(f"holdem{blanks}/ raz{blanks}") == complete_game_list("holdem / raz")


@pytest.mark.law("VC-28")
@pytest.mark.parametrize("mix", MIXES, ids=lambda mix: mix.key)
def test_a_mix_is_offered_by_all_its_names(mix: Mix) -> None:
    for word in (mix.key, mix.name, *mix.aliases):
        assert parse_game_list(word).name == mix.name
        assert (mix.name, mix.key) in complete_game_list(word)


@pytest.mark.law("VC-28")
def test_the_mixes_are_those_of_the_sheet() -> None:
    """H.O.R.S.E. is limit hold'em, Omaha 8, razz, stud and stud 8; the eight-game mix goes from deuce-to-seven to Omaha."""
    assert [card.law_id for card in parse_game_list("horse").games] == ["VB-6", "VC-2", "VC-7", "VC-5", "VC-6"]
    eight = parse_game_list("8-game").games
    assert [card.law_id for card in eight] == ["VC-9", "VB-6", "VC-2", "VC-7", "VC-5", "VC-6", "VB-6", "VC-1"]
    assert [card.options.limit for card in eight] == [*[Limit.LIMIT] * 6, Limit.NO_LIMIT, Limit.POT_LIMIT]
