"""Sit-and-gos at real tables: from the entries to the prizes, with kills in between."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.decide import legal
from bot.engine.events import PostKind
from bot.engine.options.values import ButtonRule
from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go import refusals
from bot.events.sit_and_go.finishes import finishes
from bot.events.sit_and_go.state import EndReason, SitAndGo, SitAndGoStatus
from bot.events.sit_and_go.structures import Level, LevelLength, Speed, Structure
from bot.ledger.refusals import NotEnoughChips
from bot.players.practice import PracticePlayers
from bot.runtime import restore
from bot.runtime.commands import SeatPracticePlayers
from bot.runtime.journal import DealtIn
from bot.runtime.restore import UnreadableJournal
from bot.runtime.store_errors import PersonSeated
from bot.runtime.store_types import Cause, Forgetting
from bot.runtime.transaction import SessionState
from bot.table import commands as tc
from bot.table.events import HandFinished
from bot.table.refusals import OffInEvents
from bot.table.settings import SLOW_CLOCK_SECONDS
from bot.table.state import Positions
from tests.runtime.evening import settings
from tests.runtime.sit_and_go_evening import GUILD, USERS, SitAndGoEvening, name_of


async def hands_of(evening: SitAndGoEvening, count: int) -> list[dict[int, tuple[int, int]]]:
    """Return by hand and player the stack before and after it, from what was saved of each hand alone."""
    found = []
    for saved in reversed(await evening.store.hands(GUILD, evening.table, 1, count)):
        (started,) = [one for one in saved.events if isinstance(one, e.HandStarted)]
        (dealt,) = [one for one in saved.events if isinstance(one, DealtIn)]
        (finished,) = [one for one in saved.events if isinstance(one, HandFinished)]
        after = dict(finished.stacks)
        players = zip(dealt.players, started.stacks, started.seat_numbers, strict=True)
        found.append({user: (before, after[number]) for (user, _), before, number in players})
    return found


def ranks_recounted(hands: list[dict[int, tuple[int, int]]]) -> dict[int, int]:
    """Recount places in another way: one more than how many did better, by the hand they went out in and their stack before it."""
    last = {}
    for number, stacks in enumerate(hands):
        for user, (before, after) in stacks.items():
            last[user] = (len(hands), after) if after else (number, before)
    return {user: 1 + sum(other > mine for other in last.values()) for user, mine in last.items()}


def finishes_told(event: SitAndGo) -> dict[int, int]:
    return {one.entrant.player: one.rank for one in finishes(event)}


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[SitAndGoEvening]:
    opened = await SitAndGoEvening(tmp_path).begin()
    yield opened
    await opened.audit()
    await opened.end()


@pytest.mark.law("SG-1")
async def test_buy_ins_go_to_escrow_and_back_before_the_start(evening: SitAndGoEvening) -> None:
    table = await evening.open_sit_and_go(3, buy_in=500)
    await evening.enter("Ann", "Bo")
    assert (await evening.store.table_chips(table)).escrow == 1_000
    assert await evening.nets("Ann", "Bo") == {"Ann": -500, "Bo": -500}
    await evening.ask("Bo", tc.LeaveTable, USERS["Bo"])
    assert (await evening.store.table_chips(table)).escrow == 500
    assert [one.name for one in evening.event.entrants] == ["Ann"]
    await evening.ask("Ann", tc.CloseTable)
    assert not evening.is_open()
    assert await evening.nets("Ann", "Bo") == {"Ann": 0, "Bo": 0}


@pytest.mark.law("SG-1", "TDA 7")
async def test_seats_and_first_button_are_drawn(tmp_path: Path) -> None:
    """Three enter in the same order each time, and come to sit in every order; any of them deals first."""
    orders, buttons = set[tuple[str, ...]](), set[str]()
    for seed in range(24):
        evening = SitAndGoEvening(tmp_path / str(seed), seed=seed)
        evening.path.parent.mkdir()
        await evening.begin()
        await evening.open_sit_and_go(3)
        await evening.enter("Ann", "Bo", "Cy")
        await evening.deal()
        table = evening.session.state.table
        orders.add(tuple(name_of(seat.player) for seat in table.seats))
        assert table.positions is not None
        (first,) = [seat for seat in table.seats if seat.number == table.positions.button_seat]
        buttons.add(name_of(first.player))
        await evening.end()
    assert len(orders) == 6 and buttons == {"Ann", "Bo", "Cy"}


@pytest.mark.law("SG-1")
async def test_full_sit_and_go_starts_in_drawn_seats(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=500)
    await evening.enter("Ann", "Bo", "Cy")
    assert evening.event.is_running
    await evening.deal()
    chips = await evening.store.table_chips(evening.table)
    assert sum(chips.stacks.values()) + chips.pot == 1_500 and chips.escrow == 1_500
    assert sorted(seat.number for seat in evening.snapshot.table.seats) == [1, 2, 3]


@pytest.mark.law("WT-1")
async def test_somebody_in_a_sit_and_go_ends_their_vacation(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2)
    await evening.enter("Ann", "Bo")
    await evening.tables.set_vacation(USERS["Ann"], 0, 0)


async def test_somebody_without_chips_cannot_enter(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=1_000_000)
    with pytest.raises(NotEnoughChips):
        await evening.ask("Ann", sc.Enter(USERS["Ann"], "Ann"))
    assert evening.event.entrants == ()


@pytest.mark.law("SG-15")
async def test_nobody_is_in_two_events_of_a_server(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, channel=71)
    for name in ("Ann", "Bo"):
        await evening.ask(name, sc.Enter(USERS[name], name), channel=71)
    await evening.open_sit_and_go(3)
    with pytest.raises(refusals.InAnotherEvent) as refused:
        await evening.enter("Bo")
    assert refused.value.channel == 71
    await evening.enter("Cy")


async def test_two_presses_at_once_enter_once(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=100)
    pressed = [evening.ask("Bo", sc.Enter(USERS["Bo"], "Bo")) for _ in range(2)]
    first, second = await asyncio.gather(*pressed, return_exceptions=True)
    assert not isinstance(first, BaseException) and isinstance(second, refusals.EnteredAlready)
    assert await evening.nets("Bo") == {"Bo": -100}


@pytest.mark.law("SG-11", "SG-14")
async def test_nothing_of_cash_tables_is_possible(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2)
    await evening.enter("Ann", "Bo")
    await evening.deal()
    for command in (
        tc.TopUp(USERS["Ann"], 100),
        tc.PledgeStraddle(USERS["Ann"], True),
        tc.JoinWaitingList(USERS["Cy"], "Cy"),
        tc.AskForBreak(USERS["Ann"], 5),
        tc.ExchangeSeats(USERS["Ann"], 1),
    ):
        with pytest.raises(OffInEvents):
            await evening.ask("Ann", command)
    with pytest.raises(refusals.EventHasStarted):
        await evening.ask("Cy", tc.TakeSeat, 500, 0)


@pytest.mark.law("SG-2")
@pytest.mark.parametrize("seconds", [SLOW_CLOCK_SECONDS, 7 * 86_400])
async def test_levels_do_not_pass_within_a_turn_of_hours(evening: SitAndGoEvening, seconds: int) -> None:
    slow = replace(settings(), stakes=replace(settings().stakes, turn_seconds=seconds))
    with pytest.raises(refusals.ClockTooSlow):
        await evening.open_sit_and_go(chosen=slow)
    await evening.open_sit_and_go()
    own = evening.session.state.table.settings
    with pytest.raises(OffInEvents):
        await evening.ask("Ann", tc.ChangeSettings, replace(own, stakes=replace(own.stakes, turn_seconds=seconds)))


@pytest.mark.law("SG-9", "SG-10", "BO-1")
@pytest.mark.parametrize("seed", range(3))
async def test_sit_and_go_is_played_to_its_prizes(evening: SitAndGoEvening, seed: int) -> None:
    """The fixture recounts at the end that every chip that somebody has won is in the flow."""
    await evening.open_sit_and_go(4, buy_in=501)
    await evening.enter("Ann", "Bo", "Cy", "Dee")
    await evening.play_on(random.Random(seed))
    assert not evening.is_open()
    event = await evening.saved_event()
    assert (event.status, event.end_reason) == (SitAndGoStatus.OVER, EndReason.WON)
    assert finishes_told(event) == ranks_recounted(await hands_of(evening, event.hands))
    paid = {name_of(player): chips for player, chips in event.prizes_paid}
    assert sum(paid.values()) == 2_004
    names = ("Ann", "Bo", "Cy", "Dee")
    assert await evening.nets(*names) == {name: paid.get(name, 0) - 501 for name in names}


async def test_killed_at_any_moment_it_goes_on_the_same(tmp_path: Path) -> None:
    """A kill after each third action changes neither cards nor chips nor places."""
    ends = []
    for kills in (False, True):
        folder = tmp_path / str(kills)
        folder.mkdir()
        evening = await SitAndGoEvening(folder).begin()
        await evening.open_sit_and_go(3, buy_in=300)
        await evening.enter("Ann", "Bo", "Cy")
        rng = random.Random(5)
        while evening.is_open():
            await evening.play_on(rng, steps=3)
            if kills:
                await evening.crash()
        ends.append((await evening.saved_event(), await evening.nets("Ann", "Bo", "Cy")))
        await evening.audit()
        await evening.end()
    (plain, chips), (killed, chips_killed) = ends
    assert (plain.entrants, plain.prizes_paid, plain.hands) == (killed.entrants, killed.prizes_paid, killed.hands)
    assert chips == chips_killed


@pytest.mark.law("SG-3", "TDA 30")
async def test_absent_player_is_dealt_in_and_folds(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3)
    await evening.enter("Ann", "Bo", "Cy")
    await evening.deal()
    await evening.ask("Cy", tc.SitOut)
    seat = evening.session.state.table.seat_of(USERS["Cy"])
    assert seat is not None and seat.away
    for _ in range(3):
        while evening.playing():
            name = evening.to_act
            assert name != "Cy", "nobody waits for them"
            hand = evening.session.state.hand
            assert hand is not None and hand.to_act >= 0
            to_call = hand.current_bet > hand.bets[hand.to_act]
            await evening.acts(f"{name} calls" if to_call else f"{name} checks")
        await evening.deal()
        assert USERS["Cy"] in evening.snapshot.dealt_users
    assert evening.stacks()["Cy"] < 500
    await evening.ask("Cy", tc.ComeBack, None)
    seat = evening.session.state.table.seat_of(USERS["Cy"])
    assert seat is not None and not seat.away


@pytest.mark.law("SG-3")
async def test_event_of_sleepers_ends_by_stacks(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=100)
    await evening.enter("Ann", "Bo", "Cy")
    await evening.play_on(random.Random(1), absent=frozenset({"Ann", "Bo", "Cy"}), steps=200)
    event = await evening.saved_event()
    assert event.end_reason in (EndReason.ASLEEP, EndReason.WON)
    assert sum(chips for _, chips in event.prizes_paid) == 300


@pytest.mark.law("SG-2", "TDA 23")
async def test_level_rises_with_the_next_hand(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2)
    await evening.enter("Ann", "Bo")
    blinds = []
    for _ in range(11):
        await evening.deal()
        blinds.append(evening.snapshot.settings.stakes.big_blind)
        await evening.next_player_acts("folds")
    assert blinds == [20] * 5 + [40] * 5 + [60]


@pytest.mark.law("SG-15")
async def test_clock_of_levels_stands_still_while_the_dealer_is_down(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2, counted_in=LevelLength.MINUTES)
    await evening.enter("Ann", "Bo")
    await evening.deal()
    await evening.wait(10)
    await evening.crash(away_ms=60 * 60_000)
    await evening.next_player_acts("folds")
    await evening.deal()
    assert evening.event.level == 1


@pytest.mark.law("SG-15")
async def test_pause_of_the_host_begins_after_the_running_hand(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2)
    await evening.enter("Ann", "Bo")
    await evening.deal()
    await evening.ask("Ann", sc.PauseEvent(USERS["Ann"], 5))
    assert evening.playing()
    await evening.next_player_acts("folds")
    assert evening.session.state.table.on_break
    await evening.wait(290)
    assert not evening.playing()
    await evening.wait(20)
    assert evening.playing() and evening.event.clock.stopped_for is None
    await evening.next_player_acts("folds")
    await evening.ask("Ann", sc.PauseEvent(USERS["Ann"], 5))
    assert evening.session.state.table.on_break
    await evening.ask("Ann", sc.ResumeEvent(USERS["Ann"]))
    await evening.deal()


@pytest.mark.law("SG-13")
async def test_staff_cancel_in_the_middle_of_a_hand(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=100)
    await evening.enter("Ann", "Bo", "Cy")
    await evening.deal()
    await evening.next_player_acts("folds", "folds")
    await evening.deal()
    await evening.next_player_acts("calls")
    with pytest.raises(refusals.EventHostOnly):
        await evening.ask("Ann", tc.CloseTable)
    await evening.ask("Ida", tc.CloseTable, staff=True)
    assert not evening.is_open()
    event = await evening.saved_event()
    assert event.status is SitAndGoStatus.CANCELLED
    nets = await evening.nets("Ann", "Bo", "Cy")
    assert sum(nets.values()) == 0 and min(nets.values()) > -100


@pytest.mark.law("SG-13")
async def test_leaving_by_choice_keeps_the_seat_and_the_buy_in(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=100)
    await evening.enter("Ann", "Bo", "Cy")
    await evening.deal()
    await evening.ask("Bo", tc.LeaveTable)
    entrant = evening.event.entrant(USERS["Bo"])
    assert entrant is not None and entrant.left
    assert evening.session.state.table.seat_of(USERS["Bo"]) is not None
    await evening.play_on(random.Random(2), absent=frozenset({"Bo"}))
    event = await evening.saved_event()
    assert sum(chips for _, chips in event.prizes_paid) == 300


async def test_lobby_that_nobody_fills_is_cancelled(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=100)
    await evening.enter("Ann")
    await evening.crash()
    await evening.wait(2 * 60 * 60 + 1)
    assert not evening.is_open()
    assert (await evening.saved_event()).end_reason is EndReason.EMPTY
    assert await evening.nets("Ann") == {"Ann": 0}


async def test_channel_that_is_gone_pays_everybody(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(2, buy_in=100)
    await evening.enter("Ann", "Bo")
    await evening.deal()
    await evening.tables.close_without_channel(evening.table)
    assert not evening.is_open()
    assert await evening.nets("Ann", "Bo") == {"Ann": 0, "Bo": 0}


async def test_practice_players_fill_a_free_sit_and_go(tmp_path: Path) -> None:
    evening = await SitAndGoEvening(tmp_path, policies=PracticePlayers()).begin()
    await evening.open_sit_and_go(3, buy_in=100)
    with pytest.raises(refusals.NoPracticeInEvent):
        await evening.ask("Ann", SeatPracticePlayers(2))
    await evening.ask("Ann", tc.CloseTable)
    await evening.open_sit_and_go(3)
    await evening.enter("Ann")
    await evening.ask("Ann", SeatPracticePlayers(2))
    assert evening.event.is_running
    for _ in range(300):
        if not evening.is_open():
            break
        if evening.to_act == "Ann":
            hand = evening.session.state.hand
            assert hand is not None
            await evening.ask("Ann", c.AllIn())
        await evening.wait(3)
    assert not evening.is_open()
    await evening.end()


@pytest.mark.law("SG-3")
async def test_absent_player_all_in_by_blind_has_dead_hand(evening: SitAndGoEvening) -> None:
    """Cy is away and has 20 left: the blind takes it, and the hand is dead though nobody bets at them."""
    await evening.open_sit_and_go(3, structure=Structure(400, (Level(20),), 500, LevelLength.HANDS))
    await evening.enter("Ann", "Bo", "Cy")
    await evening.deal()
    await evening.ask("Cy", tc.SitOut)
    while "Cy" in evening.stacks():
        before = evening.stacks()["Cy"]
        if evening.playing():
            hand = evening.session.state.hand
            assert hand is not None and evening.to_act != "Cy"
            to_call = hand.current_bet > hand.bets[hand.to_act]
            await evening.next_player_acts("calls" if to_call else "checks")
        else:
            await evening.wait(1)
        assert evening.stacks().get("Cy", 0) <= before, "nothing is ever won by who is not there"
    (out,) = finishes(evening.event)
    assert (name_of(out.entrant.player), out.rank) == ("Cy", 3)


@pytest.mark.law("SG-4", "TDA 34")
async def test_big_blind_goes_round_and_nobody_posts_it_twice(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(4, structure=Structure(1_000, (Level(20),), 500, LevelLength.HANDS))
    await evening.enter("Ann", "Bo", "Cy", "Dee")
    rng, big_blinds = random.Random(4), list[int]()
    while evening.is_open() and len(big_blinds) < 60:
        if evening.snapshot.hand_number > len(big_blinds):
            positions = evening.session.state.table.positions
            seat = evening.session.state.table.seat(positions.big_blind_seat) if positions is not None else None
            big_blinds.append(seat.player if seat is not None else 0)
        await evening.play_on(rng, steps=1)
    assert len(big_blinds) > 3 and all(one != other for one, other in pairwise(big_blinds))


@pytest.mark.law("SG-4", "TL-9", "TDA 32")
async def test_button_follows_the_blinds_onto_empty_seats(evening: SitAndGoEvening) -> None:
    """Also where the table's own button would move on to the next player."""
    cash = settings()
    moving = replace(cash, options=replace(cash.options, button=ButtonRule.MOVING))
    one_level = Structure(1_000, (Level(20),), 500, LevelLength.HANDS)
    await evening.open_sit_and_go(6, structure=one_level, chosen=moving)
    await evening.enter("Ann", "Bo", "Cy", "Dee", "Eve", "Flo")
    rng, number, dead = random.Random(4), 0, 0
    last: Positions | None = None
    while evening.is_open() and len(evening.session.state.table.seats) > 2:
        table = evening.session.state.table
        if evening.snapshot.hand_number > number and (now := table.positions) is not None and evening.playing():
            number = evening.snapshot.hand_number
            if last is not None and len(evening.snapshot.dealt_users) > 2:
                assert (now.button_seat, now.small_blind_seat) == (last.small_blind_seat, last.big_blind_seat)
                dead += not {now.button_seat, now.small_blind_seat} <= {seat.number for seat in table.seats}
            last = now
        await evening.play_on(rng, steps=1)
    assert dead, "somebody has left a seat that the blinds or the button came to"


