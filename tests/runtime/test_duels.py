"""Duels at real tables: from the challenge to the prize, with everything that can come in between."""

from __future__ import annotations

import itertools
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.engine import commands as c
from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go import refusals
from bot.events.sit_and_go.duel import PRACTICE_OPPONENT, winner_of
from bot.events.sit_and_go.state import EndReason
from bot.ledger.refusals import NotEnoughChips
from bot.players.practice import PracticePlayers
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.errors import NoTableHere
from bot.runtime.store_errors import PersonSeated
from bot.runtime.store_types import Cause, Forgetting
from bot.surfaces.evenings.saved import KeptSheet
from bot.surfaces.keeper import NOWHERE
from bot.table import commands as tc
from bot.table.ended_game import DuelEnd
from bot.text.duels import heading
from bot.text.sheet import closed_text
from tests.runtime.duel_evening import ANN, BO, DuelEvening, wanted
from tests.runtime.evening import GUILD, USERS
from tests.runtime.test_told_evening import ends, luck_of


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[DuelEvening]:
    opened = await DuelEvening(tmp_path).begin()
    yield opened
    await opened.audit()
    await opened.end()


async def all_in(evening: DuelEvening) -> None:
    """Both put everything in."""
    while not evening.to_act:
        await evening.wait(5)
    hand = evening.snapshot.hand_number
    while evening.is_open() and evening.to_act and evening.snapshot.hand_number == hand:
        await evening.ask(evening.to_act, c.AllIn())


@pytest.mark.law("SG-1", "SG-16")
async def test_both_buy_ins_go_to_escrow_with_the_acceptance(evening: DuelEvening) -> None:
    table = await evening.challenge(wanted(buy_in=500))
    assert (await evening.store.table_chips(table)).escrow == 0
    with pytest.raises(refusals.NotChallenged):
        await evening.accept("Cy")
    with pytest.raises(refusals.NotChallenged):
        await evening.accept("Ann")
    await evening.accept()
    assert (await evening.store.table_chips(table)).escrow == 1_000
    assert await evening.nets("Ann", "Bo") == {"Ann": -500, "Bo": -500}
    assert evening.event.is_running and len(evening.snapshot.table.seats) == 2


async def test_acceptance_is_refused_where_either_lacks_the_chips(evening: DuelEvening) -> None:
    await evening.challenge(wanted(buy_in=20_000))
    with pytest.raises(refusals.ChallengerCannotPlay) as refused:
        await evening.accept()
    assert refused.value.short and refused.value.name == "Ann"
    await evening.bank.grant(evening.request("Ida", staff=True), ANN, 15_000, "a present")
    with pytest.raises(NotEnoughChips):
        await evening.accept()
    assert evening.event.entrants == ()
    assert (await evening.store.table_chips(evening.table)).escrow == 0


@pytest.mark.law("SG-15")
async def test_neither_of_a_duel_is_in_another_event(evening: DuelEvening) -> None:
    await evening.open_sit_and_go(3, channel=71)
    await evening.ask("Ann", sc.Enter(ANN, "Ann"), channel=71)
    sit_and_go = evening.table
    duel = await evening.challenge(wanted())
    with pytest.raises(refusals.ChallengerCannotPlay) as refused:
        await evening.accept()
    assert refused.value.channel == 71
    evening.table = sit_and_go
    await evening.ask("Ann", sc.WithdrawEntry(ANN), channel=71)
    evening.table = duel
    await evening.accept()
    evening.table = sit_and_go
    with pytest.raises(refusals.InAnotherEvent):
        await evening.ask("Bo", sc.Enter(BO, "Bo"), channel=71)
    evening.table = duel


@pytest.mark.law("SG-13", "SG-16")
async def test_challenge_that_nobody_answers_lapses(evening: DuelEvening) -> None:
    table = await evening.challenge(wanted(buy_in=500))
    await evening.wait(29 * 60)
    assert evening.is_open()
    await evening.wait(61)
    assert not evening.is_open()
    assert (await evening.saved_event(table)).end_reason is EndReason.EMPTY


