"""What the dealer does for a seat that does not act in time (laws TL-30, TL-32, TL-41)."""

from bot.engine import commands as c
from bot.engine.choices.secret_choices import default_choice
from bot.engine.decide import legal
from bot.engine.hand import Hand
from bot.engine.legal import Decision, OpeningDuty
from bot.engine.showdown.settle import should_show


def default_action(hand: Hand) -> c.HandCommand:
    """The command that stands for a seat that does not act: check if it is free, else fold. A forced opener puts the
    minimum in. Straddles and offers are declined, a draw stands pat, and a hand is shown at the showdown if it should
    be."""
    seat = hand.to_act
    match hand.decision:
        case Decision.SHOW:
            return c.Show() if hand.rules.designates_at_showdown or should_show(hand, seat) else c.Muck()
        case Decision.STRADDLE:
            return c.Decline()
        case Decision.DRAW:
            return c.ChooseCards()
        case Decision.OFFER:
            return c.Decline()
        case Decision.GIVE_UP | Decision.PASS_CARDS | Decision.ARRANGE | Decision.DECLARE | Decision.RUN_TWICE:
            card_indices, word = default_choice(hand, seat)
            return c.Declare(word) if word else c.ChooseCards(card_indices)
        case _:
            can = legal(hand, seat)
            if can.check:
                return c.Check()
            return c.Bet(can.bring_in or can.min_to) if hand.opening_duty is OpeningDuty.OPEN else c.Fold()
