"""Read the hands of the data file for the statistics, on a connection that cannot write."""

import contextlib
import logging
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from bot.statistics.count_hand import CountedSettings, HandCounter, TableFacts, UndoneHand
from bot.statistics.events import DecodeEvents
from bot.statistics.terms import TermsReader
from bot.statistics.types import CountedChips, CountedHand
from bot.store.connection import connect
from bot.store.data_source import DataSource
from bot.store.database import Database
from bot.store.finished_hands import journal_end
from bot.store.hand_blob import BlobUnreadable, hand_events

log = logging.getLogger(__name__)


_decode_settings = msgspec.msgpack.Decoder(CountedSettings).decode


class JournalTable(NamedTuple):
    """A table of the data file. `number`: in its server; `chips`: what its hands count as; `opened_at` in ms.

    `private`: only people who were invited can know of it; `is_open`: it was, when it was read.
    """

    id: int
    guild: int
    number: int
    chips: CountedChips
    opened_at: int
    private: bool = False
    is_open: bool = False


ROWS_AT_ONCE = 200
_FINISHED_HANDS = "SELECT {columns} FROM finished_hand WHERE table_id = ?"
_EVENTS = "SELECT {columns} FROM event WHERE table_id = ?"
_COLUMNS = {_FINISHED_HANDS: "seq, count, format, dictionary, blob, card", _EVENTS: "seq, blob"}


class EndedHand(NamedTuple):
    """A hand that has ended, the number of the first event after its end, and what the table's hands count as there."""

    position: int
    hand: CountedHand | UndoneHand
    chips: CountedChips


def connect_to_journal(data: DataSource) -> Database:
    """Return a connection to the data that cannot write."""
    if not isinstance(data, Path):
        return data.connect()
    db = connect(f"{data.absolute().as_uri()}?mode=ro", any_thread=True)
    db.only_read()
    return db


def count_finished_hands(data: DataSource) -> int:
    """Return how many hands there are that are over and have been put away."""
    with contextlib.closing(connect_to_journal(data)) as db:
        (count,) = db.execute("SELECT count(*) FROM finished_hand").fetchone()
        return int(count)


def deletions_under_way(db: Database) -> dict[tuple[int, int], int]:
    """Return by server and user the pseudonyms of people whose data is being deleted."""
    return {(guild, user): former for former, guild, user in db.execute('SELECT id, guild, "user" FROM deletion')}


def newest_deletion(db: Database, *, ended: bool) -> int:
    """Return the newest pseudonym of a person whose data was deleted, or is being deleted; 0 if there is none.

    Args:
        ended: only of those with whom that is done.
    """
    done = "WHERE NOT EXISTS (SELECT 1 FROM deletion WHERE deletion.id = former_player.id)" if ended else ""
    (newest,) = db.execute(f"SELECT coalesce(max(id), 0) FROM former_player {done}").fetchone()
    return int(newest)


def uncounted_since(db: Database, guild: int, since: int, until: int) -> tuple[list[tuple[int, int, int]], int]:
    """Return what does not count of people's net chips: the season, 0 for all time, the user and the chips, of those for whom it has
    changed from a time on and before another, in ms; and when it changed last."""
    rows = db.execute(
        'SELECT span, "user", chips, at FROM uncounted WHERE guild = ? AND span >= 0 AND at >= ? AND at < ?',
        (guild, since, until),
    ).fetchall()
    return [row[:3] for row in rows], max([row[3] for row in rows], default=since)


def journal_tables(db: Database, ids: Sequence[int] = ()) -> Iterator[JournalTable]:
    """Return tables by their ids, or all of them."""
    query = "SELECT id, guild, number, settings, opened_at, private, state = 'open' FROM card_table"
    if ids:
        query += f" WHERE id IN ({', '.join('?' * len(ids))})"
    for id_, guild, number, settings, opened_at, private, is_open in db.execute(query, tuple(ids)):
        chips = _decode_settings(settings).counted_chips
        yield JournalTable(id_, guild, number, chips, opened_at, bool(private), bool(is_open))


def closed_among(db: Database, ids: Iterable[int]) -> list[int]:
    """Return those of some tables that are not open any more."""
    rows = (db.execute("SELECT state FROM card_table WHERE id = ?", (id_,)).fetchone() for id_ in ids)
    return [id_ for id_, row in zip(ids, rows, strict=True) if row is None or row[0] != "open"]


