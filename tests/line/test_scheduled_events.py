"""Requests about Discord's own events."""

from __future__ import annotations

from typing import Any

import pytest

from bot.line.scheduled_events import INTERESTED_MAX, ScheduledEventRequests


@pytest.mark.parametrize(("count", "read"), [(0, 0), (1, 1), (100, 100), (250, 250), (5_000, INTERESTED_MAX)])
async def test_everybody_interested_is_read_page_by_page(count: int, read: int) -> None:
    interested = [900 + at for at in range(count)]

    async def request(*_: object, params: dict[str, int]) -> list[dict[str, Any]]:
        following = [user for user in interested if user > params["after"]]
        return [{"user_id": str(user)} for user in following[: params["limit"]]]

    assert await ScheduledEventRequests(request).interested(1, 2) == frozenset(interested[:read])
