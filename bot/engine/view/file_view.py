"""A hand as somebody sees it who has it in a file: what the public can see, and the hole cards that the file names.

Law: TL-37 protects players of a hand that is being dealt here; of a recorded one the file itself says what is known.
"""

from collections.abc import Set

from msgspec.structs import replace

from bot.engine.hand import Hand
from bot.engine.view.build import view
from bot.engine.view.types import CardView, HandView


def file_view(hand: Hand, known: Set[int]) -> HandView:
    """Return what the public can see of a hand, and the down cards at these indices of the deck in front of who still holds them."""
    seen = view(hand, None)
    if seen.rabbit_cards and known:  # those were never dealt, so a file has none
        seen = replace(seen, rabbit_cards=())
    if not known:
        return seen
    seats = list(seen.seats)
    for seat, down in enumerate(hand.down_indices):
        cards = seats[seat].cards
        if cards and not known.isdisjoint(down):
            named = [
                CardView(hand.deck[card_index]) if card.card is None and card_index in known else card
                for card, card_index in zip(cards, down, strict=False)
            ]
            seats[seat] = replace(seats[seat], cards=(*named, *cards[len(down) :]))
    return replace(seen, seats=tuple(seats))
