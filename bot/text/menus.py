"""The words of menus (`/house`, `/table`, `/season`, `/me`): the fields of their forms, and their buttons."""

from __future__ import annotations

from bot.text.commands import COMMANDS
from bot.text.language import Message, message, t
from bot.text.word_table import word_table

CHOOSE_PAGE = message("Choose what to do…")
TABLE_PAGES = message("The table…")
SEAT_PAGES = message("Seats and the deal…")
CHOOSE_PERSON = message("Choose a person…")
NOBODY = message("Nobody")
BACK = message("‹ All of {command}")
_WHO = message("### {page}\nWho?")

FIELDS = {
    row.code: row.messages
    for row in word_table(
        """
        chips | How many chips | 5000 or 5k
        reason | Reason | It's kept on record.
        why | Reason | You can leave it empty. It's kept on record.
        name | Name
        game | Game | One of this table's games
        hours | Quiet hours | 22:00-08:00 Berlin, 22:00-08:00 +01:00, or off
        zone | Time zone | A city or a zone: Berlin, New York, Europe/London
        days | Days | The last days to look at, 1 to 90
        vacation | Vacation | How many days, 1 to 14 in any 90; or off, to come back
        seat | Seat number
        corrections | Who gives, and who gets | @Ann -500 @Bo +500. One alone has bought more or less: @Ann +500
        changes | Who gives, and who gets | By name or seat: @Ann -500 @Bo +300 @Cy +200
        order | Ordered by
        """
    )
}
"""The fields of forms: what each is called, and its hint."""


def page_name(command: str, page: str) -> str:
    """What a page of a menu is called."""
    name = t(COMMANDS[command].choices["page"][page])
    return f"{name[:1].upper()}{name[1:]}"


def who(command: str, page: str) -> str:
    """Ask for the person whom a page is about."""
    return t(_WHO, page=page_name(command, page))


def field_words(field: str) -> tuple[str, str]:
    """What a field of a form is called, and its hint; empty for none."""
    name, *hints = FIELDS[field]
    return t(name), _hint(hints)


def _hint(hints: list[Message]) -> str:
    return t(hints[0]) if hints else ""
