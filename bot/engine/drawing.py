"""The draw: cards laid away face down and as many new ones from the top of the pack.

Source: laws A10 (X-1 to X-7), B-17, VC-8 to VC-16.
"""

import hashlib

from bot.engine import events as e
from bot.engine import refusals as r
from bot.engine import steps
from bot.engine.cards import ACE
from bot.engine.hand import Hand, next_in, seats_in
from bot.engine.happening import Happened, close_interval, happen
from bot.engine.legal import Decision, Legal
from bot.engine.options import DrawTiming

_DRAW, _AFTER_INTERVAL = Decision.DRAW, DrawTiming.AFTER_INTERVAL  # found once, see evolve

THREE = 3
"""Cards that may be changed without an ace, where a fourth needs one (X-2)."""


def draw(hand: Hand, happened: Happened, step: steps.Draw) -> bool:
    """Ask the next live seat, from the dealer's left, to even its stake and then to change cards; close the draw after the last."""
    if hand.unserved < 0:
        happen(hand, happened, e.DrawOpened(step.street))
    waiting = hand.unserved & hand.live
    if waiting:
        seat = next_in(waiting, -1)
        if hand.rules.evens[hand.step] and (owing := _owing(hand, waiting)):
            if hand.rules.options.draw_timing is _AFTER_INTERVAL:
                seat = next_in(owing, -1)
            if owing >> seat & 1:
                happen(hand, happened, e.ActionOn(seat))
                return True
        happen(hand, happened, e.Asked(seat, _DRAW))
        return True
    if any(hand.bets):
        close_interval(hand, happened)
    happen(hand, happened, e.DrawClosed())
    return False


def _owing(hand: Hand, waiting: int) -> int:
    """Those who have a stake to even before they draw (X-3)."""
    return sum(1 << seat for seat in seats_in(waiting & hand.able) if hand.level > hand.bets[seat])


def draw_most(hand: Hand, seat: int) -> int:
    """How many cards the seat may change: what the sheet and `DRAW_MAX` allow, never more than it holds, or than the pack and the dead
    cards can replace (X-2, X-7)."""
    rules = hand.rules
    most, held = rules.draws[hand.step], len(hand.down[seat])
    most = min(most, held)
    if most > THREE and rules.an_ace_draws_four and not any(card >> 2 == ACE for card in hand.hole_cards(seat)):
        most = THREE
    left = len(hand.deck) - hand.place
    return most if most <= left else min(most, left + len(_dead(hand, most - left)))


def legal_draw(hand: Hand, seat: int) -> Legal:
    """What a seat may do at its draw: change up to so many cards, or none."""
    return Legal(
        seat, _DRAW, pot=hand.pot, stack=hand.stacks[seat], level=hand.level, most=draw_most(hand, seat)
    )  # fmt: skip


def rule_discard(hand: Hand, seat: int, places: tuple[int, ...]) -> Happened:
    """Rule on the cards a seat lays away at a draw.

    Raises:
        TooManyCards, NotYourCard: more than it may change; a card it does not hold, or one named twice.
    """
    if not places:  # to stand pat needs no card
        return [e.Drew(seat, (), hand.place)]
    count, most = len(places), draw_most(hand, seat)
    if count > most:
        raise r.TooManyCards(chosen=count, most=most)
    chosen = set(places)
    if len(chosen) != count or not chosen.issubset(hand.down[seat]):
        raise r.NotYourCard
    drew = e.Drew(seat, tuple(sorted(places)), hand.place)
    if hand.place + count > len(hand.deck):
        return [e.Reshuffled(shuffled_back(hand, short_by(hand, count))), drew]
    return [drew]


def short_by(hand: Hand, count: int) -> int:
    """How many cards the pack lacks to deal `count` more."""
    short = count - len(hand.deck) + hand.place
    return short if short > 0 else 0


def shuffled_back(hand: Hand, needed: int) -> tuple[int, ...]:
    """The cards that go back under an empty pack, in their new order: folded hands, burns and earlier discards; where they do not
    suffice, the discards of players already served too; never the drawer's own (X-7)."""
    return shuffle(hand.deck, _dead(hand, needed))


def _dead(hand: Hand, needed: int) -> list[int]:
    folded = [place for seat in range(hand.number_of) if not hand.live >> seat & 1 for place in hand.down[seat]]
    dead = [place for place in (*folded, *hand.burns, *hand.discarded) if place not in hand.spent]
    if len(dead) < needed:
        dead += [place for _, places in hand.laid for place in places if place not in hand.spent]
    return dead


def shuffle(deck: tuple[int, ...], places: list[int]) -> tuple[int, ...]:
    """Put places in an order that the hidden order of the pack decides: as random as the pack, the same again on a replay."""
    key = hashlib.sha256(bytes(deck)).digest()
    return tuple(sorted(places, key=lambda place: hashlib.sha256(key + _in_bytes(place)).digest()))


def _in_bytes(place: int) -> bytes:
    """A place of a pack of any size: as few bytes as it needs, so that no two places are written alike."""
    return place.to_bytes(max(1, (place.bit_length() + 7) // 8), "big")
