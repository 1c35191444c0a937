"""How much can be bet: sizes of raises under every limit, when a raise is full, and who can raise again (laws A8: B,
L; TL-2 to TL-6, TL-17, TL-19, TL-42)."""

from bot.engine.customs import ForbidsCheckRaise
from bot.engine.events import BetTo, Called, Checked, Folded, RaisedTo, Straddled
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import OpeningDuty
from bot.engine.options.values import Ante, Limit, MinRaise, OpenMax, OpenMin, StraddleCap
from bot.engine.ranking import Category
from bot.engine.showdown.hand_values import can_open
from bot.engine.units import SeatIndex

_NO_LIMIT, _POT_LIMIT = Limit.NO_LIMIT, Limit.POT_LIMIT  # looked up once, see evolve
_LIMIT, _STAKE_LIMIT = Limit.LIMIT, Limit.STAKE_LIMIT
_FREE = OpeningDuty.FREE


def fixed_bet_size(hand: Hand) -> int:
    """The size of the next bet or raise in a game of fixed sizes, in chips; the smaller one where an open pair leaves a
    choice (L-6, L-7, VC-5)."""
    rules = hand.rules
    if rules.limit is not _LIMIT:
        return rules.ladder.size(hand.ladder_step, hand.last_full_bet)
    return rules.amounts.big_bet if hand.big_bet_made else rules.bet_sizes[hand.step_index]


def _larger_bet_size(hand: Hand, seat: SeatIndex) -> int:
    """The larger size that this seat can choose instead, in chips; the size itself where it has no choice.

    It has one where an open pair does not yet have a big bet to raise: the player who shows the pair and those after
    them, also when that player has folded since or is all-in (VC-5; WSOP-L 220, RR Seven-Card Stud).
    """
    rules = hand.rules
    if hand.big_bet_made or hand.step_index not in rules.pair_doubling_steps:
        return fixed_bet_size(hand)
    actions = [event for event in hand.street_actions if isinstance(event, _BETTING_ACTIONS)]
    acted = {event.seat for event in actions}
    folded = sum(1 << event.seat for event in actions if isinstance(event, Folded))
    first, count = hand.first_to_act, hand.seat_count
    for other in seats_in(hand.live_seats | folded):
        if _shows_pair(hand, other) and (
            other in acted
            or not hand.seats_with_chips >> other & 1
            or (other - first) % count <= (seat - first) % count
        ):
            return rules.amounts.big_bet
    return fixed_bet_size(hand)


def _shows_pair(hand: Hand, seat: SeatIndex) -> bool:
    """Whether a seat's cards on show make a pair or more. A wild card among them counts at its best (VB-9)."""
    cards = [hand.deck[card_index] for card_index in hand.up_indices[seat]]
    showing = hand.rules.showing_evaluator
    return bool(cards) and showing.name(showing.value(cards)).category is not Category.HIGH_CARD


_BETTING_ACTIONS = (Folded, Checked, Called, BetTo, RaisedTo)


def awaits_opening_bet(hand: Hand) -> bool:
    """Whether the hand waits to be opened at double the ante or straddle (L-4): nobody can merely call the forced
    stake."""
    options = hand.rules.options
    opens_double = options.limit is _STAKE_LIMIT and options.ante is Ante.LEFT_OF_DEALER
    return opens_double and hand.opener < 0 and hand.in_first_betting_round and hand.current_bet > 0


def full_bet_limits(hand: Hand, seat: SeatIndex) -> tuple[int, int]:
    """The minimum and maximum of a full bet or raise for this seat, as street totals, whatever it has left.

    Laws: L-2, L-4 to L-9, TL-2, TL-5, TL-6, TL-19.
    """
    rules, level = hand.rules, hand.current_bet
    limit = rules.limit
    if limit is _NO_LIMIT:
        return level + hand.min_raise_increment, hand.bets[seat] + hand.stacks[seat]
    if limit is _POT_LIMIT:
        increment, room = hand.min_raise_increment, level - hand.bets[seat] + hand.pot + hand.blind_shortfall
        if (
            increment > room
        ):  # the pot bounds the minimum too (0.5 `MIN_BET`), but for a bet that the law itself demands
            increment = room = max(room, min(increment, rules.amounts.pot_limit_min_bet))
        return level + increment, level + room
    if rules.has_fixed_sizes:
        size = hand.last_full_bet + fixed_bet_size(hand)
        return size, hand.last_full_bet + _larger_bet_size(hand, seat) if rules.pair_doubling_steps else size
    limit_per_raise = rules.stakes.limit
    if not hand.in_first_betting_round:
        limit_per_raise = rules.stakes.limit_after_draw or limit_per_raise
    maximum = level + limit_per_raise
    if awaits_opening_bet(hand):
        plain = level == rules.stakes.ante and rules.options.open_max is OpenMax.ANTE_PLUS_LIMIT
        doubled = 2 * _bet_to_double(hand)
        return doubled, maximum if plain else doubled + limit_per_raise
    if not level:
        return rules.amounts.min_bet, maximum
    if rules.options.min_raise is MinRaise.MATCH_CALL:
        to_call = level - hand.bets[seat]
        alone = hand.live_seats.bit_count() == 2  # L-9: only one other player is in the pot
        return level + (1 if alone else min(max(to_call, 1), limit_per_raise)), maximum
    if rules.options.min_raise is MinRaise.LAST_RAISE:
        return level + min(hand.min_raise_increment, limit_per_raise), maximum
    return level + 1, maximum


