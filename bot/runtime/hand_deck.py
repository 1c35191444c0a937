"""Make the deck of a hand: it is derived from the hand's secret, shuffled as often as players asked for, and cut.

The nonce is made when the hand begins, so a player who cuts before that cuts a deck whose order nobody knows. Laws: D-3 to D-7.
"""

from bot.engine.events import HandStarted
from bot.engine.rules_in_force import rules_in_force
from bot.fair.deck_order import deck_order
from bot.table.ceremonies.deck import cut_cards
from bot.table.events import HandBegan


def deck_for_hand(
    master_secret: bytes, table: int, nonce: bytes, began: HandBegan, started: HandStarted
) -> tuple[int, ...]:
    """Return the deck, top card first: always the same for the same hand."""
    cards = rules_in_force(started.rule_card, started.options, started.stakes).deck_cards
    deck = deck_order(master_secret, table, began.number, nonce, cards, began.shuffles)
    return cut_cards(deck, began.cut_points) if began.cut_points else deck
