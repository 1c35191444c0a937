"""The message with which the dealer comes to a server."""

from collections.abc import Iterable

from bot import variants
from bot.render.message.custom_ids import page_id
from bot.render.message.panel import GREEN, LOBBY, Button, Buttons, Panel, Text
from bot.text import escape
from bot.text import greeting as words
from bot.text.language import t


def greeting_panel(grant: int, missing: Iterable[str], role: str) -> Panel:
    """Say who the dealer is, with one button that opens a table.

    Args:
        grant: the chips that everybody starts with.
        missing: the permissions that the dealer lacks in the channel.
        role: the name of its role.
    """
    text = words.greeting(len(variants.CATALOGUE), grant, missing, escape.name(role))
    button = Button(t(words.OPEN_TABLE_HERE), page_id("greeting", "open"), GREEN)
    return Panel(LOBBY, (Text(text), Buttons((button,))))


def cannot_write_panel(server: str, role: str) -> Panel:
    """Tell the owner of a server by DM that the dealer can write nowhere in it."""
    return Panel(LOBBY, (Text(words.cannot_write_text(escape.name(server), escape.name(role))),))
