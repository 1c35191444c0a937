"""Several games in one line, and what half a line may become."""

import pytest

from bot.engine.mixes import Change
from bot.engine.options import Limit
from bot.variants import MIXES, UnknownGame
from bot.variants.listing import completions, listed
from bot.variants.mixes import Mix


@pytest.mark.law("VC-28")
def test_a_game_a_mixture_and_a_list() -> None:
    assert [card.key for card in listed("razz").games] == ["razz"]
    assert not listed("omaha + joker bug").mixed
    horse = listed("H.O.R.S.E.")
    assert (horse.name, len(horse.games), horse.change) == ("H.O.R.S.E.", 5, Change.LAP)
    assert listed("Dealer's Choice").change is Change.CHOICE
    own = listed("holdem / omaha + joker bug; razz | badugi")
    assert [card.key for card in own.games] == ["holdem", "omaha+joker_bug", "razz", "badugi"]
    with pytest.raises(UnknownGame):
        listed("holdem / bridge")


def test_the_last_game_of_a_line_is_completed() -> None:
    assert completions("8")[0] == ("8-Game Mix", "8_game")
    assert ("holdem / Limit Razz", "holdem / razz") in completions("holdem / raz")
    assert len(completions("")) == 25


def test_blanks_count_for_nothing_however_many_they_are() -> None:
    """What is typed is gone through once: blanks were looked for again behind each of them."""
    blanks = " " * 100_000
    assert listed(f"razz{blanks}/{blanks}badugi") == listed("razz/badugi")
    assert listed(f"omaha{blanks}with{blanks}the joker{blanks}") == listed("omaha + joker")
    with pytest.raises(UnknownGame):
        listed(f"hold{blanks}?em{blanks}or bridge")
    assert completions(f"holdem{blanks}/ raz{blanks}") == completions("holdem / raz")


@pytest.mark.law("VC-28")
@pytest.mark.parametrize("mix", MIXES, ids=lambda mix: mix.key)
def test_a_mixture_is_offered_by_all_its_names(mix: Mix) -> None:
    for word in (mix.key, mix.name, *mix.aliases):
        assert listed(word).name == mix.name
        assert (mix.name, mix.key) in completions(word)


@pytest.mark.law("VC-28")
def test_the_mixtures_are_those_of_the_sheet() -> None:
    """Limit hold'em, Omaha 8, razz, stud, stud 8; and the eight games from deuce-to-seven to Omaha."""
    assert [card.sheet for card in listed("horse").games] == ["VB-6", "VC-2", "VC-7", "VC-5", "VC-6"]
    eight = listed("8-game").games
    assert [card.sheet for card in eight] == ["VC-9", "VB-6", "VC-2", "VC-7", "VC-5", "VC-6", "VB-6", "VC-1"]
    assert [card.options.limit for card in eight] == [*[Limit.LIMIT] * 6, Limit.NO_LIMIT, Limit.POT_LIMIT]
