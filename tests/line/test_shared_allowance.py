"""Several processes share Discord's limit: a bucket says when a request can go, and the queue of each process whose it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from bot.line import shared_allowance
from bot.line.request_queue import LONG_LINE_SECONDS, Priority, RequestLine
from bot.line.request_slots import RequestSlots, Slot
from bot.line.shared_allowance import SharedAllowance
from bot.runtime.store_errors import StoreFailed

PROCESSES, PER_SECOND, BURST = 4, 400, 5


class Bucket:
    """A bucket as the database keeps it, for the tests of one process.

    Attributes:
        tokens: how many it has.
        asks: how often it was asked.
        is_away: it refuses to answer, by its fault.
        hangs: its answer does not come before this is set.
    """

    def __init__(self, tokens: int = 0) -> None:
        self.tokens, self.asks, self.is_away = tokens, 0, False
        self.fault: Exception = StoreFailed(reason="the database cannot be reached")
        self.hangs = asyncio.Event()
        self.hangs.set()

    async def take(self, most: int) -> int:
        self.asks += 1
        given = min(most, self.tokens)
        self.tokens -= given
        await self.hangs.wait()
        if self.is_away:
            raise self.fault
        return given

    async def close(self) -> None:
        self.tokens = 0


@pytest.fixture(autouse=True)
def _quick_to_give_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(shared_allowance, "ANSWER_SECONDS", 0.02)
    monkeypatch.setattr(shared_allowance, "ASK_AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(shared_allowance, "LATE_SECONDS", 0.02)
    yield


def slots_of(bucket: Bucket) -> tuple[RequestSlots, SharedAllowance]:
    allowance = SharedAllowance(bucket, PROCESSES, PER_SECOND, BURST)
    slots = RequestSlots(PER_SECOND, allowance)
    slots.open()
    return slots, allowance


async def gone(waiting: list[Slot], seconds: float) -> int:
    """Return how many of these requests have gone after a while."""
    await asyncio.sleep(seconds)
    return sum(slot.done() for slot in waiting)


async def test_requests_go_as_the_bucket_has_tokens() -> None:
    bucket = Bucket(tokens=3)
    slots, _ = slots_of(bucket)
    waiting = [slots.request(RequestLine(1), Priority.TABLE) for _ in range(5)]
    assert await gone(waiting, 0.1) == 3
    bucket.tokens = 9
    assert await gone(waiting, 0.2) == 5 and bucket.tokens == 7, "nobody takes what nobody needs"
    await slots.close()


async def test_servers_take_turns_at_the_tokens() -> None:
    bucket = Bucket(tokens=14)
    slots, _ = slots_of(bucket)
    flood = [slots.request(RequestLine(1), Priority.REDRAW) for _ in range(40)]
    quiet = [slots.request(RequestLine(2), Priority.REDRAW) for _ in range(2)]
    await asyncio.sleep(0.1)
    assert sum(slot.done() for slot in flood) == 12 and all(slot.done() for slot in quiet)
    await slots.close()


async def test_bucket_is_left_alone_while_nothing_waits() -> None:
    bucket = Bucket(tokens=9)
    slots, _ = slots_of(bucket)
    await slots.wait(RequestLine(1), Priority.TABLE)
    asks = bucket.asks
    await asyncio.sleep(0.2)
    assert bucket.asks == asks and bucket.tokens == 8
    await slots.close()


@pytest.mark.parametrize("how", ["refuses", "hangs", "has a fault"])
async def test_process_keeps_to_its_share_without_the_bucket(how: str) -> None:
    bucket = Bucket(tokens=1_000)
    bucket.is_away = how != "hangs"
    if how == "has a fault":
        bucket.fault = RuntimeError("a fault of ours")
    if how == "hangs":
        bucket.hangs.clear()
    slots, allowance = slots_of(bucket)
    waiting = [slots.request(RequestLine(1), Priority.TABLE) for _ in range(200)]
    await asyncio.sleep(0.05)  # until it is clear that nobody answers
    before = await gone(waiting, 0)
    share = await gone(waiting, 0.3) - before
    assert not allowance.is_shared and 10 <= share <= 0.3 * PER_SECOND / PROCESSES * 1.2
    bucket.is_away = False
    bucket.hangs.set()
    assert await gone(waiting, 0.3) == 200 and allowance.is_shared
    await slots.close()


async def test_tokens_that_come_late_are_not_used() -> None:
    """All processes would use theirs in one moment, beside those that are new."""
    bucket = Bucket(tokens=2)
    bucket.hangs.clear()
    slots, _ = slots_of(bucket)
    (first,) = waiting = [slots.request(RequestLine(1), Priority.TABLE)]
    assert await gone(waiting, 0.1) == 1, "of its own share"
    assert first.done()
    bucket.hangs.set()
    await asyncio.sleep(0.1)
    bucket.tokens = 0
    before = bucket.asks
    waiting = [slots.request(RequestLine(1), Priority.TABLE)]
    assert await gone(waiting, 0.1) == 0 and bucket.asks > before
    await slots.close()


async def test_line_is_long_where_others_use_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty waiting requests take a moment for one process alone, and long for one of four: what can be spared is spared."""
    monkeypatch.setattr(shared_allowance, "SHARE_SECONDS", 0.1)
    bucket = Bucket(tokens=1)
    slots, _ = slots_of(bucket)
    waiting = [slots.request(RequestLine(1), Priority.TABLE) for _ in range(60)]
    assert slots.queue.seconds < LONG_LINE_SECONDS
    await asyncio.sleep(0.3)
    bucket.tokens = 2
    await asyncio.sleep(0.1)
    assert len(slots.queue) > 40 and slots.queue.seconds > 0.5
    for slot in waiting:
        slot.cancel()
    await slots.close()
