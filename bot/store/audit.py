"""Audit a server's books in steps: balances against the sums of all transfers.

A server can have millions of transfers. They are added up a part at a time, each in a read transaction of its own, so that no long
transaction keeps the write-ahead log from being merged into the file, and other long reads get their turn. Transfers are only ever added,
so what has been added up stands; the last step adds the newest ones and compares, all in one state of the file.

SQLite does the adding and comparing: it releases the interpreter meanwhile, which rows made in Python would not.
"""

from collections.abc import Generator, Iterator

from bot.ledger.accounts import Account, AccountKind, Book, mint_account
from bot.ledger.books import BookFault, BookProblem
from bot.runtime.store_types import LedgerAudit
from bot.store.board import EVERYBODY, LISTED_PEOPLE, BoardKind
from bot.store.board_sums import ALL_TIME, PART
from bot.store.database import Database

STEP_TRANSFERS = 20_000
"""So many transfers are added up in one step."""
MAX_FAULTS = 1_000
"""An audit names so many faults of one kind at most."""

_ADD_UP = """
    INSERT INTO temp.{sums} (kind, at, "user", chips)
    SELECT kind, at, "user", sum(chips) FROM (
        SELECT debit_kind AS kind, debit_table AS at, debit_user AS "user", -chips AS chips
        FROM transfer WHERE guild = :guild AND cause > :after AND cause <= :until
        UNION ALL SELECT credit_kind, credit_table, credit_user, chips
        FROM transfer WHERE guild = :guild AND cause > :after AND cause <= :until
    ) AS moved WHERE true GROUP BY kind, at, "user"
    ON CONFLICT (kind, at, "user") DO UPDATE SET chips = {sums}.chips + excluded.chips
"""
_FAULTS = (
    (
        BookProblem.ACCOUNT_OWES,
        """
        SELECT kind, table_id, "user", chips FROM balance
        WHERE guild = :guild AND chips < 0 AND kind NOT IN (:mint, :practice_mint, :table_mint)
        """,
    ),
    (
        BookProblem.BET_OUTSIDE_POT,
        """
        SELECT kind, table_id, "user", staked FROM balance
        WHERE guild = :guild AND (staked < 0 OR (staked <> 0 AND kind NOT IN (:seat, :practice_seat, :table_seat)))
        """,
    ),
    (
        BookProblem.BET_IN_EMPTY_POT,
        """
        SELECT kind, table_id, "user", staked FROM balance AS bet
        WHERE guild = :guild AND staked <> 0 AND NOT EXISTS (
            SELECT 1 FROM balance AS pot WHERE pot.guild = :guild AND pot.kind = bet.kind / 10 * 10 + :pot
            AND pot.table_id = bet.table_id AND pot.user = 0 AND pot.chips <> 0)
        """,
    ),
    (
        BookProblem.TRANSFERS_DIFFER,
        """
        SELECT held.kind, held.table_id, held.user, held.chips - coalesce(sums.chips, 0)
        FROM balance AS held LEFT JOIN temp.{sums} AS sums
        ON sums.kind = held.kind AND sums.at = held.table_id AND sums.user = held.user
        WHERE held.guild = :guild AND held.chips <> coalesce(sums.chips, 0)
        UNION ALL
        SELECT sums.kind, sums.at, sums.user, -sums.chips FROM temp.{sums} AS sums
        WHERE sums.chips <> 0 AND NOT EXISTS (
            SELECT 1 FROM balance AS held
            WHERE held.guild = :guild AND held.kind = sums.kind AND held.table_id = sums.at AND held.user = sums.user)
        """,
    ),
    (
        BookProblem.LEADERBOARD_DIFFERS,
        """
        SELECT kind, 0, "user", sum(total) AS chips FROM (
            SELECT book + :wallet AS kind, "user", total FROM player_total WHERE guild = :guild
            UNION ALL SELECT kind / 10 * 10 + :wallet, "user", -chips - staked FROM balance
            WHERE guild = :guild AND kind IN (:wallet, :seat, :practice_wallet, :practice_seat) AND "user" > 0
        ) AS totals GROUP BY kind, "user" HAVING sum(total) <> 0
        """,
    ),
)
"""How each kind of fault is found: kind, table and user of the account, and the chips that are wrong."""
_COUNTED = f"""
    SELECT :wallet, 0, "user", sum(chips) FROM (
        SELECT "user", counted - total AS chips FROM player_total
        WHERE guild = :guild AND counted <> total
        UNION ALL SELECT "user", chips FROM uncounted WHERE guild = :guild AND span < 0
        AND "user" IN (SELECT "user" FROM player_total WHERE guild = :guild AND book = 0)
    ) AS kept GROUP BY "user" HAVING sum(chips) <> 0
    UNION ALL SELECT :wallet, 0, "user", sum(chips) FROM (
        SELECT span, "user", chips FROM uncounted WHERE guild = :guild AND span <> {ALL_TIME}
        UNION ALL SELECT pair.span, "user", -{PART.format(cap="cap")} FROM board_pair AS pair
        JOIN board_span AS span ON span.guild = pair.guild AND span.span = pair.span WHERE pair.guild = :guild
    ) AS kept GROUP BY span, "user" HAVING sum(chips) <> 0
"""
"""How it is found that a leaderboard counts other chips than its sums say. Backups of before there were sums have none."""
_BEGIN = """(
    SELECT {column} FROM {blocks} AS block WHERE block.guild = :guild AND block.book = person.book
    AND (below, tie) <= (-person.counted, person."user") ORDER BY below DESC, tie DESC LIMIT 1
)"""
_DELETIONS = "deletion"
"""A table that older backups have not: they are audited as they are."""
_KINDS = {kind.name.lower(): int(kind) for kind in AccountKind}
_BOOK_NOT_ZERO = {Book.PEOPLE: BookProblem.PEOPLE_NOT_ZERO, Book.PRACTICE: BookProblem.PRACTICE_NOT_ZERO}


