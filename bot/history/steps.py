"""The steps of a replay: what somebody who follows a hand counts as one thing, each made of one event or several.

An action is a step, so is each deal (the flop, not its cards), all secret choices of a round together, each hand that is shown, and the
result. What the dealer only does for its books belongs to the step before it or after it.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from bot.engine import events as e


class StepKind(StrEnum):
    """What a step is."""

    START = "start"  # the stacks, and the forced bets
    DEAL = "deal"
    ACTION = "action"
    CHOICES = "choices"  # all choose in secret
    SHOW = "show"  # a hand is shown or mucked, or all are turned up
    RESULT = "result"


class HandStep(Struct, frozen=True, gc=False):
    """One step of a hand.

    Attributes:
        end: how many of the hand's events have happened when it is done.
        event: the one that it is about; the first one where there are several.
        asks: at its end the dealer asks somebody.
    """

    kind: StepKind
    end: int
    event: e.HandEvent
    asks: bool = False


class StreetStep(Struct, frozen=True, gc=False):
    """Where a street begins.

    Attributes:
        step: its first step.
        kind: of that step.
        street: its name on the rule card; empty before the first betting round.
        all_in: it is dealt with all hands open.
    """

    step: int
    kind: StepKind
    street: str
    all_in: bool = False


_KINDS: dict[type[e.HandEventBase], StepKind] = {
    e.HandStarted: StepKind.START,
    e.Posted: StepKind.START,
    e.DealtDown: StepKind.DEAL,
    e.DealtUp: StepKind.DEAL,
    e.DealtUpToSeat: StepKind.DEAL,
    e.DealtUpOrDown: StepKind.DEAL,
    e.DealtBoard: StepKind.DEAL,
    e.CardsRolledOut: StepKind.DEAL,
    e.SecretChoiceMade: StepKind.CHOICES,
    e.SecretChoicesApplied: StepKind.CHOICES,
    e.Folded: StepKind.ACTION,
    e.Checked: StepKind.ACTION,
    e.Called: StepKind.ACTION,
    e.BetTo: StepKind.ACTION,
    e.RaisedTo: StepKind.ACTION,
    e.Straddled: StepKind.ACTION,
    e.StraddleDeclined: StepKind.ACTION,
    e.Drew: StepKind.ACTION,
    e.CardTurnedUp: StepKind.ACTION,
    e.OfferDeclined: StepKind.ACTION,
    e.PricePaid: StepKind.ACTION,
    e.OutOfTurnChipsPutIn: StepKind.ACTION,
    e.OutOfTurnActionNoted: StepKind.ACTION,
    e.Shown: StepKind.SHOW,
    e.CardsShown: StepKind.SHOW,
    e.Mucked: StepKind.SHOW,
    e.OpenersShown: StepKind.SHOW,
    e.PotsPaid: StepKind.RESULT,
    e.PotMatched: StepKind.RESULT,
    e.HandPassedOut: StepKind.RESULT,
    e.HandVoided: StepKind.RESULT,
    e.HandEnded: StepKind.RESULT,
}
"""The events that steps are about. The others belong to the step before them, unless they lead to the next one."""
_LEADING = frozenset(
    {
        e.Burned,
        e.Reshuffled,
        e.Designated,
        e.BettingRoundClosed,
        e.DrawClosed,
        e.OffersClosed,
        e.StraddlesClosed,
        e.BetsLeftUntilDraw,
        e.BoardRunTwice,
        e.ShowdownOpened,
    }
)
"""Events that belong to the step after them, with all that follows until it: at its last step, a street's bets still lie there."""
_BETWEEN = frozenset({e.Burned, e.Reshuffled, e.Designated})
"""Events that can come in the middle of a step; every other one that is no part of it ends it."""


_ASKING = frozenset({e.ActionOn, e.DecisionRequested, e.BettingRoundOpened, e.SecretChoiceOpened})


def hand_steps(events: Sequence[e.HandEvent]) -> tuple[HandStep, ...]:
    """Return the steps of a hand, or of a hand as far as it has come.

    Args:
        events: those of the hand, the first one first.
    """
    begun: list[tuple[StepKind, int, e.HandEvent]] = []
    first_leading = -1
    goes_on = all_shown = False
    boards: set[int] = set()
    for at, event in enumerate(events):
        kind = _KINDS.get(type(event))
        if kind is None:
            goes_on = goes_on and type(event) in _BETWEEN
            all_shown = event.all_in if isinstance(event, e.ShowdownOpened) else all_shown
            if type(event) in _LEADING and first_leading < 0:
                first_leading = at
            continue
        same = bool(begun) and begun[-1][0] is kind
        match event:
            case e.DealtBoard(board_index=board):
                joins = same and goes_on and board not in boards
                boards = {*boards, board} if joins else {board}
            case e.DealtUpToSeat() | e.CardsRolledOut():
                joins = False
            case e.Shown():
                joins = same and goes_on and all_shown
            case _:
                joins = same and goes_on and kind in _OF_SEVERAL_EVENTS
        if not joins:
            begun.append((kind, first_leading if first_leading >= 0 else at, event))
        first_leading, goes_on = -1, True
        all_shown = all_shown and kind is StepKind.SHOW
    ends = [start for _, start, _ in begun[1:]] + [len(events)]
    return tuple(
        [
            HandStep(kind, end, event, type(events[end - 1]) in _ASKING)
            for (kind, _, event), end in zip(begun, ends, strict=True)
        ]
    )


_OF_SEVERAL_EVENTS = frozenset({StepKind.START, StepKind.DEAL, StepKind.CHOICES, StepKind.RESULT})
