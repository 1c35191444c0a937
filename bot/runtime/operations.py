"""Operations on a table: each function applies one kind of command, or what the dealer does unasked, to a transaction.

Laws: TL-34, TL-35, I-1.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.events import VoidReason
from bot.engine.hand import Hand
from bot.engine.refusals import HandOver, NotDealtIn
from bot.engine.units import SeatIndex
from bot.events.sit_and_go import commands as sc
from bot.events.sit_and_go.refusals import AgreementBetweenDeals, EventHostOnly, NoEventHere
from bot.runtime.commands import BuyInWithGifts, PlayerCommand, Preselect, SeatPracticePlayers, VoidHand
from bot.runtime.errors import StaleButton
from bot.runtime.request import Request
from bot.runtime.sit_and_go import EventDesk, stacks_from_button
from bot.runtime.staff_log_types import StaffLogKind
from bot.runtime.transaction import PracticeDecision, TableTransaction
from bot.table import commands as tc
from bot.table.book import can_practise
from bot.table.events import CloseReason
from bot.table.preselection.rules import is_from_this_street
from bot.table.queries import free_seats, host_of, validate_void
from bot.table.refusals import HostOnly, NoHandRunning, NotSeated, PracticeTablesOnly, TableFull

TableOperation: TypeAlias = Callable[[TableTransaction], None]
"""Changes a transaction, or raises a `TableError`. It can run a second time, on a newer state of the table."""

PRACTICE_IDS_PER_TABLE = 100
"""Practice player number n of table t has the id -(100 t + n)."""


@cache
def command_label(command_type: type[PlayerCommand]) -> str:
    """Return the command in words, for audits: ``RaiseTo`` is "raise to"."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", command_type.__name__).lower()


def player_operation(request: Request, command: PlayerCommand) -> TableOperation:
    """Return the operation that carries out a player's command."""

    def operation(transaction: TableTransaction) -> None:
        _apply_player_command(transaction, request, command)
        if not isinstance(command, tc.SitOut | sc.LeaveByChoice):
            transaction.note_own_action(request.user)

    return operation


def _apply_player_command(transaction: TableTransaction, request: Request, command: PlayerCommand) -> None:
    match command:
        case c.HandCommandBase():
            _apply_hand_command(transaction, request, command)
        case Preselect():
            _apply_preselection(transaction, request, command)
        case VoidHand():
            validate_void(transaction.table, request.user, command.reason, staff=request.staff)
            transaction.void_current_hand("I-1", command.reason.strip())
            transaction.log_for_staff(StaffLogKind.HAND_VOIDED, reason=command.reason.strip())
        case tc.RemovePlayer(removed_player=player, reason=reason, keep_out=keep_out):
            by_staff = request.staff and not (keep_out and request.user == host_of(transaction.table))
            transaction.apply_table_command(command)
            if by_staff and (reason or transaction.events):
                transaction.log_for_staff(StaffLogKind.PLAYER_REMOVED, about=player, reason=reason.strip())
        case tc.CloseTable():
            closed_by_staff = request.staff and request.user != host_of(transaction.table)
            transaction.apply_table_command(command)
            if closed_by_staff:
                transaction.log_for_staff(StaffLogKind.TABLE_CLOSED)
        case sc.SitAndGoCommandBase():
            _apply_event_command(transaction, request, command)
        case BuyInWithGifts():
            transaction.take_gifts(command.transfers, command.claims)
            _apply_player_command(transaction, request, command.command)
        case SeatPracticePlayers():
            _seat_practice_players(transaction, request, command.players)
        case tc.ClaimMisdeal():
            transaction.claim_misdeal(request.user, VoidReason.IRREGULAR_DEAL)
        case tc.CallTime():
            turn = transaction.current_turn
            seat_number = turn.seat_number if turn is not None else 0
            transaction.apply_table_command(replace(command, seat_number_to_act=seat_number))
        case tc.TakeSeat():
            transaction.apply_table_command(replace(command, random_number=transaction.random_lot()))
        case tc.DrawSeats() | tc.DrawForFirstDeal() | tc.CutForFirstDeal():
            transaction.apply_table_command(replace(command, deck=transaction.shuffled_deck()))
        case _:
            transaction.apply_table_command(command)


def _require_event(transaction: TableTransaction) -> EventDesk:
    if transaction.desk is None:
        raise NoEventHere
    return transaction.desk


