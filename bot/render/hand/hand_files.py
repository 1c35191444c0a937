"""Panels about hands as files: which file to choose."""

from bot.render.message.custom_ids import page_id
from bot.render.message.panel import FINISHED, GREY, Button, Buttons, Panel, SmallText, Text
from bot.text import hand_files as words
from bot.text.hand_files import FileForm
from bot.text.language import t

PAGE = "file"
"""The name of these pages in the ids of buttons."""


def choose_file_panel(table: int, number: int) -> Panel:
    """Return the three files of a hand as buttons. `table` is the table's id, `number` the hand's number there."""
    buttons = tuple(
        Button(t(words.FORM_LABELS[form]), page_id(PAGE, form, f"{table}.{number}"), GREY) for form in FileForm
    )
    return Panel(
        FINISHED,
        (Text(t(words.CHOOSE_FILE, number=number)), Buttons(buttons), SmallText(t(words.FORMS_EXPLAINED))),
    )