def positions_ahead(db: Database, positions: Mapping[int, tuple[int, int]]) -> list[int]:
    """Return the tables that have been counted further than their journal goes: another data file has been put in its place.

    Args:
        positions: by table, when it was opened and how far it has been counted.
    """
    opened = dict(db.execute("SELECT id, opened_at FROM card_table"))
    return [
        table
        for table, (opened_at, position) in positions.items()
        if opened.get(table) != opened_at or not journal_reaches(db, table, position)
    ]


def hands_dropped_for_age(db: Database, table: int, numbers: Iterable[int]) -> list[int]:
    """Return those of a table's hands that the journal no longer has because they were too old.

    A table's last number stays when its last hand goes. A number above that is of a hand that this data has never had.
    """
    kept = dict(db.execute("SELECT number, seq FROM hand WHERE table_id = ?", (table,)))
    last = max(kept, default=0)
    if last and journal_end(db, table) <= kept[last]:
        del kept[last]
    return [number for number in numbers if number <= last and number not in kept]


def journal_reaches(db: Database, table: int, position: int) -> bool:
    """Return whether the journal has the event before a position, or had it: old hands are dropped, the last ones are not."""
    end = journal_end(db, table)
    if end >= position:
        return True
    dropped = end == 1 and db.execute("SELECT 1 FROM event WHERE table_id = ?", (table,)).fetchone() is None
    return dropped and db.execute("SELECT state FROM card_table WHERE id = ?", (table,)).fetchone() == ("closed",)


class JournalReader:
    """Reads the hands that have ended in a journal.

    Args:
        db: the data file.
        decode: decodes a row of the journal; see `bot.statistics.events`.
    """

    def __init__(self, db: Database, decode: DecodeEvents) -> None:
        self._db, self._decode, self._terms = db, decode, TermsReader(self._card)
        self._dictionaries: dict[int, bytes] = {}

    def ended_hands(self, table: JournalTable, position: int) -> Generator[EndedHand]:
        """Return the hands of a table that ended from a position on, in order. A damaged one is left out.

        Args:
            table: its `chips` are what its hands count as at the position. A change of its settings holds from there on.
        """
        facts = TableFacts(table.guild, table.id, table.chips)
        counter = HandCounter(facts, self._terms)
        for seq, events in self._events(table.id, position):
            try:
                ended = counter.read(events)
            except Exception:  # a fault of ours in one hand: the others count
                log.exception("hand_not_counted", extra={"table": table.id, "event": seq})
                counter = HandCounter(replace(facts, chips=counter.chips), self._terms)
                continue
            for count, hand in ended:
                yield EndedHand(seq + count, hand, counter.chips)

    def _events(self, table: int, position: int) -> Iterator[tuple[int, list[Any]]]:
        """Return a table's events from a position on, some at once, each time with the number of the first of them."""
        first = position
        for seq, count, format_, dictionary, blob, card in self._rows(_FINISHED_HANDS, table, first):
            if seq + count > first:
                try:
                    events = self._decode(hand_events(blob, self._dictionary(dictionary), card, format_))
                except (BlobUnreadable, msgspec.MsgspecError) as error:
                    log.error("hand_not_counted", extra={"table": table, "event": seq, "error": str(error)})
                else:
                    yield max(seq, first), events[max(first - seq, 0) :]
                first = seq + count
        for seq, blob in self._rows(_EVENTS, table, first):
            events = self._decode(blob)
            if seq >= first:
                yield seq, events
            elif events[first - seq :]:  # those before have been counted
                yield first, events[first - seq :]

    def _rows(self, query: str, table: int, first: int) -> Iterator[Any]:
        """Return the rows of a table's journal from the one on that holds event `first`, whose number each begins with.

        A server sends all that it is asked for, and mostly a few are needed.
        """
        (begin,) = self._db.execute(query.format(columns="max(seq)") + " AND seq <= ?", (table, first)).fetchone()
        after = (begin if begin is not None else first) - 1
        while True:
            rows = self._db.execute(
                query.format(columns=_COLUMNS[query]) + f" AND seq > ? ORDER BY seq LIMIT {ROWS_AT_ONCE}",
                (table, after),
            ).fetchall()
            yield from rows
            if len(rows) < ROWS_AT_ONCE:
                return
            after = rows[-1][0]

    def _dictionary(self, id_: int) -> bytes:
        found = self._dictionaries.get(id_)
        if found is None:
            (found,) = self._db.execute("SELECT blob FROM dictionary WHERE id = ?", (id_,)).fetchone()
            self._dictionaries[id_] = found
        return found

    def _card(self, id_: int) -> bytes:
        (card,) = self._db.execute("SELECT blob FROM stored_part WHERE id = ?", (id_,)).fetchone()
        return bytes(card)
