"""What the writer remembers between batches of what has been committed.

That is safe because one process writes to the data, and because memory learns only what has been committed.
"""

from dataclasses import dataclass, field

from bot.house.quiet_hours import year_at
from bot.house.rules import HouseRules
from bot.ledger.accounts import Account
from bot.ledger.books import Balance
from bot.statistics.seasons import Season, season_number_at
from bot.store.board_sums import spans_at
from bot.store.season_resets import SeasonReset
from bot.store.slots import ALL_SERVERS, ServerSlot


@dataclass(frozen=True, slots=True)
class JournalHead:
    """Where a table's journal ends. `is_open` is False once the table is closed."""

    guild: int
    next_seq: int
    hand_count: int
    is_open: bool


@dataclass(slots=True)
class WriterCache:
    """What the writer remembers of what has been committed, so that it does not read it from the file again.

    Attributes:
        balances: by server and account.
        pot_seats: for each pot, the seats that have had chips in it.
        heads: by table.
        parts: ids of parts that are stored once.
        last_cause_id: 0 if it must be read from the file.
        causes_after: the next one has a larger number than this, and than the last one: others of its slot may be in another one now.
        season_tables: tables with chips of a season that is over, and how many percent are carried over; None if they must be read from
            the file.
        season_resets: where the change of a server's chips at the end of a season is; None if it must be read from the file.
        being_deleted: server and id of the people whose data is being deleted; None if they must be read from the file.
        boards: by what the leaderboards of a server count.
        board_sums_at: when the last sum of leaderboards changed, in ms; -1 if it must be read from the file.
        default_rules: the rules of a house whose staff have changed none.
        slot: which servers it writes; it says where numbers begin.
    """

    balances: dict[tuple[int, Account], Balance] = field(default_factory=dict)
    pot_seats: dict[Account, set[Account]] = field(default_factory=dict)
    heads: dict[int, JournalHead] = field(default_factory=dict)
    parts: dict[bytes, int] = field(default_factory=dict)
    last_cause_id: int = 0
    causes_after: int = 0
    season_tables: dict[int, int] | None = None
    season_resets: dict[int, SeasonReset] | None = None
    being_deleted: frozenset[tuple[int, int]] | None = None
    boards: dict[int, "BoardRules"] = field(default_factory=dict)
    board_sums_at: int = -1
    default_rules: HouseRules = field(default_factory=HouseRules)
    slot: ServerSlot = ALL_SERVERS

    def clear(self) -> None:
        self.balances.clear()
        self.pot_seats.clear()
        self.heads.clear()
        self.parts.clear()
        self.last_cause_id = 0
        self.season_tables = None
        self.season_resets = None
        self.being_deleted = None
        self.boards.clear()
        self.board_sums_at = -1


@dataclass(frozen=True, slots=True)
class BoardRules:
    """By what the leaderboards of a server count: the cap, the clock of its years, and its seasons."""

    cap: int
    year_clock: str
    seasons: tuple[Season, ...]

    def spans_at(self, at: int) -> tuple[int, ...]:
        """Return the spans in which a hand counts that ends at a time."""
        return spans_at(season_number_at(self.seasons, at), year_at(self.year_clock, at))
