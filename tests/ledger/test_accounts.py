"""Which transfers there can be at all."""

import pytest

from bot.engine.stakes import CHIPS_MAX
from bot.ledger.accounts import Account, Book, Kind, Reason, Transfer, house, mint, move, pot, seat, wallet
from bot.ledger.errors import ImpossibleTransfer

ANN, BO = 1, 2


def test_accounts_of_the_two_books_differ() -> None:
    assert wallet(ANN) != wallet(ANN, Book.PRACTICE)
    assert wallet(ANN).book is Book.PEOPLE
    for account in (mint, house):
        assert account(Book.PRACTICE).book is Book.PRACTICE
    assert seat(7, ANN, Book.PRACTICE) == Account(Kind.PRACTICE_SEAT, 7, ANN)
    assert pot(7, Book.PRACTICE) == Account(Kind.PRACTICE_POT, 7)


@pytest.mark.law("H-5")
@pytest.mark.parametrize("chips", [0, -3, CHIPS_MAX + 1, 2.5, True, "7"])
def test_chips_are_whole_and_bounded(chips: object) -> None:
    with pytest.raises(ImpossibleTransfer):
        Transfer(wallet(ANN), seat(7, ANN), chips, Reason.BUY_IN)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("debit", "credit", "reason"),
    [
        (wallet(ANN), wallet(ANN, Book.PRACTICE), Reason.BUY_IN),  # from one book to the other
        (mint(), wallet(ANN, Book.PRACTICE), Reason.GRANT),
        (seat(7, ANN, Book.PRACTICE), wallet(ANN), Reason.CASH_OUT),
        (mint(), seat(7, ANN), Reason.GRANT),  # chips come to a table by buying in only
        (mint(), pot(7), Reason.BET),
        (pot(7), wallet(ANN), Reason.WON),
        (wallet(ANN), wallet(BO), Reason.CORRECTED),
        (seat(7, ANN), seat(8, ANN), Reason.ADJUSTED),  # from table to table
        (seat(7, ANN), pot(8), Reason.BET),
        (seat(7, ANN), seat(7, ANN), Reason.ADJUSTED),  # to itself
        (seat(7, ANN), pot(7), Reason.WON),  # a right way for a wrong reason
    ],
)
def test_chips_move_only_the_ways_of_the_game(debit: Account, credit: Account, reason: Reason) -> None:
    with pytest.raises(ImpossibleTransfer):
        Transfer(debit, credit, 5, reason)


def test_a_move_is_none_one_or_several_transfers() -> None:
    assert move(pot(7), seat(7, ANN), 0, Reason.WON) == ()
    assert move(pot(7), seat(7, ANN), 30, Reason.WON) == (Transfer(pot(7), seat(7, ANN), 30, Reason.WON),)
    parts = move(pot(7), seat(7, ANN), 3 * CHIPS_MAX + 1, Reason.WON)
    assert [part.chips for part in parts] == [CHIPS_MAX, CHIPS_MAX, CHIPS_MAX, 1]
