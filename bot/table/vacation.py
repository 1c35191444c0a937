"""Vacations of players at tables whose turns can take hours: they sit out after the hand that they are in, and no clock of theirs runs.
A player on the waiting list keeps their place there, and is offered no seat meanwhile.

Law: WT-1.
"""

from bot.engine.errors import TableError
from bot.table import commands as c
from bot.table import events as e
from bot.table.entry import come_back
from bot.table.refusals import BlindsOwed
from bot.table.state import AfterHand, EntryMethod, Seat, SeatStatus, Table


def start_vacation(table: Table, command: c.StartVacation, now: int) -> tuple[e.TableEvent, ...]:
    """Let a player be on vacation. It changes nothing where turns are quick, in an event, and for who sat down on their vacation."""
    seat = table.seat_of(command.player)
    settings = table.settings
    if seat is None and settings.is_slow:
        return _wait_on_vacation(table, command)
    if seat is None or not settings.is_slow or settings.is_event or seat.vacation_until == command.until:
        return ()
    if seat.seated_at > command.began_at:
        return ()
    is_in = seat.status is not SeatStatus.SITTING_OUT and seat.after_hand is AfterHand.STAY
    began = e.VacationBegan(seat.number, command.until, returns=is_in or seat.vacation_returns)
    if not is_in:
        return (began,)
    goes = e.SitOutRequested(seat.number, now) if table.dealt_in(seat.player) else e.SatOut(seat.number, now)
    return began, goes


def _wait_on_vacation(table: Table, command: c.StartVacation) -> tuple[e.TableEvent, ...]:
    """Let a player on the waiting list keep their place there; a seat that is offered to them goes to the next."""
    waits = next((one for one in table.waiting if one.player == command.player), None)
    if waits is None or waits.waiting_since > command.began_at or waits.vacation_until == command.until:
        return ()
    return (e.WaitsOnVacation(command.player, command.until),)


def end_vacation(table: Table, seat: Seat, now: int) -> tuple[e.TableEvent, ...]:
    """End the vacation of a player: who played before it plays again. Blinds that they owe they wait for (TL-10)."""
    ended = e.VacationEnded(seat.number, now)
    is_out = seat.status is SeatStatus.SITTING_OUT or seat.after_hand is AfterHand.SIT_OUT
    if not (seat.vacation_returns and is_out):
        return (ended,)
    try:
        back = come_back(table, seat.player, None, now)
    except BlindsOwed:
        back = come_back(table, seat.player, EntryMethod.WAIT, now)
    except TableError:  # they have no chips, or have to leave
        back = ()
    return ended, *back


def vacations_over(table: Table, now: int) -> tuple[e.TableEvent, ...]:
    """Return the ends of vacations that are due."""
    over = [seat for seat in table.seats if 0 < seat.vacation_until <= now]
    waiting = [e.WaitsOnVacation(one.player, 0) for one in table.waiting if 0 < one.vacation_until <= now]
    return (*[event for seat in over for event in end_vacation(table, seat, now)], *waiting)
