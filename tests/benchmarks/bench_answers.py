"""How long people wait for the text of answers that have a picture: from the press of Enter until the words are on their page.

The dealer, the stand-in and the page run in this process; pictures are drawn by a process of its own, which is stopped in a second pass.

    python -m tests.benchmarks.bench_answers [--rounds 50]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import tempfile
import time
from pathlib import Path

from bot.pictures.maker import PictureMaker
from bot.warmup import warm_up
from tests.benchmarks.bench_pictures import percentile
from tests.e2e.bot_session import BotSession, bot_session
from tests.e2e.played_before import have_played
from tests.support.discord_double import Player

GOAL_MS = 300
"""The text is out within this at p99, on a quiet machine."""
ASKED = (("laws", {}), ("stats", {"page": "leaderboard"}), ("hand", {"number": "1"}), ("stats", {}))
SECONDS_BETWEEN = 0.1
"""Nobody asks for the next page in the same moment."""


async def played(room: BotSession) -> Player:
    """Somebody who has played a hand, and has statistics of more."""
    ann, bo, cy = await room.people("Ann", "Bo", "Cy")
    await have_played(room, {ann: 4_200, bo: -1_300, cy: -2_900}, 200)
    await room.open_and_sit(ann, bo, cy)
    await room.next_hand()
    await room.check_down(ann, bo, cy)
    await room.wait_for_text("wins")
    await room.wait_until_idle()
    return ann


async def measure(player: Player, rounds: int) -> dict[str, list[float]]:
    """Milliseconds until the text of each answer is there."""
    waited: dict[str, list[float]] = {}
    for _ in range(rounds):
        for command, options in ASKED:
            began = time.perf_counter()
            await player.slash(command, **options)
            waited.setdefault(" ".join((f"/{command}", *options.values())), []).append(
                (time.perf_counter() - began) * 1000
            )
            await asyncio.sleep(SECONDS_BETWEEN)
    return waited


def report(title: str, waited: dict[str, list[float]]) -> None:
    print(f"  {title}")
    for name, values in waited.items():
        p50, p99 = percentile(values, 50), percentile(values, 99)
        print(
            f"    {name:20} p50 {p50:6.1f}  p99 {p99:6.1f}  max {max(values):6.1f} ms   (goal p99 {GOAL_MS} ms"
            f"{'' if p99 <= GOAL_MS else ', missed'})"
        )


async def main(rounds: int) -> None:
    warm_up()
    maker = PictureMaker()
    with tempfile.TemporaryDirectory() as folder:
        async with bot_session(Path(folder), pictures=maker) as room:
            player = await played(room)
            await maker.wait_until_ready()
            await measure(player, 2)
            report("pictures are drawn", await measure(player, rounds))
            assert maker.worker_pid is not None
            os.kill(maker.worker_pid, signal.SIGSTOP)
            report("the drawing process is stopped", await measure(player, rounds))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    asyncio.run(main(parser.parse_args().rounds))