def _apply_event_command(transaction: TableTransaction, request: Request, command: sc.SitAndGoCommand) -> None:
    desk = _require_event(transaction)
    match command:
        case sc.StartSitAndGo(player):
            desk.ask(sc.StartSitAndGo(player, transaction.drawn_seats(desk.event.settings.seats)))
        case sc.Enter():
            free = free_seats(transaction.table)
            seat_number = free[transaction.random_lot() % len(free)] if free else 0
            desk.ask(replace(command, seat_number=seat_number))
        case sc.LeaveByChoice(player):
            _leave_event(transaction, desk, player)
        case sc.OfferAgreement():
            if transaction.table.running_hand is not None:
                raise AgreementBetweenDeals
            desk.ask(replace(command, stacks=stacks_from_button(transaction.table)))
        case sc.CancelSitAndGo():
            is_own = desk.event.awaits(request.user)  # who declines or takes back a challenge needs no staff for it
            desk.cancel(request.user, staff=request.staff)
            if request.staff and request.user != desk.event.opened_by and not is_own:
                transaction.log_for_staff(StaffLogKind.TABLE_CLOSED)
        case _:
            desk.ask(command)


def _apply_hand_command(transaction: TableTransaction, request: Request, command: c.HandCommand) -> None:
    hand = transaction.hand
    _require_player(transaction, request.user)
    if hand is None:
        raise NoHandRunning
    if request.hand_number >= 0:
        same_hand = request.hand_number == transaction.table.hands_dealt
        same_decision = request.decision_number in (-1, hand.decision_number)
        shows_after_end = hand.over and isinstance(command, c.Show)  # such a button stays good until the next hand
        if not same_hand or not (same_decision or shows_after_end):
            raise _stale_button(transaction, request, hand)
    transaction.play_command(_seat_index_of(transaction, request.user), command)


def _apply_preselection(transaction: TableTransaction, request: Request, command: Preselect) -> None:
    hand = transaction.hand
    _require_player(transaction, request.user)
    if hand is None:
        raise NoHandRunning
    if transaction.table.running_hand is None:
        raise HandOver
    if request.hand_number >= 0:
        # A button stays good for its whole street: players before this one can have acted since it was drawn.
        same_hand = request.hand_number == transaction.table.hands_dealt
        if not same_hand or not is_from_this_street(hand, request.decision_number):
            raise _stale_button(transaction, request, hand)
    seat_index = _seat_index_of(transaction, request.user)
    if command.choice is None:
        transaction.clear_preselection(seat_index)
    else:
        transaction.preselect(seat_index, command.choice, command.chips)


def _stale_button(transaction: TableTransaction, request: Request, hand: Hand) -> StaleButton:
    return StaleButton()


def _require_player(transaction: TableTransaction, user: int) -> None:
    """Raise NotSeated for somebody who neither sits at the table nor plays the hand: nothing else about it concerns them."""
    if transaction.table.seat_of(user) is None and all(player.user != user for player in transaction.dealt_players):
        raise NotSeated


def _seat_index_of(transaction: TableTransaction, user: int) -> SeatIndex:
    for seat_index, player in enumerate(transaction.dealt_players):
        if player.user == user:
            return SeatIndex(seat_index)
    raise NotDealtIn


def _seat_practice_players(transaction: TableTransaction, request: Request, players: int) -> None:
    table = transaction.table
    if transaction.desk is not None:
        _enter_practice_players(transaction, request, players)
        return
    is_alone = table.settings.has_table_chips and can_practise(table)
    if not (table.settings.practice or is_alone):
        raise PracticeTablesOnly
    if not request.staff and request.user != host_of(table):
        raise HostOnly(host=host_of(table))
    free = len(free_seats(table))
    if not free:
        raise TableFull(seat_count=table.settings.seat_count)
    for _ in range(1 if is_alone else min(players, free)):  # where a book is kept, one until somebody comes (TC-8)
        _seat_practice_player(transaction)


def _enter_practice_players(transaction: TableTransaction, request: Request, players: int) -> None:
    """Let practice players enter a free sit-and-go, as the host asks. A seat stays for the host."""
    desk = _require_event(transaction)
    host, entered = desk.event.opened_by, len(desk.event.entrants)
    if not request.staff and request.user != host:
        raise EventHostOnly(host=host, duel=desk.event.is_duel)
    first_id = -PRACTICE_IDS_PER_TABLE * transaction.address.id
    practising = sum([one.practice for one in desk.event.entrants])
    free = desk.event.settings.seats - entered - (desk.event.entrant(host) is None)
    for number in range(practising + 1, practising + min(players, free) + 1):
        desk.ask(sc.Enter(first_id - number, transaction.practice_name(number), practice=True))


