"""The turn clock and the time bank behind it. All times are ms. A clock is plain data, so a restart takes no time from anybody.

Laws: TL-30, TL-31, TL-32; AT-22.
"""

from msgspec import Struct

from bot.table.settings import TableSettings
from bot.table.state import AfterHand, Seat


class TurnTimer(Struct, frozen=True, gc=False):
    """The time of one turn: the turn clock runs out at `turn_ends_at`, the time bank behind it at `bank_ends_at`."""

    began_at: int
    turn_ends_at: int
    bank_ends_at: int


def start_turn_timer(settings: TableSettings, seat: Seat, now: int) -> TurnTimer:
    """Start a turn. A player who leaves has no time (TL-40). A player who timed out in this hand has no time bank (TL-32)."""
    if seat.after_hand is AfterHand.LEAVE:
        return TurnTimer(now, now, now)
    turn_ends = now + 1000 * settings.stakes.turn_seconds
    return TurnTimer(now, turn_ends, turn_ends if seat.timed_out else turn_ends + seat.bank_ms)


def restore_turn_timer(timer: TurnTimer, stopped_at: int, now: int, minimum_seconds: int = 15) -> TurnTimer:
    """Go on with a turn after a restart, with the time that was left when the dealer stopped, but at least `minimum_seconds`."""
    turn_left = max(timer.turn_ends_at - stopped_at, 0)
    left = max(timer.bank_ends_at - stopped_at, 0)
    turn_left += max(1000 * minimum_seconds - left, 0)
    return TurnTimer(now, now + turn_left, now + max(left, 1000 * minimum_seconds))


def turn_time_is_over(timer: TurnTimer, now: int) -> bool:
    """Tell whether clock and time bank have run out. A player who acts at the very last moment is in time (TL-30)."""
    return now > timer.bank_ends_at


def bank_time_used(timer: TurnTimer, acted_at: int) -> int:
    """Return how much of the time bank a turn has used: the time after the turn clock ran out (TL-31)."""
    return max(0, min(acted_at, timer.bank_ends_at) - timer.turn_ends_at)


def bank_refill_due(settings: TableSettings, seat: Seat) -> int:
    """Return how much flows back into the time bank after a hand; 0 before a refill is due or when the bank is full (TL-31)."""
    if not settings.bank_refill_hands or seat.hands_since_refill < settings.bank_refill_hands:
        return 0
    room = max(0, 1000 * settings.stakes.bank_seconds - seat.bank_ms)
    return min(1000 * settings.bank_refill_seconds, room)
