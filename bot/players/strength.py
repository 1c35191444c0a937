"""How good a hand is, judged from its own view: the share of the pot it may hope for when the unseen cards are dealt many times.

No game is known by its name here. A view says how hands are ranked, how the pot is shared, what is wild and how many cards are still to
come; that serves hold'em, Omaha, stud, draw and lowball alike.
"""

from collections.abc import Sequence
from random import Random

from bot.engine.ranking import Evaluator
from bot.engine.view import HandView
from bot.players.keeping import keep_any
from bot.players.sight import judges, own_cards, rivals, unseen

RIVALS_MAX = 3
"""Against more rivals than these the rest is taken to fold: few see the showdown."""
DEALS, DEALS_SLOW = 30, 9
"""How often the unseen cards are dealt; the smaller number where only some own cards may play, which takes long to judge."""


def rivals_reckoned_with(view: HandView) -> int:
    """How many rivals a hand is held against, one at least."""
    return min(max(len(rivals(view)), 1), RIVALS_MAX)


def strength(view: HandView, rng: Random) -> float:
    """The part of the pot, from 0 to 1, that the viewer may hope for against up to `RIVALS_MAX` rivals who stay to the end."""
    mine = own_cards(view)
    against = sorted(rivals(view), key=lambda seat: -seat.put_in)[:RIVALS_MAX]
    shares, stub = judges(view), unseen(view)
    own_more, board_more, given_up = view.to_come
    boards = [board for board in view.boards if len(board) + board_more <= 5] or [()]
    theirs = [[one.card for one in seat.cards if one.card is not None] for seat in against]
    # Who will give cards up keeps his best: one more card than shown is worth about as much.
    counts = [
        max(1, len(seat.cards) + own_more - given_up) - len(known) for seat, known in zip(against, theirs, strict=True)
    ]
    counts = [max(0, count) for count in counts]
    held = keep_any(view, rng, len(mine)) if view.draws_left else mine
    new = len(mine) - len(held)
    needed = new + own_more + len(boards) * board_more + sum(counts)
    if not shares or not mine or needed > len(stub):
        return 1 / (1 + len(against))
    deals = DEALS_SLOW if any(judge.ranking.from_hole for judge in shares) else DEALS // (1 + (len(shares) > 1))
    won = 0.0
    for _ in range(deals):
        fresh = rng.sample(stub, needed)
        at = new + own_more
        hands = [(*held, *fresh[:at])]
        for known, count in zip(theirs, counts, strict=True):
            hands.append((*known, *fresh[at : at + count]))
            at += count
        won += _won(shares, hands, boards, fresh[at:], board_more)
    return won / deals


def _won(
    shares: Sequence[Evaluator],
    hands: Sequence[Sequence[int]],
    boards: Sequence[Sequence[int]],
    fresh: Sequence[int],
    more: int,
) -> float:
    """The part of one pot, dealt to the end, that the first hand wins."""
    won = 0.0
    contests = 0
    for number, board in enumerate(boards):
        common = (*board, *fresh[number * more : (number + 1) * more])
        for judge in shares:
            mine, *others = judge.values(hands, common)
            best = max(others, default=0)
            if not mine and not best:
                continue
            contests += 1
            if mine >= best:
                won += 1 if mine > best else 1 / (1 + others.count(best))
    return won / contests if contests else 1 / len(hands)