@pytest.mark.law("SG-13")
@pytest.mark.parametrize(("name", "reason"), [("Ann", EndReason.TAKEN_BACK), ("Bo", EndReason.DECLINED)])
async def test_either_ends_a_challenge_by_leaving(evening: DuelEvening, name: str, reason: EndReason) -> None:
    table = await evening.challenge(wanted(buy_in=500))
    with pytest.raises(refusals.NotChallenged):
        await evening.ask("Cy", tc.LeaveTable, USERS["Cy"])
    await evening.ask(name, tc.LeaveTable, USERS[name])
    assert not evening.is_open()
    assert (await evening.saved_event(table)).end_reason is reason
    with pytest.raises(NoTableHere):
        await evening.accept()


async def test_old_button_of_a_challenge_ends_no_duel(evening: DuelEvening) -> None:
    await evening.challenge(wanted(buy_in=500))
    await evening.accept()
    for user in (ANN, USERS["Ida"]):
        with pytest.raises(refusals.EventHasStarted):
            await evening.tables.ask(evening.request("Ida", staff=True), sc.WithdrawEntry(user))
    assert evening.event.is_running


@pytest.mark.law("SG-4", "SG-10", "SG-16")
async def test_best_of_three_is_played_to_its_end(evening: DuelEvening) -> None:
    table = await evening.challenge(wanted(buy_in=500, best_of=3))
    await evening.accept()
    matches, buttons = [], []
    while evening.is_open():
        event = evening.event
        score = tuple(one.wins for one in event.entrants)
        if score not in matches:
            matches.append(score)
            assert event.level == 1
            assert {seat.stack for seat in evening.snapshot.table.seats} == {500}
        while not evening.to_act:
            await evening.wait(5)
        buttons.append(evening.session.state.table.dealer_seat)
        await all_in(evening)
    event = await evening.saved_event(table)
    found = winner_of(event)
    assert found is not None and event.end_reason is EndReason.WON
    assert sum(matches[-1]) in (1, 2) and max(one.wins for one in event.entrants) == 2
    nets = await evening.nets("Ann", "Bo")
    assert nets == {found[0].name: 500, found[1].name: -500}
    assert all(one != other for one, other in itertools.pairwise(buttons)), "the button alternates"


async def test_curve_of_the_evening_adds_matches_up(evening: DuelEvening) -> None:
    await evening.challenge(wanted(best_of=3))
    await evening.accept()
    while evening.is_open():
        await all_in(evening)
    last = evening.updates[-1].snapshot
    read = await evening.tables.read_evening(last.address, last.ended_game(()), luck_of)
    assert last.sit_and_go is not None
    wins = {one.name: one.wins for one in last.sit_and_go.entrants}
    ahead = wins["Ann"] - wins["Bo"]
    assert ends(read.curves) == {"Ann": 500 * ahead, "Bo": -500 * ahead}


@pytest.mark.law("SG-12", "SG-16")
async def test_leaving_a_duel_gives_it_up(evening: DuelEvening) -> None:
    table = await evening.challenge(wanted(buy_in=500, best_of=3))
    await evening.accept()
    await evening.ask("Ann", tc.LeaveTable, ANN)  # before the first hand
    assert not evening.is_open()
    event = await evening.saved_event(table)
    assert event.end_reason is EndReason.GIVEN_UP
    assert await evening.nets("Ann", "Bo") == {"Ann": -500, "Bo": 500}


@pytest.mark.law("SG-16")
async def test_leaving_in_a_hand_gives_up_after_it(evening: DuelEvening) -> None:
    await evening.challenge(wanted(buy_in=500))
    await evening.accept()
    await evening.deal()
    await evening.ask("Bo", tc.LeaveTable, BO)
    while evening.is_open():
        await evening.wait(40)
    assert await evening.nets("Ann", "Bo") == {"Ann": 500, "Bo": -500}


@pytest.mark.law("SG-16")
async def test_two_who_both_give_up_have_no_winner(evening: DuelEvening) -> None:
    await evening.challenge(wanted(buy_in=500))
    await evening.accept()
    await evening.deal()
    second = "Ann" if evening.to_act == "Bo" else "Bo"
    for name in (second, evening.to_act):
        await evening.ask(name, tc.LeaveTable, USERS[name])
    assert not evening.is_open()
    game = evening.updates[-1].snapshot.ended_game(())
    assert game.duel is not None and game.duel.end is DuelEnd.NO_WINNER
    assert (
        heading(game, game.duel)
        == f"### The duel between {second} and {game.finishes[1].name} is over: neither played on"
    )
    assert {(await evening.tables.duel_record(GUILD, user)).won for user in (ANN, BO)} == {0}


