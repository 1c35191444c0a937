"""The processor time of a direct message beside that of answering a click, in one process: 100 tables of 600 different people.

In both are counted the view, the drawing, the JSON, the HTTP request and reading the reply; in neither reading the click, ruling on it,
and what the gateway then says about the message.
Each table's hand is running, each view is computed anew, and the stand-in, in a process of its own, answers as Discord does. Goal: a
direct message costs at most twice an answer. The time of the rounds alternates between the two; medians.

    python -m tests.benchmarks.bench_dms [--rounds 9] [--tables 100] [--profile answer|dm FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import cProfile
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.dealer import Dealer
from bot.line.interaction import InteractionInfo
from bot.operation.runner import run_event_loop
from bot.runtime.snapshot import TableSnapshot
from bot.surfaces.replies import Reply
from cogs.support.click_listener import ClickListener
from tests.benchmarks.bench_clicks import TABLES, TO_ACT_PATTERN, make_place
from tests.benchmarks.clicking_bots import SEATS, playing_dealer
from tests.support.stand_in_process import StandInProcess, stand_in_process

T = TypeVar("T")

GOAL = 2.0


def fresh(snapshot: TableSnapshot) -> TableSnapshot:
    """The same table, of which nothing has been drawn yet."""
    again = copy.copy(snapshot)
    again._public_hand = again._table_view = again._players_by_seat = None
    return again


class Costs:
    """Takes clicks without ruling on them, so that they can be answered when the time is measured."""

    def __init__(self, dealer: Dealer, discord: StandInProcess, together: int) -> None:
        self._dealer, self._discord, self._together = dealer, discord, together
        self._clicks: list[InteractionInfo] = []
        self._round = 0
        dealer.parts.get(ClickListener).handle = self._take  # type: ignore[method-assign]

    async def _take(self, info: InteractionInfo, *, form: bool) -> None:
        self._clicks.append(info)

    async def answers(self) -> tuple[Callable[[], Awaitable[None]], int]:
        """Let people click at each table. Returns what answers them all, and how many they are."""
        tables = self._dealer.tables.all_tables()
        self._clicks.clear()
        await asyncio.gather(*(self._click(snapshot) for snapshot in tables))
        async with asyncio.timeout(2.5):  # they have to be answered within three seconds
            while len(self._clicks) < len(tables):
                await asyncio.sleep(0.01)
        clicks = list(self._clicks)
        by_channel = {snapshot.address.channel: snapshot for snapshot in tables}

        async def answer(info: InteractionInfo) -> None:
            reply = Reply(self._dealer.services.discord_api, info, self._dealer.services.private_answers)
            snapshot = by_channel[info.channel]
            display = self._dealer.services.display
            message = display.message_of(snapshot.id)
            assert message is not None
            message.contents.newest = fresh(snapshot)
            with display.answers.answering(snapshot.id):
                await display.answers.answer(reply, info, snapshot.id)
            assert not reply.lost
            await reply.close()

        async def answer_all() -> None:
            for some in self._some(clicks):
                await asyncio.gather(*map(answer, some))

        return answer_all, len(clicks)

    async def _click(self, snapshot: TableSnapshot) -> None:
        lane = {
            "channel": str(snapshot.address.channel),
            "buttons": [":check$", ":call"],
            "user_pattern": TO_ACT_PATTERN,
        }
        await self._discord.call("click_unanswered", lane=lane)

    async def direct_messages(self) -> tuple[Callable[[], Awaitable[None]], int]:
        """Return what sends one player of each table their direct message, and how many they are.

        What Discord shows is forgotten: a message that has not changed would not be sent.
        """
        self._round += 1
        tables, direct_messages = self._dealer.tables.all_tables(), self._dealer.services.direct_messages
        direct_messages.snapshot = lambda table: fresh(self._dealer.tables.snapshot(table))  # type: ignore[method-assign]

        async def send_all() -> None:
            for some in self._some(tables):
                for snapshot in some:
                    user = snapshot.dealt_users[self._round % SEATS]
                    direct_messages._message(snapshot.id, user).live.shown = b""
                    direct_messages.send_hole_cards(snapshot, (user,))
                while direct_messages.pending:
                    await asyncio.wait(direct_messages.pending)

        return send_all, len(tables)

    def _some(self, all_of_them: Sequence[T]) -> Iterator[Sequence[T]]:
        """Yield as many as are on their way together."""
        for first in range(0, len(all_of_them), self._together):
            yield all_of_them[first : first + self._together]


async def cpu_ms(call: Callable[[], Awaitable[None]], count: int, profile: cProfile.Profile | None) -> float:
    """Return the processor time of one of the `count` requests that a call makes."""
    begun = time.process_time()
    if profile is not None:
        profile.enable()
    await call()
    if profile is not None:
        profile.disable()
    return 1000 * (time.process_time() - begun) / count


async def measure(tables: int, rounds: int, together: int, profile: tuple[str, str] = ("", "")) -> tuple[float, float]:
    """Return the processor time of an answer and of a direct message, in ms."""
    found: dict[str, list[float]] = {"answer": [], "dm": []}
    profiler = cProfile.Profile()
    with tempfile.TemporaryDirectory() as folder:
        async with stand_in_process(Path(folder) / "discord") as discord:
            place = await make_place(discord, tables)
            async with playing_dealer(
                discord.ready, Path(folder) / "data", place, dms=True, hears_messages=False
            ) as dealer:
                await dealer.services.display.wait_until_idle()
                await discord.call("counts", clear=True)
                costs = Costs(dealer, discord, together)
                for _ in range(rounds):
                    for kind, prepare in (("answer", costs.answers), ("dm", costs.direct_messages)):
                        call, count = await prepare()
                        found[kind].append(await cpu_ms(call, count, profiler if kind == profile[0] else None))
                counts: dict[str, Any] = await discord.call("counts")
    expected = rounds * tables
    assert counts["PATCH /channels/{channel}/messages/{message}"] == expected, counts
    if profile[0]:
        profiler.dump_stats(profile[1])
    return statistics.median(found["answer"]), statistics.median(found["dm"])


def main(tables: int, rounds: int, together: int, profile: tuple[str, str] = ("", "")) -> float:
    """Measure and print. Returns how many answers a direct message costs."""
    answer, message = run_event_loop(measure(tables, rounds, together, profile))
    print(
        f"{tables} tables, {SEATS * tables} people: an answer to a click {answer:.3f} ms CPU, a direct message {message:.3f} ms"
    )
    print(f"a direct message costs {message / answer:.2f} answers (goal at most {GOAL:.0f})")
    return message / answer


@pytest.mark.bench
def test_cost_of_direct_messages() -> None:
    """The figures are printed and not judged: a busy machine is slow."""
    main(TABLES, 12, TABLES)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--together", type=int, default=TABLES, help="requests on their way at the same time")
    parser.add_argument("--profile", nargs=2, metavar=("KIND", "FILE"), default=("", ""))
    chosen = parser.parse_args()
    main(chosen.tables, chosen.rounds, chosen.together, tuple(chosen.profile))