def audit_in_steps(
    db: Database, guild: int, step: int = STEP_TRANSFERS, tables: frozenset[str] = frozenset()
) -> Generator[None, None, LedgerAudit]:
    """Audit a server's books; each `yield` ends a step. See `bot.store.long_reads`.

    Args:
        tables: the names of all tables, for whoever audits many servers and has asked for them. An older backup has not all of them.
    """
    tables = tables or frozenset(db.tables())
    finished = _finished_deletions(db, guild, tables)
    while True:
        audit = yield from _audit_once(db, guild, step, tables)
        if finished == (finished := _finished_deletions(db, guild, tables)):
            return audit
        yield  # transfers that had been added up have got another name since


def _audit_once(db: Database, guild: int, step: int, tables: frozenset[str]) -> Generator[None, None, LedgerAudit]:
    sums = f"audit_{guild}"
    with db.writing_temporary():
        db.execute(f"DROP TABLE IF EXISTS temp.{sums}")
        db.execute(
            f'CREATE TEMP TABLE {sums} (kind BIGINT, at BIGINT, "user" BIGINT, chips BIGINT, PRIMARY KEY (kind, at, "user"))'
            " WITHOUT ROWID"
        )
    try:
        added_up = 0
        while (until := _end_of_step(db, guild, added_up, step)) is not None:
            _add_up(db, sums, guild, added_up, until)
            added_up = until
            yield
        _add_up(db, sums, guild, added_up, 2**62)
        if _DELETIONS in tables:
            _take_for_one(db, sums, guild)
        return _compare(db, sums, guild, tables)
    finally:
        with db.writing_temporary():
            db.execute(f"DROP TABLE temp.{sums}")


def audit_books(db: Database, guild: int, tables: frozenset[str] = frozenset()) -> LedgerAudit:
    """Audit a server's books in one go, for whoever has the file alone. Argument as in `audit_in_steps`."""
    steps = audit_in_steps(db, guild, tables=tables)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            audit: LedgerAudit = end.value
            return audit


def _end_of_step(db: Database, guild: int, after: int, step: int) -> int | None:
    """Return the last cause of the next step; None if fewer transfers are left than a step has."""
    row = db.execute(
        "SELECT cause FROM transfer WHERE guild = ? AND cause > ? ORDER BY cause LIMIT 1 OFFSET ?", (guild, after, step)
    ).fetchone()
    return int(row[0]) if row else None


def _add_up(db: Database, sums: str, guild: int, after: int, until: int) -> None:
    with db.writing_temporary():
        db.execute(_ADD_UP.format(sums=sums), {"guild": guild, "after": after, "until": until})


def _finished_deletions(db: Database, guild: int, tables: frozenset[str]) -> int:
    """Return how many people have been taken out of a server."""
    if _DELETIONS not in tables:
        return 0
    query = "SELECT count(*) FROM former_player WHERE guild = ? AND id NOT IN (SELECT id FROM deletion)"
    return int(db.execute(query, (guild,)).fetchone()[0])


