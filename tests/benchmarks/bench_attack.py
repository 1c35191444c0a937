"""What others notice while one account uses one command, button or form after the other, faster than it is allowed: the attackers' matrix.

The rows are made of what the bot registers and of what its buttons can name, as in `tests/e2e/attackers_matrix.py`. For each row the
account asks sixty times a second, and four other people press *My hand* and ask for their chips, the laws and statistics. Their waits are
taken in turns with the attacker and without, and the dealer's processor time with them. A row whose ratio is above two is measured again,
longer, three times before it is said to have missed. The stand-in, from which everybody asks, is a process of its own.

    python -m tests.benchmarks attack [--rows 0] [--seconds 0.6]      # 0: all rows
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.dealer import Dealer
from bot.operation.runner import run_event_loop
from tests.benchmarks.bench_clicks import make_place
from tests.benchmarks.bench_pictures import percentile
from tests.benchmarks.clicking_bots import Place, playing_dealer
from tests.e2e.attackers_matrix import CHOOSING, HOSTILE_NUMBERS
from tests.e2e.test_strangers import least_options, made_up_ids
from tests.support.stand_in_process import StandInProcess, StandInRefused, stand_in_process

PER_SECOND = 60.0
"""The account asks half as much again as it is allowed."""
GOAL = 2.0
TABLES = 4
AGAIN, TRIES = 4, 3
"""A row that seems to have missed is measured again, so many times as long, and so often: what others do on the machine passes."""
Json = dict[str, Any]


def rows(commands: list[Json], table: int, user: str, message: str) -> dict[str, Json]:
    """Return everything that an account can ask for, by its name; of the ids that a button can have, one of each kind."""
    found: dict[str, Json] = {}
    for command in commands:
        if command["type"] != 1:
            target = user if command["type"] == 2 else message
            found[f"menu {command['name']}"] = {"menu": command["name"], "type": command["type"], "target": target}
            continue
        for name, options in _commands(command, user):
            found[name] = {"command": command["name"], "options": options}
        for option in command.get("options", ()):
            if option.get("autocomplete"):
                typed = [{"name": option["name"], "type": option["type"], "value": "a", "focused": True}]
                found[f"typing /{command['name']} {option['name']}:"] = {"typing": command["name"], "options": typed}
    for custom_id, values, is_form in made_up_ids(table, 1, 0, user):
        if not any(number in custom_id for number in HOSTILE_NUMBERS):
            name = re.sub(r":\d.*|:~.*", "", re.sub(r"^([tf]):\d+:\d+:\d+", r"\1", custom_id))
            pressed = {"press": custom_id, "values": list(values), "message": message}
            found[f"{'form' if is_form else 'press'} {name}"] = pressed | ({"form": True} if is_form else {})
    return found


def _commands(command: Json, user: str) -> Iterator[tuple[str, list[Json]]]:
    least = least_options(command, SimpleNamespace(me={"id": user}), 1) or {}  # type: ignore[arg-type]
    least.pop("number", None)
    if command["name"] == "play":
        least |= {"big_blind": "100", "seats": 4, "sit": False}
    types = {option["name"]: option["type"] for option in command.get("options", ())}
    choices = [
        {option["name"]: choice["value"]}
        for option in command.get("options", ())
        if option["name"] in CHOOSING
        for choice in option.get("choices", ())
    ]
    for chosen in choices or [{}]:
        given = {name: user if types[name] == 6 else value for name, value in (least | chosen).items()}
        written = " ".join([f"/{command['name']}", *(f"{option}:{value}" for option, value in chosen.items())])
        yield written, [{"name": name, "type": types[name], "value": value} for name, value in given.items()]


class Others:
    """Four people who are not the attacker, each at a table of their own."""

    def __init__(self, discord: StandInProcess, place: Place, messages: list[str]) -> None:
        self.discord = discord
        plain = (("me", {"page": "chips"}), ("laws", {}), ("stats", {}))
        uses = [
            {"command": name, "options": [{"name": n, "type": 3, "value": v} for n, v in given.items()]}
            for name, given in plain
        ]
        self.asks = [
            (str(place.users_of(table)[1]), str(place.channels[table]), use)
            for table, use in enumerate(
                [{"press": f"t:{table + 1}:1:0:peek", "values": [], "message": messages[table]} for table in range(1)]
                + uses
            )
        ]

    async def wait(self, seconds: float) -> list[float]:
        """Let them ask, one after the other, for so long. Returns how many ms each waited."""
        waits, began = [], time.monotonic()
        while time.monotonic() < began + seconds or not waits:
            for person, channel, use in self.asks:
                answer = await self.discord.call("use", person=person, channel=channel, what=use)
                assert answer["end"] == "done", (use, answer)
                waits.append(answer["ms"])
                await asyncio.sleep(0.005)
        return waits


class Measured:
    """What others waited with the attacker and without, in ms, and the dealer's processor seconds in a second."""

    def __init__(self) -> None:
        self.alone: list[float] = []
        self.beside: list[float] = []
        self.cpu = 0.0

    @property
    def ratio(self) -> float:
        return percentile(self.beside, 99) / max(percentile(self.alone, 99), 0.1)

    @property
    def middle_ratio(self) -> float:
        return statistics.median(self.beside) / max(statistics.median(self.alone), 0.1)


