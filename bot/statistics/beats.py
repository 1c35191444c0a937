"""What was to be expected of hands when the money went in, beside what they were paid."""

from collections.abc import Iterator

from bot.engine.units import SeatIndex
from bot.statistics.all_in_hand import AllInHand
from bot.statistics.luck import AllInLuck

FAVOURITE = 600
"""From this share of their pots on, in thousandths, it is a beat if a hand loses all of them."""


def chances(hand: AllInHand, luck: AllInLuck) -> Iterator[tuple[SeatIndex, int, int]]:
    """Return for each live seat what its pots paid it, and what share of them it could expect when the betting was over, in thousandths.

    Where one pot is not shared, that is the chance of winning it; a tie counts for the part that it pays.
    """
    lucky = dict(zip(luck.seats, luck.luck, strict=True))
    for seat, paid in zip(hand.seats, hand.paid, strict=True):
        contested = sum([pot.chips for pot in hand.pots if pot.eligible_seats >> seat & 1])
        if contested and seat in lucky:
            yield seat, paid, min(1000, max(0, (1000 * paid - lucky[seat]) // contested))
