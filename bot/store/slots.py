"""The slots of a database: the servers are dealt out to them, and each has a schema and a dealer of its own."""

from msgspec import Struct

from bot.runtime.store_types import FIRST_FORMER_PLAYER, LAST_FORMER_PLAYER

MOST_SLOTS = 16
ID_SHIFT = 40
"""A slot has room for so many bits of numbers: a thousand a second for thirty years."""
GUILD_SHIFT = 22
"""The bits of an id below its time: Discord deals servers out to the connections of its gateway by those above them."""


def slot_of(guild: int, count: int) -> int:
    """Return the slot of a server, from 0. A connection to the gateway whose number leaves the same rest brings its events."""
    return (guild >> GUILD_SHIFT) % count


class ServerSlot(Struct, frozen=True):
    """One of the slots of a database.

    Attributes:
        number: from 0.
        count: how many there are.
    """

    number: int = 0
    count: int = 1

    @property
    def first_id(self) -> int:
        """What the dealer of this slot numbers is numbered after this: two slots never give the same number, so that they can be joined."""
        return self.number << ID_SHIFT

    @property
    def former_players(self) -> tuple[int, int]:
        """The first and the last id that the dealer of this slot gives to people who had their data deleted."""
        if self.count == 1:
            return FIRST_FORMER_PLAYER, LAST_FORMER_PLAYER
        each = (LAST_FORMER_PLAYER + 1 - FIRST_FORMER_PLAYER) // MOST_SLOTS
        return FIRST_FORMER_PLAYER + self.number * each, FIRST_FORMER_PLAYER + (self.number + 1) * each - 1

    def has(self, guild: int) -> bool:
        """Return whether a server belongs here."""
        return slot_of(guild, self.count) == self.number

    def shards(self, count: int) -> tuple[int, ...]:
        """Return which of so many connections to the gateway bring the events of its servers.

        Args:
            count: a multiple of the slots.
        """
        return tuple(range(self.number, count, self.count))


ALL_SERVERS = ServerSlot()
"""The only slot where there is one: of a file, and of a database unless more were asked for."""
