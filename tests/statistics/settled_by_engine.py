"""An independent judge of all-in luck: the engine itself deals and settles every way in which a hand could have gone on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from bot.engine import events as e
from bot.engine.dealing.dealer import run_until_decision
from bot.engine.evolve import begin_hand, evolve_all
from bot.engine.hand import Hand, seats_in

CHOICES = (
    e.Folded, e.Checked, e.Called, e.BetTo, e.RaisedTo, e.Drew, e.SecretChoicesApplied, e.CardTurnedUp, e.OfferDeclined, e.PricePaid,
)  # fmt: skip


def paid_by_engine(
    events: Sequence[e.HandEvent], deck: tuple[int, ...], pool: Sequence[int], *, in_order: bool = False
) -> dict[int, Fraction]:
    """Return the mean of what the pots pay each live seat, over every way in which the cards of the pool can come.

    Args:
        events: of a hand that was all-in before its last card.
        deck: its deck.
        pool: the cards that can come; all others stay out of the hand.
        in_order: it matters which of a player's cards comes first.
    """
    shown = next(at for at, event in enumerate(events) if isinstance(event, e.ShowdownOpened))
    choices = [at for at in range(shown) if isinstance(events[at], CHOICES)]
    kept = choices[-1] + 1 if choices else shown
    dealt = [(who, index) for who, index in _dealt(events, deck) if index >= 0]
    total: dict[int, Fraction] = {}
    ways = 0
    for cards in _ways([who for who, _ in dealt], pool, in_order=in_order):
        played = _play_on(events[:kept], _with_cards(deck, [index for _, index in dealt], cards))
        if played.voided:
            continue
        ways += 1
        for payment in played.payments:
            total[payment.seat] = total.get(payment.seat, Fraction(0)) + payment.chips
    return {seat: chips / ways for seat, chips in total.items()}


def _dealt(events: Sequence[e.HandEvent], deck: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Return who got which card index from the last decision, or the showdown, on: a seat, or the board as -1 less its number."""
    shown = next(at for at, event in enumerate(events) if isinstance(event, e.ShowdownOpened))
    choices = [at for at in range(shown) if isinstance(events[at], CHOICES)]
    start = choices[-1] + 1 if choices else shown
    first = events[0]
    assert isinstance(first, e.HandStarted)
    hand = evolve_all(begin_hand(first, deck), events[1:start])
    for event in events[start:]:
        match event:
            case e.DealtDown() | e.DealtUp():
                seats = seats_in(hand.live_seats)
                order = [s for s in seats if s >= event.first_seat] + [s for s in seats if s < event.first_seat]
                yield from ((seat, event.first_card_index + at) for at, seat in enumerate(order * event.count))
            case e.DealtBoard():
                for at in range(event.count):
                    yield -1 - event.board_index, event.first_card_index + at
            case _:
                pass


def _ways(owners: Sequence[int], pool: Sequence[int], *, in_order: bool) -> Iterator[tuple[int, ...]]:
    """Return each way to give the cards of the pool to these owners."""
    if in_order:
        yield from permutations(pool, len(owners))
        return
    groups = list(dict.fromkeys(owners))
    for given in _grouped([owners.count(one) for one in groups], tuple(pool)):
        hands = dict(zip(groups, map(iter, given), strict=True))
        yield tuple(next(hands[one]) for one in owners)


def _grouped(sizes: Sequence[int], pool: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not sizes:
        yield ()
        return
    for cards in combinations(pool, sizes[0]):
        for rest in _grouped(sizes[1:], tuple(card for card in pool if card not in cards)):
            yield (cards, *rest)


def _with_cards(deck: tuple[int, ...], indices: Sequence[int], cards: Sequence[int]) -> tuple[int, ...]:
    """Return the deck with these cards at these indices; the cards that lay there are where those came from."""
    swapped = list(deck)
    for index, card in zip(indices, cards, strict=True):
        other = swapped.index(card)
        swapped[index], swapped[other] = swapped[other], swapped[index]
    return tuple(swapped)


def _play_on(events: Sequence[e.HandEvent], deck: tuple[int, ...]) -> Hand:
    first = events[0]
    assert isinstance(first, e.HandStarted)
    hand = evolve_all(begin_hand(first, deck), events[1:])
    run_until_decision(hand, [])
    assert hand.over, "a decision was still to come"
    return hand
