"""What events cost: requests a hand of a sit-and-go of nine beside a cash table's, and the pictures of the sheets that events end with.

Both tables are played by nine people in *My hand*, with the same actions, on the stand-in, in one run. Goal: a sit-and-go costs at most one
request by the bot's token a hand more. A picture is to cost at most 60 ms of processor time and 100 kB. It says MISSED where something
takes more.

    python -m tests.benchmarks.bench_events [--hands 12] [--rounds 5]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.pictures.draw import draw, warm_up
from bot.pictures.types import Look
from bot.render.message.custom_ids import page_id
from bot.render.pictures.evening import evening_picture
from bot.render.table.rebuys import PAGE
from bot.runtime.evening import EveningCurve
from bot.table.ended_game import FinishTold
from bot.table.state import BookLine
from tests.e2e.faulty_evening import FaultyEvening, Guest, faulty_evening, pressable
from tests.e2e.test_requests_of_a_hand import DIRECT, Account, check_or_call
from tests.render.test_sheet import ended
from tests.support import quick_loop
from tests.support.quick_loop import QuickLoop, run_quickly

NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo", "Gil", "Hal", "Ida")
THINKING_SECONDS = 1.6
"""Each action: a hand of nine in which everybody stays takes a minute, and a level of four minutes four hands."""
ALL_IN = 0.04
"""How often somebody goes all-in, where a sit-and-go is played to its end."""
FOLDS = 0.5
"""How often somebody folds to a bet then."""
MORE_REQUESTS, CPU_MS, KILOBYTES = 1.0, 60.0, 100.0
HANDS_OF = {"a sit-and-go": 90, "a night": 250}

Choose = Callable[[list[str]], str]


class Cost:
    """What the hands of a table have cost."""

    def __init__(self, account: Account, hands: int) -> None:
        self.kinds, self.hands = account.kinds, hands
        self.by_bot_token, self.direct = account.by_bot_token / hands, account.kinds[DIRECT] / hands

    def __str__(self) -> str:
        kinds = ", ".join(f"{count / self.hands:.2f} {kind}" for kind, count in sorted(self.kinds.items()))
        total = self.by_bot_token + self.direct
        apart = f"{self.by_bot_token:.2f} without direct messages"
        return f"{self.hands} hands, {total:.2f} requests by the bot's token a hand, {apart} ({kinds})"


async def play(evening: FaultyEvening, choose: Choose, last: int) -> None:
    """Everybody plays in their panel, opened anew where it has gone, until a hand of this number is over, or the table."""
    while (now := evening.table) is not None and (now.hand_number, not now.hand_running) < (last, True):
        await asyncio.sleep(THINKING_SECONDS)
        guest = evening.to_act
        if guest is None:
            continue
        if not evening.private(guest):
            await evening.open_panel(guest)
        await evening.act(choose)


async def cost_of(evening: FaultyEvening, hands: int) -> Cost:
    """Count hands in which everybody checks and calls, from the second one on."""
    await evening.until_dealt()
    await asyncio.sleep(2)
    for guest in evening.guests:
        await evening.open_panel(guest)
    await play(evening, check_or_call, 1)
    account = Account(evening)
    await play(evening, check_or_call, 1 + hands)
    await asyncio.sleep(2)
    return Cost(account, hands)


async def open_sit_and_go(evening: FaultyEvening, where: str) -> None:
    """Close the table, and open a sit-and-go of nine by the form, which everybody enters by the button of its message.

    Args:
        where: `here`, or `thread`: then a panel in the channel above follows it.
    """
    host = evening.guests[0]
    await evening.slash(host, "table", page=(3, "close"))
    close = next(
        (message, one)
        for message in reversed(evening.private(host))
        for one in pressable(message)
        if one.endswith(":close:1")
    )
    await evening.press(host, *close)
    while evening.table is not None:
        await play(evening, check_or_call, evening.hand_number)
        await asyncio.sleep(1)
    answers = {"game": "holdem", "stakes": "0", "seats": "9", "clock": "0", "who": "sng_free"}
    await evening.fill_in(host, answers, "play", where=(3, where))
    await asyncio.sleep(2)
    evening.channel = str(evening.the_table.address.channel)
    enter = page_id(PAGE, "enter", evening.the_table.id)
    for guest in evening.guests:
        message = next(one for one in reversed(evening.public()) if enter in pressable(one))
        assert await evening.press(guest, message, enter), f"{guest.name} cannot enter"
        await asyncio.sleep(1)


def requests_a_hand(hands: int) -> None:
    """Play at both and print what they cost."""

    def counted(where: str = "") -> tuple[Cost, Cost | None]:
        async def story(loop: QuickLoop) -> tuple[Cost, Cost | None]:
            guests = [Guest(name, "", plays_in_panel=True) for name in NAMES]
            with tempfile.TemporaryDirectory() as folder:
                async with faulty_evening(loop, Path(folder), random.Random("hand"), guests) as evening:
                    if not where:
                        return await cost_of(evening, hands), None
                    await open_sit_and_go(evening, where)
                    cost = await cost_of(evening, hands)
                    if hands < 2:
                        return cost, None
                    account, at = Account(evening), evening.hand_number
                    last = await to_the_end(evening)
                    await asyncio.sleep(5)
                    return cost, Cost(account, max(1, last - at))

        return run_quickly(story)

    cash, _ = counted()
    print(f"  a cash table of nine: {cash}", flush=True)
    for where, name in (("here", "in a channel"), ("thread", "in a thread, with the panel in the channel above it")):
        event, rest = counted(where)
        print(f"  a sit-and-go of nine {name}: {event}", flush=True)
        more = event.by_bot_token + event.direct - cash.by_bot_token - cash.direct
        missed = "" if more <= MORE_REQUESTS else "  MISSED"
        print(f"    {more:+.2f} requests by the bot's token a hand, goal at most {MORE_REQUESTS:+.0f}{missed}")
        if rest is not None:
            print(f"    from there to its end, with the answers to those who went out and the sheet: {rest}")


async def to_the_end(evening: FaultyEvening) -> int:
    """Play until somebody has won: all-ins by lot. Returns the number of the last hand."""
    dice, last = random.Random("end"), 0

    def choose(offered: list[str]) -> str:
        all_in = next((each for each in offered if each.startswith("allin")), "")
        if all_in and dice.random() < ALL_IN:
            return all_in
        calm = check_or_call(offered) or all_in
        return "fold" if "fold" in offered and not calm.startswith("check") and dice.random() < FOLDS else calm

    while (now := evening.table) is not None:
        last = now.hand_number
        await play(evening, choose, last)
        await asyncio.sleep(1)
    return last


def recap_pictures(rounds: int) -> None:
    """Draw the picture of the sheet as the drawing process does, for nine people, and print what it costs."""
    warm_up()
    for name, hands in HANDS_OF.items():
        dice = random.Random(name)
        book = [BookLine(101 + at, who, 1, 10_000, 10_000, hands) for at, who in enumerate(NAMES)]
        finishes = [
            FinishTold(rank, one.player, one.name, 5_000 // rank, bounties=300 * rank)
            for rank, one in enumerate(book, 1)
        ]
        game = replace(ended(*book, hands=hands), finishes=tuple(finishes) if name == "a sit-and-go" else ())
        curves = []
        for one in book:
            net, points = 0, [(0, 0)]
            for hand in range(1, hands + 1):
                net = max(-10_000, net + dice.randint(-900, 900))
                points.append((hand, net))
            curves.append(EveningCurve(one.player, tuple(points)))
        picture = evening_picture(game, curves, Look())
        assert picture is not None
        spent, size = [], 0
        for _ in range(rounds):
            began = time.process_time()
            size = len(draw(picture))
            spent.append(1000 * (time.process_time() - began))
        missed = "" if max(spent) <= CPU_MS and size <= 1000 * KILOBYTES else "  MISSED"
        cpu = f"first {spent[0]:.1f} ms CPU, then {statistics.median(spent[1:] or spent):.1f}"
        goals = f"(goals {CPU_MS:.0f} ms and {KILOBYTES:.0f} kB){missed}"
        print(f"  the picture of {name} of nine, {hands} hands: {cpu}; {size / 1000:.1f} kB {goals}")


def main(hands: int, rounds: int) -> None:
    """Measure both parts."""
    logging.getLogger().setLevel(logging.ERROR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quick_loop, "LONGEST_STORY", 12 * 3_600.0)
        requests_a_hand(hands)
    recap_pictures(rounds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--hands",
        type=int,
        default=12,
        help="of each table that are counted beside each other; with 1 nothing is played to its end",
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often each picture is drawn")
    chosen = parser.parse_args()
    main(chosen.hands, chosen.rounds)
