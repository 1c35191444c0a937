"""Whom tables wait for whose turns can take hours, with all dealers: people find the next table that waits for them in any server."""

from collections.abc import Collection
from typing import Protocol

from msgspec import Struct


class AwaitedTurn(Struct, frozen=True):
    """A table that waits for somebody. `ends_at`: when their turn ends, in ms since the epoch."""

    user: int
    table: int
    guild: int
    channel: int
    ends_at: int


class AwaitedList(Protocol):
    """Where all dealers write down whom they wait for. Each raises a `StoreError` if that cannot be done."""

    async def replace(self, turns: Collection[AwaitedTurn]) -> None:
        """Let these be all turns at the tables of this dealer."""

    async def change(self, table: int, turns: Collection[AwaitedTurn]) -> None:
        """Let these be the turns at a table. It can be done twice."""

    async def of_others(self, user: int) -> tuple[AwaitedTurn, ...]:
        """Return the turns of somebody with the other dealers."""
