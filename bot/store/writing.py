"""Writing a batch of commits in one transaction.

Every commit of a batch is ruled on first, in order, against what the ones before it leave; a refused one touches
nothing. What remains is written table by table with one statement each. So an error while writing is the disk's, never
one commit's, and fails the whole batch.

What accounts and tables hold is remembered between batches, which is safe because one process writes to a file and
memory learns only what has been committed. The CHECKs, keys and triggers of the schema stand behind it.

Source: design §3.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec

from bot.ledger.accounts import SEATS, WALLETS, Account, Book, Kind, Transfer
from bot.ledger.books import EMPTY, Balance, post
from bot.ledger.house import Claims
from bot.runtime.ports import (
    ChannelTaken,
    ClaimChange,
    Codec,
    Commit,
    ImpossibleCommit,
    NewTable,
    Receipt,
    StaleClaims,
    StaleVersion,
    StoreFailed,
)

MEMORY_MOST = 100_000  # accounts remembered; beyond it everything is forgotten and looked up again
Row: TypeAlias = tuple[Any, ...]

_CAUSE = "INSERT INTO cause (id, key, guild, who, at, what, table_id, number, seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_EVENT = "INSERT INTO event (table_id, seq, count, cause, blob) VALUES (?, ?, ?, ?, ?)"
_HAND = "INSERT INTO hand (table_id, number, seq, nonce, started_at) VALUES (?, ?, ?, ?, ?)"
_SNAPSHOT = "INSERT OR REPLACE INTO snapshot (table_id, seq, blob) VALUES (?, ?, ?)"
_TRANSFER = """
    INSERT INTO transfer (guild, cause, part, chips, reason, debit_kind, debit_table, debit_user, credit_kind, credit_table,
                          credit_user, note, wallet, owner)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_BALANCE = """
    INSERT INTO balance (guild, kind, table_id, user, chips, staked) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET chips = excluded.chips, staked = excluded.staked
"""
_NO_BALANCE = "DELETE FROM balance WHERE guild = ? AND kind = ? AND table_id = ? AND user = ?"
_CLAIM = """
    INSERT OR REPLACE INTO claim (guild, book, user, granted_at, day, streak, relief_at) VALUES (?, ?, ?, ?, ?, ?, ?)
"""


class Keep(msgspec.Struct, frozen=True, gc=False):
    """A value to keep under a key; None forgets it."""

    key: str
    value: bytes | None


@dataclass(frozen=True, slots=True)
class Head:
    """Where a table's journal stands. `open` is False once it is closed."""

    guild: int
    seq: int
    hands: int
    open: bool


@dataclass(slots=True)
class Memory:
    """What the writer remembers of what has been committed, so that it need not ask the file."""

    balances: dict[tuple[int, Account], Balance] = field(default_factory=dict)
    staked: dict[Account, set[Account]] = field(default_factory=dict)  # seats that have had chips in this pot
    heads: dict[int, Head] = field(default_factory=dict)
    cause: int = 0  # the last cause's id; 0: ask

    def forget(self) -> None:
        self.balances.clear()
        self.staked.clear()
        self.heads.clear()
        self.cause = 0


def write(
    db: sqlite3.Connection, memory: Memory, codec: Codec, batch: Sequence[Commit | Keep]
) -> list[Receipt | Exception | None]:
    """Save a batch in one transaction. The answer to each is its receipt (None for a `Keep`) or the error that refused
    it alone.

    Raises:
        StoreFailed: the disk or the file failed; nothing of the batch was saved.
    """
    if len(memory.balances) > MEMORY_MOST:
        memory.forget()
    try:
        if db.in_transaction:  # left over by a rollback that failed
            db.execute("ROLLBACK")
        db.execute("BEGIN IMMEDIATE")
        draft = _Draft(db, memory, codec)
        answers = draft.rule_on(batch)
        draft.flush()
        db.execute("COMMIT")
    except sqlite3.Error as error:
        _undo(db, memory)
        raise StoreFailed(f"could not save: {error}") from error
    except BaseException:
        _undo(db, memory)
        raise
    draft.remember()
    return answers


def _undo(db: sqlite3.Connection, memory: Memory) -> None:
    """Back to what has been committed. Should even this fail, the next batch begins with it."""
    memory.forget()
    try:
        if db.in_transaction:
            db.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise StoreFailed(f"could not save, and not roll back either: {error}") from error


class _Books:
    """A server's balances as `bot.ledger.books.post` looks them up: this batch's, then the remembered ones, then the file's."""

    def __init__(self, draft: "_Draft", guild: int) -> None:
        self.draft, self.guild = draft, guild

    def balance(self, account: Account) -> Balance:
        return self.draft.balance(self.guild, account)

    def staked_at(self, pot: Account) -> Iterable[Account]:
        return self.draft.staked_at(self.guild, pot)


