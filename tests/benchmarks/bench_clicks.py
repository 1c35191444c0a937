"""Measure clicks per second over loopback, with the action saved and the table redrawn, against bare bots that only answer.

    pytest -m bench -n0 -s tests/benchmarks/bench_clicks.py      or      python -m tests.benchmarks.bench_clicks

Stand-in on core 0, bot on core 1 where there are two; 100 tables, rate limits off. All figures are medians of passes in one run.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.clicking_bots import SEATS
from tests.e2e.test_budget import cost_report, spent_on_a_hand

TABLES = 100
SECONDS = 4.0
PASSES = 3
KEY = "bench"
TO_ACT_PATTERN = r"▶ <@(\d+)> \*\*to act"


class Line:
    """The stand-in's control address."""

    def __init__(self, ready: dict[str, Any]) -> None:
        self.ready = ready

    def do(self, name: str, /, **how: Any) -> Any:
        body = json.dumps({"do": name, **how}).encode()
        request = urllib.request.Request(self.ready["control"], body, {"X-Control-Key": KEY})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)


def _pinned(core: int) -> list[str]:
    return ["taskset", "-c", str(core)] if (os.cpu_count() or 1) > 1 and sys.platform == "linux" else []


@contextmanager
def _process(core: int, *arguments: str, wait_for: str) -> Iterator[tuple[str, int]]:
    process = subprocess.Popen([*_pinned(core), sys.executable, "-m", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if wait_for in line:
                break
        else:
            raise RuntimeError(f"{arguments[0]} ended")
        yield line, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def measure(kind: str, tables: int = TABLES, seconds: float = SECONDS, passes: int = PASSES) -> dict[str, float]:
    """Click one kind of bot. Returns clicks per second and the delay of the answer, medians over the passes."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        standin = (
            "tests.support.controlled_stand_in",
            "--data",
            str(data / "standin"),
            "--no-limits",
            "--control",
            KEY,
        )
        with _process(0, *standin, wait_for='"ready"') as (line, _):
            ready = json.loads(line)
            control = Line(ready)
            guild = control.do("guilds")[0]["id"]
            channels = [control.do("add_channel", name=f"table-{number}")["id"] for number in range(tables)]
            users = [control.do("add_person", name=f"Player {number + 1}")["id"] for number in range(SEATS)]
            place = json.dumps({"channels": channels, "users": users, "guild": guild})
            bot = ("tests.benchmarks.clicking_bots", kind, str(data / "bot"), json.dumps(ready), place)
            with _process(1, *bot, *_extra(), wait_for="ready") as (_, pid):
                if kind.startswith("dealer"):
                    lanes = [
                        {"channel": channel, "buttons": [":check$", ":call"], "user_pattern": TO_ACT_PATTERN}
                        for channel in channels
                    ]
                else:
                    lanes = [{"channel": channel, "buttons": ["^Check$"], "user": users[0]} for channel in channels]
                control.do("click_repeatedly", lanes=lanes, seconds=1.0)
                control.do("counts", clear=True)
                cpu = _cpu_seconds(pid)
                found = [control.do("click_repeatedly", lanes=lanes, seconds=seconds) for _ in range(passes)]
                counts = control.do("counts")
                cpu = _cpu_seconds(pid) - cpu
    assert not any(one["failed"] for one in found), found
    clicks = sum(one["clicks"] for one in found)
    others = sum(count for name, count in counts.items() if "/callback" not in name)
    return {
        "per_second": statistics.median(one["per_second"] for one in found),
        "p50_ms": statistics.median(one["p50_ms"] for one in found),
        "p99_ms": statistics.median(one["p99_ms"] for one in found),
        "cpu_ms": 1000 * cpu / max(clicks, 1),
        "others_per_click": others / max(clicks, 1),
    }


def _cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used so far; 0 where that cannot be seen."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    used = stat.read_text().rpartition(")")[2].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


def _extra() -> tuple[str, ...]:
    return ("--profile",) if "--profile" in sys.argv else ()


def report(tables: int = TABLES, seconds: float = SECONDS, passes: int = PASSES) -> dict[str, dict[str, float]]:
    """Measure all bots and print a table. Returns the figures."""
    found = {kind: measure(kind, tables, seconds, passes) for kind in ("bare", "view", "dealer", "dealer-dms")}
    bare, bare_cpu = found["bare"]["per_second"], found["bare"]["cpu_ms"]
    names = {
        "bare": "bare bot, same call, same layout",
        "view": "bare bot, stored view",
        "dealer": "Cardroom, DMs off",
        "dealer-dms": "Cardroom, DMs on",
    }
    print(f"\nclicks over loopback, {tables} tables")
    for kind, figures in found.items():
        print(
            f"  {names[kind]:34} {figures['per_second']:7,.0f}/s  {figures['per_second'] / bare:5.0%} of bare  "
            f"{figures['cpu_ms']:.2f} ms CPU a click ({bare_cpu / max(figures['cpu_ms'], 1e-9):4.0%})  "
            f"p50 {figures['p50_ms']:5.1f} ms  p99 {figures['p99_ms']:5.1f} ms  "
            f"{figures['others_per_click']:.2f} other requests a click"
        )
    with tempfile.TemporaryDirectory() as folder:
        print("  " + cost_report(asyncio.run(spent_on_a_hand(Path(folder)))))
    return found


@pytest.mark.bench
def test_clicks_per_second() -> None:
    """The dealer does at least half of what a bare bot does, with the action durable and the table redrawn."""
    report()


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        print(sys.argv[1], measure(sys.argv[1], passes=1))
    else:
        report()
