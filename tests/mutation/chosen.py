"""A plugin of pytest that runs chosen tests in a chosen order, and ends the process at the first that takes far too long.

It ends with the tests: what one that failed has left open, such as the thread of a database, is not waited for.

What is chosen, and where the name of the test that runs is kept, stand in the environment.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path

import pytest


class Chosen:
    """Runs the tests of a list, each with its limits in seconds: by the clock, and of the processor."""

    def __init__(self, limits: dict[str, tuple[float, float]], running: Path) -> None:
        self._limits, self._running = limits, running
        self._status = int(pytest.ExitCode.INTERNAL_ERROR)  # if it ends before the tests

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in self._limits if name in by_name]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._running.write_text(item.nodeid, encoding="utf-8")
        wall, cpu = self._limits[item.nodeid]
        signal.setitimer(
            signal.ITIMER_REAL, wall
        )  # nobody handles these signals: they end the process, wherever it hangs
        signal.setitimer(signal.ITIMER_PROF, cpu)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self._status = int(exitstatus)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        sys.stdout.flush()
        os._exit(self._status)


def pytest_configure(config: pytest.Config) -> None:
    """Read what is chosen."""
    limits = json.loads(Path(os.environ["MUTATION_CHOSEN"]).read_text(encoding="utf-8"))
    config.pluginmanager.register(Chosen(limits, Path(os.environ["MUTATION_RUNNING"])))
