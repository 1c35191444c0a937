"""Bots that are clicked, each in a process of its own: the dealer, and bare ones that only answer.

python -m tests.benchmarks.clicking_bots dealer|dealer-dms|bare|view DATA READY-LINE TABLES
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import Any

import aiohttp
import discord
from discord.http import Route
from discord.webhook.async_ import async_context
from msgspec.structs import replace

from bot import variants
from bot.app import Dealer, Endpoints
from bot.runner import freeze_gc, run_event_loop
from bot.runtime.request import Request
from bot.runtime.table_settings import NewTableRequest, default_table_settings
from bot.table.commands import TakeSeat

SEATS = 6
Raw = dict[str, Any]


def layout(number: int) -> list[Raw]:
    """Return a table's layout as it looks on the turn, of the same size and make as the dealer's."""
    text = (
        f"### Turn · Pot 2,400\n-# Table {number} · No-Limit Hold'em 50/100 · Hand #1284",
        "# <:ace_of_spades:1573766758471303168><:five_of_clubs:1573766758471303169>"
        "<:five_of_diamonds:1573766758471303170><:jack_of_diamonds:1573766758471303171>",
        "\n".join(f"`{seat}`\u00a0Player {seat}  **9,600** · check" for seat in range(1, 6))
        + "\n▶ `6`\u00a0**Player 6 (dealer)  9,600** · nothing to call",
        "-# Player 3 checks · Player 4 checks · Player 5 checks\n▶ <@1573766758471303168> **to act** · nothing to call · "
        "ends <t:1795285730:R>\n-# Time bank 60 s",
    )
    rows = (("Fold", "Check", "Bet…"), ("½ pot 1,200", "Pot 2,400", "All-in 9,600", "My hand"))
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
    body = [*({"type": 10, "content": part} for part in text), *buttons]
    return [{"type": 17, "accent_color": 0xF2B233, "components": body}]


class Bare(discord.AutoShardedClient):
    """A bot that answers every click with a redraw by the same calls as the dealer, and does nothing else."""

    def __init__(self, channels: list[int]) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None, guild_ready_timeout=0.05)
        self.channels = channels
        self.session: aiohttp.ClientSession

    async def setup_hook(self) -> None:
        self.session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def on_ready(self) -> None:
        for number, channel in enumerate(self.channels):
            route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
            await self.http.request(route, json={"flags": 1 << 15, "components": layout(number)})
        print("ready", flush=True)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        data = {"flags": 1 << 15, "components": layout(1), "allowed_mentions": {"parse": []}}
        path = "/interactions/{webhook_id}/{webhook_token}/callback"
        route = Route("POST", path, webhook_id=interaction.id, webhook_token=interaction.token)
        await async_context.get().request(route, self.session, payload={"type": 7, "data": data})


class Stored(discord.AutoShardedClient):
    """A bot that answers every click through a view that is kept, as discord.py's examples do."""

    def __init__(self, channels: list[int]) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None, guild_ready_timeout=0.05)
        self.channels = channels

    async def setup_hook(self) -> None:
        self.view = StoredView()
        self.add_view(self.view)

    async def on_ready(self) -> None:
        for channel in self.channels:
            await self.get_partial_messageable(channel).send(view=self.view)
        print("ready", flush=True)


class StoredView(discord.ui.LayoutView):
    """The same layout as a view."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        box: discord.ui.Container[Any] = discord.ui.Container(accent_colour=0xF2B233)
        for part in layout(1)[0]["components"]:
            if part["type"] == 10:
                box.add_item(discord.ui.TextDisplay(part["content"]))
                continue
            row: discord.ui.ActionRow[Any] = discord.ui.ActionRow()
            for raw in part["components"]:
                button: discord.ui.Button[Any] = discord.ui.Button(label=raw["label"], custom_id=raw["custom_id"])
                button.callback = self.clicked  # type: ignore[method-assign]
                row.add_item(button)
            box.add_item(row)
        self.add_item(box)

    async def clicked(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.edit_message(view=self)


async def deal(ready: Raw, data: Path, channels: list[int], users: list[int], guild: int, *, dms: bool) -> None:
    """Run the dealer with a table in every channel. Hands follow one another without a pause."""
    there = asyncio.Event()
    dealer = Dealer(data, requests_per_second=100_000, ready=there.set)
    await dealer.open_store()
    playing = asyncio.create_task(dealer.start_playing(ready["token"]))
    await asyncio.wait([playing, asyncio.ensure_future(there.wait())], return_when=asyncio.FIRST_COMPLETED)
    staff = Request(key="rules", guild=guild, channel=channels[0], user=users[0], staff=True)
    rules = await dealer.bank.change_house_rules(staff, opening_grant=10**8, nudge_seconds=-1, turn_seconds=3600)
    settings = replace(
        default_table_settings(variants.game("holdem"), rules, NewTableRequest(seats=SEATS)), pause_seconds=0
    )
    for user in users:
        await dealer.room.preferences.set_dms(user, wanted=dms)
    for channel in channels:
        opened = await dealer.tables.open(
            Request(key=f"open{channel}", guild=guild, channel=channel, user=users[0]), settings
        )
        for number, user in enumerate(users, 1):
            key, name = f"sit{channel}-{user}", f"Player {number}"
            asked = Request(key=key, guild=guild, channel=channel, user=user, name=name, table=opened.snapshot.id)
            await dealer.tables.ask(asked, TakeSeat(asked.user, asked.name, 10_000, number))
    freeze_gc()
    print("ready", flush=True)
    await playing


async def main(kind: str, data: Path, ready: Raw, place: Raw) -> None:
    """Run one of the bots until it is killed."""
    logging.basicConfig(level=logging.WARNING)
    Endpoints(ready["rest"], ready["gateway"], ready["cdn"]).use()
    channels = [int(channel) for channel in place["channels"]]
    users = [int(user) for user in place["users"]]
    match kind:
        case "bare":
            await Bare(channels).start(ready["token"])
        case "view":
            await Stored(channels).start(ready["token"])
        case _:
            await deal(ready, data, channels, users, int(place["guild"]), dms=kind == "dealer-dms")


if __name__ == "__main__":
    if "--profile" in sys.argv:
        import cProfile
        import pstats
        import signal

        profile = cProfile.Profile()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        try:
            profile.runcall(
                asyncio.run, main(sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3]), json.loads(sys.argv[4]))
            )
        finally:
            pstats.Stats(profile).dump_stats("/tmp/clicks.prof")
    else:
        run_event_loop(main(sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3]), json.loads(sys.argv[4])))
