"""Nights where two things happen at once: what the host does crosses what the dealer does for the night."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.events.nights import commands as c
from bot.runtime.nights import PlannedSeries
from bot.store.store import Store
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_nights import plan, play_a_hand, until_night
from tests.e2e.test_nights_bad_days import nets, soon
from tests.support.failing import hang


def only(room: BotSession) -> PlannedSeries:
    (one,) = room.dealer.services.nights.all()
    return one


def starts(one: PlannedSeries) -> datetime:
    assert one.series.night is not None
    return datetime.fromtimestamp(one.series.night.starts_at / 1000, UTC)


@pytest.mark.parametrize("what", ["skip", "move", "cancel"])
async def test_host_changes_their_mind_while_the_table_opens(tmp_path: Path, what: str) -> None:
    """The table that was opened closes again, and the night that comes has one of its own at its time."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game", players=2, hands=1)
        nights, tables = room.dealer.services.nights, room.dealer.tables
        one, opens = only(room), tables.open
        tomorrow = f"{datetime.fromtimestamp(starts(one).timestamp() + 86_400, UTC):%Y-%m-%dT%H:%M}"
        commands = {
            "skip": c.SkipNight(0, staff=True),
            "move": c.MoveNight(0, tomorrow, staff=True),
            "cancel": c.CancelSeries(0, staff=True),
        }

        async def open_late(*args: Any) -> Any:
            opened = await opens(*args)
            tables.open = opens  # type: ignore[method-assign]
            await nights.ask(one.id, commands[what])
            return opened

        tables.open = open_late  # type: ignore[method-assign]
        await until_night(room, "19:56")
        await soon(lambda: not room.dealer.tables.all_tables())
        await room.wait_until_idle()
        if what == "cancel":
            await soon(lambda: nights.all() == ())
            return
        now = only(room).series.night
        assert now is not None and (now.table, now.number) == (0, 2 if what == "skip" else 1)
        assert "The table of **Friday game** is open" not in ann.screen()
        await until_night(room, "19:56")
        await ann.until("The table of **Friday game** is open")
        for player in (ann, bo):
            await player.slash("sit")
        room.clock.skip(300)
        await play_a_hand(room, ann, bo)
        await ann.until("### Friday game is over")
        assert sorted(nets(room).values()) == [-50, 50]


