"""Chips move only along the routes that the ledger allows."""

import pytest

from bot.engine.stakes import MAX_CHIPS
from bot.ledger.accounts import (
    Account,
    AccountKind,
    Book,
    Transfer,
    TransferReason,
    house_account,
    mint_account,
    pot_account,
    seat_account,
    transfers_for,
    wallet_account,
)
from bot.ledger.refusals import ImpossibleTransfer

ANN, BO = 1, 2


def test_accounts_of_the_two_books_are_separate() -> None:
    assert wallet_account(ANN) != wallet_account(ANN, Book.PRACTICE)
    assert wallet_account(ANN).book is Book.PEOPLE
    for account in (mint_account, house_account):
        assert account(Book.PRACTICE).book is Book.PRACTICE
    assert seat_account(7, ANN, Book.PRACTICE) == Account(AccountKind.PRACTICE_SEAT, 7, ANN)
    assert pot_account(7, Book.PRACTICE) == Account(AccountKind.PRACTICE_POT, 7)


@pytest.mark.law("TC-1")
def test_each_game_of_table_chips_has_its_own_book() -> None:
    assert mint_account(Book.TABLE, 7) != mint_account(Book.TABLE, 8)
    assert wallet_account(ANN, Book.TABLE, 7) == Account(AccountKind.TABLE_WALLET, 7, ANN)
    Transfer(mint_account(Book.TABLE, 7), wallet_account(ANN, Book.TABLE, 7), 5, TransferReason.BOUGHT)
    Transfer(wallet_account(ANN, Book.TABLE, 7), seat_account(7, ANN, Book.TABLE), 5, TransferReason.BUY_IN)


@pytest.mark.law("H-5")
@pytest.mark.parametrize("chips", [0, -3, MAX_CHIPS + 1, 2.5, True, "7"])
def test_chips_are_whole_and_bounded(chips: object) -> None:
    with pytest.raises(ImpossibleTransfer):
        Transfer(wallet_account(ANN), seat_account(7, ANN), chips, TransferReason.BUY_IN)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("debit", "credit", "reason"),
    [
        (wallet_account(ANN), wallet_account(ANN, Book.PRACTICE), TransferReason.BUY_IN),  # from one book to the other
        (mint_account(), wallet_account(ANN, Book.PRACTICE), TransferReason.GRANT),
        (seat_account(7, ANN, Book.PRACTICE), wallet_account(ANN), TransferReason.CASH_OUT),
        (wallet_account(ANN), seat_account(7, ANN, Book.TABLE), TransferReason.BUY_IN),  # table chips and a wallet
        (seat_account(7, ANN, Book.TABLE), wallet_account(ANN), TransferReason.CASH_OUT),
        (mint_account(), wallet_account(ANN, Book.TABLE, 7), TransferReason.BOUGHT),
        (mint_account(Book.TABLE, 7), wallet_account(ANN), TransferReason.BOUGHT),
        (mint_account(Book.TABLE, 7), wallet_account(ANN, Book.TABLE, 8), TransferReason.BOUGHT),  # from game to game
        (wallet_account(ANN, Book.TABLE, 7), seat_account(8, ANN, Book.TABLE), TransferReason.BUY_IN),
        (wallet_account(ANN, Book.TABLE, 7), wallet_account(BO, Book.TABLE, 7), TransferReason.ADJUSTED),
        (mint_account(Book.TABLE, 7), wallet_account(ANN, Book.TABLE, 7), TransferReason.GRANT),  # no gifts of them
        (mint_account(Book.TABLE), wallet_account(ANN, Book.TABLE), TransferReason.BOUGHT),  # of no game
        (mint_account(), seat_account(7, ANN), TransferReason.GRANT),  # chips come to a table only by a buy-in
        (mint_account(), pot_account(7), TransferReason.BET),
        (pot_account(7), wallet_account(ANN), TransferReason.WON),
        (wallet_account(ANN), wallet_account(BO), TransferReason.CORRECTED),
        (seat_account(7, ANN), seat_account(8, ANN), TransferReason.ADJUSTED),  # from table to table
        (seat_account(7, ANN), pot_account(8), TransferReason.BET),
        (seat_account(7, ANN), seat_account(7, ANN), TransferReason.ADJUSTED),  # to itself
        (seat_account(7, ANN), pot_account(7), TransferReason.WON),  # a possible route, but for another reason
    ],
)
def test_chips_move_only_along_allowed_routes(debit: Account, credit: Account, reason: TransferReason) -> None:
    with pytest.raises(ImpossibleTransfer):
        Transfer(debit, credit, 5, reason)


def test_amount_moves_in_as_many_transfers_as_needed() -> None:
    assert transfers_for(pot_account(7), seat_account(7, ANN), 0, TransferReason.WON) == ()
    assert transfers_for(pot_account(7), seat_account(7, ANN), 30, TransferReason.WON) == (
        Transfer(pot_account(7), seat_account(7, ANN), 30, TransferReason.WON),
    )
    parts = transfers_for(pot_account(7), seat_account(7, ANN), 3 * MAX_CHIPS + 1, TransferReason.WON)
    assert [part.chips for part in parts] == [MAX_CHIPS, MAX_CHIPS, MAX_CHIPS, 1]
