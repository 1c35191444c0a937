"""The judge itself: it must find what is wrong, and be quick about it."""

from __future__ import annotations

import copy
import re
import time
from typing import Any

import pytest

from bot.local.exchange import Exchange
from tests.local.throwaway_bot import Throwaway
from tests.support.discord_double import Discord
from tests.support.openapi import OpenApi, discord_openapi


@pytest.fixture
def judge() -> OpenApi:
    found = discord_openapi()
    if found is None:
        pytest.skip("Discord's OpenAPI document is not beside the repository")
    return found


def click(**data: Any) -> Exchange:
    route = "POST /interactions/{id}/{token}/callback"
    return Exchange(0, "POST", "/", route, 204, 0, 0, {"type": 7, "data": data}, 0, None)


def row(**button: Any) -> dict[str, Any]:
    return {"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "x", **button}]}


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"content": "x" * 2001}, "2001 characters"),
        ({"content": 5}, "5 is not"),
        ({"components": [row(label="x" * 81)]}, r"components\[0\].components\[0\].label: 81 characters"),
        ({"components": [row(style=77)]}, "style"),
        ({"components": [{"type": 1}]}, "components is missing"),
        ({"components": [{"type": 55}]}, "type 55 is not one of"),
        ({"components": [{"type": 17, "components": [row(label="x")], "accent_color": -1}]}, "accent_color"),
        ({"flags": "64"}, "flags"),
        ({"attachments": [{}]}, "id is missing"),
        ({"allowed_mentions": {"parse": ["nobody"]}}, "parse"),
    ],
)
def test_it_finds_what_is_wrong(judge: OpenApi, data: Any, fault: str) -> None:
    (first, *_) = judge.violations(click(**data))
    assert re.search(fault, first), first


def test_it_passes_what_is_right(judge: OpenApi) -> None:
    assert judge.violations(click(content="x" * 2000, components=[row(label="x" * 80)], flags=1 << 15)) == []
    assert judge.violations(click(content=None, components=None)) == []


def test_it_knows_the_routes(judge: OpenApi) -> None:
    unknown = click()._replace(route="GET /no/such/{route}")
    assert judge.violations(unknown) == ["GET /no/such/{route}: Discord has no such route"]
    wrong_status = click()._replace(status=201)
    assert "status 201 is not foreseen" in judge.violations(wrong_status)[0]


async def test_it_reads_answers_too_and_quickly(double: Discord, bot: Throwaway, judge: OpenApi) -> None:
    await double.you.slash("table open")
    exchange = next(e for e in double.requests if e.path.endswith("/callback"))
    assert judge.violations(exchange) == []
    spoilt = copy.deepcopy(exchange)
    del spoilt.answer["resource"]["message"]["author"]
    assert "author is missing" in judge.violations(spoilt)[0]
    started = time.process_time()
    for _ in range(50):
        judge.violations(exchange)
    assert time.process_time() - started < 1.0, "about a millisecond each"
