"""Draw what concerns a table's room and its guests: where it is, whom to invite, whom to remove, the first message of a forum's post."""

from bot.render.message.custom_ids import button_id, page_id
from bot.render.message.limits import OPTIONS_MAX, ROW_BUTTONS_MAX
from bot.render.message.panel import (
    BLURPLE,
    FINISHED,
    GREY,
    LOBBY,
    RED,
    RESULT,
    WAITING,
    Button,
    Buttons,
    Option,
    Panel,
    Select,
    Text,
    UserSelect,
)
from bot.table.view import TableView
from bot.text import escape
from bot.text import rooms as words
from bot.text.buttons import Verb
from bot.text.language import t
from bot.text.lobby import SEAT_NUMBER
from bot.text.menus import CHOOSE_PERSON

INVITED_AT_ONCE = 10
"""So many people can be invited with one select."""


def opened_panel(table: int, room: int, *, private: bool) -> Panel:
    """Tell the host where their table is; of a private one they choose the guests."""
    if not private:
        return Panel(RESULT, (Text(t(words.OPENED, channel=f"<#{room}>")),))
    return Panel(RESULT, (Text(t(words.OPENED_PRIVATE, channel=f"<#{room}>")), _people_select(table)))


def invite_panel(table: int) -> Panel:
    """Ask whom to invite."""
    return Panel(LOBBY, (Text(t(words.WHOM_TO_INVITE)), _people_select(table)))


def _people_select(table: int) -> UserSelect:
    return UserSelect(button_id(table, 0, 0, Verb.INVITE), t(words.CHOOSE_PEOPLE), INVITED_AT_ONCE)


def remove_panel(table: int, view: TableView, host: int) -> Panel:
    """Ask who has to leave, of those who sit at the table or wait for a seat."""
    people = {seat.player: seat.name for seat in view.seats} | {one.player: one.name for one in view.waiting}
    options = tuple(
        Option(escape.plain_name(name), str(user))
        for user, name in people.items()
        if user > 0 and user not in (host, view.host)
    )
    if not options:
        return Panel(FINISHED, (Text(t(words.NOBODY_TO_REMOVE)),))
    select = Select(button_id(table, 0, 0, Verb.KEEP_OUT), t(words.CHOOSE_PLAYER), options[:OPTIONS_MAX])
    return Panel(LOBBY, (Text(t(words.WHOM_TO_REMOVE)), select))


def hold_seat_panel(table: int, view: TableView, number: int = 0) -> Panel:
    """Ask for whom a seat is held, and which one; 0 is any."""
    held = {one.offered_seat for one in view.waiting if one.offered_until}
    seats = [seat for seat in view.free_seats if seat not in held]
    if len(view.free_seats) <= view.reserved_seat_count:
        return Panel(FINISHED, (Text(t(words.NO_SEAT_TO_HOLD)),))
    options = [Option(t(words.ANY_FREE_SEAT), "0", default=number not in seats)]
    options += [Option(t(SEAT_NUMBER, number=seat), str(seat), default=seat == number) for seat in seats]
    which = button_id(table, view.hand_number, 0, Verb.SEAT_TO_HOLD)
    who = button_id(table, view.hand_number, 0, Verb.HOLD_SEAT, number if number in seats else 0)
    return Panel(
        LOBBY,
        (
            Text(t(words.WHO_GETS_SEAT)),
            Select(which, t(words.CHOOSE_SEAT_TO_HOLD), tuple(options[:OPTIONS_MAX])),
            UserSelect(who, t(CHOOSE_PERSON)),
        ),
    )


def host_buttons(table: int, view: TableView, user: int) -> tuple[Buttons, ...]:
    """Return what the host of a table can do with it: who comes, who goes, what is played, and its end."""
    hand = view.hand_number
    buttons: list[Button] = []
    if view.private:
        buttons.append(Button(t(words.INVITE), button_id(table, hand, 0, Verb.INVITE), BLURPLE))
    if len(view.free_seats) > view.reserved_seat_count:
        buttons.append(Button(t(words.GIVE_SEAT), button_id(table, hand, 0, Verb.HOLD_SEAT), GREY))
    others = (*[seat.player for seat in view.seats], *[one.player for one in view.waiting])
    if any(player > 0 and player != user for player in others):
        buttons.append(Button(t(words.REMOVE_PLAYER), button_id(table, hand, 0, Verb.KEEP_OUT), GREY))
    if view.settings.practice and view.free_seats:
        label = t(words.ADD_PRACTICE_PLAYER)
        buttons.append(Button(label, button_id(table, hand, 0, Verb.ADD_PRACTICE_PLAYER), GREY))
    buttons.append(Button(t(words.GAME_AND_STAKES), page_id("table", "show", table), BLURPLE))
    buttons.append(Button(t(words.CLOSE_TABLE), button_id(table, hand, 0, Verb.CLOSE), GREY))
    return tuple([Buttons(tuple(buttons[at : at + ROW_BUTTONS_MAX])) for at in range(0, len(buttons), ROW_BUTTONS_MAX)])


def close_question_panel(table: int, view: TableView) -> Panel:
    """Ask whether the table is to be closed."""
    close = Button(t(words.CLOSE_NOW, number=view.number), button_id(table, view.hand_number, 0, Verb.CLOSE, 1), RED)
    return Panel(WAITING, (Text(t(words.CLOSE_QUESTION, number=view.number)), Buttons((close,))))


def first_post_panel(title: str, host: str) -> Panel:
    """The first message of a forum's post; the table's own follows it. `host` is safe for markdown."""
    return Panel(LOBBY, (Text(t(words.FIRST_POST, title=title, host=host)),))
