"""The law book's acceptance tests of the betting, line by line: AT-1, AT-10, AT-24."""

import random
import re

import pytest
from msgspec.structs import replace

from bot.engine.cards import STANDARD_52
from bot.engine.events import OutOfTurnChipsForfeited, PotsPaid
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, FirstOpener, Limit, MinRaise, RaiseCap, Showing
from bot.engine.ranking import Ranking
from bot.engine.refusals import (
    ActedOutOfTurn,
    BettingNotReopened,
    CannotCheck,
    HandIsDead,
    NotYourTurn,
    RaiseTooSmall,
)
from bot.engine.rule_card import RuleCard, Share
from bot.engine.stakes import Stakes
from bot.engine.steps import BettingRound, DealDown, Showdown
from tests.support.told import Told, deal

ONE_INTERVAL = RuleCard(
    key="one_interval",
    name="One interval",
    law_id="AT-1",
    family="draw",
    seats_min=2,
    seats_max=7,
    steps=(DealDown(5), BettingRound("betting"), Showdown()),
    shares=(Share("pot", Ranking()),),
    options=Options(
        ante=Ante.NONE,
        limit=Limit.STAKE_LIMIT,
        min_raise=MinRaise.ONE_CHIP,
        raise_cap=RaiseCap.NONE,
        first_1=FirstOpener.LEFT_OF_DEALER,
        show=Showing.ALL,
    ),
)
"""A game of five cards with one betting round, left of the dealer first: sources 000 and 004 count by it."""
NO_LIMIT = Stakes(limit=1000)


def seven(card: RuleCard = ONE_INTERVAL, deck: tuple[int, ...] = (), **options: object) -> Told:
    """Return a hand of seven players A to G, A first; nobody puts anything in before the cards."""
    return deal(
        card,
        button="G",
        stacks=dict.fromkeys("ABCDEFG", 100),
        cards={"D": "As Ks Qs Js 9h", "E": "Ah Kh Qh Jh 9s", "F": "Ad Kd Qd Jd 9c"},
        options=options,
        stakes=NO_LIMIT,
        deck_order=deck,
    )


TABLE_OF_SOURCE_000 = """
    A bets 1       | 1  = 0 + 1  | 1  .  .  .  .  .  .  | 1
    B calls 1      | 1  = 1 + 0  | 1  1  .  .  .  .  .  | 1
    C folds        | 0  = 0 + 0  | 1  1  0x .  .  .  .  | 1
    D raises to 3  | 3  = 1 + 2  | 1  1  x  3  .  .  .  | 3
    E calls 3      | 3  = 3 + 0  | 1  1  x  3  3  .  .  | 3
    F raises to 6  | 6  = 3 + 3  | 1  1  x  3  3  6  .  | 6
    G folds        | 0  = 0 + 0  | 1  1  x  3  3  6  0x | 6
    A calls 5      | 5  = 5 + 0  | 6  1  x  3  3  6  x  | 6
    B folds        | 0  = 0 + 0  | 6  1x x  3  3  6  x  | 6
    D calls 3      | 3  = 3 + 0  | 6  x  x  6  3  6  x  | 6
    E raises to 11 | 8  = 3 + 5  | 6  x  x  6  11 6  x  | 11
    F raises to 16 | 10 = 5 + 5  | 6  x  x  6  11 16 x  | 16
    A folds        | 0  = 0 + 0  | 6x x  x  6  11 16 x  | 16
    D calls 10     | 10 = 10 + 0 | x  x  x  16 11 16 x  | 16
    E calls 5      | 5  = 5 + 0  | x  x  x  16 16 16 x  | 16
"""
"""The actions; what each puts in, as call and raise; what each has in, x once folded; and the current bet."""
ROWS = tuple([cell.strip() for cell in row.split("|")] for row in TABLE_OF_SOURCE_000.strip().splitlines())
LINES = tuple(does for does, *_ in ROWS)
FINAL = {"A": 6, "B": 1, "C": 0, "D": 16, "E": 16, "F": 16, "G": 0}


