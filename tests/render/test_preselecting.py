"""What a player alone is told of choosing before his turn (TL-34)."""

import pytest
from msgspec.structs import replace

from bot.engine.legal import Legal
from bot.engine.view import HandView
from bot.render import preselecting, private
from bot.render.ids import Press, Verb, parse
from bot.render.limits import check
from bot.render.panel import Buttons, Panel, payload
from bot.render.plain import plain
from bot.table.preselected import Choice, Early, Ended, Preselectable, Preselection
from tests.render.hands import mid_hand, scene, seen

CHECK_OR_DROP, CALL, DROP = Choice.CHECK_OR_DROP, Choice.CALL, Choice.DROP
FREE = Preselectable(check_or_drop=True, call=0, all_in=False)
FACING = Preselectable(check_or_drop=False, call=1025, all_in=False)


def waiting() -> HandView:
    """The hand of mock-up 01 as bob_the_builder sees it, who waits for river_rat in seat 7."""
    view = mid_hand()
    seats = list(view.seats)
    seats[1] = replace(seats[1], cards=seen("Ac 9h"))
    return replace(view, viewer=1, seats=tuple(seats), legal=Legal(1))


def early(may: Preselectable | None = FREE, chosen: Preselection | None = None) -> Early:
    return Early(7, may, chosen)


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
        (early(None, Preselection(2, CALL, 100, Ended.CHANGED, 1025)), []),
    ],
)
def test_peek_offers_what_may_be_chosen_and_not_what_is_noted_already(what: Early, offered: list[str]) -> None:
    assert labels(check(private.peek_panel(scene(waiting()), what))) == offered


@pytest.mark.law("TL-34")
@pytest.mark.parametrize(
    ("what", "told"),
    [
        (early(), "-# It is river\\_rat's turn. You may choose now what you do at yours; nobody sees it."),
        (early(chosen=Preselection(2, CHECK_OR_DROP)), "**Noted:** you will check, or fold if there is a bet."),
        (early(FACING, Preselection(2, CALL, 1025)), "**Noted:** you will call 1,025, if it is still 1,025."),
        (early(FACING, Preselection(2, CALL, 20)), "**Noted:** you will call 20, if it is still 20. It is 1,025 now: choose anew."),
        (early(FACING, Preselection(2, DROP)), "**Noted:** you will fold, whatever comes."),
        (
            early(None, Preselection(2, CALL, 20, Ended.CHANGED, 60)),
            "You had noted to call 20; it is 60 to call now, so that lapsed.",
        ),
        (
            early(None, Preselection(2, CHECK_OR_DROP, 0, Ended.BARRED)),
            "You had noted to check or fold; that may not be done here, so that lapsed.",
        ),
        (
            early(FREE, Preselection(2, DROP, 0, Ended.STREET)),
            "You had noted to fold; the street ended before your turn, so that lapsed.",
        ),
    ],
)  # fmt: skip
def test_peek_tells_what_is_noted_and_what_has_lapsed(what: Early, told: str) -> None:
    assert told in plain(check(private.peek_panel(scene(waiting()), what))).split("\n")


@pytest.mark.law("TL-34", "TL-35")
def test_buttons_say_which_table_hand_turn_and_call() -> None:
    view = waiting()
    (row,) = preselecting.buttons(scene(view), early(FACING))
    ids = [parse(button.custom_id) for button in row.buttons]
    where = scene(view)
    assert ids == [
        Press(where.table, where.hand, view.turn, Verb.PRE_DROP),
        Press(where.table, where.hand, view.turn, Verb.PRE_CALL, 1025),
    ]


@pytest.mark.law("TL-34")
def test_a_command_out_of_turn_is_answered_with_whose_turn_it_is_and_what_is_noted() -> None:
    told = plain(check(preselecting.noted_panel(scene(waiting()), early(chosen=Preselection(2, CHECK_OR_DROP)))))
    assert told == (
        "It is **river\\_rat**'s turn. Noted: you will check, or fold if there is a bet.\n"
        "-# Only you can see this. It holds for this street; change or clear it until your turn.\n"
        "-# Law TL-34\n"
        "[Fold] [Clear]"
    )
    assert "Nothing is noted." in plain(check(preselecting.noted_panel(scene(waiting()), early())))


@pytest.mark.law("TL-34", "TL-36")
def test_a_drop_that_might_give_up_a_free_check_is_asked_once() -> None:
    panel = check(preselecting.drop_question(scene(waiting())))
    assert plain(panel).endswith("Fold anyway?\n[+Check / fold] [!Fold anyway]")


@pytest.mark.law("TL-34")
def test_longest_labels_and_lines_keep_the_limits() -> None:
    """The most chips a table holds: the labels stay within what a phone shows in a row."""
    most = Preselectable(check_or_drop=False, call=10**9, all_in=True)
    panel = check(private.peek_panel(scene(waiting()), early(most, Preselection(2, CALL, 10**9 - 1))))
    assert all(len(label) <= 27 for label in labels(panel))
    assert len(payload(panel)) == 1
    lapsed = preselecting.lapsed_panel(scene(waiting()), Preselection(2, CALL, 20, Ended.CHANGED, 60))
    assert "**It is your turn** at Table 3, hand #1284." in plain(check(lapsed))
