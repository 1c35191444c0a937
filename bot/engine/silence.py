"""What the dealer does for a seat that does not answer in time.

Source: laws TL-30, TL-32, TL-41.
"""

from bot.engine import commands as c
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.ruling import legal
from bot.engine.showdown import would_show


def silent(hand: Hand) -> c.Command:
    """The command that silence stands for, for the seat to act: check if free, else drop; shown if it should be, else mucked."""
    seat = hand.to_act
    if hand.decision is Decision.SHOW:
        return c.Show() if would_show(hand, seat) else c.Muck()
    return c.Check() if legal(hand, seat).check else c.Fold()
