"""Short private answers: a plain notice, and a refusal."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.errors import TableError
from bot.render.message.panel import FINISHED, Panel, Text
from bot.text.refusals.wording import NO_NAMES, refusal_text


def refusal_panel(error: TableError, names: Mapping[int, str] = NO_NAMES) -> Panel:
    """Return a refusal as a message for the player alone. `names` are markdown-safe, by seat number."""
    return Panel(FINISHED, (Text(refusal_text(error, names)),))


def notice_panel(text: str) -> Panel:
    """Return a private answer of one text."""
    return Panel(FINISHED, (Text(text),))
