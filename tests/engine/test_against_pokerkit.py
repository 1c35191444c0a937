"""PokerKit as a second judge: random hold'em hands agree in turns, bounds, pots and stacks, outside PokerKit's known faults.

Every known fault is pinned below by a hand of its own: what we rule and by which law, and what PokerKit answers instead (or, once it is
put right there, the same).
"""

import random
import warnings

import pytest

from bot.engine import commands as c
from bot.engine.cards import parse_cards
from bot.engine.decide import decide_and_evolve, legal
from bot.engine.hand import Hand
from bot.engine.legal import LegalActions
from tests.support.pokerkit_judge import (
    UNIT,
    Deal,
    Fault,
    deal_board,
    ours,
    play_both,
    random_deal,
    tell,
    their_bounds,
    theirs,
)

SLICE = 300
FULL = 20_000


def play_many(first: int, hands: int) -> tuple[list[str], int]:
    """Return the unexplained differences, and the number of hands that agreed to the end without any excuse."""
    differences, agreed = [], 0
    for seed in range(first, first + hands):
        rng = random.Random(seed)
        report = play_both(random_deal(rng), rng)
        differences += [f"seed {seed}: {line}" for line in report.differences]
        agreed += report.whole and not report.faults
    return differences, agreed


def test_random_hands_agree_with_pokerkit() -> None:
    differences, agreed = play_many(0, SLICE)
    assert differences == []
    assert agreed > SLICE * 0.6


@pytest.mark.full
@pytest.mark.parametrize("part", range(10))
def test_twenty_thousand_random_hands_agree_with_pokerkit(part: int) -> None:
    hands = FULL // 10
    differences, agreed = play_many(1_000_000 + part * hands, hands)
    assert differences == []
    assert agreed > hands * 0.6
    print(f"{hands} hands: {agreed} agree without any excuse")


def test_the_slice_meets_every_known_fault() -> None:
    met: set[Fault] = set()
    for seed in range(SLICE):
        rng = random.Random(seed)
        met |= play_both(random_deal(rng), rng).faults
    assert met == set(Fault)


Bounds = tuple[int, int]


def told(action: str) -> c.HandCommand:
    word, _, to = action.partition(" ")
    return {"fold": c.Fold(), "check": c.Check(), "call": c.Call()}.get(word) or c.RaiseTo(int(to))


def both_after(
    name: str, stacks: tuple[int, ...], *actions: str, small: int = 50
) -> tuple[Hand, LegalActions, int | None, Bounds]:
    """Play a story on both sides. Returns our hand, its legal actions, and PokerKit's amount to call and its bounds."""
    deal = Deal(name, small, 2 * small, 0, stacks, straddle=False, deck=tuple(range(52)))
    hand = ours(deal)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        state = theirs(deal)
        for action in actions:
            command = told(action)
            hand = decide_and_evolve(hand, hand.to_act, command)[1]
            tell(state, command)
            deal_board(state, deal)
        bounds, call = their_bounds(state), state.checking_or_calling_amount
    return hand, legal(hand, hand.to_act), call, bounds


def our_bounds(may: LegalActions) -> Bounds:
    return may.min_to, may.max_to


@pytest.mark.law("TL-7")
def test_pokerkit_fault_a_short_big_blind_lowers_the_call() -> None:
    """Blinds 50/100, the big blind has 60: others still call 100."""
    _, may, call, bounds = both_after("holdem", (1_000, 60, 1_000))
    assert (may.call_chips, may.min_to) == (100, 200)
    assert call in (60, may.call_chips)
    assert bounds in ((160, 1_000), our_bounds(may))


@pytest.mark.law("TL-19")
def test_pokerkit_fault_a_short_small_blind_lowers_the_pot_limit() -> None:
    """100-200 by pot: the first to act can raise to 700, also when the small blind had only 30."""
    _, may, _, bounds = both_after("pot_limit_holdem", (30, 5_000, 5_000), small=100)
    assert our_bounds(may) == (400, 700)
    assert bounds in ((400, 630), (400, 700))


@pytest.mark.law("TL-6")
def test_pokerkit_fault_all_in_under_half_a_bet_is_completed() -> None:
    """Size 100, raised all-in to 140: the next can complete to 200."""
    _, may, _, bounds = both_after("limit_holdem", (2_000, 2_000, 2_000, 140), "call", "raise 140")
    assert our_bounds(may) == (200, 200)
    assert bounds in ((240, 240), (200, 200))


@pytest.mark.law("TL-6")
def test_pokerkit_fault_half_bet_all_in_reopens_betting() -> None:
    """Size 100 after the flop: bet 100, all-in 170: the bettor can raise again, to 270."""
    stacks = (2_000, 270, 2_000)
    _, may, _, bounds = both_after("limit_holdem", stacks, "call", "call", "check", "raise 100", "raise 170", "call")
    assert our_bounds(may) == (270, 270)
    assert bounds in ((0, 0), (270, 270))


@pytest.mark.law("L-10", "TL-17")
def test_pokerkit_fault_big_blind_counts_as_a_bet() -> None:
    """Three raises over the big blind are all there are, with more than two in the betting round."""
    _, may, _, bounds = both_after("limit_holdem", (9_000,) * 4, "raise 200", "raise 300", "raise 400")
    assert (our_bounds(may), may.no_raise_law) == ((0, 0), "L-10")
    assert bounds in ((500, 500), (0, 0))


