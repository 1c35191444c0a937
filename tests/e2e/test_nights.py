"""Game nights through the bot: planned, answered, reminded, opened, dealt, closed, and the next date."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.events.nights.commands import CancelSeries
from bot.events.nights.events import NightClosed
from bot.runtime.request import Request
from bot.runtime.store_errors import StoreFailed
from bot.runtime.store_types import Commit, Receipt
from bot.surfaces.table.display import TableDisplay
from bot.table.way_on import Awaited
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.test_choices_survive_restart import restarting_bot
from tests.e2e.test_rooms import follow
from tests.support.discord_double import Player
from tests.support.failing import fail_once, hang
from tests.support.menus import choose_for_oneself

MINUTE = 60.0
HOUR = 60 * MINUTE


async def until_utc(room: BotSession, hour: str, *, days: int = 0) -> None:
    """Let the time pass until an hour of the clock in UTC, today or some days later."""
    now = datetime.fromtimestamp(room.clock.now() / 1000, UTC)
    wanted = now.replace(hour=int(hour[:2]), minute=int(hour[3:]), second=1)
    room.clock.skip((wanted - now).total_seconds() + days * 24 * HOUR)
    await room.wait_until_idle()


async def plan(room: BotSession, host: Player, **how: object) -> str:
    """Plan a night for the day after tomorrow, at eight in the evening in UTC. Returns the private answer."""
    at = datetime.fromtimestamp(room.clock.now() / 1000 + 2 * 24 * HOUR, UTC)
    answer = await host.slash("night", when=f"{at:%Y-%m-%d} 20:00", zone="UTC", **how)
    await host.until("I'm in")
    return answer


async def play_a_hand(room: BotSession, *players: Player) -> None:
    """Everybody but one folds. The table can close then."""
    await room.deal()
    for _ in players[1:]:
        folder = room.to_act(*players)
        assert folder is not None, "nobody is to act"
        await folder.slash("fold")
    await room.wait_until_idle()


async def test_a_weekly_night_from_post_to_next_date(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        answer = await plan(room, ann, hands=2, name="Friday game")
        assert "**Friday game** is planned for" in answer
        await bo.click("I'm in")
        post = await bo.until("Seats 2 of")
        assert "Ann, Bo" in post and "every week" in post
        await cy.click("Maybe")
        await cy.until("Maybe: Cy")
        await until_utc(room, "20:00", days=1)
        await ann.until("**Friday game** is on <t:")
        await until_utc(room, "19:00", days=1)
        await ann.until("**Friday game** begins")
        await ann.until_gone("**Friday game** is on <t:")
        await until_utc(room, "19:55")
        await ann.until("The table of **Friday game** is open")
        await ann.until_gone("**Friday game** begins")
        await room.wait_until_idle()
        assert "**Friday game** · <t:" in bo.dms() and "@Ann holds a seat for you at Table 1" in bo.dms()
        await bo.click("Take a seat")
        await ann.until("(1 of them held)\n-# Held for: Ann")
        assert ann.screen().count("[Go to the table]") == 2, "in the post, and where it is told"
        await ann.until("Waiting for 2 players")
        await ann.slash("sit")
        await cy.slash("sit")
        begins_at = datetime.fromtimestamp(room.now.table.next_hand_at / 1000, UTC)
        assert f"{begins_at:%H:%M}" == "20:00", "nobody deals before the hour"
        await play_a_hand(room, ann, bo, cy)
        await ann.until_gone("The table of **Friday game** is open")
        await play_a_hand(room, ann, bo, cy)
        await ann.until("### Friday game is over")
        await ann.until("Seats 1 of 10")
        screen = ann.screen()
        assert screen.index("· 2 hands\n") < screen.rindex("### Friday game\n"), "the next date comes below the sheet"
        assert "-# Friday game: this night is over." in screen
        standings = await bo.click("Standings")
        assert "### Friday game · 1 night" in standings and "Points by rank: 10 / 7 / 5" in standings


async def test_what_was_told_goes_once_it_is_no_longer_true(tmp_path: Path) -> None:
    """Killed between the save that a line is told and the next, a restart takes it away all the same."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            ann, bo = await room.people("Ann", "Bo")
            await plan(room, ann, name="Friday game")
            keep, notes = room.dealer.store.keep, list[str]()

            async def keep_once(key: str, value: bytes | None) -> None:
                await keep(key, value)
                notes.append(key)
                if key.startswith("nighttold."):
                    await hang()

            room.dealer.store.keep = keep_once  # type: ignore[method-assign]
            (one,) = room.dealer.services.nights.all()
            assert one.series.night is not None
            room.clock.skip((one.series.night.starts_at - room.clock.now()) / 1000 - 23 * HOUR)
            await ann.until("**Friday game** is on <t:")
            for _ in range(100):
                if any(key.startswith("nighttold.") for key in notes):
                    break
                await asyncio.sleep(0.01)
        async with told.life() as room:
            await room.wait_until_idle()
            assert ann.screen().count("**Friday game** is on <t:") == 1
            await bo.click("I'm in")
            await ann.slash("night")
            await ann.select("Choose a series", "Friday game")
            await ann.click("Skip this night")
            await ann.until("doesn't take place")
            await ann.until_gone("**Friday game** is on <t:")


