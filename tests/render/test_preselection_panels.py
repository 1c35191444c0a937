"""Only the player reads about their choice before the turn (TL-34)."""

import pytest
from msgspec.structs import replace

from bot.engine.legal import LegalActions
from bot.engine.view.types import HandView
from bot.render.hand import preselection_panels
from bot.render.hand.my_hand import PanelState, Question, my_hand_panel
from bot.render.message.custom_ids import Press, parse_custom_id
from bot.render.message.panel import Buttons, Panel, payload
from bot.table.preselection.types import (
    PreselectedAction,
    Preselection,
    PreselectionEndReason,
    PreselectionOptions,
    PreselectionView,
)
from bot.text.buttons import Verb
from tests.render.sample_hands import cards_seen, mid_hand, scene
from tests.support.message_limits import within_limits
from tests.support.panel_text import panel_as_text

CHECK_OR_DROP, CALL, DROP = PreselectedAction.CHECK_OR_FOLD, PreselectedAction.CALL, PreselectedAction.FOLD
FREE = PreselectionOptions(check_or_fold=True, call=0, all_in=False)
FACING = PreselectionOptions(check_or_fold=False, call=1025, all_in=False)


def waiting() -> HandView:
    """Return the hand of `mid_hand` as bob_the_builder sees it while waiting for river_rat in seat 7."""
    view = mid_hand()
    seats = list(view.seats)
    seats[1] = replace(seats[1], cards=cards_seen("Ac 9h"))
    return replace(view, viewer=1, seats=tuple(seats), legal=LegalActions(1))


def early(may: PreselectionOptions | None = FREE, chosen: Preselection | None = None) -> PreselectionView:
    return PreselectionView(may, chosen)


def labels(panel: Panel) -> list[str]:
    return [button.label for block in panel.blocks if isinstance(block, Buttons) for button in block.buttons]


@pytest.mark.law("TL-34")
@pytest.mark.parametrize(
    ("what", "offered"),
    [
        (early(), ["Fold", "Check / fold"]),
        (early(FACING), ["Fold", "Call 1,025"]),
        (early(replace(FACING, all_in=True)), ["Fold", "Call all-in 1,025"]),
        (early(chosen=Preselection(2, CHECK_OR_DROP)), ["Fold", "Clear"]),
        (early(FACING, Preselection(2, CALL, 1025)), ["Fold", "Clear"]),
        (early(FACING, Preselection(2, CALL, 100)), ["Fold", "Call 1,025", "Clear"]),
        (early(FACING, Preselection(2, DROP)), ["Call 1,025", "Clear"]),
        (early(None, Preselection(2, CALL, 100, PreselectionEndReason.CALL_CHANGED, 1025)), []),
    ],
)
def test_panel_offers_choices_except_the_one_already_made(what: PreselectionView, offered: list[str]) -> None:
    assert labels(within_limits(my_hand_panel(scene(waiting()), what))) == offered


@pytest.mark.law("TL-34")
@pytest.mark.parametrize(
    ("what", "told"),
    [
        (early(), "-# Decide ahead if you like. Nobody else sees it."),
        (early(chosen=Preselection(2, CHECK_OR_DROP)), "**Noted: check, or fold if there is a bet.**"),
        (early(FACING, Preselection(2, CALL, 1025)), "**Noted: call 1,025, if it is still 1,025.**"),
        (early(FACING, Preselection(2, CALL, 20)), "**Noted: call 20, if it is still 20. It's 1,025 now: choose again.**"),
        (early(FACING, Preselection(2, DROP)), "**Noted: fold to any bet.**"),
        (
            early(None, Preselection(2, CALL, 20, PreselectionEndReason.CALL_CHANGED, 60)),
            "You'd planned to call 20, but it's 60 now.",
        ),
        (
            early(None, Preselection(2, CHECK_OR_DROP, 0, PreselectionEndReason.NOT_LAWFUL)),
            "You'd planned to check or fold, but that isn't possible here.",
        ),
        (
            early(FREE, Preselection(2, DROP, 0, PreselectionEndReason.STREET_OVER)),
            "You'd planned to fold, but the street ended before your turn.",
        ),
    ],
)  # fmt: skip
def test_panel_shows_active_and_lapsed_preselections(what: PreselectionView, told: str) -> None:
    assert told in panel_as_text(within_limits(my_hand_panel(scene(waiting()), what))).split("\n")


@pytest.mark.law("TL-34", "TL-35")
def test_buttons_say_which_table_hand_turn_and_call() -> None:
    view = waiting()
    (row,) = preselection_panels.preselection_buttons(scene(view), early(FACING))
    ids = [parse_custom_id(button.custom_id) for button in row.buttons]
    where = scene(view)
    assert ids == [
        Press(where.table_id, where.hand_number, view.decision_number, Verb.PRESELECT_FOLD),
        Press(where.table_id, where.hand_number, view.decision_number, Verb.PRESELECT_CALL, 1025),
    ]


@pytest.mark.law("TL-34", "TL-36")
def test_fold_that_could_be_a_free_check_asks_once() -> None:
    state = PanelState(question=Question.PRESELECTED_FOLD)
    panel = within_limits(my_hand_panel(scene(waiting()), early(), state))
    assert panel_as_text(panel).endswith("[+Check / fold] [!Fold anyway]")
    assert "Fold anyway?" in panel_as_text(panel)


@pytest.mark.law("TL-34")
def test_longest_labels_and_lines_keep_the_limits() -> None:
    """With the most chips that a table holds, the labels still fit a row on a phone."""
    most = PreselectionOptions(check_or_fold=False, call=10**9, all_in=True)
    panel = within_limits(my_hand_panel(scene(waiting()), early(most, Preselection(2, CALL, 10**9 - 1))))
    assert all(len(label) <= 27 for label in labels(panel))
    assert len(payload(panel)) == 1