@pytest.mark.law("TL-17")
def test_pokerkit_fault_two_players_raise_without_a_cap() -> None:
    """A betting round that began with two players knows no cap."""
    raises = [f"raise {to}" for to in range(200, 700, 100)]
    _, may, _, bounds = both_after("limit_holdem", (9_000, 9_000), *raises[:4])
    assert our_bounds(may) == (600, 600)
    assert bounds in ((0, 0), (600, 600))


@pytest.mark.law("TL-4", "AT-17")
def test_pokerkit_fault_short_all_ins_add_up_for_each_player() -> None:
    """50-100: A bets 100, B all-in 125, C calls, D all-in 200, E calls. A calls; C faces 75 only and cannot raise (AT-17)."""
    stacks = (5_000, 225, 5_000, 300, 5_000)
    preflop = ("call", "call", "call", "call", "check")
    flop = ("raise 100", "raise 125", "call", "raise 200", "call")
    hand, may, _, bounds = both_after("holdem", stacks, *preflop, *flop)
    assert (hand.to_act, may.call_chips, may.min_to) == (0, 100, 300)
    assert bounds == our_bounds(may)
    hand, may, _, bounds = both_after("holdem", stacks, *preflop, *flop, "call")
    assert (hand.to_act, may.call_chips) == (2, 75)
    assert (our_bounds(may), may.no_raise_law) == ((0, 0), "TL-4")
    assert bounds in ((300, 4_900), (0, 0))


@pytest.mark.law("TL-4")
def test_pokerkit_fault_checker_can_raise_after_full_and_short_raise() -> None:
    """After a check: bet 200, raised to 600, all-in 700. Who checked faces far more than a full raise."""
    stacks = (5_000, 5_000, 5_000, 800)
    actions = ("call", "call", "call", "check", "check", "raise 200", "raise 600", "raise 700")
    _, may, _, bounds = both_after("holdem", stacks, *actions)
    assert our_bounds(may) == (1_100, 4_900)
    assert bounds in ((0, 0), (1_100, 4_900))


@pytest.mark.law("TL-5")
def test_pokerkit_fault_a_short_opening_all_in_can_be_raised() -> None:
    """Big blind 100: all-in 20 opens the flop; the next raise is to 120, and who has checked cannot make it."""
    actions = ("call", "call", "check", "check", "raise 20")
    hand, may, _, bounds = both_after("holdem", (5_000, 120, 5_000), *actions)
    assert hand.to_act == 2
    assert our_bounds(may) == (120, 4_900)
    assert bounds in ((0, 0), (120, 4_900))


@pytest.mark.law("TL-42")
@pytest.mark.parametrize(("left", "limits"), [(500, (0, 0)), (1_000, (0, 0)), (1_001, (1_900, 3_000))])
def test_pokerkit_knows_when_nobody_can_call_more(left: int, limits: Bounds) -> None:
    """A has 3,000, B went all-in to 1,000; C, still to act, has 500, just the call, or one chip more: then A can raise."""
    _, may, _, bounds = both_after("holdem", (3_000, left, 1_000), "raise 1000")
    assert our_bounds(may) == bounds == limits


def stacks_after(
    stacks: tuple[int, ...], holes: str, board: str, *actions: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the stacks of a hand played to its end at blinds 1/2, ours and PokerKit's. `holes` are told from the first seat on."""
    dealt, common = parse_cards(holes), parse_cards(board)
    rest = [card for card in range(52) if card not in (*dealt, *common)]
    deck = (*dealt[::2], *dealt[1::2], rest[0], *common[:3], rest[1], common[3], rest[2], common[4], *rest[3:])
    deal = Deal("holdem", 1, 2, 0, stacks, straddle=False, deck=deck)
    hand, state = ours(deal), theirs(deal)
    for action in actions:
        command = told(action)
        hand = decide_and_evolve(hand, hand.to_act, command)[1]
        tell(state, command)
        deal_board(state, deal)
    assert hand.over
    assert not state.status
    return tuple(hand.stacks), tuple(state.stacks)


@pytest.mark.law("TL-23")
def test_pokerkit_fault_odd_chips_go_one_by_one() -> None:
    """The board plays for three, and a folded big blind makes their pot 14: 5, 5 and 4, not 6, 4 and 4."""
    preflop = ("raise 4", "call", "call", "fold")
    mine, other = stacks_after((100,) * 4, "2c3c 2d3d 2h3h 2s3s", "AsKsQsJsTs", *preflop, *("check",) * 9)
    assert mine == (101, 98, 101, 100)
    assert other in ((102, 98, 100, 100), mine)


@pytest.mark.law("TL-15", "TL-23")
def test_pokerkit_fault_a_beaten_contender_does_not_merge_two_pots() -> None:
    """Main pot 205 of three, side pot 107 of two. Two tie and beat the third: each pot leaves them an odd chip, for the first of them."""
    stacks = (100, 100, 100, 100, 51)
    actions = ("raise 60", "call", "call", "fold", "call", "check", "raise 40", "call", "fold")
    mine, other = stacks_after(stacks, "2c3c 2d3d AsKs AhKh 4c5c", "KdJd9c7h2s", *actions)
    assert mine == (99, 40, 157, 155, 0)
    assert other in ((99, 40, 156, 156, 0), mine)


def test_every_unit_is_shared_without_an_odd_chip() -> None:
    assert all(UNIT % players == 0 for players in range(1, 11))
