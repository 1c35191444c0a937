"""What a proposed change of a table's rules would change, one line a matter (H-1)."""

from __future__ import annotations

from msgspec.structs import replace

from bot.render import escape
from bot.render.house import Choice, law_choices, table_choices
from bot.render.mixing import mix_choices
from bot.table.settings import TableSettings
from bot.table.view import TableView

LINES_MOST = 8


def proposed_lines(view: TableView) -> tuple[str, ...]:
    """Each matter with its value now and the proposed one; nothing where no settings are proposed."""
    asked = view.proposal
    if asked is None or asked.settings is None:
        return ()
    before, after = _choices(view, view.settings), _choices(view, asked.settings)
    lines = [
        f"{choice.label}: {escape.text(before[field].now, 150)} → **{escape.text(choice.now, 150)}**"
        if field in before
        else f"{choice.label}: **{escape.text(choice.now, 150)}**"
        for field, choice in after.items()
        if field not in before or before[field].now != choice.now
    ]
    if len(lines) > LINES_MOST:
        lines = [*lines[:LINES_MOST], f"and {len(lines) - LINES_MOST} more"]
    return tuple(lines)


def _choices(view: TableView, settings: TableSettings) -> dict[str, Choice]:
    shown = replace(view, settings=settings, min_buyin=settings.min_buyin, max_buyin=settings.max_buyin)
    found = (*mix_choices(settings), *table_choices(shown), *law_choices(settings))
    return {choice.field: choice for choice in found}