async def test_table_that_closes_while_it_opens_is_noted(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        tables, opens = room.dealer.tables, room.dealer.tables.open

        async def open_and_close(*args: Any) -> Any:
            opened = await opens(*args)
            await tables.close_without_channel(opened.snapshot.id)
            return opened

        tables.open = open_and_close  # type: ignore[method-assign]
        await until_night(room, "19:56")
        await asyncio.sleep(0.05)
        await ann.until("Too few came to **Friday game**")
        night = only(room).series.night
        assert night is not None and night.number == 2


async def test_reminder_that_waited_is_not_told_of_another_time(tmp_path: Path) -> None:
    """The bot could not write when it was due; meanwhile the host has moved the night, and then called it off."""
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await until_night(room, "18:30")
        room.discord.controls.set_overwrite(ann.here, deny=["send_messages"])
        await until_night(room, "19:01")
        one = only(room)
        assert [line.kind.value for line in one.series.lines] == ["hour reminder"]
        later = f"{datetime.fromtimestamp(starts(one).timestamp() + 7_200, UTC):%Y-%m-%dT%H:%M}"
        await room.dealer.services.nights.ask(one.id, c.MoveNight(0, later, staff=True))
        room.discord.controls.set_overwrite(ann.here)
        await ann.until("**Friday game** is moved to")
        await room.wait_until_idle()
        assert "begins at" not in ann.screen()
        assert only(room).series.lines == ()


async def test_interest_that_is_taken_back_at_once_is_none(tmp_path: Path) -> None:
    """Their name is looked up for the first, and nothing for the second."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        await room.wait_until_idle()
        (event,) = room.discord.controls.scheduled_events()
        names, looked, goes_on = room.dealer.services.display_names, asyncio.Event(), asyncio.Event()
        of = names.of

        async def slowly(*args: Any) -> Any:
            looked.set()
            await goes_on.wait()
            return await of(*args)

        names.of = slowly  # type: ignore[method-assign]
        for interested in (True, False):
            room.discord.controls.set_interested(event["id"], bo.me["id"], interested=interested)
        await looked.wait()
        await asyncio.sleep(0.05)
        goes_on.set()
        await room.wait_until_idle()
        await asyncio.sleep(0.05)
        night = only(room).series.night
        assert night is not None and [one.name for one in night.answers] == ["Ann"]
        names.of = of  # type: ignore[method-assign]
        await bo.click("I'm in")
        room.discord.controls.set_interested(event["id"], bo.me["id"])
        await bo.until("Seats 2 of")
        await room.wait_until_idle()
        night = only(room).series.night
        assert night is not None and [one.answer.value for one in night.answers] == ["in", "in"]


async def test_line_of_a_gone_channel_is_told_in_the_next(tmp_path: Path) -> None:
    """The reminder is on its way when somebody deletes the channel."""
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("games")
        ann, _ = await room.people("Ann", "Bo")
        first = ann.here
        await plan(room, ann.go("games"), name="Friday game")
        games, ann.here = ann.here, first
        await until_night(room, "18:59")
        bank = room.dealer.services.bank
        rules, asked, goes_on = bank.house_rules, asyncio.Event(), asyncio.Event()

        async def slowly(guild: int) -> Any:
            asked.set()
            await goes_on.wait()
            return await rules(guild)

        bank.house_rules = slowly  # type: ignore[method-assign]
        room.clock.skip(90)
        await asyncio.wait_for(asked.wait(), 5)
        room.discord.controls.delete_channel(games)
        bank.house_rules = rules  # type: ignore[method-assign]
        await soon(lambda: only(room).series.channel == int(first))
        goes_on.set()
        await ann.until("Its nights are here from now on.")
        await asyncio.sleep(0.05)
        room.clock.skip(40)
        await ann.until("**Friday game** begins at")


@pytest.mark.parametrize("what", ["skip", "move", "cancel", "stays"])
async def test_event_of_a_killed_dealer_is_not_left_behind(tmp_path: Path, what: str) -> None:
    """It was made, and the dealer was killed before it could note which one it is; then the host changes their mind."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            (ann,) = await room.people("Ann")
            requests = room.dealer.services.discord_api.scheduled_events
            create, died = requests.create, asyncio.Event()

            async def create_and_die(*args: Any) -> int:
                await create(*args)
                died.set()
                return await hang()

            requests.create = create_and_die  # type: ignore[method-assign]
            await plan(room, ann, name="Friday game")
            await asyncio.wait_for(died.wait(), 5)
            one = only(room)
            later = f"{datetime.fromtimestamp(starts(one).timestamp() + 7_200, UTC):%Y-%m-%dT%H:%M}"
            commands: dict[str, c.NightCommand] = {
                "skip": c.SkipNight(0, staff=True),
                "move": c.MoveNight(0, later, staff=True),
                "cancel": c.CancelSeries(0, staff=True),
                "stays": c.NightTick(),
            }
            await room.dealer.services.nights.ask(one.id, commands[what])
        async with told.life() as room:
            await room.wait_until_idle()
            await asyncio.sleep(0.05)
            await room.wait_until_idle()
            times = [one["scheduled_start_time"] for one in room.discord.controls.scheduled_events()]
            expected = [] if what == "cancel" else [starts(only(room))]
            assert [datetime.fromisoformat(at) for at in times] == expected


@pytest.mark.parametrize("kind", ["nightevent.", "nightpost.", "nightopen."])
async def test_night_that_is_due_at_the_start_has_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A reminder falls due while the dealer still reads what it has left in Discord."""
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            (ann,) = await room.people("Ann")
            await plan(room, ann, name="Friday game")
            await until_night(room, "18:50")
            room.clock.skip(900)
        values = Store.values

        async def slowly(store: Store, prefix: str) -> dict[str, bytes]:
            found = await values(store, prefix)
            if prefix == kind:
                await asyncio.sleep(0.2)
            return found

        monkeypatch.setattr(Store, "values", slowly)
        async with told.life() as room:
            await ann.until("**Friday game** begins at")
            await asyncio.sleep(0.3)
            await room.wait_until_idle()
            assert (len(room.discord.controls.scheduled_events()), ann.screen().count("[I'm in]")) == (1, 1)


async def test_channel_that_goes_in_the_last_hand_ends_the_night(tmp_path: Path) -> None:
    """The table was to close after that hand anyway."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game", players=2, hands=2)
        await until_night(room, "19:56")
        for player in (ann, bo):
            await player.slash("sit")
        room.clock.skip(300)
        await play_a_hand(room, ann, bo)
        await room.deal()
        await room.wait_until_idle()
        await room.dealer.tables.close_without_channel(room.now.id)
        assert not room.dealer.tables.all_tables() and await room.dealer.store.ledger_sum() == 0
        await soon(lambda: sorted(nets(room).values()) == [-50, 50])
