"""What a game night does at its table: hold seats, take its break, close it. Law: P-11."""

from bot.engine.errors import TableError
from bot.events.nights.state import Night, NightSeries
from bot.runtime.operations import TableOperation
from bot.runtime.transaction import TableTransaction
from bot.table import commands as tc
from bot.table.state import Table, TableStatus


def hold_seats(series: NightSeries, night: Night) -> TableOperation:
    """Hold seats for those who are in, in the order in which they said so, and let the others wait for one.

    Whoever sits, or has a seat held, keeps it. It can be done twice.
    """

    def operation(transaction: TableTransaction) -> None:
        for one in series.seated():
            by = series.host if one.player != series.host else 0
            hold = tc.HoldSeat(by, one.player, one.name, staff=True, until=night.held_until)
            _unless_refused(transaction, one.player, hold)
        for one in series.waiting():
            _unless_refused(transaction, one.player, tc.JoinWaitingList(one.player, one.name))

    return operation


def let_go(player: int) -> TableOperation:
    """Hold no seat for somebody any more."""

    def operation(transaction: TableTransaction) -> None:
        if any(one.player == player for one in transaction.table.waiting):
            transaction.apply_table_command(tc.LeaveWaitingList(player))

    return operation


def call_break(minutes: int) -> TableOperation:
    """Take a break after the hand, as if everybody who sits had asked for it."""

    def operation(transaction: TableTransaction) -> None:
        if transaction.table.on_break:
            return
        for seat in transaction.table.seats:
            if not (seat.practice or _wants_break(transaction.table, seat.player)):
                transaction.apply_table_command(tc.AskForBreak(seat.player, minutes))

    return operation


def close_after_hand(transaction: TableTransaction) -> None:
    """Close the table after the running hand, or at once where none runs. It can be done twice."""
    if transaction.table.status is TableStatus.OPEN:
        transaction.apply_table_command(tc.CloseTable(0, staff=True))


def _wants_break(table: Table, player: int) -> bool:
    return table.table_break is not None and player in table.table_break.wanted_by


def _unless_refused(transaction: TableTransaction, player: int, command: tc.HoldSeat | tc.JoinWaitingList) -> None:
    table = transaction.table
    if table.seat_of(player) is not None or any(one.player == player for one in table.waiting):
        return
    try:
        transaction.apply_table_command(command)
    except TableError:  # no seat is free, or they cannot come: the table itself says so when they try
        return
