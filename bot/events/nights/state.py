"""A series of game nights, as plain values: what is played, who comes, which night is next, how the others ended.

Times are in ms since the epoch. Names and fields are a stored format: a journal keeps the whole series now and then.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from bot.events.nights.schedule import Schedule
from bot.table.settings import TableSettings

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
OPENS_BEFORE_MS = 5 * MINUTE_MS
"""So long before a night its table opens."""
HELD_AFTER_MS = 15 * MINUTE_MS
"""So long after the start seats are held for those who are in."""
GATHERING_MS = 30 * MINUTE_MS
"""Where too few have come so long after the table opened, the night is cancelled."""
LATE_MS = 2 * HOUR_MS
"""A table that should have opened while the dealer was down opens up to so much later."""
EMPTY_NIGHTS = 2
"""After so many nights in a row to which nobody came, the host is asked whether there is another one."""
PLAYERS_MIN = 3
"""From so many people on a night is dealt, unless its host says otherwise."""
BREAK_AFTER_MINUTES, BREAK_MINUTES = 90, 10
"""A night takes a break of so long, so long after its first hand."""
ANSWERS_MAX = 200
"""So many people can answer to one night."""


class NightAnswer(StrEnum):
    """What somebody says to a night. The words are stored."""

    IN = "in"
    MAYBE = "maybe"
    CANT = "can't"


class NightReminder(StrEnum):
    """When people are reminded. The words are stored."""

    DAY = "day"
    HOUR = "hour"

    @property
    def before_ms(self) -> int:
        """How long before the start it is sent."""
        return 24 * HOUR_MS if self is NightReminder.DAY else HOUR_MS


class Answered(Struct, frozen=True):
    """What one person has said to a night.

    Attributes:
        from_event: they have said so by *Interested* in Discord's own event, and nothing here.
    """

    player: int
    name: str
    answer: NightAnswer
    at: int
    from_event: bool = False


class NightTerms(Struct, frozen=True):
    """What a series plays, and how long.

    Attributes:
        name: of the series.
        settings: of its tables.
        players_min: from so many people on its first hand is dealt.
        hands: it closes after so many; 0 for no such end.
        minutes: it closes so long after its start; 0 for no such end.
        break_after, break_minutes: it takes a break of so long, so many minutes after its first hand; 0 for none.
    """

    name: str
    settings: TableSettings
    players_min: int = PLAYERS_MIN
    hands: int = 0
    minutes: int = 0
    break_after: int = BREAK_AFTER_MINUTES
    break_minutes: int = BREAK_MINUTES

    @property
    def seats(self) -> int:
        """How many can play."""
        return self.settings.seat_count


class StandingsRule(Struct, frozen=True):
    """How the standings of a series are counted.

    Attributes:
        points: of the first rank, the second and so on; empty where the net chips count.
        left_out: so many of each person's worst nights do not count.
    """

    points: tuple[int, ...] = (10, 7, 5, 4, 3, 2, 1)
    left_out: int = 0


class NightScore(Struct, frozen=True):
    """How one person did in one night: their net chips, and how many hands they were dealt."""

    player: int
    name: str
    net: int
    hands: int


class NightResult(Struct, frozen=True):
    """A night that was played. `table` is the id of its table; `scores` has the best first."""

    number: int
    at: int
    table: int
    hands: int
    scores: tuple[NightScore, ...]


class NightPhase(StrEnum):
    """Where the night that comes next is. The words are stored."""

    PLANNED = "planned"
    ASKED = "asked"  # its host is asked whether there is one
    OPEN = "open"  # its table is open
    PLAYED = "played"  # a hand has been dealt


class NightLineKind(StrEnum):
    """What is told once in the channel of a series. The words are stored."""

    DAY_REMINDER = "day reminder"
    HOUR_REMINDER = "hour reminder"
    TABLE_OPEN = "table open"
    TABLE_OPEN_LATE = "table open late"
    SEAT_FREE = "seat free"  # somebody moves up from the waiting list
    TOO_FEW = "too few"
    TOO_LATE = "too late"  # the dealer was down for too long
    NO_TABLE = "no table"  # none could be opened
    MOVED = "moved"
    NEW_DATES = "new dates"  # of all nights from the next one on
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    HOST_ASKED = "host asked"
    NEW_HOST = "new host"
    NEW_CHANNEL = "new channel"
    EVENT_GONE = "event gone"  # somebody has deleted Discord's own event of the night
    ENDED_UNANSWERED = "ended unanswered"
    ENDED_WITHOUT_HOST = "ended without host"
    ENDED_WITH_CHANNEL = "ended with channel"  # told to the host alone: there is no channel any more


class NightLine(Struct, frozen=True):
    """Something that is still to be told in the channel.

    Attributes:
        number: counts the lines of a series.
        people: who is named, and notified unless their hours are quiet.
        starts_at: of the night that it is about.
        table: that it leads to; 0 for none.
        lacks: the permissions that the dealer lacked, by discord.py's names.
        nonce: of the message, once it is about to be sent.
    """

    number: int
    kind: NightLineKind
    people: tuple[int, ...]
    starts_at: int
    table: int = 0
    nonce: str = ""
    lacks: tuple[str, ...] = ()


class Night(Struct, frozen=True):
    """The night that comes next, or is being played.

    Attributes:
        number: counts the nights of a series.
        local: its date in the schedule; a night that was moved begins at another time.
        planned_at: when it became the next one.
        reminded: which reminders have been sent or have had their time.
        table: the id of its table; 0 before that is open.
        dealt_at: when its first hand was dealt; 0 before.
        had_break: it has taken its break.
    """

    number: int
    local: str
    starts_at: int
    planned_at: int
    phase: NightPhase = NightPhase.PLANNED
    answers: tuple[Answered, ...] = ()
    reminded: tuple[NightReminder, ...] = ()
    table: int = 0
    opened_at: int = 0
    dealt_at: int = 0
    had_break: bool = False

    @property
    def opens_at(self) -> int:
        """When its table should open."""
        return self.starts_at - OPENS_BEFORE_MS

    @property
    def held_until(self) -> int:
        """Until when seats are held: after the start, or as long after a table that opened late."""
        return max(self.starts_at, self.opened_at + OPENS_BEFORE_MS) + HELD_AFTER_MS

    @property
    def gathers_until(self) -> int:
        """Until when people can come before it is cancelled."""
        return self.opened_at + GATHERING_MS

    def said(self, answer: NightAnswer) -> tuple[Answered, ...]:
        """Return who has given an answer, in the order in which they did."""
        return tuple([one for one in self.answers if one.answer is answer])

    def answer_of(self, player: int) -> Answered | None:
        """Return what somebody has said; None for nothing."""
        return next((one for one in self.answers if one.player == player), None)


class NightSeries(Struct, frozen=True, kw_only=True):
    """A series of game nights. It never changes: `evolve` makes a new one.

    Attributes:
        night: the next one, or the one that is being played; None once the series has ended.
        results: of the nights that were played, oldest first.
        empty: how many nights in a row nobody came to.
        lines: what is still to be told.
        line_number: of the last line.
    """

    host: int
    host_name: str
    channel: int
    terms: NightTerms
    schedule: Schedule
    planned_at: int
    night: Night | None = None
    results: tuple[NightResult, ...] = ()
    rule: StandingsRule = StandingsRule()
    empty: int = 0
    lines: tuple[NightLine, ...] = ()
    line_number: int = 0

    @property
    def has_ended(self) -> bool:
        """No night comes any more."""
        return self.night is None

    def seated(self) -> tuple[Answered, ...]:
        """Return who has a seat in the next night: the first of those who are in."""
        return self.night.said(NightAnswer.IN)[: self.terms.seats] if self.night is not None else ()

    def waiting(self) -> tuple[Answered, ...]:
        """Return who is in and waits for a seat, in order."""
        return self.night.said(NightAnswer.IN)[self.terms.seats :] if self.night is not None else ()
