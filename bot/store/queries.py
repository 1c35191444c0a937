"""Read everything that is read from the file, by plain functions on a connection that cannot write."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from bot.ledger.accounts import MINT_KINDS, Account, AccountKind, Book, TransferReason
from bot.ledger.books import Balance, BookFault, BookProblem, audit_balances, compare_balances
from bot.ledger.house import HouseRules
from bot.runtime.store_protocol import Codec
from bot.runtime.store_types import (
    HistoryEntry,
    Leaderboard,
    LeaderboardLine,
    LedgerAudit,
    NewHand,
    PlayerHoldings,
    Receipt,
    SavedHand,
    SavedTable,
    StackAdjustment,
    StoredEvent,
    TableChips,
    TableRecord,
    UnshownChips,
    WalletHistory,
)
from bot.store.write_batch import player_claims

T = TypeVar("T")

_SELECT_TABLE = """
    SELECT id, guild, number, channel, settings, state = 'open' AS open,
           (SELECT coalesce(max(hand.number), 0) FROM hand WHERE table_id = card_table.id) AS hands, opened_at
    FROM card_table
"""
_WITH_TOTALS = """  -- of people: the ids of practice players are below zero
    WITH total AS (
        SELECT user, sum(chips + staked) AS total, sum(CASE WHEN kind = :wallet THEN chips ELSE 0 END) AS wallet
        FROM balance WHERE guild = :guild AND kind IN (:wallet, :seat) AND user > 0 GROUP BY user
    )
"""
_WITH_SHOWN_TOTALS = (
    _WITH_TOTALS.replace("WITH total", "WITH saved")
    + """  -- while all-in hands are run out, as if they had not ended
    , shown AS (SELECT json_extract(value, '$[0]') AS user, json_extract(value, '$[1]') AS total,
                       json_extract(value, '$[2]') AS wallet FROM json_each(:unshown)
    ), total AS (
        SELECT user, saved.total + coalesce((SELECT sum(total) FROM shown WHERE shown.user = saved.user), 0) AS total,
               saved.wallet + coalesce((SELECT sum(wallet) FROM shown WHERE shown.user = saved.user), 0) AS wallet
        FROM saved
    )
