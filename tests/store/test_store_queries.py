"""What a new query of the store still lacks is named in words. The recipe is in .github/CONTRIBUTING.md."""

import inspect
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bot.store import queries, seasons, staff_log
from bot.store import store as stores
from bot.store.database import Database
from bot.store.store import Store

ROOT = Path(__file__).parents[2]
QUERIES = (queries, staff_log, seasons)
"""The files whose functions answer for the store."""


def queries_of(module: Any) -> dict[str, Callable[..., object]]:
    """Return the functions of a file that read: they take a connection that cannot write, and write nothing."""
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and next(iter(inspect.signature(function).parameters.values())).annotation is Database
        and "INSERT" not in inspect.getsource(function)
        and "DELETE" not in inspect.getsource(function)
    }


def missing_for_queries(functions: Iterable[Callable[..., object]]) -> list[str]:
    """Return what queries lack: a method of the store, a docstring, a test."""
    program = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "bot").rglob("*.py")) if path.parent.name != "local"
    )
    tests = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py")))
    methods = {getattr(method, "__wrapped__", None): name for name, method in vars(Store).items()}
    missing = []
    for function in functions:
        file = function.__module__.rpartition(".")[2]
        name = methods.get(function)
        if name is None and program.count(f"{function.__name__}(") < 2:
            missing.append(f"{function.__name__}: nobody can ask it; add a line `… = _reads({file}.…)` to `Store`")
        if name is not None and not function.__doc__:
            missing.append(f"{function.__name__}: say in its docstring what it returns")
        if name is not None and f".{name}(" not in tests:
            missing.append(f"{function.__name__}: no test asks `store.{name}`; add one to tests/store/test_contract.py")
    return missing


def test_every_query_is_asked_described_and_tested() -> None:
    assert missing_for_queries(one for module in QUERIES for one in queries_of(module).values()) == []


def test_what_a_query_lacks_is_named() -> None:
    def chips_of_robots(db: sqlite3.Connection) -> int:
        return 0

    assert missing_for_queries([chips_of_robots]) == [
        "chips_of_robots: nobody can ask it; add a line `… = _reads(test_store_queries.…)` to `Store`"
    ]


def test_methods_of_the_store_are_described() -> None:
    undescribed = [name for name, method in vars(Store).items() if not name.startswith("_") and not method.__doc__]
    assert undescribed == [], f"say in {stores.__name__} what these do"
