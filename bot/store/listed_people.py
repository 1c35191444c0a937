"""Keep who has played enough hands to be on the leaderboard by chips (BO-2), and up to where that follows the statistics.

Hands are counted in the statistics, which can be counted anew at any time; `bot.runtime.listed_people` brings what they say here. The
marks and how far they go are written in one transaction, so a dealer that is killed, and a backup that is put back, go on from there.
"""

from collections.abc import Iterable, Mapping, Sequence

from bot.ledger.accounts import Book
from bot.runtime.store_errors import StoreFailed
from bot.runtime.store_types import Listing
from bot.store.board import LISTED_PEOPLE, split_full_blocks
from bot.store.database import DATABASE_FAILED, Database

_BOOK = int(Book.PEOPLE)


def listing(db: Database, guild: int) -> Listing | None:
    """Return up to where the marks of a server follow the statistics; None if not everybody has been looked at."""
    row = db.execute("SELECT epoch, followed FROM listing WHERE guild = ?", (guild,)).fetchone()
    return Listing(*row) if row is not None else None


def people_after(db: Database, guild: int, user: int, limit: int) -> dict[int, bool]:
    """Return whether the next people of a server are listed, in the order of their ids."""
    rows = db.execute(
        'SELECT "user", listed FROM player_total WHERE guild = ? AND book = ? AND "user" > ? ORDER BY "user" LIMIT ?',
        (guild, _BOOK, user, limit),
    )
    return {one: bool(listed) for one, listed in rows}


def mark_people(db: Database, guild: int, marks: Mapping[int, bool], done: Listing | None) -> None:
    """Write whether some people are listed, and up to where the marks follow now; None as long as not everybody has been looked at.

    A power cut can undo it, and loses nothing by it.

    Raises:
        StoreFailed: the disk failed. Nothing has changed.
    """
    try:
        with db.relaxed(), db.transaction():
            _mark(db, guild, marks.items())
            db.execute("DELETE FROM listing WHERE guild = ?", (guild,))
            if done is not None:
                db.execute(
                    "INSERT INTO listing (guild, epoch, followed) VALUES (?, ?, ?)", (guild, done.epoch, done.followed)
                )
    except DATABASE_FAILED as error:
        raise StoreFailed(reason=f"could not save: {error}") from error


def _mark(db: Database, guild: int, marks: Iterable[tuple[int, bool]]) -> None:
    rows: Sequence[tuple[int, ...]] = [
        (int(is_listed), guild, _BOOK, user, int(is_listed)) for user, is_listed in marks
    ]
    db.executemany(
        'UPDATE player_total SET listed = ? WHERE guild = ? AND book = ? AND "user" = ? AND listed <> ?', rows
    )
    split_full_blocks(db, LISTED_PEOPLE)
