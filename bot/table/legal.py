"""What a person may do at a table now: buttons, practice players and fuzzers read this, and nothing else.

Source: design §2 "`legal` is the one source", laws 0.3 (c).
"""

from msgspec import Struct

from bot.table.deal import straddle_seats
from bot.table.decide import entries, game_goes_on
from bot.table.queries import BuyIn, Owed, buy_in, host_of, offered_to, owed, top_up_room, vacant
from bot.table.state import AfterHand, Entry, SeatState, Status, Table


class TableLegal(Struct, frozen=True):
    """What one person may do; False, 0 and empty where he may not. Amounts are chips.

    Attributes:
        seats: free seats he may take, with `buy_in`.
        join_list, leave_list: the waiting list.
        leave, leave_after_hand: get up; the second says that it takes effect after the hand.
        sit_out, back: the same for sitting out and coming back (or staying after all).
        entries: how he may come back, where he owes blinds: `owes`.
        top_up_min, top_up_max: chips he may add; `top_up_queued`: they count from the next deal.
        straddle: the amount he may pledge to post, as a total, 0 for none; pledged: he has.
        consent, object_to: a proposal, or an exchange of seats.
        settings, close: he is the host; laws then change at once before the first deal only.
    """

    seats: tuple[int, ...] = ()
    buy_in: BuyIn | None = None
    join_list: bool = False
    leave_list: bool = False
    leave: bool = False
    leave_after_hand: bool = False
    sit_out: bool = False
    back: bool = False
    entries: tuple[Entry, ...] = ()
    owes: Owed | None = None
    top_up_min: int = 0
    top_up_max: int = 0
    top_up_queued: bool = False
    straddle: int = 0
    pledged: bool = False
    consent: bool = False
    object_to: bool = False
    settings: bool = False
    close: bool = False


def table_legal(table: Table, player: int, now: int) -> TableLegal:
    """Say what a person may do at the table now. Staff may close besides, and void as `queries.may_void` says."""
    if table.status is Status.CLOSED:
        return TableLegal()
    host, seated = player == host_of(table), table.seat_of(player) is not None
    settings = host and (seated or table.hands == 0)
    close = host and table.status is Status.OPEN
    return (
        _seated(table, player, settings=settings, close=close)
        if seated
        else _standing(table, player, now, settings=settings, close=close)
    )


def _standing(table: Table, player: int, now: int, *, settings: bool, close: bool) -> TableLegal:
    waits = any(one.player == player for one in table.waiting)
    kept = sum(one.player != player for one in offered_to(table))
    free = vacant(table) if table.status is Status.OPEN else ()
    seats = free if len(free) > kept else ()
    return TableLegal(
        seats=seats,
        buy_in=buy_in(table, player, now) if seats else None,
        join_list=not waits and not seats and table.status is Status.OPEN,
        leave_list=waits,
        settings=settings,
        close=close,
    )


def _seated(table: Table, player: int, *, settings: bool, close: bool) -> TableLegal:
    seat = table.seat_of(player)
    assert seat is not None, "asked of a seated player"
    dealt, leaving = table.dealt_in(player), seat.after is AfterHand.LEAVE
    owes = seat.owes_small or seat.owes_big
    away = seat.state is SeatState.OUT and seat.stack > 0
    if dealt:
        least, most = 1, max(0, table.settings.max_buyin - seat.queued)
    elif seat.stack:
        least, most = 1, top_up_room(table, seat)
    else:
        least, most = table.settings.min_buyin, table.settings.max_buyin
    can_add = most > 0 and not leaving
    proposal = table.proposal
    may_straddle = seat.number in straddle_seats(table) and (dealt or seat.stack >= 2 * table.settings.stakes.big_blind)
    ways: tuple[Entry, ...] = ()
    if seat.stack and (owes or seat.fresh) and seat.after is AfterHand.STAY and game_goes_on(table):
        ways = entries(table, seat)
        if not owes:
            ways = tuple(way for way in ways if way is Entry.BUY_BUTTON)
    return TableLegal(
        leave=not leaving,
        leave_after_hand=dealt and not leaving,
        sit_out=seat.state is not SeatState.OUT and seat.after is AfterHand.STAY,
        back=away or seat.after is not AfterHand.STAY,
        entries=ways,
        owes=owed(table, seat) if owes else None,
        top_up_min=least if can_add else 0,
        top_up_max=most if can_add else 0,
        top_up_queued=dealt and can_add,
        straddle=2 * table.settings.stakes.big_blind if may_straddle else 0,
        pledged=seat.straddles,
        consent=proposal is not None and player not in proposal.consents,
        object_to=proposal is not None or table.exchange is not None,
        settings=settings,
        close=close,
    )