@pytest.mark.law("SG-6", "TL-17", "TDA 48")
async def test_cap_of_raises_holds_while_three_are_in(evening: SitAndGoEvening) -> None:
    limit = settings("limit holdem")
    await evening.open_sit_and_go(3, chosen=limit)
    await evening.enter("Ann", "Bo", "Cy")
    await evening.deal()
    await evening.next_player_acts("folds", "raises to 40", "raises to 60", "raises to 80")
    hand = evening.session.state.hand
    assert hand is not None and legal(hand, hand.to_act).no_raise_law == "L-10", "though two are left in the hand"
    await evening.next_player_acts("folds")
    await evening.ask("Ida", tc.CloseTable, staff=True)
    await evening.open_sit_and_go(2, chosen=limit)
    await evening.enter("Ann", "Bo")
    await evening.deal()
    await evening.next_player_acts("raises to 40", "raises to 60", "raises to 80", "raises to 100", "raises to 120")


@pytest.mark.law("SG-5", "TL-14", "TDA RP-11")
async def test_short_big_blind_is_paid_before_its_ante(evening: SitAndGoEvening) -> None:
    """Blinds of 200/400 with an ante of 400: who has 500 posts 400, and 100 of the ante."""
    structure = Structure(500, (Level(400, 400),), 500, LevelLength.HANDS)
    await evening.open_sit_and_go(2, structure=structure)
    await evening.enter("Ann", "Bo")
    await evening.deal()
    posted = [(event.kind, event.chips) for event in evening.updates[-1].events if isinstance(event, e.Posted)]
    assert posted == [(PostKind.SMALL_BLIND, 200), (PostKind.BIG_BLIND, 400), (PostKind.DEAD, 100)]


