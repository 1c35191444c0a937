"""The transfers that follow from events: between seats and the pot during a hand, between wallets and seats otherwise.

Every transfer is derived from events, and their sum is checked against the stacks before and after: no chip moves unrecorded.
Laws: TL-16, I-1, TL-1.
"""

from collections.abc import Sequence

from bot.engine import events as e
from bot.engine.errors import BrokenInvariant
from bot.engine.hand import Hand
from bot.ledger.accounts import (
    Account,
    Book,
    Transfer,
    TransferReason,
    pot_account,
    seat_account,
    transfers_for,
    wallet_account,
)
from bot.table import events as t
from bot.table.state import Table

_INTO_POT: dict[type[e.HandEvent], TransferReason] = {
    e.Called: TransferReason.BET,
    e.BetTo: TransferReason.BET,
    e.RaisedTo: TransferReason.BET,
    e.PricePaid: TransferReason.BET,
    e.PotMatched: TransferReason.BET,
    e.Posted: TransferReason.POST,
    e.Straddled: TransferReason.POST,
}
_OUT_OF_POT = frozenset({e.BettingRoundClosed, e.PotsPaid, e.HandVoided})


class TableAccounts:
    """The accounts of one table."""

    __slots__ = ("_seats", "book", "pot", "table")

    def __init__(self, table: int, book: Book) -> None:
        self.table, self.book = table, book
        self.pot = pot_account(table, book)
        self._seats: dict[int, Account] = {}

    def seat(self, user: int) -> Account:
        account = self._seats.get(user)
        if account is None:
            account = self._seats[user] = seat_account(self.table, user, self.book)
        return account

    def wallet(self, user: int) -> Account:
        return wallet_account(user, self.book)


def hand_transfers(
    accounts: TableAccounts,
    users: Sequence[int],
    stacks: Sequence[int],
    pot_before: int,
    events: Sequence[e.HandEvent],
    after: Hand,
) -> list[Transfer]:
    """Return the transfers of a hand's events. `users`, and `stacks` before the events, are by seat index."""
    now = list(stacks)
    transfers: list[Transfer] = []
    for event in events:
        kind = type(event)
        if kind in _INTO_POT:
            seat_index, chips = event.seat, event.chips  # type: ignore[union-attr]
            if chips:
                now[seat_index] -= chips
                transfers += transfers_for(accounts.seat(users[seat_index]), accounts.pot, chips, _INTO_POT[kind])
        elif kind in _OUT_OF_POT:
            for seat_index, chips, reason in _payments_from_pot(event, now, after):
                now[seat_index] += chips
                transfers += transfers_for(accounts.pot, accounts.seat(users[seat_index]), chips, reason)
    chips_before, chips_after = sum(stacks) + pot_before, sum(after.stacks) + chips_in_pot(after)
    if chips_before != chips_after:
        raise BrokenInvariant(f"{chips_after - chips_before:+} chips were made or lost in the hand")
    if now != after.stacks:  # chips put in out of turn are in the pot before they are an action (I-8)
        return _transfers_from_stacks(accounts, users, stacks, after)
    return transfers


def chips_in_pot(hand: Hand) -> int:
    """Return all chips of a hand that are in nobody's stack, also those carried to the next hand."""
    return hand.pot + hand.carried_to_next_hand


def chips_put_in(hand: Hand) -> tuple[int, ...]:
    """Return what each seat has put into a hand that is over, beside what came back to it uncalled or with a misdeal."""
    won = [0] * hand.seat_count
    for paid in hand.payments:
        won[paid.seat] += paid.chips
    return tuple(
        [before + paid - after for before, paid, after in zip(hand.started.stacks, won, hand.stacks, strict=True)]
    )


