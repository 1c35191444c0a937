"""Several games in one line, and what half a line may become."""

import pytest

from bot.engine.mixes import Change
from bot.variants import UnknownGame
from bot.variants.listing import completions, listed


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
