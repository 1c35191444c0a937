"""Accounts and transfers: every chip of a server is on exactly one account and moves only by a transfer.

A server keeps a book for people's chips, one for the chips of practice tables, and one for the table chips of each game that is played for
them. No chip crosses from one book to another. In each book the sum over all accounts is zero: its mint owes what the others hold.

Laws: H-5, TC-1, SG-1.
"""

from enum import IntEnum, StrEnum

from msgspec import Struct

from bot.engine.stakes import MAX_CHIPS
from bot.ledger.refusals import ImpossibleTransfer

_PRACTICE = 10
_TABLE = 20


class Book(IntEnum):
    """The kinds of books of a server. Of the last kind each game has a book of its own: all of its accounts name the table (TC-1)."""

    PEOPLE = 0
    PRACTICE = _PRACTICE
    TABLE = _TABLE


WALLET_BOOKS = (Book.PEOPLE, Book.PRACTICE)
"""The books whose chips people keep from one table to the next: what the house gives, holds and ranks is in these alone."""


class AccountKind(IntEnum):
    """What an account is for. The numbers are stored."""

    MINT = 1  # where chips come from; the only kind that can owe chips
    HOUSE = 2  # rake and forfeits
    WALLET = 3  # a player's chips off the tables
    SEAT = 4  # a player's stack at one table
    POT = 5  # the chips that have been bet at one table
    ESCROW = 6  # the buy-ins of an event that is played at one table, until prizes are paid (SG-1)
    PRACTICE_MINT = _PRACTICE + MINT
    PRACTICE_HOUSE = _PRACTICE + HOUSE
    PRACTICE_WALLET = _PRACTICE + WALLET
    PRACTICE_SEAT = _PRACTICE + SEAT
    PRACTICE_POT = _PRACTICE + POT
    TABLE_MINT = _TABLE + MINT  # what everybody has bought in a game of table chips
    TABLE_WALLET = _TABLE + WALLET  # what a player has taken away from that game, and brings back to it (TC-5)
    TABLE_SEAT = _TABLE + SEAT
    TABLE_POT = _TABLE + POT


MINT_KINDS = frozenset({AccountKind.MINT, AccountKind.PRACTICE_MINT, AccountKind.TABLE_MINT})
WALLET_KINDS = frozenset({AccountKind.WALLET, AccountKind.PRACTICE_WALLET, AccountKind.TABLE_WALLET})
SEAT_KINDS = frozenset({AccountKind.SEAT, AccountKind.PRACTICE_SEAT, AccountKind.TABLE_SEAT})
POT_KINDS = frozenset({AccountKind.POT, AccountKind.PRACTICE_POT, AccountKind.TABLE_POT})


