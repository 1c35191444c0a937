"""How many players a pack can serve.

Source: laws P-4, P-5, P-6.
"""

from msgspec import Struct

from bot.engine.card import RuleCard
from bot.engine.options import Deck, Options, Straddle
from bot.engine.steps import Burn, DealBoard, DealDown, DealUp
from bot.table.settings import SEATS_MAX


def seats_served(card: RuleCard, deck: Deck = Deck.STANDARD_52) -> int:
    """Say how many players the pack serves at this game: (cards each x players) + boards + burns <= pack.

    Cards drawn are not counted: a draw may use the shuffled discards (X-7).
    """
    each = sum(step.count for step in card.steps if isinstance(step, DealDown | DealUp))
    boards = card.boards * sum(step.count for step in card.steps if isinstance(step, DealBoard))
    burns = sum(isinstance(step, Burn) for step in card.steps)
    return (int(deck) - boards - burns) // each if each else SEATS_MAX


def seats_allowed(card: RuleCard, deck: Deck) -> int:
    """Say how many seats a host may set: what the pack serves or what the game's sheet seats, at most 14 (0.4, P-2, P-6).

    A sheet may seat more than P-6 where it says what happens when the pack runs out (X-7, VC-5).
    """
    return min(SEATS_MAX, max(card.seats_max, seats_served(card, deck)))


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
