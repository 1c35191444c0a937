"""The pack of a hand as it is dealt: derived from the hand's secret, shuffled as often as was asked for, and cut.

The nonce is made when the hand begins, so whoever cuts before cuts a pack whose order nobody knows.

Source: laws D-3 to D-7; design §6.
"""

from bot.engine.events import HandStarted
from bot.engine.rules import rules_for
from bot.fair.secrets import deck_order
from bot.table.cutting import cut
from bot.table.events import HandBegan


def deck_of(master: bytes, table: int, nonce: bytes, began: HandBegan, started: HandStarted) -> tuple[int, ...]:
    """The pack, top card first: the same for the same hand at any time."""
    pack = rules_for(started.card, started.options, started.stakes).pack
    deck = deck_order(master, table, began.number, nonce, pack, began.shuffles)
    return cut(deck, began.cut) if began.cut else deck