def _bet_to_double(hand: Hand) -> int:
    """What the opening bet has to double: the last forced stake, or, where the table counts straddles by their total,
    all of them (A-9). `OPEN_MIN` can read this otherwise than `STRADDLE_CAP` reads A-7."""
    options = hand.rules.options
    in_total = options.straddle_cap is StraddleCap.RUNNING_TOTAL
    if options.open_min is not OpenMin.AS_CAP:
        in_total = options.open_min is OpenMin.RUNNING_TOTAL
    return max(hand.current_bet, ante_and_straddles(hand)) if in_total else hand.current_bet


def ante_and_straddles(hand: Hand) -> int:
    """The chips that the ante and all straddles have put in: a second straddle of a seat adds to its first (A-6, A-7)."""
    return hand.rules.stakes.ante + sum(event.chips for event in hand.street_actions if isinstance(event, Straddled))


def wager_limits(hand: Hand, seat: SeatIndex) -> tuple[int, int, str]:
    """The minimum and maximum to which this seat can bet or raise, all-ins for less included (TL-3), and ""; or 0, 0
    and the id of the law that forbids it any bet or raise now."""
    others = hand.seats_with_chips & ~(1 << seat)
    if not others:
        return 0, 0, "TL-42"
    rules, level, own = hand.rules, hand.current_bet, hand.bets[seat]
    while others:  # the first of them can nearly always call more, so this costs one comparison
        other = others.bit_length() - 1
        if hand.bets[other] + hand.stacks[other] > level:
            break
        others ^= 1 << other
    else:
        if _can_only_be_called(hand):
            return 0, 0, "TL-42"
    if (rules.restricts_raises or hand.out_of_turn_chips or hand.draw_open) and (law := _restriction_law(hand, seat)):
        return 0, 0, law
    size = fixed_bet_size(hand) if rules.has_fixed_sizes else hand.min_raise_increment
    if level:
        if hand.raise_count and 0 < rules.raise_cap <= hand.raise_count and not hand.raises_uncapped:
            return 0, 0, "L-10"
        # A seat has answered the bet that it last put in; a seat that has stood while nobody bet has answered nothing yet (C-5).
        if hand.seats_acted >> seat & 1 and level - own < size:
            return 0, 0, "TL-4"
    total = own + hand.stacks[seat]
    if total <= level:
        return 0, 0, "TL-3"
    if rules.has_fixed_sizes:
        minimum = maximum = hand.last_full_bet + size
        if rules.pair_doubling_steps:
            maximum = hand.last_full_bet + _larger_bet_size(hand, seat)
    elif rules.limit is _NO_LIMIT:
        minimum, maximum = level + size, total
    else:
        minimum, maximum = full_bet_limits(hand, seat)
    if total < minimum:
        return (total, min(maximum, total), "") if rules.allows_all_in else (0, 0, "B-7")
    return minimum, (maximum if maximum < total else total), ""


def _can_only_be_called(hand: Hand) -> bool:
    """Whether a raise would come back whole when nobody has more than the call: not where somebody short of it must fold (B-7), where
    chips lie out of turn (I-8), or where the bet that stands cannot be called (L-4)."""
    return hand.rules.allows_all_in and not hand.out_of_turn_chips and not awaits_opening_bet(hand)


def raise_forbidden_law(hand: Hand, seat: SeatIndex) -> str:
    """The id of the law that forbids this seat any bet or raise now, or "" when it can."""
    return wager_limits(hand, seat)[2]


def raise_limits(hand: Hand, seat: SeatIndex) -> tuple[int, int]:
    """The minimum and maximum to which this seat can bet or raise, all-ins for less included; 0 and 0 when it cannot
    (TL-3)."""
    return wager_limits(hand, seat)[:2]


def can_bet_to(hand: Hand, seat: SeatIndex, to: int) -> bool:
    """Whether a bet or raise to this total is lawful for the seat. Fixed sizes leave nothing between them."""
    minimum, maximum, _ = wager_limits(hand, seat)
    if not minimum <= to <= maximum or not maximum:
        return False
    return not hand.rules.has_fixed_sizes or to in (minimum, maximum)


def _restriction_law(hand: Hand, seat: SeatIndex) -> str:
    """The law that keeps a seat from betting or raising because of chips put in early, stakes evened at a draw or the
    game itself; or ""."""
    if hand.out_of_turn_chips and hand.out_of_turn_chips[seat]:
        return "I-8"
    if hand.draw_open:
        return "B-17"
    rules = hand.rules
    if rules.openers is not None and hand.in_first_betting_round and hand.opener < 0 and not can_open(hand, seat):
        return "VC-20"
    if rules.rule_card.has_custom(ForbidsCheckRaise) and hand.current_bet and hand.seats_checked >> seat & 1:
        return "VC-11"
    return ""


def is_full_raise(hand: Hand, seat: SeatIndex, to: int) -> bool:
    """Whether a bet or raise to `to` counts as full: it reopens the betting and moves the minimum (TL-4 to TL-6, TL-42)."""
    rules, increment = hand.rules, to - hand.current_bet
    if rules.has_fixed_sizes:
        if hand.opening_duty is not _FREE and to <= rules.amounts.bring_in < fixed_bet_size(hand):
            return False  # a bring-in is no bet to raise, even half of one: completing it is not a raise (VC-5)
        return 2 * (to - hand.last_full_bet) >= fixed_bet_size(hand)
    if rules.limit is _STAKE_LIMIT and rules.options.min_raise is not MinRaise.LAST_RAISE:
        if rules.options.min_raise is MinRaise.ONE_CHIP or not hand.current_bet:
            return True
        return increment >= hand.current_bet - hand.bets[seat] or hand.live_seats.bit_count() == 2  # L-9
    # a bet of all that the pot allows is full, even where the house asks more of a first bet
    return increment >= hand.min_raise_increment or (rules.limit is _POT_LIMIT and to >= full_bet_limits(hand, seat)[0])
