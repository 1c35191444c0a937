"""What the runtime asks of a store: value types, errors, and the `Store` protocol. No SQL, no Discord, no clock.

One `Commit` is one accepted command: its events, its transfers and its cause are saved together or not at all. Save,
then remember, then
show: a caller applies events to its own state only after `Store.commit` has returned.

Times are ms since the epoch. Ids of servers, channels and users are Discord's. A table's id is the store's own and
never used twice.

Source: design §3.
"""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import msgspec
from msgspec import Struct

from bot.engine.errors import TableError
from bot.ledger.accounts import Book, Reason, Transfer
from bot.ledger.books import Fault
from bot.ledger.house import Claims, HouseRules

JournalEvent: TypeAlias = msgspec.Struct  # a frozen tagged struct: the hand's (`bot.engine.events.Any`) or the table's


class Codec(Protocol):
    """How a journal's events become bytes. `bot.store.codec.EventCodec` is one for any tagged union."""

    def encode(self, events: Sequence[JournalEvent]) -> bytes:
        """The events of one commit, in order."""

    def decode(self, blob: bytes) -> tuple[JournalEvent, ...]:
        """The events back again."""


# What is written


class Cause(Struct, frozen=True, gc=False):
    """Who asked for what. A key that comes again is answered with the earlier receipt and applied only once.

    Attributes:
        key: unique for ever: the interaction's id, or one made for what a clock or a restart does.
        by: the user who asked; 0 for the dealer.
        at: when, in ms.
        what: the command in a word or two, for histories and audits: ``raise``, ``daily``, ``clock``. Never a card.
    """

    key: str
    by: int
    at: int
    what: str


class NewTable(Struct, frozen=True, gc=False):
    """A table to open. The store gives it its id and its number in the server."""

    channel: int
    settings: bytes


class NewHand(Struct, frozen=True, gc=False):
    """A hand that starts in this commit.

    Attributes:
        number: counted per table from 1; must be the table's next.
        nonce: with the master secret it gives the deck again (`bot.fair.secrets.deck_order`).
        offset: where among the commit's events the hand's own begin.
    """

    number: int
    nonce: bytes
    offset: int = 0


class ClaimChange(Struct, frozen=True, gc=False):
    """A player's claims as they were decided on, and as they are to be.

    Refused with `StaleClaims` when they are no longer `before`.
    """

    user: int
    before: Claims
    after: Claims
    book: Book = Book.PEOPLE


