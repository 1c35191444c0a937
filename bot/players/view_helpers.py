"""Read what a practice player sees: its own cards, how hands are ranked, and which cards it cannot see."""

from bot.engine.cards import ALL_CARDS, JOKER
from bot.engine.ranking import Evaluator, evaluator
from bot.engine.view.types import HandSeatState, HandView, SeatView


def viewer_seat(view: HandView) -> SeatView:
    """Return the seat that the view belongs to."""
    assert view.viewer is not None, "the public view never decides"
    return view.seats[view.viewer]


def viewer_cards(view: HandView) -> tuple[int, ...]:
    """Return the viewer's cards."""
    return tuple(seen.card for seen in viewer_seat(view).cards if seen.card is not None)


def opponents(view: HandView) -> list[SeatView]:
    """Return the other players who have not folded."""
    return [seat for seat in view.seats if seat.seat_index != view.viewer and seat.state is not HandSeatState.FOLDED]


def share_evaluators(view: HandView) -> list[Evaluator]:
    """Return the evaluator of each share of the pot."""
    return [evaluator(share.ranking) for share in view.shares]


def unseen_cards(view: HandView) -> list[int]:
    """Return every card of the deck that the viewer cannot see."""
    seen = {one.card for seat in view.seats for one in seat.cards}
    seen |= {card for board in view.boards for card in board}
    ranks = frozenset(view.shares[0].ranking.ranks)
    return [
        card
        for card in ALL_CARDS
        if card not in seen and (card - JOKER < view.joker_count if card >= JOKER else card >> 2 in ranks)
    ]
