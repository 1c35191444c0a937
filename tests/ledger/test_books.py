"""Posting transfers: no chip made or lost, nobody below zero, and a hand that the ledger alone can pay back."""

from collections.abc import Iterable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.ledger.accounts import Account, Book, Kind, Reason, Transfer, house, mint, move, pot, seat, wallet
from bot.ledger.books import EMPTY, Balance, audit, compare, post, void_refunds
from bot.ledger.errors import NotEnoughChips

ANN, BO, CY = 1, 2, 3
TABLE = 7


class Ledger:
    """Books in a dict."""

    def __init__(self) -> None:
        self.held: dict[Account, Balance] = {}

    def balance(self, account: Account) -> Balance:
        return self.held.get(account, EMPTY)

    def staked_at(self, pot: Account) -> Iterable[Account]:
        return [account for account, held in self.held.items() if held.staked and account.table == pot.table]

    def post(self, *transfers: Transfer) -> None:
        self.held.update(post(self, transfers))

    def stack(self, user: int) -> tuple[int, int]:
        held = self.balance(seat(TABLE, user))
        return held.chips, held.staked

    def bet(self, user: int, chips: int) -> None:
        self.post(Transfer(seat(TABLE, user), pot(TABLE), chips, Reason.BET))

    def pay(self, user: int, chips: int, reason: Reason = Reason.WON) -> None:
        self.post(Transfer(pot(TABLE), seat(TABLE, user), chips, reason))


def seated(**stacks: int) -> Ledger:
    ledger = Ledger()
    for user, chips in enumerate(stacks.values(), 1):
        ledger.post(
            Transfer(mint(), wallet(user), chips, Reason.GRANT),
            Transfer(wallet(user), seat(TABLE, user), chips, Reason.BUY_IN),
        )
    return ledger


def test_a_hand_moves_chips_from_seats_to_pot_to_winner() -> None:
    ledger = seated(ann=1000, bo=500)
    ledger.bet(ANN, 300)
    ledger.bet(BO, 500)
    ledger.bet(ANN, 400)
    ledger.pay(ANN, 200, Reason.RETURNED)
    assert (ledger.stack(ANN), ledger.stack(BO)) == ((500, 500), (0, 500))
    assert ledger.balance(pot(TABLE)).chips == 1000
    ledger.pay(BO, 1000)
    assert (ledger.stack(ANN), ledger.stack(BO)) == ((500, 0), (1000, 0))
    assert audit(ledger.held) == ()


def test_a_refused_transfer_leaves_the_books_alone() -> None:
    ledger = seated(ann=100)
    before = dict(ledger.held)
    with pytest.raises(NotEnoughChips) as short:
        ledger.post(
            Transfer(seat(TABLE, ANN), pot(TABLE), 60, Reason.BET),
            Transfer(seat(TABLE, ANN), pot(TABLE), 60, Reason.BET),
        )
    assert (short.value.has, short.value.needs, short.value.user) == (40, 60, ANN)
    assert ledger.held == before


def test_bets_stay_the_players_own_until_the_pot_is_empty() -> None:
    """A split pot is paid in several transfers; the bets are settled by the last."""
    ledger = seated(ann=100, bo=100, cy=100)
    for user in (ANN, BO, CY):
        ledger.bet(user, 30)
    ledger.pay(ANN, 45)
    assert ledger.stack(BO) == (70, 30)
    ledger.pay(BO, 45)
    assert [ledger.stack(user) for user in (ANN, BO, CY)] == [(115, 0), (115, 0), (70, 0)]


def test_bets_and_payments_in_one_command_settle_too() -> None:
    ledger = seated(ann=100, bo=100)
    ledger.post(
        Transfer(seat(TABLE, ANN), pot(TABLE), 100, Reason.BET),
        Transfer(seat(TABLE, BO), pot(TABLE), 100, Reason.BET),
        Transfer(pot(TABLE), house(), 5, Reason.RAKE),
        Transfer(pot(TABLE), seat(TABLE, BO), 195, Reason.WON),
    )
    assert (ledger.stack(ANN), ledger.stack(BO)) == ((0, 0), (195, 0))


@pytest.mark.law("I-1")
def test_the_ledger_alone_can_pay_a_hand_back() -> None:
    ledger = seated(ann=1000, bo=500, cy=800)
    ledger.bet(ANN, 50)
    ledger.bet(BO, 500)
    ledger.bet(CY, 500)
    ledger.post(*void_refunds(TABLE, 1050, {ANN: 50, BO: 500, CY: 500}))
    assert [ledger.stack(user) for user in (ANN, BO, CY)] == [(1000, 0), (500, 0), (800, 0)]
    assert ledger.balance(pot(TABLE)).chips == 0


