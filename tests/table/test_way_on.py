"""A table never stands silent: between hands it always knows what it waits for, and whose move that is."""

import pytest
from msgspec.structs import replace

from bot.engine.mixes import Game, Rotation, RotationChange
from bot.engine.options.types import Options
from bot.table import commands as c
from bot.table import events as e
from bot.table.way_on import Awaited, WayOn, way_on
from bot.variants.holdem import LIMIT_HOLDEM, NO_LIMIT_HOLDEM
from tests.table.evening import Evening, player_id


def heads_up(**house: object) -> Evening:
    evening = Evening(**house)
    evening.sit_all(Ann=1, Bo=2)
    return evening


def awaited(evening: Evening) -> WayOn:
    found = way_on(evening.table)
    assert found is not None, "the table stands silent"
    return found


def test_an_empty_table_waits_for_two_players() -> None:
    evening = Evening()
    assert awaited(evening) == WayOn(Awaited.PLAYERS, (), 2)
    evening.sit("Ann", 1)
    assert awaited(evening) == WayOn(Awaited.PLAYERS, (), 1)


def test_next_hand_comes_by_itself() -> None:
    evening = heads_up()
    assert awaited(evening) == WayOn(Awaited.NEXT_HAND, at=evening.table.next_hand_at)
    evening.begin_hand()
    assert way_on(evening.table) is None


@pytest.mark.law("TL-33")
def test_heads_up_table_waits_for_whoever_sits_out() -> None:
    evening = heads_up()
    evening.sit_out("Bo")
    assert awaited(evening) == WayOn(Awaited.RETURN, (2,), 1)
    evening.come_back("Bo")
    assert awaited(evening).awaited is Awaited.NEXT_HAND


@pytest.mark.law("TL-32")
def test_table_waits_for_a_player_who_ran_out_of_time() -> None:
    evening = heads_up()
    for _ in range(2):
        evening.begin_hand()
        evening.ask(c.TimeOutPlayer(1))
        evening.end_hand()
    assert awaited(evening) == WayOn(Awaited.RETURN, (1,), 1)


@pytest.mark.law("TL-1")
def test_table_waits_for_the_buy_in_of_a_broke_player() -> None:
    evening = heads_up()
    evening.begin_hand()
    evening.end_hand({"Ann": 10_000, "Bo": -10_000})
    assert awaited(evening) == WayOn(Awaited.CHIPS, (2,), 1)
    evening.ask(c.TopUp(player_id("Bo"), 10_000))
    assert awaited(evening).awaited is Awaited.NEXT_HAND


@pytest.mark.law("TL-33")
def test_one_broke_player_does_not_hide_who_sits_out() -> None:
    evening = heads_up()
    evening.sit("Cy", 3)
    evening.begin_hand()
    evening.sit_out("Cy")
    evening.end_hand({"Ann": 10_000, "Bo": -10_000})
    assert awaited(evening) == WayOn(Awaited.RETURN, (3,), 1)
    evening.leave("Cy")
    assert awaited(evening) == WayOn(Awaited.CHIPS, (2,), 1)
    evening.leave("Bo")
    assert awaited(evening) == WayOn(Awaited.PLAYERS, (), 1)


def test_practice_players_alone_wait_for_a_person() -> None:
    evening = Evening(practice=True)
    evening.sit("Ann", 1)
    for number in (2, 3):
        evening.ask(c.TakeSeat(-number, f"Practice {number}", 10_000, number, practice=True))
    evening.sit_out("Ann")
    assert awaited(evening) == WayOn(Awaited.RETURN, (1,), 1)
    evening.leave("Ann")
    assert awaited(evening) == WayOn(Awaited.PLAYERS, (), 1)


def test_table_without_automatic_hands_waits_for_the_deal() -> None:
    evening = heads_up(auto_start=False)
    assert awaited(evening) == WayOn(Awaited.DEAL)
    evening.ask(c.StartHand(player_id("Bo")))
    assert awaited(evening).awaited is Awaited.NEXT_HAND


@pytest.mark.law("VC-28")
def test_dealers_choice_waits_for_the_player_who_chooses() -> None:
    stakes = Evening().table.settings.stakes
    games = tuple(Game(card, card.options, stakes) for card in (NO_LIMIT_HOLDEM, LIMIT_HOLDEM))
    evening = heads_up(rotation=Rotation("Dealer's choice", games, RotationChange.DEALERS_CHOICE))
    evening.play_hand()
    state = evening.table.rotation_state
    assert awaited(evening) == WayOn(Awaited.GAME_CHOICE, (state.chooser_seat,), at=state.choice_due_at)


def test_a_closed_table_waits_for_nothing() -> None:
    evening = heads_up()
    evening.ask(c.CloseTable(player_id("Ann")))
    assert evening.journal[-1] == e.TableClosed(evening.now)
    assert way_on(replace(evening.table)) is None


@pytest.mark.law("TL-32")
def test_stalled_table_keeps_seats_and_stays_open_half_an_hour() -> None:
    evening = heads_up()
    evening.begin_hand()
    evening.sit_out("Bo")
    evening.end_hand()
    evening.wait(29 * 60)
    assert evening.ask(c.Tick()) == ()
    assert awaited(evening) == WayOn(Awaited.RETURN, (2,), 1)
    evening.wait(61)
    evening.ask(c.Tick())
    assert evening.journal[-1] == e.TableClosed(evening.now, reason=e.CloseReason.IDLE)


def test_table_that_never_dealt_closes_when_idle() -> None:
    evening = Evening()
    evening.sit("Ann", 1)
    evening.wait(10 * 60)
    evening.ask(c.Tick())
    assert evening.journal[-1] == e.TableClosed(evening.now, reason=e.CloseReason.IDLE)


def test_waiting_list_is_not_kept_waiting_for_absent_players() -> None:
    """At a full table somebody waits: the absent player has the usual twenty minutes."""
    evening = Evening(Options(max_seats=2))
    evening.sit_all(Ann=1, Bo=2)
    evening.begin_hand()
    evening.sit_out("Bo")
    evening.ask(c.JoinWaitingList(player_id("Cy"), "Cy"))
    evening.end_hand()
    evening.wait(9 * 60)
    evening.ask(c.ShuffleDeck(player_id("Ann")))
    evening.wait(9 * 60)
    evening.ask(c.ShuffleDeck(player_id("Ann")))
    evening.wait(2 * 60)
    evening.ask(c.Tick())
    assert not evening.is_seated("Bo")
