"""The part of a player's panel for choosing ahead of one's turn: what can be chosen, what is noted, and that it came to nothing.

Only the player sees them. Neither they nor their buttons ever stand in a public message: the ids of the buttons would tell.

Laws: TL-34, WT-2.
"""

from bot.render.hand.scene import Scene
from bot.render.message.custom_ids import button_id, form_id
from bot.render.message.panel import GREEN, GREY, RED, Button, Buttons, Form, TextField
from bot.table.preselection.types import PreselectedAction, Preselection, PreselectionView
from bot.text import buttons
from bot.text import preselection as words
from bot.text.buttons import Verb
from bot.text.language import t

CALL_UP_TO_CHIPS = "chips"


def preselection_lines(scene: Scene, early: PreselectionView) -> list[str]:
    """What *My hand* adds: what is noted, what has lapsed, or that the player can decide ahead."""
    chosen = early.chosen
    lapsed = chosen is not None and chosen.lapse_reason is not None
    lines: list[str] = []
    if chosen is not None:
        lines.append(words.lapsed(chosen) if lapsed else f"**{words.noted(early)}**")
    if early.options is not None:
        if chosen is None or lapsed:
            lines.append(t(words.WRITE_A_LINE if early.is_written else words.DECIDE_AHEAD))
        else:
            lasts = chosen.action is PreselectedAction.CHECK_DOWN
            lines.append(t(words.KEPT_UNTIL_BET if lasts else words.CAN_BE_CHANGED))
    return lines


def preselection_buttons(scene: Scene, early: PreselectionView) -> tuple[Buttons, ...]:
    """Return what can be chosen now, except what is noted already; and Clear, where something is noted."""
    options, noted = early.options, _noted(early)
    row: list[Button] = []
    if options is not None:
        if not _is_noted(noted, PreselectedAction.FOLD):
            row.append(_button(scene, Verb.PRESELECT_FOLD, t(buttons.FOLD), GREY))
        if options.check_or_fold and not _is_noted(noted, PreselectedAction.CHECK_OR_FOLD):
            row.append(_button(scene, Verb.PRESELECT_CHECK_OR_FOLD, t(buttons.CHECK_OR_FOLD), GREEN))
        if options.call and not _is_noted(noted, PreselectedAction.CALL, options.call):
            label = t(buttons.CALL_ALL_IN if options.all_in else buttons.CALL, chips=options.call)
            row.append(_button(scene, Verb.PRESELECT_CALL, label, GREEN, options.call))
    lines = _line_buttons(scene, early, noted) if early.is_written and options is not None else []
    if noted is not None:
        row.append(_button(scene, Verb.CLEAR_PRESELECTION, t(buttons.CLEAR), GREY))
    return tuple([Buttons(tuple(each)) for each in (row, lines) if each])


def _line_buttons(scene: Scene, early: PreselectionView, noted: Preselection | None) -> list[Button]:
    """Return the lines with a condition, which are written where turns can take hours (WT-2)."""
    found = [_button(scene, Verb.PRESELECT_CALL_UP_TO, t(buttons.CALL_UP_TO), GREEN)]
    can_check = early.options is not None and early.options.check_or_fold
    if can_check and not _is_noted(noted, PreselectedAction.CHECK_DOWN):
        found.append(_button(scene, Verb.PRESELECT_CHECK_DOWN, t(buttons.CHECK_DOWN), GREEN))
    return found


def call_up_to_form(table: int, hand: int, turn: int, user: int) -> Form:
    """Ask how many chips a player would call at most."""
    hint = t(words.CALL_UP_TO_HINT)
    field = TextField(CALL_UP_TO_CHIPS, t(words.CALL_UP_TO_FIELD), description=hint, required=True, max_length=24)
    return Form(t(words.CALL_UP_TO_FORM), form_id(table, hand, turn, Verb.PRESELECT_CALL_UP_TO, user), (field,))


def fold_question_buttons(scene: Scene) -> Buttons:
    """Asked once, privately, where a fold might give up a free check (TL-36)."""
    return Buttons(
        (
            _button(scene, Verb.PRESELECT_CHECK_OR_FOLD, t(buttons.CHECK_OR_FOLD), GREEN),
            _button(scene, Verb.PRESELECT_FOLD_ANYWAY, t(buttons.FOLD_ANYWAY), RED),
        )
    )


def _noted(early: PreselectionView) -> Preselection | None:
    """Return the choice that holds, or None."""
    return early.chosen if early.chosen is not None and early.chosen.lapse_reason is None else None


def _is_noted(noted: Preselection | None, action: PreselectedAction, call: int = 0) -> bool:
    return noted is not None and (noted.action, noted.chosen_call) == (action, call)


def _button(scene: Scene, verb: Verb, label: str, style: int, amount: int = 0) -> Button:
    return Button(label, button_id(scene.table_id, scene.hand_number, scene.view.decision_number, verb, amount), style)
