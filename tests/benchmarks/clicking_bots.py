"""Bots that are clicked, each in a process of its own: the dealer, and bare ones that only answer. All have the same intents.

python -m tests.benchmarks.clicking_bots KIND DATA READY PLACE [--profile FILE]

KIND: dealer, dealer-pictures, dealer-dms, dealer-panels, bare, bare-uvloop or bare-requests. PLACE is a `Place` as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord
import msgspec
from discord.http import Route
from discord.webhook.async_ import async_context
from msgspec.structs import replace

from bot import variants
from bot.dealer import Dealer
from bot.engine.commands import Fold
from bot.foundation import DealerOptions
from bot.house.rules import LOCAL_HOUSE_RULES
from bot.line.site import Endpoints
from bot.operation.runner import freeze_gc, let_threads_take_turns, run_event_loop
from bot.pictures.maker import PictureMaker
from bot.runtime.clock import AlarmClock
from bot.runtime.request import Request
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.surfaces.my_hand import panel
from bot.surfaces.my_hand import panels as hand_panels
from bot.table.commands import TakeSeat
from bot.table.settings import Nudge

SEATS = 6
MY_HAND = ":0:0"
"""How the id of the first button in `layout` ends."""
AS_ITS_AUTHOR_RUNS_IT = "bare"
"""This bot runs as `discord.Client.run` does it, on asyncio's own event loop; all others run on the dealer's."""
READY = "ready"
Raw = dict[str, Any]


class Place(msgspec.Struct, frozen=True):
    """Where a bot is clicked, and by whom.

    Attributes:
        channels: one for each table.
        users: six different people for each table, table by table.
        dm_channels: the DM channel of each of them.
        requests_per_click: what a bare bot sends besides its answers, by kind: what the dealer was seen to send.
    """

    guild: int
    channels: list[int]
    users: list[int]
    dm_channels: list[int]
    requests_per_click: dict[str, float] = {}
    seats: int = SEATS

    def users_of(self, table: int) -> list[int]:
        """The people of a table, by its place in `channels`."""
        return self.users[self.seats * table : self.seats * (table + 1)]


def layout(number: int) -> list[Raw]:
    """Return a table's layout as it looks on the turn, of the same size and make as the dealer's."""
    text = (
        f"### Turn · Pot 2,400\n-# Table {number} · No-Limit Hold'em 50/100 · Hand #1284\n"
        "## <:ace_of_spades:1573766758471303168><:five_of_clubs:1573766758471303169>"
        "<:five_of_diamonds:1573766758471303170><:jack_of_diamonds:1573766758471303171>\n"
        + "\n".join(f"`{seat}`\u00a0Player {seat} **9,600** · check" for seat in range(1, 6))
        + "\n▶ `6`\u00a0<@1573766758471303168> (dealer) **9,600** · can check · ends <t:1795285730:R> · time bank 60 s",
    )
    rows = (("My hand", "Fold", "Check", "Bet…"),)
    return _box([{"type": 10, "content": part} for part in text], rows, number)


def private_layout(number: int) -> list[Raw]:
    """Return a player's own cards, of about the size of the dealer's direct messages and panels."""
    text = (
        f"### Table {number} · No-Limit Hold'em · Hand #1284\n"
        "# <:ace_of_spades:1573766758471303168><:five_of_clubs:1573766758471303169>\n"
        "Ace of spades, five of clubs · Pair of fives\n-# Seat 6 · 50/100 · You deal"
    )
    return _box([{"type": 10, "content": text}], (("Fold", "Check", "Bet…"), ("All-in 9,600",)), number)


def _box(parts: list[Raw], rows: tuple[tuple[str, ...], ...], number: int) -> list[Raw]:
    buttons = [
        {
            "type": 1,
            "components": [
                {"type": 2, "style": 2, "label": label, "custom_id": f"t:{number}:1284:17:{at}:{place}"}
                for place, label in enumerate(row)
            ],
        }
        for at, row in enumerate(rows)
    ]
    return [{"type": 17, "accent_color": 0xF2B233, "components": [*parts, *buttons]}]


class Bare(discord.AutoShardedClient):
    """A bot that answers every click with a redraw by discord.py's own adapter, and does nothing else.

    With `Place.requests_per_click` it also sends these requests by the bot's token and to the panels that it was asked for, while
    nobody waits for them: as many as the dealer, of the same size.

    Args:
        tuned: nothing that is there after the start is looked through for garbage, as in the dealer.
    """

    def __init__(self, place: Place, *, tuned: bool) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True), max_messages=None, guild_ready_timeout=0.05
        )
        self.place, self.tuned = place, tuned
        self.session: aiohttp.ClientSession
        self.panel_tokens: list[str] = []
        self.clicks = 0
        self.sent: Counter[str] = Counter()
        self.direct: list[tuple[int, int]] = []
        self.turns = itertools.count()
        self.on_the_way: set[asyncio.Task[None]] = set()

    async def setup_hook(self) -> None:
        self.session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def on_ready(self) -> None:
        for channel in self.place.channels:
            await self.post(channel, layout(channel))
        if self.place.requests_per_click:
            for channel in self.place.dm_channels:
                self.direct.append((channel, await self.post(channel, private_layout(channel))))
        if self.tuned:
            freeze_gc()
        print(READY, flush=True)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        custom_id: str = interaction.data["custom_id"]  # type: ignore[index, typeddict-item]
        if custom_id.endswith(MY_HAND):
            self.panel_tokens.append(interaction.token)
            await self.answer(interaction, 4, {"flags": 1 << 15 | 1 << 6, "components": private_layout(1)})
            return
        await self.answer(
            interaction, 7, {"flags": 1 << 15, "components": layout(1), "allowed_mentions": {"parse": []}}
        )
        self.clicks += 1
        for kind, per_click in self.place.requests_per_click.items():
            while self.sent[kind] < self.clicks * per_click:
                self.sent[kind] += 1
                self.spawn(getattr(self, kind)(next(self.turns)))

    async def answer(self, interaction: discord.Interaction[Any], kind: int, data: Raw) -> None:
        path = "/interactions/{webhook_id}/{webhook_token}/callback"
        route = Route("POST", path, webhook_id=interaction.id, webhook_token=interaction.token)
        await async_context.get().request(route, self.session, payload={"type": kind, "data": data})

    # the requests that nobody waits for

    async def panel(self, turn: int) -> None:
        """Edit a panel by its token."""
        token = self.panel_tokens[turn % len(self.panel_tokens)]
        path = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
        route = Route("PATCH", path, webhook_id=self.application_id, webhook_token=token)
        data = {"flags": 1 << 15, "components": private_layout(turn), "allowed_mentions": {"parse": []}}
        await async_context.get().request(route, self.session, payload=data)

    async def edit(self, turn: int) -> None:
        """Edit a message by the bot's token."""
        channel, message = self.direct[turn % len(self.direct)]
        route = Route("PATCH", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)
        data = {"flags": 1 << 15, "components": private_layout(turn), "allowed_mentions": {"parse": []}}
        await self.http.request(route, json=data)

    async def send(self, turn: int) -> None:
        """Send a new table message."""
        await self.post(self.place.channels[turn % len(self.place.channels)], layout(turn))

    async def post(self, channel: int, components: list[Raw]) -> int:
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        return int((await self.http.request(route, json={"flags": 1 << 15, "components": components}))["id"])

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.on_the_way.add(task)
        task.add_done_callback(self.on_the_way.discard)


