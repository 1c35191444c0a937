"""The controls for tests: clicking fast, and recorded requests."""

from __future__ import annotations

from tests.local.sample_bot import SampleBot
from tests.support.discord_double import Discord


async def test_click_reports_its_duration(double: Discord, bot: SampleBot) -> None:
    await double.you.slash("table open", amount=40)
    message = double.controls.messages(double.channel("poker"))[-1]
    result = await double.controls.click(double.you.me["id"], double.channel("poker"), message["id"], "call:40")
    assert result["end"] == "done"
    assert 0 < result["ms"] < 3000
    await double.you.until("[Call 50]")


async def test_lanes_click_newest_matching_buttons_in_parallel(double: Discord, bot: SampleBot) -> None:
    ann = await double.person("Ann")
    for name in ("poker", "lobby"):
        await ann.go(name).slash("table open", amount=10)
    lanes = [
        {"channel": double.channel("poker"), "buttons": ["no such", "^call:"], "user": ann.me["id"]},
        {
            "channel": double.channel("lobby"),
            "buttons": ["Call"],
            "user": ann.me["id"],
            "user_pattern": r"<@(\d+)> calls",
        },
    ]
    result = await double.controls.click_repeatedly(lanes, seconds=5, clicks=20)
    assert result["clicks"] >= 20
    assert result["failed"] == 0
    assert result["p50_ms"] <= result["p99_ms"] <= result["max_ms"]
    assert result["per_second"] > 0
    at_rate = await double.controls.click_at_rate(lanes, per_second=100, seconds=0.2)
    assert at_rate["clicks"] > 5 and at_rate["failed"] == 0


async def test_records_have_routes_and_sizes(double: Discord, bot: SampleBot) -> None:
    double.forget_requests()
    await double.you.slash("hello")
    (request,) = double.controls.request_records(clear=True)
    assert request["route"] == "POST /interactions/{id}/{token}/callback"
    assert request["status"] == 200
    assert request["request_bytes"] > 10
    assert request["response_bytes"] > 100
    assert request["request_body"]["data"]["content"].startswith("hello")
    assert double.controls.counts(clear=True) == {request["route"]: 1}
    assert double.requests == []
