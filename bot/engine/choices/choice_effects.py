"""What secret choices do to the hand once all have been made (laws: primitives e9, e16, e17, e18)."""

from bot.engine import steps
from bot.engine.hand import Hand, seats_in


def apply_choices(hand: Hand) -> None:
    """Apply all choices together. For `evolve`."""
    step = hand.rules.steps[hand.step_index]
    chosen = dict(hand.secret_choices)
    down = list(hand.down_indices)
    hand.passed_cards = ()
    match step:
        case steps.GiveUpCards():
            for seat, (card_indices, _) in chosen.items():
                down[seat] = tuple(card_index for card_index in down[seat] if card_index not in card_indices)
                hand.discard_indices += card_indices
        case steps.PassCards(_, left):
            live = list(seats_in(hand.live_seats))
            for seat, (card_indices, _) in chosen.items():
                down[seat] = tuple(card_index for card_index in down[seat] if card_index not in card_indices)
            for seat, (card_indices, _) in chosen.items():
                to = live[(live.index(seat) + left) % len(live)]
                down[to] = (*down[to], *card_indices)
                hand.passed_cards += ((seat, to, card_indices),)
        case steps.ArrangeCards():
            for seat, (card_indices, _) in chosen.items():
                down[seat] = card_indices
        case steps.DeclareInSecret():
            words = list(hand.declarations)
            for seat, (_, word) in chosen.items():
                words[seat] = word
            hand.declarations = tuple(words)
        case _:
            raise AssertionError(step)
    hand.down_indices = tuple(down)
