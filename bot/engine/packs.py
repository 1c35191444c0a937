"""The packs a table may play with.

Source: laws K-1 to K-4, VB-10, VC-22.
"""

from bot.engine import cards
from bot.engine.options import Deck

PACKS = {
    Deck.STANDARD_52: cards.STANDARD_52,
    Deck.WITH_JOKER_53: cards.WITH_JOKER_53,
    Deck.STRIPPED_36: cards.STRIPPED_36,
    Deck.STRIPPED_32: cards.STRIPPED_32,
    Deck.MEXICAN_41: cards.MEXICAN_41,
}
