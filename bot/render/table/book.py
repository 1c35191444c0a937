"""Draw the book of a game, and ask a host about a rebuy."""

from bot.render.message.custom_ids import button_id
from bot.render.message.panel import GREEN, GREY, LOBBY, RESULT, WAITING, Block, Button, Buttons, Panel, Text
from bot.table.view import RebuyQuestionView, TableView
from bot.text import buttons as labels
from bot.text import table_chips as words
from bot.text.buttons import Verb
from bot.text.language import t

QUESTIONS_MAX = 4
"""So many rebuys have buttons in one message; the others follow as these are answered."""


def book_panel(table: int, view: TableView, user: int) -> Panel:
    """Return who bought in for what and who is up or down, with the rebuys that this person can answer."""
    blocks: list[Block] = [Text(words.book_text(view))]
    for question in _questions_for(view, user):
        blocks += [Text(words.pending_line(question.name)), _answers(table, view, user, question)]
    return Panel(LOBBY, tuple(blocks))


def questions_panel(table: int, view: TableView, user: int) -> Panel:
    """Ask a host, or at last anybody who is seated, about the rebuys that wait for them (TC-4)."""
    blocks: list[Block] = []
    for question in _questions_for(view, user):
        blocks += [Text(words.question(view, question)), _answers(table, view, user, question)]
    return Panel(WAITING, tuple(blocks))


def granted_seat_panel(table: int, view: TableView) -> Panel:
    """Tell somebody without a seat that they can sit down again."""
    sit = Button(t(labels.TAKE_A_SEAT), button_id(table, view.hand_number, 0, Verb.SIT), GREEN)
    return Panel(RESULT, (Text(words.may_sit_text(view)), Buttons((sit,))))


def refused_panel(view: TableView, until: int) -> Panel:
    """Tell somebody that a host said no. `until` is in ms since the epoch."""
    return Panel(WAITING, (Text(words.refused_text(view, until)),))


def _questions_for(view: TableView, user: int) -> tuple[RebuyQuestionView, ...]:
    return tuple([one for one in view.rebuy_questions if user in one.can_grant])[:QUESTIONS_MAX]


def _answers(table: int, view: TableView, user: int, question: RebuyQuestionView) -> Buttons:
    """*OK*, and *No* for a host."""
    hand, asker = view.hand_number, question.player
    yes = Button(t(words.YES), button_id(table, hand, 0, Verb.GRANT_REBUY, asker), GREEN)
    no = Button(t(words.NO), button_id(table, hand, 0, Verb.REFUSE_REBUY, asker), GREY)
    return Buttons((yes, no) if user in question.can_refuse else (yes,))
