"""Panels for choosing ahead of one's turn: what can be chosen, what is noted, and that it came to nothing.

Only the player sees them. Neither they nor their buttons ever stand in a public message: the ids of the buttons would tell.

Source: law TL-34.
"""

from __future__ import annotations

from bot.render.hand.scene import Scene
from bot.render.message.custom_ids import Verb, button_id
from bot.render.message.panel import GREEN, GREY, RED, WAITING, Block, Button, Buttons, Panel, Text
from bot.table.preselection.types import PreselectedAction, Preselection, PreselectionView
from bot.text import buttons
from bot.text import preselection as words
from bot.text.language import t


def preselection_lines(scene: Scene, early: PreselectionView, *, turn_is_known: bool = False) -> list[str]:
    """Return what Peek adds: what is noted, what has lapsed, or that the player can decide ahead.

    Args:
        turn_is_known: another line says whose turn it is.
    """
    chosen = early.chosen
    lapsed = chosen is not None and chosen.lapse_reason is not None
    lines: list[str] = []
    if chosen is not None:
        lines.append(words.lapsed(chosen) if lapsed else f"**{words.noted(early)}**")
    if early.options is not None and (chosen is None or lapsed):
        name = scene.name(early.seat_number_to_act)
        lines.append(t(words.DECIDE_AHEAD) if turn_is_known else t(words.DECIDE_AHEAD_ON_TURN_OF, name=name))
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
    if noted is not None:
        row.append(_button(scene, Verb.CLEAR_PRESELECTION, t(buttons.CLEAR), GREY))
    return (Buttons(tuple(row)),) if row else ()


def noted_panel(scene: Scene, early: PreselectionView) -> Panel:
    """Return the answer to a command given out of turn: whose turn it is, and what is noted."""
    name = scene.name(early.seat_number_to_act)
    if _noted(early) is None:
        text = t(words.NOTHING_NOTED_ON_TURN_OF, name=name)
    else:
        text = t(words.NOTED_ON_TURN_OF, name=name, noted=words.noted(early))
    return Panel(WAITING, (Text(f"{text}\n{t(words.VALID_UNTIL)}"), *preselection_buttons(scene, early)))


def offer_panel(scene: Scene, early: PreselectionView, refusal_markdown: str) -> Panel:
    """Return the answer to a button pressed out of turn: the refusal, and what can be chosen instead."""
    blocks: list[Block] = [Text("\n".join([refusal_markdown, *preselection_lines(scene, early, turn_is_known=True)]))]
    return Panel(WAITING, (*blocks, *preselection_buttons(scene, early)))


def preselected_fold_question(scene: Scene) -> Panel:
    """Ask once, privately, whether the player wants a fold that can give up a free check (TL-36)."""
    row = (
        _button(scene, Verb.PRESELECT_CHECK_OR_FOLD, t(buttons.CHECK_OR_FOLD), GREEN),
        _button(scene, Verb.PRESELECT_FOLD_ANYWAY, t(buttons.FOLD_ANYWAY), RED),
    )
    return Panel(WAITING, (Text(t(words.FOLD_QUESTION)), Buttons(row)))


def lapsed_panel(scene: Scene, chosen: Preselection) -> Panel:
    """Tell the player at their turn that their choice does not fit it."""
    text = t(words.YOUR_TURN, lapsed=words.lapsed(chosen), table=scene.table_name(), number=scene.hand_number)
    return Panel(WAITING, (Text(text),))


def _noted(early: PreselectionView) -> Preselection | None:
    """Return the choice that holds, or None."""
    return early.chosen if early.chosen is not None and early.chosen.lapse_reason is None else None


def _is_noted(noted: Preselection | None, action: PreselectedAction, call: int = 0) -> bool:
    return noted is not None and (noted.action, noted.chosen_call) == (action, call)


def _button(scene: Scene, verb: Verb, label: str, style: int, amount: int = 0) -> Button:
    return Button(label, button_id(scene.table_id, scene.hand_number, scene.view.decision_number, verb, amount), style)
