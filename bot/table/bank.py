"""The turn clock and the time bank behind it. All times are ms; a clock is data, so a restart costs nothing.

Source: laws TL-30, TL-31, TL-32; AT-22.
"""

from msgspec import Struct

from bot.table.events import BankSpent
from bot.table.settings import TableSettings
from bot.table.state import AfterHand, Seat


class Clock(Struct, frozen=True, gc=False):
    """The time of one turn: the plain clock runs out at `turn_ends`, the bank behind it at `ends`. A tie goes to the player."""

    began: int
    turn_ends: int
    ends: int


def clock(settings: TableSettings, seat: Seat, now: int) -> Clock:
    """Start a turn. Who has left has no time (TL-40), who let a turn of this hand pass has no bank (TL-32)."""
    if seat.after is AfterHand.LEAVE:
        return Clock(now, now, now)
    turn_ends = now + 1000 * settings.stakes.turn_seconds
    return Clock(now, turn_ends, turn_ends if seat.silent else turn_ends + seat.bank_ms)


def restored(running: Clock, stopped_at: int, now: int, least_seconds: int = 15) -> Clock:
    """Go on with a turn after a restart: the time left when the dealer stopped, and at least `least_seconds` (design §3)."""
    turn_left = max(running.turn_ends - stopped_at, 0)
    left = max(running.ends - stopped_at, 0)
    turn_left += max(1000 * least_seconds - left, 0)
    return Clock(now, now + turn_left, now + max(left, 1000 * least_seconds))


def overdue(running: Clock, now: int) -> bool:
    """Tell whether clock and bank are both spent; at the very last moment a player is still in time (TL-30)."""
    return now > running.ends


def spent(running: Clock, acted_at: int) -> int:
    """Return the ms of time bank that a turn has used: whatever came after the plain clock (TL-31)."""
    return max(0, min(acted_at, running.ends) - running.turn_ends)


def spending(seat: Seat, running: Clock, acted_at: int) -> tuple[BankSpent, ...]:
    """Return what a turn that ended at `acted_at` cost the seat's time bank, as the event to store with the action."""
    ms = min(spent(running, acted_at), seat.bank_ms)
    return (BankSpent(seat.number, ms),) if ms else ()


def refill(settings: TableSettings, seat: Seat) -> int:
    """Return the ms that flow back into the bank after a hand dealt in, 0 before the refill is due or when the bank is full."""
    if not settings.bank_refill_hands or seat.bank_hands < settings.bank_refill_hands:
        return 0
    room = max(0, 1000 * settings.stakes.bank_seconds - seat.bank_ms)
    return min(1000 * settings.bank_refill_seconds, room)
