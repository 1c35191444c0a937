"""What is wrong in a server's books, worked out account by account: the store's audit, which SQLite does, must agree."""

from collections.abc import Mapping

from bot.ledger.accounts import MINT_KINDS, SEAT_KINDS, WALLET_BOOKS, Account, Book, mint_account, pot_account
from bot.ledger.books import EMPTY_BALANCE, Balance, BookFault, BookProblem

_BOOK_NOT_ZERO = {Book.PEOPLE: BookProblem.PEOPLE_NOT_ZERO, Book.PRACTICE: BookProblem.PRACTICE_NOT_ZERO}


def audit_balances(balances: Mapping[Account, Balance]) -> tuple[BookFault, ...]:
    """Check a server's books: each sums to zero, only its mint owes chips, and bets lie in pots. No faults: an empty tuple."""
    faults: list[BookFault] = []
    for book in WALLET_BOOKS:
        total = sum(balance.chips for account, balance in balances.items() if account.book is book)
        if total:
            faults.append(BookFault(_BOOK_NOT_ZERO[book], None, total))
    for game in sorted({account.table for account in balances if account.book is Book.TABLE}):
        held = [balance.chips for one, balance in balances.items() if one.book is Book.TABLE and one.table == game]
        if sum(held):
            faults.append(BookFault(BookProblem.GAME_NOT_ZERO, mint_account(Book.TABLE, game), sum(held)))
    for account, balance in balances.items():
        if balance.chips < 0 and account.kind not in MINT_KINDS:
            faults.append(BookFault(BookProblem.ACCOUNT_OWES, account, balance.chips))
        if balance.in_pot < 0 or (balance.in_pot and account.kind not in SEAT_KINDS):
            faults.append(BookFault(BookProblem.BET_OUTSIDE_POT, account, balance.in_pot))
        if balance.in_pot and not balances.get(pot_account(account.table, account.book), EMPTY_BALANCE).chips:
            faults.append(BookFault(BookProblem.BET_IN_EMPTY_POT, account, balance.in_pot))
    return tuple(faults)
