"""All-in luck: the processor time of a hand, by game, where all boards are looked at and where 2,000 are drawn, and what it does to memory.

    python -m tests.benchmarks.bench_luck [--hands 40]

Hands are played with two players up to a full table, all-in on any street, with side pots where stacks differ. The first hands of a
ranking after the process has started fill tables and take longer: "first" is the slowest of as many hands before those that are measured.
No hand is measured twice, because the second time its sums of cards are known.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import sys
import time
from pathlib import Path

from bot.child_process import end_child, read_frame, start_child, write_frame
from bot.runtime.luck_teller import LUCK_WORKER
from bot.runtime.luck_worker import encode_hand
from bot.statistics.all_in_hand import AllInHand, all_in_hand, seed_of
from bot.statistics.luck import all_in_luck
from bot.variants import CATALOGUE, game
from tests.statistics.all_in_hands import rough_hand
from tests.statistics.test_luck import WITH_LUCK

GOAL_MS = 100.0
MAX_TRIES = 12


def hands_of(key: str, number: int) -> list[AllInHand]:
    """Return so many all-in hands of a game, or as many as come up."""
    rng, card, found = random.Random(key), game(key), []
    for number_of_try in range(MAX_TRIES * number):
        players = rng.randint(max(2, card.seats_min), card.seats_max)
        events, deck = rough_hand(
            rng, card, players, calm_rounds=rng.choice((0, 0, 0, 1, 2)), folds=rng.choice((0.0, 0.3, 0.6))
        )
        hand = all_in_hand(events, deck, seed_of(1, number_of_try))
        found += [hand] if hand is not None else []
        if len(found) == number:
            break
    return found


def measure(number: int) -> int:
    """Print a line for each game. Returns how many games missed the goal."""
    missed = 0
    print(f"  ms CPU a hand; {number} hands a game, all-in on any street   (goal: worst {GOAL_MS:.0f})")
    print(f"  {'game':24}{'hands':>6}{'all boards':>12}{'worst':>8}{'drawn':>8}{'worst':>8}{'first':>8}")
    for key in WITH_LUCK:
        hands = hands_of(key, 2 * number)
        times: dict[bool, list[float]] = {False: [], True: []}
        before, hands = hands[: len(hands) // 2], hands[len(hands) // 2 :]
        first = max((_told_ms(hand)[0] for hand in before), default=0.0)
        for hand in hands:
            took, is_estimate = _told_ms(hand)
            times[is_estimate].append(took)
        worst = max((*times[False], *times[True]), default=0.0)
        missed += worst > GOAL_MS
        cells = [
            f"{value:8.1f}" for kind in (False, True) for value in (_median(times[kind]), max(times[kind], default=0.0))
        ]
        print(
            f"  {key:24}{len(hands):6}    {''.join(cells)}{first:8.1f}{'  MISSED' if worst > GOAL_MS else ''}",
            flush=True,
        )
    kept = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  {len(WITH_LUCK)} of {len(CATALOGUE)} games; memory after all of them {kept:.0f} MB, tests and catalogue included"
    )
    return missed


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2] if values else 0.0


def _told_ms(hand: AllInHand) -> tuple[float, bool]:
    began = time.process_time()
    told = all_in_luck(hand)
    took = (time.process_time() - began) * 1000
    return took, told is not None and told.is_estimate


async def measure_process() -> None:
    """Start the real process, let it tell hands of many games and look at its memory."""
    began = time.monotonic()
    process = await start_child(LUCK_WORKER)
    await read_frame(process, 60)
    started = time.monotonic() - began
    assert process.stdin is not None
    before = _resident_mb(process.pid)
    requests = []
    for key in WITH_LUCK:
        for hand in hands_of(key, 4):
            body = encode_hand(hand)
            requests.append(len(body))
            process.stdin.write(write_frame(body))
            await read_frame(process, 60)
    print(
        f"  the process: ready after {started:.2f} s; {before:.0f} MB at first, {_resident_mb(process.pid):.0f} MB after "
        f"{len(requests)} hands of all games; a request has {max(requests):,} bytes at most"
    )
    await end_child(process)


def _resident_mb(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=40)
    missed = measure(parser.parse_args().hands)
    asyncio.run(measure_process())
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main())
