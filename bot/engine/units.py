"""Names for whole numbers that are easily confused. They are checked by mypy and cost nothing while the program runs.

A function that takes a `SeatIndex` refuses a `SeatNumber` when it is type-checked. At run time all of them are plain
ints.
"""

from typing import NewType

CardIndex = NewType("CardIndex", int)
"""The position of a card in the deck of one hand, from 0 (the top). Stored data names cards by it, so it shows no card."""

SeatIndex = NewType("SeatIndex", int)
"""The position of a seat in one hand, from 0: the first player left of the dealer. The last one has the button or sits nearest to it."""

SeatNumber = NewType("SeatNumber", int)
"""The number of a seat at the table, from 1, as people see it. It stays the same from hand to hand; 0 stands for no seat."""

NO_CARD = CardIndex(-1)
"""Stands for "not told" where a card index is expected."""

NO_SEAT = SeatIndex(-1)
"""Stands for "nobody" where a seat index is expected."""

NO_SEAT_NUMBER = SeatNumber(0)
"""Stands for "no seat" where a seat number is expected."""
