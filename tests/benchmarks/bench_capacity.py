"""How many tables the bot's forty requests a second carry at a hand a minute, counted: the real dealer, the stand-in with Discord's limits.

Each table is in a server of its own. Its six people play a hand of twelve actions a minute, by pressing what they see, and the tables begin
at different times. All of them, the dealer and Discord share one event loop whose time jumps while nothing happens: so a busy machine
changes no figure, and a request that waits waits for the bot's own limit alone. Three ways of playing:

- `dms`: people act by the buttons of the table's message, and their cards come by direct message in every hand;
- `panels`: people act in *My hand*, which the operator offers first, and the table has the token of the press that opened one;
- `streets`: the same, and no table has a token: its message is redrawn by the bot's own at deals, streets and results.

The most tables are those at which no request of the last minute has waited longer than `BOUND_SECONDS`.

The second part is one table for an hour: what a hand costs if nobody presses anything at the table, and if somebody does now and then.

    python -m tests.benchmarks.bench_capacity [--dms 250 300 350] [--panels 600] [--streets 400 500 600] [--minutes 2] [--hour 60]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot import variants
from bot.dealer import Dealer
from bot.engine.view.types import HandSeatState
from bot.foundation import DealerOptions
from bot.house.rules import HouseRules
from bot.line.request_queue import RequestQueue, Ticket
from bot.line.request_slots import BURST, REQUESTS_PER_SECOND
from bot.local import gateway
from bot.local.clock import AdjustableClock
from bot.local.rest_server import RequestRecord
from bot.local.stand_in import DiscordStandIn
from bot.runtime.request import Request
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.surfaces.private_answers import LivePanels
from bot.table.commands import TakeSeat
from tests.e2e.bot_session import keep_card_emojis
from tests.e2e.movable_clock import MovableClock
from tests.support import quick_loop
from tests.support.control import StandInControls
from tests.support.discord_double import endpoints
from tests.support.quick_loop import run_quickly, wall_time

SEATS = 6
THINK_SECONDS, PAUSE_SECONDS = 4.3, 8
"""Twelve actions and the pause after them are a minute."""
BOUND_SECONDS = 2.0
OPENING_COSTS, OPENING_SHARE, SETTLING_SECONDS = 8, 0.7, 60.0
"""A table takes so many requests until all six have a message that leads to their cards. Tables are opened as fast as this share of the
limit allows, and nothing is counted until so long afterwards."""
PRESS_EVERY = 12 * 60.0
"""In the hour in which somebody presses something at the table: at least once in a quarter of an hour."""
DAY_MS = 86_400_000
RULES = HouseRules(
    opening_grant=10**8, nudge_seconds=-1, turn_seconds=60, account_days=0, member_days=0, tables_per_server=10
)
WAYS = {
    "dms": "direct messages in every hand",
    "panels": "My hand, tables with a token",
    "streets": "My hand, no token",
}
TABLES = {"dms": (250, 300, 350), "panels": (600, 1_200), "streets": (400, 500, 600, 900)}
Json = dict[str, Any]


class TimedQueue(RequestQueue[Any]):
    """The bot's queue. It notes when each request of a table went, and how long it had waited."""

    def __init__(self, per_second: float) -> None:
        super().__init__(per_second, BURST)
        self.went: list[tuple[float, float]] = []

    def take(self, now: float) -> Ticket[Any] | None:
        ticket = super().take(now)
        if ticket is not None and not ticket.line.is_practice:  # the house itself has all the time in the world
            self.went.append((now, now - ticket.since))
        return ticket