async def test_sheet_of_a_cancelled_duel_loses_names_with_data(evening: DuelEvening) -> None:
    await evening.challenge(wanted(buy_in=500))
    await evening.accept()
    await evening.deal()
    await evening.ask(evening.to_act, c.Fold())
    await evening.tables.close_without_channel(evening.table)
    game = evening.updates[-1].snapshot.ended_game(())
    assert game.has_sheet
    kept = KeptSheet(game, due_at=0, location=NOWHERE, room_of=0, parent=0)
    assert "The duel between Ann and Bo was cancelled." in closed_text(kept.game)
    told = closed_text(kept.forgetting(ANN).game)
    assert "Ann" not in told and "Bo" in told


async def test_practice_opponent_starts_at_once_and_pays_nobody(tmp_path: Path) -> None:
    evening = DuelEvening(tmp_path, policies=PracticePlayers())
    await evening.begin()
    table = await evening.challenge(wanted(opponent=PRACTICE_OPPONENT, name=""))
    await evening.ask("Ann", SeatPracticePlayers(1))
    assert evening.event.is_running
    await evening.play_on(random.Random(3))
    assert not evening.is_open()
    assert winner_of(await evening.saved_event(table)) is not None
    assert await evening.nets("Ann") in ({"Ann": 0}, {"Ann": -10_000})
    await evening.audit()
    await evening.end()


@pytest.mark.law("SG-15")
async def test_practice_opponent_is_no_second_event(tmp_path: Path) -> None:
    evening = DuelEvening(tmp_path, policies=PracticePlayers())
    await evening.begin()
    await evening.open_sit_and_go(3, channel=71)
    await evening.ask("Ann", sc.Enter(ANN, "Ann"), channel=71)
    await evening.challenge(wanted(opponent=PRACTICE_OPPONENT, name=""))
    with pytest.raises(refusals.InAnotherEvent):
        await evening.ask("Ann", SeatPracticePlayers(1))
    await evening.end()


@pytest.mark.parametrize("name", ["Ann", "Bo"])
async def test_ban_ends_a_challenge_or_the_duel(evening: DuelEvening, name: str) -> None:
    staff = evening.request("Ida", staff=True)
    await evening.challenge(wanted(buy_in=500))
    await evening.tables.ban(staff, USERS[name], "two accounts")
    assert not evening.is_open()
    await evening.tables.staff_log.unban(staff, USERS[name])
    await evening.challenge(wanted(buy_in=500))
    await evening.accept()
    await evening.tables.ban(staff, USERS[name], "two accounts")
    other = "Bo" if name == "Ann" else "Ann"
    assert await evening.nets(other) == {other: 500}


async def test_who_leaves_the_server_gives_up_their_duel(evening: DuelEvening) -> None:
    await evening.challenge(wanted(buy_in=500))
    await evening.accept()
    await evening.tables.member_left(GUILD, BO)
    assert not evening.is_open()
    assert await evening.nets("Ann") == {"Ann": 500}


async def test_who_leaves_the_server_is_blinded_off(evening: DuelEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=100)
    await evening.enter("Ann", "Bo", "Cy")
    await evening.tables.member_left(GUILD, BO)
    found = evening.event.entrant(BO)
    assert found is not None and found.left


async def test_nobody_is_deleted_while_a_challenge_names_them(evening: DuelEvening) -> None:
    await evening.challenge(wanted())
    for name, user in (("Ann", ANN), ("Bo", BO)):
        cause = Cause(f"forget {name}", user, evening.clock.now(), "forget")
        with pytest.raises(PersonSeated):
            await evening.tables.forget(Forgetting(GUILD, user, cause, (b"a", b"b")))


async def test_deleted_channel_ends_a_duel_exactly(evening: DuelEvening) -> None:
    table = await evening.challenge(wanted(buy_in=500))
    await evening.tables.close_without_channel(table)
    assert not evening.is_open()
    table = await evening.challenge(wanted(buy_in=500))
    await evening.accept()
    await evening.deal()
    await evening.tables.close_without_channel(table)
    assert await evening.nets("Ann", "Bo") == {"Ann": 0, "Bo": 0}


async def test_challenge_survives_a_restart(evening: DuelEvening) -> None:
    await evening.challenge(wanted(buy_in=500, best_of=3))
    await evening.crash(away_ms=5 * 60_000)
    await evening.accept()
    assert evening.event.is_running
