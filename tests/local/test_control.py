"""Clicking fast, and looking behind the curtain."""

from __future__ import annotations

from tests.local.throwaway_bot import Throwaway
from tests.support.discord_double import Discord


async def test_one_click_is_timed(double: Discord, bot: Throwaway) -> None:
    await double.you.slash("table open", amount=40)
    message = double.controls.messages(double.channel("poker"))[-1]
    result = await double.controls.fire(double.you.me["id"], double.channel("poker"), message["id"], "call:40")
    assert result["end"] == "done"
    assert 0 < result["ms"] < 3000
    await double.you.until("[Call 50]")


async def test_lanes_click_in_parallel_on_whatever_the_bot_draws_next(double: Discord, bot: Throwaway) -> None:
    ann = await double.person("Ann")
    for name in ("poker", "lobby"):
        await ann.go(name).slash("table open", amount=10)
    lanes = [
        {"channel": double.channel("poker"), "pick": ["no such", "^call:"], "user": ann.me["id"]},
        {"channel": double.channel("lobby"), "pick": ["Call"], "user": ann.me["id"], "who": r"<@(\d+)> calls"},
    ]
    result = await double.controls.load(lanes, seconds=5, clicks=20)
    assert result["clicks"] >= 20
    assert result["failed"] == 0
    assert result["p50_ms"] <= result["p99_ms"] <= result["max_ms"]
    assert result["per_second"] > 0


async def test_the_log_names_routes_and_counts_bytes(double: Discord, bot: Throwaway) -> None:
    double.forget_requests()
    await double.you.slash("hello")
    (request,) = double.controls.requests(clear=True)
    assert request["route"] == "POST /interactions/{id}/{token}/callback"
    assert request["status"] == 200
    assert request["sent_bytes"] > 10
    assert request["answered_bytes"] > 100
    assert request["body"]["data"]["content"].startswith("hello")
    assert double.controls.counts(clear=True) == {request["route"]: 1}
    assert double.requests == []
