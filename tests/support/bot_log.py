"""The log that a started bot would write."""

import io
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bot.log import set_up_logging


@contextmanager
def bot_log(level: str, *, secrets: Iterable[str] = (), as_json: bool = False) -> Iterator[io.StringIO]:
    """Log as a bot that was started with `CARDROOM_LOG` at this level; give what it has written. Afterwards all is as before."""
    lines = io.StringIO()
    levels = {logger: logger.level for logger in map(logging.getLogger, (None, "bot", "cogs", "discord"))}
    handler = set_up_logging(level, secrets=secrets, stream=lines, as_json=as_json)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)
        for logger, before in levels.items():
            logger.setLevel(before)
