"""Posting a transfer makes and loses no chip, and nobody falls below zero. The ledger alone can refund a hand."""

from collections.abc import Iterable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

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
from bot.ledger.books import (
    EMPTY_BALANCE,
    Balance,
    BookFault,
    BookProblem,
    compare_balances,
    post_transfers,
    void_refunds,
)
from bot.ledger.refusals import NotEnoughChips
from tests.ledger.plain_audit import audit_balances

ANN, BO, CY = 1, 2, 3
TABLE = 7


class Ledger:
    """Balances in a dict."""

    def __init__(self) -> None:
        self.held: dict[Account, Balance] = {}

    def balance(self, account: Account) -> Balance:
        return self.held.get(account, EMPTY_BALANCE)

    def seats_in_pot(self, pot: Account) -> Iterable[Account]:
        return [account for account, held in self.held.items() if held.in_pot and account.table == pot.table]

    def post(self, *transfers: Transfer) -> None:
        self.held.update(post_transfers(self, transfers))

    def stack(self, user: int) -> tuple[int, int]:
        held = self.balance(seat_account(TABLE, user))
        return held.chips, held.in_pot

    def bet(self, user: int, chips: int) -> None:
        self.post(Transfer(seat_account(TABLE, user), pot_account(TABLE), chips, TransferReason.BET))

    def pay(self, user: int, chips: int, reason: TransferReason = TransferReason.WON) -> None:
        self.post(Transfer(pot_account(TABLE), seat_account(TABLE, user), chips, reason))


def seated(**stacks: int) -> Ledger:
    ledger = Ledger()
    for user, chips in enumerate(stacks.values(), 1):
        ledger.post(
            Transfer(mint_account(), wallet_account(user), chips, TransferReason.GRANT),
            Transfer(wallet_account(user), seat_account(TABLE, user), chips, TransferReason.BUY_IN),
        )
    return ledger


def test_hand_moves_chips_from_seats_to_pot_to_winner() -> None:
    ledger = seated(ann=1000, bo=500)
    ledger.bet(ANN, 300)
    ledger.bet(BO, 500)
    ledger.bet(ANN, 400)
    ledger.pay(ANN, 200, TransferReason.RETURNED)
    assert (ledger.stack(ANN), ledger.stack(BO)) == ((500, 500), (0, 500))
    assert ledger.balance(pot_account(TABLE)).chips == 1000
    ledger.pay(BO, 1000)
    assert (ledger.stack(ANN), ledger.stack(BO)) == ((500, 0), (1000, 0))
    assert audit_balances(ledger.held) == ()


def test_refused_transfer_leaves_the_books_alone() -> None:
    ledger = seated(ann=100)
    before = dict(ledger.held)
    with pytest.raises(NotEnoughChips) as short:
        ledger.post(
            Transfer(seat_account(TABLE, ANN), pot_account(TABLE), 60, TransferReason.BET),
            Transfer(seat_account(TABLE, ANN), pot_account(TABLE), 60, TransferReason.BET),
        )
    assert (short.value.has, short.value.needs, short.value.user) == (40, 60, ANN)
    assert ledger.held == before


def test_bets_belong_to_the_player_until_pot_is_empty() -> None:
    """A split pot is paid in several transfers; the last one settles the bets."""
    ledger = seated(ann=100, bo=100, cy=100)
    for user in (ANN, BO, CY):
        ledger.bet(user, 30)
    ledger.pay(ANN, 45)
    assert ledger.stack(BO) == (70, 30)
    ledger.pay(BO, 45)
    assert [ledger.stack(user) for user in (ANN, BO, CY)] == [(115, 0), (115, 0), (70, 0)]


def test_bets_and_payments_in_one_commit_are_settled() -> None:
    ledger = seated(ann=100, bo=100)
    ledger.post(
        Transfer(seat_account(TABLE, ANN), pot_account(TABLE), 100, TransferReason.BET),
        Transfer(seat_account(TABLE, BO), pot_account(TABLE), 100, TransferReason.BET),
        Transfer(pot_account(TABLE), house_account(), 5, TransferReason.RAKE),
        Transfer(pot_account(TABLE), seat_account(TABLE, BO), 195, TransferReason.WON),
    )
    assert (ledger.stack(ANN), ledger.stack(BO)) == ((0, 0), (195, 0))


@pytest.mark.law("I-1")
def test_ledger_alone_can_refund_a_hand() -> None:
    ledger = seated(ann=1000, bo=500, cy=800)
    ledger.bet(ANN, 50)
    ledger.bet(BO, 500)
    ledger.bet(CY, 500)
    ledger.post(*void_refunds(TABLE, 1050, {ANN: 50, BO: 500, CY: 500}))
    assert [ledger.stack(user) for user in (ANN, BO, CY)] == [(1000, 0), (500, 0), (800, 0)]
    assert ledger.balance(pot_account(TABLE)).chips == 0


def test_carried_pot_is_refunded_in_shares_without_loss() -> None:
    refunds = void_refunds(TABLE, 100, {ANN: 50, BO: 50, CY: 50})
    assert [(refund.credit.user, refund.chips) for refund in refunds] == [(ANN, 34), (BO, 33), (CY, 33)]
    assert void_refunds(TABLE, 0, {}) == ()


