"""What a practice player sees: its own cards, how hands are judged, and the cards it cannot see."""

from bot.engine.cards import JOKER, WITH_JOKER_53
from bot.engine.ranking import Evaluator, evaluator
from bot.engine.view import HandView, SeatState, SeatView


def own_seat(view: HandView) -> SeatView:
    """The seat that the view belongs to."""
    assert view.viewer is not None, "a policy is never asked for the public"
    return view.seats[view.viewer]


def own_cards(view: HandView) -> tuple[int, ...]:
    """The viewer's cards."""
    return tuple(seen.card for seen in own_seat(view).cards if seen.card is not None)


def rivals(view: HandView) -> list[SeatView]:
    """The others who have not dropped."""
    return [seat for seat in view.seats if seat.seat != view.viewer and seat.state is not SeatState.FOLDED]


def judges(view: HandView) -> list[Evaluator]:
    """How each share of the pot is judged."""
    return [evaluator(share.ranking) for share in view.shares]


def unseen(view: HandView) -> list[int]:
    """Every card of the pack that the viewer cannot see."""
    seen = {one.card for seat in view.seats for one in seat.cards}
    seen |= {card for board in view.boards for card in board}
    ranks = frozenset(view.shares[0].ranking.ranks)
    return [
        card
        for card in WITH_JOKER_53
        if card not in seen and (bool(view.joker) if card == JOKER else card >> 2 in ranks)
    ]
