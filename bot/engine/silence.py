"""What the dealer does for a seat that does not answer in time.

Source: laws TL-30, TL-32, TL-41.
"""

from bot.engine import commands as c
from bot.engine.choosing import silent_choice
from bot.engine.hand import Hand
from bot.engine.legal import Decision, Duty
from bot.engine.ruling import legal
from bot.engine.showdown import would_show


def silent(hand: Hand) -> c.Command:
    """The command that silence stands for, for the seat to act: check if free, else drop; a forced opener puts the minimum in; a straddle
    is declined; at a draw it stands pat; at the showdown it shows if it should."""
    seat = hand.to_act
    match hand.decision:
        case Decision.SHOW:
            return c.Show() if hand.rules.asks_at_show or would_show(hand, seat) else c.Muck()
        case Decision.STRADDLE:
            return c.Decline()
        case Decision.DRAW:
            return c.Discard()
        case Decision.OFFER:
            return c.Decline()
        case Decision.DROP | Decision.PASS | Decision.ARRANGE | Decision.DECLARE | Decision.RUN_TWICE:
            places, word = silent_choice(hand, seat)
            return c.Declare(word) if word else c.Discard(places)
        case _:
            can = legal(hand, seat)
            if can.check:
                return c.Check()
            return c.Bet(can.bring_in or can.min_to) if hand.duty is Duty.OPEN else c.Fold()
