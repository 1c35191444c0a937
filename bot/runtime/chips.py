"""The transfers that belong to what happened: between seats and the pot during a hand, between wallets and seats otherwise.

Every transfer is derived from events, and what they add up to is held against the stacks before and after: no chip moves unrecorded.

Source: design §3 "each accepted command writes its events, its transfers"; laws TL-16, I-1, TL-1.
"""

from collections.abc import Sequence

from bot.engine import events as e
from bot.engine.hand import Hand
from bot.ledger.accounts import Account, Book, Reason, Transfer, move, pot, seat, wallet
from bot.table import events as t
from bot.table.state import Table

_PUT_IN: dict[type[e.Event], Reason] = {
    e.Called: Reason.BET,
    e.BetTo: Reason.BET,
    e.RaisedTo: Reason.BET,
    e.PricePaid: Reason.BET,
    e.PotMatched: Reason.BET,
    e.Posted: Reason.POST,
    e.Straddled: Reason.POST,
}
_TAKE_OUT = frozenset({e.IntervalClosed, e.PotsPaid, e.HandVoided})


class Accounts:
    """The accounts of one table."""

    __slots__ = ("_seats", "book", "pot", "table")

    def __init__(self, table: int, book: Book) -> None:
        self.table, self.book = table, book
        self.pot = pot(table, book)
        self._seats: dict[int, Account] = {}

    def seat(self, user: int) -> Account:
        account = self._seats.get(user)
        if account is None:
            account = self._seats[user] = seat(self.table, user, self.book)
        return account

    def wallet(self, user: int) -> Account:
        return wallet(user, self.book)

    def forget(self, user: int) -> None:
        self._seats.pop(user, None)


def hand_transfers(
    accounts: Accounts,
    users: Sequence[int],
    stacks: Sequence[int],
    pot_before: int,
    events: Sequence[e.Event],
    after: Hand,
) -> list[Transfer]:
    """The transfers of a hand's events. `users` and `stacks` (chips before the events) go by place at the deal."""
    now = list(stacks)
    transfers: list[Transfer] = []
    for event in events:
        kind = type(event)
        if kind in _PUT_IN:
            at, chips = event.seat, event.chips  # type: ignore[attr-defined]
            if chips:
                now[at] -= chips
                transfers += move(accounts.seat(users[at]), accounts.pot, chips, _PUT_IN[kind])
        elif kind in _TAKE_OUT:
            for at, chips, reason in _taken_out(event, now, after):
                now[at] += chips
                transfers += move(accounts.pot, accounts.seat(users[at]), chips, reason)
    assert sum(stacks) + pot_before == sum(after.stacks) + in_pot(after), "chips were made or lost in the hand"
    if now != after.stacks:  # chips put in out of turn lie in the pot before they are an action (I-8)
        return _by_stacks(accounts, users, stacks, after)
    return transfers


def in_pot(hand: Hand) -> int:
    """All chips of a hand that are in nobody's stack, those that wait for the next deal included."""
    return hand.pot + hand.carried_on


def _taken_out(event: e.Event, now: Sequence[int], after: Hand) -> list[tuple[int, int, Reason]]:
    """Place, chips and reason of all that goes from the pot back to a seat."""
    match event:
        case e.IntervalClosed(seat, returned):
            return [(seat, returned, Reason.RETURNED)] if returned else []
        case e.PotsPaid(payments):
            return [(paid.seat, paid.chips, Reason.WON) for paid in payments if paid.chips]
        case _:
            back = ((at, chips - now[at]) for at, chips in enumerate(after.stacks))
            return [(at, chips, Reason.VOID_REFUND) for at, chips in back if chips]


def _by_stacks(accounts: Accounts, users: Sequence[int], stacks: Sequence[int], after: Hand) -> list[Transfer]:
    """The transfers that make the stacks what they are: what was put in on balance, then what came back on balance."""
    reason = Reason.WON if after.over else Reason.RETURNED
    paid: list[Transfer] = []
    received: list[Transfer] = []
    for user, before, chips in zip(users, stacks, after.stacks, strict=True):
        if chips < before:
            paid += move(accounts.seat(user), accounts.pot, before - chips, Reason.BET)
        elif chips > before:
            received += move(accounts.pot, accounts.seat(user), chips - before, reason)
    return paid + received


def table_transfers(accounts: Accounts, table: Table | None, event: t.Any) -> tuple[Transfer, ...]:
    """The transfers of one event of the table. `table` is as it was before."""
    match event:
        case t.SeatTaken(player=player, chips=chips):
            return move(accounts.wallet(player), accounts.seat(player), chips, Reason.BUY_IN)
        case t.ToppedUp(seat=number, chips=chips):
            player = _player(table, number)
            return move(accounts.wallet(player), accounts.seat(player), chips, Reason.TOP_UP)
        case t.SeatLeft(player=player, chips=chips):
            return move(accounts.seat(player), accounts.wallet(player), chips, Reason.CASH_OUT)
        case t.Adjusted(shifts=shifts):
            changes: dict[int, int] = {}
            for shift in shifts:
                changes[shift.player] = changes.get(shift.player, 0) + shift.chips
            return _adjusted(accounts, changes)
        case t.TableClosed() if table is not None and table.carried:
            return _share_carried(accounts, table)
        case _:
            return ()


def _player(table: Table | None, number: int) -> int:
    seated = table.seat(number) if table is not None else None
    assert seated is not None, f"nobody sits in seat {number}"
    return seated.player


def _adjusted(accounts: Accounts, shifts: dict[int, int]) -> tuple[Transfer, ...]:
    """Pair those who give with those who receive (H-3)."""
    receives = [[player, chips] for player, chips in shifts.items() if chips > 0]
    transfers: list[Transfer] = []
    for giver, chips in shifts.items():
        left = -chips
        while left > 0:
            taker = receives[0]
            part = min(left, taker[1])
            transfers += move(accounts.seat(giver), accounts.seat(taker[0]), part, Reason.ADJUSTED)
            left -= part
            taker[1] -= part
            if not taker[1]:
                receives.pop(0)
    return tuple(transfers)


def _share_carried(accounts: Accounts, table: Table) -> tuple[Transfer, ...]:
    """A table closes with chips of an earlier deal in its pot: they go back in equal parts to those who were there last (N-1, I-1)."""
    latest = max((left.at for left in table.departures), default=0)
    users = [left.player for left in table.departures if left.at == latest]
    assert users, "chips in the pot of a table where nobody has been"
    each, odd = divmod(table.carried, len(users))
    refunds: list[Transfer] = []
    for place, user in enumerate(users):
        refunds += move(accounts.pot, accounts.wallet(user), each + (place < odd), Reason.VOID_REFUND)
    return tuple(refunds)
