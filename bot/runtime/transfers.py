"""The transfers that follow from events: between seats and the pot during a hand, between wallets and seats otherwise.

Every transfer is derived from events, and their sum is checked against the stacks before and after: no chip moves unrecorded.
Laws: TL-16, I-1, TL-1, TC-1, TC-5, TC-6, TC-8.
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
    mint_account,
    pot_account,
    seat_account,
    transfers_for,
    wallet_account,
)
from bot.table import events as t
from bot.table.adjustments import changes_by_player
from bot.table.book import carried_pot_shares
from bot.table.settings import TableSettings
from bot.table.state import ChipsCorrection, Table

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


def book_of(settings: TableSettings) -> Book:
    """Return the kind of book that a table is kept in."""
    if settings.practice:
        return Book.PRACTICE
    return Book.TABLE if settings.has_table_chips else Book.PEOPLE


class TableAccounts:
    """The accounts of one table."""

    __slots__ = ("_game", "_seats", "book", "mint", "pot", "table")

    def __init__(self, table: int, book: Book) -> None:
        self.table, self.book = table, book
        self._game = table if book is Book.TABLE else 0
        self.pot, self.mint = pot_account(table, book), mint_account(book, self._game)
        self._seats: dict[int, Account] = {}

    def seat(self, user: int) -> Account:
        account = self._seats.get(user)
        if account is None:
            account = self._seats[user] = seat_account(self.table, user, self.book)
        return account

    def wallet(self, user: int) -> Account:
        """Return the account that chips come from and go to; of table chips what the player has taken away from this game."""
        return wallet_account(user, self.book, self._game)

    def bought(self, user: int, chips: int) -> tuple[Transfer, ...]:
        """Return the transfers of table chips that a player buys (TC-2, TC-3); none of other chips."""
        if self.book is not Book.TABLE:
            return ()
        return transfers_for(self.mint, self.wallet(user), chips, TransferReason.BOUGHT)

    def ended(self, user: int, chips: int) -> tuple[Transfer, ...]:
        """Return the transfers of table chips that end: with their game, or before its book begins (TC-1, TC-8); none of other chips."""
        if self.book is not Book.TABLE:
            return ()
        return transfers_for(self.wallet(user), self.mint, chips, TransferReason.GAME_OVER)


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
        case t.SeatTaken(player=player, chips=chips, bought=bought):
            seated = transfers_for(accounts.wallet(player), accounts.seat(player), chips, TransferReason.BUY_IN)
            return accounts.bought(player, bought) + seated
        case t.ToppedUp(seat_number=number, chips=chips):
            player = _player_in_seat(table, number)
            added = transfers_for(accounts.wallet(player), accounts.seat(player), chips, TransferReason.TOP_UP)
            return accounts.bought(player, chips) + added
        case t.SeatLeft(player=player, chips=chips):
            left = transfers_for(accounts.seat(player), accounts.wallet(player), chips, TransferReason.CASH_OUT)
            return left + accounts.ended(player, chips) if player < 0 else left  # a practice player never returns
        case t.BookBegan() if table is not None:
            return _chips_of_new_book(accounts, table, event.starting_stack)
        case t.StacksAdjusted(stack_changes=shifts) | t.StacksReset(stack_changes=shifts):
            changes = {accounts.seat(player): chips for player, chips in changes_by_player(shifts).items()}
            return _balancing_transfers(changes, TransferReason.ADJUSTED)
        case t.ChipsCorrected(correction) if table is not None:
            return _correction_transfers(accounts, table, correction)
        case t.CarriedPotSettled(shares):
            paid: list[Transfer] = []
            for player, chips in shares:
                paid += transfers_for(accounts.pot, accounts.seat(player), chips, TransferReason.VOID_REFUND)
            return tuple(paid)
        case t.TableClosed() if table is not None:
            return _chips_at_the_end(accounts, table)
        case _:
            return ()


def _player_in_seat(table: Table | None, number: int) -> int:
    seated = table.seat(number) if table is not None else None
    assert seated is not None, f"nobody sits in seat {number}"
    return seated.player


def _correction_transfers(accounts: TableAccounts, table: Table, correction: ChipsCorrection) -> tuple[Transfer, ...]:
    """Return what a correction by staff moves: at the table, in what somebody took away, or from the game's mint and back to it (TC-6)."""
    changes = {
        accounts.seat(player) if table.seat_of(player) is not None else accounts.wallet(player): chips
        for player, chips in changes_by_player(correction.changes).items()
    }
    if total := sum(changes.values()):
        changes[accounts.mint] = -total
    return _balancing_transfers(changes, TransferReason.CORRECTED)


def _balancing_transfers(changes: dict[Account, int], reason: TransferReason) -> tuple[Transfer, ...]:
    """Pair those who give with those who receive (H-3)."""
    receives = [(account, chips) for account, chips in changes.items() if chips > 0]
    transfers: list[Transfer] = []
    for giver, chips in changes.items():
        left = -chips
        while left > 0:
            taker, wanted = receives.pop(0)
            part = min(left, wanted)
            transfers += transfers_for(giver, taker, part, reason)
            left -= part
            if wanted > part:
                receives.insert(0, (taker, wanted - part))
    return tuple(transfers)


def _chips_of_new_book(accounts: TableAccounts, table: Table, starting_stack: int) -> tuple[Transfer, ...]:
    """When the book of a game of table chips begins, all chips of the deals before end, and everybody buys the starting stack (TC-8)."""
    transfers: list[Transfer] = []
    for player, chips in _pot_and_taken(table).items():
        transfers += accounts.ended(player, chips)
    for seat in table.seats:
        wallet, account = accounts.wallet(seat.player), accounts.seat(seat.player)
        transfers += transfers_for(account, wallet, seat.stack, TransferReason.CASH_OUT)
        transfers += accounts.ended(seat.player, seat.stack)
        transfers += accounts.bought(seat.player, starting_stack)
        transfers += transfers_for(wallet, account, starting_stack, TransferReason.BUY_IN)
    return (*_carried_pot_refunds(accounts, table), *transfers)


def _chips_at_the_end(accounts: TableAccounts, table: Table) -> tuple[Transfer, ...]:
    """A carried pot that nobody won goes back (N-1, I-1, TC-6). Then table chips end: nothing of them is left (TC-1)."""
    transfers = _carried_pot_refunds(accounts, table)
    for player, chips in _pot_and_taken(table).items():
        transfers += accounts.ended(player, chips)
    return transfers


def _carried_pot_refunds(accounts: TableAccounts, table: Table) -> tuple[Transfer, ...]:
    refunds: list[Transfer] = []
    for player, chips in carried_pot_shares(table).items():
        refunds += transfers_for(accounts.pot, accounts.wallet(player), chips, TransferReason.VOID_REFUND)
    return tuple(refunds)


def _pot_and_taken(table: Table) -> dict[int, int]:
    """Return what everybody has off the table once a carried pot has gone back."""
    chips = {line.player: line.taken for line in table.book if line.taken}
    for player, share in carried_pot_shares(table).items():
        chips[player] = chips.get(player, 0) + share
    return chips
