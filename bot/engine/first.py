"""Who speaks first in a betting interval.

Source: laws A9 (F-1 to F-7), TL-7, TL-8, TL-13, VC-5, VC-7.
"""

from bot.engine.events import Posted, PostKind
from bot.engine.hand import Hand, next_in
from bot.engine.options import FirstOpener, LaterOpener

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
        if isinstance(post, Posted) and post.kind in _FORCED:
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


_FIRST = {
    FirstOpener.LEFT_OF_DEALER: _left_of_dealer,
    FirstOpener.LEFT_OF_LAST_FORCED: _left_of_last_forced,
}
_LATER = {
    LaterOpener.LEFT_OF_DEALER: _left_of_dealer,
    LaterOpener.OPENER: _opener,
    LaterOpener.AFTER_ANTE: _after_ante,
}
