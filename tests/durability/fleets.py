"""Whole dealers on two machines, each slot with a warm standby on the other one: dealers are stopped and killed while people play.

All are the real command with its supervisor, and reach the same stand-in for Discord. In a round the dealer of a slot is *stopped*, as for
an upgrade, *killed*, or *frozen* for three leases. Told is how long it takes until somebody is answered again, how many clicks nobody
answered within Discord's three seconds, and whether the books are exact in the end.

    python -m tests.durability fleet [--rounds 20] [--slots 2] [--tables 8] [--seed 1]
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import shutil
import signal
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import psycopg

from bot.settings import house_schema_of, schema_of
from bot.store.postgres.ownership import LEASE_SECONDS
from bot.store.slots import slot_of
from tests.benchmarks.bench_clicks import TO_ACT_PATTERN
from tests.e2e.test_fleet import Command
from tests.support.postgres import postgres_server
from tests.support.stand_in_process import StandInProcess, stand_in_process

KINDS = {"stop": 2, "kill": 2, "freeze": 1}
"""How often each."""
PLAYERS = 3
WINDOW = {"stop": 8.0, "kill": 16.0, "freeze": 26.0}
"""Seconds for which people click in a round."""
THINKING = 0.4
"""Seconds before a click, unless said otherwise; the people of each table are a little slower than those of the one before."""
SIGNALS = {"stop": signal.SIGTERM, "kill": signal.SIGKILL, "freeze": signal.SIGSTOP}
PATIENCE = 90.0
BUTTONS = [":check$", ":call"]


class House:
    """The database, the stand-in, and the tables by slot."""

    def __init__(self, discord: StandInProcess, address: str, slots: int) -> None:
        self.discord, self.address, self.slots = discord, address, slots
        self.channels: dict[int, list[str]] = {slot: [] for slot in range(slots)}

    def ask(self, query: str, *values: Any) -> list[Any]:
        with psycopg.connect(self.address, autocommit=True) as db:
            cursor = db.execute(query.encode(), values)
            return cursor.fetchall() if cursor.description is not None else []

    def owner(self, slot: int) -> int:
        """Return the process of a slot's dealer; 0 if nobody serves it."""
        found = self.ask(
            f'SELECT holder FROM "{schema_of(local=False, slot=slot)}".owner WHERE until > clock_timestamp()'
        )
        return int(found[0][0].split()[1]) if found and found[0][0] else 0

    async def until_warm(self) -> None:
        """Wait until each slot has a dealer and a standby who hears its events."""
        house = house_schema_of(local=False)
        async with asyncio.timeout(PATIENCE):
            while True:
                served = self.ask(f'SELECT slot FROM "{house}".process WHERE slot IS NOT NULL')
                watched = self.ask(f'SELECT watches FROM "{house}".process WHERE watches IS NOT NULL')
                everybody = {(slot,) for slot in range(self.slots)}
                if set(served) >= everybody and set(watched) >= everybody and all(map(self.owner, range(self.slots))):
                    break
                await asyncio.sleep(0.2)
        await asyncio.sleep(6.0)  # what stands by says so before all its connections are there

    async def open_tables(self, count: int) -> None:
        """Open so many tables, each in a server of its own, dealt out evenly, and let people sit down."""
        (first,) = await self.discord.call("guilds")
        for number in itertools.count(1):
            if all(len(channels) >= count // self.slots for channels in self.channels.values()):
                return
            people = [
                (await self.discord.call("add_person", name=f"Player {number}-{n}"))["id"] for n in range(PLAYERS)
            ]
            guild = (
                await self.discord.call("add_guild", name=f"Server {number}", owner=people[0], channels=["table"])
            )["id"]
            slot = slot_of(int(guild), self.slots)
            if len(self.channels[slot]) >= count // self.slots:
                continue
            schema = schema_of(local=False, slot=slot)
            rules = json.dumps({"account_days": 0, "member_days": 0}).encode()
            self.ask(f'INSERT INTO "{schema}".guild (id, rules) VALUES (%s, %s)', int(guild), rules)
            for person in people[1:]:
                await self.discord.call("add_member", person=person, guild=guild)
            channel = (await self.discord.call("channels", guild=guild))[0]["id"]
            await self._use(people[0], channel, "play", {"name": "seats", "type": 4, "value": PLAYERS})
            for person in people[1:]:
                await self._use(person, channel, "sit")
            self.channels[slot].append(channel)
        assert first

    async def _use(self, person: str, channel: str, command: str, *options: dict[str, Any]) -> None:
        what = {"command": command, "options": options}
        ended = await self.discord.call("use", person=person, channel=channel, what=what)
        assert ended["end"] == "done", (command, ended)

    async def clicks(self, slot: int, seconds: float, thinking: float = THINKING) -> list[tuple[float, float, bool]]:
        """Let people play for a while at the tables of a slot. Returns when each clicked, how long it took, and if it was answered."""
        lanes = [
            {"channel": one, "buttons": BUTTONS, "user_pattern": TO_ACT_PATTERN, "pause": thinking * (1 + at / 10)}
            for at, one in enumerate(self.channels[slot])
        ]
        found = await self.discord.call("click_repeatedly", lanes=lanes, seconds=seconds, timeline=True)
        return [(made, took, bool(answered)) for made, took, answered in found["timeline"]]


async def run(rounds: int, slots: int, tables: int, seed: int) -> list[str]:
    """Play the rounds. Returns what went wrong."""
    luck, faults = random.Random(seed), list[str]()
    again: dict[str, list[float]] = {kind: [] for kind in KINDS}
    waited: dict[str, list[float]] = {kind: [] for kind in KINDS}
    counts = {kind: [0, 0] for kind in KINDS}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(postgres_server())
        discord = await stack.enter_async_context(stand_in_process(folder / "discord"))
        await discord.call("limit_identifies", max_concurrency=16)
        house = House(discord, address, slots)
        machines = [
            Command(discord, folder / name, address, CARDROOM_LOG="ERROR", **roles)
            for name, roles in (
                ("one", {"CARDROOM_DEALERS": str(slots)}),
                ("other", {"CARDROOM_DEALERS": "0", "CARDROOM_STANDBYS": str(slots)}),
            )
        ]
        code, said = await machines[0].says("fleet", "--slots", str(slots))
        assert code == 0, said
        said = "The dealers are in." if slots > 1 else "The dealer is in."
        await stack.enter_async_context(machines[0].running(said))
        (folder / "other" / "discord").mkdir(parents=True)
        shutil.copy(folder / "one" / "discord" / "master.key", folder / "other" / "discord")
        await stack.enter_async_context(
            machines[1].running("The dealers are in." if slots > 1 else "waits until one is free")
        )
        await house.open_tables(tables)
        for number in range(1, rounds + 1):
            await house.until_warm()
            kind, slot = luck.choices(list(KINDS), list(KINDS.values()))[0], luck.randrange(slots)
            owner = house.owner(slot)
            clicking = asyncio.create_task(house.clicks(slot, WINDOW[kind]))
            await asyncio.sleep(1.0 + luck.random())
            at = time.time()
            os.kill(owner, SIGNALS[kind])
            if kind == "freeze":
                await asyncio.sleep(3 * LEASE_SECONDS)
                os.kill(owner, signal.SIGCONT)
            timeline = await clicking
            answered = [(made + took - at, took) for made, took, good in timeline if good and made + took >= at]
            unanswered = sum(not good for _, _, good in timeline)
            counts[kind][0] += len(timeline)
            counts[kind][1] += unanswered
            if answered:
                first, longest = min(answered)[0], max(took for _, took in answered)
                again[kind].append(first)
                waited[kind].append(longest)
                print(
                    f"round {number}: {kind} slot {slot}; first answer after {first:.2f} s, longest wait {longest:.2f} s;"
                    f" {unanswered} of {len(timeline)} not answered",
                    flush=True,
                )
            else:
                faults.append(f"{kind} in round {number}: nobody was answered afterwards")
        await house.until_warm()
        code, said = await machines[0].says("doctor")
        faults += [line for line in said.splitlines() if "✘" in line]
        code, said = await machines[0].says("fleet")
        print(said)
        faults += [] if code == 0 else ["a slot has no dealer"]
    _tell(again, waited, counts)
    return faults


def _tell(again: dict[str, list[float]], waited: dict[str, list[float]], counts: dict[str, list[int]]) -> None:
    print(
        f"\n{'':>6} {'rounds':>7} {'clicks':>7} {'unanswered':>11} {'longest wait':>13} {'first answer: median':>21} {'longest':>8}"
    )
    for kind, took in again.items():
        if took:
            took.sort()
            clicks, unanswered = counts[kind]
            print(
                f"{kind:>6} {len(took):>7} {clicks:>7,} {unanswered:>11,} {max(waited[kind]):>11.2f} s"
                f" {took[len(took) // 2]:>19.2f} s {took[-1]:>6.2f} s"
            )


def main(rounds: int, slots: int, tables: int, seed: int) -> int:
    faults = asyncio.run(run(rounds, slots, tables, seed))
    for fault in faults:
        print(f"FAULT: {fault}")
    print(f"{len(faults)} FAULTS" if faults else "every slot is served, and the books are exact")
    return len(faults)
