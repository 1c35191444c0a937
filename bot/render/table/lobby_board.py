"""Draw the lobby: the board with the open tables of a server, the list of all of them, and one table for whoever wants to watch."""

from collections.abc import Sequence

from msgspec import Struct

from bot.render.message.custom_ids import button_id, page_id
from bot.render.message.limits import TEXT_MAX
from bot.render.message.page_turns import page_turns
from bot.render.message.panel import (
    BLURPLE,
    GREEN,
    GREY,
    LOBBY,
    RESULT,
    WAITING,
    Block,
    Button,
    Buttons,
    Option,
    Panel,
    Select,
    Separator,
    Text,
)
from bot.render.table.lobby import info_panel
from bot.table.view import TableView
from bot.text import buttons as labels
from bot.text import lobby_board as words
from bot.text.buttons import Verb
from bot.text.language import t
from bot.text.lobby import listed_table, table_title

PAGE = "lobby"
OPEN_BUTTON = page_id(PAGE, "open")
"""Every board has this button, and no other public message has it."""
TABLES_ON_BOARD = 8
"""A table takes four components of the forty that a message can have."""
TABLES_WITH_LINES = 6
"""With so many tables there is room for a line between them."""
TABLES_ON_PAGE = 10
ROOM_FOR_HEADING = 400
"""The characters of the board that are no table's."""


class ListedTable(Struct, frozen=True):
    """A table as the lobby lists it. `table` is the number that ids carry, `link` the address of its message, if that is known."""

    table: int
    channel: int
    view: TableView
    link: str = ""

    @property
    def rank(self) -> tuple[bool, bool, int, int]:
        """Where it stands among more tables than fit: people's first, then those with free seats, then the fullest."""
        view = self.view
        return view.settings.practice, not words.free_seat_count(view), -len(view.seats), view.number


def board_panel(tables: Sequence[ListedTable]) -> Panel:
    """Draw the board: the same for everybody."""
    shown = sorted(sorted(tables, key=lambda one: one.rank)[:TABLES_ON_BOARD], key=lambda one: one.view.number)
    blocks: list[Block] = [Text(_heading(tables))]
    for one, lines in zip(shown, _fitting_lines(shown), strict=True):
        if len(shown) <= TABLES_WITH_LINES:
            blocks.append(Separator())
        blocks += [Text(lines), Buttons((_join_button(one), _watch_button(one)))]
    footer = [Button(t(words.OPEN_TABLE), OPEN_BUTTON, BLURPLE), tell_of_tables_button()]
    if 0 < len(shown) <= TABLES_WITH_LINES:
        blocks.append(Separator())
    if len(tables) > len(shown):
        blocks.append(Text(words.more_tables(len(tables) - len(shown))))
        footer.insert(1, Button(t(words.ALL_TABLES), page_id(PAGE, "all"), GREY))
    return Panel(LOBBY, (*blocks, Buttons(tuple(footer))))


def _heading(tables: Sequence[ListedTable]) -> str:
    about = words.summary([one.view for one in tables]) if tables else t(words.EMPTY)
    return f"{t(words.HEADING)}\n{about}"


def _fitting_lines(tables: Sequence[ListedTable]) -> list[str]:
    """Return the lines of each table, with fewer names where they would be more than a message can hold."""
    for names_max in range(words.NAMES_MAX, -1, -1):
        lines = [words.table_lines(one.view, one.channel, names_max, one.link) for one in tables]
        if sum(map(len, lines)) <= TEXT_MAX - ROOM_FOR_HEADING:
            break
    return lines


def _join_button(one: ListedTable) -> Button:
    if words.free_seat_count(one.view):
        return Button(t(words.JOIN, number=one.view.number), page_id(PAGE, "join", one.table), GREEN)
    return Button(t(words.WAIT, number=one.view.number), page_id(PAGE, "join", one.table), GREY)


def _watch_button(one: ListedTable) -> Button:
    return Button(t(words.WATCH), page_id(PAGE, "watch", one.table), GREY)


