"""Logging: one line for each event, with its fields behind it. Fields name tables, hands, seats and users, never a hole card.

Source: style §8.
"""

from __future__ import annotations

import logging
import sys

_KNOWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}
_CHATTY = ("discord", "aiohttp", "aiosqlite", "asyncio")


class FieldsFormatter(logging.Formatter):
    """Puts the fields given as ``extra`` behind the message, as ``table=3 hand=12``."""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={value}" for name, value in record.__dict__.items() if name not in _KNOWN)
        line = super().format(record)
        if not fields:
            return line
        first, _, rest = line.partition("\n")
        return f"{first} [{fields}]" + (f"\n{rest}" if rest else "")


def set_up_logging(level: str) -> None:
    """Log to standard error. Libraries are heard from warnings on, or at DEBUG from what they find worth saying."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(FieldsFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.INFO if level == "DEBUG" else logging.WARNING)
