"""The table's part in an event, such as a sit-and-go: who sits, what the next hand is played for, what becomes of who goes out.

The event decides about all of it and knows how; this only says what happens at the table then. Everybody keeps their seat while they have
chips, and nobody joins, buys or changes stakes by themselves.

Laws: SG-1 to SG-3, SG-9, SG-11, SG-14, SG-15.
"""

from collections.abc import Iterable

from msgspec import Struct

from bot.engine.units import SeatNumber
from bot.table import commands as c
from bot.table import events as e
from bot.table import refusals
from bot.table.book import carried_pot_shares
from bot.table.finish_hand import close_table, with_consequences
from bot.table.queries import host_of, require_seat
from bot.table.settings import TableSettings, needs_consent
from bot.table.state import StackChange, Table
from bot.table.validate_settings import validate_settings_change

TableEvents = tuple[e.TableEvent, ...]

_AS_ELSEWHERE = (
    c.InvitePlayers,
    c.ShuffleDeck,
    c.CutDeck,
    c.DeclineCut,
    c.DeclineDeal,
    c.ClaimMisdeal,
    c.CallTime,
    c.NoteOwnAction,
    c.Tick,
    c.StartHand,
)
"""Commands that are ruled on as at every table."""


class SeatedEntrant(Struct, frozen=True, gc=False):
    """Somebody whom the event seats."""

    player: int
    name: str
    seat_number: SeatNumber
    practice: bool = False


def decide_in_event(table: Table, command: c.TableCommand, now: int) -> TableEvents | None:
    """Rule on a command at the table of an event; None for one that is ruled on as elsewhere.

    Raises:
        NotSeated, AlreadyAway, HostOnly.
        OffInEvents: tables offer it elsewhere, and events do not (SG-14).
    """
    if isinstance(command, _AS_ELSEWHERE):
        return None
    match command:
        case c.SitOut(player):
            seat = require_seat(table, player)
            if seat.away:
                raise refusals.AlreadySittingOut(after_hand=False)
            return (e.WentAway(seat.number, now),)
        case c.ComeBack(player):
            seat = require_seat(table, player)
            if not (seat.away or seat.has_missed_turns):
                raise refusals.AlreadyPlaying
            return (e.ActedAgain(seat.number),)
        case c.TimeOutPlayer(seat_number):
            return (e.TurnTimedOut(SeatNumber(seat_number), sits_out=False),)
        case c.ChangeSettings(player, settings, staff):
            validate_settings_change(table, settings)
            if needs_consent(table.settings, settings):
                raise refusals.OffInEvents
            if not staff and player != host_of(table):
                raise refusals.HostOnly(host=host_of(table))
            return (e.SettingsChanged(settings, now),)
        case _:
            raise refusals.OffInEvents


def seat_entrants(table: Table, entrants: Iterable[SeatedEntrant], now: int) -> TableEvents:
    """Seat everybody who has entered, with the starting stack; the first hand follows (SG-1)."""
    chips = table.settings.starting_stack
    taken = tuple(
        [
            e.SeatTaken(
                seat_number=one.seat_number,
                player=one.player,
                name=one.name,
                chips=chips,
                at=now,
                bank_ms=1000 * table.settings.stakes.bank_seconds,
                practice=one.practice,
                bought=chips,
            )
            for one in entrants
        ]
    )
    return with_consequences(table, taken, now)


def settle_carried_pot(table: Table, now: int, *, passed_out: bool) -> TableEvents:
    """Settle a carried pot before ranks are given (SG-14).

    Where nobody opened, and somebody has no chips for the next hand, everybody gets back what they put in. Where one alone has chips, the
    pot is theirs: nobody is left to play for it.
    """
    if not table.carried_chips:
        return ()
    with_chips = [seat.player for seat in table.seats if seat.stack]
    shares: dict[int, int] = {}
    if len(with_chips) == 1 and not passed_out:
        shares = {with_chips[0]: table.carried_chips}
    elif len(with_chips) < len(table.seats) and (passed_out or not with_chips):
        shares = carried_pot_shares(table)
    return (e.CarriedPotSettled(tuple(shares.items()), now),) if shares else ()


def players_go_out(table: Table, players: Iterable[int], now: int) -> TableEvents:
    """Those who have gone out of the event leave their seats."""
    out = set(players)
    left = tuple(
        [
            e.SeatLeft(seat.number, seat.player, seat.stack, now, e.LeaveReason.OUT)
            for seat in table.seats
            if seat.player in out
        ]
    )
    return with_consequences(table, left, now)


def rebuy_time_begins(table: Table, until: int, now: int) -> TableEvents:
    """Players without chips are asked whether they rebuy: no hand is dealt meanwhile (SG-9)."""
    return with_consequences(table, (e.RebuyTimeBegan(until, now),), now)


def rebuy_time_ends(table: Table, now: int) -> TableEvents:
    """Everybody has answered, or the time is over."""
    return with_consequences(table, (e.RebuyTimeEnded(now),), now)


def player_rebuys(table: Table, player: int, now: int) -> TableEvents:
    """Somebody without chips has the starting stack again (SG-11)."""
    seat = require_seat(table, player)
    return with_consequences(table, (e.ToppedUp(seat.number, table.settings.starting_stack, now),), now)


def level_begins(table: Table, settings: TableSettings, now: int) -> TableEvents:
    """The next hand is played for other stakes (SG-2)."""
    return (e.LevelBegan(settings, now),) if settings != table.settings else ()


def next_match(table: Table, settings: TableSettings, now: int) -> TableEvents:
    """The next match of a duel begins: everybody has the starting stack again, and the button goes on as after every hand (SG-4).

    Args:
        settings: those of the first level.
    """
    chips = settings.starting_stack
    changes = [StackChange(seat.player, chips - seat.stack) for seat in table.seats if seat.stack != chips]
    reset = e.StacksReset(tuple(changes), now)
    return with_consequences(table, (*level_begins(table, settings, now), reset), now)


def break_begins(table: Table, until: int, now: int) -> TableEvents:
    """A break of the event, or a pause by its host, begins between two hands (SG-15)."""
    if table.on_break:
        return ()
    return with_consequences(table, (e.BreakBegan(now, until),), now)


def break_ends(table: Table, now: int) -> TableEvents:
    """The host ends a break or a pause."""
    return with_consequences(table, (e.BreakEnded(now),), now) if table.on_break else ()


def event_is_over(table: Table, now: int) -> TableEvents:
    """The event is over: its chips are worth nothing any more, and the table closes."""
    return close_table(table, now, e.CloseReason.EVENT_OVER)