def list_panel(tables: Sequence[ListedTable], page: int = 1) -> Panel:
    """List the tables for one person, page by page, with a select to look at one. A page that there is not is the nearest one."""
    pages = max(1, -(-len(tables) // TABLES_ON_PAGE))
    page = min(max(1, page), pages)
    shown = sorted(tables, key=lambda one: one.view.number)[(page - 1) * TABLES_ON_PAGE : page * TABLES_ON_PAGE]
    lines = [_heading(tables), *[listed_table(one.view, one.channel) for one in shown]]
    blocks: list[Block] = [Text("\n".join(lines))]
    if shown:
        options = tuple(
            Option(t(words.OPTION, number=one.view.number, game=table_title(one.view)), str(one.table)) for one in shown
        )
        blocks.append(Select(page_id(PAGE, "choose"), t(words.CHOOSE_TABLE), options))
    row = [Button(t(words.OPEN_TABLE), OPEN_BUTTON, BLURPLE)]
    if pages > 1:
        row += page_turns(page, pages, lambda turn, to: page_id(PAGE, "page" if turn == "now" else "all", to))
    return Panel(LOBBY, (*blocks, Buttons(tuple(row))))


def watch_panel(one: ListedTable, link: str, *, is_seated: bool, asks: bool = False) -> Panel:
    """Draw one table for somebody who wants to look at it: what everybody can see, and the way there.

    Args:
        asks: they are told of a free seat.
    """
    described = info_panel(one.view, words.watch_note(one.view, one.channel))
    row = [] if is_seated else [_join_button(one)]
    if asks:
        row.append(Button(t(words.DONT_TELL_ME), page_id(PAGE, "untell", one.table), GREY))
    elif not is_seated and not words.free_seat_count(one.view):
        row.append(tell_button(one.table))
    return Panel(LOBBY, (*described.blocks, Buttons((*row, go_button(link)))))


def with_way_there(panel: Panel, note: str, link: str) -> Panel:
    """Return an answer about a table that is in another channel, with the way there."""
    return Panel(panel.accent, (*panel.blocks, Text(note), Buttons((go_button(link),))))


def go_button(link: str) -> Button:
    """Return the button that leads to a table."""
    return Button(t(labels.GO_TO_TABLE), url=link)


def tell_button(table: int) -> Button:
    """Return the button that asks to be told of a free seat at a full table."""
    return Button(t(words.TELL_ME), page_id(PAGE, "tell", table), GREY)


def tell_of_tables_button() -> Button:
    """Return the button that asks to be told of new tables."""
    return Button(t(words.TELL_OF_TABLES), page_id(PAGE, "tables", "on"), GREY)


def told_of_seat_panel(one: ListedTable, quiet_until: int = 0) -> Panel:
    """Return the answer to somebody who asked to be told of a free seat; where one is free, they can take it.

    Args:
        quiet_until: when quiet hours end before which they are not told, in ms since the epoch; 0 for none.
    """
    if words.free_seat_count(one.view):
        return Panel(LOBBY, (Text(t(words.SEAT_IS_FREE_NOW, number=one.view.number)), Buttons((_join_button(one),))))
    stop = Button(t(words.DONT_TELL_ME), page_id(PAGE, "untell", one.table), GREY)
    return Panel(RESULT, (Text(words.told_of_seat(one.view, quiet_until)), Buttons((stop,))))


def free_seat_panel(table: int, view: TableView, link: str) -> Panel:
    """Tell somebody who asked for it that a seat is free, with the seat and the way there."""
    sit = Button(t(labels.TAKE_A_SEAT), button_id(table, view.hand_number, 0, Verb.SIT), GREEN)
    return Panel(WAITING, (Text(words.free_seat(view)), Buttons((sit, go_button(link)))))


def table_opened_panel(view: TableView, guild: int, link: str) -> Panel:
    """Tell somebody who asked for it that a table is open, with the way there and the way to be told no more."""
    stop = Button(t(words.NOT_OF_TABLES), page_id(PAGE, "tables", "off", guild), GREY)
    return Panel(LOBBY, (Text(words.table_opened(view)), Buttons((go_button(link), stop))))


def told_of_tables_panel(guild: int, *, wanted: bool) -> Panel:
    """Return the answer to somebody who asked to be told of new tables, or no more."""
    if not wanted:
        return Panel(RESULT, (Text(t(words.NOT_TOLD_OF_TABLES)),))
    stop = Button(t(words.NOT_OF_TABLES), page_id(PAGE, "tables", "off", guild), GREY)
    return Panel(RESULT, (Text(t(words.TOLD_OF_TABLES)), Buttons((stop,))))


def called_id(table: int) -> str:
    """Return the id of the button below the public mention of a new table. No other message has it."""
    return page_id(PAGE, "called", table)


def called_button(table: int, view: TableView) -> Button:
    """Return the button below the public mention of a new table."""
    return Button(t(words.JOIN, number=view.number), called_id(table), GREEN)
