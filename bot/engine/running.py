"""Running the board twice: with all betting over, every live player agreeing, the rest of the board is dealt two times from one stock.

Source: laws TL-25, E-2; WSOP-L 204-213.
"""

from bot.engine import events as e
from bot.engine import steps
from bot.engine.choosing import YES
from bot.engine.hand import Hand
from bot.engine.happening import Happened, happen
from bot.engine.options import Switch

BOARDS = 2


def may_run_twice(hand: Hand) -> bool:
    """Whether the table may be asked: the option is on, one board is out or under way, and cards are still to come."""
    rules = hand.rules
    if not hand.started.ask_run_twice or rules.options.run_twice is not Switch.ON or len(hand.boards) != 1:
        return False
    needed = sum(_cards(step) for step in rules.steps[hand.step :])
    return any(isinstance(step, steps.DealBoard) for step in rules.steps[hand.step :]) and (
        needed * BOARDS <= len(hand.deck) - hand.place
    )


def refused(hand: Hand) -> bool:
    """Whether somebody has said no already: then nobody else need be asked."""
    return any(word != YES for _, (_, word) in hand.choices)


def fork_boards(hand: Hand, happened: Happened) -> None:
    """Close the question; if all agreed, finish the boards one after the other from the same stock."""
    agreed = not refused(hand)
    happen(hand, happened, e.ChoicesSettled())
    if not agreed:
        return
    rest = hand.rules.steps[hand.step :]
    showdown = hand.step + next(at for at, step in enumerate(rest) if isinstance(step, steps.Showdown))
    happen(hand, happened, e.BoardsForked(BOARDS, showdown))
    for board in range(BOARDS):
        for step in rest:
            if isinstance(step, steps.Burn):
                happen(hand, happened, e.Burned(hand.place))
            elif isinstance(step, steps.DealBoard):
                happen(hand, happened, e.DealtBoard(step.count, hand.place, board))


def _cards(step: steps.Step) -> int:
    if isinstance(step, steps.DealBoard):
        return step.count
    return 1 if isinstance(step, steps.Burn) else 0
