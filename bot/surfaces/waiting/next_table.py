"""The next table that waits for somebody, across all of theirs: in `/me`, and after each action where turns can take hours."""

from __future__ import annotations

from bot.render.message.panel import Panel
from bot.render.table.waiting import TableThatWaits, next_table_panel
from bot.runtime.tables import Tables
from bot.surfaces.table.display import TableDisplay


def next_table(tables: Tables, display: TableDisplay, user: int, besides: int = 0) -> TableThatWaits | None:
    """Return the next table that waits for somebody: the one where their turn ends first. None where none does.

    Args:
        besides: the table that they are at.
    """
    turns = [(ends_at, table) for ends_at, table in tables.slow_turns(user) if table != besides]
    if not turns:
        return None
    ends_at, table = turns[0]
    first = tables.snapshot(table)
    return TableThatWaits(len(turns), first.address.channel, ends_at, display.link_to(first))


def after_action(tables: Tables, display: TableDisplay, user: int, table: int) -> Panel | None:
    """Return what somebody is shown who has acted at a table whose turns can take hours; None where no other table waits for them."""
    found = next_table(tables, display, user, besides=table)
    return next_table_panel(found) if found is not None else None
