"""A break of the whole table: asked for by one, taken when the majority of those seated wants it, between two hands."""

from msgspec.structs import replace

from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.queries import require_seat
from bot.table.state import SeatStatus, Table, TableBreak

BREAK_MINUTES_MIN, BREAK_MINUTES_MAX = 5, 30


def ask_for_break(table: Table, command: c.AskForBreak, now: int) -> tuple[e.TableEvent, ...]:
    """Rule on a request for a break.

    Raises:
        NotSeated, AlreadyOnBreak, BreakLengthOutOfBounds.
    """
    require_seat(table, command.player)
    asked = table.table_break
    if asked is not None and asked.ends_at:
        raise refusals.AlreadyOnBreak(until=asked.ends_at)
    if not BREAK_MINUTES_MIN <= command.minutes <= BREAK_MINUTES_MAX:
        raise refusals.BreakLengthOutOfBounds(minimum=BREAK_MINUTES_MIN, maximum=BREAK_MINUTES_MAX)
    if asked is not None and command.player in asked.wanted_by:
        return ()
    return (e.BreakWanted(command.player, asked.minutes if asked is not None else command.minutes, now),)


def end_break(table: Table, player: int, now: int) -> tuple[e.TableEvent, ...]:
    """Rule on a request to end the break early.

    Raises:
        NotSeated, NoBreak, BreakNotYours.
    """
    require_seat(table, player)
    taken = table.table_break
    if taken is None or not taken.ends_at:
        raise refusals.NoBreak
    if player not in taken.wanted_by:
        raise refusals.BreakNotYours(until=taken.ends_at)
    return (e.BreakEnded(now, player),)


def break_votes(table: Table) -> tuple[int, int]:
    """Return how many of the seated people want the break that is asked for, and how many it takes."""
    people = [seat.player for seat in table.seats if not seat.practice]
    wanted = table.table_break.wanted_by if table.table_break is not None else ()
    return sum(player in wanted for player in people), len(people) // 2 + 1


def break_that_begins(table: Table, now: int) -> tuple[e.TableEvent, ...]:
    """Return the beginning of a break that the majority wants, once no hand is being played."""
    asked = table.table_break
    if asked is None or asked.ends_at or table.running_hand is not None:
        return ()
    votes, needed = break_votes(table)
    return (e.BreakBegan(now, now + 60_000 * asked.minutes),) if votes >= needed else ()


def apply_break_wanted(table: Table, event: e.BreakWanted) -> Table:
    """Note who wants a break."""
    asked = table.table_break or TableBreak(event.minutes, ())
    return replace(table, table_break=replace(asked, wanted_by=(*asked.wanted_by, event.player)))


def apply_break_ended(table: Table, event: e.BreakEnded) -> Table:
    """Go on after a break: every clock that stood still has as much time left as at its beginning."""
    taken = table.table_break
    assert taken is not None, "the table takes no break"
    stood_still = event.at - taken.began_at
    state = table.rotation_state
    return replace(
        table,
        table_break=None,
        active_at=event.at,
        seats=tuple(
            replace(seat, out_since=min(seat.out_since + stood_still, event.at))
            if seat.status is SeatStatus.SITTING_OUT
            else seat
            for seat in table.seats
        ),
        waiting=tuple(
            replace(one, offered_until=one.offered_until + stood_still) if one.offered_until else one
            for one in table.waiting
        ),
        rebuy_requests=tuple(
            replace(one, asked_at=one.asked_at + stood_still) if one.is_pending else one for one in table.rebuy_requests
        ),
        rotation_state=replace(
            state,
            began_at=state.began_at + stood_still,
            choice_due_at=state.choice_due_at + stood_still if state.choice_due_at else 0,
        ),
    )


def without_unwanted_break(table: Table) -> Table:
    """The table after a hand: a break that the majority did not want in it is no longer asked for."""
    asked = table.table_break
    if asked is None or asked.ends_at:
        return table
    votes, needed = break_votes(table)
    return table if votes >= needed else replace(table, table_break=None)
