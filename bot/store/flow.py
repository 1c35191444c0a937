"""Read a server's transfers in steps, for the report of who gives chips to whom."""

from collections.abc import Generator

from bot.ledger.accounts import AccountKind
from bot.ledger.flow import FlowBook, PairFlow
from bot.store.database import Database

STEP_TRANSFERS = 2_000
"""So many transfers are read in one step: a few milliseconds, after which others get their turn."""
TABLE_OF_TRANSFER = "CASE WHEN debit_table > credit_table THEN debit_table ELSE credit_table END"
MAX_FLOWS = 200
"""How many pairs are returned, the most suspicious first."""


def flow_in_steps(db: Database, guild: int, since: int) -> Generator[None, None, tuple[PairFlow, ...]]:
    """Return the flow of people's chips between pairs of players since a time in ms."""
    book = FlowBook()
    cause, part = first_cause_since(db, since), -1
    while True:
        rows = db.execute(
            f"""
            SELECT transfer.cause, part, cause.at, reason, {TABLE_OF_TRANSFER}, debit_kind, debit_user,
                   credit_kind, credit_user, chips
            FROM transfer JOIN cause ON cause.id = transfer.cause
            WHERE transfer.guild = ? AND (transfer.cause, part) > (?, ?) ORDER BY transfer.cause, part LIMIT ?
            """,
            (guild, cause, part, STEP_TRANSFERS),
        ).fetchall()
        for _, _, at, reason, table, debit_kind, debit, credit_kind, credit, chips in rows:
            if debit_kind <= AccountKind.ESCROW:  # people's chips
                book.add(at, reason, table, debit_kind, debit, credit_kind, credit, chips)
        if len(rows) < STEP_TRANSFERS:
            break
        cause, part = rows[-1][:2]
        yield
    yield
    return book.flows(MAX_FLOWS)


def first_cause_since(db: Database, since: int) -> int:
    """Return the id of the first cause at a time or after it. Ids count upwards with time, so twenty looks find it among a million."""
    (low, high) = db.execute("SELECT coalesce(min(id), 0), coalesce(max(id), 0) + 1 FROM cause").fetchone()
    while low < high:
        middle = (low + high) // 2
        found = db.execute("SELECT at FROM cause WHERE id >= ? ORDER BY id LIMIT 1", (middle,)).fetchone()
        if found is not None and found[0] < since:
            low = middle + 1
        else:
            high = middle
    return int(low)
