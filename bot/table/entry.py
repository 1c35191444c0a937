"""Decide how a player who is new, or who missed blinds, comes into a game that is under way.

Laws: TL-10 to TL-12.
"""

from msgspec.structs import replace

from bot.engine.options.values import Limit, NewcomerPosts
from bot.table import events as e
from bot.table import refusals
from bot.table.mixed.next_game import settings_for_blinds
from bot.table.positions import HandPositions, next_hand_positions, seats_owing_at_start
from bot.table.queries import OwedBlinds, host_of, owed_blinds, require_seat
from bot.table.state import AfterHand, EntryMethod, Seat, SeatStatus, Table

_STATUS_BY_METHOD = {
    EntryMethod.WAIT: SeatStatus.WAITING_FOR_BIG_BLIND,
    EntryMethod.POST: SeatStatus.POSTING,
    EntryMethod.BUY_BUTTON: SeatStatus.BUYING_BUTTON,
}


def come_back(table: Table, player: int, method: EntryMethod | None, now: int) -> tuple[e.TableEvent, ...]:
    """Bring a player back in: free if they owe nothing, else by the method they choose (TL-10, TL-11).

    A player who was about to sit out or leave after the hand stays instead.

    Raises:
        NotSeated, RebuyRequired, AlreadyPlaying.
        BlindsOwed: the player owes blinds and has not chosen a method.
        CannotBuyButton: the player does not sit between the button and the small blind of the next hand.
        KeptOutOfTable: the host has removed the player, who leaves after the hand.
    """
    seat = require_seat(table, player)
    if player in table.kept_out:
        raise refusals.KeptOutOfTable(host=host_of(table))
    if seat.after_hand is not AfterHand.STAY:
        return (e.StayRequested(seat.number, now),)
    if not seat.stack:
        raise refusals.RebuyRequired(minimum=table.settings.min_buyin, maximum=table.settings.max_buyin)
    owes_as_newcomer = owes_blind_as_newcomer(table, seat)
    if method is EntryMethod.BUY_BUTTON and seat.status is not SeatStatus.BUYING_BUTTON:
        _require_button_for_sale(table, seat)
        return (e.CameBack(seat.number, SeatStatus.BUYING_BUTTON, now, owes_as_newcomer),)
    if not (seat.owes_blinds or owes_as_newcomer):
        if seat.status in (SeatStatus.PLAYING, SeatStatus.BUYING_BUTTON):
            return _already_playing(seat)
        return (e.CameBack(seat.number, SeatStatus.PLAYING, now),)
    if seat.status is not SeatStatus.SITTING_OUT and (method is None or _STATUS_BY_METHOD[method] is seat.status):
        return _already_playing(seat)
    if method is not None:
        return (e.CameBack(seat.number, _STATUS_BY_METHOD[method], now, owes_as_newcomer),)
    if must_settle_blinds(table, seat):
        debt = blinds_to_settle(table, seat)
        raise refusals.BlindsOwed(live=debt.live, dead=debt.dead, entry_methods=entry_methods(table, seat))
    return (e.CameBack(seat.number, SeatStatus.WAITING_FOR_BIG_BLIND, now),)


def _already_playing(seat: Seat) -> tuple[e.TableEvent, ...]:
    """Refuse a player who is in, unless they have missed turns and say by this that they are there (TL-32)."""
    if not seat.missed_turns:
        raise refusals.AlreadyPlaying
    return (e.ActedAgain(seat.number),)


def _require_button_for_sale(table: Table, seat: Seat) -> None:
    positions = _positions_if(table, seat, SeatStatus.BUYING_BUTTON)
    if positions is None or seat.number not in positions.possible_button_buyer_seats:
        raise refusals.CannotBuyButton


def newcomers_owe_big_blind(table: Table) -> bool:
    """Tell whether a newcomer must wait for a big blind or post one: as the option says, else in limit games only (TL-11)."""
    settings = settings_for_blinds(table)
    if settings is None or settings.options.newcomer_posts is NewcomerPosts.OFF:
        return False
    options = settings.options
    return options.newcomer_posts is NewcomerPosts.ON or options.limit not in (Limit.NO_LIMIT, Limit.POT_LIMIT)


def owes_blind_as_newcomer(table: Table, seat: Seat) -> bool:
    """Tell whether a player who sits out owes a big blind for coming in, because they are new and the game is under way (TL-11)."""
    return (
        seat.newcomer
        and seat.status is SeatStatus.SITTING_OUT
        and game_is_under_way(table)
        and newcomers_owe_big_blind(table)
    )


def blinds_to_settle(table: Table, seat: Seat) -> OwedBlinds:
    """Return what a player must post to come in at once: missed blinds, and a newcomer's big blind (TL-10, TL-11)."""
    debt = owed_blinds(table, seat)
    if not owes_blind_as_newcomer(table, seat):
        return debt
    settings = settings_for_blinds(table) or table.settings
    return OwedBlinds(live=settings.stakes.big_blind, dead=debt.dead)


def game_is_under_way(table: Table) -> bool:
    """Tell whether two or more players are in without owing a blind. If not, the next hand begins the game again and nobody waits."""
    if table.replay is not None:
        return True
    return table.positions is not None and sum(seat.is_settled for seat in table.seats_for_next_hand) >= 2


def must_settle_blinds(table: Table, seat: Seat) -> bool:
    """Tell whether this player has to wait or post for what they owe: two or more play without them, or begin anew (TL-10, TL-12)."""
    if game_is_under_way(table):
        return True
    if table.positions is not None:
        return False
    return seat.number in seats_owing_at_start(_with_status(table, seat, SeatStatus.WAITING_FOR_BIG_BLIND))


def entry_methods(table: Table, seat: Seat) -> tuple[EntryMethod, ...]:
    """Return the ways in which a player who owes a blind can come in, as things stand (TL-10, TL-11)."""
    positions = _positions_if(table, seat, SeatStatus.BUYING_BUTTON)
    if positions is not None and seat.number in positions.possible_button_buyer_seats:
        return EntryMethod.WAIT, EntryMethod.POST, EntryMethod.BUY_BUTTON
    return EntryMethod.WAIT, EntryMethod.POST


def _positions_if(table: Table, seat: Seat, status: SeatStatus) -> HandPositions | None:
    """Return the positions of the next hand, if this seat had that status."""
    return next_hand_positions(_with_status(table, seat, status))


def _with_status(table: Table, seat: Seat, status: SeatStatus) -> Table:
    seats = tuple(replace(other, status=status) if other.number == seat.number else other for other in table.seats)
    return replace(table, seats=seats)
