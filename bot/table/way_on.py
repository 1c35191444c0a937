"""What a table waits for while no hand is being played, and what gets it going again. A table never stands silent.

Laws: TL-1, TL-10, TL-32, TL-33, VC-28.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine.units import SeatNumber
from bot.table.book import rebuy_offer
from bot.table.queries import can_deal, players_needed
from bot.table.state import RebuyOffer, Seat, SeatStatus, Table, TableStatus


class Awaited(StrEnum):
    """What a table waits for. The next hand comes by itself; for everything else somebody has to do something."""

    NEXT_HAND = "next hand"
    NEW_STAKES = "new stakes"  # the next hand, for which its players are called by name
    BREAK = "break"
    GAME_CHOICE = "game choice"
    DEAL = "deal"  # somebody asks for the next hand
    RETURN = "return"  # somebody who sits out comes back
    CHIPS = "chips"  # somebody without chips buys in, or the host lets them
    PLAYERS = "players"  # somebody sits down


class WayOn(Struct, frozen=True):
    """What a table waits for between hands.

    Attributes:
        seats: the seats of the players it waits for; empty where anybody can do it.
        players_needed: how many players the next hand still needs.
        at: when the next hand, the choice of the game or the end of the break is due, in ms since the epoch; 0 for no time.
    """

    awaited: Awaited
    seats: tuple[SeatNumber, ...] = ()
    players_needed: int = 0
    at: int = 0


def way_on(table: Table) -> WayOn | None:
    """Return what the table waits for; None while a hand is being played and when the table is closed."""
    if table.running_hand is not None or table.status is not TableStatus.OPEN:
        return None
    taken = table.table_break
    if taken is not None and taken.ends_at:
        return WayOn(Awaited.BREAK, at=taken.ends_at)
    state = table.rotation_state
    if table.next_hand_at:
        if state.choice_due_at:
            return WayOn(Awaited.GAME_CHOICE, (state.chooser_seat,), at=state.choice_due_at)
        if table.new_stakes_until:
            players = tuple(seat.number for seat in table.seats_for_next_hand if not seat.practice)
            return WayOn(Awaited.NEW_STAKES, players, at=table.next_hand_at)
        return WayOn(Awaited.NEXT_HAND, at=table.next_hand_at)
    if can_deal(table):
        return WayOn(Awaited.DEAL)
    needed = players_needed(table)
    away = tuple(seat.number for seat in table.seats if seat.status is SeatStatus.SITTING_OUT and can_pay(table, seat))
    if away:
        return WayOn(Awaited.RETURN, away, needed)
    broke = tuple(
        seat.number
        for seat in table.seats
        if not can_pay(table, seat) and rebuy_offer(table, seat) is not RebuyOffer.SPENT
    )
    return WayOn(Awaited.CHIPS, broke, needed) if broke else WayOn(Awaited.PLAYERS, (), needed)


def can_pay(table: Table, seat: Seat) -> bool:
    """Tell whether a player has chips for the next hand. Chips announced for it are still in the wallet."""
    return seat.stack > 0 and seat.stack >= table.settings.forced_chips
