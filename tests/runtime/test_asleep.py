"""Tables that wait for hours are put away in memory, and nobody notices: they wake at a request, at their time, and after a kill."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec.structs import replace

from bot import variants
from bot.background_tasks import BackgroundTasks
from bot.engine import commands as c
from bot.engine.errors import LawError
from bot.house.rules import HouseRules
from bot.runtime.asleep import is_same
from bot.runtime.commands import Preselect
from bot.runtime.guests import TableGuests
from bot.runtime.session import NEAR_MS
from bot.runtime.snapshot import TableOutline
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.signals import TableAsleep
from bot.surfaces.evenings.rests import Rests
from bot.table.commands import RemovePlayer, TakeSeat
from bot.table.preselection.types import PreselectedAction
from bot.table.refusals import NotInvited
from bot.table.settings import TableSettings
from tests.runtime.evening import GUILD, USERS, Evening, settings

DAY = 86_400


def slow(game: str = "holdem") -> TableSettings:
    chosen = default_table_settings(variants.game(game), HouseRules(), NewTableRequest())
    return replace(chosen, pause_seconds=0, stakes=replace(chosen.stakes, turn_seconds=DAY))


async def waiting_table(evening: Evening, game: str = "holdem") -> None:
    """Open a table whose turns last a day, for three people; the hand waits for the first of them."""
    await evening.open(slow(game))
    await evening.seat(Ann=20_000, Bo=20_000, Cy=20_000)
    await evening.wait(1)


def let_sleep(evening: Evening) -> None:
    """Let the table fall asleep: nothing is asked of it meanwhile."""
    evening.session.fall_asleep()
    assert evening.session.fall_asleep(), "it is awake"


@pytest_asyncio.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    evening = await Evening(tmp_path).begin()
    yield evening
    await evening.end()


@pytest.mark.law("WT-1")
@pytest.mark.parametrize("game", ["holdem", "omaha", "stud", "badugi", "follow_the_queen", "irish"])
async def test_table_comes_back_as_it_was(evening: Evening, game: str) -> None:
    await waiting_table(evening, game)
    for _ in range(12):
        before = evening.session.state
        let_sleep(evening)
        assert is_same(evening.session.state, before) and evening.session.state is not before
        if not evening.to_act:
            break
        for command in (c.Check(), c.Call(), c.ChooseCards(()), c.Fold()):
            try:
                await evening.ask(evening.to_act, command)
            except LawError:
                continue
            break
    await evening.audit()


@pytest.mark.law("WT-1")
async def test_table_falls_asleep_after_a_minute_of_silence(evening: Evening) -> None:
    asleep: list[int] = []
    evening.signals.on(TableAsleep, lambda signal: asleep.append(signal.table))
    await waiting_table(evening)
    await evening.wait(55)
    assert not evening.session.is_asleep
    await evening.wait(130)
    assert evening.session.is_asleep and asleep == [evening.table]
    assert evening.clock.next_at() - evening.clock.now() <= 5_000, "the dealer's own heartbeat goes on"
    await evening.acts(f"{evening.to_act} folds")
    assert not evening.session.is_asleep


async def test_quick_tables_never_sleep(evening: Evening) -> None:
    await evening.open(settings(pause_seconds=0))
    await evening.seat(Ann=20_000, Bo=20_000)
    await evening.wait(1)
    evening.session.fall_asleep()
    assert not evening.session.fall_asleep()


@pytest.mark.law("WT-1", "TL-41")
async def test_clock_of_a_sleeping_table_runs_out_on_time(evening: Evening) -> None:
    await waiting_table(evening)
    first, turn = evening.to_act, evening.session.state.current_turn
    assert turn is not None
    let_sleep(evening)
    evening.clock.move_to(turn.bank_ends_at - 20_000)
    await evening.wait(19)
    assert evening.to_act == first
    evening.updates.clear()
    await evening.wait(2)
    (update,) = [one for one in evening.updates if one.timed_out_seat]
    assert evening.to_act != first and evening.clock.now() <= turn.bank_ends_at + 1_001
    assert update.snapshot.seq == evening.session.state.seq


@pytest.mark.law("WT-2")
async def test_line_written_ahead_sleeps_too(evening: Evening) -> None:
    await waiting_table(evening)
    first = evening.to_act
    writer = next(name for name in ("Ann", "Bo", "Cy") if name != first)
    await evening.ask(writer, Preselect(PreselectedAction.CALL_UP_TO, 400))
    let_sleep(evening)
    early = evening.snapshot.preselection_for(USERS[writer])
    assert early is not None and early.chosen is not None
    assert early.chosen.chosen_call == 400


async def test_killed_while_it_sleeps_it_is_restored(evening: Evening) -> None:
    await waiting_table(evening)
    first, before = evening.to_act, evening.hand
    let_sleep(evening)
    await evening.crash(away_ms=60_000)
    assert evening.to_act == first and evening.hand == before
    await evening.acts(f"{first} calls")
    let_sleep(evening)
    await evening.crash()
    assert evening.to_act != first


async def test_two_requests_at_once_wake_it_once(evening: Evening) -> None:
    await waiting_table(evening)
    first, button = evening.to_act, evening.snapshot
    let_sleep(evening)
    one = evening.tables.ask(evening.request(first, key="one", button=button), c.Call())
    again = evening.tables.ask(evening.request(first, key="one", button=button), c.Call())
    outcomes = [await one, await again]
    assert [outcome.repeated for outcome in outcomes] == [False, True]
    let_sleep(evening)
    repeated = await evening.tables.ask(evening.request(first, key="one", button=button), c.Call())
    assert repeated.repeated, "the store knows the key of a table that has slept"
    await evening.audit()


async def test_what_is_asked_of_all_tables_wakes_none(evening: Evening) -> None:
    await waiting_table(evening)
    awaited = evening.session.awaited
    assert awaited.users == (USERS[evening.to_act],)
    let_sleep(evening)
    assert evening.session.awaited == awaited and evening.session.has_turn
    assert evening.tables.counts() == (1, 1, 0)
    assert evening.sessions.unshown_hands() == {evening.table: 1}
    assert [one.id for one in evening.tables.deletions.tables_of(USERS["Ann"])] == [evening.table]
    other = (await evening.tables.open(evening.request("Dee", channel=71), slow())).snapshot.id
    await evening.fund("Ann", 20_000)
    await evening.ask("Ann", TakeSeat(USERS["Ann"], "Ann", 20_000, 1), channel=71)
    assert evening.session.is_asleep and other != evening.table


async def test_lists_of_tables_wake_none(evening: Evening) -> None:
    await waiting_table(evening)
    tables, guild, request = evening.tables, GUILD, evening.request("Ann")
    lists: list[Callable[[], Sequence[TableOutline]]] = [
        tables.all_tables,
        lambda: tables.tables_in_guild(guild),
        lambda: tables.public_tables(guild),
        lambda: tables.tables_seen_by(request),
        lambda: tables.tables_with_player(guild, USERS["Ann"]),
    ]
    awake = evening.snapshot
    let_sleep(evening)
    for listed in lists:
        (one,) = listed()
        assert (one.id, one.hand_number, one.hand_running, one.host) == (awake.id, 1, True, awake.host)
        assert one.table == awake.table and one.settings == awake.settings
        assert one.seats_for_newcomers == awake.seats_for_newcomers > 0
        assert set(one.dealt_users) == set(awake.dealt_users)
    assert (await evening.bank.leaderboard(guild, USERS["Ann"])).lines
    assert evening.session.is_asleep


async def test_private_table_hides_while_it_sleeps(evening: Evening) -> None:
    """Who was removed in the middle of a hand is dealt in, and knows of the table; a stranger does not, and wakes nothing."""
    tables, guests = evening.tables, TableGuests(private=True, invited=(USERS["Bo"],))
    outcome = await tables.open(evening.request("Ann"), slow(), guests)
    evening.table = outcome.snapshot.id
    await evening.seat(Ann=20_000, Bo=20_000)
    await evening.wait(1)
    await evening.ask("Ann", RemovePlayer(USERS["Ann"], USERS["Bo"], keep_out=True))
    let_sleep(evening)
    assert tables.tables_seen_by(evening.request("Ann")) and tables.tables_seen_by(evening.request("Bo"))
    assert tables.tables_seen_by(evening.request("Dee", staff=True))
    assert not tables.tables_seen_by(evening.request("Dee")) and not tables.public_tables(GUILD)
    assert evening.session.is_asleep
    with pytest.raises(NotInvited):
        tables.table_for(evening.request("Dee"))


async def test_whoever_looks_at_lists_keeps_no_table_awake(evening: Evening) -> None:
    """A lobby board is drawn and hands are counted again and again while the table says nothing."""
    await waiting_table(evening)
    for _ in range(30):
        await evening.wait(6)
        assert evening.tables.tables_in_guild(GUILD) and evening.sessions.unshown_hands()
        assert evening.session.knows(USERS["Ann"]) and evening.session.holds(USERS["Ann"])
    assert evening.session.is_asleep


async def test_reading_earlier_hands_wakes_no_table(evening: Evening) -> None:
    await waiting_table(evening)
    while evening.snapshot.hand_number == 1:
        await evening.acts(f"{evening.to_act} folds")
        await evening.wait(1)
    let_sleep(evening)
    log = await evening.tables.read_hand_log(evening.request("Dee"), 1)
    assert (await evening.tables.read_replay(evening.request("Dee"), 1)).number == log.number == 1
    assert evening.session.is_asleep


async def test_table_with_something_near_stays_awake(evening: Evening) -> None:
    await waiting_table(evening)
    turn = evening.session.state.current_turn
    assert turn is not None
    evening.session.fall_asleep()
    evening.clock.move_to(turn.bank_ends_at - NEAR_MS + 1_000)
    assert not evening.session.fall_asleep()


async def test_looking_for_ones_turns_wakes_no_table(evening: Evening) -> None:
    await waiting_table(evening)
    first, turn = evening.to_act, evening.session.state.current_turn
    assert turn is not None
    (other,) = {"Ann", "Bo"} - {first} if first != "Cy" else {"Ann"}
    let_sleep(evening)
    (slow,) = evening.tables.slow_turns(USERS[first])
    assert (slow.ends_at, slow.table) == (turn.turn_ends_at, evening.table)
    assert evening.tables.slow_turns(USERS[other]) == ()
    assert evening.tables.sits_at_slow_table(USERS[other]) and not evening.tables.sits_at_slow_table(USERS["Dee"])
    assert evening.session.is_asleep


async def test_no_rest_is_waited_for_at_tables_that_wait(evening: Evening) -> None:
    """Nobody needs the book read out there, and at the start nothing is read of a thousand such tables."""
    await evening.open(replace(slow(), pause_seconds=60))
    await evening.seat(Ann=20_000, Bo=20_000)
    await evening.wait(61)
    await evening.acts(f"{evening.to_act} folds")
    assert evening.snapshot.hand_number == 1 and not evening.snapshot.hand_running
    asked: list[int] = []

    async def last_hand_ended_at(table: int) -> int:
        asked.append(table)
        return evening.clock.now()

    async def show(*_: object) -> None:
        raise AssertionError("it rests")

    evening.tables.last_hand_ended_at = last_hand_ended_at  # type: ignore[method-assign]
    rests = Rests(evening.tables, evening.clock, BackgroundTasks(), show)
    before = evening.clock.next_at()
    await rests.open({})
    rests.stop()
    assert asked == [] and evening.clock.next_at() == before
