"""Tell whether a statistics file agrees with the hands, by counting a sample of them anew. It only reads."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from bot.statistics.count_hand import COUNTED
from bot.statistics.events import DecodeEvents
from bot.statistics.types import CountedHand, PeriodKind
from bot.store.data_source import DataSource
from bot.store.database import DATABASE_FAILED, Database
from bot.store.listed_people import listing
from bot.store.statistics.journal import JournalReader, connect_to_journal, journal_tables
from bot.store.statistics.keeper import LAYOUT, is_whole, layout_of
from bot.store.statistics.long_rankings import wrong_rankings
from bot.store.statistics.stretches import are_right
from bot.store.statistics.write import COUNTS, DAYS, KINDS

TABLES_MAX, HANDS_MAX, PEOPLE_MAX = 40, 25, 100
"""So many tables, hands of each and people are looked at."""


class StatisticsUnusable(Exception):
    """There is no statistics file that this version can go on with: the next start makes one."""


def check_statistics(path: Path, data: DataSource, decode: DecodeEvents) -> int:
    """Return how many hands and people of a sample differ from what the journal and the hands say; 0 is right.

    Raises:
        StatisticsUnusable: the file is missing, damaged or of another version.
    """
    if not path.is_file():
        raise StatisticsUnusable
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db,
            contextlib.closing(connect_to_journal(data)) as journal,
        ):
            db.execute("BEGIN")
            if not is_whole(db) or layout_of(db) != LAYOUT:
                raise StatisticsUnusable
            return (
                sum(_differs(db, hand) for hand in _sample(db, journal, decode))
                + _wrong_marks(db, journal)
                + wrong_rankings(db)
                + _wrong_sums(db)
                + _wrong_stretches(db)
            )
    except DATABASE_FAILED as error:
        raise StatisticsUnusable from error


def _sample(db: sqlite3.Connection, journal: Database, decode: DecodeEvents) -> Iterator[CountedHand]:
    """Return some hands of some tables, the newest tables first, as they are counted now."""
    reader = JournalReader(journal, decode)
    rows = db.execute("SELECT id, position FROM counted_table ORDER BY id DESC LIMIT ?", (TABLES_MAX,)).fetchall()
    positions = dict(rows)
    for table in journal_tables(journal, list(positions)) if positions else ():
        with contextlib.closing(reader.ended_hands(table, 1)) as ended_hands:
            for number, ended in enumerate(ended_hands):
                if number >= HANDS_MAX or ended.position > positions[table.id]:
                    break
                if isinstance(ended.hand, CountedHand):
                    yield ended.hand


def _differs(db: sqlite3.Connection, hand: CountedHand) -> bool:
    row = db.execute(
        """
        SELECT counted_hand.id, key, words, pot, counts FROM counted_hand JOIN terms ON terms.id = terms
        JOIN game ON game.id = terms.game JOIN stakes ON stakes.id = terms.stakes WHERE table_id = ? AND counted_hand.number = ?
        """,
        (hand.table, hand.number),
    ).fetchone()
    if row is None or row[1:] != (hand.game, hand.stakes, hand.pot, int(hand.counts)):
        return True
    kept = db.execute(
        f"SELECT won, value, share, {', '.join(COUNTED)} FROM player_hand WHERE hand = ? ORDER BY seat", (row[0],)
    ).fetchall()
    counted = [
        (seat.won, seat.value, seat.share, *[getattr(seat.counts, name) for name in COUNTED]) for seat in hand.players
    ]
    return kept != counted


def _wrong_marks(db: sqlite3.Connection, journal: Database) -> int:
    """Return how many people, of some who have played last, are marked in the data file although they have not played enough hands for
    its leaderboard, or the other way round. Changes that it has not followed yet are left out."""
    wrong = 0
    people = """
        SELECT "user", coalesce(hands, 0) >= :least FROM person LEFT JOIN standing ON standing.server = person.server
        AND standing.chips = person.chips AND kind = 0 AND which = 0 AND game = 0 AND standing.person = person.id
        WHERE person.server = :server AND person.chips = 0 AND "user" > 0 AND crossed <= :followed ORDER BY person.id DESC LIMIT :most
    """
    for server, guild, least, epoch in db.execute("SELECT id, guild, listed_from, epoch FROM server").fetchall():
        kept = listing(journal, guild)
        if kept is None or kept.epoch != epoch:
            continue
        asked = {"server": server, "least": least, "followed": kept.followed, "most": PEOPLE_MAX}
        for user, enough in db.execute(people, asked):
            mark = 'SELECT listed FROM player_total WHERE guild = ? AND book = 0 AND "user" = ?'
            row = journal.execute(mark, (guild, user)).fetchone()
            wrong += row is not None and row[0] != enough
    return wrong


def _wrong_sums(db: sqlite3.Connection) -> int:
    """Return of how many people, of some who have played last, the sums are not those of their hands."""
    people = db.execute("SELECT id FROM person ORDER BY id DESC LIMIT ?", (PEOPLE_MAX,)).fetchall()
    sums = ", ".join(f"coalesce(sum({name}), 0)" for name in COUNTS)
    in_sums = "table_id NOT IN (SELECT id FROM counted_table WHERE held > 0)"
    return sum(
        any(
            db.execute(f"SELECT {sums} FROM player_hand WHERE person = ? AND {in_sums}", person).fetchone()
            != db.execute(f"SELECT {sums} FROM total WHERE person = ? AND kind = ?", (*person, kind)).fetchone()
            for kind in (KINDS[PeriodKind.EVER], DAYS)
        )
        for person in people
    )


def _wrong_stretches(db: sqlite3.Connection) -> int:
    """Return of how many people, of some who have played last, the stretches do not show what their hands show."""
    people = db.execute("SELECT id FROM person ORDER BY id DESC LIMIT ?", (PEOPLE_MAX,)).fetchall()
    return sum(not are_right(db, person) for (person,) in people)