@pytest.mark.law("AT-1", "B-7", "B-8", "B-9", "L-9")
@pytest.mark.parametrize("min_raise", ["one_chip", "match_call", "last_raise"])
def test_seven_players_bet_as_source_000_prints_it(min_raise: str) -> None:
    """The raises 2, 3, 5 and 5 are lawful under all three readings of the minimum raise."""
    hand = seven(min_raise=min_raise)
    before = 0
    for does, puts_in, columns, level in ROWS:
        who = does[0]
        assert hand.to_act == who, does
        owed = hand.legal(who).to_call
        hand.play(does)
        chips, call, increase = (int(figure) for figure in re.findall(r"\d+", puts_in))
        rise = int(level) - before
        before = int(level)
        assert chips == call + increase
        assert (call, increase) == ((owed if chips else 0), rise), does
        dropped = {name for name, cell in zip("ABCDEFG", columns.split(), strict=True) if "x" in cell}
        assert {*"ABCDEFG"} - {*hand.live} == dropped, does
        for name, cell in zip("ABCDEFG", columns.split(), strict=True):
            printed = 0 if cell == "." else FINAL[name] if cell == "x" else int(cell.removesuffix("x"))
            assert hand.hand.put_in[hand.seat(name)] == printed, f"{name} after {does}"
        if not hand.over:
            assert (hand.highest_bet, hand.pot) == (int(level), sum(hand.hand.put_in)), does
    assert hand.over, "the betting round is over: F, whom all others only called, cannot raise again"
    assert dict(zip(hand.names, hand.hand.put_in, strict=True)) == FINAL
    assert hand.live == ["D", "E", "F"]
    assert sum(hand.wins.values()) == 55


@pytest.mark.law("AT-1", "B-9")
def test_raiser_called_by_all_cannot_raise_again() -> None:
    """The call of step 15 ends the betting round: F is not asked, and acts in the next one where there is one."""
    twice = replace(
        ONE_INTERVAL, steps=(DealDown(5), BettingRound("betting"), BettingRound("more betting"), Showdown())
    )
    hand = seven(twice)
    hand.play(*LINES[:-1])
    hand.refuses("F raises to 30", NotYourTurn, law="B-10")
    hand.play(LINES[-1])
    assert (hand.street, hand.to_act, hand.highest_bet) == ("more betting", "D", 0)


@pytest.mark.law("AT-1", "B-10", "B-12")
def test_what_source_000_would_not_have_allowed() -> None:
    hand = seven()
    hand.play(*LINES[:7])
    hand.refuses("C calls", HandIsDead, law="B-10")
    hand.refuses("B calls", NotYourTurn, law="B-10")
    hand.play(LINES[7])
    assert hand.refuses("B checks", CannotCheck, law="B-12").to_call == 5


@pytest.mark.law("AT-1", "L-9", "B-8")
def test_minimum_raise_of_step_11() -> None:
    """E owes 3: six (a raise of three) is enough for `last_raise`, five is not; `one_chip` takes either."""
    for chips, lawful in ((6, True), (5, False)):
        hand = seven(min_raise="last_raise")
        hand.play(*LINES[:10])
        if lawful:
            hand.play(f"E puts in {chips}")
        else:
            hand.refuses(f"E puts in {chips}", RaiseTooSmall, law="B-8")
    hand = seven(min_raise="one_chip")
    hand.play(*LINES[:10], "E puts in 5")


@pytest.mark.law("AT-1", "L-9", "B-8")
def test_minimum_raise_of_step_12() -> None:
    """F owes 5: nine (a raise of four) is a raise under `one_chip`, and too little by the two other readings."""
    hand = seven(min_raise="one_chip")
    hand.play(*LINES[:11], "F puts in 9")
    assert hand.highest_bet == 15
    for min_raise, law in (("match_call", "L-9"), ("last_raise", "B-8")):
        hand = seven(min_raise=min_raise)
        hand.play(*LINES[:11])
        assert hand.refuses("F puts in 9", RaiseTooSmall, law=law).minimum == 16


@pytest.mark.law("AT-1", "Q-1", "Q-2", "Q-3", "Q-4")
def test_the_odd_chip_of_55() -> None:
    """55 is three times 18 and one over: to the last aggressor F, to D left of the dealer G, or to one of them by lot."""
    for rule, fortunate in (("last_aggressor", "F"), ("left_of_dealer", "D")):
        hand = seven(odd_chip=rule)
        hand.play(*LINES)
        assert hand.wins == {name: 19 if name == fortunate else 18 for name in "DEF"}
    hand = seven(odd_chip="lot")
    hand.play(*LINES)
    assert sorted(hand.wins.values()) == [18, 18, 19]


