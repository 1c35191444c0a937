"""Read and write an equitable adjustment: in one line, who gives chips and who gets them.

``@Ann -500 @Bo +300 @Cy +200``, or with seat numbers or names: ``1 -500, Bo +300, Cy +200``.

Source: law H-3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from bot.table.refusals import AdjustmentUnreadable
from bot.table.state import StackChange
from bot.table.view import SeatedPlayerView
from bot.text import amounts
from bot.text.formatting import join_list
from bot.text.language import message, t
from bot.variants.closest import closest_words

_PLAYER_CHANGE = message("{name} {change}")  # Translators: Ann −500
_GAIN = message("+{chips:,}")
_LOSS = message("−{chips:,}")

_ITEM = re.compile(
    r"[\s,;]*(?P<who>[^\s,;].*?)(?P<sign>[+\-\u2212\u2013])\s*(?P<chips>\d[\d.,_]*\s*(?:[kmb]\b)?)", re.IGNORECASE
)
"""Neighbouring parts never match the same letter, so that parsing takes linear time however long the text is."""
_USER = re.compile(r"<@!?(\d{1,20})>")
_SEAT = re.compile(r"(?:seat\s*|#)?(\d{1,2})", re.IGNORECASE)


def parse_adjustment(
    text: str, seats: Sequence[SeatedPlayerView], left: Sequence[tuple[int, str]] = ()
) -> tuple[StackChange, ...]:
    """Read who gives and who gets chips: one change for each player, in the order in which they are named.

    The table checks that the changes add up to zero.

    Args:
        left: people without a seat who can be named too, with their names.

    Raises:
        AdjustmentUnreadable: a part does not name a player at this table with the chips they give or get.
        BadAmount: a number of chips cannot be read.
    """
    found: dict[int, int] = {}
    at = 0
    while text[at:].strip(" \t,;"):
        item = _ITEM.match(text, at)
        if item is None:
            raise AdjustmentUnreadable(word=text[at:].strip(" \t,;"))
        chips = amounts.parse_chips(item["chips"].rstrip(" ,."))
        player = _player_named(item["who"].strip(), seats, left)
        found[player] = found.get(player, 0) + (chips if item["sign"] == "+" else -chips)
        at = item.end()
    return tuple(StackChange(player, chips) for player, chips in found.items() if chips)


def adjustment_text(changes: Iterable[StackChange], names: Mapping[int, str]) -> str:
    """``Ann −500, Bo +300, Cy +200``; `names` are by user id and safe for markdown."""
    return join_list(
        [
            t(_PLAYER_CHANGE, name=names.get(change.player, f"<@{change.player}>"), change=signed_chips(change.chips))
            for change in changes
        ]
    )


def signed_chips(chips: int) -> str:
    """A gain or a loss: ``+300``, ``−500``."""
    return t(_GAIN if chips >= 0 else _LOSS, chips=abs(chips))


def _player_named(who: str, seats: Sequence[SeatedPlayerView], left: Sequence[tuple[int, str]]) -> int:
    """Find the player who is meant. A mention is accepted as it is: the table checks that they are seated."""
    mention, number = _USER.fullmatch(who), _SEAT.fullmatch(who)
    if mention is not None:
        return int(mention[1])
    people = [*[(seat.player, seat.name) for seat in seats], *left]
    named = [player for player, name in people if name.casefold() == who.removeprefix("@").casefold()]
    if not named and number is not None:
        named = [seat.player for seat in seats if seat.number == int(number[1])]
    if len(named) != 1:
        similar = closest_words(who, [name for _, name in people]) if not named else ()
        raise AdjustmentUnreadable(word=who, similar=similar)
    return named[0]