@dataclass
class Room:
    """Discord, the dealer in it, and what was counted."""

    way: str
    stand_in: DiscordStandIn
    controls: StandInControls
    dealer: Dealer
    queue: TimedQueue
    refused: int = 0
    hands: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def note(self, record: RequestRecord) -> None:
        """Count a request by its kind."""
        self.refused += record.status == 429
        is_by_token = record.path.startswith(("/webhooks/", "/interactions/"))
        self.kinds["by a click's token" if is_by_token else record.route] += 1

    # what people see and press

    def public(self, snapshot: TableSnapshot) -> Json | None:
        """Return the table's message."""
        shown = self.dealer.services.display.message_of(snapshot.id)
        channel = str(snapshot.address.channel)
        return self.stand_in.world.messages[channel].get(str(shown.message)) if shown is not None else None

    def panel(self, snapshot: TableSnapshot, user: int) -> Json | None:
        """Return a player's live panel."""
        live = self.dealer.parts.get(LivePanels)
        if not live.has_live_panel(snapshot.id, user):
            return None
        found = self.stand_in.messages.ephemeral.get(str(live._panels[snapshot.id, user].message))
        return found[0] if found is not None else None

    async def press(self, user: int, message: Json, custom_id: str) -> None:
        """Press a button. Returns when the dealer has answered."""
        world = self.stand_in.world
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        data = {"component_type": 2, "custom_id": custom_id, "id": 1}
        self.stand_in.interactions.start(
            3,
            world.people[str(user)],
            world.channels[message["channel_id"]],
            data,
            lambda _: None if answered.done() else answered.set_result(None),
            message=message,
        )
        await answered

    async def open_panel(self, snapshot: TableSnapshot, user: int) -> None:
        """Press *My hand* at the table, and give the panel a moment to come."""
        message = self.public(snapshot)
        if message is not None and (custom_id := button_of(message, "peek")):
            await self.press(user, message, custom_id)
            await asyncio.sleep(1)

    async def act(self, snapshot: TableSnapshot, user: int) -> None:
        """The player to act presses the button of their turn as soon as they see it: in their panel, else at the table."""
        verbs = ("fold",) if is_to_fold(snapshot) else ("check", "call")
        start = f"t:{snapshot.id}:{snapshot.hand_number}:{snapshot.decision_number}:"
        while self.is_awaited(snapshot):
            message = self.panel(snapshot, user) or self.public(snapshot)
            for verb in verbs:
                custom_id = button_of(message, verb, start) if message is not None else ""
                if message is not None and custom_id:
                    await self.press(user, message, custom_id)
                    return
            await asyncio.sleep(0.25)

    def is_awaited(self, snapshot: TableSnapshot) -> bool:
        """Whether a table still waits for what it waited for then."""
        now = self.dealer.tables.snapshot(snapshot.id)
        return (now.hand_number, now.decision_number) == (snapshot.hand_number, snapshot.decision_number)

    def end_token(self, snapshot: TableSnapshot) -> None:
        """Nobody has pressed anything at the table for a quarter of an hour."""
        shown = self.dealer.services.display.message_of(snapshot.id)
        if shown is not None:
            shown.live.clicks.forget()
            if shown.live.token is not None:
                shown.live.token.end()


def is_to_fold(snapshot: TableSnapshot) -> bool:
    """Whether more than two are in before the flop: two play a hand to its end, with twelve actions of all."""
    view = snapshot.hand
    if view is None or any(view.boards):
        return False
    return sum(seat.state is not HandSeatState.FOLDED for seat in view.seats) > 2


def button_of(message: Json, verb: str, start: str = "t:") -> str:
    """Return the id of a message's button for a verb; empty if it has none."""
    for component in _components(message["components"]):
        custom_id: str = component.get("custom_id", "")
        if custom_id.startswith(start) and custom_id.split(":")[4:5] == [verb]:
            return custom_id
    return ""


def _components(parts: list[Json]) -> Iterator[Json]:
    for part in parts:
        yield part
        yield from _components(part.get("components", []))


async def play(room: Room, table: int, *, press_every: float = 0.0) -> None:
    """Let the six people of a table play, hand after hand."""
    dice, pressed_at, last = random.Random(table), wall_time(), 0
    while True:
        snapshot = room.dealer.tables.snapshot(table)
        turn = snapshot.current_turn
        if snapshot.hand_number != last:
            last = snapshot.hand_number
            room.hands += 1
        if turn is None:
            await asyncio.sleep(0.5)
            continue
        await asyncio.sleep(THINK_SECONDS * (0.8 + 0.4 * dice.random()))
        if room.way != "dms" and room.panel(snapshot, turn.user) is None:
            await room.open_panel(snapshot, turn.user)
        elif press_every and wall_time() > pressed_at + press_every:
            await room.open_panel(snapshot, turn.user)
            pressed_at = wall_time()
        if room.way == "streets":
            room.end_token(snapshot)
        await room.act(snapshot, turn.user)


