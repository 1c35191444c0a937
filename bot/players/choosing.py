"""Every other choice of a practice player: which cards to change, give up or pass on, what to say, what to pay for.

All are made from the player's own view; where nothing better is known, they are what silence would be (TL-41).
"""

from random import Random

from msgspec.structs import replace

from bot.engine import commands as c
from bot.engine.choosing import NO, YES
from bot.engine.designating import best_designation
from bot.engine.legal import Legal
from bot.engine.offering import PRICE
from bot.engine.view import CardSeen, HandView
from bot.players.keeping import keep_any, keep_exactly, standing
from bot.players.sight import judges, own_cards, own_seat, rivals
from bot.players.strength import strength
from bot.players.temper import Temper

IN_FROM = {1: 0.55, 2: 0.68, 3: 0.75, 4: 0.8}
"""Guts: what part of random hands one's own must beat to stay in against so many (VC-27)."""
BOTH_FROM = 0.85
"""High-low with a declaration: what part of random hands it must beat both ways to go for both (VC-26)."""


def draw(view: HandView, may: Legal, rng: Random) -> c.Command:
    """Change the cards that do not help, as many as allowed."""
    return c.Discard(_places(view, keep_any(view, rng, may.most)))


def give_up(view: HandView, may: Legal, rng: Random) -> c.Command:
    """Drop or pass exactly so many cards: those without which the rest is worth most."""
    held = [seen for seen in own_seat(view).cards if seen.place >= 0]
    return c.Discard(_places(view, keep_exactly(view, rng, len(held) - may.most))[: may.most])


def arrange(view: HandView) -> c.Command:
    """Turn the weakest cards up first, so that the others learn late what they face."""
    cards = [seen for seen in own_seat(view).cards if seen.place >= 0 and not seen.up]
    ranks = [_rank(seen) for seen in cards]
    return c.Discard(
        tuple(seen.place for seen in sorted(cards, key=lambda seen: (ranks.count(_rank(seen)), _rank(seen))))
    )


def declare(view: HandView, may: Legal, temper: Temper, rng: Random) -> c.Command:
    """Say which way to play, in or out, yes or no."""
    words = may.words
    if YES in words:
        return c.Declare(YES if rng.random() < 0.7 else NO)
    stands = standing(view, rng)
    if "out" in words:
        enough = IN_FROM.get(len(rivals(view)), 0.85) - 0.2 * temper.loose
        return c.Declare("in" if stands[0] > enough else "out")
    if "both" in words and len(stands) > 1 and min(stands) > BOTH_FROM:
        return c.Declare("both")
    best = view.shares[stands.index(max(stands))].name
    return c.Declare(best if best in words else words[0])


def take_offer(view: HandView, may: Legal, temper: Temper, rng: Random) -> c.Command:
    """Pay a price when the chance is worth it; turn a card up now and then."""
    if may.about != PRICE:
        return c.Accept() if rng.random() < 0.3 * temper.bold else c.Decline()
    worth_it = strength(_all_served(view), rng) * (may.pot + may.offer) > may.offer * (1.1 - 0.3 * temper.loose)
    return c.Accept() if worth_it else c.Decline()


def _all_served(view: HandView) -> HandView:
    """The view with a hidden card more before each rival behind, who will be dealt his card of the street only when this one's is paid
    for (VC-24)."""
    own = own_seat(view)
    return replace(
        view,
        seats=tuple(replace(at, cards=(*at.cards, CardSeen(None))) if at.seat > own.seat else at for at in view.seats),
    )


def straddle(temper: Temper, rng: Random) -> c.Command:
    """Gamblers straddle now and then."""
    return c.Straddle() if rng.random() < 0.4 * temper.loose * temper.bold else c.Decline()


def show(view: HandView, may: Legal) -> c.Command:
    """Show what wins something or is the first shown; say of wild cards and aces what makes the best hand (W-7, LO-3)."""
    if may.designate or may.words:
        return c.Show(best_designation(view, may), may.words[0] if may.words else "")
    return c.Muck() if may.muck and _beaten(view) else c.Show()


def _beaten(view: HandView) -> bool:
    """Whether hands that have been shown win every share against one's own."""
    shown = [seat.cards for seat in rivals(view) if all(seen.card is not None for seen in seat.cards)]
    if not shown:
        return False
    hands = [own_cards(view), *([seen.card for seen in cards if seen.card is not None] for cards in shown)]
    for judge in judges(view):
        for board in view.boards or ((),):
            mine, *theirs = judge.values(hands, board)
            if mine and mine >= max(theirs):
                return False
    return True


def _places(view: HandView, keep: tuple[int, ...]) -> tuple[int, ...]:
    """The places of the viewer's cards that are not kept."""
    return tuple(seen.place for seen in own_seat(view).cards if seen.place >= 0 and seen.card not in keep)


def _rank(seen: CardSeen) -> int:
    assert seen.card is not None
    return seen.card >> 2
