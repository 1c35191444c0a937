"""Who can come to a table, and who can see afterwards what was played there."""

from collections.abc import Iterable

from msgspec import Struct

from bot.runtime.journal import JournalEvent
from bot.runtime.store_types import EVERY_HAND
from bot.table import events as te
from bot.table.state import Table


class TableGuests(Struct, frozen=True):
    """Who can come to a new table: everybody, or at a private one those who are invited."""

    private: bool = False
    invited: tuple[int, ...] = ()


EVERYBODY = TableGuests()


def new_guests(table: Table, events: Iterable[JournalEvent]) -> tuple[tuple[int, int], ...]:
    """Return whose right to see the hands of a private table has changed by these events, each with the last hand that they can see.

    Somebody who is removed can see the hands up to the one that is being played: they were there.
    """
    found: dict[int, int] = {}
    for event in events:
        match event:
            case te.TableOpened(player=player, invited=invited):
                found |= dict.fromkeys((player, *invited), EVERY_HAND)
            case te.PlayersInvited(players=players):
                found |= dict.fromkeys(players, EVERY_HAND)
            case te.PlayerKeptOut(player=player):
                found[player] = table.hands_dealt
            case _:
                pass
    return tuple(found.items())
