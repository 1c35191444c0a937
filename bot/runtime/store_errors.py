"""Errors that a store raises. A `TableError` is for a player to read; the others are for whoever runs the dealer."""

from bot.engine.errors import TableError


class StaleVersion(TableError):
    """A commit begins at event `seq`, but the table's next event is `next_seq` (0: the table is closed or unknown)."""

    table: int
    seq: int
    next_seq: int


class StaleClaims(TableError):
    """Another claim of the same player was saved first."""


class ChannelTaken(TableError):
    """The channel already has an open table; a channel can have one."""

    number: int


class PersonSeated(TableError):
    """A person whose data would be deleted has chips on a table, or a place on a waiting list. `tables` are the tables' numbers."""

    tables: tuple[int, ...] = ()


class DataBeingDeleted(TableError):
    """The person's data is being deleted: until that is done they cannot play here, and no chips can come to them."""


class SeasonResultsStale(TableError):
    """The season is closed already, or somebody's data was deleted while its results were counted; they have to be read again."""


class InvalidCommit(ValueError):
    """A commit that no lawful play can make, for example one with another table's chips: a bug of the caller."""


class StoreError(Exception):
    """A problem of the store itself. Its text can be printed for whoever runs the dealer."""


class StoreFailed(StoreError, TableError):
    """The save failed (disk full, I/O error). Nothing has changed; the same cause can be tried again."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class StoreClosed(StoreError, TableError):
    """The store is closing or closed; nothing was saved."""


class StoreInUse(StoreError):
    """Another process has the data open."""


class StoreUnusable(StoreError):
    """The data cannot be opened: a newer or a changed program wrote it, or it is damaged."""


class StatisticsBeingCounted(TableError):
    """The statistics are being counted, or counted again, and cannot be told yet."""


class StatisticsUnavailable(StoreError, TableError):
    """The statistics cannot be counted or read: the disk is full or refuses. Nothing at the tables depends on them."""
