"""Everything that is asked of the file, as plain functions over a connection that cannot write."""

import sqlite3
from collections.abc import Callable
from typing import TypeVar

import msgspec

from bot.ledger.accounts import MINTS, Account, Book, Kind, Reason
from bot.ledger.books import Balance, Fault, audit, compare
from bot.ledger.house import HouseRules
from bot.runtime.ports import (
    Adjustment,
    Audit,
    Codec,
    Entry,
    History,
    JournalEvent,
    Leaderboard,
    NewHand,
    Purse,
    Receipt,
    SavedHand,
    SavedTable,
    Standing,
    TableChips,
    TableRecord,
)
from bot.store.writing import claims_of

T = TypeVar("T")

_TABLE = """
    SELECT id, guild, number, channel, settings, state = 'open' AS open,
           (SELECT coalesce(max(hand.number), 0) FROM hand WHERE table_id = card_table.id) AS hands, opened_at
    FROM card_table
"""
_TOTALS = """  -- of people: the ids of practice players are below zero
    WITH total AS (
        SELECT user, sum(chips + staked) AS total, sum(CASE WHEN kind = :wallet THEN chips ELSE 0 END) AS wallet
        FROM balance WHERE guild = :guild AND kind IN (:wallet, :seat) AND user > 0 GROUP BY user
    )
"""


def at_one_moment(db: sqlite3.Connection, read: Callable[[], T]) -> T:
    """Let several queries see the same state of the file."""
    db.execute("BEGIN")
    try:
        return read()
    finally:
        db.execute("COMMIT")


