"""A table whose channel is gone is closed, also one in a thread of that channel."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

from bot.signals import ChannelDeleted, GuildLeft, Signals
from bot.surfaces.rooms.lost_channels import LostChannels
from bot.surfaces.rooms.saved_rooms import TableRoom

GUILD, POKER, THREAD = 1, 10, 11


class House:
    """Table 5 is open in a thread of #poker, table 6 was there and has closed, table 7 is open elsewhere."""

    def __init__(self) -> None:
        self.closed: list[int] = []

    def table_in_channel(self, guild: int, channel: int) -> None:
        """Nobody plays in #poker itself."""

    def tables_in_guild(self, guild: int) -> list[Any]:
        return [SimpleNamespace(id=5), SimpleNamespace(id=7)]

    def all(self) -> Iterator[tuple[int, TableRoom]]:
        yield from ((5, TableRoom(GUILD, POKER, THREAD)), (6, TableRoom(GUILD, POKER, THREAD + 1)))

    async def close_without_channel(self, table: int) -> None:
        self.closed.append(table)


async def closed_after(signal: object) -> list[int]:
    house, signals = House(), Signals()
    lost = LostChannels(signals, cast("Any", house), cast("Any", house))
    signals.send(cast("Any", signal))
    await lost.tasks.finish(1.0)
    return house.closed


async def test_open_tables_in_threads_of_a_deleted_channel_close() -> None:
    assert await closed_after(ChannelDeleted(GUILD, POKER)) == [5]
    assert await closed_after(ChannelDeleted(GUILD, POKER + 90)) == []
    assert await closed_after(ChannelDeleted(GUILD + 1, POKER)) == []


async def test_every_table_of_a_server_that_is_left_closes() -> None:
    assert await closed_after(GuildLeft(GUILD)) == [5, 7]
