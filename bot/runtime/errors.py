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


class HandUnreadable(TableError):
    """The cards of this hand cannot be known any more: the secret they came from is lost."""

    hand: int


class StillDealing(LawError, law="TL-21"):
    """The hand is being dealt to its end, with everybody all-in."""


class DealerStopping(TableError):
    """The dealer is about to stop: no table is opened and no hand begun. Everything on the tables is kept."""


class TableBroken(TableError):
    """The table stands still after a fault of ours; it is being put right. Its chips are safe."""
