"""What is so of a person's seat: what they are told about it is outdated when this is another."""

from __future__ import annotations

from bot.render.table.way_on import is_out_of_chips
from bot.runtime.snapshot import TableSnapshot
from bot.table.state import AfterHand, SeatStatus


def seat_situation(snapshot: TableSnapshot, user: int) -> object:
    """What is so of a person's seat, as far as the buttons of an answer about it depend on that."""
    view = snapshot.table
    seat = next((seat for seat in view.seats if seat.player == user), None)
    if seat is None:
        waits = any(waiting.player == user for waiting in view.waiting)
        return waits, has_offer(snapshot, user), bool(view.free_seats)
    is_away = seat.status is SeatStatus.SITTING_OUT or seat.after_hand is AfterHand.SIT_OUT
    status = SeatStatus.SITTING_OUT if is_away else seat.status
    leaves, needs_chips = seat.after_hand is AfterHand.LEAVE, is_out_of_chips(view, seat)
    return seat.number, status, leaves, seat.missed_turns > 0, needs_chips and not seat.queued_top_up


def has_offer(snapshot: TableSnapshot, user: int) -> bool:
    """Whether a seat is kept for a person."""
    return any(waiting.player == user and waiting.offered_until for waiting in snapshot.table.waiting)
