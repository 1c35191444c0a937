"""What secret choices do to the hand once all have been made.

Source: laws primitives e9, e16, e17, e18.
"""

from bot.engine import steps
from bot.engine.hand import Hand, seats_in

BOTH = "both"


def settle_choices(hand: Hand) -> None:
    """Let all choices take effect together. For `evolve`."""
    step = hand.rules.steps[hand.step]
    chosen = dict(hand.choices)
    down = list(hand.down)
    match step:
        case steps.Drop():
            for seat, (places, _) in chosen.items():
                down[seat] = tuple(place for place in down[seat] if place not in places)
                hand.discarded += places
        case steps.PassCards(_, left):
            live = list(seats_in(hand.live))
            for seat, (places, _) in chosen.items():
                down[seat] = tuple(place for place in down[seat] if place not in places)
            for seat, (places, _) in chosen.items():
                to = live[(live.index(seat) + left) % len(live)]
                down[to] = (*down[to], *places)
        case steps.Arrange():
            for seat, (places, _) in chosen.items():
                down[seat] = places
        case steps.DeclareStep():
            words = list(hand.words)
            for seat, (_, word) in chosen.items():
                words[seat] = word
            hand.words = tuple(words)
        case _:
            raise AssertionError(step)
    hand.down = tuple(down)
