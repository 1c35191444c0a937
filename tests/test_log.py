"""Log lines have a key and fields, without cards or tokens."""

import ast
import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.log import HIDDEN, set_up_logging

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA.GabcdE.abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def told() -> Iterator[io.StringIO]:
    """Return the lines that have been logged so far."""
    text = io.StringIO()
    root = logging.getLogger()
    level = root.level
    handler = set_up_logging("INFO", secrets=("sesame-sesame",), stream=text)
    yield text
    root.removeHandler(handler)
    root.setLevel(level)


def test_fields_follow_the_message_table_hand_and_seat_first(told: io.StringIO) -> None:
    logging.getLogger("bot.runtime").info("a turn ran out", extra={"late_ms": 3, "seat": 4, "table": 1, "hand": 17})
    assert told.getvalue().endswith("INFO    bot.runtime  a turn ran out  table=1 hand=17 seat=4 late_ms=3\n")


def test_cards_and_secrets_are_always_hidden(told: io.StringIO) -> None:
    logging.getLogger("bot").warning("no", extra={"hole_cards": "As Ad", "deck": (1, 2), "token": "x"})
    assert "As" not in told.getvalue() and "(1, 2)" not in told.getvalue()
    assert told.getvalue().count(HIDDEN) == 3


def test_messages_to_players_are_not_logged_at_debug(told: io.StringIO) -> None:
    """discord.py writes what it sends and receives: *POST … with {"components": [… # K♥ 7♣ …]}*."""
    handler = set_up_logging("DEBUG", stream=told)
    try:
        for name in ("discord.http", "discord.webhook.async_", "discord.gateway"):
            logging.getLogger(name).debug("%s %s with %s", "POST", "/channels/1/messages", "king_of_hearts")
        logging.getLogger("discord.client").debug("dispatching")
    finally:
        logging.getLogger().removeHandler(handler)
        set_up_logging("INFO", stream=told)
    assert "king_of_hearts" not in told.getvalue()
    assert "dispatching" in told.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        f"login with {TOKEN} failed",
        "POST https://discord.com/api/v10/webhooks/123456/aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTA= has answered 404",
        "POST https://discord.com/api/v10/interactions/123456/aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTA/callback",
        "the word is sesame-sesame",
    ],
)
def test_tokens_are_never_written(told: io.StringIO, text: str) -> None:
    try:
        raise RuntimeError(text)
    except RuntimeError:
        logging.getLogger("discord.http").exception("failed: %s", text)
    for secret in (TOKEN, "aW50ZXJhY3Rpb246", "sesame"):
        assert secret not in told.getvalue()
    assert HIDDEN in told.getvalue()


def test_setting_up_twice_writes_once(told: io.StringIO) -> None:
    again = io.StringIO()
    handler = set_up_logging("INFO", stream=again)
    logging.getLogger("bot").info("once")
    logging.getLogger().removeHandler(handler)
    assert told.getvalue() == ""
    assert again.getvalue().count("once") == 1


def test_every_message_is_a_key_with_fields() -> None:
    """The stand-in of `bot.local` is a program of its own."""
    root = Path(__file__).parents[1]
    files = [path for room in ("bot", "cogs") for path in (root / room).rglob("*.py") if "local" not in path.parts]
    wrong = [
        f"{path.relative_to(root)}:{node.lineno}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).startswith("log.")
        and not (len(node.args) == 1 and re.fullmatch(r"'[a-z]+(_[a-z]+)+'", ast.unparse(node.args[0])))
    ]
    assert wrong == []