@asynccontextmanager
async def playing_dealer(
    ready: Raw,
    data: Path,
    place: Place,
    *,
    dms: bool,
    pause_seconds: int = 0,
    requests_per_second: float = 100_000,
    clock: AlarmClock | None = None,
    hears_messages: bool = True,
    pictures: PictureMaker | None = None,
    plays: bool = True,
) -> AsyncIterator[Dealer]:
    """The dealer, logged in, with a table of six different people in every channel, who all have their DM channels.

    Args:
        hears_messages: the gateway tells of messages in channels, as it does where the bot runs.
        plays: otherwise whoever asks for it opens tables.
    """
    Endpoints(ready["rest"], ready["gateway"], ready["cdn"]).use()
    there = asyncio.Event()
    options = DealerOptions(
        data,
        requests_per_second=requests_per_second,
        ready=there.set,
        clock=clock,
        default_rules=LOCAL_HOUSE_RULES,
        pictures=pictures,
    )
    dealer = Dealer(options)
    dealer.client._connection._intents.guild_messages = hears_messages
    await dealer.store.open()
    await dealer.store.keep(f"greeted.{place.guild}", b"1")
    for user, channel in zip(place.users, place.dm_channels, strict=True):
        if dms:
            await dealer.store.keep(f"dmchannel.{user}", str(channel).encode())
        else:
            await dealer.services.preferences.set_dms(user, wanted=False)
    playing = asyncio.create_task(dealer.start_playing(ready["token"]))
    try:
        await asyncio.wait([playing, asyncio.ensure_future(there.wait())], return_when=asyncio.FIRST_COMPLETED)
        if plays:
            await open_tables(dealer, place, pause_seconds)
        freeze_gc()
        yield dealer
    finally:
        await dealer.stop_playing()
        await playing


