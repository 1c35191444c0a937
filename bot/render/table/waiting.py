"""Panels of tables that wait for hours or days."""

from msgspec import Struct

from bot.render.message.panel import LOBBY, WAITING, Button, Buttons, Panel, Text
from bot.text import waiting as words
from bot.text.language import t


class TableThatWaits(Struct, frozen=True):
    """The next table that waits for somebody.

    Attributes:
        count: how many wait for them.
        channel, link: where it is, and the address of its message.
        ends_at: when the turn ends, in ms since the epoch.
    """

    count: int
    channel: int
    ends_at: int
    link: str

    @property
    def text(self) -> str:
        return words.waiting_tables(self.count, self.channel, self.ends_at)

    @property
    def button(self) -> Button:
        return Button(t(words.NEXT_TABLE), url=self.link)


def reminder_panel(*lines: str) -> Panel:
    """Remind somebody of their turn, or tell them what became of the line that they had written ahead, each in a line."""
    return Panel(WAITING, (Text("\n".join(filter(None, lines))),))


def next_table_panel(table: TableThatWaits) -> Panel:
    """Lead somebody who has acted to the next table that waits for them."""
    return Panel(LOBBY, (Text(table.text), Buttons((table.button,))))
