"""Make every other choice of a practice player: which cards to change, give up or pass on, what to declare, what to pay for.

All are made from the player's own view. Where nothing better is known, they are the default action (TL-41).
"""

from random import Random

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.choices.designations import best_designation
from bot.engine.choices.secret_choices import NO, YES
from bot.engine.legal import LegalActions, OfferKind
from bot.engine.units import CardIndex
from bot.engine.view.types import CardView, HandView
from bot.players.cards_to_keep import hand_percentiles, keep_any, keep_exactly
from bot.players.personality import Personality
from bot.players.strength import expected_pot_share
from bot.players.view_helpers import opponents, share_evaluators, viewer_cards, viewer_seat

STAY_IN_THRESHOLDS = {1: 0.55, 2: 0.68, 3: 0.75, 4: 0.8}
"""Guts: the part of random hands that a hand must beat to stay in, by the number of opponents (VC-27)."""
DECLARE_BOTH_THRESHOLD = 0.85
"""High-low with a declaration: the part of random hands that a hand must beat both ways to declare both (VC-26)."""


def draw(view: HandView, legal: LegalActions, rng: Random) -> c.HandCommand:
    """Discard the cards that do not help, as many as allowed."""
    return c.ChooseCards(_card_indexes_not_kept(view, keep_any(view, rng, legal.max_cards)))


def give_up(view: HandView, legal: LegalActions, rng: Random) -> c.HandCommand:
    """Give up or pass the required number of cards: those without which the rest is best."""
    held = [seen for seen in viewer_seat(view).cards if seen.card_index >= 0]
    return c.ChooseCards(
        _card_indexes_not_kept(view, keep_exactly(view, rng, len(held) - legal.max_cards))[: legal.max_cards]
    )


def arrange(view: HandView) -> c.HandCommand:
    """Turn the weakest cards up first, so that the opponents learn late what they face."""
    cards = [seen for seen in viewer_seat(view).cards if seen.card_index >= 0 and not seen.face_up]
    ranks = [_card_rank(seen) for seen in cards]
    return c.ChooseCards(
        tuple(
            seen.card_index
            for seen in sorted(cards, key=lambda seen: (ranks.count(_card_rank(seen)), _card_rank(seen)))
        )
    )


def declare(view: HandView, legal: LegalActions, personality: Personality, rng: Random) -> c.HandCommand:
    """Declare high or low, in or out, yes or no."""
    words = legal.declarable_words
    if YES in words:
        return c.Declare(YES if rng.random() < 0.7 else NO)
    percentiles = hand_percentiles(view, rng)
    if "out" in words:
        enough = STAY_IN_THRESHOLDS.get(len(opponents(view)), 0.85) - 0.2 * personality.loose
        return c.Declare("in" if percentiles[0] > enough else "out")
    if "both" in words and len(percentiles) > 1 and min(percentiles) > DECLARE_BOTH_THRESHOLD:
        return c.Declare("both")
    best = view.shares[percentiles.index(max(percentiles))].name
    return c.Declare(best if best in words else words[0])


def take_offer(view: HandView, legal: LegalActions, personality: Personality, rng: Random) -> c.HandCommand:
    """Pay a price when the chance is worth it; turn a card up now and then."""
    if legal.offer_kind is not OfferKind.PRICE:
        return c.Accept() if rng.random() < 0.3 * personality.bold else c.Decline()
    worth_it = expected_pot_share(_with_all_dealt(view), rng) * (
        legal.pot + legal.offer_amount
    ) > legal.offer_amount * (1.1 - 0.3 * personality.loose)
    return c.Accept() if worth_it else c.Decline()


def _with_all_dealt(view: HandView) -> HandView:
    """Add one unknown card for each opponent who gets their card of the street only after this one is paid for (VC-24)."""
    own = viewer_seat(view)
    return replace(
        view,
        seats=tuple(
            replace(at, cards=(*at.cards, CardView(None))) if at.seat_index > own.seat_index else at
            for at in view.seats
        ),
    )


def straddle(personality: Personality, rng: Random) -> c.HandCommand:
    """Gamblers straddle now and then."""
    return c.TakeStraddle() if rng.random() < 0.4 * personality.loose * personality.bold else c.Decline()


def show(view: HandView, legal: LegalActions) -> c.HandCommand:
    """Show a hand that wins something or is shown first, with the best names for wild cards and aces (W-7, LO-3)."""
    if legal.designable_indices or legal.declarable_words:
        return c.Show(best_designation(view, legal), legal.declarable_words[0] if legal.declarable_words else "")
    return c.Muck() if legal.muck and _is_beaten(view) else c.Show()


def _is_beaten(view: HandView) -> bool:
    """Return whether the hands that have been shown win every share against the viewer's."""
    shown = [seat.cards for seat in opponents(view) if all(seen.card is not None for seen in seat.cards)]
    if not shown:
        return False
    hands = [viewer_cards(view), *([seen.card for seen in cards if seen.card is not None] for cards in shown)]
    for evaluator in share_evaluators(view):
        for board in view.boards or ((),):
            mine, *theirs = evaluator.values(hands, board)
            if mine and mine >= max(theirs):
                return False
    return True


def _card_indexes_not_kept(view: HandView, keep: tuple[int, ...]) -> tuple[CardIndex, ...]:
    """Return the indices of the viewer's cards that are not kept."""
    return tuple(seen.card_index for seen in viewer_seat(view).cards if seen.card_index >= 0 and seen.card not in keep)


def _card_rank(seen: CardView) -> int:
    assert seen.card is not None
    return seen.card >> 2
