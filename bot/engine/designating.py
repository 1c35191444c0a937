"""What wild cards had best stand for: the proposal a holder is shown, and what a practice player says, where he has to say it (W-7).

Everything is worked out from the holder's own view.

Source: laws W-3 to W-8.
"""

from collections.abc import Sequence

from bot.engine.cards import JOKER, WITH_JOKER_53
from bot.engine.errors import LawError
from bot.engine.legal import Legal
from bot.engine.ranking import Evaluator, evaluator
from bot.engine.view import HandView, SeatView

Designations = tuple[tuple[int, int], ...]
"""Pairs of a wild card's place in the pack and the card it is to be, as `Show` takes them."""


def best_designation(view: HandView, legal: Legal) -> Designations:
    """What wild cards had best stand for in the viewer's best hand for the first share, on the first board; what plays no part keeps its
    face value."""
    hole, boards = _hole(view), view.boards or ((),)
    judge = evaluator(view.shares[0].ranking)
    if not legal.designate or judge.best(hole, boards[0]) <= 0:
        return ()
    laid = judge.playing(hole, boards[0])
    meant = dict(zip(laid.cards, laid.stands_for, strict=True))
    said: dict[int, int] = {}
    pairs: list[tuple[int, int]] = []
    for place, card in wild_cards(view, legal):
        stands = meant.get(card, card)
        if stands not in (card, JOKER) and _lawful(judge, hole, boards, card, stands, said):
            said[card] = stands
            pairs.append((place, stands))
    return tuple(pairs)


def wild_cards(view: HandView, legal: Legal) -> Designations:
    """The wild cards the viewer may give a meaning to, his own and common ones: pairs of place and card, in the order of
    `legal.designate`."""
    card_at = {seen.place: seen.card for seen in _own(view).cards if seen.card is not None} | dict(legal.common)
    return tuple((place, card_at[place]) for place in legal.designate)


def may_be(view: HandView, card: int, others: Sequence[tuple[int, int]] = ()) -> tuple[int, ...]:
    """The cards that a wild card may stand for in the viewer's hand, beside what has been said of `others` (pairs of card and meaning)."""
    hole, boards = _hole(view), view.boards or ((),)
    judge = evaluator(view.shares[0].ranking)
    said = dict(others)
    ranks = frozenset(judge.ranking.ranks)
    return tuple(
        meant
        for meant in WITH_JOKER_53
        if meant not in (JOKER, card) and meant >> 2 in ranks and _lawful(judge, hole, boards, card, meant, said)
    )


def _own(view: HandView) -> SeatView:
    assert view.viewer is not None, "only its holder knows what a wild card may be"
    return view.seats[view.viewer]


def _hole(view: HandView) -> tuple[int, ...]:
    return tuple(seen.card for seen in _own(view).cards if seen.card is not None)


def _lawful(
    judge: Evaluator, hole: Sequence[int], boards: Sequence[Sequence[int]], card: int, stands: int, said: dict[int, int]
) -> bool:
    """Whether it may be said; with two boards it must be lawful on one of them."""
    for board in [one for one in boards if card in one] or boards:
        try:
            judge.may_stand_for(hole, card, stands, said, board)
        except LawError:
            continue
        return True
    return False
