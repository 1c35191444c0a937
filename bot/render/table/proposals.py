"""Describe what a proposed change of a table's rules would change (H-1)."""

from msgspec.structs import replace

from bot.render.house.house_pages import SettingChoice, law_setting_choices, table_setting_choices
from bot.render.table.mixed_games import mixed_game_choices
from bot.table.settings import TableSettings
from bot.table.view import TableView
from bot.text import escape
from bot.text import lobby as words
from bot.text.language import t

LINES_MAX = 8
VALUE_LENGTH_MAX = 150


def proposal_text(view: TableView) -> str:
    """Return each setting with its value now and the proposed one, in lines; empty where no settings are proposed."""
    proposal = view.proposal
    if proposal is None or proposal.settings is None:
        return ""
    before, after = _choices_by_field(view, view.settings), _choices_by_field(view, proposal.settings)
    changes: list[str] = []
    for field, choice in after.items():
        value, old = _safe_value(choice), before.get(field)
        if old is None:
            changes.append(t(words.NEW_VALUE, name=choice.label, after=value))
        elif old.value_text != choice.value_text:
            changes.append(t(words.CHANGED_VALUE, name=choice.label, before=_safe_value(old), after=value))
    if not changes:
        return ""
    if len(changes) > LINES_MAX:
        changes = [*changes[:LINES_MAX], t(words.MORE_CHANGES, count=len(changes) - LINES_MAX)]
    return t(words.PROPOSED_CHANGES, changes="\n".join(changes))


def _safe_value(choice: SettingChoice) -> str:
    return escape.text(choice.value_text, VALUE_LENGTH_MAX)


def _choices_by_field(view: TableView, settings: TableSettings) -> dict[str, SettingChoice]:
    changed = replace(view, settings=settings, min_buyin=settings.min_buyin, max_buyin=settings.max_buyin)
    choices = (*mixed_game_choices(settings), *table_setting_choices(changed), *law_setting_choices(settings))
    return {choice.field: choice for choice in choices}
