"""The best meanings of wild cards: what a holder is proposed, and what a practice player announces (W-7).

Everything is worked out from the holder's own view (laws W-3 to W-8).
"""

from collections.abc import Sequence

from bot.engine.cards import JOKER, STANDARD_52
from bot.engine.errors import LawError
from bot.engine.legal import LegalActions
from bot.engine.ranking import Evaluator, evaluator
from bot.engine.ranking.designation import validate_designation
from bot.engine.ranking.layout import hand_layout
from bot.engine.units import CardIndex
from bot.engine.view.types import HandView, SeatView

Designations = tuple[tuple[CardIndex, int], ...]
"""Pairs of a wild card's index in the deck and the card it is to be, as `Show` takes them."""


def best_designation(view: HandView, legal: LegalActions) -> Designations:
    """The best meanings of the wild cards in the viewer's best hand for the first share, on the first board. What
    plays no part keeps its face value."""
    hole, boards = _own_cards(view), view.boards or ((),)
    hand_evaluator = evaluator(view.shares[0].ranking)
    if not legal.designable_indices or hand_evaluator.best(hole, boards[0]) <= 0:
        return ()
    discards = hand_layout(hand_evaluator, hole, boards[0])
    meant = dict(zip(discards.cards, discards.stands_for, strict=True))
    said: dict[int, int] = {}
    pairs: list[tuple[CardIndex, int]] = []
    for card_index, card in designable_wild_cards(view, legal):
        stands = meant.get(card, card)
        if stands != card and stands < JOKER and _is_lawful(hand_evaluator, hole, boards, card, stands, said):
            said[card] = stands
            pairs.append((card_index, stands))
    return tuple(pairs)


def best_meanings(view: HandView) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
    """What the viewer's wild cards stand for in the best hand that they make on the first board: for each share, pairs of
    card and meaning. A share without such a card is left out."""
    hole, board = _own_cards(view), (view.boards or ((),))[0]
    found: list[tuple[str, tuple[tuple[int, int], ...]]] = []
    for share in view.shares:
        share_evaluator = evaluator(share.ranking)
        if not hole or share_evaluator.best(hole, board) <= 0:
            continue
        layout = hand_layout(share_evaluator, hole, board)
        pairs = zip(layout.cards, layout.stands_for, strict=True)
        meanings = tuple([(card, stands) for card, stands in pairs if stands not in (card, JOKER)])
        if meanings:
            found.append((share.name, meanings))
    return tuple(found)


def designable_wild_cards(view: HandView, legal: LegalActions) -> Designations:
    """The wild cards the viewer can give a meaning to, their own and common ones: pairs of card index and card, in
    the order of `legal.designable_indices`."""
    card_at = {seen.card_index: seen.card for seen in _own_seat(view).cards if seen.card is not None} | dict(
        legal.common_wild_cards
    )
    return tuple((card_index, card_at[card_index]) for card_index in legal.designable_indices)


def possible_meanings(view: HandView, card: int, others: Sequence[tuple[int, int]] = ()) -> tuple[int, ...]:
    """The cards that a wild card can stand for in the viewer's hand, beside what `others` (pairs of card and meaning)
    stand for already."""
    hole, boards = _own_cards(view), view.boards or ((),)
    hand_evaluator = evaluator(view.shares[0].ranking)
    said = dict(others)
    ranks = frozenset(hand_evaluator.ranking.ranks)
    return tuple(
        meant
        for meant in STANDARD_52
        if meant != card and meant >> 2 in ranks and _is_lawful(hand_evaluator, hole, boards, card, meant, said)
    )


def _own_seat(view: HandView) -> SeatView:
    assert view.viewer is not None, "only its holder knows what a wild card can be"
    return view.seats[view.viewer]


def _own_cards(view: HandView) -> tuple[int, ...]:
    return tuple(seen.card for seen in _own_seat(view).cards if seen.card is not None)


def _is_lawful(
    hand_evaluator: Evaluator,
    hole: Sequence[int],
    boards: Sequence[Sequence[int]],
    card: int,
    stands: int,
    said: dict[int, int],
) -> bool:
    """Whether the meaning is lawful; with two boards it must be lawful on one of them."""
    for board in [one for one in boards if card in one] or boards:
        try:
            validate_designation(hand_evaluator, hole, card, stands, said, board)
        except LawError:
            continue
        return True
    return False