class _Draft:
    """A batch in the making: rows to write, and what accounts and tables will hold once they are."""

    def __init__(self, db: sqlite3.Connection, memory: Memory, codec: Codec) -> None:
        self.db, self.memory, self.codec = db, memory, codec
        self.balances: dict[tuple[int, Account], Balance] = {}
        self.staked: dict[Account, set[Account]] = {}
        self.heads: dict[int, Head] = {}
        self.claims: dict[tuple[int, int, int], Claims] = {}
        self.receipts: dict[str, Receipt] = {}
        self.causes: list[Row] = []
        self.events: list[Row] = []
        self.hands: list[Row] = []
        self.snapshots: list[Row] = []
        self.transfers: list[Row] = []
        self.unsaved: set[tuple[int, Account]] = set()
        if not memory.cause:
            memory.cause = db.execute("SELECT coalesce(max(id), 0) FROM cause").fetchone()[0]
        self.cause: int = memory.cause

    # ruling

    def rule_on(self, batch: Sequence[Commit | Keep]) -> list[Receipt | Exception | None]:
        """Take in each of the batch or refuse it."""
        self._look_up_causes([one.cause.key for one in batch if isinstance(one, Commit)])
        answers: list[Receipt | Exception | None] = []
        for one in batch:
            if isinstance(one, Keep):
                self._keep(one)
                answers.append(None)
                continue
            try:
                answers.append(self._rule(one))
            except sqlite3.Error:
                raise
            except Exception as error:  # a refusal, or a bug of this commit's caller: the others go on
                answers.append(error)
        return answers

    def _rule(self, commit: Commit) -> Receipt:
        """Take one commit in. Nothing of the draft is changed before the last check has passed."""
        cause = commit.cause
        earlier = self.receipts.get(cause.key)
        if earlier is not None:
            return msgspec.structs.replace(earlier, repeated=True)
        if commit.opens is not None:
            return self._open(commit, commit.opens)
        table, first, head = commit.table, commit.seq, None
        if table:
            head = self._head(table)
            if head is None or not head.open or head.seq != first or head.guild != commit.guild:
                at = head.seq if head and head.open and head.guild == commit.guild else 0
                raise StaleVersion(table=table, seq=first, next_seq=at)
        elif commit.events or commit.hand or commit.closes or commit.channel or commit.snapshot is not None:
            raise ImpossibleCommit("events, hands and settings need a table")
        blob = self.codec.encode(commit.events) if commit.events else b""
        hand = commit.hand
        if (
            hand is not None
            and head is not None
            and (hand.number != head.hands + 1 or hand.offset > len(commit.events))
        ):
            raise ImpossibleCommit(f"hand {hand.number} of table {table} does not follow hand {head.hands}")
        for change in commit.claims:
            if self._claims(commit.guild, change) != change.before:
                raise StaleClaims(user=change.user)
        after = self._post(commit)
        if commit.closes:
            self._check_empty(commit.guild, table, after)
        if commit.channel:
            self.flush()
            self._check_channel(commit.guild, commit.channel, table)

        # From here on nothing refuses.
        self.cause += 1
        following = first + len(commit.events)
        if blob:
            self.events.append((table, first, len(commit.events), self.cause, blob))
        if hand is not None:
            self.hands.append((table, hand.number, first + hand.offset, hand.nonce, cause.at))
        if commit.snapshot is not None:
            self.snapshots.append((table, following, commit.snapshot))
        if head is not None:
            hands = head.hands if hand is None else hand.number
            self.heads[table] = Head(head.guild, following, hands, not commit.closes)
        self._take_in(commit, after)
        if commit.closes or commit.channel or commit.settings is not None or commit.rules is not None:
            self._settle(commit)
        return self._receipt(commit, Receipt(cause.key, cause.at, table, 0, following))

    def _open(self, commit: Commit, new: NewTable) -> Receipt:
        """Take in a commit that opens a table, which gets the next number of its server."""
        if (
            commit.table
            or commit.seq > 1
            or commit.hand
            or commit.closes
            or any(_table_of(t) for t in commit.transfers)
        ):
            raise ImpossibleCommit("a table is opened by itself; people sit down afterwards")
        blob = self.codec.encode(commit.events) if commit.events else b""
        for change in commit.claims:
            if self._claims(commit.guild, change) != change.before:
                raise StaleClaims(user=change.user)
        after = self._post(commit)
        self.flush()
        self._check_channel(commit.guild, new.channel, 0)

        # From here on nothing refuses.
        self.cause += 1
        db, guild = self.db, commit.guild
        db.execute(
            "INSERT INTO guild (id, tables) VALUES (?, 1) ON CONFLICT DO UPDATE SET tables = tables + 1", (guild,)
        )
        (number,) = db.execute("SELECT tables FROM guild WHERE id = ?", (guild,)).fetchone()
        table = db.execute(
            """
            INSERT INTO card_table (guild, number, channel, settings, state, opened_at) VALUES (?, ?, ?, ?, 'open', ?)
            """,
            (guild, number, new.channel, new.settings, commit.cause.at),
        ).lastrowid
        assert table is not None
        following = 1 + len(commit.events)
        if blob:
            self.events.append((table, 1, len(commit.events), self.cause, blob))
        if commit.snapshot is not None:
            self.snapshots.append((table, following, commit.snapshot))
        self.heads[table] = Head(guild, following, 0, True)
        self._take_in(commit, after)
        if commit.rules is not None:
            self._settle(commit)
        return self._receipt(commit, Receipt(commit.cause.key, commit.cause.at, table, number, following))

    def _post(self, commit: Commit) -> dict[Account, Balance]:
        if not commit.transfers:
            return {}
        if any(_table_of(transfer) not in {0, commit.table} for transfer in commit.transfers):
            raise ImpossibleCommit(f"chips of another table than {commit.table}")
        return post(_Books(self, commit.guild), commit.transfers)

    def _check_empty(self, guild: int, table: int, after: dict[Account, Balance]) -> None:
        """Refuse to close a table with chips on it: it is for the runtime to pay everybody out in the same commit."""
        saved = self.db.execute(
            "SELECT kind, user FROM balance WHERE guild = ? AND kind IN (4, 5, 14, 15) AND table_id = ?", (guild, table)
        )
        here = {Account(Kind(kind), table, user) for kind, user in saved}
        here |= {account for of, account in self.balances if of == guild and account.table == table}
        here |= {account for account in after if account.table == table}
        for account in here:
            held = after.get(account) or self.balance(guild, account)
            if held != EMPTY:
                raise ImpossibleCommit(f"table {table} closes with {held.chips} chips on {account}")

    def _check_channel(self, guild: int, channel: int, table: int) -> None:
        row = self.db.execute(
            "SELECT id, number FROM card_table WHERE guild = ? AND channel = ? AND state = 'open'", (guild, channel)
        ).fetchone()
        if row is not None and row[0] != table:
            raise ChannelTaken(channel=channel, number=row[1])

    # taking in

    def _take_in(self, commit: Commit, after: dict[Account, Balance]) -> None:
        """Note down the transfers, balances and claims of a commit."""
        guild = commit.guild
        for part, transfer in enumerate(commit.transfers):
            debit, credit = transfer.debit, transfer.credit
            wallet = debit if debit.kind in WALLETS else credit if credit.kind in WALLETS else None
            self.transfers.append(
                (
                    guild,
                    self.cause,
                    part,
                    transfer.chips,
                    str(transfer.reason),
                    int(debit.kind),
                    debit.table,
                    debit.user,
                    int(credit.kind),
                    credit.table,
                    credit.user,
                    transfer.note,
                    int(wallet.kind) if wallet else 0,
                    wallet.user if wallet else 0,
                )
            )
        for account, balance in after.items():
            key = guild, account
            self.balances[key] = balance
            self.unsaved.add(key)
            if balance.staked:
                pot = _pot_of(account)
                if pot not in self.staked:
                    self.staked[pot] = set()
                self.staked[pot].add(account)
        for change in commit.claims:
            self.claims[guild, change.book, change.user] = change.after
            claims = change.after
            self.db.execute(
                _CLAIM,
                (guild, int(change.book), change.user, claims.granted_at, claims.day, claims.streak, claims.relief_at),
            )

    def _settle(self, commit: Commit) -> None:
        """Write what changes seldom: a table's settings, channel and end, and a server's rules."""
        table = commit.table
        if commit.settings is not None:
            self.db.execute("UPDATE card_table SET settings = ? WHERE id = ?", (commit.settings, table))
        if commit.channel:
            self.db.execute("UPDATE card_table SET channel = ? WHERE id = ?", (commit.channel, table))
        if commit.closes:
            self.db.execute(
                "UPDATE card_table SET state = 'closed', closed_at = ? WHERE id = ?", (commit.cause.at, table)
            )
        if commit.rules is not None:
            rules = msgspec.json.encode(commit.rules)
            self.db.execute(
                "INSERT INTO guild (id, rules) VALUES (?, ?) ON CONFLICT DO UPDATE SET rules = excluded.rules",
                (commit.guild, rules),
            )

    def _receipt(self, commit: Commit, receipt: Receipt) -> Receipt:
        cause = commit.cause
        self.causes.append(
            (
                self.cause,
                cause.key,
                commit.guild,
                cause.by,
                cause.at,
                cause.what,
                receipt.table,
                receipt.number,
                receipt.seq,
            )
        )
        self.receipts[cause.key] = receipt
        return receipt

    def _keep(self, one: Keep) -> None:
        if one.value is None:
            self.db.execute("DELETE FROM kept WHERE key = ?", (one.key,))
        else:
            self.db.execute("INSERT OR REPLACE INTO kept (key, value) VALUES (?, ?)", (one.key, one.value))

    def flush(self) -> None:
        """Write the rows gathered so far into the open transaction."""
        db = self.db
        for statement, rows in (
            (_CAUSE, self.causes),
            (_EVENT, self.events),
            (_HAND, self.hands),
            (_SNAPSHOT, self.snapshots),
            (_TRANSFER, self.transfers),
        ):
            if rows:
                db.executemany(statement, rows)
                rows.clear()
        if self.unsaved:
            held: list[Row] = []
            empty: list[Row] = []
            for key in self.unsaved:
                guild, account = key
                balance = self.balances[key]
                row = guild, int(account.kind), account.table, account.user
                if account.table and balance == EMPTY:
                    empty.append(row)
                else:
                    held.append((*row, balance.chips, balance.staked))
            if held:
                db.executemany(_BALANCE, held)
            if empty:
                db.executemany(_NO_BALANCE, empty)
            self.unsaved.clear()

    def remember(self) -> None:
        """The batch is on the disk: what it left is what there is."""
        memory = self.memory
        memory.balances.update(self.balances)
        memory.heads.update(self.heads)
        memory.cause = self.cause
        for pot, seats in self.staked.items():
            if pot in memory.staked:  # a pot never asked about is looked up when it is
                memory.staked[pot] |= seats

    # looking up

    def balance(self, guild: int, account: Account) -> Balance:
        key = guild, account
        held = self.balances.get(key) or self.memory.balances.get(key)
        if held is None:
            row = self.db.execute(
                "SELECT chips, staked FROM balance WHERE guild = ? AND kind = ? AND table_id = ? AND user = ?",
                (guild, int(account.kind), account.table, account.user),
            ).fetchone()
            held = self.memory.balances[key] = Balance(*row) if row else EMPTY
        return held

    def staked_at(self, guild: int, pot: Account) -> set[Account]:
        known = self.memory.staked.get(pot)
        if known is None:
            kind = Kind(pot.kind - Kind.POT + Kind.SEAT)
            rows = self.db.execute(
                "SELECT user FROM balance WHERE guild = ? AND kind = ? AND table_id = ? AND staked > 0",
                (guild, int(kind), pot.table),
            )
            known = self.memory.staked[pot] = {Account(kind, pot.table, user) for (user,) in rows}
        return known | self.staked.get(pot, set())

    def _head(self, table: int) -> Head | None:
        head = self.heads.get(table) or self.memory.heads.get(table)
        if head is None:
            row = self.db.execute("SELECT guild, state FROM card_table WHERE id = ?", (table,)).fetchone()
            if row is None:
                return None
            last = self.db.execute(
                "SELECT seq + count FROM event WHERE table_id = ? ORDER BY seq DESC LIMIT 1", (table,)
            ).fetchone()
            (hands,) = self.db.execute(
                "SELECT coalesce(max(number), 0) FROM hand WHERE table_id = ?", (table,)
            ).fetchone()
            head = self.memory.heads[table] = Head(row[0], last[0] if last else 1, hands, row[1] == "open")
        return head

    def _claims(self, guild: int, change: ClaimChange) -> Claims:
        held = self.claims.get((guild, change.book, change.user))
        return held if held is not None else claims_of(self.db, guild, change.user, change.book)

    def _look_up_causes(self, keys: Sequence[str]) -> None:
        """Find which of these causes have been applied before."""
        for start in range(0, len(keys), 500):
            some = keys[start : start + 500]
            marks = ",".join("?" * len(some))
            for key, at, table, number, seq in self.db.execute(
                f"SELECT key, at, table_id, number, seq FROM cause WHERE key IN ({marks})", some
            ):
                self.receipts[key] = Receipt(key, at, table, number, seq)


def claims_of(db: sqlite3.Connection, guild: int, user: int, book: Book) -> Claims:
    """What the house has given a player."""
    row = db.execute(
        "SELECT granted_at, day, streak, relief_at FROM claim WHERE guild = ? AND book = ? AND user = ?",
        (guild, int(book), user),
    ).fetchone()
    return Claims(*row) if row else Claims()


def _pot_of(seat: Account) -> Account:
    assert seat.kind in SEATS
    return Account(Kind(seat.kind - Kind.SEAT + Kind.POT), seat.table)


def _table_of(transfer: Transfer) -> int:
    return transfer.debit.table or transfer.credit.table
