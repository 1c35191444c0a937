"""The turns at the gateway that all dealers take (`bot.line.identify_turns`): a row of the house for each group of shards."""

from functools import partial

from bot.store.database import Database
from bot.store.postgres.house import House

TURN_SECONDS = 5.1
"""Discord counts five seconds between two, when they arrive."""
_TAKE = """
    INSERT INTO identify_turn (shards, holder, until)
    VALUES (:group, :holder, clock_timestamp() + make_interval(secs => :seconds))
    ON CONFLICT (shards) DO UPDATE SET holder = excluded.holder, until = excluded.until
    WHERE identify_turn.holder = excluded.holder OR identify_turn.until <= clock_timestamp()
        OR identify_turn.until > excluded.until + make_interval(secs => 1)
    RETURNING 1
"""
"""A turn that ends later than one that begins now is of a time before the server's clock was set back."""
_LEFT = """
    SELECT CAST(extract(epoch FROM until - clock_timestamp()) AS DOUBLE PRECISION) FROM identify_turn WHERE shards = :group
"""


class SharedTurns:
    """Turns as the house keeps them. Whoever ends in a turn keeps nobody waiting for longer than that turn.

    Args:
        seconds: how long a turn is; None for `TURN_SECONDS`.
    """

    def __init__(self, house: House, seconds: float | None = None) -> None:
        self._house, self._seconds = house, seconds if seconds is not None else TURN_SECONDS

    async def take(self, group: int, holder: str) -> float:
        """See `bot.line.identify_turns.Turns`."""
        return await self._house.run_in_thread(partial(_take, group, holder, self._seconds))


def _take(group: int, holder: str, seconds: float, db: Database) -> float:
    if db.execute(_TAKE, {"group": group, "holder": holder, "seconds": seconds}).fetchone() is not None:
        return 0.0
    (left,) = db.execute(_LEFT, {"group": group}).fetchone()
    return max(float(left), 0.01)
