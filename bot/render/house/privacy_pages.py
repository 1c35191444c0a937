"""Draw what is kept about a person: told in a few sentences, and what becomes of it."""

from bot.render.message.custom_ids import page_id
from bot.render.message.panel import FINISHED, GREY, RED, RESULT, WAITING, Button, Buttons, Panel, Text
from bot.text import privacy as words
from bot.text.language import t

PAGE = "privacy"


def about_panel() -> Panel:
    """Return what is kept, with the ways to have it and to have it deleted."""
    buttons = (
        Button(t(words.EXPORT), page_id(PAGE, "export"), GREY),
        Button(t(words.DELETE), page_id(PAGE, "ask"), RED),
    )
    return Panel(FINISHED, (Text("\n".join(words.about_lines())), Buttons(buttons)))


def confirm_deletion_panel(chips: int) -> Panel:
    """Ask whether everything is to be deleted. `chips` would go to the house."""
    buttons = (
        Button(t(words.DELETE_NOW), page_id(PAGE, "delete"), RED),
        Button(t(words.KEEP), page_id(PAGE, "about"), GREY),
    )
    return Panel(WAITING, (Text(words.deletion_question(chips)), Buttons(buttons)))


def deleted_panel(chips: int) -> Panel:
    """Return the answer once everything is deleted."""
    return Panel(RESULT, (Text(words.deletion_done(chips)),))
