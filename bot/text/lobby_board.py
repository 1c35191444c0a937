"""What the lobby says: the board with the open tables of a server, the list of all of them, and one table for whoever wants to watch."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.view import TableView
from bot.text.durations import duration
from bot.text.escape import names_by_seat
from bot.text.formatting import join_list, relative_time_ms
from bot.text.language import message, plural, t
from bot.text.lobby import table_stakes, table_title

# buttons

JOIN = message("Join table {number}")
WAIT = message("Wait for table {number}")
WATCH = message("Watch")
OPEN_TABLE = message("Open a table")
ALL_TABLES = message("All tables")
CHOOSE_TABLE = message("Choose a table…")
OPTION = message("Table {number} · {game}")

TELL_ME = message("Tell me of a free seat")
DONT_TELL_ME = message("Don't tell me")
TELL_OF_TABLES = message("Tell me of new tables")
NOT_OF_TABLES = message("No more of these")

# pings

_TOLD_OF_SEAT = message(
    "I tell you once when a seat is free at Table {number}, within the next hour. The waiting list comes first."
)
_QUIET_UNTIL = message("-# Quiet hours end {when}. I don't ping you before.")
NOT_TOLD_OF_SEAT = message("I don't tell you.")
SEAT_IS_FREE_NOW = message("A seat is free at Table {number} now.")
_FREE_SEAT = message("A seat is free at Table {number}: {game} {stakes}.")
_TABLE_OPENED = message("Table {number} is open: {game} {stakes}.")
_PUBLIC_CALL = message("{people} Table {number} is open in {channel}: {game} {stakes}.")
TOLD_OF_TABLES = message("I tell you when somebody opens a table here. `/me` shows when I ping you.")
NOT_TOLD_OF_TABLES = message("I don't tell you of new tables any more.")

# the board

HEADING = message("### Tables")
EMPTY = message("No table is open. **Open a table** asks what you want to play; your friends can then join here.")
_TABLES = plural("{count} table", "{count} tables")
_PLAYERS = plural("{count} player", "{count} players")
_FREE = plural("{count} free seat", "{count} free seats")
_NO_FREE = message("no free seat")
_MORE = plural("-# {count} more table is open: **All tables**", "-# {count} more tables are open: **All tables**")
_TABLE = message("**Table {number} · {game}** {stakes}")
_GO_TO_TABLE = message("[go to the table]({link})")
_NOBODY = message("Nobody sits here yet")
_AND_MORE = message("{names}, +{count}")
_BUY_IN = message("buy-in {minimum:,}–{maximum:,}")
_CLOCK = message("{duration} per action")
_WAITING = plural("{count} waits for a seat", "{count} wait for a seat")
_PRACTICE = message("practice chips")
_TABLE_CHIPS = message("table chips, {chips:,} each")

# one table

_HAND_RUNNING = message("Hand #{number} is being played.")
_WATCH_HERE = message("Watch in {channel}. You see what everybody sees.")
SEATED_AT = message("Your seat is in {channel}.")
WAITING_AT = message("The table is in {channel}.")
_ENDED_GONE = message(
    "⚠️ The lobby's channel is gone, and the lobby with it. `/house page:lobby` in another channel brings it back."
)
_ENDED_FORBIDDEN = message(
    "⚠️ I can't show the lobby in {channel} any more. Let me see that channel and send messages there, and it comes back by itself; or "
    "use `/house page:lobby` in another channel."
)
SHOWN_HERE = message("The lobby is in {channel} now, and keeps itself up to date. `/house page:nolobby` takes it away.")
REMOVED = message("The lobby is taken away.")
NO_LOBBY = message("This server has no lobby. `/house page:lobby` puts one into this channel.")

NAMES_MAX = 9
"""So many names of a table stand on the board."""


def summary(views: Sequence[TableView]) -> str:
    """How much is going on: ``3 tables · 7 players · 5 free seats``. Practice players are not counted."""
    free = sum([free_seat_count(view) for view in views])
    players = sum([not seat.practice for view in views for seat in view.seats])
    parts = [t(_TABLES, count=len(views)), t(_PLAYERS, count=players), t(_FREE, count=free) if free else t(_NO_FREE)]
    return f"-# {' · '.join(parts)}"


def free_seat_count(view: TableView) -> int:
    """How many seats can be taken by somebody who comes now: those that wait for the waiting list are not among them."""
    return max(0, len(view.free_seats) - len(view.waiting))


def table_lines(view: TableView, channel: int, names_max: int = NAMES_MAX, link: str = "") -> str:
    """A table on the board, in three lines: what is played where, who sits there, and how many seats are free.

    Args:
        link: the address of its message; empty where the channel is all that is known.
    """
    way = f"<#{channel}> · {t(_GO_TO_TABLE, link=link)}" if link else f"<#{channel}>"
    head = t(_TABLE, number=view.number, game=table_title(view), stakes=table_stakes(view.settings))
    return "\n".join((head, _who_sits(view, names_max), f"-# {way} · {_facts(view)}"))


def _who_sits(view: TableView, names_max: int) -> str:
    names = list(
        names_by_seat((seat.number, seat.name) for seat in sorted(view.seats, key=lambda seat: seat.number)).values()
    )
    if not names:
        return t(_NOBODY)
    if len(names) <= names_max:
        return join_list(names)
    return t(_AND_MORE, names=join_list(names[:names_max]), count=len(names) - names_max)


def _facts(view: TableView) -> str:
    free = free_seat_count(view)
    parts = [t(_FREE, count=free) if free else t(_NO_FREE)]
    if view.waiting:
        parts.append(t(_WAITING, count=len(view.waiting)))
    if view.settings.has_table_chips:
        parts.append(t(_TABLE_CHIPS, chips=view.settings.starting_stack))
    else:
        parts.append(t(_BUY_IN, minimum=view.min_buyin, maximum=view.max_buyin))
    parts.append(t(_CLOCK, duration=duration(view.turn_seconds)))
    if view.settings.practice:
        parts.append(t(_PRACTICE))
    return " · ".join(parts)


def more_tables(count: int) -> str:
    """How many tables are open besides those on the board."""
    return t(_MORE, count=count)


def watch_note(view: TableView, channel: int) -> str:
    """Where somebody can watch a table, and that they see what everybody sees."""
    lines = [t(_HAND_RUNNING, number=view.hand_number)] if view.hand_running else []
    return "\n".join([*lines, t(_WATCH_HERE, channel=f"<#{channel}>")])


def ended(channel: int, *, gone: bool) -> str:
    """Why a server's lobby has ended, and what staff can do."""
    return t(_ENDED_GONE) if gone else t(_ENDED_FORBIDDEN, channel=f"<#{channel}>")


def told_of_seat(view: TableView, quiet_until: int) -> str:
    """Say that somebody is told of a free seat, and not before their quiet hours end (ms since the epoch; 0 for none)."""
    told = t(_TOLD_OF_SEAT, number=view.number)
    if not quiet_until:
        return told
    return f"{told}\n{t(_QUIET_UNTIL, when=relative_time_ms(quiet_until))}"


def free_seat(view: TableView) -> str:
    """Tell somebody that a seat is free."""
    return t(_FREE_SEAT, number=view.number, game=table_title(view), stakes=table_stakes(view.settings))


def table_opened(view: TableView) -> str:
    """Tell somebody that a table is open."""
    return t(_TABLE_OPENED, number=view.number, game=table_title(view), stakes=table_stakes(view.settings))


def public_call(view: TableView, channel: int, users: Sequence[int]) -> str:
    """Tell several people in public that a table is open."""
    people = " ".join([f"<@{user}>" for user in users])
    where, stakes = f"<#{channel}>", table_stakes(view.settings)
    return t(_PUBLIC_CALL, people=people, number=view.number, channel=where, game=table_title(view), stakes=stakes)
