"""What persons have in all servers together: seats, and tables that they host."""

from collections.abc import Collection
from enum import StrEnum
from typing import Protocol

from msgspec import Struct


class TakenKind(StrEnum):
    """What is counted apart. The values are stored."""

    SEAT = "seat"
    SLOW_SEAT = "slow seat"
    TABLE = "table"
    SLOW_TABLE = "slow table"
    PRACTICE_TABLE = "practice table"


class Taken(Struct, frozen=True):
    """A seat that somebody has, or a table that they host. `table` is below 0 for one that is being opened."""

    user: int
    kind: TakenKind
    table: int
    channel: int


class TakenList(Protocol):
    """Where all dealers write down what is taken. Each raises a `StoreError` if that cannot be done."""

    async def replace(self, taken: Collection[Taken]) -> None:
        """Let this be all that is taken at the tables of this dealer."""

    async def change(self, added: Collection[Taken], removed: Collection[Taken]) -> None:
        """Add and remove some of it. Both can be done twice."""

    async def of_others(self, user: int) -> tuple[Taken, ...]:
        """Return what somebody has with the other dealers."""
