"""Draw what is kept about a person: told in a few sentences, and what becomes of it."""

from bot.render.message.custom_ids import page_id
from bot.render.message.panel import FINISHED, GREY, RED, RESULT, WAITING, Button, Buttons, Panel, Text
from bot.runtime.store_types import DeletionState
from bot.text import privacy as words
from bot.text.language import t

PAGE = "privacy"


def about_panel() -> Panel:
    """Return what is kept, with the ways to have it and to have it deleted."""
    buttons = (
        Button(t(words.EXPORT), page_id(PAGE, "export"), GREY),
        Button(t(words.DELETE), page_id(PAGE, "ask"), RED),
        _everywhere_button(),
    )
    return Panel(FINISHED, (Text("\n".join(words.about_lines())), Buttons(buttons)))


def about_all_servers_panel() -> Panel:
    """Return what is kept, for a direct message."""
    return Panel(FINISHED, (Text("\n".join(words.about_all_servers_lines())), Buttons((_everywhere_button(),))))


def _everywhere_button() -> Button:
    return Button(t(words.DELETE_EVERYWHERE), page_id(PAGE, "askall"), RED)


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


def confirm_full_deletion_panel() -> Panel:
    """Ask whether everything is to be deleted, in all servers."""
    buttons = (
        Button(t(words.DELETE_EVERYWHERE_NOW), page_id(PAGE, "deleteall"), RED),
        Button(t(words.KEEP), page_id(PAGE, "about"), GREY),
    )
    return Panel(WAITING, (Text(words.full_deletion_question()), Buttons(buttons)))


def deleting_everything_panel(state: DeletionState, *, told_by_dm: bool = False) -> Panel:
    """Return how far that is."""
    text = words.full_deletion_under_way(state.deleted, state.seated, told_by_dm=told_by_dm)
    return Panel(WAITING, (Text(text),))


def everything_deleted_panel(state: DeletionState) -> Panel:
    """Return the answer once all of it is deleted, as a direct message too."""
    return Panel(RESULT, (Text(words.full_deletion_done(state.deleted, state.banned)),))
