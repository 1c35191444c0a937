"""Work that nobody awaits: what goes wrong in it is not lost."""

from __future__ import annotations

import asyncio

import pytest

from bot.background_tasks import BackgroundTasks


async def test_work_that_fails_is_logged_with_its_name_and_cause(caplog: pytest.LogCaptureFixture) -> None:
    tasks = BackgroundTasks()

    async def fail() -> None:
        raise OSError("the disk is full")

    tasks.run(fail(), "forget-dm")
    await tasks.finish(1.0)
    await asyncio.sleep(0)
    (record,) = caplog.records
    assert record.levelname == "ERROR" and "forget-dm" in record.getMessage() and record.exc_info is not None
    assert str(record.exc_info[1]) == "the disk is full"
    assert not tasks.pending
