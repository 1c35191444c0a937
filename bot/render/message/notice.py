"""Short private answers: a plain notice, and a refusal."""

from collections.abc import Mapping

from bot.engine.errors import TableError
from bot.ledger.refusals import NewcomerMustWait
from bot.render.message.custom_ids import page_id
from bot.render.message.panel import BLURPLE, FINISHED, GREEN, GREY, Button, Buttons, Panel, Text
from bot.text import open_form
from bot.text.language import t
from bot.text.refusals.wording import CHANGE_IT, NO_NAMES, refusal_text


def refusal_panel(error: TableError, names: Mapping[int, str] = NO_NAMES, form: int = 0) -> Panel:
    """Return a refusal as a message for the player alone. `names` are markdown-safe, by seat number.

    A newcomer who has to wait for chips gets the button that seats them at a practice table.

    Args:
        form: the number of the form that they have filled in, which comes back by a button; 0 for none.
    """
    text = Text(refusal_text(error, names))
    if form:
        return Panel(FINISHED, (text, Buttons((Button(t(CHANGE_IT), page_id("form", "again", form), BLURPLE),))))
    if isinstance(error, NewcomerMustWait):
        return Panel(FINISHED, (text, Buttons((practice_button(),))))
    return Panel(FINISHED, (text,))


def practice_button() -> Button:
    """Return the button that seats whoever presses it at a practice table."""
    return Button(t(open_form.PRACTICE_NOW), page_id("open", "practice"), GREEN)


def practise_meanwhile_button(table: int) -> Button:
    """Return the button that seats somebody at a practice table beside theirs, until people come."""
    return Button(t(open_form.PRACTISE_MEANWHILE), page_id("open", "practice", table), GREY)


def notice_panel(text: str) -> Panel:
    """Return a private answer of one text."""
    return Panel(FINISHED, (Text(text),))
