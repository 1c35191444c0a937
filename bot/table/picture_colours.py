"""The colours that a table has chosen for its pictures. The process that draws reads them too, so nothing else is imported here."""

from enum import StrEnum


class Deck(StrEnum):
    """How the suits are coloured. The words are stored."""

    FOUR_COLOURS = "four colours"
    TWO_COLOURS = "two colours"
    FILLED = "filled"


class Felt(StrEnum):
    """The cloth of the table. The words are stored."""

    CASH = "green"
    TOURNAMENT = "blue"
