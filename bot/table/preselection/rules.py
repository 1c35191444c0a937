"""Choices before the turn: what a player can choose, and what happens at the turn.

A choice holds for the betting round it was made in. At the turn it is carried out at once if it is still legal and, for a call, costs what
it did when it was chosen. Otherwise it lapses. Players can choose only at tables with `OUT_OF_TURN`=refuse: under the other rules an action
out of turn waits (`hold`) or binds (`tda53`).

Where turns can take hours, a choice is a line that is written ahead: it can have a condition, it acts some minutes after the turn has come
(`bot.runtime.transaction`), and it never folds a hand that can check.

Laws: TL-34, WT-2, X-3; WSOP-L 132.
"""

from collections.abc import Sequence

from msgspec import Struct

from bot.engine import commands as c
from bot.engine import events as e
from bot.engine.decide import legal, legal_as_if_in_turn
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.options.values import OutOfTurn
from bot.engine.refusals import HandIsDead, HandOver
from bot.engine.stakes import MAX_CHIPS
from bot.engine.units import SeatIndex, SeatNumber
from bot.table.preselection.types import PreselectedAction, Preselection, PreselectionEndReason, PreselectionOptions
from bot.table.refusals import (
    CallHasChanged,
    CannotCallAhead,
    CannotCheckAhead,
    LinesNeedTime,
    NoBettingNow,
    NothingLeftToDecide,
    NothingToCallUpTo,
    OutOfTurnCounts,
)

WRITTEN_LINES = frozenset({PreselectedAction.CALL_UP_TO, PreselectedAction.CHECK_DOWN})
"""What can be chosen only where turns can take hours."""


class LapsedPreselection(Struct, frozen=True, gc=False):
    """A choice that lapses at the turn. `call` is what there is to call instead, in chips; 0 for nothing."""

    reason: PreselectionEndReason
    call: int = 0


def preselection_options(hand: Hand, seat_index: SeatIndex) -> PreselectionOptions:
    """Return what a seat can choose for its turn in this betting round.

    Raises:
        HandOver, HandIsDead, NothingLeftToDecide: the seat has no turn any more.
        OutOfTurnCounts: this table has another rule for actions out of turn.
        NoBettingNow: the players decide something other than a bet.
    """
    if hand.over:
        raise HandOver
    if hand.rules.options.out_of_turn is not OutOfTurn.REFUSE:
        raise OutOfTurnCounts
    if not hand.live_seats >> seat_index & 1:
        raise HandIsDead
    if not hand.seats_with_chips >> seat_index & 1:
        raise NothingLeftToDecide
    if hand.decision is not Decision.BET:
        raise NoBettingNow
    at_turn = legal_as_if_in_turn(hand, seat_index)
    return PreselectionOptions(check_or_fold=at_turn.check, call=at_turn.call_chips, all_in=at_turn.call_all_in)


def validate_preselection(
    hand: Hand, seat_index: SeatIndex, action: PreselectedAction, chips: int = 0, *, is_written: bool = False
) -> int:
    """Rule on a choice before the turn. Returns what the chosen call costs, in chips, or can cost at most; 0 for other choices.

    Args:
        chips: the call that was offered when it was chosen, 0 for whatever it costs now; the most chips of `CALL_UP_TO`.
        is_written: turns can take hours here (WT-2).

    Raises:
        CannotCheckAhead, CannotCallAhead, CallHasChanged, and what `preselection_options` raises.
        LinesNeedTime: a line with a condition, where turns are quick.
        NothingToCallUpTo: the most chips of a call are none, or more than there can be.
    """
    options = preselection_options(hand, seat_index)
    if action in WRITTEN_LINES and not is_written:
        raise LinesNeedTime
    match action:
        case PreselectedAction.FOLD:
            return 0
        case PreselectedAction.CHECK_OR_FOLD:
            # chosen before a bet, this becomes a fold when the bet comes; chosen against a bet, it is a mistake
            if not options.check_or_fold:
                raise CannotCheckAhead(call=options.call)
            return 0
        case PreselectedAction.CALL:
            if not options.call:
                raise CannotCallAhead
            if chips not in (0, options.call):
                raise CallHasChanged(call=options.call, chosen_call=chips)
            return options.call
        case PreselectedAction.CALL_UP_TO:
            if not 0 < chips <= MAX_CHIPS:
                raise NothingToCallUpTo
            return chips
        case PreselectedAction.CHECK_DOWN:
            if not options.check_or_fold:
                raise CannotCheckAhead(call=options.call)
            return 0


