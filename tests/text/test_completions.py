"""In a stud game the raise over a bring-in is called a completion, on the button, in refusals and in the answer (VC-5)."""

import pytest

from bot.engine.events import BetTo, RaisedTo
from bot.engine.refusals import WrongSize
from bot.engine.stakes import Stakes
from bot.engine.view.types import ActionVerb
from bot.render.hand.action_buttons import table_rows
from bot.text.actions import confirmation
from bot.text.refusals.wording import refusal_text
from bot.variants import game
from tests.render.sample_hands import scene
from tests.support.told import Told, deal


def stud() -> Told:
    """Deal four-handed stud in which A, with the two, brings in."""
    return deal(
        game("stud"),
        button="D",
        stacks=dict.fromkeys("ABCD", 500),
        cards={"A": "? ? 2c", "B": "? ? 9h", "C": "? ? Kd", "D": "? ? Qs"},
        stakes=Stakes(ante=2, small_bet=15, big_bet=30, bring_in=5),
    )


def labels(hand: Told) -> list[str]:
    return [button.label for row in table_rows(scene(hand.view())) for button in row.buttons]


@pytest.mark.law("VC-5")
def test_button_and_refusal_complete_to_the_same_amount() -> None:
    hand = stud()
    assert labels(hand)[1:] == ["Open for 5", "Complete to 15"]
    hand.play("A brings in 5")
    assert labels(hand)[1:] == ["Fold", "Call 5", "Complete to 15"]
    refused = refusal_text(hand.refuses("B raises to 20", WrongSize))
    assert refused.startswith(
        "You complete to exactly 15 here. You can fold, call 5, or complete to 15. Your chips have not moved."
    )
    hand.play("B completes to 15")
    assert labels(hand)[1:] == ["Fold", "Call 15", "Raise to 30"]
    assert "raise to 30" in refusal_text(hand.refuses("C raises to 40", WrongSize))


@pytest.mark.law("VC-5")
def test_completion_is_confirmed_by_its_name() -> None:
    hand = stud()
    hand.play("A brings in 5", "B completes to 15")
    events = hand.events_of(RaisedTo)
    assert confirmation(events, verb=ActionVerb.COMPLETE) == "You complete to 15 (put in 15)."
    assert confirmation(events) == "You raise to 15 (put in 15)."
    opened = hand.events_of(BetTo)
    assert confirmation(opened, verb=ActionVerb.BRING_IN) == "You open for 5 (bring-in)."
