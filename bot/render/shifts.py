"""An equitable adjustment as players write it: who gives and who gets, as many as it concerns, in one line.

``@Ann -500 @Bo +300 @Cy +200``, or with seat numbers or names: ``1 -500, Bo +300, Cy +200``.

Source: law H-3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bot.render import amounts
from bot.table.errors import ShiftUnreadable
from bot.table.state import ChipShift
from bot.table.view import SeatLine

_ITEM = re.compile(
    r"[\s,;]*(?P<who>[^\s,;].*?)(?P<sign>[+\-\u2212\u2013])\s*(?P<chips>\d[\d.,_]*\s*(?:[kmb]\b)?)", re.IGNORECASE
)
"""No two parts that stand side by side may take the same letter: what anybody types is looked at once, however long it is."""
_USER = re.compile(r"<@!?(\d{1,20})>")
_SEAT = re.compile(r"(?:seat\s*|#)?(\d{1,2})", re.IGNORECASE)
_OFFERED, _LONGEST = 25, 100
"""Discord's bounds of what completes a word: choices, and letters of each."""


def read(words: str, seats: Sequence[SeatLine]) -> tuple[ChipShift, ...]:
    """Read who gives and who gets, one line for each player, in the order of their names. Whether it comes out even is the table's to say.

    Raises:
        ShiftUnreadable: something is no player at this table with the chips he gives or gets.
        BadAmount: of the chips.
    """
    found: dict[int, int] = {}
    at = 0
    while words[at:].strip(" \t,;"):
        item = _ITEM.match(words, at)
        if item is None:
            raise ShiftUnreadable(word=words[at:].strip(" \t,;"))
        chips = amounts.chips(item["chips"].rstrip(" ,."))
        player = _player(item["who"].strip(), seats)
        found[player] = found.get(player, 0) + (chips if item["sign"] == "+" else -chips)
        at = item.end()
    return tuple(ChipShift(player, chips) for player, chips in found.items() if chips)


def offered(typed: str, seats: Sequence[SeatLine]) -> tuple[str, ...]:
    """What may be meant by the words typed so far: each player who is not named yet, with the chips that would make it come out even."""
    try:
        shifts = read(typed, seats)
    except (ShiftUnreadable, amounts.BadAmount):
        return ()
    total = sum(shift.chips for shift in shifts)
    named = {shift.player for shift in shifts}
    said = typed.strip(" \t,;")
    if said and not total:
        return (said,) if len(said) <= _LONGEST else ()
    rest = f" {-total:+}" if total else " -"
    start = f"{said}, " if said else ""
    whole = (f"{start}{_called(seat, seats)}{rest}" for seat in seats if seat.player not in named)
    return tuple([words for words in whole if len(words) <= _LONGEST][:_OFFERED])


def told(shifts: Iterable[ChipShift], names: dict[int, str]) -> str:
    """``Ann −500, Bo +300, Cy +200``; `names` are by user id and safe for markdown."""
    return ", ".join([f"{names.get(one.player, f'<@{one.player}>')} {signed(one.chips)}" for one in shifts])


def signed(chips: int) -> str:
    """A gain or a loss: ``+300``, ``−500``."""
    return f"{chips:+,}".replace("-", "\u2212")


def _called(seat: SeatLine, seats: Sequence[SeatLine]) -> str:
    """The name of a player, or the number of his seat where the name would not be read as his."""
    try:
        return seat.name if read(f"{seat.name} +1", seats) == (ChipShift(seat.player, 1),) else str(seat.number)
    except (ShiftUnreadable, amounts.BadAmount):
        return str(seat.number)


def _player(who: str, seats: Sequence[SeatLine]) -> int:
    """The player who is meant. A mention is taken as it is: the table says whether he sits there."""
    mention, number = _USER.fullmatch(who), _SEAT.fullmatch(who)
    if mention is not None:
        return int(mention[1])
    named = [seat.player for seat in seats if seat.name.casefold() == who.removeprefix("@").casefold()]
    if not named and number is not None:
        named = [seat.player for seat in seats if seat.number == int(number[1])]
    if len(named) != 1:
        raise ShiftUnreadable(word=who)
    return named[0]
