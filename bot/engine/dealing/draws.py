"""The draw: cards are discarded face down and replaced from the top of the deck (laws A10: X-1 to X-7, B-17, VC-8 to
VC-16)."""

import hashlib

from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine import steps
from bot.engine.betting.pots import close_betting_round
from bot.engine.cards import ACE
from bot.engine.evolve import EmittedEvents, emit
from bot.engine.hand import Hand, next_seat_in, seats_in
from bot.engine.legal import Decision, LegalActions
from bot.engine.options.values import DrawMax, DrawTiming
from bot.engine.units import CardIndex, SeatIndex

_DRAW, _AFTER_BETTING_ROUND = Decision.DRAW, DrawTiming.AFTER_INTERVAL  # looked up once, see evolve

MAX_DRAW_WITHOUT_ACE = 3
"""Cards that can be changed without an ace, where a fourth needs one (X-2)."""


def run_draw(hand: Hand, events: EmittedEvents, step: steps.Draw) -> bool:
    """Ask the next live seat, from the dealer's left, to even its stake and then to change cards; close the draw
    after the last."""
    if not hand.draw_open:
        emit(hand, events, e.DrawOpened(step.street))
    waiting = hand.seats_to_draw & hand.live_seats
    if waiting:
        seat = next_seat_in(waiting, -1)
        if hand.rules.single_action_steps[hand.step_index - 1] and (owing := _seats_to_equalise(hand, waiting)):
            if hand.rules.options.draw_timing is _AFTER_BETTING_ROUND:
                seat = next_seat_in(owing, -1)
            if owing >> seat & 1:
                emit(hand, events, e.ActionOn(seat))
                return True
        emit(hand, events, e.DecisionRequested(seat, _DRAW))
        return True
    if any(hand.bets):
        close_betting_round(hand, events)
    emit(hand, events, e.DrawClosed())
    return False


def _seats_to_equalise(hand: Hand, waiting: int) -> int:
    """The seats that have a stake to even before they draw (X-3)."""
    return sum(1 << seat for seat in seats_in(waiting & hand.seats_with_chips) if hand.current_bet > hand.bets[seat])


def max_draw(hand: Hand, seat: SeatIndex) -> int:
    """How many cards the seat can change: what the game and `DRAW_MAX` allow, never more than it holds, or than the
    deck and the dead cards can replace (X-2, X-7)."""
    maximum = _max_draw_by_rules(hand, seat)
    left = len(hand.deck) - hand.next_card_index
    return maximum if maximum <= left else min(maximum, left + len(_dead_card_indices(hand, maximum - left)))


def _max_draw_by_rules(hand: Hand, seat: SeatIndex) -> int:
    """How many cards the game and `DRAW_MAX` allow the seat to change, never more than it holds (X-2)."""
    rules = hand.rules
    maximum = min(rules.max_draws[hand.step_index], len(hand.down_indices[seat]))
    if (
        maximum > MAX_DRAW_WITHOUT_ACE
        and rules.options.draw_max is DrawMax.FOUR_WITH_ACE
        and not any(card >> 2 == ACE for card in hand.held_cards(seat))
    ):
        return MAX_DRAW_WITHOUT_ACE
    return maximum


def legal_draw(hand: Hand, seat: SeatIndex) -> LegalActions:
    """What a seat can do at its draw: change up to a number of cards, or none."""
    maximum = max_draw(hand, seat)
    return LegalActions(
        seat,
        _DRAW,
        pot=hand.pot,
        stack=hand.stacks[seat],
        current_bet=hand.current_bet,
        max_cards=maximum,
        deck_is_short=maximum < _max_draw_by_rules(hand, seat),
    )


def decide_discard(hand: Hand, seat: SeatIndex, card_indices: tuple[CardIndex, ...]) -> EmittedEvents:
    """Rule on the cards that a seat discards at a draw.

    Raises:
        TooManyCards: more than it can change.
        NotYourCard: a card it does not hold, or one named twice.
    """
    if not card_indices:  # to stand pat needs no card
        return [e.Drew(seat, (), hand.next_card_index)]
    count, maximum = len(card_indices), max_draw(hand, seat)
    if count > maximum:
        deck_is_short = maximum < _max_draw_by_rules(hand, seat)
        raise r.TooManyCards(law="X-7" if deck_is_short else "X-2", maximum=maximum, deck_is_short=deck_is_short)
    chosen = set(card_indices)
    if len(chosen) != count or not chosen.issubset(hand.down_indices[seat]):
        raise r.NotYourCard
    drew = e.Drew(seat, tuple(sorted(card_indices)), hand.next_card_index)
    if hand.next_card_index + count > len(hand.deck):
        return [e.Reshuffled(reshuffled_order(hand, missing_card_count(hand, count))), drew]
    return [drew]


def missing_card_count(hand: Hand, count: int) -> int:
    """How many cards the deck lacks to deal `count` more."""
    short = count - len(hand.deck) + hand.next_card_index
    return short if short > 0 else 0


def reshuffled_order(hand: Hand, needed: int) -> tuple[int, ...]:
    """The cards that go back under an empty deck, in their new order: folded hands, burns and earlier discards. Where
    they do not suffice, the discards of players who have drawn too; never the drawer's own (X-7)."""
    return shuffle_indices(hand.deck, _dead_card_indices(hand, needed))


def _dead_card_indices(hand: Hand, needed: int) -> list[int]:
    folded = [
        card_index
        for seat in range(hand.seat_count)
        if not hand.live_seats >> seat & 1
        for card_index in hand.down_indices[seat]
    ]
    dead = [
        card_index
        for card_index in (*folded, *hand.burn_indices, *hand.discard_indices)
        if card_index not in hand.reshuffled_indices
    ]
    if len(dead) < needed:
        dead += [
            card_index
            for _, card_indices in hand.discards_this_draw
            for card_index in card_indices
            if card_index not in hand.reshuffled_indices
        ]
    return dead


def shuffle_indices(deck: tuple[int, ...], card_indices: list[int]) -> tuple[int, ...]:
    """Put cards in an order that the hidden order of the deck decides: as random as the deck, and the same again in a
    replay."""
    key = hashlib.sha256(bytes(deck)).digest()
    return tuple(sorted(card_indices, key=lambda index: hashlib.sha256(key + _index_bytes(index)).digest()))


def _index_bytes(card_index: int) -> bytes:
    """A card index of a deck of any size in as few bytes as it needs, so that no two are written alike."""
    return card_index.to_bytes(max(1, (card_index.bit_length() + 7) // 8), "big")
