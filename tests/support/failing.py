"""Something that fails once."""

from __future__ import annotations

from typing import Any

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