def test_audit_names_each_problem() -> None:
    ledger = seated(ann=100)
    ledger.held[wallet_account(BO)] = Balance(5)
    ledger.held[seat_account(TABLE, CY)] = Balance(-5, 3)
    ledger.held[wallet_account(ANN, Book.PRACTICE)] = Balance(1, 1)
    assert {(fault.problem, fault.account, fault.chips) for fault in audit_balances(ledger.held)} == {
        (BookProblem.PRACTICE_NOT_ZERO, None, 1),
        (BookProblem.ACCOUNT_OWES, seat_account(TABLE, CY), -5),
        (BookProblem.BET_IN_EMPTY_POT, seat_account(TABLE, CY), 3),
        (BookProblem.BET_OUTSIDE_POT, wallet_account(ANN, Book.PRACTICE), 1),
        (BookProblem.BET_IN_EMPTY_POT, wallet_account(ANN, Book.PRACTICE), 1),
    }
    expected = {wallet_account(ANN): 3, wallet_account(BO): 1}
    found = {wallet_account(ANN): 5, wallet_account(BO): 1}
    faults = compare_balances(expected, found, BookProblem.TABLE_DIFFERS, table=4)
    assert faults == (BookFault(BookProblem.TABLE_DIFFERS, wallet_account(ANN), 2, table=4),)


users = st.sampled_from((ANN, BO, CY))
amounts = st.integers(1, 400)


class AnyPlay(RuleBasedStateMachine):
    """Gifts, buy-ins, bets, payments and voids in any order, refused or not."""

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger()
        self.book, self.table = Book.PEOPLE, TABLE

    @property
    def mint(self) -> Account:
        return mint_account(self.book, self.table if self.book is Book.TABLE else 0)

    def wallet(self, user: int) -> Account:
        return wallet_account(user, self.book, self.table if self.book is Book.TABLE else 0)

    def seat(self, user: int) -> Account:
        return seat_account(self.table, user, self.book)

    @property
    def pot(self) -> Account:
        return pot_account(self.table, self.book)

    def try_to(self, debit: Account, credit: Account, chips: int, reason: TransferReason) -> None:
        before = dict(self.ledger.held)
        has = self.ledger.balance(debit).chips
        try:
            self.ledger.post(Transfer(debit, credit, chips, reason))
        except NotEnoughChips:
            assert has < chips
            assert self.ledger.held == before

    @rule(book=st.sampled_from(Book), table=st.sampled_from((TABLE, TABLE + 1)))
    def audit_book(self, book: Book, table: int) -> None:
        self.book, self.table = book, table

    @rule(user=users, chips=amounts)
    def grant(self, user: int, chips: int) -> None:
        reason = TransferReason.BOUGHT if self.book is Book.TABLE else TransferReason.GRANT
        self.try_to(self.mint, self.wallet(user), chips, reason)

    @rule(user=users, chips=amounts)
    def take(self, user: int, chips: int) -> None:
        reason = TransferReason.GAME_OVER if self.book is Book.TABLE else TransferReason.STAFF_TAKE
        self.try_to(self.wallet(user), self.mint, chips, reason)

    @rule(user=users, chips=amounts)
    def sit(self, user: int, chips: int) -> None:
        self.try_to(self.wallet(user), self.seat(user), chips, TransferReason.BUY_IN)

    @rule(user=users, chips=amounts)
    def leave(self, user: int, chips: int) -> None:
        self.try_to(self.seat(user), self.wallet(user), chips, TransferReason.CASH_OUT)

    @rule(user=users, chips=amounts)
    def bet(self, user: int, chips: int) -> None:
        self.try_to(self.seat(user), self.pot, chips, TransferReason.BET)

    @rule(user=users, chips=amounts)
    def win(self, user: int, chips: int) -> None:
        self.try_to(self.pot, self.seat(user), chips, TransferReason.WON)

    @rule(user=users)
    def win_all(self, user: int) -> None:
        chips = self.ledger.balance(self.pot).chips
        self.ledger.post(*transfers_for(self.pot, self.seat(user), chips, TransferReason.WON))

    def chips_in_pot(self) -> dict[int, int]:
        kind = AccountKind(AccountKind.SEAT + self.book)
        here = {one: held for one, held in self.ledger.held.items() if one.kind is kind and one.table == self.table}
        return {one.user: held.in_pot for one, held in here.items() if held.in_pot}

    @precondition(lambda self: self.chips_in_pot())
    @rule()
    def void(self) -> None:
        chips, staked = self.ledger.balance(self.pot).chips, self.chips_in_pot()
        stacks = {user: self.ledger.balance(self.seat(user)).chips for user in staked}
        refunds = void_refunds(self.table, chips, staked, self.book)
        self.ledger.post(*refunds)
        assert sum(refund.chips for refund in refunds) == chips
        if chips == sum(staked.values()):
            for user, bets in staked.items():
                assert self.ledger.balance(self.seat(user)).chips == stacks[user] + bets

    @invariant()
    def no_chip_is_made_or_lost(self) -> None:
        assert audit_balances(self.ledger.held) == ()


AnyPlay.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None, derandomize=True)
TestAnyPlay = AnyPlay.TestCase
