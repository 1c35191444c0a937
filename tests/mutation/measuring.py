"""A plugin of pytest that notes which lines of a room each test executes, how long it takes, and whether it starts processes.

What a fixture of a module or a session executes counts for every test that uses it. Lines that are executed before the first test are those
of modules: constants, classes, tables.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

monitoring: Any = getattr(sys, "monitoring", None)  # of Python 3.12 and later
_TOOL = 4
"""A number of `monitoring` that no other tool uses."""


class LineNotes:
    """Notes the lines that are executed below some folders, by file."""

    def __init__(self, root: Path, folders: list[str]) -> None:
        self._root = f"{root}{os.sep}"
        self._folders = tuple(f"{root}{os.sep}{folder}{os.sep}" for folder in folders)
        self.lines: dict[str, set[int]] = {}
        monitoring.use_tool_id(_TOOL, "mutation")
        monitoring.register_callback(_TOOL, monitoring.events.LINE, self._on_line)
        monitoring.set_events(_TOOL, monitoring.events.LINE)

    def _on_line(self, code: CodeType, line: int) -> Any:
        name = code.co_filename
        if name.startswith(self._folders):
            self.lines.setdefault(name[len(self._root) :], set()).add(line)
        return monitoring.DISABLE

    def begin(self) -> dict[str, set[int]]:
        """Note into a new list. Returns the list until now."""
        before, self.lines = self.lines, {}
        monitoring.restart_events()
        return before

    def go_on(self, lines: dict[str, set[int]]) -> dict[str, set[int]]:
        """Note into an older list again. Returns the list until now."""
        noted, self.lines = self.lines, lines
        monitoring.restart_events()
        return noted


class Measuring:
    """Writes what was noted when the tests have ended."""

    def __init__(self, notes: LineNotes, file: Path) -> None:
        self._notes, self._file = notes, file
        self._module_lines: dict[str, set[int]] | None = None
        self._of_fixture: dict[int, dict[str, set[int]]] = {}
        self._tests: dict[str, dict[str, Any]] = {}
        self._passed: set[str] = set()
        self._starts_process = False
        sys.addaudithook(self._on_audit)

    def _on_audit(self, event: str, _: tuple[Any, ...]) -> None:
        if event in ("subprocess.Popen", "os.posix_spawn", "os.fork"):
            self._starts_process = True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        before = self._notes.begin()
        if self._module_lines is None:
            self._module_lines = before
        self._starts_process = False
        wall, cpu = time.perf_counter(), time.process_time()
        result = yield
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        all_lines = [self._notes.begin()]
        fixtures = getattr(item, "_fixtureinfo", None)
        for definitions in fixtures.name2fixturedefs.values() if fixtures is not None else ():
            all_lines += [self._of_fixture[id(one)] for one in definitions if id(one) in self._of_fixture]
        lines: dict[str, set[int]] = {}
        for one in all_lines:
            for file, numbers in one.items():
                lines.setdefault(file, set()).update(numbers)
        self._tests[item.nodeid] = {
            "wall": round(wall, 3),
            "cpu": round(cpu, 3),
            "processes": self._starts_process,
            "passed": False,
            "lines": {file: f"{sum(1 << number for number in numbers):x}" for file, numbers in lines.items()},
        }
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        if fixturedef.scope == "function":
            return (yield)
        outer = self._notes.begin()
        try:
            return (yield)
        finally:
            self._of_fixture[id(fixturedef)] = self._notes.go_on(outer)

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.outcome == "passed":
            self._passed.add(report.nodeid)

    @pytest.hookimpl
    def pytest_sessionfinish(self) -> None:
        monitoring.set_events(_TOOL, 0)
        for name, test in self._tests.items():
            test["passed"] = name in self._passed
        module_lines = {
            file: f"{sum(1 << line for line in lines):x}" for file, lines in (self._module_lines or {}).items()
        }
        self._file.write_text(json.dumps({"module": module_lines, "tests": self._tests}), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Begin before anything of the program is imported."""
    folders, file = os.environ["MUTATION_FOLDERS"], os.environ["MUTATION_NOTES"]
    config.pluginmanager.register(Measuring(LineNotes(config.rootpath, folders.split(",")), Path(file)))