def test_a_carried_pot_is_paid_back_in_shares_to_the_last_chip() -> None:
    refunds = void_refunds(TABLE, 100, {ANN: 50, BO: 50, CY: 50})
    assert [(refund.credit.user, refund.chips) for refund in refunds] == [(ANN, 34), (BO, 33), (CY, 33)]
    assert void_refunds(TABLE, 0, {}) == ()


def test_audits_name_what_is_wrong() -> None:
    ledger = seated(ann=100)
    ledger.held[wallet(BO)] = Balance(5)
    ledger.held[seat(TABLE, CY)] = Balance(-5, 3)
    ledger.held[wallet(ANN, Book.PRACTICE)] = Balance(1, 1)
    assert {(fault.what, fault.account, fault.chips) for fault in audit(ledger.held)} == {
        ("the practice book does not sum to zero", None, 1),
        ("an account owes chips", seat(TABLE, CY), -5),
        ("a bet is remembered in an empty pot", seat(TABLE, CY), 3),
        ("chips are marked as bet where none can be", wallet(ANN, Book.PRACTICE), 1),
        ("a bet is remembered in an empty pot", wallet(ANN, Book.PRACTICE), 1),
    }
    assert [
        fault.chips for fault in compare({wallet(ANN): 3, wallet(BO): 1}, {wallet(ANN): 5, wallet(BO): 1}, "x")
    ] == [2]


users = st.sampled_from((ANN, BO, CY))
amounts = st.integers(1, 400)


class AnyPlay(RuleBasedStateMachine):
    """Any order of gifts, buy-ins, bets, payments and voids, refused or not."""

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger()
        self.book = Book.PEOPLE

    def try_to(self, debit: Account, credit: Account, chips: int, reason: Reason) -> None:
        before = dict(self.ledger.held)
        has = self.ledger.balance(debit).chips
        try:
            self.ledger.post(Transfer(debit, credit, chips, reason))
        except NotEnoughChips:
            assert has < chips
            assert self.ledger.held == before

    @rule(book=st.sampled_from(Book))
    def look_at(self, book: Book) -> None:
        self.book = book

    @rule(user=users, chips=amounts)
    def grant(self, user: int, chips: int) -> None:
        self.try_to(mint(self.book), wallet(user, self.book), chips, Reason.GRANT)

    @rule(user=users, chips=amounts)
    def take(self, user: int, chips: int) -> None:
        self.try_to(wallet(user, self.book), mint(self.book), chips, Reason.STAFF_TAKE)

    @rule(user=users, chips=amounts)
    def sit(self, user: int, chips: int) -> None:
        self.try_to(wallet(user, self.book), seat(TABLE, user, self.book), chips, Reason.BUY_IN)

    @rule(user=users, chips=amounts)
    def leave(self, user: int, chips: int) -> None:
        self.try_to(seat(TABLE, user, self.book), wallet(user, self.book), chips, Reason.CASH_OUT)

    @rule(user=users, chips=amounts)
    def bet(self, user: int, chips: int) -> None:
        self.try_to(seat(TABLE, user, self.book), pot(TABLE, self.book), chips, Reason.BET)

    @rule(user=users, chips=amounts)
    def win(self, user: int, chips: int) -> None:
        self.try_to(pot(TABLE, self.book), seat(TABLE, user, self.book), chips, Reason.WON)

    @rule(user=users)
    def win_all(self, user: int) -> None:
        chips = self.ledger.balance(pot(TABLE, self.book)).chips
        self.ledger.post(*move(pot(TABLE, self.book), seat(TABLE, user, self.book), chips, Reason.WON))

    def staked(self) -> dict[int, int]:
        kind = Kind(Kind.SEAT + self.book)
        return {one.user: held.staked for one, held in self.ledger.held.items() if one.kind is kind and held.staked}

    @precondition(lambda self: self.staked())
    @rule()
    def void(self) -> None:
        chips, staked = self.ledger.balance(pot(TABLE, self.book)).chips, self.staked()
        stacks = {user: self.ledger.balance(seat(TABLE, user, self.book)).chips for user in staked}
        refunds = void_refunds(TABLE, chips, staked, self.book)
        self.ledger.post(*refunds)
        assert sum(refund.chips for refund in refunds) == chips
        if chips == sum(staked.values()):
            for user, bets in staked.items():
                assert self.ledger.balance(seat(TABLE, user, self.book)).chips == stacks[user] + bets

    @invariant()
    def no_chip_is_made_or_lost(self) -> None:
        assert audit(self.ledger.held) == ()


AnyPlay.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None, derandomize=True)
TestAnyPlay = AnyPlay.TestCase
