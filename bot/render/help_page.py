"""The panel of `/help`."""

from bot.render.message.custom_ids import page_id
from bot.render.message.panel import GREY, LOBBY, Button, Buttons, Panel, Text
from bot.text import help as words
from bot.text.buttons import SHOW_HERE
from bot.text.language import t


def help_panel(*, staff: bool = False, table_channel: int = 0, is_here: bool = False, is_seated: bool = False) -> Panel:
    """Return the page.

    Args:
        staff: the reader can use the commands for staff.
        table_channel: the channel of the reader's table, or of one to go to; 0 for none.
        is_here: that is the channel in which the reader asks.
        is_seated: the reader sits at that table.
    """
    if not table_channel:
        first_step = t(words.OPEN_TABLE)
    elif is_here:
        first_step = t(words.SEATED_HERE if is_seated else words.TABLE_HERE)
    else:
        first_step = t(words.GO_BACK if is_seated else words.GO_TO_TABLE, channel=table_channel)
    lines = [t(words.START), first_step, t(words.YOUR_CARDS), *words.command_lines(staff=staff)]
    return Panel(LOBBY, (Text("\n".join(lines)), Buttons((Button(t(SHOW_HERE), page_id("help", "here"), GREY),))))
