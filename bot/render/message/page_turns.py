"""The buttons that turn the pages of a list, with the page between them."""

from collections.abc import Callable

from bot.render.message.panel import GREY, Button
from bot.text import buttons as words
from bot.text.language import t


def page_turns(page: int, pages: int, id_of: Callable[[str, int], str]) -> tuple[Button, ...]:
    """Return the buttons back, page, and on. Those that would lead nowhere are disabled.

    Args:
        page: counted from 1.
        id_of: writes the id of a button, by which one it is (``prev``, ``now``, ``next``) and the page that it leads to.
    """
    before, after = max(1, page - 1), min(pages, page + 1)
    return (
        Button(t(words.PREVIOUS), id_of("prev", before), GREY, disabled=page <= 1),
        Button(t(words.PAGE, number=page, count=pages), id_of("now", page), GREY, disabled=True),
        Button(t(words.NEXT), id_of("next", after), GREY, disabled=page >= pages),
    )
