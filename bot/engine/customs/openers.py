"""Openers: Jacks or Better (laws VC-20)."""

from bot.engine.cards import ACE
from bot.engine.custom import Custom, Rank
from bot.engine.ranking import Category, HandName


class Openers(Custom, frozen=True):
    """Only a pair of `rank`, or any better hand, can open the first betting round. After a hand that nobody opens the next one needs a pair
    one rank higher, up to aces; then it stays there or, if `descends`, goes down again."""

    rank: Rank
    descends: bool = False

    fixes_ante = needs_openers = restricts_raises = True

    def rank_after(self, passed_out_hands: int) -> int:
        """Return the rank of the pair that opens after so many passed-out hands in a row."""
        steps_to_aces = ACE - self.rank
        if not self.descends or not steps_to_aces:
            return self.rank + min(passed_out_hands, steps_to_aces)
        step = passed_out_hands % (2 * steps_to_aces)
        return self.rank + min(step, 2 * steps_to_aces - step)


def opens(hand: HandName, rank: int) -> bool:
    """Whether a hand is a pair of this rank or better."""
    if hand.category is Category.PAIR:
        return (hand.ranks[0] or 0) >= rank
    return hand.category is not Category.HIGH_CARD