@pytest.mark.law("SG-7", "SG-8", "TL-15", "TL-21", "TDA 16")
async def test_all_in_hands_are_turned_up_and_chips_stay_exact(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, structure=Structure(403, (Level(20),), 500, LevelLength.HANDS))
    await evening.enter("Ann", "Bo", "Cy")
    await evening.deal()
    await evening.next_player_acts("is all-in", "is all-in", "is all-in")
    shown = evening.updates[-1].snapshot.hand
    assert shown is not None
    assert all(card.card is not None for seat in shown.seats for card in seat.cards)
    if evening.is_open():
        assert sum(evening.stacks().values()) == 3 * 403


async def test_nobody_is_deleted_while_they_are_in_an_event(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=100)
    await evening.enter("Ann", "Bo")
    forgetting = Forgetting(
        GUILD, USERS["Bo"], Cause("forget", USERS["Bo"], evening.clock.now(), "forget"), (b"a", b"b")
    )
    with pytest.raises(PersonSeated):
        await evening.tables.forget(forgetting)
    await evening.ask("Ann", tc.CloseTable)


@pytest.mark.law("SG-13")
async def test_banned_player_withdraws_or_is_blinded_off(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=100)
    await evening.enter("Ann", "Bo")
    staff = evening.request("Ida", staff=True)
    await evening.tables.ban(staff, USERS["Bo"], "two accounts")
    assert [one.name for one in evening.event.entrants] == ["Ann"]
    assert await evening.nets("Bo") == {"Bo": 0}
    await evening.enter("Cy", "Dee")
    await evening.deal()
    await evening.tables.ban(staff, USERS["Cy"], "two accounts")
    entrant = evening.event.entrant(USERS["Cy"])
    assert entrant is not None and entrant.left and "Cy" in evening.stacks()


