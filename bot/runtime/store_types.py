"""The values that go into a store and come out of it. No SQL, no Discord, no clock.

A `Commit` is everything that one accepted command changes. Its events, its transfers and its cause are saved together or not at
all. The order is: save, then remember, then show. A caller applies events to its own state only after `Store.commit` has returned.

Times are in ms since the epoch. Ids of servers, channels and users are Discord's. The store gives each table its id and never
uses an id twice.
"""

from enum import IntEnum
from typing import TypeAlias

import msgspec
from msgspec import Struct

from bot.house.rules import HouseRules
from bot.house.seasons import SeasonChips
from bot.ledger.accounts import Book, Transfer, TransferReason
from bot.ledger.books import BookFault
from bot.ledger.gifts import GiftClaims
from bot.runtime.staff_log_types import StaffLogEntry
from bot.statistics.seasons import Season, SeasonResult

StoredEvent: TypeAlias = msgspec.Struct
"""A frozen, tagged struct: an event of a hand, of a table or of the runtime (see `bot.runtime.journal`)."""
ROLLED_BACK_KEY = "store.rolled_back"
"""The key of a kept value that says: this data is older than what was played from it. Its running hands must not go on."""

EVERY_HAND = 2**31
"""More hands than any table deals: a person who can see every hand of a table."""

FIRST_FORMER_PLAYER, LAST_FORMER_PLAYER = 1 << 21, (1 << 22) - 1
"""The ids that stand for people whose data was deleted. Discord's own ids begin above them."""


# What is written


class Cause(Struct, frozen=True, gc=False):
    """Who asked for a change. A cause is applied once; a second commit with the same key gets the first one's receipt.

    Attributes:
        key: never used twice: the id of an interaction, or a key made for what the clock or a restart does.
        requested_by: id of the user who asked; 0 for the dealer.
        at: when, in ms.
        label: the command in a few words, for histories and audits: ``raise to``, ``daily``, ``clock``. Never a card.
    """

    key: str
    requested_by: int
    at: int
    label: str


class NewTable(Struct, frozen=True, gc=False):
    """A table to open. The store gives it an id, and a number in its server. What is played at a `private` one, only its guests can see."""

    channel: int
    settings: bytes
    private: bool = False


class NewHand(Struct, frozen=True, gc=False):
    """A hand that starts in this commit.

    Attributes:
        number: counted per table from 1; must be the table's next.
        nonce: gives the deck again, together with the master secret (see `bot.fair.deck_order.deck_order`).
        first_event_index: index in the commit's events at which the hand begins.
    """

    number: int
    nonce: bytes
    first_event_index: int = 0


class ClaimChange(Struct, frozen=True, gc=False):
    """A player's claims to gifts of the house, before and after a decision.

    The store refuses it with `StaleClaims` if the claims are no longer `before`.
    """

    user: int
    before: GiftClaims
    after: GiftClaims
    book: Book = Book.PEOPLE


class PairState(IntEnum):
    """What has become of the chips that one person won from another in a span. The numbers are stored."""

    PLAIN = 0
    WAITING = 1  # they raised an alarm: nothing counts until staff have looked
    LOOKED = 2  # staff have looked: they count up to the cap
    ASIDE = 3  # staff have set them aside: nothing counts


class PairChange(Struct, frozen=True, gc=False):
    """What shall become of the chips that somebody has won from somebody else, in the season and the year of a time in ms."""

    winner: int
    loser: int
    state: PairState
    at: int


class DuelWon(Struct, frozen=True, gc=False):
    """Who has won a duel against whom, for so many chips each; 0 for honour."""

    winner: int
    loser: int
    chips: int = 0


class OccasionChange(Struct, frozen=True, kw_only=True, gc=False):
    """What a commit changes of a night, a sit-and-go or a duel. It is saved with the commit's transfers and its table's events.

    Attributes:
        id: 0 opens a new one; the receipt has its id.
        kind: of one that is opened; else empty.
        seq: number of the first of `events` in its journal, from 1. It keeps out a second owner.
        events: what happened; at least one.
        at_this_table: from now on it is played at the table of the commit, also at one that it opens.
        keeps: its last event holds all that the occasion is by then: a start reads from these events on.
        closes: it is over.
        duel_won: with its end: it was a duel of two people, and somebody has won it.
    """

    id: int = 0
    kind: str = ""
    seq: int = 1
    events: tuple[StoredEvent, ...]
    at_this_table: bool = False
    keeps: bool = False
    closes: bool = False
    duel_won: DuelWon | None = None


