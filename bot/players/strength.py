"""Estimate how good a hand is, from its own view: the share of the pot that it wins on average when the unseen cards are dealt many times.

Nothing here knows a game by its name. A view says how hands are ranked, how the pot is shared, what is wild and how many cards are still
to come. That serves hold'em, Omaha, stud, draw and lowball alike.
"""

from collections.abc import Sequence
from random import Random

from bot.engine.ranking import Evaluator
from bot.engine.view.types import HandView
from bot.players.cards_to_keep import keep_any
from bot.players.view_helpers import opponents, share_evaluators, unseen_cards, viewer_cards

MAX_OPPONENTS = 3
"""With more opponents than these, the others are assumed to fold: few see the showdown."""
SIMULATED_DEALS, SIMULATED_DEALS_SLOW = 30, 9
"""How often the unseen cards are dealt; less often where only some hole cards can play, because evaluating them takes long."""


def opponents_counted(view: HandView) -> int:
    """Return the number of opponents that a hand is compared with, at least one."""
    return min(max(len(opponents(view)), 1), MAX_OPPONENTS)


def expected_pot_share(view: HandView, rng: Random) -> float:
    """Estimate the viewer's part of the pot, from 0 to 1: the average against up to `MAX_OPPONENTS` opponents who stay to the end."""
    mine = viewer_cards(view)
    against = sorted(opponents(view), key=lambda seat: -seat.put_in)[:MAX_OPPONENTS]
    evaluators, stub = share_evaluators(view), unseen_cards(view)
    own_more, board_more, given_up = view.cards_to_come
    boards = [board for board in view.boards if len(board) + board_more <= 5] or [()]
    theirs = [[one.card for one in seat.cards if one.card is not None] for seat in against]
    # Players who will give up cards keep their best ones: one card more than they will have is worth about as much.
    counts = [
        max(1, len(seat.cards) + own_more - given_up) - len(known) for seat, known in zip(against, theirs, strict=True)
    ]
    counts = [max(0, count) for count in counts]
    held = keep_any(view, rng, len(mine)) if view.draws_left else mine
    new = len(mine) - len(held)
    needed = new + own_more + len(boards) * board_more + sum(counts)
    if not evaluators or not mine or needed > len(stub):
        return 1 / (1 + len(against))
    deals = (
        SIMULATED_DEALS_SLOW
        if any(evaluator.ranking.from_hole for evaluator in evaluators)
        else SIMULATED_DEALS // (1 + (len(evaluators) > 1))
    )
    won = 0.0
    for _ in range(deals):
        fresh = rng.sample(stub, needed)
        at = new + own_more
        hands = [(*held, *fresh[:at])]
        for known, count in zip(theirs, counts, strict=True):
            hands.append((*known, *fresh[at : at + count]))
            at += count
        won += _share_won(evaluators, hands, boards, fresh[at:], board_more)
    return won / deals


def _share_won(
    evaluators: Sequence[Evaluator],
    hands: Sequence[Sequence[int]],
    boards: Sequence[Sequence[int]],
    fresh: Sequence[int],
    more: int,
) -> float:
    """Return the part of one pot that the first hand wins when all cards have been dealt."""
    won = 0.0
    contests = 0
    for number, board in enumerate(boards):
        common = (*board, *fresh[number * more : (number + 1) * more])
        for evaluator in evaluators:
            mine, *others = evaluator.values(hands, common)
            best = max(others, default=0)
            if not mine and not best:
                continue
            contests += 1
            if mine >= best:
                won += 1 if mine > best else 1 / (1 + others.count(best))
    return won / contests if contests else 1 / len(hands)
