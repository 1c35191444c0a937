"""Memory of the local cardroom's stand-in before and after a stranger in the network attacks it. Goal: it grows by less than 5 MB.

The stranger knows no token and no link. They ask for long paths that nobody serves, send bodies of 25 MB to addresses with invented tokens,
invent host names, and hold connections that never say anything.

    python -m tests.benchmarks.bench_hostile [--requests 20000]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from tests.support.stand_in_process import ROOT

GOAL_MB = 5.0
SILENT_CONNECTIONS = 900
BIG_BODIES = 20
AT_ONCE = 50


def resident_mb(process_id: int) -> float:
    """Return the resident memory of a process. This works on Linux only."""
    pages = int(Path(f"/proc/{process_id}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _big_body() -> AsyncIterator[bytes]:
    for _ in range(25):
        yield b"x" * 1024 * 1024


async def attack(port: int, requests: int) -> dict[str, int]:
    """Send everything. Returns how often each status was answered; "cut" where the connection was closed."""
    answers: dict[str, int] = {}
    silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(SILENT_CONNECTIONS)]
    base = f"http://127.0.0.1:{port}"
    connector = aiohttp.TCPConnector(limit=AT_ONCE)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def send(method: str, path: str, **more: object) -> None:
            try:
                async with session.request(method, base + path, **more) as response:  # type: ignore[arg-type]
                    name = str(response.status)
            except (aiohttp.ClientError, ConnectionError):
                name = "cut"
            answers[name] = answers.get(name, 0) + 1

        for first in range(0, requests, AT_ONCE):
            waiting = []
            for number in range(first, min(first + AT_ONCE, requests)):
                match number % 4:
                    case 0:
                        waiting.append(send("GET", f"/api/v10/{number}/{'x' * 6000}"))
                    case 1:
                        waiting.append(send("POST", f"/api/v10/webhooks/1/token{number}", data=b"x" * 2000))
                    case 2:
                        waiting.append(send("GET", "/", headers={"Host": f"{number}{'y' * 200}.local"}))
                    case _:
                        waiting.append(send("GET", f"/p/{number}{'z' * 500}"))
            await asyncio.gather(*waiting)
        for number in range(BIG_BODIES):
            await send("POST", f"/api/v10/interactions/{number}/invented/callback", data=_big_body())
    for _, writer in silent:
        writer.transport.abort()
    return answers


async def run(requests: int) -> float:
    """Measure and print. Returns the growth in MB."""
    with tempfile.TemporaryDirectory() as folder:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.local", "--data", folder, stdout=asyncio.subprocess.PIPE, cwd=ROOT
        )
        try:
            assert process.stdout is not None
            await process.stdout.readline()
            port = int((Path(folder) / "ready.json").read_text().partition('"port": ')[2].partition(",")[0])
            await attack(port, requests // 10)  # what any use brings into memory, such as code and buffers
            before = resident_mb(process.pid)
            answers = await attack(port, requests)
            after = resident_mb(process.pid)
        finally:
            process.terminate()
            await process.wait()
    print(f"{requests:,} hostile requests, {BIG_BODIES} bodies of 25 MB, {SILENT_CONNECTIONS} silent connections")
    print("answers: " + ", ".join(f"{name} {count:,}" for name, count in sorted(answers.items())))
    print(f"resident memory {before:.1f} MB -> {after:.1f} MB: {after - before:+.1f} MB; goal below {GOAL_MB:.0f} MB")
    return after - before


@pytest.mark.bench
def test_hostile_requests() -> None:
    asyncio.run(run(2000))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=20_000)
    asyncio.run(run(parser.parse_args().requests))