async def test_form_that_is_refused_comes_back_as_it_was_typed(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await ann.slash("night")
        refused = await ann.submit(
            {"Day and hour": "Blursday 99", "Time zone of this server": "UTC", "Again": "monthly"}
        )
        assert "I can't read “Blursday 99”." in refused and "[Change it…]" in refused
        await ann.click("Change it…")
        assert "Blursday 99" in str(ann.form)
        await ann.submit({"Day and hour": "tomorrow 20:00"})
        assert "every month" in await ann.until("I'm in")
        assert "Change it…" not in ann.buttons(), "the refusal has become the answer"


async def test_two_can_play_again_what_three_had_to_begin(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await plan(room, ann, hands=1, name="Friday game")
        await until_utc(room, "19:55", days=2)
        await ann.until("The table of **Friday game** is open")
        for player in (ann, bo, cy):
            await player.slash("sit")
        room.clock.skip(5 * MINUTE)
        await play_a_hand(room, ann, bo, cy)
        await bo.until("Play again")
        await bo.click("Play again")
        await room.wait_until_idle()
        await ann.slash("sit")
        await play_a_hand(room, ann, bo)
        assert room.now.hand_number == 1


class Mortal:
    """Kills a dealer at a save of its store: before it, or after it."""

    def __init__(self, room: BotSession, dies_at: int, *, saved: bool) -> None:
        self._store, self._commit, self._keep = room.dealer.store, room.dealer.store.commit, room.dealer.store.keep
        self._left, self._saved, self.died = dies_at, saved, asyncio.Event()
        self.saves = 0
        self._store.commit, self._store.keep = self.commit, self.keep  # type: ignore[method-assign]

    async def commit(self, commit: Commit) -> Receipt:
        return await self._or_die(self._commit, commit)

    async def keep(self, key: str, value: bytes | None) -> None:
        await self._or_die(self._keep, key, value)

    async def _or_die(self, save: Callable[..., Awaitable[Any]], *given: Any) -> Any:
        self.saves += 1
        if self.saves < self._left:
            return await save(*given)
        if self.saves == self._left and self._saved:
            await save(*given)
        self.died.set()
        return await hang()


async def reach_opening(room: BotSession, *people: Player) -> None:
    await until_utc(room, "19:54")
    await room.wait_until_idle()


async def open_night(room: BotSession, *people: Player) -> None:
    await until_utc(room, "19:55")


async def reach_break(room: BotSession, *people: Player) -> None:
    await reach_opening(room)
    await open_night(room)
    await people[0].until("is open")
    for player in people:
        await player.slash("sit")
    await play_a_hand(room, *people)


async def take_break(room: BotSession, *people: Player) -> None:
    room.clock.skip(91 * MINUTE)


async def reach_close(room: BotSession, *people: Player) -> None:
    await reach_break(room, *people)
    await room.deal()
    first = room.to_act(*people)
    assert first is not None
    await first.slash("fold")
    await room.wait_until_idle()


async def close_night(room: BotSession, *people: Player) -> None:
    last = room.to_act(*people)
    assert last is not None
    killed = asyncio.create_task(last.slash("fold"))
    await asyncio.sleep(0)
    _SLASHES.add(killed)


_SLASHES: set[asyncio.Task[str]] = set()
STAGES = {
    "opening": (reach_opening, open_night),
    "break": (reach_break, take_break),
    "close": (reach_close, close_night),
}


async def play_to_the_end(room: BotSession, *people: Player) -> None:
    """Whoever has no seat sits down, and hands are played until the night is over."""
    await room.wait_until_idle()
    while room.dealer.tables.all_tables():
        way_on = room.now.table.way_on
        if way_on is not None and way_on.awaited is Awaited.BREAK:
            room.clock.skip((way_on.at - room.clock.now()) / 1000 + 1)
            await room.wait_until(lambda: room.now.table.next_hand_at > 0)
        for player in people:
            if not room.now.known_name(int(player.me["id"])) or room.now.table.waiting:
                await player.slash("sit")
        if not room.now.hand_running:
            await room.deal()
        while room.dealer.tables.all_tables() and room.now.hand_running:
            folder = room.to_act(*people)
            assert folder is not None
            await folder.slash("fold")
        await room.wait_until_idle()


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    ("dies_at", "saved"),
    [
        (1, True),
        *[pytest.param(at, saved, marks=pytest.mark.full) for at in range(1, 9) for saved in (False, True)],
    ],
)
async def test_a_night_is_killed_and_goes_on(tmp_path: Path, stage: str, dies_at: int, *, saved: bool) -> None:
    """At every save of its opening, break and close, before and after it: it is played once, and told once."""
    reach, go = STAGES[stage]
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            people = ann, bo, cy = await room.people("Ann", "Bo", "Cy")
            await plan(room, ann, hands=2, name="Friday game")
            await bo.click("I'm in")
            await cy.click("I'm in")
            await until_utc(room, "12:00", days=2)
            await reach(room, *people)
            mortal = Mortal(room, dies_at, saved=saved)
            await go(room, *people)
            for _ in range(100):
                if mortal.died.is_set():
                    break
                await asyncio.sleep(0.01)
        for task in _SLASHES:
            task.cancel()
        _SLASHES.clear()
        async with told.life() as room:
            await play_to_the_end(room, *people)
            await ann.until("### Friday game is over")
            await ann.until("Seats 1 of 10")
            await room.wait_until_idle()
            screen = ann.screen()
            opened = [
                one
                for one in room.discord.requests
                if one.method == "POST" and "The table of **Friday game** is open" in str(one.request_body)
            ]
            assert (len(opened), screen.count("The table of **Friday game** is open")) == (1, 0)
            assert (screen.count("[I'm in]"), screen.count("this night is over")) == (1, 1)
            assert "### Friday game · 1 night\n" in await ann.click("Standings")
            (one,) = room.dealer.services.nights.all()
            assert (len(one.series.results), one.series.results[0].hands) == (1, 2)
            assert one.series.night is not None and one.series.night.number == 2


def events(room: BotSession) -> list[dict[str, Any]]:
    return room.discord.controls.scheduled_events()


async def test_discords_own_event_follows_the_night(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game", minutes=180)
        await room.wait_until_idle()
        (event,) = events(room)
        starts, ends = (datetime.fromisoformat(event[f"scheduled_{one}_time"]) for one in ("start", "end"))
        assert (event["name"], starts.hour, (ends - starts).seconds) == ("Friday game", 20, 3 * 3600)
        assert event["entity_metadata"]["location"].endswith(f"/{ann.here}")
        room.discord.controls.set_interested(event["id"], bo.me["id"])
        await ann.until("-# Maybe: Bo")
        room.discord.controls.set_interested(event["id"], bo.me["id"], interested=False)
        await ann.until_gone("-# Maybe: Bo")
        room.discord.controls.change_event(event["id"], scheduled_start_time=(starts + HOURS_LATER).isoformat())
        await ann.until("**Friday game** is moved to")
        await room.wait_until_idle()
        (one,) = room.dealer.services.nights.all()
        assert one.series.night is not None
        assert one.series.night.starts_at == (starts + HOURS_LATER).timestamp() * 1000
        room.discord.controls.delete_event(event["id"])
        await ann.until("The event of **Friday game** is gone from the list of this server")
        await skip_next_night(ann)
        await room.wait_until_idle()
        (following,) = events(room)
        assert datetime.fromisoformat(following["scheduled_start_time"]) == starts + timedelta(days=7)
        await ann.slash("night")
        await ann.select("Choose a series", "Friday game")
        await ann.click("Cancel the nights")
        await ann.click("Cancel all nights of it")
        await ann.until("There are no more of these nights. `/night` plans new ones.")
        await room.wait_until_idle()
        assert events(room) == []


async def test_event_that_is_moved_back_takes_the_night_back(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await room.wait_until_idle()
        planned = datetime.fromisoformat(events(room)[0]["scheduled_start_time"])
        for starts in (planned + HOURS_LATER, planned, planned + 2 * HOURS_LATER):
            room.discord.controls.change_event(events(room)[0]["id"], scheduled_start_time=starts.isoformat())
            await ann.until(f"is moved to <t:{int(starts.timestamp())}")
            await room.wait_until_idle()
            assert datetime.fromisoformat(events(room)[0]["scheduled_start_time"]) == starts
        (one,) = room.dealer.services.nights.all()
        assert one.series.night is not None
        assert one.series.night.starts_at == (planned + 2 * HOURS_LATER).timestamp() * 1000


def doubled_time(zone: str, now: int) -> tuple[datetime, datetime]:
    """Return the next two times that a clock shows as one, when it is put back: in the middle of what is doubled."""
    clock, quarter = ZoneInfo(zone), timedelta(minutes=15)
    at = datetime.fromtimestamp(now // 900_000 * 900 + 2 * 24 * HOUR, UTC)
    while (back := at.astimezone(clock).utcoffset() - (at + quarter).astimezone(clock).utcoffset()) <= timedelta():  # type: ignore[operator]
        at += quarter
    return at + quarter - back / 2, at + quarter + back / 2


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe"])
async def test_event_can_be_moved_to_either_of_a_doubled_hour(tmp_path: Path, zone: str) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        first, second = doubled_time(zone, room.clock.now())
        assert len({f"{at.astimezone(ZoneInfo(zone)):%d %H:%M}" for at in (first, second)}) == 1
        day = (first - timedelta(days=1)).astimezone(ZoneInfo(zone))
        await ann.slash("night", when=f"{day:%Y-%m-%d} 20:00", zone=zone, name="Friday game")
        await ann.until("I'm in")
        await room.wait_until_idle()
        for starts in (second, first, second + HOURS_LATER, second, first - HOURS_LATER, first):
            room.discord.controls.change_event(events(room)[0]["id"], scheduled_start_time=starts.isoformat())
            await until_night_begins(room, starts)
            await room.wait_until_idle()
            await until_night_begins(room, starts)
            assert datetime.fromisoformat(events(room)[0]["scheduled_start_time"]) == starts


@pytest.mark.parametrize("change", ["moved", "deleted", "ended"])
async def test_event_that_changed_during_a_downtime_is_read(tmp_path: Path, change: str) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            (ann,) = await room.people("Ann")
            await plan(room, ann, name="Friday game")
            await room.wait_until_idle()
        (event,) = told.discord.controls.scheduled_events()
        later = datetime.fromisoformat(event["scheduled_start_time"]) + HOURS_LATER
        match change:
            case "moved":
                told.discord.controls.change_event(event["id"], scheduled_start_time=later.isoformat())
            case "deleted":
                told.discord.controls.delete_event(event["id"])
            case "ended":
                told.discord.controls.change_event(event["id"], status=4)
        async with told.life() as room:
            if change == "moved":
                await ann.until(f"is moved to <t:{int(later.timestamp())}")
                (one,) = room.dealer.services.nights.all()
                assert one.series.night is not None and one.series.night.starts_at == later.timestamp() * 1000
            else:
                await ann.until("The event of **Friday game** is gone from the list of this server")
            await room.wait_until_idle()
        async with told.life() as room:
            await room.wait_until_idle()
            assert ann.screen().count("is moved to") + ann.screen().count("is gone from the list") == 1


async def test_echo_that_is_lost_hides_no_later_change(tmp_path: Path) -> None:
    """Discord repeats each change to whoever made it; a reconnection of the gateway can lose one."""
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await room.wait_until_idle()
        (event,) = events(room)
        planned = datetime.fromisoformat(event["scheduled_start_time"])
        parsers = room.dealer.client._connection.parsers
        changed = parsers["GUILD_SCHEDULED_EVENT_UPDATE"]
        parsers["GUILD_SCHEDULED_EVENT_UPDATE"] = lambda event: None
        for hour in ("21:00", "22:00"):
            await choose(ann, "Move this night…")
            await ann.fill_form(when=f"{planned:%Y-%m-%d} {hour}")
            await room.wait_until_idle()
            parsers["GUILD_SCHEDULED_EVENT_UPDATE"] = changed
        room.discord.controls.change_event(event["id"], scheduled_start_time=(planned + HOURS_LATER).isoformat())
        await until_night_begins(room, planned + HOURS_LATER)


async def until_night_begins(room: BotSession, at: datetime) -> None:
    """Wait until the next night is at a time."""
    async with asyncio.timeout(5):
        while [one.series.night.starts_at for one in room.dealer.services.nights.all() if one.series.night] != [
            at.timestamp() * 1000
        ]:
            await asyncio.sleep(0.01)


async def test_discords_own_event_names_host_and_place_as_they_are(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("games")
        ann, bo = await room.people("Ann", "Bo")
        first = ann.here
        await plan(room, ann.go("games"), name="Friday game")
        await room.wait_until_idle()
        assert "hosted by Ann" in events(room)[0]["description"]
        await bo.go("games").click("I'm in")
        room.discord.controls.delete_channel(ann.here)
        ann.here = bo.here = first
        await ann.until("Its nights are here from now on.")
        await room.wait_until_idle()
        assert events(room)[0]["entity_metadata"]["location"].endswith(f"/{first}")
        await ann.slash("me", page="delete")
        await ann.click("Delete it all")
        await ann.until("You host **Friday game** now.")
        await room.wait_until_idle()
        assert "hosted by Bo" in events(room)[0]["description"]


HOURS_LATER = timedelta(hours=1)


async def skip_next_night(host: Player) -> None:
    await host.slash("night")
    await host.select("Choose a series", "Friday game")
    await host.click("Skip this night")


async def test_without_permission_nights_go_on_without_events(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        room.discord.controls.take_from_bot(["create_events"])
        await plan(room, ann, name="Friday game")
        await room.wait_until_idle()
        assert events(room) == []
        room.discord.controls.raise_bot(["create_events"])
        await room.wait_until_idle()
        await asyncio.sleep(0.1)
        await room.wait_until_idle()
        assert [one["name"] for one in events(room)] == ["Friday game"]


async def test_event_that_a_killed_dealer_made_is_found(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            (ann,) = await room.people("Ann")
            keep, notes = room.dealer.store.keep, list[str]()

            async def keep_once(key: str, value: bytes | None) -> None:
                notes.append(key.partition(".")[0])
                if notes.count("nightevent") > 1:
                    await hang()
                await keep(key, value)

            room.dealer.store.keep = keep_once  # type: ignore[method-assign]
            await plan(room, ann, name="Friday game")
            while not events(room):
                await asyncio.sleep(0.01)
        async with told.life() as room:
            await room.wait_until_idle()
            assert len(events(room)) == 1
            room.discord.controls.delete_event(events(room)[0]["id"])
            await ann.until("is gone from the list of this server")


async def test_event_of_another_series_with_its_name_is_not_taken(tmp_path: Path) -> None:
    """A dealer is killed before it has made the second one of two events that are called the same."""
    async with restarting_bot(tmp_path) as told:
        async with told.life(waits=False) as room:
            (ann,) = await room.people("Ann")
            await plan(room, ann, name="Friday game")
            await room.wait_until_idle()
            keep, stopped = room.dealer.store.keep, asyncio.Event()

            async def keep_and_die(key: str, value: bytes | None) -> None:
                await keep(key, value)
                if key.startswith("nightevent."):
                    stopped.set()
                    await hang()

            room.dealer.store.keep = keep_and_die  # type: ignore[method-assign]
            at = datetime.fromtimestamp(room.clock.now() / 1000 + 3 * 24 * HOUR, UTC)
            await ann.slash("night", when=f"{at:%Y-%m-%d} 20:00", zone="UTC", name="Friday game")
            await stopped.wait()
        async with told.life() as room:
            await room.wait_until_idle()
            days = [datetime.fromisoformat(one["scheduled_start_time"]).day for one in events(room)]
            assert sorted(days) == sorted([(at - timedelta(days=1)).day, at.day])


# bad days


async def until_night(room: BotSession, hour: str) -> None:
    """Let the time pass until an hour of the day of the next night."""
    (one,) = room.dealer.services.nights.all()
    assert one.series.night is not None
    day = datetime.fromtimestamp(one.series.night.starts_at / 1000, UTC)
    wanted = day.replace(hour=int(hour[:2]), minute=int(hour[3:]), second=1)
    room.clock.skip(wanted.timestamp() - room.clock.now() / 1000)
    await asyncio.sleep(0.03)  # the alarms ring
    await room.wait_until_idle()


async def test_dates_that_cannot_be_are_answered_plainly(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        year = datetime.fromtimestamp(room.clock.now() / 1000, UTC).year
        assert "is over. Choose a day and hour to come." in await ann.slash(
            "night", when=f"{year - 1}-05-01 20:00", zone="UTC"
        )
        assert "I can't read “soonish”. Try Friday 20:00" in await ann.slash("night", when="soonish", zone="UTC")
        assert "at most 400 days from now" in await ann.slash("night", when=f"{year + 3}-05-01 20:00", zone="UTC")
        await plan(room, ann, name="Friday game")
        at = datetime.fromtimestamp(room.clock.now() / 1000 + 9 * 24 * HOUR, UTC)
        again = await ann.slash("night", when=f"{at:%Y-%m-%d} 20:30", zone="UTC")
        assert "“Friday game” is at that hour in this channel." in again


async def test_an_hour_that_the_clock_skips_is_said(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        room.clock.skip(datetime(2027, 3, 20, tzinfo=UTC).timestamp() - room.clock.now() / 1000)
        answer = await ann.slash("night", when="2027-03-28 02:30", zone="Berlin", every="once")
        assert "the clock is put forward, and there is no 02:30: the night begins as much later." in answer
        (one,) = room.dealer.services.nights.all()
        assert one.series.night is not None
        assert one.series.night.starts_at == datetime(2027, 3, 28, 1, 30, tzinfo=UTC).timestamp() * 1000


async def test_first_night_asks_for_the_time_zone(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        you = room.discord.you
        await you.slash("night")
        await you.fill_form(game="razz", when="tomorrow 8pm", every="once", chips="server", zone="new york")
        assert "Razz" in await you.until("I'm in")
        assert "-# Best hand: 5-4-3-2-A" in you.screen()
        rules = await room.dealer.bank.house_rules(int(next(iter(room.discord.stand_in.world.guilds))))
        assert rules.time_zone == "America/New_York"
        assert "Time zone of this server" not in await you.slash("night", game="holdem")


async def test_table_opens_late_after_a_downtime(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            (ann,) = await room.people("Ann")
            await plan(room, ann, name="Friday game")
            (one,) = room.dealer.services.nights.all()
            assert one.series.night is not None
            until_late = one.series.night.starts_at - room.clock.now() + int(1.5 * HOUR * 1000)
        told._ahead += until_late
        async with told.life() as room:
            await ann.until("The table of **Friday game** opens late: ")
            assert "**Friday game** is on <t:" not in ann.screen()


async def test_nobody_comes_twice_and_the_host_is_asked(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        for _ in range(2):
            await until_night(room, "19:56")
            await until_night(room, "20:27")
        assert ann.screen().count("Too few came to **Friday game**, so it doesn't take place.") == 2
        await bo.until("nobody came to the last two nights")
        assert "Only @Ann, who hosts these nights, and staff can do that." in await bo.click("Yes, go on")
        assert "[I'm in]" in await ann.click("Yes, go on")
        await until_night(room, "19:56")
        assert room.dealer.tables.all_tables(), "the third night takes place"


async def test_host_who_left_is_followed_by_whoever_is_in(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        await bo.click("I'm in")
        room.discord.controls.remove_member(ann.me["id"])
        await until_night(room, "19:56")
        await bo.until("@Bo · You host **Friday game** now.")
        await bo.until("The table of **Friday game** is open")
        assert room.now.table.host == int(bo.me["id"])


async def test_all_series_of_a_host_who_left_have_another_one(tmp_path: Path) -> None:
    """Noticed when the first of their tables is to open."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        await bo.click("I'm in")
        at = datetime.fromtimestamp(room.clock.now() / 1000 + 4 * 24 * HOUR, UTC)
        await ann.slash("night", when=f"{at:%Y-%m-%d} 20:00", zone="UTC", name="Razz night")
        await bo.until("### Razz night")
        await bo.click("I'm in")
        (guild,) = room.discord.stand_in.world.guilds
        room.discord.controls.remove_member(ann.me["id"], guild)
        await until_utc(room, "19:56", days=2)
        await bo.until("You host **Friday game** now.")
        await bo.until("You host **Razz night** now.")


@pytest.mark.parametrize("in_thread", [False, True])
async def test_deleted_channel_sends_nights_elsewhere(tmp_path: Path, *, in_thread: bool) -> None:
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("games")
        (ann,) = await room.people("Ann")
        first = ann.here
        games = ann.go("games").here
        if in_thread:
            await follow(room.discord.controls.add_thread(games, "card players")["id"], ann)
        await plan(room, ann, name="Friday game")
        room.discord.controls.delete_channel(games)
        ann.here = first
        await ann.until("The channel of **Friday game** is gone. Its nights are here from now on.")
        await ann.until("I'm in")


async def test_nights_of_a_thread_that_sleeps_stay_in_it(tmp_path: Path) -> None:
    """Discord archives a thread in which nobody has written for a while: it is there all the same."""
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        thread = room.discord.controls.add_thread(ann.here, "card players")["id"]
        await follow(thread, ann)
        await plan(room, ann, name="Friday game")
        room.discord.controls.archive_thread(thread)
        await room.wait_until_idle()
        await until_night(room, "19:01")
        await ann.until("**Friday game** begins at")
        room.discord.controls.archive_thread(thread)
        await until_night(room, "19:56")
        await ann.until("The table of **Friday game** is open")
        (table,) = room.dealer.tables.all_tables()
        assert str(table.address.channel) == thread


async def test_post_in_a_thread_that_sleeps_stays_one(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        thread = room.discord.controls.add_thread(ann.here, "card players")["id"]
        await follow(thread, ann)
        await plan(room, ann, name="Friday game")
        await room.wait_until_idle()
        room.discord.controls.archive_thread(thread)
        await room.wait_until_idle()
        room.discord.controls.set_interested(events(room)[0]["id"], bo.me["id"])
        await ann.until("-# Maybe: Bo")
        await room.wait_until_idle()
        assert ann.screen().count("[I'm in]") == 1 and "this night is over" not in ann.screen()


async def test_night_of_a_locked_thread_does_not_wander_off(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        thread = room.discord.controls.add_thread(ann.here, "card players")["id"]
        await follow(thread, ann)
        await plan(room, ann, name="Friday game")
        refused = {"message": "Missing Permissions", "code": 50013}
        room.discord.fails("PATCH", rf"/channels/{thread}$", status=403, body=refused, times=99)
        room.discord.controls.archive_thread(thread, locked=True)
        await room.wait_until_idle()
        await until_night(room, "20:16")
        (one,) = room.dealer.services.nights.all()
        assert (str(one.series.channel), room.dealer.tables.all_tables()) == (thread, ())
        room.discord.controls.archive_thread(thread, archived=False)
        await ann.until("I couldn't open a table for **Friday game** without **Manage Threads** in this channel")


async def test_ended_series_with_nowhere_to_tell_it_is_over(tmp_path: Path) -> None:
    """What its channel was to be told waits for the right to write there, but not for a channel that is gone."""
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("games")
        (ann,) = await room.people("Ann")
        await plan(room, ann.go("games"), name="Friday game")
        (planned,) = room.dealer.services.nights.all()
        room.discord.controls.set_overwrite(ann.here, deny=["send_messages"])
        await room.wait_until_idle()
        await room.dealer.services.nights.ask(planned.id, CancelSeries(int(ann.me["id"])))
        await room.wait_until_idle()
        assert [one.id for one in room.dealer.services.nights.all()] == [planned.id], "it is still to be told"
        room.discord.controls.delete_channel(ann.here)
        await room.wait_until_idle()
        await asyncio.sleep(0.1)
        await room.wait_until_idle()
        assert room.dealer.services.nights.all() == ()


async def test_night_opens_in_a_thread_where_a_table_is(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        await until_night(room, "19:50")
        await bo.slash("play", sit=False)
        await until_night(room, "19:56")
        await ann.until("The table of **Friday game** is open")
        channels = {str(one.address.channel) for one in room.dealer.tables.all_tables()}
        assert len(channels) == 2 and ann.here in channels


@pytest.mark.parametrize("until", ["20:01", "20:16"])
async def test_host_of_enough_tables_has_time_to_close_one(tmp_path: Path, until: str) -> None:
    async with bot_session(tmp_path) as room:
        room.discord.controls.add_channel("games")
        room.discord.controls.add_channel("more")
        (ann,) = await room.people("Ann")
        here = ann.here
        await room.dealer.bank.change_house_rules(staff_of(room, "rules"), idle_close_minutes=120)
        await plan(room, ann, name="Friday game")
        await until_night(room, "19:50")
        for channel in ("games", "more"):
            await ann.go(channel).slash("play", sit=False, where="here")
        await until_night(room, "19:56")
        assert len(room.dealer.tables.all_tables()) == 2, "that is as many as one person can host"
        if until == "20:01":
            await ann.close_table()
        await until_night(room, until)
        ann.here = here
        late = "The table of **Friday game** opens late: "
        await ann.until(late if until == "20:01" else "I couldn't open a table for **Friday game**")


async def test_nobody_is_called_to_a_table_that_has_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its message does not come, so the call waits for it; then the host closes the table."""
    monkeypatch.setattr(TableDisplay, "message_link", lambda self, snapshot: "")
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await until_night(room, "19:56")
        assert room.dealer.tables.all_tables()
        await ann.close_table()
        await ann.until("Too few came to **Friday game**")
        await room.wait_until_idle()
        assert not [one for one in room.discord.requests if "The table of **Friday game**" in str(one.request_body)]
        (one,) = room.dealer.services.nights.all()
        assert one.series.lines == ()


async def test_end_that_could_not_be_saved_is_noted_later(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game", players=2, hands=1)
        await until_night(room, "19:56")
        for player in (ann, bo):
            await player.slash("sit")
        commit, refused = room.dealer.store.commit, list[Commit]()

        async def commit_but_the_end(saved: Commit) -> Receipt:
            change = saved.occasion
            if change is not None and any(isinstance(one, NightClosed) for one in change.events) and not refused:
                refused.append(saved)
                raise StoreFailed(reason="disk full")
            return await commit(saved)

        room.dealer.store.commit = commit_but_the_end  # type: ignore[method-assign]
        room.clock.skip(5 * MINUTE)
        await play_a_hand(room, ann, bo)
        await ann.until("The game at table 1 is over")
        await room.wait_until_idle()
        assert refused
        room.clock.skip(MINUTE)
        await ann.until("this night is over. The next one has a post of its own.")
        await ann.until("Seats 1 of 10")


async def test_last_reminder_is_told_after_a_passing_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await until_night(room, "18:59")
        fail_once(monkeypatch, room.dealer.services.bank, "house_rules")
        await until_night(room, "19:00")
        assert "begins" not in ann.screen()
        await until_night(room, "19:02")
        await ann.until("**Friday game** begins")
        await until_night(room, "19:20")
        assert ann.screen().count("**Friday game** begins") == 1


@pytest.mark.parametrize("in_time", [True, False])
async def test_lost_rights_delay_what_is_told(tmp_path: Path, *, in_time: bool) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await until_night(room, "18:30")
        room.discord.controls.set_overwrite(ann.here, deny=["send_messages"])
        await until_night(room, "20:05")
        assert not room.dealer.tables.all_tables(), "nobody would see it"
        if in_time:
            room.discord.controls.set_overwrite(ann.here)
            await ann.until("The table of **Friday game** opens late")
            return
        await until_night(room, "20:16")
        room.discord.controls.set_overwrite(ann.here)
        await ann.until("I couldn't open a table for **Friday game** without **Send Messages** in this channel")
        await room.wait_until_idle()
        assert "begins" not in ann.screen().partition("### Friday game")[0]


async def test_host_moves_hands_over_and_counts_otherwise(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        await ann.slash("night")
        await ann.select("Choose a series", "Friday game")
        await ann.click("Move this night…")
        assert "The night begins" in await ann.fill_form(when="tomorrow 21:15")
        await ann.slash("night")
        await ann.select("Choose a series", "Friday game")
        await ann.click("How standings count…")
        assert "The standings count like that" in await ann.fill_form(points="net", left_out="1")
        await ann.slash("night")
        await ann.select("Choose a series", "Friday game")
        await ann.click("Hand over to…")
        assert "@Bo hosts these nights now." in await ann.select("Hand over to", bo)
        await ann.until("Hosted by @Bo")
        (one,) = room.dealer.services.nights.all()
        assert (one.series.host, one.series.rule.points, one.series.rule.left_out) == (int(bo.me["id"]), (), 1)


async def choose(host: Player, button: str, name: str = "Friday game") -> None:
    """Choose a series in the host's menu, and press a button there."""
    await host.slash("night")
    await host.select("Choose a series", name)
    await host.click(button)


async def test_host_changes_day_hour_and_break_for_good(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        await bo.click("I'm in")
        await choose(ann, "Settings…")
        answer = await ann.fill_form(
            name="Thursday game", seats="4", players="2", length="0.180", **{"break": "120.30"}
        )
        assert "The nights are played like that from now on." in answer
        await ann.until("### Thursday game")
        await ann.slash("night")
        await ann.select("Choose a series", "Thursday game")
        await ann.click("Change all dates…")
        now = datetime.fromtimestamp(room.clock.now() / 1000, UTC)
        thursday = now + timedelta(days=(3 - now.weekday()) % 7 + 7)
        answer = await ann.fill_form(when=f"{thursday:%Y-%m-%d} 21:30", every="fortnightly")
        assert "The nights begin" in answer and "every two weeks" in answer
        await bo.until("@Ann, @Bo · **Thursday game** has another day and hour")
        (one,) = room.dealer.services.nights.all()
        night, terms = one.series.night, one.series.terms
        assert night is not None
        assert f"{datetime.fromtimestamp(night.starts_at / 1000, UTC):%a %H:%M}" == "Thu 21:30"
        await choose(ann, "Settings…", "Thursday game")
        refused = await ann.fill_form(name="Thursday game", seats="30", players="2", length="0.0", **{"break": "0.0"})
        assert "A table has at most 14 seats." in refused
        assert (terms.seats, terms.players_min, terms.minutes, terms.break_after, terms.break_minutes) == (
            4,
            2,
            180,
            120,
            30,
        )
        await room.wait_until_idle()
        (event,) = events(room)
        assert (event["name"], event["scheduled_start_time"][11:16]) == ("Thursday game", "21:30")


async def test_moved_nights_do_not_meet_others_in_one_channel(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        at = datetime.fromtimestamp(room.clock.now() / 1000 + 3 * 24 * HOUR, UTC)
        await ann.slash("night", when=f"{at:%Y-%m-%d} 20:00", zone="UTC", name="Razz night")
        await ann.until("### Razz night")
        await choose(ann, "Move this night…")
        assert "“Razz night” is at that hour" in await ann.fill_form(when=f"{at:%Y-%m-%d} 20:30")
        await choose(ann, "Change all dates…")
        assert "“Razz night” is at that hour" in await ann.fill_form(when=f"{at:%Y-%m-%d} 19:30", every="weekly")


async def test_deleted_person_leaves_no_name_at_nights(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game", players=2, hands=1)
        await bo.click("I'm in")
        await until_night(room, "19:56")
        for player in (ann, bo):
            await player.slash("sit")
        await play_a_hand(room, ann, bo)
        await ann.until("Seats 1 of 10")
        await bo.click("I'm in")
        guild, user = int(next(iter(room.discord.stand_in.world.guilds))), int(bo.me["id"])
        export = await room.dealer.services.privacy.gather(guild, user)
        assert export.preferences["nights"] == "Friday game: in, played 1"
        await bo.slash("me", page="delete")
        assert "deleted" in await bo.click("Delete it all")
        await ann.until("**Seats 1 of 10**\nAnn")
        await room.wait_until_idle()
        standings = await ann.click("Standings")
        assert "former player" in standings and "Bo" not in standings
        (one,) = room.dealer.services.nights.of_server(guild)
        assert str(user) not in repr(one) and "'Bo'" not in repr(one)
        saved = await room.dealer.store.occasion(one.id)
        assert str(user) not in repr(saved)
        await ann.slash("me", page="delete")
        await ann.click("Delete it all")
        await ann.until("has no host any more, so it ends.")
        await room.wait_until_idle()
        saved = await room.dealer.store.occasion(one.id)
        assert saved is not None and "'Ann'" not in repr(saved.events)


async def test_answers_at_an_open_table_hold_and_free_seats(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        await until_night(room, "19:56")
        await bo.click("I'm in")
        await ann.until("Held for: Ann, Bo")
        await bo.click("Can't")
        await ann.until_gone("Held for: Ann, Bo")


async def test_quiet_hours_name_without_a_notification(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await choose_for_oneself(bo, quiet="18:00-21:00 +00:00")
        await plan(room, ann, name="Friday game")
        await bo.click("I'm in")
        await until_night(room, "19:01")
        bodies = [one.request_body for one in room.discord.requests if isinstance(one.request_body, dict)]
        sent = [body for body in bodies if "begins" in str(body.get("content"))]
        assert [one["allowed_mentions"]["users"] for one in sent] == [[ann.me["id"]]]


async def until_sheets(player: Player, count: int) -> None:
    """Wait until somebody sees the sheets of so many nights."""
    await player.wait_for(lambda: player.screen().count("### Friday game is over") == count, "the sheet")


@pytest.mark.full
async def test_a_month_takes_one_command_of_its_host(tmp_path: Path) -> None:
    """Four nights: the host plans them once. From the post to a seat it takes two presses."""
    async with bot_session(tmp_path) as room:
        ann, bo, cy = people = await room.people("Ann", "Bo", "Cy")
        await plan(room, ann, name="Friday game", hands=3)
        for night in range(1, 5):
            for player in (bo, cy):
                await player.click("I'm in")
            await until_night(room, "19:56")
            for player in people:
                await player.click("Take a seat")
            for _ in range(3):
                await play_a_hand(room, *people)
            await until_sheets(ann, night)
            await ann.until("Seats 1 of 10")
        assert "### Friday game · 4 nights" in await ann.click("Standings")


async def test_interest_shown_during_a_downtime_is_read(tmp_path: Path) -> None:
    async with restarting_bot(tmp_path) as told:
        async with told.life() as room:
            ann, bo = await room.people("Ann", "Bo")
            await plan(room, ann, name="Friday game")
            await room.wait_until_idle()
        room.discord.controls.set_interested(events(room)[0]["id"], bo.me["id"])
        async with told.life() as room:
            await ann.until("-# Maybe: Bo")


async def test_a_game_becomes_a_night_from_its_sheet(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        await plan(room, ann, name="Friday game")
        began = datetime.fromtimestamp(room.clock.now() / 1000, UTC)
        await room.open_and_sit(ann, bo, game="omaha", chips="table")
        await play_a_hand(room, ann, bo)
        await ann.close_table()
        await ann.until("Same time next week")
        assert f"{began + timedelta(days=7):%Y-%m-%d}" in await bo.click("Same time next week")
        assert "is planned for" in await bo.fill_form(every="once", zone="UTC")
        await bo.until("Hosted by @Bo")
        assert "Pot-Limit Omaha" in bo.screen().rpartition("Hosted by @Bo")[2]


async def test_game_of_last_week_is_offered_for_the_next_one(tmp_path: Path) -> None:
    """Its hour is that of the zone that the form names, and the day is still to come."""
    async with bot_session(tmp_path) as room:
        ann, bo = await room.people("Ann", "Bo")
        at = datetime.fromtimestamp(room.clock.now() / 1000 + 40 * 24 * HOUR, UTC)
        await ann.slash("night", when=f"{at:%Y-%m-%d} 20:00", zone="Tokyo", name="Friday game")
        began = datetime.fromtimestamp(room.clock.now() / 1000, ZoneInfo("Asia/Tokyo"))
        await room.open_and_sit(ann, bo, game="omaha", chips="table")
        await play_a_hand(room, ann, bo)
        await ann.close_table()
        await ann.until("Same time next week")
        room.clock.skip(8 * 24 * HOUR)
        form = await bo.click("Same time next week")
        assert f"{began + timedelta(days=14):%Y-%m-%d %H:%M}" in form and "Asia/Tokyo" in form


def staff_of(room: BotSession, key: str) -> Request:
    guild = int(next(iter(room.discord.stand_in.world.guilds)))
    return Request(key=key, guild=guild, channel=0, user=1, name="Staff", staff=True)


async def ban(room: BotSession, player: Player) -> int:
    """Let staff ban somebody. Returns the server."""
    staff = staff_of(room, f"ban.{player.name}")
    await room.dealer.tables.ban(staff, int(player.me["id"]), "two accounts")
    return staff.guild


async def test_banned_people_are_held_no_seats_and_host_no_nights(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await plan(room, ann, name="Friday game")
        await bo.click("I'm in")
        await cy.click("I'm in")
        for player in (ann, bo):
            await ban(room, player)
        await until_night(room, "19:56")
        await cy.until("@Cy · You host **Friday game** now.")
        await cy.until("The table of **Friday game** is open")
        await room.wait_until_idle()
        assert (room.now.table.host, [one.name for one in room.now.table.waiting]) == (int(cy.me["id"]), ["Cy"])


async def test_nights_are_handed_over_only_to_people_who_can_play(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        ann, bo, cy = await room.people("Ann", "Bo", "Cy")
        await plan(room, ann, name="Friday game")
        guild = await ban(room, bo)
        await ann.slash("night")
        await ann.select("Choose a series", "Friday game")
        await ann.click("Hand over to…")
        assert "staff have banned them" in await ann.select("Hand over to", bo)
        assert "is a bot. Choose a person." in await ann.select("Hand over to", room.discord.stand_in.world.bot.id)
        room.discord.controls.remove_member(cy.me["id"])
        assert "isn't in this server" in await ann.select("Hand over to", cy)
        (one,) = room.dealer.services.nights.of_server(guild)
        assert one.series.host == int(ann.me["id"])


async def test_old_question_to_the_host_ends_nothing(tmp_path: Path) -> None:
    """Discord has refused to take its buttons away: they answer nothing any more."""
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        for _ in range(2):
            await until_night(room, "19:56")
            await until_night(room, "20:27")
        await ann.until("nobody came to the last two nights")
        question = next(one for one in ann.visible() if "nobody came" in ann.render(one))
        (end,) = [one for label, one in ann.labelled_buttons(question) if label == "No, end the nights"]
        refused = {"message": "Missing Permissions", "code": 50013}
        room.discord.fails("PATCH", rf"/channels/\d+/messages/{question['id']}$", status=403, body=refused, times=99)
        await skip_next_night(ann)
        await room.wait_until_idle()
        assert "for an earlier night" in await ann.press(question, end)
        (one,) = room.dealer.services.nights.all()
        assert one.series.night is not None


async def test_two_presses_at_once_skip_one_night(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="Friday game")
        await ann.slash("night")
        await ann.select("Choose a series", "Friday game")
        (menu,) = [one for one in ann.visible() if "[Skip this night]" in ann.render(one)]
        (skip,) = [one for label, one in ann.labelled_buttons(menu) if label == "Skip this night"]
        await asyncio.gather(ann.press(menu, skip), ann.press(menu, skip))
        await room.wait_until_idle()
        (one,) = room.dealer.services.nights.all()
        assert one.series.night is not None and one.series.night.number == 2


@pytest.mark.parametrize("name", ["  ", "\u200b\u2060", "\u202e"])
async def test_name_that_nobody_sees_is_that_of_the_game(tmp_path: Path, name: str) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        assert "**No-Limit Hold'em** is planned" in await plan(room, ann, name=name)


async def test_discords_own_event_has_a_harmless_name(tmp_path: Path) -> None:
    async with bot_session(tmp_path) as room:
        (ann,) = await room.people("Ann")
        await plan(room, ann, name="\u202eFri\u200bday " + 3 * "a\u0336\u0337\u0338")
        await room.wait_until_idle()
        assert events(room)[0]["name"] == "Friday " + 3 * "a\u0336\u0337"
