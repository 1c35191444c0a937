"""Blinds at a mixed table: because of games without blinds nobody skips a blind or loses a debt."""

import pytest
from msgspec.structs import replace

from bot.engine.mixes import RotationChange
from bot.table import commands as c
from bot.table import refusals
from bot.table.queries import owed_blinds
from bot.table.settings import TableSettings
from bot.table.state import EntryMethod, SeatStatus
from bot.table.view import view_table
from bot.variants import compose_rotation, game
from tests.table.evening import Evening, player_id
from tests.table.test_rotation import evening_of, mixed_settings


def in_turn(*names: str, deals: int = 1) -> TableSettings:
    """Return a mixture of these games, with so many hands of each."""
    return mixed_settings(
        replace(compose_rotation("In turn", [game(name) for name in names], change=RotationChange.HANDS), hands=deals)
    )


def four(settings: TableSettings) -> Evening:
    return evening_of(settings, Ann=1, Bo=2, Cy=3, Di=4)


@pytest.mark.law("VC-28", "TL-9")
def test_big_blind_reaches_everybody_despite_jackpots_between() -> None:
    """Four players with a hand of jackpots after each hand of hold'em. By the wrong rule two of them would never have a blind."""
    evening = four(in_turn("limit_holdem", "jackpots"))
    bigs, deals = [], []
    for _ in range(8):
        evening.begin_hand()
        if evening.table.settings.rule_card.key == "jackpots":
            deals.append(view_table(evening.table).button_seat)
        else:
            bigs.append(evening.positions[2])
        evening.end_hand()
    assert bigs == [3, 4, 1, 2]
    assert deals == [2, 3, 4, 1], "the deal of the game without blinds passes to the left as well (D-11)"
    evening.assert_replays()


@pytest.mark.law("VC-28", "D-11")
def test_deal_moves_left_through_a_lap_without_blinds() -> None:
    evening = four(in_turn("limit_holdem", "hoyle_draw", deals=4))
    buttons = [evening.play_hand().started.button_seat_number for _ in range(12)]
    assert buttons == [1, 2, 3, 4] * 3


@pytest.mark.law("VC-28", "TL-10")
def test_owed_blind_is_still_owed_after_an_ante_game() -> None:
    evening = four(in_turn("limit_holdem", "jackpots", deals=2))
    evening.play_hand()
    evening.sit_out("Di")  # the next big blind
    evening.play_hand()
    assert evening.seat("Di").owes_big
    evening.come_back("Di", EntryMethod.WAIT)
    evening.begin_hand()
    assert evening.table.settings.rule_card.key == "jackpots"
    assert 4 in evening.dealt, "jackpots have no blinds, so she is dealt in"
    assert evening.seat("Di").owes_big
    evening.end_hand()
    evening.play_hand()
    evening.begin_hand()
    assert evening.table.settings.rule_card.key == "limit_holdem"
    assert 4 not in evening.dealt, "and waits for her big blind again"


@pytest.mark.law("VC-28", "TL-10")
def test_owed_blind_is_posted_at_the_next_blind_games_size() -> None:
    evening = four(in_turn("limit_holdem", "jackpots", deals=3))
    evening.play_hand()
    evening.sit_out("Di")
    for _ in range(2):
        evening.play_hand()
    assert evening.table.settings.rule_card.key == "jackpots"
    big, small = evening.table.settings.rotation.games[0].stakes.big_blind, 50  # type: ignore[union-attr]
    refused = evening.refuses(c.ComeBack(player_id("Di")), refusals.BlindsOwed)
    assert (refused.value.live, refused.value.dead) == (big, small)
    evening.come_back("Di", EntryMethod.POST)
    assert (
        owed_blinds(evening.table, evening.seat("Di")).live,
        owed_blinds(evening.table, evening.seat("Di")).dead,
    ) == (big, small)
    for _ in range(3):
        evening.play_hand()
    assert evening.seat("Di").status is SeatStatus.POSTING
    evening.begin_hand()
    assert evening.posted[4] == {"live post": big, "dead post": small}


@pytest.mark.law("VC-28", "TL-12")
@pytest.mark.parametrize("other", ["jackpots", "razz"])
def test_leaving_during_another_game_does_not_cancel_a_blind(other: str) -> None:
    evening = four(in_turn("limit_holdem", other, deals=4))
    evening.play_hand()
    evening.sit_out("Di")
    for _ in range(3):
        evening.play_hand()
    assert evening.table.settings.rule_card.key == other
    debt = evening.seat("Di").owes_small, evening.seat("Di").owes_big
    assert debt == (True, True)
    evening.leave("Di")
    evening.sit("Di", 4)
    assert (evening.seat("Di").owes_small, evening.seat("Di").owes_big) == debt
    evening.begin_hand()
    assert 4 in evening.dealt


@pytest.mark.law("VC-28", "TL-11")
def test_newcomer_in_ante_game_owes_next_limit_games_big_blind() -> None:
    evening = four(in_turn("limit_holdem", "razz"))
    evening.play_hand()
    assert evening.table.settings.rule_card.key == "razz"
    evening.sit("Eve", 6)
    assert evening.seat("Eve").owes_big
    evening.begin_hand()
    assert 6 in evening.dealt
    evening.end_hand()
    evening.begin_hand()
    assert evening.table.settings.rule_card.key == "limit_holdem"
    assert 6 not in evening.dealt or evening.positions[2] == 6


@pytest.mark.law("VC-28")
def test_nobody_owes_blinds_in_a_mixture_without_them() -> None:
    evening = four(in_turn("jackpots", "razz"))
    evening.play_hand()
    evening.sit("Eve", 6)
    assert not evening.seat("Eve").owes_big
    evening.play_hand()
    assert len(evening.begin_hand().started.seat_numbers) == 5
