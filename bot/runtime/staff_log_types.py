"""The lines of the staff log: what staff did, what everybody agreed on, and what players reported. Never a card.

The words and fields are stored, so they are a format: see the README of `bot.store`.
"""

from enum import StrEnum

from msgspec import Struct


class StaffLogKind(StrEnum):
    """What a line of the staff log tells. The words are stored."""

    HAND_VOIDED = "hand voided"
    GRANTED = "granted"
    TOOK = "took"
    RULE_CHANGED = "rule changed"
    PLAYER_REMOVED = "player removed"
    TABLE_CLOSED = "table closed"
    STACKS_ADJUSTED = "stacks adjusted"
    CHIPS_CORRECTED = "chips corrected"
    CORRECTION_LAPSED = "correction lapsed"
    GAME_SAVED = "house game saved"
    GAME_DELETED = "house game deleted"
    BANNED = "banned"
    UNBANNED = "unbanned"
    BOOKS_DISAGREE = "books disagree"
    REPORTED = "reported"
    REPORT_DONE = "report done"
    LOBBY_ENDED = "lobby ended"
    SEASON_OPENED = "season opened"
    SEASON_CLOSED = "season closed"
    FLOW_ALARM = "flow alarm"
    FLOW_LOOKED = "flow looked at"
    FLOW_ASIDE = "flow set aside"


class StaffLogEntry(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """What is written to the staff log, in the same transaction as what it tells. Each kind uses some of the fields.

    Attributes:
        by: who did it, where it is not whoever asked: who proposed an adjustment, or whose correction waited for the end of a hand.
        about: the user whom it concerns.
        table: id of the table.
        hand: number of the hand.
        season: number of the season.
        chips: granted or taken.
        name: of the season, the house game, the house rule, or whoever was banned; the `BookProblem` that was found first; why the
            lobby ended.
        before, after: values of the house rule: numbers, or the keys of themes.
        reason: what staff or the reporting player wrote.
        shifts: user and gain, or loss below zero, of each player whose chips were adjusted or corrected; of an alarm who gave and who
            took.
        agreed: the users who agreed to the adjustment.
        answers: id of the report that is done, or of the alarm that was looked at.
        channel: of the lobby.
    """

    kind: StaffLogKind
    by: int = 0
    about: int = 0
    table: int = 0
    hand: int = 0
    chips: int = 0
    name: str = ""
    before: int | str = 0
    after: int | str = 0
    reason: str = ""
    shifts: tuple[tuple[int, int], ...] = ()
    agreed: tuple[int, ...] = ()
    answers: int = 0
    channel: int = 0
    season: int = 0


class StaffLogLine(Struct, frozen=True, kw_only=True, gc=False):
    """A line of the staff log, as it is read.

    Attributes:
        id: counts upwards in the whole data file.
        at: when, in ms.
        who: id of the user who did it; 0 for the dealer.
        table_number, channel: of the entry's table; 0 for none.
    """

    id: int
    at: int
    who: int
    entry: StaffLogEntry
    table_number: int = 0
    channel: int = 0


class Ban(Struct, frozen=True, gc=False):
    """A person who cannot play in a server: since when in ms, banned by whom, why, and what they were called then."""

    user: int
    at: int
    by: int
    reason: str
    name: str = ""