@pytest.mark.law("SG-13")
async def test_table_that_cannot_be_read_pays_everybody_in_it(
    evening: SitAndGoEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.open_sit_and_go(3, buy_in=101)
    await evening.enter("Ann", "Bo", "Cy")
    await evening.deal()
    await evening.next_player_acts("folds", "folds")
    await evening.deal()

    def unreadable(*_: object) -> SessionState:
        raise UnreadableJournal("planted")

    with monkeypatch.context() as planted:
        planted.setattr(restore, "restore_state", unreadable)
        await evening.crash()
    assert not evening.is_open()
    event = await evening.saved_event()
    assert event.status is SitAndGoStatus.CANCELLED
    assert sum(chips for _, chips in event.prizes_paid) == 303
    nets = await evening.nets("Ann", "Bo", "Cy")
    assert sum(nets.values()) == 0 and await evening.store.open_occasions() == ()


async def test_cancelled_entry_can_be_made_again_after_a_crash(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3, buy_in=100)
    await evening.enter("Ann")
    await evening.crash()
    assert [one.name for one in evening.event.entrants] == ["Ann"]
    await evening.ask("Ann", tc.LeaveTable, USERS["Ann"])
    await evening.crash()
    assert evening.event.entrants == ()
    await evening.enter("Ann")
    assert await evening.nets("Ann") == {"Ann": -100}


@pytest.mark.law("SG-11")
async def test_practice_players_enter_no_sit_and_go_that_has_started(evening: SitAndGoEvening) -> None:
    """The host presses *Practice players* on a panel of before the start."""
    await evening.open_sit_and_go(4)
    await evening.ask("Ann", sc.ChooseStructure(USERS["Ann"], Speed.HYPER, LevelLength.HANDS, late_until=2))
    await evening.enter("Ann", "Bo")
    await evening.ask("Ann", sc.StartSitAndGo(USERS["Ann"], ()))
    with pytest.raises(refusals.EventHasStarted):
        await evening.ask("Ann", SeatPracticePlayers(2))
    assert len(evening.snapshot.table.seats) == 2


async def test_practice_players_leave_their_host_a_seat(evening: SitAndGoEvening) -> None:
    await evening.open_sit_and_go(3)
    for _ in range(2):  # a double press
        await evening.ask("Ann", SeatPracticePlayers(2))
    assert len(evening.event.entrants) == 2 and not evening.event.is_running
    await evening.enter("Ann")
    assert evening.event.is_running


@pytest.mark.law("SG-11", "TDA 8-A")
async def test_late_entry_is_dealt_in_with_a_full_stack(evening: SitAndGoEvening) -> None:
    """Ann starts with two of four; Cy enters late, posts nothing more than their blinds, and the prizes grow."""
    await evening.open_sit_and_go(4, buy_in=100)
    choose = sc.ChooseStructure(USERS["Ann"], Speed.HYPER, LevelLength.HANDS, late_until=2)
    await evening.ask("Ann", choose)
    await evening.enter("Ann", "Bo")
    await evening.ask("Ann", sc.StartSitAndGo(USERS["Ann"], ()))
    await evening.deal()
    await evening.enter("Cy")
    await evening.crash()
    assert "Cy" not in evening.stacks() or evening.stacks()["Cy"] == 500
    seen = 0
    while seen < 2:
        await evening.next_player_acts("folds")
        if evening.playing():
            await evening.next_player_acts("folds")
        await evening.deal()
        seen += USERS["Cy"] in evening.snapshot.dealt_users
    with pytest.raises(refusals.EnteredAlready):
        await evening.enter("Cy")
    while evening.event.level < 2:
        await evening.next_player_acts("folds")
        if evening.playing():
            await evening.next_player_acts("folds")
        await evening.deal()
    with pytest.raises(refusals.EventHasStarted):
        await evening.enter("Dee")
    await evening.play_on(random.Random(1))
    event = await evening.saved_event()
    assert sum(chips for _, chips in event.prizes_paid) == 300
    assert sorted(finishes_told(event)) == sorted([USERS["Ann"], USERS["Bo"], USERS["Cy"]])
