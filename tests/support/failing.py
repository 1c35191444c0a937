"""Something that fails once, or hangs for ever."""

from __future__ import annotations

import asyncio
from typing import Any, Never

import pytest

from bot.runtime.store_errors import StoreFailed


def fail_once(monkeypatch: pytest.MonkeyPatch, of: object, name: str) -> None:
    """Let the next call of an asynchronous method fail, as if the disk was full."""
    method, failed = getattr(of, name), list[str]()

    async def once(*args: Any, **named: Any) -> Any:
        if not failed:
            failed.append(name)
            raise StoreFailed(reason="disk full")
        return await method(*args, **named)

    monkeypatch.setattr(of, name, once)


_HUNG: set[asyncio.Future[Never]] = set()


async def hang() -> Never:
    """Wait until the event loop ends, as what a killed process was doing never goes on.

    The wait is remembered: a task that nothing else refers to would be taken for garbage, and complained of in another test.
    """
    hung: asyncio.Future[Never] = asyncio.get_running_loop().create_future()
    _HUNG.add(hung)
    hung.add_done_callback(_HUNG.discard)
    return await hung
