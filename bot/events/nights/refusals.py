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


class TooManyAnswers(TableError):
    """More people cannot answer to one night."""

    maximum: int


class NightNumbersOutOfBounds(TableError):
    """The number of people, hands or minutes of a night is outside its bounds."""

    what: str
    minimum: int
    maximum: int


class NoNightToConfirm(TableError):
    """The host is not asked whether there is another night."""
