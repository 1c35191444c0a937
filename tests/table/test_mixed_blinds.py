"""Blinds at a mixed table: games without blinds played in between make nobody skip a blind, nor forget one that he owes."""

import pytest
from msgspec.structs import replace

from bot.engine.mixes import Change
from bot.table import commands as c
from bot.table import errors
from bot.table.queries import owed
from bot.table.settings import TableSettings
from bot.table.state import Entry, SeatState
from bot.table.view import view
from bot.variants import compose, game
from tests.table.story import Evening, player
from tests.table.test_mixed import evening_of, mixed


def in_turn(*names: str, deals: int = 1) -> TableSettings:
    """These games, so many deals of each."""
    return mixed(replace(compose("In turn", [game(name) for name in names], change=Change.DEALS), deals=deals))


def four(settings: TableSettings) -> Evening:
    return evening_of(settings, Ann=1, Bo=2, Cy=3, Di=4)


@pytest.mark.law("VC-28", "TL-9")
def test_the_big_blind_goes_to_everybody_in_turn_though_jackpots_are_dealt_between() -> None:
    """With four players and a hand of jackpots after each of hold'em, two of them would never have had a blind."""
    evening = four(in_turn("limit_holdem", "jackpots"))
    bigs, deals = [], []
    for _ in range(8):
        evening.begin()
        if evening.table.settings.card.key == "jackpots":
            deals.append(view(evening.table).button)
        else:
            bigs.append(evening.places[2])
        evening.end()
    assert bigs == [3, 4, 1, 2]
    assert deals == [2, 3, 4, 1], "the deal of the game without blinds passes to the left as well (D-11)"
    evening.replays()


@pytest.mark.law("VC-28", "D-11")
def test_the_deal_goes_on_to_the_left_through_a_lap_without_blinds() -> None:
    evening = four(in_turn("limit_holdem", "hoyle_draw", deals=4))
    buttons = [evening.hand().started.button for _ in range(12)]
    assert buttons == [1, 2, 3, 4] * 3


@pytest.mark.law("VC-28", "TL-10")
def test_a_blind_that_is_owed_is_still_owed_after_a_draw_with_antes() -> None:
    evening = four(in_turn("limit_holdem", "jackpots", deals=2))
    evening.hand()
    evening.sit_out("Di")  # the next big blind
    evening.hand()
    assert evening.seat("Di").owes_big
    evening.back("Di", Entry.WAIT)
    evening.begin()
    assert evening.table.settings.card.key == "jackpots"
    assert 4 in evening.dealt, "jackpots have no blinds, so she is dealt in"
    assert evening.seat("Di").owes_big
    evening.end()
    evening.hand()
    evening.begin()
    assert evening.table.settings.card.key == "limit_holdem"
    assert 4 not in evening.dealt, "and waits for her big blind again"


@pytest.mark.law("VC-28", "TL-10")
def test_what_is_owed_is_posted_when_blinds_come_back_and_asked_for_in_their_size() -> None:
    evening = four(in_turn("limit_holdem", "jackpots", deals=3))
    evening.hand()
    evening.sit_out("Di")
    for _ in range(2):
        evening.hand()
    assert evening.table.settings.card.key == "jackpots"
    big, small = evening.table.settings.rotation.games[0].stakes.big_blind, 50  # type: ignore[union-attr]
    refused = evening.refuses(c.Back(player("Di")), errors.BlindsOwed)
    assert (refused.value.live, refused.value.dead) == (big, small)
    evening.back("Di", Entry.POST)
    assert (owed(evening.table, evening.seat("Di")).live, owed(evening.table, evening.seat("Di")).dead) == (big, small)
    for _ in range(3):
        evening.hand()
    assert evening.seat("Di").state is SeatState.POSTING
    evening.begin()
    assert evening.posted[4] == {"live post": big, "dead post": small}


@pytest.mark.law("VC-28", "TL-12")
@pytest.mark.parametrize("other", ["jackpots", "razz"])
def test_leaving_and_coming_back_during_another_game_does_not_cancel_a_blind(other: str) -> None:
    evening = four(in_turn("limit_holdem", other, deals=4))
    evening.hand()
    evening.sit_out("Di")
    for _ in range(3):
        evening.hand()
    assert evening.table.settings.card.key == other
    debt = evening.seat("Di").owes_small, evening.seat("Di").owes_big
    assert debt == (True, True)
    evening.leave("Di")
    evening.sit("Di", 4)
    assert (evening.seat("Di").owes_small, evening.seat("Di").owes_big) == debt
    evening.begin()
    assert 4 in evening.dealt


@pytest.mark.law("VC-28", "TL-11")
def test_who_is_new_in_a_game_without_blinds_owes_the_big_blind_of_the_limit_game_that_follows() -> None:
    evening = four(in_turn("limit_holdem", "razz"))
    evening.hand()
    assert evening.table.settings.card.key == "razz"
    evening.sit("Eve", 6)
    assert evening.seat("Eve").owes_big
    evening.begin()
    assert 6 in evening.dealt
    evening.end()
    evening.begin()
    assert evening.table.settings.card.key == "limit_holdem"
    assert 6 not in evening.dealt or evening.places[2] == 6


@pytest.mark.law("VC-28")
def test_a_mixture_without_any_blinds_owes_none() -> None:
    evening = four(in_turn("jackpots", "razz"))
    evening.hand()
    evening.sit("Eve", 6)
    assert not evening.seat("Eve").owes_big
    evening.hand()
    assert len(evening.begin().started.seats) == 5
