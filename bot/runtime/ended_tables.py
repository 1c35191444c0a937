"""Tables that have closed and whose last message is not there yet: what it says is saved with the end of the table, so no kill loses it."""

from collections.abc import Iterable

from msgspec import Struct

from bot.runtime.journal import JournalEvent
from bot.runtime.saved_values import OF_A_TABLE, SavedKind
from bot.runtime.snapshot import TableAddress
from bot.table.ended_game import EndedGame, ended_game
from bot.table.events import ClosingRequested, TableClosed
from bot.table.state import Table


class EndedTable(Struct, frozen=True):
    """A table whose last message is due. It is stored."""

    address: TableAddress
    game: EndedGame


ENDED_TABLES = SavedKind[int, EndedTable]("ended.", OF_A_TABLE, EndedTable, holds_people=True, told=None)


def kept_end(address: TableAddress, table: Table, events: Iterable[JournalEvent]) -> tuple[str, bytes | None]:
    """Return what is saved with the end of a table."""
    closing = [event for event in events if isinstance(event, ClosingRequested | TableClosed)]
    return ENDED_TABLES.entry(address.id, EndedTable(address, ended_game(table, address.number, closing)))
