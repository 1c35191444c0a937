"""A clerk for store tests: writes the commits that a runtime would, and keeps count of causes and event numbers."""

import itertools
from pathlib import Path

from bot.engine.events import ActionOn, Called, Checked, Folded
from bot.ledger.accounts import Account, Book, Reason, Transfer, mint, pot, seat, wallet
from bot.runtime.ports import Cause, Commit, JournalEvent, NewHand, NewTable, Receipt, Store
from bot.store.codec import EventCodec
from bot.store.connection import Connect, connect
from bot.store.sqlite import SqliteStore

GUILD, ANN, BO, CY = 1, 101, 102, 103
NOON = 1_700_000_000_000
CODEC = EventCodec(ActionOn | Called | Checked | Folded)


def sqlite_store(folder: Path, connector: Connect = connect) -> SqliteStore:
    return SqliteStore(folder / "cardroom.db", CODEC, connector=connector)


class Desk:
    """Commits for one server."""

    def __init__(self, store: Store, guild: int = GUILD, prefix: str = "") -> None:
        self.store, self.guild = store, guild
        self._keys = (f"{prefix}{number}" for number in itertools.count(1))
        self.seqs: dict[int, int] = {}

    def cause(self, what: str = "test", by: int = ANN, key: str = "") -> Cause:
        return Cause(key or f"{self.guild}:{next(self._keys)}", by, NOON, what)

    def move(self, debit: Account, credit: Account, chips: int, reason: Reason, table: int = 0) -> Commit:
        """A commit of one transfer."""
        return Commit(
            guild=self.guild,
            cause=self.cause(str(reason)),
            table=table,
            seq=self.seqs.get(table, 0),
            transfers=(Transfer(debit, credit, chips, reason),),
        )

    async def grant(self, user: int, chips: int, book: Book = Book.PEOPLE) -> Receipt:
        return await self.store.commit(self.move(mint(book), wallet(user, book), chips, Reason.GRANT))

    async def open(self, channel: int) -> int:
        """Open a table; its id."""
        commit = Commit(guild=self.guild, cause=self.cause("open"), opens=NewTable(channel, b"settings"))
        receipt = await self.store.commit(commit)
        self.seqs[receipt.table] = receipt.seq
        return receipt.table

    async def sit(self, table: int, user: int, chips: int, book: Book = Book.PEOPLE) -> None:
        await self.grant(user, chips, book)
        await self.store.commit(self.move(wallet(user, book), seat(table, user, book), chips, Reason.BUY_IN, table))

    def acted(
        self,
        table: int,
        *events: JournalEvent,
        transfers: tuple[Transfer, ...] = (),
        hand: NewHand | None = None,
        snapshot: bytes | None = None,
        key: str = "",
        closes: bool = False,
    ) -> Commit:
        """A commit of a table's events, to be saved with `act` or by hand."""
        return Commit(
            guild=self.guild,
            cause=self.cause("act", key=key),
            table=table,
            seq=self.seqs[table],
            events=events,
            transfers=transfers,
            hand=hand,
            snapshot=snapshot,
            closes=closes,
        )

    async def save(self, commit: Commit) -> Receipt:
        receipt = await self.store.commit(commit)
        self.seqs[receipt.table] = receipt.seq
        return receipt

    def bet(self, table: int, user: int, chips: int, book: Book = Book.PEOPLE) -> Transfer:
        return Transfer(seat(table, user, book), pot(table, book), chips, Reason.BET)

    def won(self, table: int, user: int, chips: int, book: Book = Book.PEOPLE) -> Transfer:
        return Transfer(pot(table, book), seat(table, user, book), chips, Reason.WON)

    def cashed(self, table: int, user: int, chips: int, book: Book = Book.PEOPLE) -> Transfer:
        return Transfer(seat(table, user, book), wallet(user, book), chips, Reason.CASH_OUT)
