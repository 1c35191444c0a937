"""The next table that waits for somebody, across all of theirs: in `/me`, and after each action where turns can take hours."""

from __future__ import annotations

from bot.render.message.panel import Panel
from bot.render.table.waiting import TableThatWaits, next_table_panel
from bot.runtime.snapshot import TableSnapshot
from bot.runtime.tables import Tables
from bot.surfaces.table.display import TableDisplay


def tables_waiting_for(tables: Tables, user: int, besides: int = 0) -> list[TableSnapshot]:
    """Return the tables whose turns can take hours and that wait for somebody, the one whose turn ends first comes first.

    Args:
        besides: the table that they are at.
    """
    found = [
        (snapshot.current_turn.turn_ends_at, snapshot.id, snapshot)
        for snapshot in tables.all_tables()
        if snapshot.id != besides
        and snapshot.current_turn is not None
        and snapshot.settings.is_slow
        and snapshot.stage_of(user).turn >= 0
    ]
    return [snapshot for _, _, snapshot in sorted(found, key=lambda one: one[:2])]


def next_table(tables: Tables, display: TableDisplay, user: int, besides: int = 0) -> TableThatWaits | None:
    """Return the next table that waits for somebody; None where none does."""
    waiting = tables_waiting_for(tables, user, besides)
    if not waiting:
        return None
    first = waiting[0]
    turn = first.current_turn
    assert turn is not None, "nobody is awaited without a turn"
    return TableThatWaits(len(waiting), first.address.channel, turn.turn_ends_at, display.link_to(first))


def after_action(tables: Tables, display: TableDisplay, user: int, table: int) -> Panel | None:
    """Return what somebody is shown who has acted at a table whose turns can take hours; None where no other table waits for them."""
    found = next_table(tables, display, user, besides=table)
    return next_table_panel(found) if found is not None else None
