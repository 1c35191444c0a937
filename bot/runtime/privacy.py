"""What is kept about a person in a server: gathered for them to take along, or deleted."""

import logging
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec
from msgspec import Struct

from bot.allowances import in_thread
from bot.ledger.accounts import WALLET_BOOKS, Book
from bot.ledger.gifts import DAY_MS
from bot.runtime.clock import AlarmClock
from bot.runtime.errors import ExportedToday, HandUnreadable
from bot.runtime.event_record import EVENT_KINDS, event_record
from bot.runtime.hand_log import build_hand_record
from bot.runtime.journal import DealtIn
from bot.runtime.nights import KIND, told_of
from bot.runtime.request import Request
from bot.runtime.saved_values import (
    AT_A_TABLE,
    IN_A_SERVER,
    OF_A_SERVER,
    OF_A_TABLE,
    PERSONAL,
    PersonalStorage,
    SavedKind,
    SavedValues,
    forget_person,
)
from bot.runtime.snapshot import HandRecord
from bot.runtime.store_types import (
    Cause,
    Forgetting,
    Forgotten,
    HistoryEntry,
    OwnEvent,
    PlayerHoldings,
    TableRecord,
    ValuePrefixes,
)
from bot.runtime.tables import Tables
from bot.statistics.seasons import SeasonResult
from bot.statistics.types import INSIDER, CountedChips, PlayerNumbers, Scope
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store

log = logging.getLogger(__name__)

HANDS_MAX = 500
"""The hands that a person is given in Discord, the newest ones: a file can be ten megabytes there. Whoever runs the dealer can give all."""
HANDS_AT_ONCE = 20
"""So many hands are read at once, on the connection for long reads: some milliseconds."""
TRANSFERS_AT_ONCE = 1_000
_EXPORTED_AT = SavedKind[tuple[int, int], int]("privacy.exported.", IN_A_SERVER, int, told=None)


class ExportedHand(Struct, frozen=True):
    """A hand that a person was dealt into, with the cards that they could know. `table` is the table's number in the server."""

    table: int
    started_at: int
    record: HandRecord


class PersonExport(Struct, frozen=True):
    """All that is kept about a person in a server. Times are in ms since the epoch.

    Attributes:
        holdings, history: chips, claimed gifts and all transfers of the wallet, newest first, by book.
        hands: newest first; `older_hands` says whether there are more than these.
        preferences: by what they are called where they are kept; the private tables that they were invited to among them.
        statistics: what their hands add up to, by book.
        seasons: what they did in each season that is over, by its number.
        events: the sit-and-gos and duels that they entered, the newest first, with what they came to.
    """

    guild: int
    user: int
    at: int
    holdings: dict[str, PlayerHoldings]
    history: dict[str, tuple[HistoryEntry, ...]]
    hands: tuple[ExportedHand, ...]
    older_hands: bool
    preferences: dict[str, str]
    statistics: dict[str, PlayerNumbers] = {}
    seasons: dict[int, SeasonResult] = {}
    events: tuple[OwnEvent, ...] = ()

    def as_json(self) -> str:
        """Write it for programs. Hands are in PHH, the poker hand history format."""
        hands = [
            {"table": hand.table, "hand": hand.record.number, "started_at": hand.started_at, "phh": hand.record.phh}
            for hand in self.hands
        ]
        return msgspec.json.format(msgspec.json.encode({**msgspec.structs.asdict(self), "hands": hands})).decode()


