"""Drawing for the first button, and for seats. The pack comes in shuffled; nothing here is random.

Source: laws D-1, D-2, D-13, P-8, P-9; AT-11.
"""

from collections.abc import Sequence

from bot.engine.cards import JACK, JOKER, rank_of
from bot.engine.options import FirstDealer
from bot.table.positions import clockwise

Drawn = tuple[tuple[int, int], ...]
"""Who (a seat or a player) was dealt which card, in dealing order."""


def draw_button(how: FirstDealer, seats: Sequence[int], pack: Sequence[int]) -> tuple[Drawn, int]:
    """Find the first button among `seats`, given in dealing order, with a shuffled pack; jokers are passed over.

    `high_card` (D-13): one card each; the highest has it, equal ranks by suit. `jack` (D-1): cards go round until the first jack.
    `low_cut` (D-2): each cuts a card; the lowest has it, those tied lowest cut again.
    """
    cards = [card for card in pack if card != JOKER]
    if how is FirstDealer.JACK:
        at = next(number for number, card in enumerate(cards) if rank_of(card) == JACK)
        drawn = tuple((seats[number % len(seats)], cards[number]) for number in range(at + 1))
        return drawn, drawn[-1][0]
    if how is FirstDealer.HIGH_CARD:
        drawn = tuple(zip(seats, cards, strict=False))
        return drawn, max(drawn, key=lambda one: one[1])[0]
    drawn, cutting = (), tuple(seats)
    while len(cutting) > 1 and len(cards) >= len(cutting):
        cut = tuple(zip(cutting, cards, strict=False))
        cards = cards[len(cutting) :]
        drawn += cut
        lowest = min(rank_of(card) for _, card in cut)
        cutting = tuple(seat for seat, card in cut if rank_of(card) == lowest)
    return drawn, cutting[0]


def draw_seats(banker: int, dealer: int, drawing: Sequence[int], cards: Sequence[int]) -> tuple[int, ...]:
    """Say who sits where after a drawing: players clockwise, from the banker, who has chosen first.

    `dealer` takes the seat left of the banker, or is 0 where he joins the draw (or is the banker, P-9). `drawing` are the others in
    dealing order with their cards: the highest sits right of the banker, the next right of him, and so on; of equal ranks the card
    dealt first is the higher.
    """
    ranked = sorted(
        zip(drawing, cards, strict=False), key=lambda one: -rank_of(one[1])
    )  # stable: first dealt is higher
    first = (banker, dealer) if dealer else (banker,)
    return (*first, *(player for player, _ in reversed(ranked)))


def seats_from(occupied: Sequence[int], start: int, players: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Give players, clockwise, the occupied seats, beginning with seat `start`. Returns player and seat number."""
    order = (start, *(seat for seat in clockwise(occupied, start) if seat != start))
    return tuple(zip(players, order, strict=True))
