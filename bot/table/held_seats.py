"""Seats that a host holds for somebody by name. Like an offer to the waiting list, each keeps one free seat for a while.

Law: P-11.
"""

from bot.engine.units import SeatNumber
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.queries import admits, free_seats, held_seats, host_of
from bot.table.state import Table, TableStatus

HELD_MS = 2 * 60_000
"""So long a seat is held for somebody, unless it is held until a certain time."""
INVITED_MAX = 100
"""So many people can be invited to a private table."""


def hold_seat(table: Table, command: c.HoldSeat, now: int) -> tuple[e.TableEvent, ...]:
    """Hold a free seat for somebody, whom it invites where they could not come. Whoever waits for a seat is offered one first.

    Raises:
        TableIsClosed, HostOnly, CannotHoldSeat, SittingHere, NoSuchSeat, TableFull, SeatOccupied, SeatsReserved, SeatHeld, TooManyInvited.
    """
    if table.status is not TableStatus.OPEN:
        raise refusals.TableIsClosed(closing=table.status is TableStatus.CLOSING)
    host, guest, count = host_of(table), command.held_for, table.settings.seat_count
    if not command.staff and command.player != host:
        raise refusals.HostOnly(host=host)
    if guest <= 0:
        raise refusals.CannotHoldSeat
    if (seat := table.seat_of(guest)) is not None:
        raise refusals.SittingHere(player=guest, seat_number=seat.number)
    if not 0 <= command.seat_number <= count:
        raise refusals.NoSuchSeat(seat_number=command.seat_number, seat_count=count)
    if not free_seats(table):
        raise refusals.TableFull(seat_count=count)
    require_unreserved_seat(table, guest)
    number = require_seat_free_for(table, guest, command.seat_number)
    events: list[e.TableEvent] = []
    if not admits(table, guest):
        if table.private and len(table.invited) >= INVITED_MAX:
            raise refusals.TooManyInvited(maximum=INVITED_MAX)
        events.append(e.PlayersInvited((guest,), now))
    if all(waiting.player != guest for waiting in table.waiting):
        events.append(e.WaitingListJoined(guest, command.name, now))
    return (*events, e.SeatOffered(guest, max(command.until, now + HELD_MS), number, command.player))


def require_unreserved_seat(table: Table, player: int) -> None:
    """Check that a seat is free which is kept for nobody else.

    Raises:
        SeatsReserved.
    """
    offers = [waiting for waiting in table.waiting_with_offer if waiting.player != player]
    if len(offers) >= len(free_seats(table)):
        raise refusals.SeatsReserved(
            waiting_count=len(table.waiting), until=max(waiting.offered_until for waiting in offers)
        )


def require_seat_free_for(table: Table, player: int, number: int) -> SeatNumber:
    """Return the seat of this number, if this player can take it. 0 is any seat.

    Raises:
        SeatOccupied: somebody sits there.
        SeatHeld: it is held for somebody else.
    """
    free = free_seats(table)
    if number and number not in free:
        raise refusals.SeatOccupied(law="P-11" if table.hands_dealt else "P-7", seat_number=number, free_seats=free)
    holder = held_seats(table).get(SeatNumber(number), 0)
    if holder not in {0, player}:
        until = next(waiting.offered_until for waiting in table.waiting if waiting.player == holder)
        raise refusals.SeatHeld(seat_number=number, player=holder, until=until)
    return SeatNumber(number)


def seats_to_choose(table: Table, player: int) -> tuple[SeatNumber, ...]:
    """Return the seats of which a player who asks for any gets one: the one that is held for them, else those that are held for nobody."""
    held = held_seats(table)
    own = tuple([number for number, holder in held.items() if holder == player])
    return own or tuple([number for number in free_seats(table) if number not in held])
