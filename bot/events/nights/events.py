"""What happens to a series of game nights. Names and fields are a stored format; times are in ms since the epoch."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from bot.events.nights.schedule import Schedule
from bot.events.nights.state import (
    NightAnswer,
    NightLineKind,
    NightReminder,
    NightScore,
    NightSeries,
    NightTerms,
    StandingsRule,
)


class NightEnd(StrEnum):
    """Why a night that was planned was not played. The words are stored."""

    TOO_FEW = "too few"
    DEALER_AWAY = "dealer away"
    NO_TABLE = "no table"
    SKIPPED = "skipped"


class SeriesEnd(StrEnum):
    """Why a series has ended. The words are stored."""

    LAST_DATE = "last date"
    CANCELLED = "cancelled"
    UNANSWERED = "unanswered"  # its host did not say whether there is another night
    HOST_GONE = "host gone"
    CHANNEL_GONE = "channel gone"


class SeriesPlanned(Struct, frozen=True, tag=True):
    """Somebody has planned a series."""

    host: int
    host_name: str
    channel: int
    terms: NightTerms
    schedule: Schedule
    at: int


class NightPlanned(Struct, frozen=True, tag=True):
    """This is the next night. Where `asks_host`, only if the host says so."""

    number: int
    local: str
    starts_at: int
    at: int
    asks_host: bool = False


class NightConfirmed(Struct, frozen=True, tag=True):
    """The host wants the night that they were asked for."""

    at: int


class NightAnswered(Struct, frozen=True, tag=True):
    """Somebody has said whether they come; None takes it back."""

    player: int
    name: str
    answer: NightAnswer | None
    at: int
    from_event: bool = False


class ReminderDue(Struct, frozen=True, tag=True):
    """The time of a reminder has come. It is told by a line of its own, or nobody had to be told any more."""

    reminder: NightReminder


class LineAdded(Struct, frozen=True, tag=True, omit_defaults=True):
    """Something has to be told in the channel. `table`, `lacks`: as in `NightLine`."""

    number: int
    kind: NightLineKind
    people: tuple[int, ...]
    starts_at: int
    table: int = 0
    lacks: tuple[str, ...] = ()


class LineSending(Struct, frozen=True, tag=True):
    """A line is about to be sent."""

    number: int
    nonce: str


class LineTold(Struct, frozen=True, tag=True):
    """A line has been told, or cannot be."""

    number: int


class NightMoved(Struct, frozen=True, tag=True):
    """The next night begins at another time."""

    starts_at: int
    at: int


class DatesChanged(Struct, frozen=True, tag=True):
    """The nights are on other dates: from the next one on, or after the one whose table is open. `starts_at`: of the first of them."""

    schedule: Schedule
    starts_at: int
    at: int


class TermsChanged(Struct, frozen=True, tag=True):
    """The nights have another name, length or break, also the one whose table is open."""

    terms: NightTerms


class NightOpened(Struct, frozen=True, tag=True):
    """The table of the night is open."""

    table: int
    at: int


class NightDealt(Struct, frozen=True, tag=True):
    """The first hand was dealt."""

    at: int


class NightBreak(Struct, frozen=True, tag=True):
    """The night takes its break."""

    at: int


class NightClosed(Struct, frozen=True, tag=True):
    """The night has been played."""

    at: int
    hands: int
    scores: tuple[NightScore, ...]


class NightFailed(Struct, frozen=True, tag=True):
    """The night was not played. `came`: whether anybody besides the host sat down; None where nobody could."""

    at: int
    reason: NightEnd
    came: bool | None = None


class HostChanged(Struct, frozen=True, tag=True):
    """Somebody else is the host."""

    host: int
    name: str
    at: int


class ChannelChosen(Struct, frozen=True, tag=True):
    """The nights are in another channel from now on."""

    channel: int
    at: int


class StandingsChanged(Struct, frozen=True, tag=True):
    """The standings are counted in another way."""

    rule: StandingsRule


class SeriesEnded(Struct, frozen=True, tag=True):
    """There are no more nights."""

    at: int
    reason: SeriesEnd


class SeriesKept(Struct, frozen=True, tag=True):
    """The whole series as it is after all events before this one: whoever needs no more than that begins to read here."""

    series: NightSeries


NightEvent: TypeAlias = (
    SeriesPlanned
    | NightPlanned
    | NightConfirmed
    | NightAnswered
    | ReminderDue
    | LineAdded
    | LineSending
    | LineTold
    | NightMoved
    | DatesChanged
    | TermsChanged
    | NightOpened
    | NightDealt
    | NightBreak
    | NightClosed
    | NightFailed
    | HostChanged
    | ChannelChosen
    | StandingsChanged
    | SeriesEnded
    | SeriesKept
)