async def open_tables(dealer: Dealer, place: Place, pause_seconds: int, nudge: Nudge = Nudge.NEVER) -> None:
    """Open a table in every channel of a place, and deal to its six people."""
    staff = Request(key="rules", guild=place.guild, channel=place.channels[0], user=place.users[0], staff=True)
    rules = await dealer.bank.change_house_rules(staff, opening_grant=10**8, nudge_seconds=-1, turn_seconds=3599)
    settings = replace(
        default_table_settings(variants.game("holdem"), rules, NewTableRequest(seats=place.seats)),
        pause_seconds=pause_seconds,
        nudge=nudge,
    )

    async def open_table(table: int, channel: int) -> None:
        users = place.users_of(table)
        opened = await dealer.tables.open(
            Request(key=f"open{channel}", guild=place.guild, channel=channel, user=users[0]), settings
        )
        for number, user in enumerate(users, 1):
            key, name = f"sit{channel}-{user}", f"Player {place.seats * table + number}"
            asked = Request(key=key, guild=place.guild, channel=channel, user=user, name=name, table=opened.snapshot.id)
            await dealer.tables.ask(asked, TakeSeat(asked.user, asked.name, 10_000, number))
        if not pause_seconds:
            await _deal_everybody_in(dealer, opened.snapshot.id, place.seats)

    for table, channel in enumerate(place.channels):
        await open_table(table, channel)


async def _deal_everybody_in(dealer: Dealer, table: int, seats: int) -> None:
    """The first hand began with the first two players: fold until everybody plays."""
    while len((snapshot := dealer.tables.snapshot(table)).dealt_users) < seats or not snapshot.hand_running:
        turn = snapshot.current_turn
        if turn is None:
            await asyncio.sleep(0.001)
            continue
        where = snapshot.address
        asked = Request(
            key=f"fold{table}-{snapshot.seq}", guild=where.guild, channel=where.channel, user=turn.user, table=table
        )
        await dealer.tables.ask(asked, Fold())


async def main(kind: str, data: Path, ready: Raw, place: Place) -> None:
    """Run one of the bots until it is killed."""
    logging.basicConfig(level=logging.WARNING)
    Endpoints(ready["rest"], ready["gateway"], ready["cdn"]).use()
    if kind.startswith("bare"):
        await Bare(place, tuned=kind != AS_ITS_AUTHOR_RUNS_IT).start(ready["token"])
        return
    let_threads_take_turns()
    if kind == "dealer-panels":
        # The tables here play some 75 times as fast as people do: counted in minutes and pauses, the panels would rarely be drawn.
        hand_panels.EDITS_PER_MINUTE = hand_panels.SERVER_EDITS_PER_MINUTE = 10**9
        panel.PAUSE_MS //= 75
    draws, dms = kind == "dealer-pictures", kind in ("dealer-dms", "dealer-panels")
    async with playing_dealer(ready, data, place, dms=dms, pictures=PictureMaker() if draws else None) as dealer:
        if draws:
            await dealer.parts.get(PictureMaker).wait_until_ready()
        print(READY, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind")
    parser.add_argument("data", type=Path)
    parser.add_argument("ready", type=json.loads)
    parser.add_argument("place", type=lambda text: msgspec.json.decode(text, type=Place))
    parser.add_argument("--profile", metavar="FILE", help="where to write a profile of the whole run")
    chosen = parser.parse_args()
    run = main(chosen.kind, chosen.data, chosen.ready, chosen.place)
    run_loop = asyncio.run if chosen.kind == AS_ITS_AUTHOR_RUNS_IT else run_event_loop
    if chosen.profile:
        import cProfile
        import os
        import signal

        profile = cProfile.Profile()

        def write_profile(*_: object) -> None:
            profile.disable()
            profile.dump_stats(chosen.profile)
            os._exit(0)

        signal.signal(signal.SIGTERM, write_profile)
        profile.runcall(run_loop, run)
    else:
        run_loop(run)
