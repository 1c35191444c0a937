"""The rows of a server, for whoever runs the dealer to take along (`cardroom export`)."""

from collections.abc import Iterator
from typing import NamedTuple

from bot.ledger.accounts import Account, AccountKind
from bot.runtime.store_types import TableRecord
from bot.store import queries
from bot.store.database import Database


class BalanceRow(NamedTuple):
    """What an account holds; `in_pot` for seats only."""

    account: Account
    chips: int
    in_pot: int


class TransferRow(NamedTuple):
    """Chips that moved, who asked for it (0 for the dealer), and when, in ms since the epoch."""

    cause: int
    part: int
    at: int
    requested_by: int
    chips: int
    reason: str
    note: str
    debit: Account
    credit: Account


def tables(db: Database, guild: int) -> Iterator[TableRecord]:
    """Return a server's tables, oldest first."""
    for (table_id,) in db.execute("SELECT id FROM card_table WHERE guild = ? ORDER BY id", (guild,)).fetchall():
        found = queries.table(db, table_id)
        if found is not None:
            yield found


def balances(db: Database, guild: int) -> Iterator[BalanceRow]:
    """Return a server's balances, account by account."""
    for kind, table_id, user, chips, in_pot in db.execute(
        'SELECT kind, table_id, "user", chips, staked FROM balance WHERE guild = ? ORDER BY kind, table_id, "user"',
        (guild,),
    ):
        yield BalanceRow(Account(AccountKind(kind), table_id, user), chips, in_pot)


def transfers(db: Database, guild: int) -> Iterator[TransferRow]:
    """Return a server's transfers, oldest first."""
    for cause, part, at, who, chips, reason, note, debit_kind, debit_table, debit_user, *credit in db.execute(
        """
        SELECT cause, part, cause.at, cause.who, chips, reason, note, debit_kind, debit_table, debit_user,
               credit_kind, credit_table, credit_user
        FROM transfer JOIN cause ON cause.id = cause WHERE transfer.guild = ? ORDER BY cause, part
        """,
        (guild,),
    ):
        debit = Account(AccountKind(debit_kind), debit_table, debit_user)
        kind, table_id, user = credit
        taker = Account(AccountKind(kind), table_id, user)
        yield TransferRow(cause, part, at, who, chips, reason, note, debit, taker)