def _take_for_one(db: Database, sums: str, guild: int) -> None:
    """Take a person who is being taken out, and what stands for them, for one: transfers are renamed a part at a time."""
    with db.writing_temporary():
        for former, user in db.execute('SELECT id, "user" FROM deletion WHERE guild = ?', (guild,)).fetchall():
            db.execute(
                f"""
                INSERT INTO temp.{sums} (kind, at, "user", chips) SELECT kind, at, ?, chips FROM temp.{sums} WHERE "user" = ?
                ON CONFLICT (kind, at, "user") DO UPDATE SET chips = {sums}.chips + excluded.chips
                """,
                (former, user),
            )
            db.execute(f'DELETE FROM temp.{sums} WHERE "user" = ?', (user,))


def _compare(db: Database, sums: str, guild: int, tables: frozenset[str]) -> LedgerAudit:
    held: dict[int, int] = dict(
        db.execute("SELECT kind, sum(chips) FROM balance WHERE guild = ? GROUP BY kind", (guild,))
    )
    (transfers,) = db.execute("SELECT count(*) FROM transfer WHERE guild = ?", (guild,)).fetchone()

    def total_on(kind: AccountKind) -> int:
        return held.get(kind, 0)

    by_book = {book: sum(chips for kind, chips in held.items() if kind - kind % 10 == book) for book in Book}
    faults = [BookFault(problem, None, by_book[book]) for book, problem in _BOOK_NOT_ZERO.items() if by_book[book]]
    faults += [
        BookFault(BookProblem.GAME_NOT_ZERO, mint_account(Book.TABLE, table), chips)
        for table, chips in db.execute(
            """
            SELECT table_id, sum(chips) FROM balance WHERE guild = ? AND kind > 20
            GROUP BY table_id HAVING sum(chips) <> 0 ORDER BY table_id LIMIT ?
            """,
            (guild, MAX_FAULTS),
        )
    ]
    return LedgerAudit(
        minted=-total_on(AccountKind.MINT),
        wallets=total_on(AccountKind.WALLET),
        stacks=total_on(AccountKind.SEAT),
        pots=total_on(AccountKind.POT),
        house=total_on(AccountKind.HOUSE),
        escrow=total_on(AccountKind.ESCROW),
        practice=by_book[Book.PRACTICE] - total_on(AccountKind.PRACTICE_MINT),
        table_chips=by_book[Book.TABLE] - total_on(AccountKind.TABLE_MINT),
        transfers=transfers,
        faults=(*faults, *_account_faults(db, sums, guild, tables)),
    )


def _account_faults(db: Database, sums: str, guild: int, tables: frozenset[str]) -> Iterator[BookFault]:
    for problem, query in _FAULTS:
        rows = db.execute(f"{query.format(sums=sums)} ORDER BY 1, 2, 3 LIMIT {MAX_FAULTS}", {**_KINDS, "guild": guild})
        for kind, table, user, chips in rows:
            yield BookFault(problem, Account(AccountKind(kind), table, user), chips)
    if "board_pair" in tables:
        rows = db.execute(f"{_COUNTED} ORDER BY 1, 2, 3 LIMIT {MAX_FAULTS}", {**_KINDS, "guild": guild})
        for kind, table, user, chips in rows:
            yield BookFault(BookProblem.COUNTED_DIFFERS, Account(AccountKind(kind), table, user), chips)
    if any(_ranks_differ(db, guild, board) for board in (EVERYBODY, LISTED_PEOPLE) if board.blocks in tables):
        yield BookFault(BookProblem.RANKS_DIFFER)


def _ranks_differ(db: Database, guild: int, board: BoardKind) -> bool:
    """Return whether the blocks of a leaderboard hold other people than are on it, of some book."""
    below, tie = (_BEGIN.format(column=column, blocks=board.blocks) for column in ("below", "tie"))
    only = f" AND {board.only}" if board.only else ""
    query = f"""
        SELECT 1 FROM (
            SELECT book, below, tie, people FROM {board.blocks} WHERE guild = :guild
            UNION ALL SELECT book, {below}, {tie}, -1 FROM player_total AS person WHERE guild = :guild{only}
        ) AS kept GROUP BY book, below, tie HAVING sum(people) <> 0 LIMIT 1
    """
    return db.execute(query, {"guild": guild}).fetchone() is not None
