"""Who speaks first in a betting interval.

Source: laws A9 (F-1 to F-7), TL-7, TL-8, TL-13, VC-5, VC-7.
"""

from bot.engine.events import Posted, PostKind, Straddled
from bot.engine.hand import Hand, next_in, seats_in
from bot.engine.legal import Duty
from bot.engine.options import FirstOpener, LaterOpener, StudTie
from bot.engine.ranking.showing import high_showing, highest_card, low_showing, lowest_card

_FORCED = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.STRADDLE, PostKind.STAKE)


def first_to_act(hand: Hand) -> int:
    """The seat that speaks first in the interval about to open, among those with chips; -1 when none has any."""
    options = hand.rules.options
    after = _FIRST[options.first_1](hand) if hand.first_interval else _LATER[options.first_n](hand)
    return next_in(hand.able & hand.live, after)


def _left_of_dealer(_hand: Hand) -> int:
    return -1


def _left_of_last_forced(hand: Hand) -> int:
    """The seat of the last forced bet (F-1, F-2, F-4); a newcomer's post changes nothing (TL-10)."""
    last = -1
    for post in hand.actions:
        if isinstance(post, Straddled) or (isinstance(post, Posted) and post.kind in _FORCED):
            last = post.seat
    if last < 0:
        last = max((post.seat for post in hand.started.posts if post.kind in _FORCED), default=-1)
    return last


def _opener(hand: Hand) -> int:
    """Just before whoever made the first bet of the deal, or nearest his left if he dropped (F-5)."""
    return hand.opener - 1 if hand.opener >= 0 else -1


def _after_ante(_hand: Hand) -> int:
    """No. 1, left of the ante, who is last (F-3)."""
    return 0


def duty_of(hand: Hand, first: int) -> Duty:
    """What the first to speak owes: a bet, where a card on show opens (F-6, F-7); the right to drop, if he stands in for one who is
    all-in (TL-42)."""
    opens = hand.rules.options.first_1
    if not hand.first_interval or hand.level or opens not in _BY_DOOR_CARD:
        return Duty.FREE
    return Duty.OPEN if _FIRST[opens](hand) + 1 == first else Duty.OPEN_OR_DROP


def _by_door_card(hand: Hand) -> int:
    """The seat before the one whose door card opens: lowest or highest, by suit or nearest the dealer's left (F-6, F-7, STUD_TIE)."""
    seats = list(seats_in(hand.live))
    doors = [hand.deck[hand.up[seat][-1]] for seat in seats]
    options = hand.rules.options
    find = lowest_card if options.first_1 is FirstOpener.LOW_CARD else highest_card
    by_suit = hand.rules.card.door_by_suit or options.stud_tie is StudTie.SUIT
    return seats[find(hand.rules.showing, doors, by_suit=by_suit)[0]] - 1


def _by_showing(hand: Hand) -> int:
    """The seat before the one whose cards on show are the best, or the lowest where low opens (F-7, VC-7)."""
    seats = list(seats_in(hand.live))
    shown = [[hand.deck[place] for place in hand.up[seat]] for seat in seats]
    options = hand.rules.options
    find = low_showing if options.first_n is LaterOpener.LOW_SHOWING else high_showing
    equal = find(hand.rules.showing, shown)
    if options.stud_tie is StudTie.SUIT:  # by the suit of the highest card on show (TDA RP-10-D)
        return seats[max(equal, key=lambda at: max(shown[at], default=-1))] - 1
    return seats[equal[0]] - 1


_BY_DOOR_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
_FIRST = {
    FirstOpener.LEFT_OF_DEALER: _left_of_dealer,
    FirstOpener.LEFT_OF_LAST_FORCED: _left_of_last_forced,
    FirstOpener.LOW_CARD: _by_door_card,
    FirstOpener.HIGH_CARD: _by_door_card,
}
_LATER = {
    LaterOpener.LEFT_OF_DEALER: _left_of_dealer,
    LaterOpener.OPENER: _opener,
    LaterOpener.AFTER_ANTE: _after_ante,
    LaterOpener.HIGH_SHOWING: _by_showing,
    LaterOpener.LOW_SHOWING: _by_showing,
}
