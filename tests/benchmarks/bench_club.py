"""Let a club live for a week of simulated time: 5,000 members, 40 tables, a farmer, a flooder and a host who never comes back.

The dealer is killed once an evening. Every noon the books are checked, to zero. Printed are the hands played, what the farmer has, how
long the requests of each server waited for the bot's limit, what was refused, and the memory at each noon.

    python -m tests.benchmarks.bench_club [--days 7] [--members 5000] [--tables 40] [--hours 2]
"""

import argparse
import asyncio
import resource
import tempfile
import time
from pathlib import Path

from bot.house.rules import HouseRules
from tests.runtime.club import CLUB, FLOODED, QUIET, Club

SERVERS = {CLUB: "the club", QUIET: "a quiet server", FLOODED: "the flooder's server"}


def resident_kib() -> int:
    """Return the memory of this process that is in use now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


class MeasuredClub(Club):
    """A club whose memory is read at each noon."""

    async def check(self) -> None:
        await super().check()
        print(f"noon: {self.hands:,} hands, {self.actions:,} actions, {resident_kib() / 1024:.0f} MiB", flush=True)


async def measure(days: float, members: int, tables: int, hours: float) -> None:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(
        dir="/dev/shm" if Path("/dev/shm").is_dir() else None
    ) as folder:  # the disk is not measured
        club = MeasuredClub(Path(folder), members=members, tables=tables, hours=hours)
        await club.begin()
        try:
            await club.run(days)
            farmed = await club.farmed()
        finally:
            await club.end()
    print(
        f"{days:g} days in {time.monotonic() - began:.0f} s: {club.hands:,} hands, {club.actions:,} actions of people, ",
        end="",
    )
    print(f"{club.timeouts:,} time-outs, {club.kills} kills; the books of all servers are at zero")
    print(
        f"the farmer with ten accounts of their own holds {farmed:,} chips; an honest newcomer begins with {HouseRules().opening_grant:,}"
    )
    print(f"the flooder has {club.flood_tables} tables at most")
    for (guild, priority), wait in sorted(club.waits.items()):
        mean = wait.total / wait.count
        print(
            f"  {SERVERS[guild]:<22} {priority.name:<8} {wait.count:>9,} requests  mean {mean:6.3f} s  longest {wait.longest:6.2f} s"
        )
    for (who, refusal), count in club.refusals.most_common(12):
        print(f"  refused {count:>7,} × {refusal} ({who})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=float, default=7)
    parser.add_argument("--members", type=int, default=5_000)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--hours", type=float, default=2)
    chosen = parser.parse_args()
    asyncio.run(measure(chosen.days, chosen.members, chosen.tables, chosen.hours))


if __name__ == "__main__":
    main()
