"""Actions in words: every form has words for everything that a seat can do."""

import pytest

from bot.engine import events
from bot.engine.events import PostKind
from bot.engine.legal import Decision
from bot.engine.view.types import ActionVerb, LastAction
from bot.text.actions import NOTED, POSTS, TOLD, TURNS, action_note, action_told, confirmation, timed_out


def test_every_action_and_every_decision_has_words() -> None:
    assert set(TOLD) == set(NOTED) == set(ActionVerb)
    assert set(POSTS) == set(PostKind)
    assert set(TURNS) == set(Decision)


@pytest.mark.parametrize("verb", ActionVerb)
@pytest.mark.parametrize("all_in", [False, True])
def test_every_action_is_told_with_its_values(verb: ActionVerb, all_in: bool) -> None:
    note = PostKind.ANTE.value if verb is ActionVerb.POST else ""
    action = LastAction(1, verb, to=4_000, chips=2_975, all_in=all_in, card_count=2, note=note, card=51)
    assert action_told(action, "Mia").startswith("Mia ")
    assert "{" not in action_told(action, "Mia") + action_note(action)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.Folded(1), "You fold."),
        (events.Called(1, 640, True), "You call 640. You're all-in."),
        (events.RaisedTo(1, 4_000, 2_975), "You raise to 4,000 (put in 2,975)."),
        (events.Drew(1, (3, 4), 20), "You draw 2."),
        (events.Drew(1, (), 20), "You stand pat."),
        (events.HandEnded(), "Done."),
    ],
)
def test_slash_command_is_answered_with_its_effect(event: events.HandEvent, words: str) -> None:
    assert confirmation((events.ActionOn(2), event, events.Folded(2))[:2]) == words


@pytest.mark.law("TL-41")
@pytest.mark.parametrize(
    ("card_indices", "word", "decision", "words", "later"),
    [
        ((7,), "", Decision.GIVE_UP, "You discard 1 card, face down.", ""),
        ((7, 9), "", Decision.GIVE_UP, "You discard 2 cards, face down.", ""),
        ((7, 8, 9), "", Decision.PASS_CARDS, "You pass 3 cards.", " Cards move on when everyone has chosen."),
        ((7, 8), "", Decision.ARRANGE, "Your order is set. Your cards are turned up one by one.", ""),
        ((), "in", Decision.DECLARE, "You're **in**.", " It's revealed when everyone has chosen."),
        ((), "both", Decision.DECLARE, "You go **both ways**.", " It's revealed when everyone has chosen."),
        ((), "yes", Decision.RUN_TWICE, "You chose **twice**.", " It's revealed when everyone has chosen."),
    ],
)
def test_secret_choice_is_confirmed_with_its_consequence(
    card_indices: tuple[int, ...], word: str, decision: Decision, words: str, later: str
) -> None:
    """Declarations are revealed, cards given up never are; the last player to choose reveals them."""
    chosen = events.SecretChoiceMade(1, card_indices, word)
    assert confirmation((chosen,), decision) == words + later
    assert confirmation((chosen, events.SecretChoicesApplied()), decision) == words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.Checked(2), "Time is up: Mia checks."),
        (events.Folded(2), "Time is up: Mia folds."),
        (events.BetTo(2, 25, 25), "Time is up: Mia opens for 25."),
        (events.SecretChoiceMade(2, (), "out"), "Time is up: the dealer chose for Mia."),
        (events.SecretChoiceMade(2, (), "no"), "Mia didn't answer, so it's dealt once."),
    ],
)
def test_everybody_is_told_what_the_clock_did(event: events.HandEvent, words: str) -> None:
    assert timed_out("Mia", (event,)) == words
