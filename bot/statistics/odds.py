"""The odds of the hands of a run-out: each one's chance at the main pot, street by street, as all-in luck counts it.

Chances are whole percents that add up to 100. They are rounded down, and the percents that are then missing go to those that lost the
largest fractions. What can still happen has at least 1, so that no hand is given up, or certain, before it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bot.statistics.all_in_hand import AllInHand
from bot.statistics.luck import ways_to_end
from bot.statistics.types import Odds

_SPLIT_MATTERS = Fraction(1, 100)


def odds_of(hand: AllInHand) -> Odds | None:
    """Return the odds of a hand that is run out; None where luck has none either: it could not count on any board (VC-23)."""
    ways = ways_to_end(hand)
    if ways is None:
        return None
    is_share = len(ways.parts) > 1 or ways.parts[0].boards > 1 or len(hand.rule_card.shares) > 1
    if not is_share:
        *wins, split = ways.mean(ways.pots.chances)
        if split >= _SPLIT_MATTERS:
            *percents, split_percent = whole_percents([*wins, split])
            return Odds(hand.seats, tuple(percents), split_percent, is_estimate=ways.is_estimate)
    shares = whole_percents(ways.mean(ways.pots.mean_share))
    return Odds(hand.seats, tuple(shares), is_share=is_share, is_estimate=ways.is_estimate)


def whole_percents(parts: Sequence[Fraction]) -> list[int]:
    """Return parts that add up to 1 as whole percents that add up to 100; of equal remainders the first is rounded up.

    What raises small parts to 1 is taken from the largest.
    """
    exact = [100 * part for part in parts]
    rounded = [max(int(percents), 1) if percents else 0 for percents in exact]
    missing = 100 - sum(rounded)
    if missing < 0:
        rounded[rounded.index(max(rounded))] += missing
    for at in sorted(range(len(exact)), key=lambda at: rounded[at] - exact[at])[: max(missing, 0)]:
        rounded[at] += 1
    return rounded
