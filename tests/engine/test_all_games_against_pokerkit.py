"""PokerKit as a second judge of every game both know: random hands agree in turns, bounds, draws and stacks, outside its known faults.

Each known fault is pinned by a hand of its own: what we rule and by which law, and what PokerKit answers instead (or, once it is put right
there, the same). Those that hold'em shows are pinned in `test_against_pokerkit`.
"""

import random
import warnings

import pytest

from bot.engine import commands as c
from bot.engine.cards import parse_cards
from bot.engine.decide import decide_and_evolve, legal
from bot.engine.hand import Hand
from bot.engine.legal import LegalActions
from bot.engine.stakes import Stakes
from bot.variants import game
from tests.support.pokerkit_games import HAND_TYPES, UNIT, Deal, GameFault, Judge, ours, play_both, random_deal
from tests.support.pokerkit_judge import their_bounds

SLICE = 25
FULL = 20_000
PARTS = 4


def play_many(key: str, first: int, hands: int) -> tuple[list[str], int]:
    """Return the unexplained differences, and the number of hands that agreed to the end without any excuse."""
    differences, agreed = [], 0
    for seed in range(first, first + hands):
        rng = random.Random(seed)
        report = play_both(random_deal(rng, key), rng)
        differences += [f"seed {seed}: {line}" for line in report.differences]
        agreed += report.whole and not report.faults
    return differences, agreed


@pytest.mark.parametrize("key", HAND_TYPES)
def test_random_hands_agree_with_pokerkit(key: str) -> None:
    differences, agreed = play_many(key, 0, SLICE)
    assert differences == []
    assert agreed > SLICE * 0.4


@pytest.mark.full
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("key", HAND_TYPES)
def test_twenty_thousand_random_hands_of_a_game_agree_with_pokerkit(key: str, part: int) -> None:
    hands = FULL // PARTS
    differences, agreed = play_many(key, 1_000_000 + part * hands, hands)
    assert differences == []
    assert agreed > hands * 0.45
    print(f"{key}: {hands} hands, {agreed} agree without any excuse")


def both_after(deal: Deal, *commands: c.HandCommand) -> tuple[Hand, LegalActions, Judge]:
    """Play commands on both sides. Returns our hand, its legal actions, and PokerKit's side."""
    _, hand = ours(deal)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judge = Judge(deal)
        judge.dealt(hand)
        for command in commands:
            judge.tell(hand, command)
            hand = decide_and_evolve(hand, hand.to_act, command)[1]
            judge.dealt(hand)
    return hand, legal(hand, hand.to_act), judge


def stud(stacks: tuple[int, ...], doors: str) -> Deal:
    """Return limit stud 10/20 with ante 2 and bring-in 4, and a door card for everybody."""
    card = game("stud")
    up = parse_cards(doors)
    rest = [place for place in range(52) if place not in up]
    stakes = Stakes(ante=2, bring_in=4, small_bet=10, big_bet=20)
    return Deal(card, card.options, stakes, stacks, (*rest[: 2 * len(up)], *up, *rest[2 * len(up) :]))


@pytest.mark.law("VC-5")
def test_pokerkit_fault_short_bring_in_still_costs_the_full_one() -> None:
    """The deuce has 5: 2 for the ante, 3 of a bring-in of 4. The next owes 4."""
    _, may, judge = both_after(stud((5, 100, 100), "2cKdQh"), c.Bet(3))
    assert (may.seat, may.call_chips) == (1, 4)
    assert judge.state.checking_or_calling_amount in (3, 4)


@pytest.mark.law("VC-5", "TL-42")
def test_pokerkit_fault_substitute_for_all_in_opener_can_fold() -> None:
    """The deuce is all-in with the ante. The next can fold, bring in or complete."""
    hand, may, judge = both_after(stud((2, 100, 100, 100), "2cKdQhJs"))
    assert (may.seat, may.fold, may.check, may.bring_in, may.min_to) == (1, True, False, 4, 10)
    assert decide_and_evolve(hand, 1, c.Fold())[1].to_act == 2
    assert judge.state.actor_index == 1
    assert judge.state.can_post_bring_in()  # and so far nothing else but completing


@pytest.mark.law("TL-43")
def test_pokerkit_fault_side_pot_without_low_goes_to_high() -> None:
    """Omaha 8, all-in for 10, 20 and 20. Only the first has a low: half the main pot is theirs; the best high takes the side pot."""
    card = game("no_limit_omaha8")
    holes, board = parse_cards("AcKs9h 2cKhTd Ad7c7d JcQsJh"), parse_cards("3d4h7s Qd 8s")
    rest = [card for card in range(52) if card not in (*holes, *board)]
    deck = (*holes, rest[0], *board[:3], rest[1], board[3], rest[2], board[4], *rest[3:])
    stacks = (10 * UNIT, 20 * UNIT, 20 * UNIT)
    deal = Deal(card, card.options, Stakes(small_blind=UNIT, big_blind=2 * UNIT), stacks, deck)
    hand, _, judge = both_after(deal, c.RaiseTo(20 * UNIT), c.Call(), c.Call())
    assert hand.over
    assert [chips // UNIT for chips in hand.stacks] == [15, 35, 0]
    theirs = [chips / UNIT for chips in judge.state.stacks]
    assert theirs in ([15, 30, 5], [15, 35, 0])


def test_the_seeds_meet_every_known_fault() -> None:
    met: set[object] = set()
    for key, seeds in (("stud8", (1010, 1018, 1197)), ("stud8", (26,)), ("razz", (1010,))):
        for seed in seeds:
            rng = random.Random(seed)
            met |= play_both(random_deal(rng, key), rng).faults
    assert met >= set(GameFault)


def test_bounds_are_read_from_pokerkit() -> None:
    _, may, judge = both_after(stud((100, 100, 100), "2cKdQh"))
    assert (may.min_to, may.max_to) == their_bounds(judge.state) == (10, 10)
