"""What the dealer writes down about himself: one line a happening, with fields, and never a card of anybody's or a token.

Fields are given with `extra`: ``log.info("hand dealt", extra={"table": 3, "hand": 17})`` prints ``… hand dealt  table=3 hand=17``.
Source: style §8 "logs carry fields, never hole cards".
"""

import logging
import re
import sys
from collections.abc import Iterable
from typing import TextIO

_OWN = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {"message", "asctime", "taskName"}
_FIRST = ("table", "hand", "seat")
HIDDEN = "[hidden]"
_PRIVATE_FIELDS = frozenset({
    "cards", "deck", "down", "hole_cards", "master", "nonce", "own", "secret", "token", "view",
})  # fmt: skip
# A bot's token, an interaction's or a webhook's: long words of Discord's that open doors.
_TOKENS = re.compile(
    r"[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}"
    r"|(?<=/webhooks/)(\d+)/[\w-]{20,}"
    r"|(?<=/interactions/)(\d+)/[\w-]{20,}"
    r"|\baW50ZXJhY3Rpb246[\w=-]{20,}"
)


class Lines(logging.Formatter):
    """One line a record: time, level, logger, message, then its fields; a traceback below where there is one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s  %(message)s", "%Y-%m-%d %H:%M:%S")
        self._secrets = tuple(secret for secret in secrets if len(secret) >= 8)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (the name is logging's)
        line = super().formatMessage(record)
        told = fields(record)
        return f"{line}  {' '.join(f'{name}={_value(value)}' for name, value in told.items())}" if told else line

    def format(self, record: logging.LogRecord) -> str:
        return self.hide(super().format(record))

    def hide(self, text: str) -> str:
        """The text without tokens."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _TOKENS.sub(lambda found: f"{found[1] or found[2]}/{HIDDEN}" if found[1] or found[2] else HIDDEN, text)


def fields(record: logging.LogRecord) -> dict[str, object]:
    """The fields of a record: table, hand and seat first. What could tell a card or a secret is hidden, whoever wrote it there."""
    told = {name: value for name, value in record.__dict__.items() if name not in _OWN}
    ordered = {name: told.pop(name) for name in _FIRST if name in told} | told
    return {name: HIDDEN if name in _PRIVATE_FIELDS else value for name, value in ordered.items()}


def set_up(level: str = "INFO", *, secrets: Iterable[str] = (), to: TextIO | None = None) -> logging.Handler:
    """Log to standard error, or to `to`. Discord's own library is heard from warnings on, unless everything is asked for.

    Args:
        secrets: words that are never written, wherever they turn up: the bot's token.
    """
    handler = logging.StreamHandler(to or sys.stderr)
    handler.setFormatter(Lines(secrets))
    root = logging.getLogger()
    for old in root.handlers[:]:
        if isinstance(old.formatter, Lines):
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in ("discord", "aiohttp.access", "aiosqlite", "asyncio"):
        logging.getLogger(name).setLevel(logging.DEBUG if level == "DEBUG" and name == "discord" else logging.WARNING)
    return handler


def _value(value: object) -> str:
    text = str(value)
    return repr(text) if " " in text or not text else text
