"""Running the board twice: with all betting over and every live player agreeing, the rest of the board is dealt twice
from one deck (laws TL-25, E-2; WSOP-L 204-213)."""

from bot.engine import events as e
from bot.engine import steps
from bot.engine.choices.secret_choices import YES
from bot.engine.evolve import EmittedEvents, emit
from bot.engine.hand import Hand
from bot.engine.options.values import Switch

BOARD_COUNT = 2


def can_run_twice(hand: Hand) -> bool:
    """Whether the players can be asked: the option is on, one board is out or under way, and cards are still to come."""
    rules = hand.rules
    if not hand.started.ask_run_twice or rules.options.run_twice is not Switch.ON or len(hand.board_indices) != 1:
        return False
    needed = sum(_cards_needed(step) for step in rules.steps[hand.step_index :])
    return any(isinstance(step, steps.DealBoard) for step in rules.steps[hand.step_index :]) and (
        needed * BOARD_COUNT <= len(hand.deck) - hand.next_card_index
    )


def was_declined(hand: Hand) -> bool:
    """Whether somebody has declined already: then nobody else needs to be asked."""
    return any(word != YES for _, (_, word) in hand.secret_choices)


def run_boards_twice(hand: Hand, events: EmittedEvents) -> None:
    """Close the question. If all agreed, finish the boards one after the other from the same deck."""
    agreed = not was_declined(hand)
    emit(hand, events, e.SecretChoicesApplied())
    if not agreed:
        return
    rest = hand.rules.steps[hand.step_index :]
    showdown = hand.step_index + next(at for at, step in enumerate(rest) if isinstance(step, steps.Showdown))
    emit(hand, events, e.BoardRunTwice(BOARD_COUNT, showdown))
    for board in range(BOARD_COUNT):
        for step in rest:
            if isinstance(step, steps.Burn):
                emit(hand, events, e.Burned(hand.next_card_index))
            elif isinstance(step, steps.DealBoard):
                emit(hand, events, e.DealtBoard(step.count, hand.next_card_index, board))


def _cards_needed(step: steps.Step) -> int:
    if isinstance(step, steps.DealBoard):
        return step.count
    return 1 if isinstance(step, steps.Burn) else 0
