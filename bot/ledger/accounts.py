"""Accounts and transfers: every chip of a server is on exactly one account, and moves only by a transfer.

A server keeps two books, one of people's chips and one of the practice tables'; no chip crosses between them. In each
book the sum over
all accounts is zero: the mint owes what the others hold.

Source: design §3; law H-5.
"""

from enum import IntEnum, StrEnum

from msgspec import Struct

from bot.engine.stakes import CHIPS_MAX
from bot.ledger.errors import ImpossibleTransfer

_PRACTICE = 10


class Book(IntEnum):
    """Which of a server's two books an account is in."""

    PEOPLE = 0
    PRACTICE = _PRACTICE


class Kind(IntEnum):
    """What an account is for. The numbers are stored."""

    MINT = 1  # where chips come from; the only kind that may owe
    HOUSE = 2  # rake and forfeits
    WALLET = 3  # a player's chips off the tables
    SEAT = 4  # a player's stack at one table
    POT = 5  # what has been put in at one table
    PRACTICE_MINT = _PRACTICE + MINT
    PRACTICE_HOUSE = _PRACTICE + HOUSE
    PRACTICE_WALLET = _PRACTICE + WALLET
    PRACTICE_SEAT = _PRACTICE + SEAT
    PRACTICE_POT = _PRACTICE + POT


MINTS = frozenset({Kind.MINT, Kind.PRACTICE_MINT})
WALLETS = frozenset({Kind.WALLET, Kind.PRACTICE_WALLET})
SEATS = frozenset({Kind.SEAT, Kind.PRACTICE_SEAT})
POTS = frozenset({Kind.POT, Kind.PRACTICE_POT})


class Account(Struct, frozen=True, gc=False):
    """One account of a server. `table` and `user` are 0 where the kind has none."""

    kind: Kind
    table: int = 0
    user: int = 0

    @property
    def book(self) -> Book:
        return Book.PRACTICE if self.kind > _PRACTICE else Book.PEOPLE


def mint(book: Book = Book.PEOPLE) -> Account:
    """The account all chips of a book come from."""
    return Account(Kind(Kind.MINT + book))


def house(book: Book = Book.PEOPLE) -> Account:
    """The house's own chips."""
    return Account(Kind(Kind.HOUSE + book))


def wallet(user: int, book: Book = Book.PEOPLE) -> Account:
    """A player's chips that are on no table. A practice player's user number is whatever the table calls him by."""
    return Account(Kind(Kind.WALLET + book), 0, user)


def seat(table: int, user: int, book: Book = Book.PEOPLE) -> Account:
    """A player's stack at a table, by the table's id."""
    return Account(Kind(Kind.SEAT + book), table, user)


def pot(table: int, book: Book = Book.PEOPLE) -> Account:
    """What has been put in at a table and not been paid out: bets, side pots and a carried pot together."""
    return Account(Kind(Kind.POT + book), table, 0)


class Reason(StrEnum):
    """Why chips moved. The words are stored and shown in histories."""

    GRANT = "grant"
    DAILY = "daily"
    RELIEF = "relief"
    STAFF_GRANT = "staff grant"
    STAFF_TAKE = "staff take"
    BUY_IN = "buy-in"
    TOP_UP = "top-up"
    CASH_OUT = "cash-out"
    POST = "post"  # a forced bet: blind, ante, straddle
    BET = "bet"  # a call, bet or raise
    RETURNED = "returned"  # the unmatched part of a bet (TL-16)
    WON = "won"
    RAKE = "rake"
    VOID_REFUND = "void refund"  # the deal does not count (I-1)
    ADJUSTED = "adjusted"  # by consent of all seated (H-3)
    CORRECTED = "corrected"  # by staff, after a hand that stands


_GIFT = ((Kind.MINT, Kind.WALLET),)
_IN = ((Kind.WALLET, Kind.SEAT),)
_BET = ((Kind.SEAT, Kind.POT),)
_ROUTES: dict[Reason, tuple[tuple[Kind, Kind], ...]] = {
    Reason.GRANT: _GIFT,
    Reason.DAILY: _GIFT,
    Reason.RELIEF: _GIFT,
    Reason.STAFF_GRANT: _GIFT,
    Reason.STAFF_TAKE: ((Kind.WALLET, Kind.MINT),),
    Reason.BUY_IN: _IN,
    Reason.TOP_UP: _IN,
    Reason.CASH_OUT: ((Kind.SEAT, Kind.WALLET),),
    Reason.POST: _BET,
    Reason.BET: _BET,
    Reason.RETURNED: ((Kind.POT, Kind.SEAT),),
    Reason.WON: ((Kind.POT, Kind.SEAT),),
    Reason.RAKE: ((Kind.POT, Kind.HOUSE),),
    Reason.VOID_REFUND: ((Kind.POT, Kind.SEAT), (Kind.POT, Kind.WALLET)),
    Reason.ADJUSTED: ((Kind.SEAT, Kind.SEAT),),
    Reason.CORRECTED: (
        (Kind.SEAT, Kind.SEAT),
        (Kind.WALLET, Kind.HOUSE),
        (Kind.HOUSE, Kind.WALLET),
        (Kind.SEAT, Kind.HOUSE),
        (Kind.HOUSE, Kind.SEAT),
    ),
}
# Every way chips may move, each within its own book: a transfer from one book to the other is in no route.
_LAWFUL = frozenset(
    (reason, Kind(giver + book), Kind(taker + book))
    for reason, ways in _ROUTES.items()
    for giver, taker in ways
    for book in Book
)


class Transfer(Struct, frozen=True, gc=False):
    """Chips that moved. Immutable; what was wrong is put right by another transfer.

    Attributes:
        debit: the account that gives.
        credit: the account that receives.
        chips: 1 … `CHIPS_MAX`.
        note: what staff wrote, or what a screen may add; no cards.

    Raises:
        ImpossibleTransfer: the amount is none, or this reason never moves chips this way.
    """

    debit: Account
    credit: Account
    chips: int
    reason: Reason
    note: str = ""

    def __post_init__(self) -> None:
        if type(self.chips) is not int or not 0 < self.chips <= CHIPS_MAX:
            raise ImpossibleTransfer(f"{self.chips!r} is not a number of chips from 1 to {CHIPS_MAX}")
        if (self.reason, self.debit.kind, self.credit.kind) not in _LAWFUL or self.debit == self.credit:
            raise ImpossibleTransfer(f"no {self.reason} goes from {self.debit} to {self.credit}")
        if self.debit.table and self.credit.table and self.debit.table != self.credit.table:
            raise ImpossibleTransfer(f"no {self.reason} goes from table {self.debit.table} to {self.credit.table}")


def move(debit: Account, credit: Account, chips: int, reason: Reason, note: str = "") -> tuple[Transfer, ...]:
    """The transfers that move `chips`; none for 0, several where a pot of many is more than one transfer may carry."""
    parts = []
    while chips > CHIPS_MAX:
        parts.append(Transfer(debit, credit, CHIPS_MAX, reason, note))
        chips -= CHIPS_MAX
    if chips:
        parts.append(Transfer(debit, credit, chips, reason, note))
    return tuple(parts)
