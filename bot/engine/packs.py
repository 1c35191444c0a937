"""The packs a table may play with, and how many players each serves.

Source: laws K-1 to K-4, P-6, VB-10, VC-22.
"""

from bot.engine import cards
from bot.engine.card import RuleCard
from bot.engine.options import Deck
from bot.engine.steps import BetStep, Burn, DealBoard, DealDown, DealEither, DealUp, DealUpInTurn

PACKS = {
    Deck.STANDARD_52: cards.STANDARD_52,
    Deck.WITH_JOKER_53: cards.WITH_JOKER_53,
    Deck.STRIPPED_36: cards.STRIPPED_36,
    Deck.STRIPPED_32: cards.STRIPPED_32,
    Deck.MEXICAN_41: cards.MEXICAN_41,
}


def seats_dealt(card: RuleCard, deck: Deck = Deck.STANDARD_52) -> int:
    """Say how many players the pack serves with the cards that come before anybody bets (P-6): more never sit down, whatever the sheet
    does where the pack runs out later (X-7, VC-5)."""
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BetStep)), len(card.steps))
    each = sum(step.count for step in card.steps[:first] if isinstance(step, DealDown | DealUp))
    each += sum(isinstance(step, DealUpInTurn) for step in card.steps[:first])
    return len(PACKS[deck]) // max(1, each)


def seats_served(card: RuleCard, deck: Deck = Deck.STANDARD_52) -> int:
    """Say how many players the pack serves at this game: (cards each x players) + boards + burns <= pack (P-6).

    Cards drawn are not counted: a draw may use the shuffled discards (X-7).
    """
    each = sum(step.count for step in card.steps if isinstance(step, DealDown | DealUp))
    each += sum(isinstance(step, DealEither | DealUpInTurn) for step in card.steps)
    boards = card.boards * sum(step.count for step in card.steps if isinstance(step, DealBoard))
    burns = sum(isinstance(step, Burn) for step in card.steps)
    return (len(PACKS[deck]) - boards - burns) // each
