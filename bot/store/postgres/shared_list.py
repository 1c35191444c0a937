"""The seats and tables that persons have with all dealers: rows of the house (`bot.runtime.taken`)."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from bot.runtime.store_errors import StoreFailed
from bot.runtime.taken import Taken, TakenKind
from bot.store.database import Database
from bot.store.postgres.fence import Fence
from bot.store.postgres.house import House

_MINE = 'WITH mine AS (SELECT 1 FROM "{schema}".owner WHERE epoch = :epoch FOR KEY SHARE)'
_OWNED = _MINE + " SELECT count(*) FROM mine"
_ADD = (
    _MINE
    + """
    INSERT INTO taken (slot, card_table, "user", kind, channel)
    SELECT CAST(:slot AS INTEGER), CAST(:table AS BIGINT), CAST(:user AS BIGINT), CAST(:kind AS TEXT), CAST(:channel AS BIGINT) FROM mine
    ON CONFLICT (slot, card_table, "user", kind) DO UPDATE SET channel = excluded.channel
"""
)
_REMOVE = (
    _MINE
    + """
    DELETE FROM taken WHERE slot = :slot AND card_table = :table AND "user" = :user AND kind = :kind AND EXISTS (SELECT 1 FROM mine)
"""
)
_CLEAR = _MINE + " DELETE FROM taken WHERE slot = :slot AND EXISTS (SELECT 1 FROM mine)"
_OF_OTHERS = (
    'SELECT "user", kind, card_table, channel FROM taken WHERE "user" = ? AND slot <> ? ORDER BY slot, card_table'
)


class SharedTakenList:
    """See `bot.runtime.taken.TakenList`.

    Args:
        slot: this dealer's.
        fence: returns what it owns. Nothing is written for one that owns it no more.
    """

    def __init__(self, house: House, slot: int, fence: Callable[[], Fence]) -> None:
        self._house, self._slot, self._fence = house, slot, fence

    async def replace(self, taken: Collection[Taken]) -> None:
        await self._house.run_in_thread(partial(_replace, self._slot, self._fence(), taken))

    async def change(self, added: Collection[Taken], removed: Collection[Taken]) -> None:
        await self._house.run_in_thread(partial(_change, self._slot, self._fence(), added, removed))

    async def of_others(self, user: int) -> tuple[Taken, ...]:
        return await self._house.run_in_thread(partial(_of_others, self._slot, user))


def _values(slot: int, fence: Fence, one: Taken) -> dict[str, Any]:
    what = {"table": one.table, "user": one.user, "kind": one.kind.value, "channel": one.channel}
    return {"slot": slot, "epoch": fence.epoch} | what


def _replace(slot: int, fence: Fence, taken: Collection[Taken], db: Database) -> None:
    with db.transaction():
        db.execute(_CLEAR.format(schema=fence.schema), {"slot": slot, "epoch": fence.epoch})
        db.executemany(_ADD.format(schema=fence.schema), [_values(slot, fence, one) for one in taken])
    require_owned(fence, db)


def _change(slot: int, fence: Fence, added: Collection[Taken], removed: Collection[Taken], db: Database) -> None:
    for one in removed:
        db.execute(_REMOVE.format(schema=fence.schema), _values(slot, fence, one))
    for one in added:
        db.execute(_ADD.format(schema=fence.schema), _values(slot, fence, one))
    require_owned(fence, db)


def require_owned(fence: Fence, db: Database) -> None:
    """Refuse to go on for a dealer that has lost its slot: what it wrote was left out.

    Raises:
        StoreFailed.
    """
    if db.execute(_OWNED.format(schema=fence.schema), {"epoch": fence.epoch}).fetchone() != (1,):
        raise StoreFailed(reason="another process has taken the data over")


def _of_others(slot: int, user: int, db: Database) -> tuple[Taken, ...]:
    return tuple(
        [
            Taken(who, TakenKind(kind), table, channel)
            for who, kind, table, channel in db.execute(_OF_OTHERS, (user, slot))
        ]
    )
