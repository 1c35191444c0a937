"""The check against Discord's OpenAPI document: it finds errors, and it is quick."""

from __future__ import annotations

import copy
import re
import time
from typing import Any

import pytest

from bot.local.rest_server import RequestRecord
from tests.local.sample_bot import SampleBot
from tests.support.discord_double import Discord
from tests.support.openapi import OpenApi, discord_openapi


@pytest.fixture
def openapi() -> OpenApi:
    return discord_openapi()


def click(**data: Any) -> RequestRecord:
    route = "POST /interactions/{id}/{token}/callback"
    return RequestRecord(0, "POST", "/", route, 204, 0, 0, {"type": 7, "data": data}, 0, None)


def row(**button: Any) -> dict[str, Any]:
    return {"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "x", **button}]}


@pytest.mark.parametrize(
    ("data", "error"),
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
def test_invalid_request_gives_violation(openapi: OpenApi, data: Any, error: str) -> None:
    (first, *_) = openapi.violations(click(**data))
    assert re.search(error, first), first


def test_valid_request_gives_no_violation(openapi: OpenApi) -> None:
    assert openapi.violations(click(content="x" * 2000, components=[row(label="x" * 80)], flags=1 << 15)) == []
    assert openapi.violations(click(content=None, components=None)) == []


def test_unknown_route_or_status_gives_violation(openapi: OpenApi) -> None:
    unknown = click()._replace(route="GET /no/such/{route}")
    assert openapi.violations(unknown) == ["GET /no/such/{route}: Discord has no such route"]
    wrong_status = click()._replace(status=201)
    assert "status 201 is not in the document" in openapi.violations(wrong_status)[0]


async def test_answers_are_checked_too_and_quickly(double: Discord, bot: SampleBot, openapi: OpenApi) -> None:
    await double.you.slash("table open")
    record = next(e for e in double.requests if e.path.endswith("/callback"))
    assert openapi.violations(record) == []
    damaged = copy.deepcopy(record)
    del damaged.response_body["resource"]["message"]["author"]
    assert "author is missing" in openapi.violations(damaged)[0]
    started = time.process_time()
    for _ in range(50):
        openapi.violations(record)
    assert time.process_time() - started < 1.0, "each check takes about a millisecond"
