"""Every way in which chips pass between people is in the flow that the cap, holds and alarms read (BO-1): a recount of the books.

What somebody has is what the house has given to them, less what it took, and what they have won from others by the flow. A way that is not
in the flow leaves a difference.
"""

from __future__ import annotations

from pathlib import Path

from tests.support.engines import opened

_HAVE = """
    SELECT "user", sum(chips) FROM balance WHERE guild = :guild AND kind IN (3, 4) AND "user" > 0 GROUP BY "user"
"""
_FROM_THE_HOUSE = """
    SELECT "user", sum(chips) FROM (
        SELECT credit_user AS "user", chips FROM transfer WHERE guild = :guild AND debit_kind IN (1, 2) AND credit_kind IN (3, 4)
        UNION ALL SELECT debit_user, -chips FROM transfer WHERE guild = :guild AND debit_kind IN (3, 4) AND credit_kind IN (1, 2)
    ) AS moved GROUP BY "user"
"""
_WON = 'SELECT "user", sum(chips) FROM flow WHERE guild = :guild GROUP BY "user"'
_NOT_ALL_TOLD = """
    SELECT 1 FROM balance WHERE guild = :guild AND kind IN (5, 6) AND chips > 0
    UNION ALL SELECT 1 FROM former_player WHERE guild = :guild
    UNION ALL SELECT 1 FROM transfer WHERE guild = :guild AND reason = 'season'
"""
"""Chips lie in a pot, or in escrow until prizes are paid; or somebody's data was deleted, or a season has changed everybody's chips, and
the flow with them."""


def ways_outside_the_flow(path: Path, guild: int) -> dict[int, int]:
    """Return by person the chips that they have or lack, and that nobody won from or lost to anybody by the flow; {} if all are told."""
    with opened(path) as db:
        server = {"guild": guild}
        if db.execute(_NOT_ALL_TOLD, server).fetchone() is not None:
            return {}
        have, given, won = (dict(db.execute(query, server).fetchall()) for query in (_HAVE, _FROM_THE_HOUSE, _WON))
    off = {user: have.get(user, 0) - given.get(user, 0) - won.get(user, 0) for user in {*have, *given, *won}}
    return {user: chips for user, chips in off.items() if chips}