class Commit(Struct, frozen=True, kw_only=True, gc=False):
    """Everything that one accepted command changes, saved in one transaction.

    Attributes:
        guild: the server; every transfer is within it.
        table: the table's id; 0 if no table is concerned, or with `new_table`.
        seq: number of the first of `events` in the table's journal, from 1. It keeps out a second owner of the table.
        saved_state: the table's state *after* these events, encoded by the runtime. A restart begins with the last one.
        shared_part, shared_part_at: a long part of the saved state that seldom changes, and where it belongs. `saved_state` is without it,
            and the store keeps each such part once. Empty if `saved_state` is whole.
        new_table: opens a table; the receipt has its id and number. Such a commit can have `events`, from seq 1.
        settings: the table's new settings.
        closes: this commit closes the table. No chips can be left on it.
        rules: the server's new house rules.
        staff_log: lines of the staff log that tell this change.
        flows: net chips that people won from one another: winner, loser, chips.
        private: the table is one of those that only its guests know of. What people won from one another there is counted on leaderboards
            when it closes (`bot.store.board_sums`).
        pair_changes: what becomes on leaderboards of chips about which there was an alarm (BO-1).
        guests: people of a private table, each with the number of the last hand that they can see: `EVERY_HAND`, or less for somebody
            who was removed.
        kept: values to keep under keys, as `Store.keep` does; None forgets one.
        season: a season that is opened, or that has another end now. One whose results are written down is closed by `SeasonEnd`.
        occasion: what changes of a night, a sit-and-go or a duel.
    """

    guild: int
    cause: Cause
    table: int = 0
    seq: int = 0
    events: tuple[StoredEvent, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    claims: tuple[ClaimChange, ...] = ()
    new_hand: NewHand | None = None
    saved_state: bytes | None = None
    shared_part: bytes = b""
    shared_part_at: int = 0
    new_table: NewTable | None = None
    settings: bytes | None = None
    closes: bool = False
    rules: HouseRules | None = None
    staff_log: tuple[StaffLogEntry, ...] = ()
    flows: tuple[tuple[int, int, int], ...] = ()
    private: bool = False
    pair_changes: tuple[PairChange, ...] = ()
    guests: tuple[tuple[int, int], ...] = ()
    kept: tuple[tuple[str, bytes | None], ...] = ()
    season: Season | None = None
    occasion: OccasionChange | None = None


class SeasonEnd(Struct, frozen=True, kw_only=True, gc=False):
    """The end of a season, saved in one transaction.

    Attributes:
        season: as it stands for good, with its end and `closed_at`.
        results: of everybody who has played in it.
        cause, staff_log: who closed it, and what staff are told.
        following: the season that the calendar opens at its end; None if there is none.
        chips: what becomes of everybody's chips.
        former_players: how many people of the server had had their data deleted before the results were counted. Where there are more by
            now, the results could name one of them.
    """

    season: Season
    results: tuple[SeasonResult, ...]
    cause: Cause
    staff_log: StaffLogEntry
    following: Season | None = None
    chips: SeasonChips = SeasonChips()
    former_players: int = 0


class SeasonEndChips(Struct, frozen=True, gc=False):
    """What the end of a season would do to chips now.

    Attributes:
        wallets: how many would change.
        given, taken: chips that wallets get from the mint, and give to it.
        on_tables: chips on tables.
        tables: ids of the tables that hold them.
    """

    wallets: int = 0
    given: int = 0
    taken: int = 0
    on_tables: int = 0
    tables: tuple[int, ...] = ()


class SeasonResultsPage(Struct, frozen=True, gc=False):
    """A page of the results of a season. `players`: on all pages; `own`: of whoever asks, None if they have not played in it."""

    results: tuple[SeasonResult, ...]
    players: int
    own: SeasonResult | None = None


class SeasonHall(Struct, frozen=True, gc=False):
    """A page of the hall of fame: seasons that are over, newest first, with their winners and how many were ranked; `seasons` on all."""

    lines: tuple[tuple[Season, tuple[SeasonResult, ...], int], ...]
    seasons: int


class ValuePrefixes(Struct, frozen=True, gc=False):
    """What the keys of those kept values begin with that are about people.

    Attributes:
        of_servers: they end with ``server.person``.
        of_tables: they end with ``table.person``.
        with_ids: they end with a server's id, and hold ids of people.
        of_tables_with_ids: they end with a table's id, and hold ids of people.
    """

    of_servers: tuple[str, ...] = ()
    of_tables: tuple[str, ...] = ()
    with_ids: tuple[str, ...] = ()
    of_tables_with_ids: tuple[str, ...] = ()


class Forgetting(Struct, frozen=True, gc=False):
    """A person to be taken out of a server's data.

    Attributes:
        cause: who asked. What the person has left goes to the house by it.
        marks: by book, what the times of their gifts are kept under (see `bot.runtime.wallets.Wallets.mark`).
        personal_values: prefixes of the keys of kept values that end with the person's id.
        table_values: prefixes of those that end with ``table.person``.
        server_values: prefixes of those that end with ``server.person``.
        table_values_with_ids: prefixes of those that end with a table's id, and hold ids of people.
        values_with_ids: prefixes of those that end with the server's id, and hold ids of people.
    """

    guild: int
    user: int
    cause: Cause
    marks: tuple[bytes, ...]
    personal_values: tuple[str, ...] = ()
    table_values: tuple[str, ...] = ()
    server_values: tuple[str, ...] = ()
    table_values_with_ids: tuple[str, ...] = ()
    values_with_ids: tuple[str, ...] = ()


class DeletionState(Struct, frozen=True, gc=False):
    """How far the full deletion of a person is, with all dealers: the number of servers that are done, that wait for the person to leave,
    and in which they are banned."""

    deleted: int = 0
    seated: int = 0
    banned: int = 0
    is_done: bool = False


class Forgotten(Struct, frozen=True, gc=False):
    """A person who was taken out.

    Attributes:
        former: the id that stands for them from now on.
        chips: what went to the house, practice chips not counted.
    """

    former: int
    chips: int


class Receipt(Struct, frozen=True, gc=False):
    """What was saved.

    Attributes:
        at: when the cause was applied, in ms.
        table: the table's id; 0 if no table is concerned.
        number: the table's number in the server, if this commit opened it.
        seq: the table's next event number after this commit; 0 without a table.
        repeated: the cause had been applied before, and this time nothing was saved.
        occasion: the id of the night, sit-and-go or duel that this commit opened or changed; of a repeated one only if it opened it.
    """

    key: str
    at: int
    table: int = 0
    number: int = 0
    seq: int = 0
    repeated: bool = False
    occasion: int = 0


# What is read


class OccasionRecord(Struct, frozen=True, gc=False):
    """The register's entry of a night, a sit-and-go or a duel.

    Attributes:
        table: the id of the table that it is or was played at; 0 for none.
    """

    id: int
    guild: int
    kind: str
    is_open: bool
    table: int
    opened_at: int


class OwnEvent(Struct, frozen=True, gc=False):
    """An event as it is told to one of those who entered, or whom a challenge names: their own rank, prize, rebuys and bounties, and of
    the others how many there were."""

    event: int
    table: int
    kind: str
    status: str
    opened_at: int
    ended_at: int
    buy_in: int
    entrants: int
    rank: int
    prize: int
    rebuys: int = 0
    bounties: int = 0


class SavedOccasion(Struct, frozen=True, gc=False):
    """A night, a sit-and-go or a duel: its events, and the number of its next one.

    Attributes:
        first: the number of the first of `events`: 1, or that of the newest which holds all before it, where no more is needed.
    """

    record: OccasionRecord
    events: tuple[StoredEvent, ...]
    seq: int
    first: int = 1


class TableRecord(Struct, frozen=True, gc=False):
    """The register's entry of a table, open or closed.

    Attributes:
        number: counted per server.
        hand_count: hands started so far.
        private: only its guests can see what was played there (`Store.last_hand_for`).
    """

    id: int
    guild: int
    number: int
    channel: int
    settings: bytes
    is_open: bool
    hand_count: int
    opened_at: int
    private: bool = False


class TableChips(Struct, frozen=True, gc=False):
    """The chips on a table, by the ledger.

    Attributes:
        stacks: by user, zeroes left out.
        in_pot: each user's share of the pot so far, zeroes left out.
        pot: the chips in the pot.
        away: of table chips, what each user has taken away from the game, zeroes left out.
        escrow: the buy-ins of what is played there, until prizes are paid (SG-1).
    """

    stacks: dict[int, int]
    in_pot: dict[int, int]
    pot: int
    book: Book = Book.PEOPLE
    away: dict[int, int] = {}
    escrow: int = 0


class SavedTable(Struct, frozen=True, gc=False):
    """An open table to be restored.

    Attributes:
        saved_state: the last one; None if none was saved.
        saved_state_seq: number of the first event after the saved state.
        events: the events after the saved state, in order.
        seq: the table's next event number.
        last_hand: the last hand started, None before the first. Its `first_event_index` counts in `events`; it is below zero if
            the hand began before the saved state.
        chips: by the ledger; the engine must agree with it.
        occasion: what is played there; None for an ordinary table.
    """

    record: TableRecord
    saved_state: bytes | None
    saved_state_seq: int
    events: tuple[StoredEvent, ...]
    seq: int
    last_hand: NewHand | None
    chips: TableChips
    occasion: SavedOccasion | None = None


class SavedHand(Struct, frozen=True, gc=False):
    """One hand of a table: its events, and the table's events until the next hand begins."""

    table: int
    number: int
    nonce: bytes
    started_at: int
    seq: int
    events: tuple[StoredEvent, ...]


class PlayerHoldings(Struct, frozen=True, gc=False):
    """A player's chips in a server, and the gifts of the house they have claimed."""

    user: int
    wallet: int
    stacks: int
    bets: int
    claims: GiftClaims

    @property
    def on_tables(self) -> int:
        return self.stacks + self.bets

    @property
    def total(self) -> int:
        return self.wallet + self.stacks + self.bets


class UnshownChips(Struct, frozen=True, gc=False):
    """What must be added to a player's saved chips to get those that have been shown, while an all-in hand is being run out."""

    user: int
    wallet: int
    stacks: int
    bets: int

    @property
    def total(self) -> int:
        return self.wallet + self.stacks + self.bets


class LeaderboardLine(Struct, frozen=True, gc=False):
    """A line of the leaderboard. Lines of which as much counts share a rank.

    Attributes:
        uncounted: so many of the chips do not count for the rank, because too many came from one opponent (BO-1).
    """

    rank: int
    user: int
    total: int
    wallet: int
    uncounted: int = 0

    @property
    def counted(self) -> int:
        """What the place goes by."""
        return self.total - self.uncounted


class Leaderboard(Struct, frozen=True, gc=False):
    """A page of the leaderboard.

    Attributes:
        players: how many lines all pages have together.
        own: the line of the player who asks; None if they have no account.
    """

    lines: tuple[LeaderboardLine, ...]
    players: int
    own: LeaderboardLine | None


class Listing(Struct, frozen=True, gc=False):
    """Up to where the marks of those who have played enough hands for the leaderboard by chips follow the statistics of a server.

    Attributes:
        epoch: of which statistics, and of which number of hands it takes.
        followed: the number of the last change that is in the marks.
    """

    epoch: int
    followed: int


class HistoryEntry(Struct, frozen=True, gc=False):
    """A line of a player's history: one transfer into or out of their wallet.

    Attributes:
        chips: above zero into the wallet, below zero out of it.
        table: number in the server of the table at the other end; 0 for none.
        requested_by: id of the user who caused it; 0 for the dealer.
    """

    id: int
    at: int
    chips: int
    reason: TransferReason
    note: str
    table: int
    requested_by: int


class WalletHistory(Struct, frozen=True, gc=False):
    """A page of a player's history, newest first.

    Attributes:
        older: passed as `before`, it gets the next page; 0 at the end.
    """

    entries: tuple[HistoryEntry, ...]
    older: int


class StackAdjustment(Struct, frozen=True, gc=False):
    """An adjustment of stacks that every player consented to (H-3).

    Attributes:
        id: counts upwards with time.
        at: when, in ms.
        table: the table's number in the server.
        shifts: user and gain, or loss below zero, of each player.
        hand: number of the last hand before it; 0 where it is not known.
        proposed_by: id of the user who proposed it; 0 where it is not known.
        agreed: the users who agreed; empty where they are not known, that is before the staff log was kept.
    """

    id: int
    at: int
    table: int
    shifts: tuple[tuple[int, int], ...]
    hand: int = 0
    proposed_by: int = 0
    agreed: tuple[int, ...] = ()


class LedgerAudit(Struct, frozen=True, gc=False):
    """The books of a server, added up.

    Attributes:
        minted: chips that the mint has handed out and not taken back: what all people hold together.
        wallets, stacks, pots, house, escrow: where those chips are.
        practice: chips on the practice book.
        table_chips: chips in the games of table chips that are open.
        transfers: how many transfers there have been.
        faults: what is wrong; empty if every book sums to zero and agrees with its transfers.
        adjustments: the latest adjustments of stacks, newest first (H-3).
    """

    minted: int
    wallets: int
    stacks: int
    pots: int
    house: int
    practice: int
    table_chips: int
    transfers: int
    faults: tuple[BookFault, ...]
    adjustments: tuple[StackAdjustment, ...] = ()
    escrow: int = 0