class Privacy:
    """Gives people what is kept about them, and deletes it.

    Args:
        kinds: every kind of value that is saved between runs. Their keys say which of them are about people.
        personal: where those are that hold in all servers; None if that is the store.
    """

    def __init__(
        self,
        store: Store,
        tables: Tables,
        clock: AlarmClock,
        kinds: Iterable[SavedKind[Any, Any]],
        statistics: Statistics | None = None,
        personal: PersonalStorage | None = None,
    ) -> None:
        self._store = store
        self._personal: PersonalStorage = personal if personal is not None else store
        self._tables = tables
        self._clock = clock
        self._kinds = sorted(kinds, key=lambda kind: kind.prefix)
        self._exported_at = SavedValues(_EXPORTED_AT, store)
        self._statistics = statistics

    async def export(self, request: Request) -> PersonExport:
        """Gather what is kept about the person who asks, in the server where they ask. Once a day.

        Raises:
            ExportedToday: they have had it within a day.
            StatisticsBeingCounted, StatisticsUnavailable: a part of it cannot be told yet.
        """
        key, now = (request.guild, request.user), self._clock.now()
        exported_at = await self._exported_at.get(key) or 0
        if now < exported_at + DAY_MS:
            raise ExportedToday(until=exported_at + DAY_MS)
        await self._numbers(request.guild, request.user)  # if they cannot be told yet, the day has not begun
        await self._exported_at.keep(key, now)  # before the work: a second click at the same time finds it
        return await self.gather(request.guild, request.user)

    async def gather(self, guild: int, user: int, hands_max: int = HANDS_MAX) -> PersonExport:
        """Gather what is kept about a person in a server.

        Args:
            hands_max: the hands, the newest ones, that are written down.
        """
        hands: list[ExportedHand] = []
        older = False
        async for hand in self._hands(guild, user):
            if len(hands) == hands_max:
                older = True
                break
            hands.append(hand)
        preferences = await self._saved_about(guild, user)
        if tables := await self._store.private_tables_of(guild, user):
            preferences["private_tables"] = ", ".join(map(str, tables))
        if nights := await self._nights(guild, user):
            preferences["nights"] = nights
        won, lost = await self._store.duel_record(guild, user)
        if won or lost:
            preferences["duels_played"] = f"{won} won, {lost} lost"
        return PersonExport(
            guild=guild,
            user=user,
            at=self._clock.now(),
            holdings={book.name.lower(): await self._store.holdings(guild, user, book) for book in WALLET_BOOKS},
            history={book.name.lower(): await self._history(guild, user, book) for book in Book},
            hands=tuple(hands),
            older_hands=older,
            preferences=preferences,
            statistics=await self._numbers(guild, user),
            seasons=dict(await self._store.own_season_results(guild, user)),
            events=await self._events(guild, user),
        )

    async def _events(self, guild: int, user: int) -> tuple[OwnEvent, ...]:
        """Return the sit-and-gos and duels that a person entered, the newest first."""
        ids = [id_ for kind in EVENT_KINDS for id_ in await self._store.occasions_of(guild, kind, user)]
        found = []
        for id_ in sorted(ids, reverse=True):
            record = event_record(await self._store.occasion(id_))
            table = await self._store.table(record.at_table) if record is not None else None
            own = record.own(user, table.number) if record is not None and table is not None else None
            if own is not None:
                found.append(own)
        return tuple(found)

    async def _nights(self, guild: int, user: int) -> str:
        """Return what a person was and is in the game nights of a server, also in those that are over."""
        saved = [await self._store.occasion(id_) for id_ in await self._store.occasions_of(guild, KIND, user)]
        return "; ".join(filter(None, [told_of(one, user) for one in saved if one is not None]))

    async def _saved_about(self, guild: int, user: int) -> dict[str, str]:
        """Return the values that are saved about a person, written for them, by the names of their kinds."""
        found: dict[str, str] = {}
        for key, parts, storage in ((user, PERSONAL, self._personal), ((guild, user), IN_A_SERVER, self._store)):
            for kind in self._kinds:
                if kind.parts == parts and kind.told is not None:
                    value = await SavedValues(kind, storage).get(key)
                    if value is not None:
                        found[kind.name] = await in_thread(kind.told, value)
        return found

    def _prefixes(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """Return the prefixes of the kinds with such keys that are about people."""
        return tuple(
            [
                kind.prefix
                for kind in self._kinds
                if kind.parts == parts and ("user" in parts or kind.holds_people) and not kind.is_of_deletion
            ]
        )

    async def _numbers(self, guild: int, user: int) -> dict[str, PlayerNumbers]:
        """Return what a person's hands add up to, by book."""
        if self._statistics is None:
            return {}
        return {
            book.name.lower(): await self._statistics.player(guild, user, Scope(chips=CountedChips(kind)), INSIDER)
            for kind, book in enumerate(Book)
        }

    async def chips(self, request: Request) -> int:
        """Return the chips in a person's wallet, which would go to the house with their data."""
        return (await self._store.holdings(request.guild, request.user)).wallet

    async def delete(self, request: Request) -> Forgotten:
        """Delete what is kept about the person who asks, in the server where they ask. Chips they have left go to the house.

        Raises:
            Banned: staff have banned them.
            PersonSeated: they sit at a table or wait for a seat.
            StoreError: it could not be saved; nothing has changed.
        """
        return await self.delete_in(request.guild, request.user, request.key)

    async def delete_in(self, guild: int, user: int, key: str) -> Forgotten:
        """Delete what is kept about a person in a server. Errors as in `delete`.

        Args:
            key: of the request: with another one it can be done again.
        """
        self._tables.staff_log.require_not_banned(guild, user)  # nobody gets rid of a ban by it
        return await self._tables.forget(
            Forgetting(
                guild=guild,
                user=user,
                cause=Cause(key, user, self._clock.now(), "data deleted"),
                marks=tuple(self._tables.wallets.mark(guild, user, book) for book in WALLET_BOOKS),
                personal_values=self._prefixes(PERSONAL),
                table_values=self._prefixes(AT_A_TABLE),
                server_values=self._prefixes(IN_A_SERVER),
                table_values_with_ids=self._prefixes(OF_A_TABLE),
                values_with_ids=self._prefixes(OF_A_SERVER),
            )
        )

    async def servers_of(self, user: int) -> tuple[int, ...]:
        """Return the servers of this dealer in which something is kept about a person. It looks through everything that is kept."""
        prefixes = ValuePrefixes(
            of_servers=self._prefixes(IN_A_SERVER),
            of_tables=self._prefixes(AT_A_TABLE),
            with_ids=self._prefixes(OF_A_SERVER),
            of_tables_with_ids=self._prefixes(OF_A_TABLE),
        )
        return await self._store.servers_of(user, prefixes)

    async def forget_in_all_servers(self, user: int) -> None:
        """Delete what is kept about a person for all servers. It can be done twice.

        Raises:
            StoreError: it could not be done, or only in part.
        """
        await forget_person(self._personal, user)
        if self._personal is not self._store:
            await forget_person(self._store, user)

    async def _history(self, guild: int, user: int, book: Book) -> tuple[HistoryEntry, ...]:
        entries: list[HistoryEntry] = []
        before = 0
        while True:
            page = await self._store.history(guild, user, before=before, limit=TRANSFERS_AT_ONCE, book=book)
            entries += page.entries
            before = page.older
            if not before:
                return tuple(entries)

    async def _hands(self, guild: int, user: int) -> AsyncIterator[ExportedHand]:
        """Write down the hands of a person that are over, newest table first. Cards of a running hand are in none."""
        for table in await self._store.tables_of(guild, user):
            event = event_record(await self._store.occasion_at(table.id))
            for last in range(self._last_hand_over(table), 0, -HANDS_AT_ONCE):
                for saved in await self._store.hands(guild, table.id, max(1, last - HANDS_AT_ONCE + 1), last):
                    players = next((one.players for one in saved.events if isinstance(one, DealtIn)), ())
                    if all(player != user for player, _ in players):
                        continue
                    of = event.of_hand(saved.number) if event is not None else None
                    try:
                        record = await in_thread(build_hand_record, self._tables.context, saved, user, None, of)
                    except HandUnreadable as error:
                        log.warning("hand_not_exported", extra={"table": table.id, "hand": error.hand})
                        continue
                    yield ExportedHand(table.number, saved.started_at, record)

    def _last_hand_over(self, table: TableRecord) -> int:
        """Return the number of the table's last hand whose end has been shown; 0 for none."""
        if not table.is_open:
            return table.hand_count
        snapshot = self._tables.snapshot(table.id)
        return snapshot.hand_number - (not snapshot.hand_over)
