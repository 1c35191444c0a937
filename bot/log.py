"""Logging: one line per record, a stable key and its fields; never a card or a token.

A message is a key that one can search for, and what varies is in `extra`:
``log.info("commands_synced", extra={"commands": 45})`` prints ``… commands_synced  commands=45``, or as JSON
``{"at": …, "level": "INFO", "logger": "bot.app", "message": "commands_synced", "commands": 45}``.

Every line that an interaction causes carries its id, at the table and in what is sent too: one search finds a whole click.
"""

import contextlib
import json
import logging
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TextIO

from bot.runtime.request import INTERACTION

_STANDARD_ATTRIBUTES = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {
    "message",
    "asctime",
    "taskName",
}
_LEADING_FIELDS = ("table", "hand", "seat")
HIDDEN = "[hidden]"
_PRIVATE_FIELDS = frozenset({
    "cards", "deck", "designations", "down", "down_indices", "held_card_indices", "held_cards", "hole_cards", "master", "nonce", "own",
    "secret", "secret_choices", "token", "up_indices", "view",
})  # fmt: skip
# The tokens of a bot, an interaction and a webhook, by their shape.
_TOKENS = re.compile(
    r"[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}"
    r"|(?<=/webhooks/)(\d+)/[\w-]{20,}"
    r"|(?<=/interactions/)(\d+)/[\w-]{20,}"
    r"|\baW50ZXJhY3Rpb246[\w=-]{20,}"
)


class LineFormatter(logging.Formatter):
    """Formats a record as one line: time, level, logger, key, then its fields. A traceback follows below."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s  %(message)s", "%Y-%m-%d %H:%M:%S")
        self._secrets = tuple(secret for secret in secrets if len(secret) >= 8)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (the name is logging's)
        line = super().formatMessage(record)
        fields = " ".join(f"{name}={_format_value(value)}" for name, value in record_fields(record).items())
        return f"{line}  {fields}" if fields else line

    def format(self, record: logging.LogRecord) -> str:
        return self.hide_secrets(super().format(record))

    def hide_secrets(self, text: str) -> str:
        """Replace every secret and every token in a text."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _TOKENS.sub(lambda found: f"{found[1] or found[2]}/{HIDDEN}" if found[1] or found[2] else HIDDEN, text)


class JsonFormatter(LineFormatter):
    """Formats a record as one line of JSON: when, level, logger and key, then its fields; a traceback is one of them."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in record_fields(record).items() if name not in line}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        if record.stack_info:
            line["stack"] = self.formatStack(record.stack_info)
        plain = {name: self._plain(value) for name, value in line.items()}
        return json.dumps(plain, ensure_ascii=False)

    def _plain(self, value: object) -> object:
        """Return a value as JSON has it; secrets are hidden before quotes could split them."""
        if value is None or isinstance(value, bool | int | float):
            return value
        return self.hide_secrets(str(value))


def record_fields(record: logging.LogRecord) -> dict[str, object]:
    """Return the fields of a record: table, hand and seat first. A field whose name stands for cards or a secret is hidden."""
    fields = {name: value for name, value in record.__dict__.items() if name not in _STANDARD_ATTRIBUTES}
    ordered = {name: fields.pop(name) for name in _LEADING_FIELDS if name in fields} | fields
    if interaction := INTERACTION.get():
        ordered["interaction"] = interaction
    return {name: HIDDEN if name in _PRIVATE_FIELDS else value for name, value in ordered.items()}


class _SafeHandler(logging.StreamHandler[TextIO]):
    """Writes lines. One that cannot be formatted is told by its place in the program: Python would print the values on standard error."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  (the name is logging's)
        with contextlib.suppress(OSError, ValueError):  # where standard error is gone there is no place left to say so
            self.stream.write(f"log_line_failed {record.name} {record.pathname}:{record.lineno}{self.terminator}")


def set_up_logging(
    level: str = "INFO", *, secrets: Iterable[str] = (), stream: TextIO | None = None, as_json: bool = False
) -> logging.Handler:
    """Log to standard error, or to `stream`. The level is that of the program's own lines.

    Libraries log from warnings on, discord.py at DEBUG from INFO on, and never more: one level below, discord.py and aiohttp write whole
    requests and events, hole cards and tokens included, and aiosqlite every statement with its values.

    Args:
        secrets: words that are never written, for example the bot's token.
        as_json: one JSON object a line, instead of text.
    """
    handler = _SafeHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter(secrets) if as_json else LineFormatter(secrets))
    root = logging.getLogger()
    for old in root.handlers[:]:
        if isinstance(old.formatter, LineFormatter):
            root.removeHandler(old)
    root.addHandler(handler)
    lowest = logging.getLevelNamesMapping()[level]
    root.setLevel(max(lowest, logging.WARNING))
    for name in ("bot", "cogs"):
        logging.getLogger(name).setLevel(lowest)
    logging.getLogger("discord").setLevel(logging.INFO if lowest == logging.DEBUG else logging.NOTSET)
    return handler


def _format_value(value: object) -> str:
    text = str(value)
    return repr(text) if " " in text or not text else text
