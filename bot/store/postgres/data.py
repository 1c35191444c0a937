"""A schema of PostgreSQL for those who read it beside the dealer: a `bot.store.data_source.DataElsewhere`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from bot.store.house_copy import HouseCopy
from bot.store.postgres.connecting import COPY_SILENCE_MS, connect
from bot.store.postgres.database import PostgresDatabase
from bot.store.postgres.house_values import copy_of_house
from bot.store.postgres.names import ADDRESS, SCHEME


@dataclass(frozen=True)
class PostgresData:
    """A schema of a database.

    Attributes:
        address: as ``postgresql://…``; it can hold a password.
        house: the schema that it shares with those of other slots; empty for none.
    """

    address: str = field(repr=False)
    schema: str
    house: str = ""

    def __str__(self) -> str:
        return f"{SCHEME}{self.schema}{'+' if self.house else ''}{self.house}"

    @property
    def environment(self) -> Mapping[str, str]:
        return {ADDRESS: self.address}

    def connect(self) -> PostgresDatabase:
        """Return a connection that cannot write."""
        return PostgresDatabase(partial(connect, self.address, self.schema, "cardroom statistics", reads_only=True))

    def connect_to_audit(self) -> PostgresDatabase:
        """Return a connection that only reads, and can have temporary tables."""
        return PostgresDatabase(partial(connect, self.address, self.schema, "cardroom audit"))

    def connect_to_copy(self) -> PostgresDatabase:
        """Return a connection that only reads, for as long as the other side of a copy takes."""
        opens = partial(
            connect, self.address, self.schema, "cardroom copy", idle_ms=0, silence_ms=COPY_SILENCE_MS, reads_only=True
        )
        return PostgresDatabase(opens)

    def house_copy(self) -> HouseCopy | None:
        """Return what a copy holds of the house; None where there is none."""
        return copy_of_house(self.address, self.house) if self.house else None
