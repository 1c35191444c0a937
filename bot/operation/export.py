"""Behind `cardroom export`: everything of a server, or all that is kept about a person, in a file that other programs read.

It reads the data beside a dealer that runs. The last hand of an open table is left out: it could still be played.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import msgspec

from bot.fair.deck_order import MissingSecret, master_secret
from bot.house.rules import HouseRules
from bot.ledger.accounts import Account, Book
from bot.ledger.gifts import DAY_MS
from bot.operation.data_folder import SlotData, data_of_slots, data_settings, fail, shared_data
from bot.runtime.errors import HandUnreadable
from bot.runtime.event_record import EVENT_KINDS, EventRecord, event_record
from bot.runtime.hand_log import DeckSecret, build_hand_record
from bot.runtime.journal import DealtIn, JournalEvent
from bot.runtime.saved_values import IN_A_SERVER, PERSONAL, declared_kinds
from bot.runtime.store_errors import StoreFailed
from bot.runtime.store_types import OwnEvent, SavedHand, TableRecord
from bot.runtime.tables import MASTER_SECRET
from bot.settings import SECRET_FILE
from bot.store import export_rows, occasions, queries, seasons
from bot.store.codec import EventCodec
from bot.store.data_source import DataSource, reading
from bot.store.database import DATABASE_FAILED, Database
from bot.text import upkeep as words
from bot.text.language import t

HISTORY_AT_ONCE = 10_000
NOBODY = 0
"""A viewer who knows only the cards that everybody has seen."""


def export_data(to: Path, server: int, person: int, older_than: int | None = None) -> int:
    """Write JSON lines to a new file that only its owner can read. Prints how many. Returns the exit code.

    Args:
        server: the only server to export; 0 for all.
        person: the id of a person: only what is kept about them is written, with the cards that they could know; 0 for everything.
        older_than: only hands that began more than so many days ago, with their servers and tables; None for everything.
    """
    settings = data_settings("export", with_data=True)
    if isinstance(settings, int):
        return settings
    secret = settings.folder / SECRET_FILE
    if person:
        import_module("bot.app")  # every module that saves something declares what
    try:
        key = DeckSecret(master_secret(secret, create=False), 0)
    except MissingSecret as error:
        return fail("export", str(error))
    before = time.time_ns() // 1_000_000 - older_than * DAY_MS if older_than is not None else None
    try:
        slots = [one for one in data_of_slots(settings, made=True) if not server or one.slot.has(server)]
        shared = shared_data(settings) if person and before is None else None
        with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            count = _write_shared(file, shared, person) if shared is not None else 0
            count += sum([_write_slot(file, one, key, person, before, server) for one in slots])
    except FileExistsError:
        return fail("export", t(words.FILE_EXISTS, file=to))
    except (OSError, StoreFailed, *DATABASE_FAILED) as error:
        return fail("export", str(error))
    print(t(words.EXPORTED, lines=count, file=to))
    return 0


def _write_shared(file: TextIO, house: DataSource, person: int) -> int:
    """Write what is kept about a person in all servers, where several dealers keep that together."""
    from bot.store.postgres.personal_values import personal_value  # which needs psycopg

    with reading(house) as db:
        saved = _saved(partial(personal_value, db), person, PERSONAL)
    return _write(file, iter([{"line": "preferences", "person": person, **saved}]))


def _write_slot(file: TextIO, data: SlotData, key: DeckSecret, person: int, before: int | None, server: int) -> int:
    with reading(data.source) as db:
        export = _Export(db, key, person, before, is_alone=data.slot.count == 1)
        return queries.read_consistently(db, lambda: _write(file, export.lines(server)))


def _write(file: TextIO, lines: Iterator[dict[str, Any]]) -> int:
    count = 0
    for line in lines:
        file.write(msgspec.json.encode(line).decode() + "\n")
        count += 1
    return count


def _saved(value: Callable[[str], bytes | None], key: Any, parts: tuple[str, ...]) -> dict[str, str]:
    """Return what is saved about the person under a key, as it is told them, by the names of the kinds."""
    found: dict[str, str] = {}
    for kind in sorted(declared_kinds(), key=lambda each: each.prefix):
        if kind.parts != parts or kind.told is None:
            continue
        stored = value(kind.key(key))
        if stored is not None:
            with contextlib.suppress(ValueError, msgspec.MsgspecError):  # the bot cannot read it either
                found[kind.name] = kind.told(kind.decode(stored))
    return found


class _Export:
    """Reads a data file line by line. Each line is a JSON object, and `line` says what it is."""

    def __init__(self, db: Database, secret: DeckSecret, person: int, before: int | None, *, is_alone: bool) -> None:
        self._db, self._person, self._before, self._is_alone = db, person, before, is_alone
        self._codec = EventCodec(JournalEvent)
        kept = queries.value(db, MASTER_SECRET.key(()))
        since = MASTER_SECRET.decode(kept).since if kept is not None else 0
        self._secret = DeckSecret(secret.master_secret, since)

    def lines(self, server: int) -> Iterator[dict[str, Any]]:
        """Return the lines of one server, or of all."""
        if self._person and self._before is None and self._is_alone:
            yield {"line": "preferences", "person": self._person, **self._saved_under(self._person, PERSONAL)}
        for guild in (server,) if server else queries.guilds(self._db):
            yield from self._person_lines(guild) if self._person else self._server_lines(guild)

    def _server_lines(self, guild: int) -> Iterator[dict[str, Any]]:
        rules = msgspec.structs.asdict(queries.house_rules(self._db, guild, HouseRules()))
        yield {"line": "server", "server": guild, "house_rules": rules}
        for table in export_rows.tables(self._db, guild):
            yield _table_line(table)
            event = self._event_of(table)
            if event is not None and self._before is None:
                yield {"line": "event", "server": guild, "table": table.number, **_without_levels(event)}
            yield from self._hand_lines(table, event)
        if self._before is not None:
            return
        for season in queries.seasons(self._db, guild):
            yield {"line": "season", "server": guild, **msgspec.to_builtins(season)}
            for result in seasons.all_results(self._db, guild, season.number):
                yield {"line": "season_result", "server": guild, "season": season.number, **msgspec.to_builtins(result)}
        for user, won, lost in occasions.duel_records(self._db, guild):
            yield {"line": "duels", "server": guild, "person": user, "won": won, "lost": lost}
        for balance in export_rows.balances(self._db, guild):
            holds = {"chips": balance.chips, "in_pot": balance.in_pot}
            yield {"line": "balance", "server": guild, **_account(balance.account), **holds}
        for row in export_rows.transfers(self._db, guild):
            ends = {"from": _account(row.debit), "to": _account(row.credit)}
            facts = {name: value for name, value in row._asdict().items() if name not in {"debit", "credit"}}
            yield {"line": "transfer", "server": guild, **facts, **ends}

    def _person_lines(self, guild: int) -> Iterator[dict[str, Any]]:
        user = self._person
        saved = self._saved_under((guild, user), IN_A_SERVER) if self._before is None else {}
        if saved:
            yield {"line": "preferences", "person": user, "server": guild, **saved}
        for book in Book if self._before is None else ():
            holdings = queries.holdings(self._db, guild, user, book)
            history = queries.history(self._db, guild, user, before=0, limit=HISTORY_AT_ONCE, book=book)
            if not history.entries and not holdings.total:
                continue
            yield {"line": "holdings", "server": guild, "book": book.name.lower(), **msgspec.to_builtins(holdings)}
            while True:
                for entry in history.entries:
                    yield {"line": "transfer", "server": guild, "book": book.name.lower(), **msgspec.to_builtins(entry)}
                if not history.older:
                    break
                history = queries.history(self._db, guild, user, before=history.older, limit=HISTORY_AT_ONCE, book=book)
        for number, result in seasons.own_results(self._db, guild, user) if self._before is None else ():
            yield {"line": "season", "server": guild, "season": number, **msgspec.to_builtins(result)}
        for own in self._own_events(guild) if self._before is None else ():
            yield {"line": "event", "server": guild, **msgspec.to_builtins(own)}
        won, lost = occasions.duel_record(self._db, guild, user) if self._before is None else (0, 0)
        if won or lost:
            yield {"line": "duels", "server": guild, "person": user, "won": won, "lost": lost}
        for table in queries.tables_of(self._db, guild, user):
            yield from self._hand_lines(table, self._event_of(table))

    def _own_events(self, guild: int) -> Iterator[OwnEvent]:
        for kind in EVENT_KINDS:
            for id_ in occasions.occasions_of(self._db, guild, kind, self._person):
                event = event_record(occasions.occasion(self._db, self._codec, id_))
                table = queries.table(self._db, event.at_table) if event is not None else None
                own = event.own(self._person, table.number) if event is not None and table is not None else None
                if own is not None:
                    yield own

    def _event_of(self, table: TableRecord) -> EventRecord | None:
        return event_record(occasions.occasion_at(self._db, self._codec, table.id))

    def _saved_under(self, key: Any, parts: tuple[str, ...]) -> dict[str, str]:
        return _saved(partial(queries.value, self._db), key, parts)

    def _hand_lines(self, table: TableRecord, event: EventRecord | None) -> Iterator[dict[str, Any]]:
        """Return the hands of a table that are over, as everybody saw them, or as the person did; with the event that they belong to."""
        for number in range(1, table.hand_count + (not table.is_open)):
            saved = queries.hand(self._db, self._codec, table.id, number)
            if saved is None or (self._person and not _was_dealt(saved, self._person)):
                continue
            if self._before is not None and saved.started_at >= self._before:
                break
            line = {
                "line": "hand",
                "server": table.guild,
                "table": table.number,
                "hand": number,
                "started_at": saved.started_at,
            }
            of = event.of_hand(number) if event is not None else None
            if of is not None:
                line |= {"event": of.event, "level": of.level}
            try:
                yield line | {"phh": build_hand_record(self._secret, saved, self._person or NOBODY, event=of).phh}
            except HandUnreadable:  # its cards came from another secret, which is lost
                yield line | {"phh": None}


def _without_levels(event: EventRecord) -> dict[str, Any]:
    """Return an event to be written: each of its hands has its level itself, and the line its table."""
    return {name: value for name, value in msgspec.to_builtins(event).items() if name not in {"levels", "at_table"}}


def _was_dealt(saved: SavedHand, user: int) -> bool:
    return any(player == user for event in saved.events if isinstance(event, DealtIn) for player, _ in event.players)


def _account(account: Account) -> dict[str, Any]:
    return {"account": account.kind.name.lower(), "table_id": account.table, "user": account.user}


def _table_line(table: TableRecord) -> dict[str, Any]:
    return {
        "line": "table", "server": table.guild, "table": table.number, "table_id": table.id, "channel": table.channel,
        "is_open": table.is_open, "hands": table.hand_count, "opened_at": table.opened_at,
    }  # fmt: skip
