"""Posting transfers and checking the books. The one place that says what a transfer does to a balance.

Source: design §3; laws I-1, TL-16.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct

from bot.ledger.accounts import MINTS, POTS, SEATS, Account, Book, Reason, Transfer, move, pot, seat
from bot.ledger.errors import NotEnoughChips


class Balance(Struct, frozen=True, gc=False):
    """What an account holds.

    Attributes:
        chips: on the account; below zero only for a mint.
        staked: seats only: chips of this seat that lie in the table's pot. They count as the player's own until the pot
            is empty.
    """

    chips: int = 0
    staked: int = 0


EMPTY = Balance()


class Books(Protocol):
    """Where balances are looked up: a dict in tests, rows in a store."""

    def balance(self, account: Account) -> Balance:
        """What the account holds; `EMPTY` if it was never used."""

    def staked_at(self, pot: Account) -> Iterable[Account]:
        """The seats with chips in this pot."""


def post(books: Books, transfers: Iterable[Transfer]) -> dict[Account, Balance]:
    """The balances that these transfers, one after the other, leave on the accounts they touch. `books` is not changed.

    A seat's bets are remembered as `staked` until they come back or the pot is empty, so a hand can be paid back from
    the ledger alone.

    Raises:
        NotEnoughChips: an account other than a mint would fall below zero.
    """
    after: dict[Account, Balance] = {}
    for transfer in transfers:
        giver, taker, chips = transfer.debit, transfer.credit, transfer.chips
        gives = after.get(giver) or books.balance(giver)
        takes = after.get(taker) or books.balance(taker)
        if gives.chips < chips and giver.kind not in MINTS:
            raise NotEnoughChips(has=gives.chips, needs=chips, user=giver.user)
        bet = giver.kind in SEATS and taker.kind in POTS
        returned = giver.kind in POTS and taker.kind in SEATS and transfer.reason is not Reason.WON
        after[giver] = Balance(gives.chips - chips, gives.staked + chips if bet else gives.staked)
        after[taker] = Balance(takes.chips + chips, max(0, takes.staked - chips) if returned else takes.staked)
        if giver.kind in POTS and gives.chips == chips:
            for one in {
                *books.staked_at(giver),
                *(each for each in after if each.kind in SEATS and each.table == giver.table),
            }:
                now = after.get(one) or books.balance(one)
                if now.staked:
                    after[one] = Balance(now.chips)
    return after


def void_refunds(
    table: int, pot_chips: int, staked: Mapping[int, int], book: Book = Book.PEOPLE
) -> tuple[Transfer, ...]:
    """Pay a table's pot back to those whose chips are in it (I-1), for a recovery that has nothing but the ledger.

    Where the pot is not exactly what was put in (a part of it was carried and paid), each gets his share of it; odd
    chips go one by one to the first users in the order of `staked`. The pot is empty afterwards.

    Args:
        staked: chips in the pot by user, each above zero.
    """
    put_in = sum(staked.values())
    if not put_in:
        return ()
    shares = {user: chips * pot_chips // put_in for user, chips in staked.items()}
    odd = pot_chips - sum(shares.values())
    refunds: list[Transfer] = []
    for place, (user, chips) in enumerate(shares.items()):
        share = chips + (place < odd)
        refunds += move(pot(table, book), seat(table, user, book), share, Reason.VOID_REFUND)
    return tuple(refunds)


class Fault(Struct, frozen=True, gc=False):
    """Something wrong in the books, in plain words for staff."""

    what: str
    account: Account | None = None
    chips: int = 0


def audit(balances: Mapping[Account, Balance]) -> tuple[Fault, ...]:
    """Check a server's books: each sums to zero, and nobody but its mint owes. No faults: an empty tuple."""
    faults: list[Fault] = []
    for book in Book:
        out = sum(held.chips for account, held in balances.items() if account.book is book)
        if out:
            name = "people's" if book is Book.PEOPLE else "practice"
            faults.append(Fault(f"the {name} book does not sum to zero", None, out))
    for account, held in balances.items():
        if held.chips < 0 and account.kind not in MINTS:
            faults.append(Fault("an account owes chips", account, held.chips))
        if held.staked < 0 or (held.staked and account.kind not in SEATS):
            faults.append(Fault("chips are marked as bet where none can be", account, held.staked))
        if held.staked and not balances.get(pot(account.table, account.book), EMPTY).chips:
            faults.append(Fault("a bet is remembered in an empty pot", account, held.staked))
    return tuple(faults)


def compare(expected: Mapping[Account, int], found: Mapping[Account, int], what: str) -> tuple[Fault, ...]:
    """One fault for each account on which two counts of the same chips differ; `chips` is found less expected.

    Used for engine against ledger (stacks and pot of a table) and for balances against the sum of all transfers.
    """
    return tuple(
        Fault(what, account, found.get(account, 0) - expected.get(account, 0))
        for account in sorted(expected.keys() | found.keys(), key=lambda one: (one.kind, one.table, one.user))
        if found.get(account, 0) != expected.get(account, 0)
    )
