"""Setup for all tests: hypothesis draws the same examples every time, and new ones where the long tests are asked for.

What a test writes lies in memory where the system has room there. A commit waits until it is on the disk, and thousands of commits would
be most of the time of the tests. What is about the disk asks for `disk_folder`.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", deadline=None)

MEMORY = Path("/dev/shm")
ENOUGH_MEMORY = 2 << 30
"""Bytes. A container can have as little as 64 MB there."""


def pytest_configure(config: pytest.Config) -> None:
    """Choose hypothesis' profile by the marks asked for, and where `tmp_path` lies."""
    asked = str(config.getoption("markexpr"))
    settings.load_profile("new" if asked.startswith("full") else "same")
    if os.access(MEMORY, os.W_OK | os.X_OK) and shutil.disk_usage(MEMORY).free >= ENOUGH_MEMORY:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # --basetemp is stronger


@pytest.fixture
def disk_folder() -> Iterator[Path]:
    """A folder on the disk, for what is about it: a process is killed while it waits for the disk, a file is locked."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)