def receipt(db: sqlite3.Connection, key: str) -> Receipt | None:
    """What was answered to a cause that has been applied."""
    row = db.execute("SELECT key, at, table_id, number, seq FROM cause WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    found, at, table_id, number, seq = row
    return Receipt(found, at, table_id, number, seq, repeated=True)


def open_tables(db: sqlite3.Connection, codec: Codec) -> tuple[SavedTable, ...]:
    """Every open table, by id."""
    rows = db.execute(
        f"{_TABLE} WHERE state = 'open'"
    ).fetchall()  # sorted here: SQL would then read the closed ones too
    return tuple(_saved(db, codec, _record(row)) for row in sorted(rows))


def _saved(db: sqlite3.Connection, codec: Codec, record: TableRecord) -> SavedTable:
    table = record.id
    snapshot = db.execute("SELECT blob, seq FROM snapshot WHERE table_id = ?", (table,)).fetchone()
    blob, first = snapshot if snapshot else (None, 1)
    events, seq = _events(db, codec, table, first, None)
    hand = None
    if record.hands:
        nonce, begins = db.execute(
            "SELECT nonce, seq FROM hand WHERE table_id = ? AND number = ?", (table, record.hands)
        ).fetchone()
        hand = NewHand(record.hands, nonce, begins - first)
    return SavedTable(record, blob, first, events, seq, hand, table_chips(db, table))


def _events(
    db: sqlite3.Connection, codec: Codec, table: int, first: int, end: int | None
) -> tuple[tuple[JournalEvent, ...], int]:
    """A table's events from number `first` up to but not including `end`, and the number after the last of them.

    A row holds a whole commit, so the first one may begin before `first` and the last one end after `end`.
    """
    rows = db.execute(
        """
        SELECT seq, count, blob FROM event WHERE table_id = :table AND seq < :end
        AND seq >= (SELECT coalesce(max(seq), :first) FROM event WHERE table_id = :table AND seq <= :first) ORDER BY seq
        """,
        {"table": table, "first": first, "end": 2**62 if end is None else end},
    )
    events: list[JournalEvent] = []
    following = first
    for seq, count, blob in rows:
        following = max(following, seq + count)
        if following > first:
            some = codec.decode(blob)
            events += some[max(0, first - seq) : None if end is None else end - seq]
    return tuple(events), following


def table(db: sqlite3.Connection, table_id: int) -> TableRecord | None:
    row = db.execute(f"{_TABLE} WHERE id = ?", (table_id,)).fetchone()
    return _record(row) if row else None


def table_numbered(db: sqlite3.Connection, guild: int, number: int) -> TableRecord | None:
    row = db.execute(f"{_TABLE} WHERE guild = ? AND card_table.number = ?", (guild, number)).fetchone()
    return _record(row) if row else None


def _record(row: tuple[int, int, int, int, bytes, int, int, int]) -> TableRecord:
    table_id, guild, number, channel, settings, is_open, hands, opened_at = row
    return TableRecord(table_id, guild, number, channel, settings, bool(is_open), hands, opened_at)


def table_chips(db: sqlite3.Connection, table_id: int) -> TableChips:
    """What the ledger says is on a table.

    A table is on one book: the practice one as soon as it holds practice chips.
    """
    rows = db.execute(
        """
        SELECT kind, user, chips, staked FROM balance
        WHERE guild = (SELECT guild FROM card_table WHERE id = :table) AND kind IN (4, 5, 14, 15) AND table_id = :table
        """,
        {"table": table_id},
    ).fetchall()
    book = Book.PRACTICE if any(kind > Book.PRACTICE for kind, *_ in rows) else Book.PEOPLE
    seats = [(user, chips, staked) for kind, user, chips, staked in rows if kind == Kind.SEAT + book]
    return TableChips(
        stacks={user: chips for user, chips, _ in seats if chips},
        staked={user: staked for user, _, staked in seats if staked},
        pot=sum(chips for kind, _, chips, _ in rows if kind == Kind.POT + book),
        book=book,
    )


def hand(db: sqlite3.Connection, codec: Codec, table_id: int, number: int) -> SavedHand | None:
    """A hand's events, up to the beginning of the next one. 0: the last hand."""
    if not number:
        (number,) = db.execute("SELECT coalesce(max(number), 0) FROM hand WHERE table_id = ?", (table_id,)).fetchone()
    row = db.execute(
        "SELECT seq, nonce, started_at FROM hand WHERE table_id = ? AND number = ?", (table_id, number)
    ).fetchone()
    if row is None:
        return None
    seq, nonce, started_at = row
    following = db.execute("SELECT seq FROM hand WHERE table_id = ? AND number = ?", (table_id, number + 1)).fetchone()
    events, _ = _events(db, codec, table_id, seq, following[0] if following else None)
    return SavedHand(table_id, number, nonce, started_at, seq, events)


def purse(db: sqlite3.Connection, guild: int, user: int, book: Book) -> Purse:
    wallet, stacks, bets = db.execute(
        """
        SELECT coalesce((
                   SELECT chips FROM balance WHERE guild = :guild AND kind = :wallet AND table_id = 0 AND user = :user
               ), 0), coalesce(sum(chips), 0), coalesce(sum(staked), 0)
        FROM balance WHERE guild = :guild AND kind = :seat AND user = :user
        """,
        {"guild": guild, "user": user, "wallet": int(Kind.WALLET + book), "seat": int(Kind.SEAT + book)},
    ).fetchone()
    return Purse(user, wallet, stacks, bets, claims_of(db, guild, user, book))


def leaderboard(db: sqlite3.Connection, guild: int, *, offset: int, limit: int, user: int, book: Book) -> Leaderboard:
    places = {
        "guild": guild,
        "wallet": int(Kind.WALLET + book),
        "seat": int(Kind.SEAT + book),
        "limit": limit,
        "offset": offset,
        "user": user,
    }
    lines = db.execute(
        f"{_TOTALS} SELECT rank() OVER (ORDER BY total DESC), user, total, wallet FROM total"
        " ORDER BY total DESC, user LIMIT :limit OFFSET :offset",
        places,
    ).fetchall()
    (players,) = db.execute(f"{_TOTALS} SELECT count(*) FROM total", places).fetchone()
    own = db.execute(
        f"""{_TOTALS}
        SELECT (SELECT count(*) FROM total AS better WHERE better.total > own.total) + 1, user, total, wallet
        FROM total AS own WHERE user = :user""",
        places,
    ).fetchone()
    return Leaderboard(tuple(Standing(*line) for line in lines), players, Standing(*own) if own else None)


def history(db: sqlite3.Connection, guild: int, user: int, *, before: int, limit: int, book: Book) -> History:
    wallet = int(Kind.WALLET + book)
    rows = db.execute(
        """
        SELECT cause * 65536 + part, cause.at, CASE WHEN debit_kind = :wallet THEN -chips ELSE chips END, reason, note,
               coalesce((SELECT number FROM card_table WHERE id = max(debit_table, credit_table)), 0), cause.who
        FROM transfer JOIN cause ON cause.id = transfer.cause
        WHERE transfer.guild = :guild AND wallet = :wallet AND wallet > 0 AND owner = :user
        AND (cause, part) < (:cause, :part) ORDER BY cause DESC, part DESC LIMIT :limit + 1
        """,
        {
            "guild": guild,
            "user": user,
            "wallet": wallet,
            "cause": before >> 16 if before else 2**62,
            "part": before & 0xFFFF,
            "limit": limit,
        },
    ).fetchall()
    entries = tuple(
        Entry(number, at, chips, Reason(reason), note, at_table, by)
        for number, at, chips, reason, note, at_table, by in rows[:limit]
    )
    return History(entries, entries[-1].id if len(rows) > limit else 0)


def house_rules(db: sqlite3.Connection, guild: int) -> HouseRules:
    row = db.execute("SELECT rules FROM guild WHERE id = ?", (guild,)).fetchone()
    return msgspec.json.decode(row[0], type=HouseRules) if row and row[0] else HouseRules()


ADJUSTMENTS_LISTED = 5
"""How many of the latest equitable adjustments an audit lists."""


def audit_books(db: sqlite3.Connection, guild: int) -> Audit:
    """Add up a server's books, and add up all its transfers once more to compare the balances with."""
    balances = {
        Account(Kind(kind), at, user): Balance(chips, staked)
        for kind, at, user, chips, staked in db.execute(
            "SELECT kind, table_id, user, chips, staked FROM balance WHERE guild = ?", (guild,)
        )
    }
    sums = {
        Account(Kind(kind), at, user): chips
        for kind, at, user, chips in db.execute(
            """
            SELECT kind, at, user, sum(chips) FROM (
                SELECT debit_kind AS kind, debit_table AS at, debit_user AS user, -chips AS chips
                FROM transfer WHERE guild = :guild
                UNION ALL SELECT credit_kind, credit_table, credit_user, chips FROM transfer WHERE guild = :guild
            ) GROUP BY kind, at, user
            """,
            {"guild": guild},
        )
    }
    (transfers,) = db.execute("SELECT count(*) FROM transfer WHERE guild = ?", (guild,)).fetchone()
    held = {account: balance.chips for account, balance in balances.items()}
    faults: tuple[Fault, ...] = audit(balances) + compare(sums, held, "a balance is not the sum of its transfers")

    def in_all(kind: Kind) -> int:
        return sum(chips for account, chips in held.items() if account.kind is kind)

    return Audit(
        minted=-in_all(Kind.MINT),
        wallets=in_all(Kind.WALLET),
        stacks=in_all(Kind.SEAT),
        pots=in_all(Kind.POT),
        house=in_all(Kind.HOUSE),
        practice=sum(
            chips for account, chips in held.items() if account.book is Book.PRACTICE and account.kind not in MINTS
        ),
        transfers=transfers,
        faults=faults,
        adjustments=_adjustments(db, guild),
    )


def _adjustments(db: sqlite3.Connection, guild: int) -> tuple[Adjustment, ...]:
    """The latest equitable adjustments. One cause may bring one at most, and moves chips between the seats of one table."""
    rows = db.execute(
        """
        SELECT cause.id, cause.at, card_table.number, debit_user, credit_user, chips
        FROM transfer JOIN cause ON cause.id = transfer.cause JOIN card_table ON card_table.id = debit_table
        WHERE transfer.cause IN (
            SELECT DISTINCT cause FROM transfer WHERE guild = :guild AND reason = :reason ORDER BY cause DESC LIMIT :most
        ) AND transfer.guild = :guild AND reason = :reason ORDER BY cause.id DESC, part
        """,
        {"guild": guild, "reason": Reason.ADJUSTED.value, "most": ADJUSTMENTS_LISTED},
    )
    found: dict[int, tuple[int, int, dict[int, int]]] = {}
    for cause, at, number, giver, taker, chips in rows:
        _, _, shifts = found.setdefault(cause, (at, number, {}))
        shifts[giver] = shifts.get(giver, 0) - chips
        shifts[taker] = shifts.get(taker, 0) + chips
    return tuple(Adjustment(at, number, tuple(shifts.items())) for at, number, shifts in found.values())


def value(db: sqlite3.Connection, key: str) -> bytes | None:
    row = db.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
    return bytes(row[0]) if row else None


def values(db: sqlite3.Connection, prefix: str) -> dict[str, bytes]:
    return dict(
        db.execute("SELECT key, value FROM kept WHERE substr(key, 1, ?) = ? ORDER BY key", (len(prefix), prefix))
    )
