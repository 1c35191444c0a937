"""Panels of tables that wait for hours or days."""

from bot.render.message.panel import WAITING, Panel, Text
from bot.runtime.snapshot import TableSnapshot
from bot.text.waiting import reminder_text


def reminder_panel(snapshot: TableSnapshot, link: str) -> Panel:
    """Remind somebody of their turn. `link`: the address of the table's message."""
    text = reminder_text(snapshot.address.channel, snapshot.current_turn, snapshot.hand, link)
    return Panel(WAITING, (Text(text),))