def _payments_from_pot(event: e.HandEvent, now: Sequence[int], after: Hand) -> list[tuple[int, int, TransferReason]]:
    """Seat index, chips and reason of everything that goes from the pot to a seat."""
    match event:
        case e.BettingRoundClosed(seat, returned):
            return [(seat, returned, TransferReason.RETURNED)] if returned else []
        case e.PotsPaid(payments):
            return [(paid.seat, paid.chips, TransferReason.WON) for paid in payments if paid.chips]
        case _:
            refunds = ((seat, chips - now[seat]) for seat, chips in enumerate(after.stacks))
            return [(seat, chips, TransferReason.VOID_REFUND) for seat, chips in refunds if chips]


def _transfers_from_stacks(
    accounts: TableAccounts, users: Sequence[int], stacks: Sequence[int], after: Hand
) -> list[Transfer]:
    """Return the transfers that explain the stacks: first what each player put in on balance, then what came back on balance."""
    reason = TransferReason.WON if after.over else TransferReason.RETURNED
    paid: list[Transfer] = []
    received: list[Transfer] = []
    for user, before, chips in zip(users, stacks, after.stacks, strict=True):
        if chips < before:
            paid += transfers_for(accounts.seat(user), accounts.pot, before - chips, TransferReason.BET)
        elif chips > before:
            received += transfers_for(accounts.pot, accounts.seat(user), chips - before, reason)
    return paid + received


def table_transfers(accounts: TableAccounts, table: Table | None, event: t.TableEvent) -> tuple[Transfer, ...]:
    """Return the transfers of one event of the table. `table` is the state before it."""
    match event:
        case t.SeatTaken(player=player, chips=chips):
            return transfers_for(accounts.wallet(player), accounts.seat(player), chips, TransferReason.BUY_IN)
        case t.ToppedUp(seat_number=number, chips=chips):
            player = _player_in_seat(table, number)
            return transfers_for(accounts.wallet(player), accounts.seat(player), chips, TransferReason.TOP_UP)
        case t.SeatLeft(player=player, chips=chips):
            return transfers_for(accounts.seat(player), accounts.wallet(player), chips, TransferReason.CASH_OUT)
        case t.StacksAdjusted(stack_changes=shifts):
            changes: dict[int, int] = {}
            for shift in shifts:
                changes[shift.player] = changes.get(shift.player, 0) + shift.chips
            return _adjustment_transfers(accounts, changes)
        case t.TableClosed() if table is not None and table.carried_chips:
            return _carried_pot_refunds(accounts, table)
        case _:
            return ()


def _player_in_seat(table: Table | None, number: int) -> int:
    seated = table.seat(number) if table is not None else None
    assert seated is not None, f"nobody sits in seat {number}"
    return seated.player


def _adjustment_transfers(accounts: TableAccounts, shifts: dict[int, int]) -> tuple[Transfer, ...]:
    """Pair those who give with those who receive (H-3)."""
    receives = [[player, chips] for player, chips in shifts.items() if chips > 0]
    transfers: list[Transfer] = []
    for giver, chips in shifts.items():
        left = -chips
        while left > 0:
            taker = receives[0]
            part = min(left, taker[1])
            transfers += transfers_for(accounts.seat(giver), accounts.seat(taker[0]), part, TransferReason.ADJUSTED)
            left -= part
            taker[1] -= part
            if not taker[1]:
                receives.pop(0)
    return tuple(transfers)


def _carried_pot_refunds(accounts: TableAccounts, table: Table) -> tuple[Transfer, ...]:
    """When a table closes with a carried pot, the players who left it last share the pot in equal parts (N-1, I-1)."""
    latest = max((left.at for left in table.departures), default=0)
    users = [left.player for left in table.departures if left.at == latest]
    if not users:
        raise BrokenInvariant("chips in the pot of a table where nobody has been")
    each, odd = divmod(table.carried_chips, len(users))
    refunds: list[Transfer] = []
    for index, user in enumerate(users):
        refunds += transfers_for(accounts.pot, accounts.wallet(user), each + (index < odd), TransferReason.VOID_REFUND)
    return tuple(refunds)
