"""Setup for all tests: hypothesis draws the same examples every time, and new ones where the long tests are asked for.

There are half as many workers again as there are cores: browsers and processes of their own are waited for. Evenings without them wait for
nothing, see `pytest_asyncio_loop_factories`. The process that gives them their tests imports nothing of the program: they begin after it.

What a test writes lies in memory where the system has room there. A commit waits until it is on the disk, and thousands of commits would
be most of the time of the tests. What is about the disk asks for `disk_folder`.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import gc
import importlib
import inspect
import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

MEMORY = Path("/dev/shm")
DAY_MS = 24 * 3_600_000
ENOUGH_MEMORY = 2 << 30
"""Bytes. A container can have as little as 64 MB there."""
LONGEST_TEST = 300
"""Seconds. The longest takes a tenth of that on a quiet machine."""
real_stderr = pytest.StashKey[int]()
watched_since = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the tests of store and runtime be run on another engine too."""
    parser.addoption(
        "--database",
        choices=["sqlite", "postgresql"],
        default="sqlite",
        help="what evenings are kept in; a store's contract runs on it and on SQLite",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose where `tmp_path` lies."""
    gc.disable()  # nothing that is imported or collected is garbage; `pytest_collection_finish` enables it
    keep_bytecode()
    if os.access(MEMORY, os.W_OK | os.X_OK) and shutil.disk_usage(MEMORY).free >= ENOUGH_MEMORY:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # --basetemp is stronger
    config.stash[real_stderr] = os.dup(2)  # before what tests write there is captured


def keep_bytecode() -> None:
    """Keep bytecode even where Python is told to write none, as it often is in containers.

    Otherwise every worker, and every process that a test starts, would compile the whole program again, and rewrite all asserts. It lies
    beside the sources as always, where Python finds what pip has compiled of the libraries, too.
    """
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Choose hypothesis' profile by the marks asked for, where tests are run."""
    if session.config.pluginmanager.has_plugin("dsession"):
        return  # other processes run them
    from hypothesis import settings

    settings.register_profile("same", derandomize=True, deadline=None)
    settings.register_profile("new", deadline=None)
    settings.load_profile("new" if str(session.config.getoption("markexpr")).startswith("full") else "same")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each worker begin to import the tests elsewhere.

    In a new clone there is no bytecode. Workers that went through the tests in the same order would all rewrite the asserts of one file at
    the same time, then of the next: most of a minute. So each does this for a part of them, and finds the bytecode of the others.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    root = session.config.rootpath
    folders = [Path(argument).resolve() for argument in session.config.args]
    paths = sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("test_*.py"))
    number, count = (
        int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw")),
        int(os.environ["PYTEST_XDIST_WORKER_COUNT"]),
    )
    first = len(paths) * number // count
    for path in (*paths[first:], *paths[:first]):
        with contextlib.suppress(Exception, pytest.skip.Exception):  # it is collected after this, and reported then
            importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Half as many workers again as there are cores, for while the others wait. A number in the environment is taken as it is."""
    cores = yield
    return cores if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else cores + (cores + 1) // 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let tests that wait for processes begin: at the end nothing would be left to do meanwhile.

    Those that are about the other engine are left out: whatever asks for a server is about PostgreSQL.
    """
    for item in items:
        if "postgres" in getattr(item, "fixturenames", ()):
            item.add_marker("postgresql")
    other = "postgresql" if config.getoption("database") == "sqlite" else "sqlite"
    left = [item for item in items if item.get_closest_marker(other)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not item.get_closest_marker(other)]
    items.sort(key=lambda item: item.get_closest_marker("real_time") is None)


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Give evenings a loop whose time jumps while nothing happens, so that they never wait, and a busy machine changes nothing in them."""
    if is_quick(item):
        from tests.support.quick_loop import QuickLoop

        return {"quick": QuickLoop}
    return {"usual": asyncio.new_event_loop}


def is_quick(item: pytest.Item) -> bool:
    """Return whether a test runs in a quick loop: evenings do, but for those with a thread, a process or a browser of their own."""
    is_evening = item.path.parent.name in {"e2e", "surfaces", "runtime"} and inspect.iscoroutinefunction(
        getattr(item, "function", None)
    )
    return is_evening and item.get_closest_marker("real_time") is None


@pytest.fixture(autouse=True)
def quick_loop_parts(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a quick loop needs: it is told of the threads that work for it, and nothing beats in a thread whose time does not jump."""
    if not is_quick(request.node):
        yield
        return
    from bot.local import gateway
    from tests.support.quick_loop import watched_databases

    with watched_databases(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(gateway, "HEARTBEAT_MS", DAY_MS)
        yield


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a PostgreSQL server. Where none can be had the test is skipped; where everything must be tested it fails."""
    from tests.support.postgres import postgres_server, what_is_missing

    missing = what_is_missing()
    if missing and (os.environ.get("CI") == "true" or request.config.getoption("database") != "sqlite"):
        pytest.fail(missing)
    if missing:
        pytest.skip(missing)
    with postgres_server() as address:
        yield address


@pytest.fixture(autouse=True, scope="session")
def database(request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep evenings in what is asked for."""
    if request.config.getoption("database") == "sqlite":
        yield
        return
    from tests.support.engines import SERVER

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SERVER, request.getfixturevalue("postgres"))
        yield


@pytest.fixture(autouse=True)
def no_schema_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Forget what an evening has kept in a server."""
    yield
    if request.config.getoption("database") != "sqlite":
        from tests.support.engines import forget_schemas

        forget_schemas()


@pytest.fixture(autouse=True, scope="module")
def new_data_files(request: pytest.FixtureRequest) -> Iterator[None]:
    """Copy a new data file, except where the store itself is tested: there the migrations make it."""
    if request.path.parent.name == "store":
        yield
        return
    from tests.support.ready_files import ready_files

    with ready_files():
        yield


def pytest_collection_finish() -> None:
    """What has been collected stays to the end: the garbage collector need not look through it again and again.

    What evenings leave in circles may wait for it longer than usual: that is a tenth of their time.
    """
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()


def watch(item: pytest.Item) -> None:
    """End the process of a test that never ends, after it has told where it stands: otherwise nobody would learn which test it is.

    A new worker goes on with the next test. A debugger and the long figures take their time.
    """
    now = time.monotonic()
    if item.config.getoption("usepdb") or item.get_closest_marker("full") or item.get_closest_marker("bench"):
        faulthandler.cancel_dump_traceback_later()
        item.config.stash[watched_since] = -math.inf
    elif now - item.config.stash.get(watched_since, -math.inf) > 30:  # a thread is begun: not for each test
        faulthandler.dump_traceback_later(LONGEST_TEST, exit=True, file=item.config.stash[real_stderr])
        item.config.stash[watched_since] = now


def pytest_unconfigure() -> None:
    """Nothing is watched any more."""
    faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Let a worker report how a test went, and its setting up and clearing away only where they went wrong.

    Otherwise six messages a test, with all that it logged, go to the process that counts the dots: a twentieth of the time.
    """
    watch(item)
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.passed:
            report.sections.clear()
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture
def disk_folder() -> Iterator[Path]:
    """A folder on the disk, for what is about it: a process is killed while it waits for the disk, a file is locked."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)