class Commit(Struct, frozen=True, kw_only=True, gc=False):
    """Everything one accepted command changes, saved in one transaction.

    Attributes:
        guild: the server; every transfer is within it.
        table: the table's id; 0 where no table is concerned, or with `opens`.
        seq: number of the first of `events` in the table's journal, from 1; the fence against a second owner.
        snapshot: the table's state *after* these events, in the runtime's own encoding; restoring starts from the last
            one.
        opens: opens a table; its id and number are in the receipt. `events` may come with it, from seq 1.
        settings, channel: the table's new settings, the channel it moved to.
        closes: the table is closed by this commit. Its seats and its pot must be empty afterwards.
        rules: the server's new house rules.
    """

    guild: int
    cause: Cause
    table: int = 0
    seq: int = 0
    events: tuple[JournalEvent, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    claims: tuple[ClaimChange, ...] = ()
    hand: NewHand | None = None
    snapshot: bytes | None = None
    opens: NewTable | None = None
    settings: bytes | None = None
    channel: int = 0
    closes: bool = False
    rules: HouseRules | None = None


class Receipt(Struct, frozen=True, gc=False):
    """What was saved.

    Attributes:
        table: the table's id, 0 if none; `number` its number in the server, only when this commit opened it.
        seq: the table's next event number after this commit; 0 without a table.
        at: the time of the cause that was really applied.
        repeated: the cause had been applied before; this time nothing was.
    """

    key: str
    at: int
    table: int = 0
    number: int = 0
    seq: int = 0
    repeated: bool = False


# What is read


class TableRecord(Struct, frozen=True, gc=False):
    """A table as it is registered. `number` counts per server, `hands` the hands started."""

    id: int
    guild: int
    number: int
    channel: int
    settings: bytes
    open: bool
    hands: int
    opened_at: int


class TableChips(Struct, frozen=True, gc=False):
    """What the ledger says is on a table: stacks and own bets by user (zeroes left out); the pot holds all bets."""

    stacks: dict[int, int]
    staked: dict[int, int]
    pot: int
    book: Book = Book.PEOPLE


class SavedTable(Struct, frozen=True, gc=False):
    """An open table to be restored.

    Attributes:
        snapshot: the last one, None if there never was one; `snapshot_seq` is the number of the first event after it.
        events: those after the snapshot, in order.
        seq: the table's next event number.
        hand: the last hand started, None before the first. Its `offset` is the place of its first event in `events`;
            below zero where the hand began before the snapshot.
        chips: what the ledger says; engine and ledger must agree.
    """

    record: TableRecord
    snapshot: bytes | None
    snapshot_seq: int
    events: tuple[JournalEvent, ...]
    seq: int
    hand: NewHand | None
    chips: TableChips


class SavedHand(Struct, frozen=True, gc=False):
    """One hand of a table: its events and whatever the table did until the next hand began."""

    table: int
    number: int
    nonce: bytes
    started_at: int
    seq: int
    events: tuple[JournalEvent, ...]


class Purse(Struct, frozen=True, gc=False):
    """What a player has in a server: `total` = wallet + stacks + bets. `claims` say what the house has given."""

    user: int
    wallet: int
    stacks: int
    bets: int
    claims: Claims

    @property
    def on_tables(self) -> int:
        return self.stacks + self.bets

    @property
    def total(self) -> int:
        return self.wallet + self.stacks + self.bets


class Standing(Struct, frozen=True, gc=False):
    """A line of the leaderboard. Equal totals share a rank."""

    rank: int
    user: int
    total: int
    wallet: int


class Leaderboard(Struct, frozen=True, gc=False):
    """A page of the leaderboard.

    `own` is the line of the player who asks, None if he has no account; `players` counts all lines.
    """

    lines: tuple[Standing, ...]
    players: int
    own: Standing | None


class Entry(Struct, frozen=True, gc=False):
    """A line of a personal history: a transfer to or from the player's wallet, seen from the wallet.

    Attributes:
        chips: above zero came in, below zero went out.
        table: number in the server of the table it came from or went to; 0 for none.
        by: who caused it; 0 for the dealer.
    """

    id: int
    at: int
    chips: int
    reason: Reason
    note: str
    table: int
    by: int


class History(Struct, frozen=True, gc=False):
    """A page of a personal history, newest first. `older` is passed to get the next page; 0 at the end."""

    entries: tuple[Entry, ...]
    older: int


class Adjustment(Struct, frozen=True, gc=False):
    """Stacks were adjusted by everybody's consent (H-3): when, in ms, at which table of the server, and each player's gain or loss."""

    at: int
    table: int
    shifts: tuple[tuple[int, int], ...]


class Audit(Struct, frozen=True, gc=False):
    """The books of a server, added up.

    Attributes:
        minted: chips handed out by the mint and not taken back; what all people together hold.
        wallets, stacks, pots, house: where they are.
        practice: chips on the practice books.
        transfers: how many there have been.
        faults: what is wrong; empty when every book sums to zero and agrees with its transfers.
        adjustments: the latest equitable adjustments, the newest first (H-3).
    """

    minted: int
    wallets: int
    stacks: int
    pots: int
    house: int
    practice: int
    transfers: int
    faults: tuple[Fault, ...]
    adjustments: tuple[Adjustment, ...] = ()


# What goes wrong. A `TableError` is for a player to read; the other ones are for whoever runs the dealer.


class StaleVersion(TableError):
    """The table has moved on: its next event is `next_seq` (0: it is closed or unknown), not `seq`."""

    def __init__(self, *, table: int, seq: int, next_seq: int) -> None:
        super().__init__(f"table {table} is at event {next_seq}, not {seq}")
        self.table, self.seq, self.next_seq = table, seq, next_seq


class StaleClaims(TableError):
    """Another claim of the same player came first."""

    def __init__(self, *, user: int) -> None:
        super().__init__(f"the claims of user {user} have changed meanwhile")
        self.user = user


class ChannelTaken(TableError):
    """The channel has an open table already; one table per channel (design §5)."""

    def __init__(self, *, channel: int, number: int) -> None:
        super().__init__(f"table {number} is open in channel {channel}")
        self.channel, self.number = channel, number


class ImpossibleCommit(ValueError):
    """A commit that no lawful play makes (chips of another table, a closing table with chips): a bug of the caller's."""


class StoreError(Exception):
    """Something about the store itself. The words are plain enough to be printed."""


class StoreFailed(StoreError, TableError):
    """The save did not happen: disk full, I/O error. Nothing has changed; the same cause may be tried again."""


class StoreClosed(StoreError, TableError):
    """The store is closing or closed; nothing was saved."""


class StoreInUse(StoreError):
    """Another process has the data open."""


class StoreUnfit(StoreError):
    """The data cannot be opened: written by a newer program, by a changed one, or damaged."""


class Store(Protocol):
    """Where everything is kept. One contract test holds for every implementation."""

    async def open(self) -> None:
        """Lock, check, back up and migrate as needed.

        Raises:
            StoreInUse, StoreUnfit, StoreFailed.
        """

    async def close(self) -> None:
        """Finish every save that was asked for, then close. May be called twice."""

    async def commit(self, commit: Commit) -> Receipt:
        """Save a commit durably, together with whatever else is waiting. A cancelled caller's commit is still saved,
        whole.

        Raises:
            StaleVersion, StaleClaims, ChannelTaken, NotEnoughChips: this commit was refused; others are not touched by
                it.
            StoreFailed: nothing of the batch was saved.
            StoreClosed: the store no longer takes commits.
        """

    async def receipt(self, key: str) -> Receipt | None:
        """The receipt of a cause that has been applied, marked as repeated; None if it has not been."""

    async def open_tables(self) -> tuple[SavedTable, ...]:
        """Every open table of every server, to be restored."""

    async def table(self, table: int) -> TableRecord | None:
        """A table by its id, open or closed."""

    async def table_numbered(self, guild: int, number: int) -> TableRecord | None:
        """A table by its number in the server."""

    async def table_chips(self, table: int) -> TableChips:
        """What the ledger says is on a table."""

    async def hand(self, table: int, number: int = 0) -> SavedHand | None:
        """One hand of a table by number; 0 for the last one started."""

    async def purse(self, guild: int, user: int, book: Book = Book.PEOPLE) -> Purse:
        """What a player has; zeroes for a stranger."""

    async def leaderboard(
        self, guild: int, *, offset: int = 0, limit: int = 10, user: int = 0, book: Book = Book.PEOPLE
    ) -> Leaderboard:
        """People by total, most first, from line `offset`; with the own line of `user`. Practice players have no place."""

    async def history(
        self, guild: int, user: int, *, before: int = 0, limit: int = 10, book: Book = Book.PEOPLE
    ) -> History:
        """Transfers of a player's wallet, newest first; `before` is the `older` of the page before, 0 for the first."""

    async def house_rules(self, guild: int) -> HouseRules:
        """What staff have set; the defaults if nothing."""

    async def audit(self, guild: int) -> Audit:
        """Add up a server's books, balances against transfers."""

    async def value(self, key: str) -> bytes | None:
        """A kept value: hash of the commands, ids of emojis and messages."""

    async def values(self, prefix: str) -> dict[str, bytes]:
        """All kept values whose keys begin with `prefix`."""

    async def keep(self, key: str, value: bytes | None) -> None:
        """Keep a value under a key, or forget it. Durable when it returns.

        Raises:
            StoreFailed, StoreClosed.
        """
