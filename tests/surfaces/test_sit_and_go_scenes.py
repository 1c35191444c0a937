"""What everybody sees of a sit-and-go while it is played: under a hand in two lines, in a break the whole of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go.state import AgreementKind
from bot.render.message.panel import Buttons, Panel, SmallText, Text
from bot.render.table.own_menu import timed_out_panel
from bot.surfaces.scenes import hand_panel, lobby_panel
from bot.table import commands as tc
from bot.text.cards import SIGNS
from tests.runtime.sit_and_go_evening import USERS, SitAndGoEvening


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[SitAndGoEvening]:
    opened = await SitAndGoEvening(tmp_path).begin()
    await opened.open_sit_and_go(buy_in=400)
    await opened.enter("Ann", "Bo", "Cy")
    await opened.deal()
    yield opened
    await opened.end()


def texts(panel: Panel) -> str:
    return "\n".join([block.content for block in panel.blocks if isinstance(block, Text | SmallText)])


def labels(panel: Panel) -> list[str]:
    return [button.label for block in panel.blocks if isinstance(block, Buttons) for button in block.buttons]


@pytest.mark.law("SG-2", "SG-10")
async def test_hand_tells_level_players_average_and_prizes(evening: SitAndGoEvening) -> None:
    shown = texts(hand_panel(evening.snapshot, SIGNS, evening.clock.now()))
    assert "-# Level 1 · 10/20 · next level in 5 hands\n-# 3 of 3 left · average 500 · 🥇 1,200" in shown


@pytest.mark.law("SG-15")
async def test_pause_shows_the_whole_event_to_everybody(evening: SitAndGoEvening) -> None:
    await evening.ask("Ann", sc.PauseEvent(USERS["Ann"], 5))
    await evening.next_player_acts("folds", "folds")
    panel = lobby_panel(evening.snapshot, SIGNS)
    shown = texts(panel)
    assert shown.startswith("### Level 1 · 10/20\nPaused by the host, play goes on <t:")
    assert ":R> · next level 20/40\n" in shown
    assert "**3 of 3 left** · average 500" in shown and "**Prizes 1,200**\n🥇 1,200" in shown
    assert sorted([line[:3] for line in shown.splitlines() if line.startswith("`")]) == ["`1`", "`2`", "`3`"]
    assert labels(panel) == ["Menu…", "All levels"], "nothing of an ordinary table that events do not offer"


@pytest.mark.law("SG-15")
async def test_pause_is_told_once_and_only_when_it_begins(evening: SitAndGoEvening) -> None:
    await evening.ask("Ann", sc.PauseEvent(USERS["Ann"], 5))
    running = texts(hand_panel(evening.snapshot, SIGNS, evening.clock.now()))
    assert "-# Level 1 · 10/20 · a pause follows this hand\n" in running
    await evening.next_player_acts("folds", "folds")
    shown = texts(hand_panel(evening.snapshot, SIGNS, evening.clock.now()))
    assert "\nPaused by the host, play goes on <t:" in shown and "\nLevel 1 · 10/20\n3 of 3 left" in shown
    assert shown.count(":R>") == 1 and "break" not in shown


@pytest.mark.law("SG-3")
async def test_result_says_away_as_the_menu_does(evening: SitAndGoEvening) -> None:
    await evening.next_player_acts("folds", "folds")
    shown = labels(hand_panel(evening.snapshot, SIGNS, evening.clock.now()))
    assert [one for one in shown if one in ("Sit out", "Away", "Leave")] == ["Away", "Leave"]


@pytest.mark.law("SG-3")
async def test_everybody_reads_who_is_away(evening: SitAndGoEvening) -> None:
    await evening.ask("Bo", tc.SitOut)
    shown = texts(hand_panel(evening.snapshot, SIGNS, evening.clock.now()))
    assert shown.endswith("-# Bo is away: the dealer posts and folds for them")
    await evening.ask("Bo", tc.ComeBack)
    assert "away" not in texts(hand_panel(evening.snapshot, SIGNS, evening.clock.now()))


@pytest.mark.law("SG-3")
async def test_who_misses_a_turn_reads_that_they_are_away(evening: SitAndGoEvening) -> None:
    view = evening.snapshot.table
    seat = replace(view.seats[0], missed_turns=view.settings.misses)
    told = texts(timed_out_panel(evening.snapshot.id, view, seat))
    assert told == "You ran out of time at table 1. The dealer posts and folds for you until you press **I'm back**."


@pytest.mark.law("SG-12")
async def test_answers_to_an_offer_come_before_all_else(evening: SitAndGoEvening) -> None:
    await evening.ask("Ann", sc.PauseEvent(USERS["Ann"], 5))
    await evening.next_player_acts("folds", "folds")
    await evening.ask("Ann", sc.OfferAgreement(USERS["Ann"], AgreementKind.EQUAL))
    shown = labels(hand_panel(evening.snapshot, SIGNS, evening.clock.now()))
    assert shown[:2] == ["Agree", "No"] and "Away" in shown
