"""Who acts first in a betting round (laws A9: F-1 to F-7, TL-7, TL-8, TL-13, VB-9, VC-5, VC-7, VC-23)."""

from msgspec.structs import replace

from bot.engine.customs import DoorCardTiesBySuit
from bot.engine.events import Posted, PostKind, Straddled
from bot.engine.hand import Hand, next_seat_in, seats_in
from bot.engine.legal import OpeningDuty
from bot.engine.options.values import FirstOpener, LaterOpener, StudTie
from bot.engine.ranking import NOTHING_WILD, Evaluator, Scale, evaluator
from bot.engine.ranking.up_cards import highest_door_cards, highest_up_hands, lowest_door_cards, lowest_up_hands
from bot.engine.units import SeatIndex

_FORCED_POSTS = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.STRADDLE, PostKind.STAKE)
_LOW_CARD, _LOW_SHOWING = FirstOpener.LOW_CARD, LaterOpener.LOW_SHOWING  # looked up once, see evolve
_BY_SUIT = StudTie.SUIT
_FREE, _OPEN, _OPEN_OR_FOLD = OpeningDuty.FREE, OpeningDuty.OPEN, OpeningDuty.OPEN_OR_FOLD


def first_to_act(hand: Hand) -> tuple[SeatIndex, OpeningDuty]:
    """The seat that acts first in the betting round about to open, among those with chips, and what it owes;
    `NO_SEAT` when none has chips.

    Where a card on show opens, a bet is owed (F-6, F-7). A seat that acts for an opener who is all-in bets or folds
    (TL-42).
    """
    options, can_bet = hand.rules.options, hand.seats_with_chips & hand.live_seats
    if not hand.in_first_betting_round:
        return next_seat_in(can_bet, _LATER_ROUND_RULES[options.first_n](hand)), _FREE
    opens = options.first_1
    after = _FIRST_ROUND_RULES[opens](hand)
    first = next_seat_in(can_bet, after)
    if hand.current_bet or opens not in _OPENED_BY_DOOR_CARD:
        return first, _FREE
    return first, _OPEN if first == after + 1 else _OPEN_OR_FOLD


def _left_of_dealer(_hand: Hand) -> int:
    return -1


def _left_of_last_forced(hand: Hand) -> int:
    """The seat of the last forced bet (F-1, F-2, F-4); a newcomer's post changes nothing (TL-10)."""
    last = -1
    for post in hand.street_actions:
        if isinstance(post, Straddled) or (isinstance(post, Posted) and post.kind in _FORCED_POSTS):
            last = post.seat
    if last < 0:
        last = max((post.seat for post in hand.started.posts if post.kind in _FORCED_POSTS), default=-1)
    return last


def _before_opener(hand: Hand) -> int:
    """The seat before the one that made the first bet of the hand; if it has folded, the next one acts (F-5)."""
    return hand.opener - 1 if hand.opener >= 0 else -1


def _after_ante(_hand: Hand) -> int:
    """The seat of the ante: No. 1, on its left, acts first (F-3)."""
    return 0


def _before_door_card_opener(hand: Hand) -> int:
    """The seat before the one whose door card opens: lowest or highest, by suit or nearest the dealer's left (F-6, F-7, STUD_TIE)."""
    deck, up, rules = hand.deck, hand.up_indices, hand.rules
    seats = seats_in(hand.live_seats)
    doors = [deck[up[seat][0]] for seat in seats]  # not an extra card that the door card brought (VC-24)
    find = lowest_door_cards if rules.options.first_1 is _LOW_CARD else highest_door_cards
    by_suit = rules.rule_card.has_custom(DoorCardTiesBySuit) or rules.options.stud_tie is _BY_SUIT
    hand_evaluator = _showing_evaluator(hand)
    if hand_evaluator.ranking.is_low and any(not share.ranking.is_low for share in rules.rule_card.shares):
        # where high hands win too, a door ace is high (VC-6)
        hand_evaluator = evaluator(replace(hand_evaluator.ranking, scale=Scale.HIGH))
    return seats[find(hand_evaluator, doors, by_suit=by_suit)[0]] - 1


def _before_best_showing(hand: Hand) -> int:
    """The seat before the one whose cards on show are the best, or the lowest where low opens (F-7, VC-7)."""
    deck, up, options = hand.deck, hand.up_indices, hand.rules.options
    seats = seats_in(hand.live_seats)
    shown = [[deck[card_index] for card_index in up[seat]] for seat in seats]
    find = lowest_up_hands if options.first_n is _LOW_SHOWING else highest_up_hands
    equal = find(_showing_evaluator(hand), shown)
    if len(equal) > 1 and options.stud_tie is _BY_SUIT:  # by the suit of the highest card on show (TDA RP-10-D)
        return seats[max(equal, key=lambda at: max(shown[at], default=-1))] - 1
    return seats[equal[0]] - 1


def _showing_evaluator(hand: Hand) -> Evaluator:
    """The evaluator of cards on show. What has become wild in this hand counts at its best there too (VB-9, VC-23)."""
    hand_evaluator = hand.rules.showing_evaluator
    wild = hand_evaluator.ranking.wild
    if not hand.current_wild_ranks or wild == NOTHING_WILD:
        return hand_evaluator
    named = tuple(sorted({*wild.ranks, *hand.current_wild_ranks}))
    return evaluator(replace(hand_evaluator.ranking, wild=replace(wild, ranks=named)))


_OPENED_BY_DOOR_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
_FIRST_ROUND_RULES = {
    FirstOpener.LEFT_OF_DEALER: _left_of_dealer,
    FirstOpener.LEFT_OF_LAST_FORCED: _left_of_last_forced,
    FirstOpener.LOW_CARD: _before_door_card_opener,
    FirstOpener.HIGH_CARD: _before_door_card_opener,
}
_LATER_ROUND_RULES = {
    LaterOpener.LEFT_OF_DEALER: _left_of_dealer,
    LaterOpener.OPENER: _before_opener,
    LaterOpener.AFTER_ANTE: _after_ante,
    LaterOpener.HIGH_SHOWING: _before_best_showing,
    LaterOpener.LOW_SHOWING: _before_best_showing,
}
