"""Log lines have a key and fields, without cards or tokens."""

import ast
import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.log import HIDDEN, LineFormatter, set_up_logging
from bot.runtime.request import INTERACTION
from tests.support.bot_log import bot_log

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA.GabcdE.abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Return the lines that have been logged so far."""
    with bot_log("INFO", secrets=("sesame-sesame",)) as lines:
        yield lines


def test_fields_follow_the_message_table_hand_and_seat_first(lines: io.StringIO) -> None:
    logging.getLogger("bot.runtime").info("a turn ran out", extra={"late_ms": 3, "seat": 4, "table": 1, "hand": 17})
    assert lines.getvalue().endswith("INFO    bot.runtime  a turn ran out  table=1 hand=17 seat=4 late_ms=3\n")


def test_cards_and_secrets_are_always_hidden(lines: io.StringIO) -> None:
    logging.getLogger("bot").warning("no", extra={"hole_cards": "As Ad", "deck": (1, 2), "token": "x"})
    assert "As" not in lines.getvalue() and "(1, 2)" not in lines.getvalue()
    assert lines.getvalue().count(HIDDEN) == 3


@pytest.mark.parametrize(
    "text",
    [
        f"login with {TOKEN} failed",
        "POST https://discord.com/api/v10/webhooks/123456/aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTA= has answered 404",
        "POST https://discord.com/api/v10/interactions/123456/aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTA/callback",
        "the word is sesame-sesame",
    ],
)
def test_tokens_are_never_written(lines: io.StringIO, text: str) -> None:
    try:
        raise RuntimeError(text)
    except RuntimeError:
        logging.getLogger("discord.http").exception("failed: %s", text)
    for secret in (TOKEN, "aW50ZXJhY3Rpb246", "sesame"):
        assert secret not in lines.getvalue()
    assert HIDDEN in lines.getvalue()


def test_setting_up_twice_writes_once(lines: io.StringIO) -> None:
    again = io.StringIO()
    handler = set_up_logging("INFO", stream=again)
    logging.getLogger("bot").info("once")
    logging.getLogger().removeHandler(handler)
    assert lines.getvalue() == ""
    assert again.getvalue().count("once") == 1


@pytest.mark.parametrize(
    "library",
    [
        "discord.http",
        "discord.gateway",
        "discord.webhook.async_",
        "discord.client",
        "aiohttp.client",
        "aiosqlite",
        "asyncio",
    ],
)
def test_debug_lines_of_libraries_are_never_written(library: str) -> None:
    """They hold whole messages: discord.http prints each DM, discord.gateway each event, aiosqlite each statement."""
    with bot_log("DEBUG") as lines:
        logging.getLogger("bot.line").debug("own_line")
        logging.getLogger(library).debug("POST /messages with %s", '{"content": "ace_of_spades"}')
        logging.getLogger(library).warning("slow")
    written = lines.getvalue()
    assert "own_line" in written and "slow" in written
    assert "ace" not in written


def test_every_message_is_a_key_with_fields() -> None:
    """The stand-in of `bot.local` is a program of its own."""
    root = Path(__file__).parents[1]
    files = [path for room in ("bot", "cogs") for path in (root / room).rglob("*.py") if "local" not in path.parts]
    wrong = [
        f"{path.relative_to(root)}:{node.lineno}"
        for path in files
        if re.search(r"\blog\b", text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).startswith("log.")
        and not (len(node.args) == 1 and re.fullmatch(r"'[a-z]+(_[a-z]+)+'", ast.unparse(node.args[0])))
    ]
    assert wrong == []


def test_json_lines_hold_fields_interaction_and_no_secret() -> None:
    with bot_log("INFO", secrets=("sesame-sesame",), as_json=True) as lines:
        outside = INTERACTION.set("1234567890")
        try:
            raise RuntimeError(f'login with "{TOKEN}" and sesame-sesame failed')
        except RuntimeError:
            logging.getLogger("bot.app").exception("login_failed", extra={"table": 7, "deck": (1, 2), "error": TOKEN})
        finally:
            INTERACTION.reset(outside)
        logging.getLogger("bot.app").info("commands_synced")
    first, second = (json.loads(line) for line in lines.getvalue().splitlines())
    assert (first["message"], first["level"], first["logger"]) == ("login_failed", "ERROR", "bot.app")
    assert (first["table"], first["interaction"], first["deck"], first["error"]) == (7, "1234567890", HIDDEN, HIDDEN)
    assert first["traceback"].endswith(f'RuntimeError: login with "{HIDDEN}" and {HIDDEN} failed')
    assert "interaction" not in second


def test_line_that_cannot_be_formatted_tells_no_value(capsys: pytest.CaptureFixture[str]) -> None:
    with bot_log("INFO") as lines:
        (handler,) = [one for one in logging.getLogger().handlers if isinstance(one.formatter, LineFormatter)]
        handler.handle(
            logging.LogRecord("discord.http", logging.INFO, "http.py", 7, "%d is late", ("ace_of_spades",), None)
        )
    assert lines.getvalue() == "log_line_failed discord.http http.py:7\n"
    assert capsys.readouterr() == ("", "")