def command_at_turn(
    hand: Hand, chosen: Preselection, *, is_written: bool = False
) -> c.HandCommand | LapsedPreselection | None:
    """Return what a choice does now that it is its seat's turn: a command, or nothing because it lapses.

    None where something else is asked than a bet, and the choice goes on: `CHECK_DOWN`.

    Args:
        is_written: turns can take hours here: no line folds a hand that can check (WT-2).
    """
    actions = legal(hand, hand.to_act)
    if actions.decision is not Decision.BET:
        if chosen.action is PreselectedAction.CHECK_DOWN:
            return None
        # everyone has acted; with bets made equal at the draw, the betting round closes only after it
        return LapsedPreselection(PreselectionEndReason.STREET_OVER)
    match chosen.action:
        case PreselectedAction.FOLD | PreselectedAction.CALL_UP_TO if is_written and actions.check:
            return c.Check()
        case PreselectedAction.CALL_UP_TO if 0 < actions.call_chips <= chosen.chosen_call:
            return c.Call()
        case PreselectedAction.CALL_UP_TO if actions.call_chips and actions.fold:
            return c.Fold()
        case PreselectedAction.CHECK_DOWN if actions.check:
            return c.Check()
        case PreselectedAction.CHECK_DOWN if actions.call_chips:
            return LapsedPreselection(PreselectionEndReason.BET, actions.call_chips)
        case PreselectedAction.FOLD if actions.fold:
            return c.Fold()
        case PreselectedAction.CHECK_OR_FOLD if actions.check:
            return c.Check()
        case PreselectedAction.CHECK_OR_FOLD if actions.fold and actions.to_call:
            return c.Fold()
        case PreselectedAction.CALL if actions.call_chips == chosen.chosen_call:
            return c.Call()
        case PreselectedAction.CALL if actions.call_chips:
            return LapsedPreselection(PreselectionEndReason.CALL_CHANGED, actions.call_chips)
        case _:
            return LapsedPreselection(PreselectionEndReason.NOT_LAWFUL, actions.call_chips)


def preselections_ended_by(
    preselections: Sequence[Preselection], seat_numbers: Sequence[SeatNumber], events: Sequence[e.HandEvent]
) -> list[tuple[SeatNumber, PreselectionEndReason]]:
    """Return the seats whose choices end because of these events of the hand, and why.

    Args:
        seat_numbers: the seat number of each seat index.
    """
    acted = {seat_numbers[event.seat] for event in events if isinstance(event, e.BettingAction)}
    checked = {seat_numbers[event.seat] for event in events if isinstance(event, e.Checked)}
    round_closed = any(isinstance(event, e.BettingRoundClosed) for event in events)
    ended: list[tuple[SeatNumber, PreselectionEndReason]] = []
    for choice in preselections:
        stands = choice.action is PreselectedAction.CHECK_DOWN and choice.lapse_reason is None
        if stands and (choice.seat_number in checked or choice.seat_number not in acted):
            continue  # it goes on until somebody bets
        if choice.seat_number in acted:
            ended.append((choice.seat_number, PreselectionEndReason.DONE))
        elif round_closed and choice.lapse_reason is None:
            ended.append((choice.seat_number, PreselectionEndReason.STREET_OVER))
    return ended


def is_from_this_street(hand: Hand, decision_number: int) -> bool:
    """Tell whether a decision belongs to the running betting round. Buttons that were drawn for it are then still valid (TL-35)."""
    actions_so_far = sum(isinstance(event, e.BettingAction) for event in hand.street_actions)
    return hand.decision_number - actions_so_far <= decision_number <= hand.decision_number
