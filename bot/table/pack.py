"""How many players a pack can serve.

Source: law P-6.
"""

from bot.engine.card import RuleCard
from bot.engine.options import Deck
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