def _seat_practice_player(transaction: TableTransaction) -> None:
    table = transaction.table
    taken = {seat.player for seat in table.seats} | {left.player for left in table.departures}
    first_id = -PRACTICE_IDS_PER_TABLE * transaction.address.id
    number = next(n for n in range(1, PRACTICE_IDS_PER_TABLE) if first_id - n not in taken)
    player, chips, lot = first_id - number, table.settings.usual_buyin, transaction.random_lot()
    transaction.mint_practice_chips(player, chips)
    transaction.apply_table_command(
        tc.TakeSeat(player, transaction.practice_name(number), chips, 0, lot, practice=True)
    )


def apply_practice_choice(decision: PracticeDecision, command: Callable[[], c.HandCommand]) -> TableOperation:
    """Play what a practice player has chosen; do nothing if the decision is no longer theirs to make.

    Args:
        command: returns the choice, or raises what went wrong while the player thought.
    """

    def operation(transaction: TableTransaction) -> None:
        if transaction.is_waiting_for(decision):
            transaction.play_practice_command(decision.seat_index, command())

    return operation


def remove_player(user: int) -> TableOperation:
    """Let a player leave for good: their seat, after the hand they are dealt into, and the waiting list."""

    def operation(transaction: TableTransaction) -> None:
        table = transaction.table
        if transaction.desk is not None:
            _take_out_of_event(transaction, transaction.desk, user)
        elif table.seat_of(user) is not None or any(waiting.player == user for waiting in table.waiting):
            transaction.apply_table_command(tc.RemovePlayer(0, user, staff=True))

    return operation


def vacation(user: int, began_at: int, until: int) -> TableOperation:
    """Let a player be on vacation, or back from it where `until` is 0 (WT-1)."""

    def operation(transaction: TableTransaction) -> None:
        command = tc.StartVacation(user, began_at, until) if until else tc.EndVacation(user)
        transaction.apply_table_command(command)

    return operation


def _take_out_of_event(transaction: TableTransaction, desk: EventDesk, user: int) -> None:
    """Somebody who leaves for good withdraws before the start; later their stack is blinded off (SG-13)."""
    event = desk.event
    if not event.is_running and event.is_open and event.settings.duel is not None:
        if event.settings.duel.names(user):
            desk.cancel(user)
        return
    entrant = event.entrant(user) if event.is_open else None
    if entrant is None or not entrant.is_in:
        return
    if event.is_running:
        _leave_event(transaction, desk, user)
    else:
        desk.ask(sc.WithdrawEntry(user))


def _leave_event(transaction: TableTransaction, desk: EventDesk, user: int) -> None:
    """Leave by choice what is being played (SG-13): a stack is blinded off, and a duel ends, once no hand is being played."""
    table = transaction.table
    seat = table.seat_of(user)
    desk.ask(sc.LeaveByChoice(user, stacks_from_button(table) if table.running_hand is None else ()))
    if seat is not None and not seat.away and desk.event.is_open:
        transaction.apply_table_command(tc.SitOut(user))


def void_hand_and_close(reason: str) -> TableOperation:
    """Void a running hand and close the table, because nobody can play there any more."""

    def operation(transaction: TableTransaction) -> None:
        if transaction.desk is not None:
            transaction.desk.cancel(0)
            return
        if transaction.table.running_hand is not None:
            transaction.void_current_hand("I-1", reason)
            transaction.do_automatic_actions()
        transaction.close_table()

    return operation


def dealer_returned(down_since: int) -> TableOperation:
    """The clock of levels has stood still since the dealer was down (SG-15)."""
    return lambda transaction: _require_event(transaction).ask(sc.DealerReturned(down_since))


def close_between_hands(transaction: TableTransaction) -> None:
    """Close the table unless a hand is being played, or an event that goes on."""
    if transaction.table.running_hand is None and transaction.desk is None:
        transaction.close_table()


def close_for_season(transaction: TableTransaction) -> None:
    """Close the table, as `close_between_hands` does: its chips are of a season that is over."""
    if transaction.table.running_hand is None and transaction.desk is None:
        transaction.close_table(CloseReason.SEASON_OVER)


def do_what_is_due(transaction: TableTransaction) -> None:
    """Do what is due by now, if anything: time out a turn, deal the next hand, or tick (lapsed offers, an idle table)."""
    if transaction.is_turn_overdue():
        transaction.time_out_turn()
    elif transaction.is_line_due():
        pass  # it acts with what the dealer does unasked
    elif transaction.is_rebuy_time_over():
        _require_event(transaction).close_rebuys()
    elif transaction.is_deal_due():
        if not transaction.deal_next_hand():
            transaction.apply_table_command(tc.Tick())
    elif transaction.is_tick_due():
        transaction.apply_table_command(tc.Tick())
    elif transaction.is_lobby_over():
        _require_event(transaction).cancel(0, nobody_came=True)