@dataclass(frozen=True)
class Place:
    """A server with one channel and six people."""

    guild: int
    channel: int
    users: tuple[int, ...]


def add_places(controls: StandInControls, stand_in: DiscordStandIn, tables: int) -> list[Place]:
    """Add so many servers."""
    places = []
    for number in range(tables):
        guild = controls.add_guild(f"Server {number}", stand_in.owner.id, ["poker"])["id"]
        (channel,) = stand_in.world.guild_channels(guild)
        users = [int(controls.add_person(f"Player {seat}", guild)["id"]) for seat in range(1, SEATS + 1)]
        places.append(Place(int(guild), int(channel["id"]), tuple(users)))
    return places


async def open_table(room: Room, place: Place) -> int:
    """Open a table, and let its people sit down. Returns its id."""
    settings = replace(
        default_table_settings(variants.game("holdem"), RULES, NewTableRequest(seats=SEATS)),
        pause_seconds=PAUSE_SECONDS,
    )
    where = {"guild": place.guild, "channel": place.channel}
    opening = Request(key=f"open{place.guild}", user=place.users[0], **where)
    table = (await room.dealer.tables.open(opening, settings)).snapshot.id
    for seat, user in enumerate(place.users, 1):
        asked = Request(key=f"sit{user}", user=user, name=f"Player {seat}", table=table, **where)
        await room.dealer.tables.ask(asked, TakeSeat(user, asked.name, 10_000, seat))
    return table


@asynccontextmanager
async def playing_room(way: str, tables: int, rate: float) -> AsyncIterator[tuple[Room, list[Place]]]:
    """Discord with so many servers, and the dealer in all of them. People have had a direct message before."""
    with tempfile.TemporaryDirectory() as folder:
        clock = AdjustableClock(wall_time)
        async with DiscordStandIn(Path(folder) / "discord", limits=True, clock=clock) as stand_in:
            controls = StandInControls(stand_in)
            keep_card_emojis(stand_in)
            places = add_places(controls, stand_in, tables)
            with endpoints(stand_in):
                there = asyncio.Event()
                dealer = Dealer(
                    DealerOptions(
                        Path(folder) / "data",
                        clock=MovableClock(),
                        rng=random.Random(1),
                        guild_ready_seconds=0.05,
                        default_rules=RULES,
                        my_hand_first=way != "dms",
                        ready=there.set,
                    )
                )
                queue = dealer.services.discord_api.slots.queue = TimedQueue(rate)
                room = Room(way, stand_in, controls, dealer, queue)
                await dealer.store.open()
                for place in places:
                    await dealer.store.keep(f"greeted.{place.guild}", b"1")
                    for user in place.users:
                        await dealer.store.keep(f"dmchannel.{user}", controls.dm_channel(str(user)).encode())
                playing = asyncio.create_task(dealer.start_playing(stand_in.token))
                waiting = asyncio.ensure_future(there.wait())
                await asyncio.wait([playing, waiting], return_when=asyncio.FIRST_COMPLETED)
                stand_in.rest_server.observers.append(room.note)
                try:
                    yield room, places
                finally:
                    waiting.cancel()
                    await dealer.stop_playing()
                    await playing


async def play_at(room: Room, place: Place, wait: float, press_every: float = 0.0) -> None:
    """Open a table after a wait, and play at it."""
    await asyncio.sleep(wait)
    await play(room, await open_table(room, place), press_every=press_every)


@dataclass(frozen=True)
class Figures:
    """What was counted while tables played.

    Attributes:
        per_hand: requests by the bot's token.
        median, longest: how many seconds they waited in the last minute.
        refused: what Discord answered with 429.
    """

    hands: int
    per_second: float
    per_hand: float
    median: float
    longest: float
    waiting: int
    refused: int


