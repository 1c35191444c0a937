"""Who speaks first in a betting interval.

Source: laws A9 (F-1 to F-7), TL-7, TL-8, TL-13, VB-9, VC-5, VC-7, VC-23.
"""

from msgspec.structs import replace

from bot.engine.events import Posted, PostKind, Straddled
from bot.engine.hand import Hand, next_in, seats_in
from bot.engine.legal import Duty
from bot.engine.options import FirstOpener, LaterOpener, StudTie
from bot.engine.ranking import NOTHING_WILD, Evaluator, Scale, evaluator
from bot.engine.ranking.showing import high_showing, highest_card, low_showing, lowest_card

_FORCED = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.STRADDLE, PostKind.STAKE)
_LOW_CARD, _LOW_SHOWING, _BY_SUIT = (
    FirstOpener.LOW_CARD,
    LaterOpener.LOW_SHOWING,
    StudTie.SUIT,
)  # found once, see evolve
_FREE, _OPEN, _OPEN_OR_DROP = Duty.FREE, Duty.OPEN, Duty.OPEN_OR_DROP


def first_to_act(hand: Hand) -> tuple[int, Duty]:
    """The seat that speaks first in the interval about to open, among those with chips, and what it owes; -1 when none has any chips.

    Where a card on show opens, a bet is owed (F-6, F-7); or a bet or a drop, by who stands in for an opener that is all-in (TL-42).
    """
    options, may_bet = hand.rules.options, hand.able & hand.live
    if not hand.first_interval:
        return next_in(may_bet, _LATER[options.first_n](hand)), _FREE
    opens = options.first_1
    after = _FIRST[opens](hand)
    first = next_in(may_bet, after)
    if hand.level or opens not in _BY_DOOR_CARD:
        return first, _FREE
    return first, _OPEN if first == after + 1 else _OPEN_OR_DROP


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


def _by_door_card(hand: Hand) -> int:
    """The seat before the one whose door card opens: lowest or highest, by suit or nearest the dealer's left (F-6, F-7, STUD_TIE)."""
    deck, up, rules = hand.deck, hand.up, hand.rules
    seats = seats_in(hand.live)
    doors = [deck[up[seat][0]] for seat in seats]  # not a card that the door card has brought (VC-24)
    find = lowest_card if rules.options.first_1 is _LOW_CARD else highest_card
    by_suit = rules.card.door_by_suit or rules.options.stud_tie is _BY_SUIT
    judge = _judge(hand)
    if judge.ranking.is_low and any(not share.ranking.is_low for share in rules.card.shares):
        judge = evaluator(
            replace(judge.ranking, scale=Scale.HIGH)
        )  # where high hands win too, a door ace is high (VC-6)
    return seats[find(judge, doors, by_suit=by_suit)[0]] - 1


def _by_showing(hand: Hand) -> int:
    """The seat before the one whose cards on show are the best, or the lowest where low opens (F-7, VC-7)."""
    deck, up, options = hand.deck, hand.up, hand.rules.options
    seats = seats_in(hand.live)
    shown = [[deck[place] for place in up[seat]] for seat in seats]
    find = low_showing if options.first_n is _LOW_SHOWING else high_showing
    equal = find(_judge(hand), shown)
    if len(equal) > 1 and options.stud_tie is _BY_SUIT:  # by the suit of the highest card on show (TDA RP-10-D)
        return seats[max(equal, key=lambda at: max(shown[at], default=-1))] - 1
    return seats[equal[0]] - 1


def _judge(hand: Hand) -> Evaluator:
    """The judge of cards on show: what has become wild in this deal counts at its best there too (VB-9, VC-23)."""
    judge = hand.rules.showing
    wild = judge.ranking.wild
    if not hand.wild_now or wild == NOTHING_WILD:
        return judge
    named = tuple(sorted({*wild.ranks, *hand.wild_now}))
    return evaluator(replace(judge.ranking, wild=replace(wild, ranks=named)))


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
