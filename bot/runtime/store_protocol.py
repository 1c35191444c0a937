"""The interface of a store. One contract test holds for every implementation; `bot.store` has the one on SQLite."""

from collections.abc import Sequence
from typing import Protocol

from bot.ledger.accounts import Book
from bot.ledger.house import HouseRules
from bot.runtime.store_types import (
    Commit,
    Leaderboard,
    LedgerAudit,
    PlayerHoldings,
    Receipt,
    SavedHand,
    SavedTable,
    StoredEvent,
    TableChips,
    TableRecord,
    UnshownChips,
    WalletHistory,
)


class Codec(Protocol):
    """Encodes the events of a journal. `bot.store.codec.EventCodec` is one for any tagged union."""

    def encode(self, events: Sequence[StoredEvent]) -> bytes:
        """Encode the events of one commit, in order."""

    def decode(self, blob: bytes) -> tuple[StoredEvent, ...]:
        """Decode the events of one commit."""


class Store(Protocol):
    """Keeps tables, hands, chips, house rules and small values of the cogs."""

    async def open(self) -> None:
        """Lock the data, check it, and migrate it after a backup where needed.

        Raises:
            StoreInUse, StoreUnusable, StoreFailed.
        """

    async def close(self) -> None:
        """Finish every save that has been requested, then close. A second call does nothing."""

    async def commit(self, commit: Commit) -> Receipt:
        """Save a commit durably, in one batch with other commits that wait.

        A commit whose caller was cancelled is still saved whole.

        Raises:
            StaleVersion, StaleClaims, ChannelTaken, NotEnoughChips: this commit is refused; the others of the batch are saved.
            InvalidCommit: no lawful play can make this commit.
            StoreFailed: nothing of the batch was saved.
            StoreClosed: the store takes no more commits.
        """

    async def receipt(self, key: str) -> Receipt | None:
        """Return the receipt of a cause that has been applied, marked as repeated; None if it has not been applied."""

    async def open_tables(self) -> tuple[SavedTable, ...]:
        """Return every open table of every server, to be restored."""

    async def table(self, table: int) -> TableRecord | None:
        """Return a table by its id, open or closed."""

    async def table_numbered(self, guild: int, number: int) -> TableRecord | None:
        """Return a table by its number in the server, open or closed."""

    async def table_chips(self, table: int) -> TableChips:
        """Return the chips on a table, by the ledger."""

    async def hand(self, table: int, number: int = 0) -> SavedHand | None:
        """Return one hand of a table by its number; 0 for the last one started."""

    async def holdings(self, guild: int, user: int, book: Book = Book.PEOPLE) -> PlayerHoldings:
        """Return a player's chips; zeroes for a user who has no account."""

    async def leaderboard(
        self,
        guild: int,
        *,
        offset: int = 0,
        limit: int = 10,
        user: int = 0,
        book: Book = Book.PEOPLE,
        unshown: Sequence[UnshownChips] = (),
    ) -> Leaderboard:
        """People ranked by total chips, from line `offset`, with the line of `user`. Practice players are left out. Chips that have not
        been shown yet are counted as `unshown` says."""

    async def history(
        self, guild: int, user: int, *, before: int = 0, limit: int = 10, book: Book = Book.PEOPLE
    ) -> WalletHistory:
        """Transfers of a player's wallet, newest first; `before` is `older` of the previous page, 0 for the first page."""

    async def house_rules(self, guild: int) -> HouseRules:
        """Return the rules that staff have set, or the defaults."""

    async def audit(self, guild: int) -> LedgerAudit:
        """Add up a server's books, and compare balances with transfers."""

    async def value(self, key: str) -> bytes | None:
        """Return a kept value: the hash of the commands, ids of emojis and messages."""

    async def values(self, prefix: str) -> dict[str, bytes]:
        """Return all kept values whose keys begin with `prefix`."""

    async def keep(self, key: str, value: bytes | None) -> None:
        """Keep a value under a key; None forgets it. Durable when it returns.

        Raises:
            StoreFailed, StoreClosed.
        """
