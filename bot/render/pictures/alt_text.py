"""The description of a table's picture, for whoever cannot see it: the hand in words, as it stands at this edit of the message."""

from collections.abc import Iterator
from functools import partial

from bot.engine.view.types import HandSeatState, HandView
from bot.render.hand.scene import Scene, hands_won_with, in_seat_order
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.text import escape
from bot.text import hand as hand_words
from bot.text import pictures as words
from bot.text.cards import cards_in_signs, cards_in_words
from bot.text.formatting import join_and, join_list, shorten
from bot.text.game_words import STREET_HEADINGS, street_heading
from bot.text.language import t


def picture_alt_text(scene: Scene, moment: str = "") -> str:
    """Return what the picture shows, in at most 256 characters. `moment`: as in `table_picture`.

    Where it does not fit, names are cut, cards are written as signs, and at last who is in is only counted.
    """
    facts = _result if scene.view.over else partial(_running, moment)
    written = ""
    for names, boards_in_words, everybody in _PRECISION:
        written = " ".join([part for part in facts(scene, names, boards_in_words, everybody) if part])
        if len(written) <= PICTURE_TEXT_MAX:
            return written
    return shorten(written, PICTURE_TEXT_MAX)


_PRECISION = (
    (escape.NAME_MAX, True, True),
    (12, True, True),
    (12, False, True),
    (12, True, False),
    (12, False, False),
)
"""Ways of saying it, the fullest first: letters of a name, boards in words or in signs, everybody or the most important alone."""


def _running(moment: str, scene: Scene, name_max: int, boards_in_words: bool, everybody: bool) -> Iterator[str]:
    view = scene.view
    street = t(hand_words.ALL_IN_HEADING) if view.showdown and view.to_act < 0 else street_heading(view)
    yield t(words.ALT_STREET, street=moment or street)
    yield _boards(view, boards_in_words)
    yield t(words.ALT_POT, chips=view.pot)
    awaited = [seat for seat in view.seats if seat.choice_awaited] or [
        view.seats[seat] for seat in (view.to_act,) if seat >= 0
    ]
    if len(awaited) == 1:
        yield t(words.ALT_TO_ACT, name=_name(scene, awaited[0].seat_number, name_max))
    elif awaited:
        yield t(words.ALT_ALL_CHOOSE, count=len(awaited))
    seats_in = [seat for seat in in_seat_order(view) if seat.state is not HandSeatState.FOLDED]
    if not everybody:
        yield t(words.ALT_COUNT_IN, count=len(seats_in))
        return
    named = [
        t(words.ALT_NAME_ALL_IN, name=name) if seat.state is HandSeatState.ALL_IN else name
        for seat in seats_in
        for name in (_name(scene, seat.seat_number, name_max),)
    ]
    yield t(words.ALT_IN, names=join_list(named))


def _result(scene: Scene, name_max: int, boards_in_words: bool, everybody: bool) -> Iterator[str]:
    view = scene.view
    if view.voided:
        yield t(words.ALT_CANCELLED, number=scene.hand_number)
        return
    if view.passed_out:
        yield t(words.ALT_NOBODY_WINS)
        return
    won = sorted([seat for seat in view.seats if seat.won], key=lambda seat: -seat.won)
    for seat in won if everybody else won[:1]:
        name, hands = _name(scene, seat.seat_number, name_max), hands_won_with(view, seat) if view.showdown else []
        if hands:
            yield t(words.ALT_WINS_WITH, name=name, chips=seat.won, hand=join_and(hands))
        else:
            yield t(words.ALT_WINS, name=name, chips=seat.won)
    if not won:  # nobody met the forced bet: it goes back to its owner
        yield t(hand_words.OVER, number=scene.hand_number)
    if len(won) > 1 and not everybody:
        yield t(words.ALT_MORE_WINNERS, count=len(won) - 1)
    if view.showdown:
        yield t(words.ALT_STREET, street=t(STREET_HEADINGS["showdown"]))
        yield _boards(view, boards_in_words)


def _boards(view: HandView, in_words: bool) -> str:
    write = cards_in_words if in_words else cards_in_signs
    boards = [board for board in view.boards if board]
    if not boards:
        return ""
    if len(boards) == 1:
        return t(words.ALT_BOARD, cards=write(boards[0]))
    return " ".join([t(words.ALT_BOARD_NUMBER, number=at, cards=write(board)) for at, board in enumerate(boards, 1)])


def _name(scene: Scene, number: int, name_max: int) -> str:
    person = scene.people.get(number)
    return escape.plain_name(person.name, name_max) if person is not None else t(hand_words.SEAT, number=number)
