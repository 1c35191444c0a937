"""What a person can do at a table now, worked out a second time. The random evenings check that `decide` accepts all of it.

Law: 0.3 (c).
"""

from msgspec import Struct

from bot.engine.units import SeatNumber
from bot.table.entry import blinds_to_settle, entry_methods, must_settle_blinds, owes_blind_as_newcomer
from bot.table.next_hand import straddle_seats
from bot.table.queries import BuyInLimits, OwedBlinds, buy_in_limits, free_seats, host_of
from bot.table.state import AfterHand, EntryMethod, Seat, SeatStatus, Table, TableStatus


class TableLegal(Struct, frozen=True):
    """What one person can do. False, 0 and empty mean that they cannot. Amounts are chips.

    Attributes:
        free_seats: seats that they can take, with chips within `buy_in_limits`.
        leave, sit_out, come_back: these take effect after the hand for a player who is dealt in.
        entry_methods: how they can come back if they owe blinds; `owed_blinds` says how much.
        straddle_to: the live straddle that they can ask for, as a total.
        consent, raise_objection: to a proposal, or to an exchange of seats.
        game_choices: the games that they can choose from now, in the rotation's order (VC-28).
        close_table: they are the host.
    """

    free_seats: tuple[SeatNumber, ...] = ()
    buy_in_limits: BuyInLimits | None = None
    leave: bool = False
    sit_out: bool = False
    come_back: bool = False
    entry_methods: tuple[EntryMethod, ...] = ()
    owed_blinds: OwedBlinds | None = None
    straddle_to: int = 0
    consent: bool = False
    raise_objection: bool = False
    game_choices: tuple[str, ...] = ()
    close_table: bool = False


def table_legal(table: Table, player: int, now: int) -> TableLegal:
    """Return what a person can do at the table now. What staff can do besides is not part of it."""
    if table.status is TableStatus.CLOSED:
        return TableLegal()
    close = table.status is TableStatus.OPEN and player == host_of(table)
    seat = table.seat_of(player)
    if seat is None:
        seats = _seats_to_take(table, player)
        limits = buy_in_limits(table, player, now) if seats else None
        return TableLegal(free_seats=seats, buy_in_limits=limits, close_table=close)
    proposal = table.proposal
    owes = seat.owes_blinds or owes_blind_as_newcomer(table, seat)
    stays = seat.after_hand is AfterHand.STAY
    away = seat.status is SeatStatus.SITTING_OUT
    return TableLegal(
        leave=seat.after_hand is not AfterHand.LEAVE,
        sit_out=stays and not away,
        come_back=not stays or (away and seat.stack > 0),
        entry_methods=_entry_methods(table, seat, owes=owes),
        owed_blinds=blinds_to_settle(table, seat) if owes else None,
        straddle_to=_straddle_to(table, seat),
        consent=proposal is not None and player not in proposal.consents,
        raise_objection=proposal is not None or table.exchange is not None,
        game_choices=_game_choices(table, seat),
        close_table=close,
    )


def _seats_to_take(table: Table, player: int) -> tuple[SeatNumber, ...]:
    """Return the free seats, unless all of them are reserved for others on the waiting list."""
    if table.status is not TableStatus.OPEN:
        return ()
    free = free_seats(table)
    reserved = sum(waiting.player != player for waiting in table.waiting_with_offer)
    return free if len(free) > reserved else ()


def _entry_methods(table: Table, seat: Seat, *, owes: bool) -> tuple[EntryMethod, ...]:
    """Return how a player can come in. A newcomer who owes nothing can still buy the button."""
    if not seat.stack or seat.after_hand is not AfterHand.STAY or not (owes or seat.newcomer):
        return ()
    if not must_settle_blinds(table, seat):
        return ()
    methods = entry_methods(table, seat)
    return methods if owes else tuple(method for method in methods if method is EntryMethod.BUY_BUTTON)


def _straddle_to(table: Table, seat: Seat) -> int:
    """Return the straddle that the seat can ask for. During a hand its next stack is not known yet, so the stack is not checked."""
    to = 2 * table.settings.stakes.big_blind
    can_pay = table.dealt_in(seat.player) or seat.stack >= to
    return to if can_pay and seat.number in straddle_seats(table) else 0


def _game_choices(table: Table, seat: Seat) -> tuple[str, ...]:
    rotation, state = table.settings.rotation, table.rotation_state
    if rotation is None or not state.choice_due_at or seat.number != state.chooser_seat:
        return ()
    return tuple(game.rule_card.name for game in rotation.games)
