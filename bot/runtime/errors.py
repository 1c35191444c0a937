"""Refusals of the runtime itself: for outdated buttons, channels without a table, and a dealer that stops."""

from bot.engine.errors import LawError, TableError


class StaleButton(LawError, law="TL-35"):
    """The button was drawn for an earlier action."""


class NoTableHere(TableError):
    """No table is open in this channel."""


class TableGone(TableError):
    """The table of this button is closed."""


class NoSuchTable(TableError):
    """The server has no open table of that number. `known` are the numbers that it has."""

    number: int
    known: tuple[int, ...]


class NoHandYet(TableError):
    """That hand has not been dealt at this table; `hands` have."""

    hands: int


class UnreadableHandNumber(TableError):
    """What was typed is neither the number of a hand nor a reference to one, such as ``3-1284-9``."""

    typed: str


class UnreadableDate(TableError):
    """What was typed is no day, week or month that can be read, or it is still to come."""

    typed: str


class WhichTable(TableError):
    """A hand is asked for by its number in a channel where no table has been open."""

    hand: int


class NoHandPlayed(TableError):
    """The person has played no hand that could be written down; `searched`: none of those days, or at that table."""

    searched: bool


class HandDeleted(TableError):
    """The hand is older than hands are kept here, and has been deleted."""

    hand: int


class HandNotOver(TableError):
    """The hand is being played, so it cannot be replayed yet."""

    hand: int


class ShownAtTableOnly(TableError):
    """A hand of a private table is shown to everybody only where the table is."""


class HandUnreadable(TableError):
    """The cards of this hand cannot be known any more: the secret they came from is lost."""

    hand: int


class FileTooHard(TableError):
    """A file that somebody gave could not be read in the time and memory that one file has."""


class FileBeingRead(TableError):
    """A file that the person gave before is still being read: one person has one file read at a time."""


class FileNotFetched(TableError):
    """A file that somebody gave cannot be had from where Discord keeps it."""


class ImportForgotten(TableError):
    """The file was given too long ago, before a newer one, or by somebody else."""


class ExportedToday(TableError):
    """A person can take their data along once a day; `until` is in ms since the epoch."""

    until: int


class TooManyPings(TableError):
    """So many people, or one person at so many tables, are told already of what they ask for."""


class StillDealing(LawError, law="TL-21"):
    """The hand is being dealt to its end, with everybody all-in."""


class DealerStopping(TableError):
    """The dealer is about to stop: no table is opened and no hand begun. Everything on the tables is kept."""


class TableBroken(TableError):
    """The table stands still after a fault of ours; it is being put right. Its chips are safe."""


class NotInServer(TableError):
    """A table opens in a channel of a server, not in direct messages."""


class TooManyHostedTables(TableError):
    """The person hosts as many tables as one person can; `channels` are where, in any server."""

    table_count: int
    channels: tuple[int, ...]


class TooManyPracticeTables(TableError):
    """The person hosts as many practice tables as one person can; `channels` are where, in any server."""

    table_count: int
    channels: tuple[int, ...]


class TooManyTables(TableError):
    """The server has as many open tables as its house allows."""

    table_count: int


class SeatsElsewhere(TableError):
    """The person holds as many seats as one person can; `channels` are where, in any server."""

    seat_count: int
    channels: tuple[int, ...]


class SeatedSomewhere(TableError):
    """The person has a seat, waits for one, or is dealt into a hand, so that their data cannot go; `channels` are where, in any server."""

    channels: tuple[int, ...]


class OneServerOnly(TableError):
    """What was asked for in a direct message is about one server."""


class NeverClosesForStaffOnly(TableError):
    """Only staff keep a table open where nobody plays."""


class NoPracticeTable(TableError):
    """The server has no practice table with a free seat, and none can be opened in this channel."""


class Banned(TableError):
    """Staff have banned the person from playing in this server."""


class PlayerRoleMissing(TableError):
    """In this server only people with a role can play, and the person does not have it; `role` is its id."""

    role: int


class CannotBan(TableError):
    """Staff cannot ban themselves, nor a practice player."""


class NotBanned(TableError):
    """There is no ban to lift."""


class TooManyReports(TableError):
    """So many reports of this person wait for staff already."""

    maximum: int


class NoSuchReport(TableError):
    """The report is done already, or there is none of that number in this server."""


class NoSuchAlarm(TableError):
    """There is no alarm of that number in this server."""


class SeasonRuns(TableError):
    """A season is open already; it has to be closed first."""

    number: int
    name: str


class NoSeason(TableError):
    """No season is open, or not the one that was looked at."""


class NoSuchSeason(TableError):
    """There are no results of that season; `last` is the number of the last one that is over, 0 for none."""

    number: int
    last: int


class RoleNotForWinners(TableError):
    """The role is no prize: it lets people manage something, or nobody can be given it."""


class OneMoment(TableError):
    """Somebody asked for too much in a short time; in so many seconds they can ask again."""

    seconds: int


class WorkTimeUsed(TableError):
    """What somebody asked for took so many processor seconds lately; in so many seconds they can ask again."""

    used: int
    seconds: int