async def count(
    way: str,
    tables: int,
    minutes: float,
    *,
    rate: float = REQUESTS_PER_SECOND,
    press_every: float = 0.0,
) -> Figures:
    """Let so many tables play so long, after they were opened and have settled."""
    async with playing_room(way, tables, rate) as (room, places):
        dice, opening = random.Random(2), tables * OPENING_COSTS / (OPENING_SHARE * rate)
        players = [asyncio.create_task(play_at(room, place, opening * dice.random(), press_every)) for place in places]
        await asyncio.sleep(opening + SETTLING_SECONDS)
        went, room.hands, room.refused = len(room.queue.went), 0, 0
        await asyncio.sleep(60 * minutes)
        found, waiting = room.queue.went[went:], len(room.queue)
        for player in players:
            player.cancel()
        for ended in await asyncio.gather(*players, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError):
                raise AssertionError("somebody could not play") from ended
        last = [seconds for at, seconds in found if at > asyncio.get_running_loop().time() - 60] or [0.0]
        return Figures(
            room.hands,
            len(found) / (60 * minutes),
            len(found) / max(1, room.hands),
            statistics.median(last),
            max(last),
            waiting,
            room.refused,
        )


def quickly(way: str, tables: int, minutes: float, **how: float) -> Figures:
    """The same, in a loop of its own whose time jumps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gateway, "HEARTBEAT_MS", DAY_MS)
        patch.setattr(quick_loop, "LONGEST_STORY", 60 * minutes + DAY_MS / 1000)
        return run_quickly(lambda _: count(way, tables, minutes, **how))


def main(sizes: dict[str, tuple[int, ...]], minutes: float, hour: float, rate: float = REQUESTS_PER_SECOND) -> None:
    """Count and print both parts."""
    logging.getLogger().setLevel(logging.ERROR)
    print(f"{rate:g} requests/s by the bot's token; six people a table, twelve actions and a hand a minute")
    for way, numbers in sizes.items():
        carried = 0
        if numbers:
            print(f"  {WAYS[way]}")
        for tables in numbers:
            began = time.process_time()
            found = quickly(way, tables, minutes, rate=rate)
            carried = max(carried, tables) if found.longest <= BOUND_SECONDS else carried
            print(
                f"    {tables:5,} tables: {found.hands:6,} hands, {found.per_hand:5.2f} requests a hand, {found.per_second:5.1f}/s; in the "
                f"last minute half waited {found.median:.2f} s at most, the longest {found.longest:.2f} s; {found.waiting} wait; "
                f"{found.refused} refused ({time.process_time() - began:.0f} s CPU)",
                flush=True,
            )
        if numbers:
            print(f"    of these, {carried:,} are carried with no wait longer than {BOUND_SECONDS:.0f} s")
    print(f"one table, {hour:.0f} minutes")
    for name, way, press in (
        ("direct messages in every hand, actions at the table", "dms", 0.0),
        ("My hand, and nobody presses anything at the table", "panels", 0.0),
        (f"My hand, and somebody presses something there every {PRESS_EVERY / 60:.0f} minutes", "panels", PRESS_EVERY),
    ):
        found = quickly(way, 1, hour, press_every=press)
        print(f"  {name}: {found.hands} hands, {found.per_hand:.2f} requests by the bot's token a hand", flush=True)


@pytest.mark.bench
def test_tables_that_forty_requests_carry() -> None:
    """The figures are printed and not judged."""
    main(TABLES, 2, 60)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, numbers in TABLES.items():
        parser.add_argument(f"--{name}", type=int, nargs="*", default=numbers, metavar="TABLES")
    parser.add_argument("--minutes", type=float, default=2.0, help="that are counted")
    parser.add_argument(
        "--rate",
        type=float,
        default=REQUESTS_PER_SECOND,
        help="requests a second by the bot's token; fewer for fewer tables",
    )
    parser.add_argument("--hour", type=float, default=60.0, help="minutes that one table plays")
    chosen = parser.parse_args()
    main(
        {name: tuple(getattr(chosen, name)) for name in TABLES},
        chosen.minutes,
        chosen.hour,
        chosen.rate,
    )
