"""The interface of a store. One contract test holds for every implementation; `bot.store` has the one on SQLite."""

from collections.abc import Sequence
from typing import Protocol

from bot.ledger.accounts import Book
from bot.ledger.flow import PairFlow
from bot.ledger.house import GiftClaims, HouseRules
from bot.ledger.seasons import SeasonChips
from bot.runtime.staff_log_types import Ban, StaffLogLine
from bot.runtime.store_types import (
    Commit,
    Forgetting,
    Forgotten,
    Leaderboard,
    LedgerAudit,
    PlayerHoldings,
    Receipt,
    SavedHand,
    SavedTable,
    SeasonEnd,
    SeasonEndChips,
    SeasonHall,
    SeasonResultsPage,
    StackAdjustment,
    StoredEvent,
    TableChips,
    TableRecord,
    UnshownChips,
    WalletHistory,
)
from bot.statistics.seasons import Season, SeasonResult


class Codec(Protocol):
    """Encodes the events of a journal. `bot.store.codec.EventCodec` is one for any tagged union."""

    def encode(self, events: Sequence[StoredEvent]) -> bytes:
        """Encode the events of one commit, in order."""

    def decode(self, blob: bytes) -> tuple[StoredEvent, ...]:
        """Decode the events of one commit."""


class Store(Protocol):
    """Keeps tables, hands, chips, house rules and small values of the cogs."""

    async def open(self) -> None:
        """Lock the data, check it, and migrate it after a backup where needed.

        Raises:
            StoreInUse, StoreUnusable, StoreFailed.
        """

    async def close(self) -> None:
        """Finish every save that has been requested, then close. A second call does nothing."""

    async def commit(self, commit: Commit) -> Receipt:
        """Save a commit durably, in one batch with other commits that wait.

        A commit whose caller was cancelled is still saved whole.

        Raises:
            StaleVersion, StaleClaims, ChannelTaken, NotEnoughChips: this commit is refused; the others of the batch are saved.
            DataBeingDeleted: it moves chips of a person whose data is being deleted.
            InvalidCommit: no lawful play can make this commit.
            StoreFailed: nothing of the batch was saved.
            StoreClosed: the store takes no more commits.
        """

    async def receipt(self, key: str) -> Receipt | None:
        """Return the receipt of a cause that has been applied, marked as repeated; None if it has not been applied."""

    async def open_tables(self) -> tuple[SavedTable, ...]:
        """Return every open table of every server, to be restored."""

    async def saved_table(self, table: int) -> SavedTable | None:
        """Return one open table, to be read again; None if it is closed."""

    async def table(self, table: int) -> TableRecord | None:
        """Return a table by its id, open or closed."""

    async def table_numbered(self, guild: int, number: int) -> TableRecord | None:
        """Return a table by its number in the server, open or closed."""

    async def newest_table_in(self, guild: int, channel: int) -> TableRecord | None:
        """Return the table that was opened last in a channel, open or closed."""

    async def last_hand_for(self, table: int, user: int) -> int:
        """Return the number of the last hand of a table that a person can see as everybody sees it: `EVERY_HAND`, but at a private
        table -1 for strangers, and less for somebody who was removed from it."""

    async def private_tables_of(self, guild: int, user: int) -> tuple[int, ...]:
        """Return the numbers of the private tables of a server that a person opened or was invited to."""

    async def table_chips(self, table: int) -> TableChips:
        """Return the chips on a table, by the ledger."""

    async def hand(self, table: int, number: int = 0) -> SavedHand | None:
        """Return one hand of a table by its number; 0 for the last one started. None if it was never dealt, or was dropped for its age."""

    async def hands(self, guild: int, table: int, first: int, last: int) -> tuple[SavedHand, ...]:
        """Return hands of a server's table by their numbers, newest first, beside everything else; those that are there."""

    async def holdings(self, guild: int, user: int, book: Book = Book.PEOPLE) -> PlayerHoldings:
        """Return a player's chips; zeroes for a user who has no account."""

    async def won_from_young(self, guild: int, user: int, young_from: int, spared: int) -> tuple[tuple[int, int], ...]:
        """Return what a user has won in hands, net, that came from young accounts: the account and the chips.

        Chips that somebody else passes on count too: of what the user won from them, as much as they won from young accounts themselves.

        Args:
            young_from: the smallest id of a young account.
            spared: so many chips that somebody won from young accounts are not counted where they pass them on.
        """

    async def leaderboard(
        self,
        guild: int,
        *,
        offset: int = 0,
        limit: int = 10,
        user: int = 0,
        book: Book = Book.PEOPLE,
        unshown: Sequence[UnshownChips] = (),
    ) -> Leaderboard:
        """People ranked by total chips, from line `offset`, with the line of `user`. Practice players are left out. Chips that have not
        been shown yet are counted as `unshown` says."""

    async def history(
        self, guild: int, user: int, *, before: int = 0, limit: int = 10, book: Book = Book.PEOPLE
    ) -> WalletHistory:
        """Transfers of a player's wallet, newest first; `before` is `older` of the previous page, 0 for the first page."""

    async def guilds(self) -> tuple[int, ...]:
        """Return every server that has an account."""

    async def tables_of(self, guild: int, user: int) -> tuple[TableRecord, ...]:
        """Return the tables of a server to which a player has brought chips, open and closed, newest first."""

    async def claim_floor(self, mark: bytes) -> GiftClaims | None:
        """Return when somebody whose data was deleted had claimed gifts; None if nothing is kept under this mark."""

    async def begin_deletion(self, forgetting: Forgetting) -> Forgotten:
        """Begin to take a person out of a server's data. Their chips go to the house, and none come to them until it has ended:
        `commit` refuses with `DataBeingDeleted`. It stays begun over a restart.

        Raises:
            PersonSeated: they have chips on a table.
            DataBeingDeleted: it has begun already.
            StoreFailed: nothing has changed.
            StoreClosed: the store takes no more changes.
        """

    async def rewrite_rows_of(self, guild: int, user: int) -> None:
        """Put a pseudonym in the place of a person whose deletion has begun, a little at a time beside the saves, in everything that no
        open table is restored from. If it is broken off it can begin again.

        Raises:
            StoreFailed, StoreClosed.
        """

    async def end_deletion(self, guild: int, user: int) -> None:
        """Do the rest in one transaction, after `rewrite_rows_of`. Tables that remember the person must stand still meanwhile, and be
        read again.

        Raises:
            StoreFailed: nothing has changed.
            StoreClosed: the store takes no more changes.
        """

    async def deletions(self) -> tuple[Forgetting, ...]:
        """Return the deletions that have begun and not ended."""

    async def house_rules(self, guild: int) -> HouseRules:
        """Return the rules that staff have set, or the defaults."""

    async def audit(self, guild: int) -> LedgerAudit:
        """Add up a server's books, and compare balances with transfers."""

    async def adjustments(
        self, guild: int, *, since: int, before: int = 0, limit: int = 10
    ) -> tuple[StackAdjustment, ...]:
        """Return adjustments of stacks since a time in ms, newest first; `before` is the id of the last one of the previous page."""

    async def flow(self, guild: int, *, since: int) -> tuple[PairFlow, ...]:
        """Return who gave chips to whom since a time in ms, by what everybody could see; the most suspicious first."""

    async def staff_log(self, guild: int, *, after: int, limit: int) -> tuple[StaffLogLine, ...]:
        """Return the lines of a server's staff log that follow line `after`, oldest first."""

    async def newest_staff_log_line(self, guild: int) -> int:
        """Return the id of the newest line of a server's staff log; 0 if it has none."""

    async def bans(self) -> dict[int, tuple[Ban, ...]]:
        """Return everybody who is banned, by server."""

    async def open_reports(self, guild: int, *, after: int = 0, limit: int = 10) -> tuple[StaffLogLine, ...]:
        """Return the reports that are not marked as done, after line `after`, oldest first."""

    async def open_report_count(self, guild: int, user: int = 0) -> int:
        """Return how many reports are not marked as done; with a `user`, of theirs."""

    async def seasons(self, guild: int) -> tuple[Season, ...]:
        """Return the seasons of a server, oldest first. `bot.statistics.seasons.season_number_at` tells which one a hand is in."""

    async def unfinished_seasons(self) -> tuple[Season, ...]:
        """Return the seasons of all servers whose results are not written down."""

    async def guilds_with_seasons(self) -> tuple[int, ...]:
        """Return the servers that have had a season."""

    async def former_player_count(self, guild: int) -> int:
        """Return how many people of a server have had their data deleted, or are having it deleted."""

    async def close_season(self, end: SeasonEnd) -> tuple[int, ...]:
        """Write down the results of a season for good, with everything that goes with its end, in one transaction.

        From then on everybody's chips are what they are to be, though a part is written at a time.

        Returns:
            the ids of the open tables that hold chips of the season, where chips change.

        Raises:
            SeasonResultsStale: nothing has changed; read the results again.
            DataBeingDeleted: somebody in it is being taken out of the data at this moment; try again later.
            StoreFailed, StoreClosed.
        """

    async def season_end_chips(self, guild: int, rule: SeasonChips) -> SeasonEndChips:
        """Return what the end of a season would do to a server's chips now."""

    async def season_tables(self) -> dict[int, int]:
        """Return the open tables that hold chips of a season that is over, with their servers."""

    async def season_results_page(
        self, guild: int, season: int, *, offset: int = 0, limit: int = 10, user: int = 0
    ) -> SeasonResultsPage:
        """Return a page of the results of a season that is over."""

    async def season_winners(self, guild: int, *, offset: int = 0, limit: int = 10, number: int = 0) -> SeasonHall:
        """Return a page of the seasons that are over, newest first, with everybody who won them; or only season `number`."""

    async def own_season_results(self, guild: int, user: int) -> tuple[tuple[int, SeasonResult], ...]:
        """Return what somebody did in each season that is over, by its number."""

    async def value(self, key: str) -> bytes | None:
        """Return a kept value: the hash of the commands, ids of emojis and messages."""

    async def values(self, prefix: str) -> dict[str, bytes]:
        """Return all kept values whose keys begin with `prefix`."""

    async def keep(self, key: str, value: bytes | None) -> None:
        """Keep a value under a key; None forgets it. Durable when it returns.

        Raises:
            StoreFailed, StoreClosed.
        """