_BOOKS = {
    kind: Book(kind // 10 * 10) for kind in AccountKind
}  # an enum is slow to ask, and each bet asks several times
_SEATS = {book: AccountKind(AccountKind.SEAT + book) for book in Book}
_POTS = {book: AccountKind(AccountKind.POT + book) for book in Book}


class Account(Struct, frozen=True, gc=False):
    """One account of a server. `table` and `user` are 0 where the kind has none."""

    kind: AccountKind
    table: int = 0
    user: int = 0

    @property
    def book(self) -> Book:
        return _BOOKS[self.kind]


def mint_account(book: Book = Book.PEOPLE, table: int = 0) -> Account:
    """Return the account that all chips of a book come from. `table` is that of a game of table chips."""
    return Account(AccountKind(AccountKind.MINT + book), table)


def house_account(book: Book = Book.PEOPLE) -> Account:
    """Return the account of the house's own chips."""
    return Account(AccountKind(AccountKind.HOUSE + book))


def wallet_account(user: int, book: Book = Book.PEOPLE, table: int = 0) -> Account:
    """Return the account of a player's chips that are on no table. A practice player has the user id that the table gives them.

    Args:
        table: that of a game of table chips: what the player has taken away from it.
    """
    return Account(AccountKind(AccountKind.WALLET + book), table, user)


def seat_account(table: int, user: int, book: Book = Book.PEOPLE) -> Account:
    """Return the account of a player's stack. `table` is the store's id of the table."""
    return Account(_SEATS[book], table, user)


def pot_account(table: int, book: Book = Book.PEOPLE) -> Account:
    """Return the account of the chips that were bet at a table and not paid out: bets, side pots and a carried pot together."""
    return Account(_POTS[book], table, 0)


def escrow_account(table: int) -> Account:
    """Return the account of the buy-ins of an event that is played at a table; they are people's chips (SG-1)."""
    return Account(AccountKind.ESCROW, table)


class TransferReason(StrEnum):
    """Why chips moved. The words are stored."""

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
    VOID_REFUND = "void refund"  # the hand does not count (I-1)
    ADJUSTED = "adjusted"  # with the consent of everyone seated (H-3)
    CORRECTED = "corrected"  # by staff, after a hand that stands
    SEASON = "season"  # by the rule of the house for the end of a season
    BOUGHT = "bought"  # table chips of one game (TC-1)
    GAME_OVER = "game over"  # table chips end with their game, or when its book begins anew (TC-8)
    ENTRY = "entry"  # the buy-in of an event, or a rebuy in it (SG-1, SG-11)
    ENTRY_BACK = "entry back"  # who leaves before it starts, or where it is cancelled (SG-13)
    PRIZE = "prize"  # of an event, bounties apart (SG-10)
    BOUNTY = "bounty"  # for who was put out of an event, or their own (SG-10)


_GIFT = ((AccountKind.MINT, AccountKind.WALLET),)
_TO_TABLE = ((AccountKind.WALLET, AccountKind.SEAT),)
_BET = ((AccountKind.SEAT, AccountKind.POT),)
_ROUTES: dict[TransferReason, tuple[tuple[AccountKind, AccountKind], ...]] = {
    TransferReason.GRANT: _GIFT,
    TransferReason.DAILY: _GIFT,
    TransferReason.RELIEF: _GIFT,
    TransferReason.STAFF_GRANT: _GIFT,
    TransferReason.STAFF_TAKE: ((AccountKind.WALLET, AccountKind.MINT),),
    TransferReason.SEASON: (*_GIFT, (AccountKind.WALLET, AccountKind.MINT)),
    TransferReason.BUY_IN: _TO_TABLE,
    TransferReason.TOP_UP: _TO_TABLE,
    TransferReason.CASH_OUT: ((AccountKind.SEAT, AccountKind.WALLET),),
    TransferReason.POST: _BET,
    TransferReason.BET: _BET,
    TransferReason.RETURNED: ((AccountKind.POT, AccountKind.SEAT),),
    TransferReason.WON: ((AccountKind.POT, AccountKind.SEAT),),
    TransferReason.RAKE: ((AccountKind.POT, AccountKind.HOUSE),),
    TransferReason.VOID_REFUND: ((AccountKind.POT, AccountKind.SEAT), (AccountKind.POT, AccountKind.WALLET)),
    TransferReason.ADJUSTED: ((AccountKind.SEAT, AccountKind.SEAT),),
    TransferReason.CORRECTED: (
        (AccountKind.SEAT, AccountKind.SEAT),
        (AccountKind.WALLET, AccountKind.HOUSE),
        (AccountKind.HOUSE, AccountKind.WALLET),
        (AccountKind.SEAT, AccountKind.HOUSE),
        (AccountKind.HOUSE, AccountKind.SEAT),
    ),
}
_OF_EVENTS: dict[TransferReason, tuple[AccountKind, AccountKind]] = {
    TransferReason.ENTRY: (AccountKind.WALLET, AccountKind.ESCROW),
    TransferReason.ENTRY_BACK: (AccountKind.ESCROW, AccountKind.WALLET),
    TransferReason.PRIZE: (AccountKind.ESCROW, AccountKind.WALLET),
    TransferReason.BOUNTY: (AccountKind.ESCROW, AccountKind.WALLET),
}
"""How people's chips come to an event and back: its buy-ins are never table chips or practice chips."""
_CORRECTED_IN_GAME = frozenset(
    {
        (AccountKind.TABLE_SEAT, AccountKind.TABLE_SEAT),
        (AccountKind.TABLE_SEAT, AccountKind.TABLE_WALLET),
        (AccountKind.TABLE_WALLET, AccountKind.TABLE_SEAT),
        (AccountKind.TABLE_WALLET, AccountKind.TABLE_WALLET),
        (AccountKind.TABLE_MINT, AccountKind.TABLE_SEAT),
        (AccountKind.TABLE_SEAT, AccountKind.TABLE_MINT),
        (AccountKind.TABLE_MINT, AccountKind.TABLE_WALLET),
        (AccountKind.TABLE_WALLET, AccountKind.TABLE_MINT),
    }
)
"""How staff correct table chips, within the book of one game: between its players, or in what one of them has bought (TC-6)."""


class Passing(StrEnum):
    """How chips pass between people by a transfer of some reason, if they do. Each way but the first two is told by
    `bot.ledger.pot_flows` (BO-1)."""

    OWN = "own"  # both ends are the same person's
    HOUSE = "house"  # one end is the house's
    POT = "pot"  # into the pot or out of it: who is paid by whom is told when the pot is paid
    EVENT = "event"  # into an escrow account or out of it: who is paid by whom is told when the prizes are paid
    BETWEEN = "between"  # from one person to another


WAYS: dict[TransferReason, Passing] = {
    TransferReason.GRANT: Passing.HOUSE,
    TransferReason.DAILY: Passing.HOUSE,
    TransferReason.RELIEF: Passing.HOUSE,
    TransferReason.STAFF_GRANT: Passing.HOUSE,
    TransferReason.STAFF_TAKE: Passing.HOUSE,
    TransferReason.SEASON: Passing.HOUSE,
    TransferReason.RAKE: Passing.HOUSE,
    TransferReason.BOUGHT: Passing.HOUSE,
    TransferReason.GAME_OVER: Passing.HOUSE,
    TransferReason.BUY_IN: Passing.OWN,
    TransferReason.TOP_UP: Passing.OWN,
    TransferReason.CASH_OUT: Passing.OWN,
    TransferReason.POST: Passing.POT,
    TransferReason.BET: Passing.POT,
    TransferReason.RETURNED: Passing.POT,
    TransferReason.WON: Passing.POT,
    TransferReason.VOID_REFUND: Passing.POT,
    TransferReason.ENTRY: Passing.EVENT,
    TransferReason.ENTRY_BACK: Passing.EVENT,
    TransferReason.PRIZE: Passing.EVENT,
    TransferReason.BOUNTY: Passing.EVENT,
    TransferReason.ADJUSTED: Passing.BETWEEN,
    TransferReason.CORRECTED: Passing.BETWEEN,
}
"""How each reason passes chips. A reason that is not here fails a test, and so does a transfer that passes chips in another way."""
_AT_TABLES = frozenset(
    {
        TransferReason.BUY_IN,
        TransferReason.TOP_UP,
        TransferReason.CASH_OUT,
        TransferReason.POST,
        TransferReason.BET,
        TransferReason.RETURNED,
        TransferReason.WON,
        TransferReason.VOID_REFUND,
        TransferReason.ADJUSTED,
    }
)
"""Why table chips move beside their beginning and their end: there is no gift, no rake and no season of them."""
# Every way in which chips can move. Each stays within its own book: no route leads from one book to another.
_ALLOWED_TRANSFERS = frozenset(
    {
        *(
            (reason, AccountKind(giver + book), AccountKind(taker + book))
            for reason, ways in _ROUTES.items()
            for giver, taker in ways
            for book in (Book if reason in _AT_TABLES else WALLET_BOOKS)
        ),
        *((reason, giver, taker) for reason, (giver, taker) in _OF_EVENTS.items()),
        *((TransferReason.CORRECTED, giver, taker) for giver, taker in _CORRECTED_IN_GAME),
        (TransferReason.BOUGHT, AccountKind.TABLE_MINT, AccountKind.TABLE_WALLET),
        (TransferReason.GAME_OVER, AccountKind.TABLE_WALLET, AccountKind.TABLE_MINT),
    }
)


class Transfer(Struct, frozen=True, gc=False):
    """Chips that moved. A transfer never changes; a mistake is corrected by another transfer.

    Attributes:
        debit: the account that gives.
        credit: the account that receives.
        chips: 1 to `MAX_CHIPS`.
        note: what staff wrote, or a detail of the reason. It never names a card.

    Raises:
        ImpossibleTransfer: the amount is out of bounds, or this reason never moves chips between such accounts.
    """

    debit: Account
    credit: Account
    chips: int
    reason: TransferReason
    note: str = ""

    def __post_init__(self) -> None:
        if type(self.chips) is not int or not 0 < self.chips <= MAX_CHIPS:
            raise ImpossibleTransfer(f"{self.chips!r} is not a number of chips from 1 to {MAX_CHIPS}")
        giver, taker = self.debit.user, self.credit.user
        if giver and taker and giver != taker and WAYS[self.reason] is not Passing.BETWEEN:
            raise ImpossibleTransfer(f"no {self.reason} passes chips from one person to another")
        if (self.reason, self.debit.kind, self.credit.kind) not in _ALLOWED_TRANSFERS or self.debit == self.credit:
            raise ImpossibleTransfer(f"no {self.reason} goes from {self.debit} to {self.credit}")
        of_one_table = (self.debit.table and self.credit.table) or self.debit.book is Book.TABLE
        if of_one_table and (self.debit.table != self.credit.table or not self.debit.table):
            raise ImpossibleTransfer(f"no {self.reason} goes from table {self.debit.table} to {self.credit.table}")


def transfers_for(
    debit: Account, credit: Account, chips: int, reason: TransferReason, note: str = ""
) -> tuple[Transfer, ...]:
    """Return the transfers that move `chips`: none for 0, and several if a large pot is more than one transfer can move."""
    parts = []
    while chips > MAX_CHIPS:
        parts.append(Transfer(debit, credit, MAX_CHIPS, reason, note))
        chips -= MAX_CHIPS
    if chips:
        parts.append(Transfer(debit, credit, chips, reason, note))
    return tuple(parts)
