"""How many players a pack can serve.

Source: laws P-4, P-5, P-6.
"""

from msgspec import Struct

from bot.engine.card import RuleCard
from bot.engine.options import Deck, Options, Straddle
from bot.engine.packs import PACKS, seats_dealt, seats_served
from bot.table.settings import SEATS_MAX


def seats_allowed(card: RuleCard, deck: Deck) -> int:
    """Say how many seats a host may set: what the game's sheet seats, or more where it leaves that to the pack (0.4, P-2, P-3, P-6).

    A sheet may seat more than its own pack serves at once where it says what happens when the pack runs out (X-7, VC-5).
    """
    wished = card.seats_most or card.seats_max
    if len(PACKS[deck]) < len(PACKS[card.options.deck]) or wished > card.seats_max:
        wished = min(wished, seats_served(card, deck))
    return min(SEATS_MAX, wished, seats_dealt(card, deck))


class SeatAdvice(Struct, frozen=True):
    """A number of players that a source thinks better, `least` to `most`; never a refusal."""

    law: str
    least: int
    most: int


def seat_advice(options: Options, seats: int) -> SeatAdvice | None:
    """Advise on the number of seats, or None when it is as the source would have it.

    Five or at most six where straddles make a chain, as in source 002 (P-4); else five to seven (P-5).
    """
    chain = options.straddle is Straddle.CHAIN
    advice = SeatAdvice("P-4", 2, 6) if chain else SeatAdvice("P-5", 5, 7)
    return None if advice.least <= seats <= advice.most else advice
