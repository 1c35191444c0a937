"""Chips of a season that is over and lie on a table that was open then: what of them is taken when they come back to a wallet."""

import msgspec

from bot.ledger.accounts import AccountKind, Transfer, TransferReason, mint_account, transfers_for
from bot.ledger.seasons import taken_on_return
from bot.runtime.store_types import Commit
from bot.store.database import Database
from bot.store.writer_cache import WriterCache


class SeasonBuyIns:
    """What people have brought, in this batch and before it, to tables that hold chips of a season that is over.

    Attributes:
        tables: these tables, and how many percent are carried over; None if they must be read.
    """

    def __init__(self, db: Database, cache: WriterCache) -> None:
        self._db = db
        self.tables: dict[int, int] | None = cache.season_tables
        self._brought: dict[int, dict[int, int]] = {}
        self._waiting: tuple[int, dict[int, int]] = (0, {})

    def with_chips_of_ended_season(self, commit: Commit) -> Commit:
        """Return a commit that also takes what is not carried over of chips that come back from a season that is over."""
        if self.tables is None:
            self.tables = dict(self._db.execute("SELECT table_id, carried FROM season_table").fetchall())
        carried = self.tables.get(commit.table)
        if carried is None:
            return commit
        brought: dict[int, int] = dict(
            self._db.execute('SELECT "user", chips FROM season_buy_in WHERE table_id = ?', (commit.table,)).fetchall()
        )
        brought |= self._brought.get(commit.table, {})
        transfers: list[Transfer] = []
        for transfer in commit.transfers:
            transfers.append(transfer)
            debit, credit, chips = transfer.debit, transfer.credit, transfer.chips
            if debit.kind is AccountKind.WALLET and credit.kind in {AccountKind.SEAT, AccountKind.ESCROW}:
                brought[debit.user] = brought.get(debit.user, 0) + chips
            elif credit.kind is AccountKind.WALLET and debit.table:
                taken = taken_on_return(chips, brought.get(credit.user, 0), carried)
                brought[credit.user] = max(0, brought.get(credit.user, 0) - chips)
                transfers += transfers_for(credit, mint_account(), taken, TransferReason.SEASON)
        self._waiting = (commit.table, brought)
        return msgspec.structs.replace(commit, transfers=tuple(transfers))

    def record(self, commit: Commit) -> None:
        """Record what has been brought by a commit that is accepted; forget it with the end of its table."""
        table, brought = self._waiting
        if not commit.table or table != commit.table:
            return
        self._waiting = 0, {}
        if commit.closes:
            self._db.execute("DELETE FROM season_table WHERE table_id = ?", (table,))
            self.tables = None
            return
        self._brought[table] = brought
        self._db.execute("DELETE FROM season_buy_in WHERE table_id = ?", (table,))
        self._db.executemany(
            'INSERT INTO season_buy_in (table_id, "user", chips) VALUES (?, ?, ?)',
            [(table, user, chips) for user, chips in brought.items() if chips],
        )