async def measure(
    discord: StandInProcess, others: Others, attacker: tuple[str, str], use: Json, seconds: float
) -> Measured:
    """Take the others' waits in turns: without, with, with, without the attacker."""
    found = Measured()
    for with_attacker in (False, True, True, False):
        cpu, began = time.process_time(), time.monotonic()
        if with_attacker:
            flood = asyncio.create_task(
                discord.call(
                    "use_at_rate",
                    person=attacker[0],
                    channel=attacker[1],
                    what=[use],
                    per_second=PER_SECOND,
                    seconds=seconds / 2,
                )
            )
            found.beside += await others.wait(seconds / 2)
            await asyncio.gather(flood, return_exceptions=True)
            found.cpu += (time.process_time() - cpu) / max(time.monotonic() - began, 0.01) / 2
        else:
            found.alone += await others.wait(seconds / 2)
            found.cpu -= (time.process_time() - cpu) / max(time.monotonic() - began, 0.01) / 2
    return found


async def prepared(dealer: Dealer, discord: StandInProcess, place: Place) -> tuple[Others, list[str]]:
    """Wait until every table shows its hand. Returns the others, and the newest message of each table."""
    await dealer.services.display.wait_until_idle()
    messages = [(await discord.call("messages", channel=str(channel)))[-1]["id"] for channel in place.channels]
    others = Others(discord, place, messages)
    await others.wait(1.0)
    return others, messages


async def run(count: int, seconds: float) -> int:
    """Measure and print. Returns how many rows have missed the goal."""
    logging.disable(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        async with stand_in_process(Path(folder) / "discord") as discord:
            place = await make_place(discord, TABLES + 1)
            async with playing_dealer(discord.ready, Path(folder) / "data", place, dms=False) as dealer:
                others, messages = await prepared(dealer, discord, place)
                mal, channel = str(place.users_of(TABLES)[0]), str(place.channels[TABLES])
                role = await discord.call("add_role", name="Staff", grants=["manage_guild"])
                await discord.call("give_role", person=mal, role=role["id"])
                found = rows(await discord.call("commands"), TABLES + 1, mal, messages[TABLES])
                chosen = list(found)[:: max(1, len(found) // count)] if count else list(found)
                print(
                    f"one account, {len(chosen)} of {len(found)} rows, {PER_SECOND:.0f} a second; ms that four others wait"
                )
                return await measure_rows(
                    discord, others, (mal, channel), {name: found[name] for name in chosen}, seconds
                )


async def measure_rows(
    discord: StandInProcess, others: Others, attacker: tuple[str, str], chosen: dict[str, Json], seconds: float
) -> int:
    measured: dict[str, Measured] = {}
    for name, use in chosen.items():
        try:
            measured[name] = await measure(discord, others, attacker, use, seconds)
            for _ in range(TRIES):
                if measured[name].ratio > GOAL:
                    measured[name] = await measure(discord, others, attacker, use, seconds * AGAIN)
        except StandInRefused as refused:
            print(f"  {name}: nobody has it ({refused})")
    families: dict[str, list[Measured]] = {}
    for name, one in measured.items():
        families.setdefault(name.split(":")[0] if name[0] == "/" else " ".join(name.split()[:1]), []).append(one)
    for family, those in sorted(families.items()):
        alone, beside = [ms for one in those for ms in one.alone], [ms for one in those for ms in one.beside]
        print(
            f"  {family:24} {len(those):4} rows  {_told(alone, beside)}  {statistics.mean(one.cpu for one in those):5.2f} of a core"
        )
    missed = [name for name, one in measured.items() if one.ratio > GOAL]
    worst = sorted(measured.items(), key=lambda each: -each[1].ratio)[:8]
    print("  the rows that others notice most:")
    for name, one in worst:
        print(
            f"    {name:40} {_told(one.alone, one.beside)}  {one.cpu:5.2f} of a core{'  MISSED' if name in missed else ''}"
        )
    alone, beside = (
        [ms for one in measured.values() for ms in one.alone],
        [ms for one in measured.values() for ms in one.beside],
    )
    print(
        f"  all rows: {_told(alone, beside)}; goal p99 ≤ {GOAL:.0f} times; {len(missed)} of {len(measured)} rows MISSED"
    )
    return len(missed)


def _told(alone: list[float], beside: list[float]) -> str:
    before, after = percentile(alone, 99), percentile(beside, 99)
    return (
        f"p50 {statistics.median(alone):5.1f} → {statistics.median(beside):5.1f}   p99 {before:6.1f} → {after:6.1f}   "
        f"{after / max(before, 0.1):4.2f} times"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.6)
    chosen_options = parser.parse_args()
    run_event_loop(run(chosen_options.rows, chosen_options.seconds))