"""
)


def read_consistently(db: sqlite3.Connection, read: Callable[[], T]) -> T:
    """Let several queries see the same state of the file."""
    db.execute("BEGIN")
    try:
        return read()
    finally:
        db.execute("COMMIT")


def receipt(db: sqlite3.Connection, key: str) -> Receipt | None:
    """Return the receipt of a cause that has been applied."""
    row = db.execute("SELECT key, at, table_id, number, seq FROM cause WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    found, at, table_id, number, seq = row
    return Receipt(found, at, table_id, number, seq, repeated=True)


def open_tables(db: sqlite3.Connection, codec: Codec) -> tuple[SavedTable, ...]:
    """Return every open table, by id."""
    rows = db.execute(f"{_SELECT_TABLE} WHERE state = 'open'").fetchall()
    # Sorted here: with ORDER BY, SQLite would read the closed tables too.
    return tuple(_saved_table(db, codec, _table_record(row)) for row in sorted(rows))


def _saved_table(db: sqlite3.Connection, codec: Codec, record: TableRecord) -> SavedTable:
    table = record.id
    saved = db.execute("SELECT blob, seq FROM snapshot WHERE table_id = ?", (table,)).fetchone()
    saved_state, first = saved if saved else (None, 1)
    events, seq = _events_between(db, codec, table, first, None)
    hand = None
    if record.hand_count:
        nonce, begins = db.execute(
            "SELECT nonce, seq FROM hand WHERE table_id = ? AND number = ?", (table, record.hand_count)
        ).fetchone()
        hand = NewHand(record.hand_count, nonce, begins - first)
    return SavedTable(record, saved_state, first, events, seq, hand, table_chips(db, table))


def _events_between(
    db: sqlite3.Connection, codec: Codec, table: int, first: int, end: int | None
) -> tuple[tuple[StoredEvent, ...], int]:
    """Return a table's events from number `first` up to but not including `end`, and the number after the last of them.

    A row holds a whole commit, so the first row can begin before `first` and the last one can end after `end`.
    """
    rows = db.execute(
        """
        SELECT seq, count, blob FROM event WHERE table_id = :table AND seq < :end
        AND seq >= (SELECT coalesce(max(seq), :first) FROM event WHERE table_id = :table AND seq <= :first) ORDER BY seq
        """,
        {"table": table, "first": first, "end": 2**62 if end is None else end},
    )
    events: list[StoredEvent] = []
    following = first
    for seq, count, blob in rows:
        following = max(following, seq + count)
        if following > first:
            some = codec.decode(blob)
            events += some[max(0, first - seq) : None if end is None else end - seq]
    return tuple(events), following


def table(db: sqlite3.Connection, table_id: int) -> TableRecord | None:
    row = db.execute(f"{_SELECT_TABLE} WHERE id = ?", (table_id,)).fetchone()
    return _table_record(row) if row else None


def table_numbered(db: sqlite3.Connection, guild: int, number: int) -> TableRecord | None:
    row = db.execute(f"{_SELECT_TABLE} WHERE guild = ? AND card_table.number = ?", (guild, number)).fetchone()
    return _table_record(row) if row else None


def _table_record(row: tuple[int, int, int, int, bytes, int, int, int]) -> TableRecord:
    table_id, guild, number, channel, settings, is_open, hands, opened_at = row
    return TableRecord(table_id, guild, number, channel, settings, bool(is_open), hands, opened_at)


def table_chips(db: sqlite3.Connection, table_id: int) -> TableChips:
    """Return the chips on a table, by the ledger. A table that holds practice chips is on the practice book."""
    rows = db.execute(
        """
        SELECT kind, user, chips, staked FROM balance
        WHERE guild = (SELECT guild FROM card_table WHERE id = :table) AND kind IN (4, 5, 14, 15) AND table_id = :table
        """,
        {"table": table_id},
    ).fetchall()
    book = Book.PRACTICE if any(kind > Book.PRACTICE for kind, *_ in rows) else Book.PEOPLE
    seats = [(user, chips, staked) for kind, user, chips, staked in rows if kind == AccountKind.SEAT + book]
    return TableChips(
        stacks={user: chips for user, chips, _ in seats if chips},
        in_pot={user: staked for user, _, staked in seats if staked},
        pot=sum(chips for kind, _, chips, _ in rows if kind == AccountKind.POT + book),
        book=book,
    )


def hand(db: sqlite3.Connection, codec: Codec, table_id: int, number: int) -> SavedHand | None:
    """Return a hand by its number, 0 for the last one: its events, up to the beginning of the next hand."""
    if not number:
        (number,) = db.execute("SELECT coalesce(max(number), 0) FROM hand WHERE table_id = ?", (table_id,)).fetchone()
    row = db.execute(
        "SELECT seq, nonce, started_at FROM hand WHERE table_id = ? AND number = ?", (table_id, number)
    ).fetchone()
    if row is None:
        return None
    seq, nonce, started_at = row
    following = db.execute("SELECT seq FROM hand WHERE table_id = ? AND number = ?", (table_id, number + 1)).fetchone()
    events, _ = _events_between(db, codec, table_id, seq, following[0] if following else None)
    return SavedHand(table_id, number, nonce, started_at, seq, events)


def holdings(db: sqlite3.Connection, guild: int, user: int, book: Book) -> PlayerHoldings:
    wallet, stacks, bets = db.execute(
        """
        SELECT coalesce((
                   SELECT chips FROM balance WHERE guild = :guild AND kind = :wallet AND table_id = 0 AND user = :user
               ), 0), coalesce(sum(chips), 0), coalesce(sum(staked), 0)
        FROM balance WHERE guild = :guild AND kind = :seat AND user = :user
        """,
        {"guild": guild, "user": user, "wallet": int(AccountKind.WALLET + book), "seat": int(AccountKind.SEAT + book)},
    ).fetchone()
    return PlayerHoldings(user, wallet, stacks, bets, player_claims(db, guild, user, book))


def leaderboard(
    db: sqlite3.Connection,
    guild: int,
    *,
    offset: int,
    limit: int,
    user: int,
    book: Book,
    unshown: Sequence[UnshownChips] = (),
) -> Leaderboard:
    totals = _WITH_SHOWN_TOTALS if unshown else _WITH_TOTALS
    parameters = {
        "unshown": msgspec.json.encode([(chips.user, chips.total, chips.wallet) for chips in unshown]).decode(),
        "guild": guild,
        "wallet": int(AccountKind.WALLET + book),
        "seat": int(AccountKind.SEAT + book),
        "limit": limit,
        "offset": offset,
        "user": user,
    }
    lines = db.execute(
        f"{totals} SELECT rank() OVER (ORDER BY total DESC), user, total, wallet FROM total"
        " ORDER BY total DESC, user LIMIT :limit OFFSET :offset",
        parameters,
    ).fetchall()
    (players,) = db.execute(f"{totals} SELECT count(*) FROM total", parameters).fetchone()
    own = db.execute(
        f"""{totals}
        SELECT (SELECT count(*) FROM total AS better WHERE better.total > own.total) + 1, user, total, wallet
        FROM total AS own WHERE user = :user""",
        parameters,
    ).fetchone()
    return Leaderboard(tuple(LeaderboardLine(*line) for line in lines), players, LeaderboardLine(*own) if own else None)


def history(db: sqlite3.Connection, guild: int, user: int, *, before: int, limit: int, book: Book) -> WalletHistory:
    wallet = int(AccountKind.WALLET + book)
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
        HistoryEntry(number, at, chips, TransferReason(reason), note, at_table, by)
        for number, at, chips, reason, note, at_table, by in rows[:limit]
    )
    return WalletHistory(entries, entries[-1].id if len(rows) > limit else 0)


def house_rules(db: sqlite3.Connection, guild: int) -> HouseRules:
    row = db.execute("SELECT rules FROM guild WHERE id = ?", (guild,)).fetchone()
    return msgspec.json.decode(row[0], type=HouseRules) if row and row[0] else HouseRules()


MAX_LISTED_ADJUSTMENTS = 5
"""How many adjustments of stacks an audit lists, the latest ones."""


def audit_books(db: sqlite3.Connection, guild: int) -> LedgerAudit:
    """Add up a server's books, and compare the balances with the sums of all transfers."""
    balances = {
        Account(AccountKind(kind), at, user): Balance(chips, staked)
        for kind, at, user, chips, staked in db.execute(
            "SELECT kind, table_id, user, chips, staked FROM balance WHERE guild = ?", (guild,)
        )
    }
    sums = {
        Account(AccountKind(kind), at, user): chips
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
    faults: tuple[BookFault, ...] = audit_balances(balances) + compare_balances(
        sums, held, BookProblem.TRANSFERS_DIFFER
    )

    def total_on(kind: AccountKind) -> int:
        return sum(chips for account, chips in held.items() if account.kind is kind)

    return LedgerAudit(
        minted=-total_on(AccountKind.MINT),
        wallets=total_on(AccountKind.WALLET),
        stacks=total_on(AccountKind.SEAT),
        pots=total_on(AccountKind.POT),
        house=total_on(AccountKind.HOUSE),
        practice=sum(
            chips for account, chips in held.items() if account.book is Book.PRACTICE and account.kind not in MINT_KINDS
        ),
        transfers=transfers,
        faults=faults,
        adjustments=_latest_adjustments(db, guild),
    )


def _latest_adjustments(db: sqlite3.Connection, guild: int) -> tuple[StackAdjustment, ...]:
    """Return the latest adjustments of stacks. A cause makes one at most, and it moves chips between the seats of one table."""
    rows = db.execute(
        """
        SELECT cause.id, cause.at, card_table.number, debit_user, credit_user, chips
        FROM transfer JOIN cause ON cause.id = transfer.cause JOIN card_table ON card_table.id = debit_table
        WHERE transfer.cause IN (
            SELECT DISTINCT cause FROM transfer WHERE guild = :guild AND reason = :reason ORDER BY cause DESC LIMIT :limit
        ) AND transfer.guild = :guild AND reason = :reason ORDER BY cause.id DESC, part
        """,
        {"guild": guild, "reason": TransferReason.ADJUSTED.value, "limit": MAX_LISTED_ADJUSTMENTS},
    )
    found: dict[int, tuple[int, int, dict[int, int]]] = {}
    for cause, at, number, giver, taker, chips in rows:
        _, _, shifts = found.setdefault(cause, (at, number, {}))
        shifts[giver] = shifts.get(giver, 0) - chips
        shifts[taker] = shifts.get(taker, 0) + chips
    return tuple(StackAdjustment(at, number, tuple(shifts.items())) for at, number, shifts in found.values())


def value(db: sqlite3.Connection, key: str) -> bytes | None:
    row = db.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
    return bytes(row[0]) if row else None


def values(db: sqlite3.Connection, prefix: str) -> dict[str, bytes]:
    return dict(
        db.execute("SELECT key, value FROM kept WHERE substr(key, 1, ?) = ? ORDER BY key", (len(prefix), prefix))
    )
