"""Commands to a series of game nights, from people and from the dealer.

`by` is the user id of the person who asks; `staff` says whether they are staff, who can do all that a host can.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from bot.events.nights.schedule import Recurrence, Schedule
from bot.events.nights.state import NightAnswer, NightScore, NightTerms, StandingsRule


class PlanSeries(Struct, frozen=True, tag=True):
    """Plan a series of nights, and be its host."""

    by: int
    name: str
    channel: int
    terms: NightTerms
    schedule: Schedule


class AnswerNight(Struct, frozen=True, tag=True):
    """Say whether one comes. `number` is the night that the button was drawn for."""

    by: int
    name: str
    number: int
    answer: NightAnswer


class NoteInterest(Struct, frozen=True, tag=True):
    """Somebody has marked Discord's own event as interesting, or no more. It counts as Maybe where they have said nothing here."""

    by: int
    name: str
    is_interested: bool


class SkipNight(Struct, frozen=True, tag=True):
    """There is no next night; the one after it takes place. `number` is the night that is meant; 0 for the next one, whichever it is."""

    by: int
    staff: bool = False
    number: int = 0


class MoveNight(Struct, frozen=True, tag=True):
    """The next night begins at another time, by the clock of the series. `number`: as in `SkipNight`.

    Attributes:
        at: the time itself, in ms since the epoch, where that is known: a clock that is put back shows one hour twice. Else 0.
    """

    by: int
    local: str
    staff: bool = False
    number: int = 0
    at: int = 0


class ChangeDates(Struct, frozen=True, tag=True):
    """All nights from the next one on are on other dates, by the clock of the series. `first`: the first of them."""

    by: int
    first: str
    recurrence: Recurrence
    staff: bool = False


class ChangeTerms(Struct, frozen=True, tag=True):
    """The nights have another name, length or break, or are dealt from another number of people on."""

    by: int
    terms: NightTerms
    staff: bool = False


class CancelSeries(Struct, frozen=True, tag=True):
    """There are no more nights."""

    by: int
    staff: bool = False


class HandOverSeries(Struct, frozen=True, tag=True):
    """Somebody else is the host from now on."""

    by: int
    to: int
    name: str
    staff: bool = False


class GoOn(Struct, frozen=True, tag=True):
    """After nights to which nobody came: there is another one."""

    by: int
    staff: bool = False


class ChangeStandings(Struct, frozen=True, tag=True):
    """Count the standings in another way."""

    by: int
    rule: StandingsRule
    staff: bool = False


class NoteTable(Struct, frozen=True, tag=True):
    """The table of the night is open.

    Attributes:
        number, starts_at: of the night that it was opened for. Where another one comes by now, or it comes at another time, the table is
            not its. 0 for whichever comes.
    """

    table: int
    number: int = 0
    starts_at: int = 0


class NoteNoTable(Struct, frozen=True, tag=True):
    """No table could be opened for the night. `lacks`: the permissions that the dealer lacks for it, by discord.py's names.

    `number`: the night that it was to be opened for; 0 for whichever comes.
    """

    lacks: tuple[str, ...] = ()
    number: int = 0


class NoteDealt(Struct, frozen=True, tag=True):
    """The first hand of the night has been dealt."""


class NoteBreak(Struct, frozen=True, tag=True):
    """The night's break has been called."""


class NoteClosed(Struct, frozen=True, tag=True):
    """The table of the night has closed. `came` is how many people besides the host sat down. `number`: as in `NoteNoTable`."""

    hands: int
    scores: tuple[NightScore, ...]
    came: int
    number: int = 0


class NoteGone(Struct, frozen=True, tag=True):
    """Somebody has left the server, their data is deleted, or staff have banned them.

    Attributes:
        others_first: people who become the host only where nobody else is in: they host enough already.
    """

    player: int
    others_first: frozenset[int] = frozenset()


class NoteChannelGone(Struct, frozen=True, tag=True):
    """The channel of the series is deleted. It goes on in another one; 0 for none."""

    channel: int


class NoteEventGone(Struct, frozen=True, tag=True):
    """Somebody has deleted or cancelled Discord's own event of the night."""


class NoteLine(Struct, frozen=True, tag=True):
    """A line is about to be sent under a nonce, or has been told or given up where that is empty."""

    number: int
    nonce: str = ""


class NightTick(Struct, frozen=True, tag=True):
    """Do what is due by now."""


NightCommand: TypeAlias = (
    PlanSeries
    | AnswerNight
    | NoteInterest
    | SkipNight
    | MoveNight
    | ChangeDates
    | ChangeTerms
    | CancelSeries
    | HandOverSeries
    | GoOn
    | ChangeStandings
    | NoteTable
    | NoteNoTable
    | NoteDealt
    | NoteBreak
    | NoteClosed
    | NoteGone
    | NoteChannelGone
    | NoteEventGone
    | NoteLine
    | NightTick
)
