"""The panels of `/help`: a start page, and a page for each topic."""

from bot.render.message.custom_ids import page_id
from bot.render.message.limits import ROW_BUTTONS_MAX
from bot.render.message.panel import BLURPLE, GREY, LOBBY, Button, Buttons, Panel, Text
from bot.text import help as words
from bot.text.buttons import SHOW_HERE
from bot.text.commands import Topic
from bot.text.language import t


def help_panel(*, staff: bool = False, table_channel: int = 0, is_here: bool = False, is_seated: bool = False) -> Panel:
    """Return the start page.

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
    lines = [t(words.START), first_step, t(words.YOUR_CARDS), t(words.BETS), t(words.RULES)]
    row = [
        Button(t(topic.label), page_id("help", "topic", name), BLURPLE)
        for name, topic in words.TOPICS.items()
        if staff or not topic.staff
    ]
    row.append(Button(t(SHOW_HERE), page_id("help", "here"), GREY))
    rows = [Buttons(tuple(row[start : start + ROW_BUTTONS_MAX])) for start in range(0, len(row), ROW_BUTTONS_MAX)]
    return Panel(LOBBY, (Text("\n".join(lines)), *rows))


def help_topic_panel(name: str) -> Panel | None:
    """Return the commands of one topic; None where no topic has that name."""
    if name not in words.TOPICS:
        return None
    back = Button(t(words.BACK), page_id("help", "start"), GREY)
    return Panel(LOBBY, (Text("\n".join(words.topic_lines(Topic(name)))), Buttons((back,))))
