"""How much may be bet: sizes of raises under every limit, when a raise is full, and who may raise again.

Source: laws A8 (B, L), TL-2 to TL-6, TL-17, TL-19, TL-42.
"""

from bot.engine.events import Straddled
from bot.engine.hand import Hand, seats_in
from bot.engine.legal import Duty
from bot.engine.options import Limit, MinRaise, OpenMax, StraddleCap
from bot.engine.reading import may_open

_NO_LIMIT, _POT_LIMIT, _LIMIT, _STAKE_LIMIT = (
    Limit.NO_LIMIT,
    Limit.POT_LIMIT,
    Limit.LIMIT,
    Limit.STAKE_LIMIT,
)  # see evolve
_FREE = Duty.FREE


def due_size(hand: Hand) -> int:
    """The size of the next bet or raise in a game of fixed sizes, in chips (L-6, L-7)."""
    rules = hand.rules
    if rules.limit is not _LIMIT:
        return rules.rung(hand.rung, hand.full_level)
    if rules.doubling and hand.step in rules.doubling and _pair_shows(hand):
        return rules.big
    return rules.sizes[hand.step]


def _pair_shows(hand: Hand) -> bool:
    """Whether a live hand has a pair among its up cards (VC-5; WSOP-L 220)."""
    for seat in seats_in(hand.live):
        ranks = [hand.deck[place] >> 2 for place in hand.up[seat]]
        if len(set(ranks)) < len(ranks):
            return True
    return False


def unopened(hand: Hand) -> bool:
    """Whether the deal waits for its opening at double the ante or straddle (L-4): nobody can merely call the forced stake."""
    return hand.rules.opens_double and hand.opener < 0 and hand.first_interval and hand.level > 0


def sizes(hand: Hand, seat: int) -> tuple[int, int]:
    """The least and most a full bet or raise may be for this seat, as street totals, whatever it has left.

    Source: L-2, L-4 to L-9, TL-2, TL-5, TL-6, TL-19.
    """
    rules, level = hand.rules, hand.level
    limit = rules.limit
    if limit is _NO_LIMIT:
        return level + hand.last_full, hand.bets[seat] + hand.stacks[seat]
    if limit is _POT_LIMIT:
        part, room = hand.last_full, level - hand.bets[seat] + hand.pot + hand.shortfall
        if part > room:  # the pot bounds the least bet too (0.5 `MIN_BET`), but for a bet that the law itself demands
            part = room = max(room, min(part, rules.pot_least))
        return level + part, level + room
    if rules.fixed:
        only = hand.full_level + due_size(hand)
        return only, only
    part = rules.max_part if hand.first_interval else rules.later_part
    most = level + part
    if unopened(hand):
        plain = level == rules.stakes.ante and rules.options.open_max is OpenMax.ANTE_PLUS_LIMIT
        doubled = 2 * _staked(hand)
        return doubled, most if plain else doubled + part
    if not level:
        return rules.min_bet, most
    if rules.min_raise is MinRaise.MATCH_CALL:
        owe = level - hand.bets[seat]
        alone = hand.live.bit_count() == 2  # L-9: only one other player is in the pot
        return level + (1 if alone else min(max(owe, 1), part)), most
    if rules.min_raise is MinRaise.LAST_RAISE:
        return level + min(hand.last_full, part), most
    return level + 1, most


def _staked(hand: Hand) -> int:
    """What the opening has to double: the last forced stake, or, where the table reckons straddles by their total, all of them (A-9)."""
    if hand.rules.options.straddle_cap is StraddleCap.LEVEL:
        return hand.level
    straddles = sum(event.to for event in hand.actions if isinstance(event, Straddled))
    return max(hand.level, hand.rules.stakes.ante + straddles)


def wager(hand: Hand, seat: int) -> tuple[int, int, str]:
    """The least and most this seat may bet or raise to, all-ins for less included (TL-3), and ""; or 0, 0 and the id of the law that
    forbids it any bet or raise now."""
    if not hand.able & ~(1 << seat):
        return 0, 0, "TL-42"
    rules, level, own = hand.rules, hand.level, hand.bets[seat]
    if (rules.guarded or hand.held or hand.unserved >= 0) and (law := _barred(hand, seat)):
        return 0, 0, law
    size = due_size(hand) if rules.fixed else hand.last_full
    if level:
        if hand.raises and 0 < rules.raise_cap <= hand.raises and not hand.two_handed:
            return 0, 0, "L-10"
        # What he put in when he last spoke is the level he answered; who has stood while nobody bet has answered nothing yet (C-5).
        if hand.acted >> seat & 1 and level - own < size:
            return 0, 0, "TL-4"
    total = own + hand.stacks[seat]
    if total <= level:
        return 0, 0, "TL-3"
    if rules.fixed:
        least = most = hand.full_level + size
    elif rules.limit is _NO_LIMIT:
        least, most = level + size, total
    else:
        least, most = sizes(hand, seat)
    if total < least:
        return (total, min(most, total), "") if rules.all_in else (0, 0, "B-7")
    return least, (most if most < total else total), ""


def raise_forbidden(hand: Hand, seat: int) -> str:
    """The id of the law that forbids this seat any bet or raise now, or "" when it may."""
    return wager(hand, seat)[2]


def raise_bounds(hand: Hand, seat: int) -> tuple[int, int]:
    """The least and most this seat may bet or raise to, all-ins for less included; 0 and 0 when it may not (TL-3)."""
    return wager(hand, seat)[:2]


def _barred(hand: Hand, seat: int) -> str:
    """The law of chips put in early, of stakes evened at a draw or of the game itself that keeps a seat from betting or raising, or ""."""
    if hand.held and hand.held[seat]:
        return "I-8"
    if hand.unserved >= 0:
        return "B-17"
    rules = hand.rules
    if rules.openers is not None and hand.first_interval and hand.opener < 0 and not may_open(hand, seat):
        return "VC-20"
    if rules.card.no_check_raise and hand.level and hand.stood >> seat & 1:
        return "VC-11"
    return ""


def is_full(hand: Hand, seat: int, to: int) -> bool:
    """Whether a bet or raise to `to` counts as full: it reopens the betting and moves the minimum (TL-4 to TL-6, TL-42)."""
    rules, part = hand.rules, to - hand.level
    if rules.fixed:
        if hand.duty is not _FREE:  # a bring-in is no bet to raise: completing it is not a raise (VC-5)
            return to >= due_size(hand)
        return 2 * (to - hand.full_level) >= due_size(hand)
    if rules.limit is _STAKE_LIMIT and rules.min_raise is not MinRaise.LAST_RAISE:
        if rules.min_raise is MinRaise.ONE_CHIP or not hand.level:
            return True
        return part >= hand.level - hand.bets[seat] or hand.live.bit_count() == 2  # L-9
    # a bet of all that the pot allows is full, even where the house wants more for a first bet
    return part >= hand.last_full or (rules.limit is _POT_LIMIT and to >= sizes(hand, seat)[0])
