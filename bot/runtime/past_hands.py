"""Many finished hands at once, written down to take along: a player's evening, a day, a whole table. Newest first, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.errors import TableError
from bot.runtime.errors import NoHandPlayed, NoHandYet
from bot.runtime.request import Request
from bot.runtime.snapshot import HandRecord
from bot.runtime.tables import Tables
from bot.statistics.types import FoundHand, HandQuery
from bot.store.statistics.statistics import Statistics

HANDS_AT_ONCE = 100
"""The hands on a page of what is looked for."""
EVENING_GAP_MS = 4 * 3_600_000
"""So long a break, and another evening begins."""


class PastHand(Struct, frozen=True):
    """A finished hand with the cards that its reader can know. `at` is when it ended, in ms since the epoch."""

    table_number: int
    at: int
    record: HandRecord


async def past_hands(
    tables: Tables, statistics: Statistics, request: Request, query: HandQuery, gap_ms: int = 0
) -> AsyncIterator[PastHand]:
    """Write down the hands that are looked for, newest first. Those that cannot be read any more, or by the one who asks, are left out.

    Args:
        query: its page is not looked at.
        gap_ms: stop where so much time lies between two hands; 0: nowhere.
    """
    after = 0
    async for found in _found(statistics, query):
        if gap_ms and after and after - found.at > gap_ms:
            return
        after = found.at
        try:
            record = await tables.read_past_hand(request, found.hand.table, found.hand.number)
        except TableError:  # deleted for its age, of a secret that is lost, or of a private table
            continue
        yield PastHand(found.hand.table_number, found.at, record)


async def _found(statistics: Statistics, query: HandQuery) -> AsyncIterator[FoundHand]:
    before = 0
    while True:
        page = await statistics.find_hands(replace(query, before=before, limit=HANDS_AT_ONCE))
        for hand in page.hands:
            yield hand
        before = page.older
        if not before:
            return
        await asyncio.sleep(0)


def evening_query(tables: Tables, request: Request) -> tuple[HandQuery, int]:
    """Return what finds the hands of a player's evening, and after how long a break to stop: those since they sat down at the channel's
    table; for somebody who has left, their last ones in the server up to a long break."""
    mine = HandQuery(guild=request.guild, user=request.user)
    table = tables.table_in_channel(request.guild, request.channel)
    seat = next((one for one in table.table.seats if one.player == request.user), None) if table is not None else None
    if table is None or seat is None:
        return mine, EVENING_GAP_MS
    return replace(mine, table_number=table.address.number, since=seat.seated_at), 0


def require_hands(count: int, query: HandQuery) -> None:
    """Refuse an empty file.

    Raises:
        NoHandYet: no hand has been dealt at the table.
        NoHandPlayed: the person has played none of those that they look for.
    """
    if count:
        return
    if not query.user:
        raise NoHandYet(hands=0)
    raise NoHandPlayed(searched=bool(query.table_number or query.since))
