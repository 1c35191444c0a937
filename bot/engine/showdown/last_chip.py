"""Who won the pot that held a seat's last chip (SG-10)."""

from bot.engine.betting.pots import pots
from bot.engine.hand import Hand, seats_in
from bot.engine.units import SeatIndex


def winners_of_last_chip(hand: Hand, seat: SeatIndex) -> tuple[SeatIndex, ...]:
    """Return who won the highest pot that a seat was in, high or low, in the order of the seats from the left of the button.

    Args:
        hand: over, and paid.
    """
    put_in, live = hand.put_in, seats_in(hand.live_seats)
    own = put_in[seat]
    reached = [other for other in live if put_in[other] >= own]
    # who folded was in the pots that the next higher of the live seats filled; beyond them all, in the last one
    like = min(reached, key=lambda other: put_in[other]) if reached else max(live, key=lambda other: put_in[other])
    layers = pots(put_in, hand.live_seats, hand.dead_chips)
    number = max([at for at, pot in enumerate(layers) if pot.eligible_seats >> like & 1], default=0)
    won = {paid.seat for paid in hand.payments if paid.pot_index == number and paid.chips}
    everything = {paid.seat for paid in hand.payments if paid.chips}  # one pot where nobody contested it
    return tuple(sorted(won or everything))
