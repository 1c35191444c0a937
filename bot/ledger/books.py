"""Post transfers and check the books. Only this module says what a transfer does to a balance.

Laws: I-1, TL-16.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from bot.ledger.accounts import (
    MINT_KINDS,
    POT_KINDS,
    SEAT_KINDS,
    Account,
    Book,
    Transfer,
    TransferReason,
    pot_account,
    seat_account,
    transfers_for,
)
from bot.ledger.refusals import NotEnoughChips


class Balance(Struct, frozen=True, gc=False):
    """What an account holds.

    Attributes:
        chips: on the account. Only a mint can be below zero.
        in_pot: for seats only: chips of this seat in the table's pot. They count as the player's own until the pot is empty.
    """

    chips: int = 0
    in_pot: int = 0


EMPTY_BALANCE = Balance()


class BalanceReader(Protocol):
    """Looks balances up: in a dict in tests, in rows in a store."""

    def balance(self, account: Account) -> Balance:
        """Return what the account holds; `EMPTY_BALANCE` if it was never used."""

    def seats_in_pot(self, pot: Account) -> Iterable[Account]:
        """Return the seats with chips in this pot."""


def post_transfers(balances: BalanceReader, transfers: Iterable[Transfer]) -> dict[Account, Balance]:
    """Return the balances that these transfers leave, one after the other, on the accounts they touch. `balances` does not change.

    A seat's bets are remembered in `Balance.in_pot` until they come back or the pot is empty. So a hand can be refunded from the ledger
    alone.

    Raises:
        NotEnoughChips: an account other than a mint would fall below zero.
    """
    after: dict[Account, Balance] = {}
    for transfer in transfers:
        giver, taker, chips = transfer.debit, transfer.credit, transfer.chips
        gives = after.get(giver) or balances.balance(giver)
        takes = after.get(taker) or balances.balance(taker)
        if gives.chips < chips and giver.kind not in MINT_KINDS:
            raise NotEnoughChips(has=gives.chips, needs=chips, user=giver.user)
        is_bet = giver.kind in SEAT_KINDS and taker.kind in POT_KINDS
        is_return = giver.kind in POT_KINDS and taker.kind in SEAT_KINDS and transfer.reason is not TransferReason.WON
        after[giver] = Balance(gives.chips - chips, gives.in_pot + chips if is_bet else gives.in_pot)
        after[taker] = Balance(takes.chips + chips, max(0, takes.in_pot - chips) if is_return else takes.in_pot)
        if giver.kind in POT_KINDS and gives.chips == chips:
            _forget_bets(giver, balances, after)
    return after


def _forget_bets(pot: Account, balances: BalanceReader, after: dict[Account, Balance]) -> None:
    """The pot is empty: no seat has chips in it any more."""
    seats = {account for account in after if account.kind in SEAT_KINDS and account.table == pot.table}
    for seat in seats.union(balances.seats_in_pot(pot)):
        balance = after.get(seat) or balances.balance(seat)
        if balance.in_pot:
            after[seat] = Balance(balance.chips)


def void_refunds(
    table: int, pot_chips: int, in_pot: Mapping[int, int], book: Book = Book.PEOPLE
) -> tuple[Transfer, ...]:
    """Pay a table's pot back to the players whose chips are in it (I-1), for a recovery that has nothing but the ledger.

    If the pot is not exactly what was put in (a part was carried over or is paid already), each player gets their share. Odd chips go one
    by one to the first players in the order of `in_pot`. The pot is empty afterwards.

    Args:
        in_pot: chips in the pot by user id, each above zero.
    """
    put_in = sum(in_pot.values())
    if not put_in:
        return ()
    shares = {user: chips * pot_chips // put_in for user, chips in in_pot.items()}
    odd_chips = pot_chips - sum(shares.values())
    pot = pot_account(table, book)
    refunds: list[Transfer] = []
    for index, (user, share) in enumerate(shares.items()):
        refund = share + (index < odd_chips)
        refunds += transfers_for(pot, seat_account(table, user, book), refund, TransferReason.VOID_REFUND)
    return tuple(refunds)


class BookProblem(StrEnum):
    """What can be wrong in the books. `bot.text` has the words for staff."""

    PEOPLE_NOT_ZERO = "people_not_zero"  # the people's book does not sum to zero
    PRACTICE_NOT_ZERO = "practice_not_zero"  # the practice book does not sum to zero
    GAME_NOT_ZERO = "game_not_zero"  # the book of a game of table chips does not sum to zero
    ACCOUNT_OWES = "account_owes"  # an account other than the mint is below zero
    BET_OUTSIDE_POT = "bet_outside_pot"  # chips are marked as bet on an account that cannot bet
    BET_IN_EMPTY_POT = "bet_in_empty_pot"  # a bet is remembered, but the pot is empty
    TABLE_DIFFERS = "table_differs"  # the engine counts other chips at a table than the ledger
    LEADERBOARD_DIFFERS = "leaderboard_differs"  # the leaderboard ranks a player by other chips than they have
    COUNTED_DIFFERS = "counted_differs"  # a leaderboard counts other chips than its sums say (BO-1)
    RANKS_DIFFER = "ranks_differ"  # a leaderboard ranks by a count of other people than are on it
    TRANSFERS_DIFFER = "transfers_differ"  # a balance is not the sum of its transfers


class BookFault(Struct, frozen=True, gc=False):
    """Something that is wrong in the books. `table` is the table's number in its server, 0 for none."""

    problem: BookProblem
    account: Account | None = None
    chips: int = 0
    table: int = 0


def compare_balances(
    expected: Mapping[Account, int], found: Mapping[Account, int], problem: BookProblem, table: int = 0
) -> tuple[BookFault, ...]:
    """Return a fault for each account on which two counts of the same chips differ; its `chips` are found minus expected.

    It compares the engine with the ledger (stacks and pot of a table), and balances with the sum of all transfers.
    """
    return tuple(
        BookFault(problem, account, found.get(account, 0) - expected.get(account, 0), table)
        for account in sorted(expected.keys() | found.keys(), key=lambda one: (one.kind, one.table, one.user))
        if found.get(account, 0) != expected.get(account, 0)
    )
