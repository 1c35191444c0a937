"""Clicks in direct messages that one dealer passes on to another: rows of the house (`bot.runtime.passed_clicks`)."""

from collections.abc import Callable
from functools import partial

from bot.runtime.passed_clicks import PassedClick
from bot.store.database import Database
from bot.store.postgres.fence import Fence
from bot.store.postgres.house import House

OPEN_SECONDS = 3.0
"""So long after it was passed on a click can be taken: then Discord takes no answer any more."""
KEPT_SECONDS = 30.0
_PASS_ON = "INSERT INTO passed_click VALUES (?, ?, ?, clock_timestamp()) ON CONFLICT DO NOTHING"
_WAITING = """
    SELECT interaction, slot, event FROM passed_click
    WHERE (slot = ? OR slot IS NULL) AND at > clock_timestamp() - make_interval(secs => ?) ORDER BY interaction
"""
_TAKE = """
    DELETE FROM passed_click WHERE interaction = :interaction AND at > clock_timestamp() - make_interval(secs => :seconds)
        AND EXISTS (SELECT 1 FROM "{schema}".owner WHERE epoch = :epoch)
    RETURNING 1
"""
_TAKE_BACK = "DELETE FROM passed_click WHERE interaction = ? RETURNING 1"
_FORGET = "DELETE FROM passed_click WHERE at < clock_timestamp() - make_interval(secs => ?)"


class SharedClicks:
    """See `bot.runtime.passed_clicks.PassedClicks`.

    Args:
        slot: this dealer's.
        fence: returns what it owns. Whoever owns it no more takes no click.
    """

    def __init__(self, house: House, slot: int, fence: Callable[[], Fence]) -> None:
        self._house, self._slot, self._fence = house, slot, fence

    async def pass_on(self, click: PassedClick) -> None:
        await self._house.run_in_thread(partial(_pass_on, click))

    async def waiting(self) -> list[PassedClick]:
        return await self._house.run_in_thread(partial(_waiting, self._slot))

    async def take(self, interaction: int) -> bool:
        return await self._house.run_in_thread(partial(_take, interaction, self._fence()))

    async def take_back(self, interaction: int) -> bool:
        return await self._house.run_in_thread(partial(_take_back, interaction))


def _pass_on(click: PassedClick, db: Database) -> None:
    db.execute(_FORGET, (KEPT_SECONDS,))
    db.execute(_PASS_ON, (click.interaction, click.slot, click.event))


def _waiting(slot: int, db: Database) -> list[PassedClick]:
    return [PassedClick(*row) for row in db.execute(_WAITING, (slot, OPEN_SECONDS)).fetchall()]


def _take(interaction: int, fence: Fence, db: Database) -> bool:
    values = {"interaction": interaction, "seconds": OPEN_SECONDS, "epoch": fence.epoch}
    return db.execute(_TAKE.format(schema=fence.schema), values).fetchone() is not None


def _take_back(interaction: int, db: Database) -> bool:
    return db.execute(_TAKE_BACK, (interaction,)).fetchone() is not None