@pytest.mark.law("Q-2")
def test_the_lot_is_drawn_and_written_down() -> None:
    """The deck's own order decides who wins the lot. Nobody gets more than one odd chip, and the payment says who got it."""
    fortunate = set()
    for seed in range(8):
        deck = list(STANDARD_52)
        random.Random(seed).shuffle(deck)
        hand = seven(deck=tuple(deck), odd_chip="lot")
        hand.play(*LINES)
        (paid,) = hand.events_of(PotsPaid)
        odd = [payment for payment in paid.payments if payment.odd_chips]
        assert [hand.names[payment.seat] for payment in odd] == [name for name, won in hand.wins.items() if won == 19]
        fortunate.add(odd[0].seat)
    assert len(fortunate) > 1, "the lot does not always fall to the same seat"


def out_of_turn() -> Told:
    """Return a hand with A to act, in which C puts 5 chips in before C's turn."""
    hand = deal(
        ONE_INTERVAL, button="C", stacks=dict.fromkeys("ABC", 100), options={"out_of_turn": "hold"}, stakes=NO_LIMIT
    )
    assert hand.to_act == "A"
    hand.play("C bets 5")
    assert (hand.to_act, hand.pot, hand.highest_bet) == ("A", 5, 0), "the turn goes back to A"
    return hand


@pytest.mark.law("AT-10", "I-8")
def test_more_than_the_call_out_of_turn_is_forfeited() -> None:
    """A bets 2, B calls 2: C is in for 2, the 3 beyond are the pot's, which holds 9."""
    hand = out_of_turn()
    hand.play("A bets 2", "B calls 2")
    assert hand.events_of(OutOfTurnChipsForfeited) == [OutOfTurnChipsForfeited(hand.seat("C"), 3)]
    assert sum(hand.wins.values()) == 9
    assert hand.hand.put_in == [2, 2, 2]


@pytest.mark.law("AT-10", "I-8")
@pytest.mark.parametrize("folds", [True, False])
def test_short_out_of_turn_chips_are_completed_or_lost(folds: bool) -> None:
    """A bets 8, B folds: C can add 3 or fold, which loses the 5; C cannot raise."""
    hand = out_of_turn()
    hand.play("A bets 8", "B folds")
    assert hand.to_act == "C"
    assert hand.options == {"fold", "call 3"}
    hand.refuses("C raises to 20", ActedOutOfTurn, law="I-8")
    if folds:
        hand.play("C folds")
        assert hand.stacks == {"A": 105, "B": 100, "C": 95}
    else:
        hand.play("C calls")
        assert sum(hand.wins.values()) == 16
        assert hand.hand.put_in == [8, 0, 8]


@pytest.mark.law("AT-10", "I-8")
def test_unopposed_out_of_turn_chips_become_a_bet() -> None:
    """A and B check: C has bet 5."""
    hand = out_of_turn()
    hand.play("A checks", "B checks")
    assert (hand.to_act, hand.highest_bet, hand.bets) == ("A", 5, {"C": 5})


@pytest.mark.law("AT-24", "L-9", "TL-42")
@pytest.mark.parametrize("calls", [True, False])
def test_a_short_raise_where_a_raise_matches_the_call(calls: bool) -> None:
    """A bets 10, B is all-in for 14: C can call 14 or raise to 28 or more. If C calls, A owes 4 and cannot raise."""
    stacks = {"A": 100, "B": 14, "C": 100}
    hand = deal(ONE_INTERVAL, button="C", stacks=stacks, options={"min_raise": "match_call"}, stakes=NO_LIMIT)
    hand.play("A bets 10", "B is all-in for 14")
    assert hand.options == {"fold", "call 14", "raise to 28..100"}
    hand.refuses("C raises to 27", RaiseTooSmall, law="L-9")
    if calls:
        hand.play("C calls 14")
        assert hand.options == {"fold", "call 4"}
        hand.refuses("A raises to 40", BettingNotReopened, law="TL-4")
    else:
        hand.play("C raises to 28")
        assert hand.options == {"fold", "call 18", "raise to 46..100"}
