"""The refusals of game nights. Times are ms since the epoch, people and hosts Discord ids."""

from bot.engine.errors import TableError


class NoSuchNight(TableError):
    """There is no such series, or it has ended."""


class NightOver(TableError):
    """The button was drawn for another night of the series."""


class NightHostOnly(TableError):
    """Only the host of the nights and staff can do that."""

    host: int


class NightInPast(TableError):
    """A night cannot begin before now."""

    starts_at: int


class NightTooFar(TableError):
    """A night is planned at most so many days ahead."""

    days: int


class NightIsOpen(TableError):
    """The table of the night is open: it can be neither moved nor skipped."""

    table: int


class NightsClash(TableError):
    """Another night begins in that channel within the hour."""

    name: str
    starts_at: int


class TooManyNights(TableError):
    """A host, or a server, has enough series of nights."""

    maximum: int
    of_server: bool


class HostHasEnoughNights(TableError):
    """Somebody hosts enough series of nights already, and is handed no more over."""

    host: int
    maximum: int


class TooManyAnswers(TableError):
    """More people cannot answer to one night."""

    maximum: int


class NightPlayersOutOfBounds(TableError):
    """A night cannot be dealt from so many people on."""

    minimum: int
    maximum: int


class NightTooLong(TableError):
    """A night ends after at most so many hands, or so many hours from its start."""

    hands: int
    hours: int


class NightBreakTooLong(TableError):
    """A night takes a break of at most so many minutes, at most so many hours after its first hand."""

    minutes: int
    hours: int


class NoNightToConfirm(TableError):
    """The host is not asked whether there is another night."""


class UnreadableNight(TableError):
    """What somebody typed is no day and hour that is still to come."""

    typed: str


class NoStandingsPoints(TableError):
    """What somebody typed is no table of points."""
