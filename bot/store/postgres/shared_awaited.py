"""Whom all dealers wait for at tables whose turns can take hours: rows of the house (`bot.runtime.awaited`)."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from bot.runtime.awaited import AwaitedTurn
from bot.store.database import Database
from bot.store.postgres.fence import Fence
from bot.store.postgres.house import House
from bot.store.postgres.shared_list import require_owned

_MINE = 'WITH mine AS (SELECT 1 FROM "{schema}".owner WHERE epoch = :epoch FOR KEY SHARE)'
_ADD = (
    _MINE
    + """
    INSERT INTO awaited (slot, card_table, "user", guild, channel, ends_at)
    SELECT CAST(:slot AS INTEGER), CAST(:table AS BIGINT), CAST(:user AS BIGINT), CAST(:guild AS BIGINT), CAST(:channel AS BIGINT),
           CAST(:ends_at AS BIGINT) FROM mine
    ON CONFLICT (slot, card_table, "user") DO UPDATE SET channel = excluded.channel, ends_at = excluded.ends_at
"""
)
_CLEAR_TABLE = _MINE + " DELETE FROM awaited WHERE slot = :slot AND card_table = :table AND EXISTS (SELECT 1 FROM mine)"
_CLEAR = _MINE + " DELETE FROM awaited WHERE slot = :slot AND EXISTS (SELECT 1 FROM mine)"
_OF_OTHERS = (
    'SELECT "user", card_table, guild, channel, ends_at FROM awaited WHERE "user" = ? AND slot <> ?'
    " ORDER BY ends_at, slot, card_table"
)


class SharedAwaitedList:
    """See `bot.runtime.awaited.AwaitedList`.

    Args:
        slot: this dealer's.
        fence: returns what it owns. Nothing is written for one that owns it no more.
    """

    def __init__(self, house: House, slot: int, fence: Callable[[], Fence]) -> None:
        self._house, self._slot, self._fence = house, slot, fence

    async def replace(self, turns: Collection[AwaitedTurn]) -> None:
        await self._house.run_in_thread(partial(_write, self._slot, self._fence(), _CLEAR, 0, turns))

    async def change(self, table: int, turns: Collection[AwaitedTurn]) -> None:
        await self._house.run_in_thread(partial(_write, self._slot, self._fence(), _CLEAR_TABLE, table, turns))

    async def of_others(self, user: int) -> tuple[AwaitedTurn, ...]:
        return await self._house.run_in_thread(partial(_of_others, self._slot, user))


def _write(slot: int, fence: Fence, clear: str, table: int, turns: Collection[AwaitedTurn], db: Database) -> None:
    owned: dict[str, Any] = {"slot": slot, "epoch": fence.epoch}
    with db.transaction():
        db.execute(clear.format(schema=fence.schema), owned | ({"table": table} if clear is _CLEAR_TABLE else {}))
        rows = [
            {"table": one.table, "user": one.user, "guild": one.guild, "channel": one.channel, "ends_at": one.ends_at}
            for one in turns
        ]
        db.executemany(_ADD.format(schema=fence.schema), [owned | row for row in rows])
    require_owned(fence, db)


def _of_others(slot: int, user: int, db: Database) -> tuple[AwaitedTurn, ...]:
    return tuple([AwaitedTurn(*row) for row in db.execute(_OF_OTHERS, (user, slot))])
