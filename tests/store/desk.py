"""A desk for store tests writes the commits that a runtime would write, and counts causes and event numbers."""

import itertools
from pathlib import Path

from bot.engine.events import ActionOn, Called, Checked, Folded
from bot.ledger.accounts import (
    Account,
    Book,
    Transfer,
    TransferReason,
    mint_account,
    pot_account,
    seat_account,
    wallet_account,
)
from bot.runtime.store_types import Cause, Commit, NewHand, NewTable, Receipt, StoredEvent
from bot.store.codec import EventCodec
from bot.store.connection import Connector, connect
from bot.store.engine import SqliteEngine
from bot.store.store import Store

GUILD, ANN, BO, CY = 1, 101, 102, 103
NOON = 1_700_000_000_000
CODEC = EventCodec(ActionOn | Called | Checked | Folded)


def sqlite_store(folder: Path, connector: Connector = connect) -> Store:
    return Store(SqliteEngine(folder / "cardroom.db", connector), CODEC)


async def is_synced(store: Store) -> bool:
    """Whether what people do now is on the disk before they are answered."""
    return await store._write_between(lambda db: db.execute("PRAGMA synchronous").fetchone() == (2,))


class Desk:
    """Writes commits for one server."""

    def __init__(self, store: Store, guild: int = GUILD, prefix: str = "") -> None:
        self.store, self.guild = store, guild
        self._keys = (f"{prefix}{number}" for number in itertools.count(1))
        self.seqs: dict[int, int] = {}

    def cause(self, what: str = "test", by: int = ANN, key: str = "") -> Cause:
        return Cause(key or f"{self.guild}:{next(self._keys)}", by, NOON, what)

    def move(self, debit: Account, credit: Account, chips: int, reason: TransferReason, table: int = 0) -> Commit:
        """Return a commit of one transfer."""
        return Commit(
            guild=self.guild,
            cause=self.cause(str(reason)),
            table=table,
            seq=self.seqs.get(table, 0),
            transfers=(Transfer(debit, credit, chips, reason),),
        )

    async def grant(self, user: int, chips: int, book: Book = Book.PEOPLE) -> Receipt:
        return await self.store.commit(
            self.move(mint_account(book), wallet_account(user, book), chips, TransferReason.GRANT)
        )

    async def open(self, channel: int) -> int:
        """Open a table. Returns its id."""
        commit = Commit(guild=self.guild, cause=self.cause("open"), new_table=NewTable(channel, b"settings"))
        receipt = await self.store.commit(commit)
        self.seqs[receipt.table] = receipt.seq
        return receipt.table

    async def sit(self, table: int, user: int, chips: int, book: Book = Book.PEOPLE) -> None:
        await self.grant(user, chips, book)
        await self.store.commit(
            self.move(wallet_account(user, book), seat_account(table, user, book), chips, TransferReason.BUY_IN, table)
        )

    def acted(
        self,
        table: int,
        *events: StoredEvent,
        transfers: tuple[Transfer, ...] = (),
        hand: NewHand | None = None,
        saved_state: bytes | None = None,
        key: str = "",
        closes: bool = False,
    ) -> Commit:
        """Return a commit of a table's events, to be saved with `act` or by hand."""
        return Commit(
            guild=self.guild,
            cause=self.cause("act", key=key),
            table=table,
            seq=self.seqs[table],
            events=events,
            transfers=transfers,
            new_hand=hand,
            saved_state=saved_state,
            closes=closes,
        )

    async def save(self, commit: Commit) -> Receipt:
        receipt = await self.store.commit(commit)
        self.seqs[receipt.table] = receipt.seq
        return receipt

    def bet(self, table: int, user: int, chips: int, book: Book = Book.PEOPLE) -> Transfer:
        return Transfer(seat_account(table, user, book), pot_account(table, book), chips, TransferReason.BET)

    def won(self, table: int, user: int, chips: int, book: Book = Book.PEOPLE) -> Transfer:
        return Transfer(pot_account(table, book), seat_account(table, user, book), chips, TransferReason.WON)

    def cashed(self, table: int, user: int, chips: int, book: Book = Book.PEOPLE) -> Transfer:
        return Transfer(seat_account(table, user, book), wallet_account(user, book), chips, TransferReason.CASH_OUT)
