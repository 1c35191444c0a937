"""The law book's own trials of the betting, line by line: AT-1, AT-7 to AT-10, AT-16 to AT-19, AT-24."""

import random

import pytest
from msgspec.structs import replace

from bot.engine.card import RuleCard, Share
from bot.engine.cards import STANDARD_52
from bot.engine.events import HeldForfeited, PotsPaid
from bot.engine.options import Ante, FirstOpener, Limit, LowScale, MinRaise, Options, RaiseCap, Showing, StudTie
from bot.engine.ranking import Ranking
from bot.engine.refusals import (
    ActedOutOfTurn,
    BettingNotReopened,
    CannotCheck,
    HandIsDead,
    NotYourTurn,
    RaisesCapped,
    RaiseTooLarge,
    RaiseTooSmall,
    WrongSize,
)
from bot.engine.stakes import BigBlindNotDouble, Stakes, check_stakes
from bot.engine.steps import BetStep, DealDown, DealUp, PostForced, Showdown
from tests.support.told import Told, deal

ONE_INTERVAL = RuleCard(
    key="one_interval",
    name="One interval",
    sheet="AT-1",
    family="draw",
    seats_min=2,
    seats_max=7,
    steps=(DealDown(5), BetStep("betting"), Showdown()),
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
"""Five cards and one betting interval, left of the dealer first: what sources 000 and 004 reckon by."""
NO_LIMIT = Stakes(limit=1000)

STUD = RuleCard(
    key="bring_in_stud",
    name="Stud with a bring-in",
    sheet="VC-5",
    family="stud",
    seats_min=2,
    seats_max=8,
    steps=(PostForced(), DealDown(2), DealUp(1), BetStep("third street"), Showdown()),
    shares=(Share("pot", Ranking()),),
    options=Options(
        ante=Ante.EVERYONE,
        limit=Limit.LIMIT,
        min_raise=MinRaise.BY_LIMIT,
        first_1=FirstOpener.LOW_CARD,
        stud_tie=StudTie.SUIT,
        low_scale=LowScale.ACE_LOW,
    ),
)


def seven(pack: tuple[int, ...] = (), **options: object) -> Told:
    """Seven players A to G, A first; nothing is put in before the cards."""
    return deal(
        ONE_INTERVAL,
        button="G",
        stacks=dict.fromkeys("ABCDEFG", 100),
        cards={"D": "As Ks Qs Js 9h", "E": "Ah Kh Qh Jh 9s", "F": "Ad Kd Qd Jd 9c"},
        options=options,
        stakes=NO_LIMIT,
        pack=pack,
    )


TABLE_OF_SOURCE_000 = (
    # who does what, chips put in, the level after it
    ("A", "bets 1", 1, 1),
    ("B", "calls 1", 1, 1),
    ("C", "drops", 0, 1),
    ("D", "raises to 3", 3, 3),
    ("E", "calls 3", 3, 3),
    ("F", "raises to 6", 6, 6),
    ("G", "drops", 0, 6),
    ("A", "calls 5", 5, 6),
    ("B", "drops", 0, 6),
    ("D", "calls 3", 3, 6),
    ("E", "raises to 11", 8, 11),
    ("F", "raises to 16", 10, 16),
    ("A", "drops", 0, 16),
    ("D", "calls 10", 10, 16),
    ("E", "calls 5", 5, 16),
)
TO_STEP_8 = tuple(f"{who} {does}" for who, does, _, _ in TABLE_OF_SOURCE_000[:8])
TO_STEP_10 = tuple(f"{who} {does}" for who, does, _, _ in TABLE_OF_SOURCE_000[:10])
TO_STEP_11 = tuple(f"{who} {does}" for who, does, _, _ in TABLE_OF_SOURCE_000[:11])
ALL_STEPS = tuple(f"{who} {does}" for who, does, _, _ in TABLE_OF_SOURCE_000)


@pytest.mark.law("AT-1", "B-7", "B-8", "B-9", "L-9")
@pytest.mark.parametrize("min_raise", ["one_chip", "match_call", "last_raise"])
def test_seven_players_bet_as_source_000_prints_it(min_raise: str) -> None:
    """The raises 2, 3, 5 and 5 are lawful under all three readings of the least raise."""
    hand = seven(min_raise=min_raise)
    put_in = dict.fromkeys("ABCDEFG", 0)
    for who, does, chips, level in TABLE_OF_SOURCE_000:
        assert hand.to_act == who
        hand.play(f"{who} {does}")
        put_in[who] += chips
        if not hand.over:
            assert (hand.level, hand.hand.put_in[hand.seat(who)]) == (level, put_in[who])
    assert put_in == {"A": 6, "B": 1, "C": 0, "D": 16, "E": 16, "F": 16, "G": 0}
    assert hand.over, "the interval is over: F, whom all others only called, may not raise again"
    assert hand.live == ["D", "E", "F"]
    assert sum(hand.wins.values()) == 55


@pytest.mark.law("AT-1", "B-10", "B-12")
def test_what_source_000_would_not_have_allowed() -> None:
    hand = seven()
    hand.play(*TO_STEP_8[:7])
    hand.refuses("C calls", HandIsDead)
    hand.refuses("B calls", NotYourTurn, law="B-10")
    hand.play(*TO_STEP_8[7:])
    assert hand.refuses("B checks", CannotCheck, law="B-12").owe == 5


@pytest.mark.law("AT-1", "L-9", "B-8")
def test_the_least_raise_of_step_11() -> None:
    """E owes 3: six (a raise of three) is enough for `last_raise`, five is not; `one_chip` takes either."""
    for chips, lawful in ((6, True), (5, False)):
        hand = seven(min_raise="last_raise")
        hand.play(*TO_STEP_10)
        if lawful:
            hand.play(f"E puts in {chips}")
        else:
            hand.refuses(f"E puts in {chips}", RaiseTooSmall, law="B-8")
    hand = seven(min_raise="one_chip")
    hand.play(*TO_STEP_10, "E puts in 5")


@pytest.mark.law("AT-1", "L-9", "B-8")
def test_the_least_raise_of_step_12() -> None:
    """F owes 5: nine (a raise of four) is a raise under `one_chip`, and too little by the two other readings."""
    hand = seven(min_raise="one_chip")
    hand.play(*TO_STEP_11, "F puts in 9")
    assert hand.level == 15
    for min_raise, law in (("match_call", "L-9"), ("last_raise", "B-8")):
        hand = seven(min_raise=min_raise)
        hand.play(*TO_STEP_11)
        assert hand.refuses("F puts in 9", RaiseTooSmall, law=law).min_to == 16


@pytest.mark.law("AT-1", "Q-1", "Q-2", "Q-3", "Q-4")
def test_the_odd_chip_of_55() -> None:
    """55 is three times 18 and one over: to the last aggressor F, to D left of the dealer G, or to one of them by lot."""
    for rule, fortunate in (("last_aggressor", "F"), ("left_of_dealer", "D")):
        hand = seven(odd_chip=rule)
        hand.play(*ALL_STEPS)
        assert hand.wins == {name: 19 if name == fortunate else 18 for name in "DEF"}
    hand = seven(odd_chip="lot")
    hand.play(*ALL_STEPS)
    assert sorted(hand.wins.values()) == [18, 18, 19]


@pytest.mark.law("Q-2")
def test_the_lot_is_drawn_and_written_down() -> None:
    """Who wins the lot is decided by the pack's own order, at most one odd chip each, and the payment says who got it."""
    fortunate = set()
    for seed in range(8):
        pack = list(STANDARD_52)
        random.Random(seed).shuffle(pack)
        hand = seven(pack=tuple(pack), odd_chip="lot")
        hand.play(*ALL_STEPS)
        (paid,) = hand.happened(PotsPaid)
        odd = [payment for payment in paid.payments if payment.odd]
        assert [hand.names[payment.seat] for payment in odd] == [name for name, won in hand.wins.items() if won == 19]
        fortunate.add(odd[0].seat)
    assert len(fortunate) > 1, "the lot does not always fall to the same seat"


DOUBLING = {"limit": "doubling_flat", "min_raise": "by_ladder", "raise_cap": "none"}


def doubling(n: int = 3, **options: object) -> Told:
    """Hold'em where a small blind of 1 is the ante of the ladder and the big blind its straddle."""
    return deal(
        "no-limit hold'em",
        button="Dee",
        stacks={"Ann": 200, "Bo": 200, "Cy": 200, "Dee": 200},
        options=DOUBLING | options,
        stakes=Stakes(small_blind=1, big_blind=2, doublings=n),
    )


RAISERS = ("Cy", "Dee", "Ann", "Bo", "Cy")


def levels_of(hand: Told, *raisers: str) -> list[int]:
    """The level at the start, and after each raise of the only size there is."""
    levels = [hand.level] if hand.level else []
    for name in raisers:
        can = hand.legal(name)
        assert can.min_to == can.max_to, "one size only"
        hand.play(f"{name} raises to {can.max_to}")
        levels.append(hand.level)
    return levels


@pytest.mark.law("AT-7", "L-6")
def test_the_doubling_regime_counts_raises() -> None:
    """Ante 1: forced bets and raises of 1, 2, 4, 8, 8, 8: the level runs 2, 6, 14, 22, 30."""
    hand = doubling()
    assert hand.bets == {"Ann": 1, "Bo": 2}
    assert levels_of(hand, *RAISERS[:4]) == [2, 6, 14, 22, 30]


@pytest.mark.law("AT-7", "L-6")
def test_the_doubling_regime_with_four_doublings() -> None:
    """n=4: 1, 2, 4, 8, 16, 16: the level runs 2, 6, 14, 30, 46."""
    assert levels_of(doubling(4), *RAISERS[:4]) == [2, 6, 14, 30, 46]


@pytest.mark.law("AT-7", "L-6")
def test_the_doubling_regime_counts_levels() -> None:
    """The other reading: 1, 2, 4, 8 are levels, then 8 more each time: 2, 4, 8, 16, 24."""
    assert levels_of(doubling(stake_ladder="levels"), *RAISERS[:4]) == [2, 4, 8, 16, 24]


@pytest.mark.law("AT-7", "L-6")
def test_each_later_interval_starts_the_ladder_again() -> None:
    """The first bet of a later interval is 4, then to 12, then to 20."""
    hand = doubling()
    hand.play("Cy raises to 6", "Dee calls", "Ann calls", "Bo calls")
    assert (hand.street, hand.options) == ("flop", {"check", "fold", "bet 4"})
    assert levels_of(hand, "Ann", "Bo", "Cy") == [4, 12, 20]


@pytest.mark.law("AT-7", "L-6")
def test_each_later_interval_starts_the_ladder_of_levels_again() -> None:
    """Counting levels, a later interval is opened for 4, then to 8, then to 16."""
    hand = doubling(stake_ladder="levels")
    hand.play("Cy calls", "Dee calls", "Ann calls", "Bo checks")
    assert levels_of(hand, "Ann", "Bo", "Cy") == [4, 8, 16]


@pytest.mark.law("AT-7", "L-6")
def test_a_raise_of_another_size_than_the_ladders_is_refused() -> None:
    """A first raise of 3 or of 5, where 4 is due."""
    hand = doubling()
    for to in (5, 7):
        assert hand.refuses(f"Cy raises to {to}", WrongSize, law="L-6").only_to == 6


def limit_holdem(players: str = "Ann Bo Cy Dee", button: str = "Dee") -> Told:
    return deal("limit hold'em 5/10", button=button, stacks=dict.fromkeys(players.split(), 500))


@pytest.mark.law("AT-8", "L-7")
def test_limit_raises_are_the_big_blind_and_then_twice_that() -> None:
    """Small 5, big 10: raises of 10, 10, 20 and 20 on the four rounds."""
    hand = limit_holdem()
    hand.play("Cy raises to 20", "Dee calls", "Ann calls", "Bo calls")
    for street, size in (("flop", 10), ("turn", 20), ("river", 20)):
        assert hand.street == street
        assert hand.options == {"check", "fold", f"bet {size}"}
        hand.play(f"Ann bets {size}")
        assert hand.options == {"fold", f"call {size}", f"raise to {2 * size}"}
        hand.play("Bo calls", "Cy calls", "Dee calls")


@pytest.mark.law("AT-8", "L-7", "L-10", "TL-17")
def test_the_fourth_raise_before_the_flop_is_one_too_many() -> None:
    """Totals of 10, 20, 30 and 40, the big blind counting as the bet; then the raises are capped."""
    hand = limit_holdem()
    hand.play("Cy raises to 20", "Dee raises to 30", "Ann raises to 40")
    assert hand.options == {"fold", "call 30"}
    assert hand.refuses("Bo raises to 50", RaisesCapped, law="L-10").cap == 3


@pytest.mark.law("AT-8", "TL-17")
def test_two_alone_know_no_cap() -> None:
    """Where an interval begins with two players, raises are not counted."""
    hand = limit_holdem("Ann Bo", "Ann")
    hand.play(*(f"{name} raises to {to}" for name, to in zip(("Ann", "Bo") * 4, range(20, 100, 10), strict=True)))
    assert hand.level == 90


@pytest.mark.law("TL-17", "L-10")
def test_the_cap_stands_when_an_interval_comes_down_to_two() -> None:
    """Three began the interval: that one drops in it does not lift the cap."""
    hand = limit_holdem("Ann Bo Cy", "Cy")
    hand.play("Cy folds", "Ann raises to 20", "Bo raises to 30", "Ann raises to 40")
    hand.refuses("Bo raises to 50", RaisesCapped, law="L-10")


@pytest.mark.law("AT-8", "L-7")
def test_a_limit_bet_has_one_size() -> None:
    hand = limit_holdem()
    hand.play("Cy calls", "Dee calls", "Ann calls", "Bo checks")
    for to in (15, 20):
        assert hand.refuses(f"Ann bets {to}", WrongSize, law="L-7").only_to == 10


@pytest.mark.law("AT-8", "A-12")
@pytest.mark.parametrize("big", [9, 15])
def test_the_big_blind_is_double_the_small(big: int) -> None:
    with pytest.raises(BigBlindNotDouble) as refusal:
        check_stakes(Stakes(small_blind=5, big_blind=big), Options(limit=Limit.LIMIT))
    assert refusal.value.law == "A-12"


@pytest.mark.law("AT-9", "L-8", "TL-2")
def test_no_limit_raises() -> None:
    """Big blind 2: first to at least 4; after a raise to 10, by 8, to at least 18; 17 is refused."""
    hand = deal("no-limit hold'em 1/2", button="Dee", stacks={"Ann": 100, "Bo": 100, "Cy": 100, "Dee": 100})
    assert hand.options == {"fold", "call 2", "raise to 4..100"}
    hand.play("Cy raises to 10")
    assert hand.options == {"fold", "call 10", "raise to 18..100"}
    assert hand.refuses("Dee raises to 17", RaiseTooSmall, law="L-8").min_to == 18


@pytest.mark.law("AT-9", "TL-3")
def test_who_has_too_little_for_a_raise_may_go_all_in() -> None:
    """After a raise to 10 a player with 15 in all may make it 15, and nothing in between."""
    hand = deal("no-limit hold'em 1/2", button="Dee", stacks={"Ann": 100, "Bo": 100, "Cy": 100, "Dee": 15})
    hand.play("Cy raises to 10")
    assert hand.options == {"fold", "call 10", "all-in to 15"}
    hand.refuses("Dee raises to 14", RaiseTooSmall)
    hand.play("Dee is all-in for 15")
    assert hand.level == 15


def out_of_turn() -> Told:
    """A to act, and C puts 5 chips in before his turn."""
    hand = deal(
        ONE_INTERVAL, button="C", stacks=dict.fromkeys("ABC", 100), options={"out_of_turn": "hold"}, stakes=NO_LIMIT
    )
    assert hand.to_act == "A"
    hand.play("C bets 5")
    assert (hand.to_act, hand.pot, hand.level) == ("A", 5, 0), "the turn goes back to A"
    return hand


@pytest.mark.law("AT-10", "I-8")
def test_more_than_the_call_out_of_turn_is_forfeited() -> None:
    """A bets 2, B calls 2: C is in for 2, the 3 beyond are the pot's, which holds 9."""
    hand = out_of_turn()
    hand.play("A bets 2", "B calls 2")
    assert hand.happened(HeldForfeited) == [HeldForfeited(hand.seat("C"), 3)]
    assert sum(hand.wins.values()) == 9
    assert hand.hand.put_in == [2, 2, 2]


@pytest.mark.law("AT-10", "I-8")
@pytest.mark.parametrize("drops", [True, False])
def test_less_than_the_call_out_of_turn_is_added_to_or_lost(drops: bool) -> None:
    """A bets 8, B drops: C may add 3 or drop, which loses his 5; he may not raise."""
    hand = out_of_turn()
    hand.play("A bets 8", "B drops")
    assert hand.to_act == "C"
    assert hand.options == {"fold", "call 3"}
    hand.refuses("C raises to 20", ActedOutOfTurn, law="I-8")
    if drops:
        hand.play("C drops")
        assert hand.stacks == {"A": 105, "B": 100, "C": 95}
    else:
        hand.play("C calls")
        assert sum(hand.wins.values()) == 16
        assert hand.hand.put_in == [8, 0, 8]


@pytest.mark.law("AT-10", "I-8")
def test_with_nothing_bet_before_him_he_has_bet_it() -> None:
    """A and B check: C has bet 5."""
    hand = out_of_turn()
    hand.play("A checks", "B checks")
    assert (hand.to_act, hand.level, hand.bets) == ("A", 5, {"C": 5})


@pytest.mark.law("AT-16", "TL-2")
@pytest.mark.parametrize(
    ("blinds", "does", "next_at_least"),
    [
        ("100/200", ("Ann raises to 600", "Bo raises to 1600", "Cy raises to 3600"), 5600),
        ("50/100", ("Ann is all-in to 150",), 250),
        ("50/100", ("Ann raises to 300", "Bo raises to 1000"), 1700),
        ("25/50", ("Ann raises to 125", "Bo raises to 200", "Cy raises to 500"), 800),
        ("25/50", ("Ann raises to 500", "Bo calls", "Cy calls"), 950),
    ],
)
def test_the_least_raise_as_the_directors_print_it(blinds: str, does: tuple[str, ...], next_at_least: int) -> None:
    ann = 150 if "Ann is all-in to 150" in does else 20_000
    stacks = {"Ann": ann, "Bo": 20_000, "Cy": 20_000, "Dee": 20_000, "Eve": 20_000, "Flo": 20_000}
    hand = deal(f"no-limit hold'em {blinds}", button="Dee", stacks=stacks)
    hand.play(*does)
    assert hand.legal(hand.to_act).min_to == next_at_least
    hand.refuses(f"{hand.to_act} raises to {next_at_least - 1}", RaiseTooSmall, law="L-8")


def after_the_flop(*short: int) -> Told:
    """A 50/100 hand after the flop, A first; B and so on have the stacks given when they get there, the others plenty."""
    names = "ABCDEFGH"
    stacks = dict.fromkeys(names, 5100)
    for name, chips in zip(names[1:], short, strict=False):
        if chips:
            stacks[name] = chips + 100
    hand = deal("no-limit hold'em 50/100", button="H", stacks=stacks)
    hand.play(*(f"{name} calls" for name in "CDEFGHA"), "B checks")
    assert (hand.street, hand.to_act) == ("flop", "A")
    return hand


@pytest.mark.law("AT-17", "TL-4")
def test_two_short_all_ins_that_add_up_reopen_the_betting() -> None:
    """A bets 100, B is all-in for 125, C calls, D is all-in for 200, E calls: A faces 100 and may raise to 300 or more."""
    hand = after_the_flop(125, 0, 200)
    hand.play(
        "A bets 100", "B is all-in to 125", "C calls", "D is all-in to 200", "E calls", "F folds", "G folds", "H folds"
    )
    assert hand.options == {"fold", "call 100", "raise to 300..5000"}
    hand.play("A calls")
    assert hand.to_act == "C"
    assert hand.options == {"fold", "call 75"}
    hand.refuses("C raises to 300", BettingNotReopened, law="TL-4")


@pytest.mark.law("AT-17", "TL-4")
def test_a_full_raise_reopens_the_betting_to_the_next() -> None:
    """The same, but A raises to 300: C faces 175 and may raise."""
    hand = after_the_flop(125, 0, 200)
    hand.play(
        "A bets 100", "B is all-in to 125", "C calls", "D is all-in to 200", "E calls", "F folds", "G folds", "H folds"
    )
    hand.play("A raises to 300")
    assert hand.to_act == "C"
    assert hand.options == {"fold", "call 175", "raise to 400..5000"}


@pytest.mark.law("AT-17", "TL-4", "TL-5")
def test_short_all_ins_do_not_move_the_least_raise() -> None:
    """300, all-ins of 500, 650 and 800, a call: F may raise to 1100."""
    hand = after_the_flop(500, 650, 800)
    hand.play("A bets 300", "B is all-in to 500", "C is all-in to 650", "D is all-in to 800", "E calls")
    assert hand.to_act == "F"
    assert hand.options == {"fold", "call 800", "raise to 1100..5000"}


@pytest.mark.law("AT-17", "TL-4")
def test_the_big_blind_facing_a_short_all_in() -> None:
    """2000-4000: A calls, C is all-in for 7500. The big blind may raise to 11500; if he only calls, A may not raise; if he does, A may."""
    stacks = {"A": 50_000, "B": 50_000, "C": 7500, "Sb": 50_000, "Bb": 50_000}
    for raises in (False, True):
        hand = deal("no-limit hold'em 2000/4000", button="C", stacks=stacks)
        hand.play("A calls 4000", "B folds", "C is all-in to 7500", "Sb folds")
        assert hand.options == {"fold", "call 3500", "raise to 11500..50000"}
        if raises:
            hand.play("Bb raises to 11500")
            assert hand.to_act == "A"
            assert hand.legal("A").max_to == 50_000
        else:
            hand.play("Bb calls 3500")
            assert hand.options == {"fold", "call 3500"}
            hand.refuses("A raises to 12000", BettingNotReopened, law="TL-4")


@pytest.mark.law("AT-17", "TL-4", "TL-5")
def test_raises_after_two_all_ins_of_the_world_series() -> None:
    """500, a raise to 1000, a call, all-ins of 1300 and 1700: who raises now makes it 2200 at least."""
    stacks = {"A": 5100, "B": 5100, "C": 5100, "D": 1400, "E": 1800, "F": 5100}
    hand = deal("no-limit hold'em 50/100", button="F", stacks=stacks)
    hand.play("C calls", "D calls", "E calls", "F calls", "A calls", "B checks")
    hand.play("A bets 500", "B raises to 1000", "C calls", "D is all-in to 1300", "E is all-in to 1700", "F folds")
    assert hand.options == {"fold", "call 1200", "raise to 2200..5000"}
    hand.play("A folds")
    assert hand.options == {"fold", "call 700", "raise to 2200..5000"}


@pytest.mark.law("AT-17", "TL-5")
def test_an_all_in_of_140_over_a_bet_of_100() -> None:
    hand = after_the_flop(140)
    hand.play("A bets 100", "B is all-in to 140")
    assert hand.options == {"fold", "call 140", "raise to 240..5000"}


def limit_flop(size: int, *stacks: int) -> Told:
    """A limit hand on the flop at this bet size, A first."""
    names = "ABCD"[: len(stacks)]
    hand = deal(
        f"limit hold'em {size // 2 or 1}/{size}" if size % 2 == 0 else "limit hold'em",
        button=names[-1],
        stacks={name: chips + size for name, chips in zip(names, stacks, strict=True)},
        options={"house_blinds": "on"},
        stakes=None if size % 2 == 0 else Stakes(small_blind=size // 2, big_blind=size),
    )
    hand.play(*(f"{name} calls" for name in (*names[2:], "A")), "B checks")
    assert (hand.street, hand.to_act) == ("flop", "A")
    return hand


@pytest.mark.law("AT-18", "TL-6")
def test_an_all_in_of_half_a_bet_or_more_is_a_bet() -> None:
    """Size 20, all-in for 15: the next full raise is to 35."""
    hand = limit_flop(20, 15, 200, 200)
    hand.play("A is all-in for 15")
    assert hand.options == {"fold", "call 15", "raise to 35"}
    hand.refuses("B raises to 20", WrongSize, law="L-7")


@pytest.mark.law("AT-18", "TL-6")
@pytest.mark.parametrize(("all_in", "to"), [(100, 400), (300, 700)])
def test_size_400(all_in: int, to: int) -> None:
    """All-in for 100 is completed to 400; all-in for 300 is raised to 700."""
    hand = limit_flop(400, all_in, 5000, 5000)
    hand.play(f"A is all-in for {all_in}")
    assert hand.options == {"fold", f"call {all_in}", f"raise to {to}"}


@pytest.mark.law("AT-18", "TL-6", "TL-4")
def test_an_all_in_of_less_than_half_a_raise_is_completed() -> None:
    """Size 5: a bet of 5, a call, all-in for 6: the next completes to 10; who has bet or called may not raise."""
    hand = limit_flop(5, 100, 100, 6, 100)
    hand.play("A bets 5", "B calls", "C is all-in to 6")
    assert hand.options == {"fold", "call 6", "raise to 10"}
    hand.play("D calls")
    assert hand.options == {"fold", "call 1"}
    hand.refuses("A raises to 10", BettingNotReopened, law="TL-4")


@pytest.mark.law("AT-18", "TL-6")
def test_completing_a_bring_in_is_no_raise() -> None:
    """Stud 15-30, bring-in 5, completed to 15: all three raises of the cap remain."""
    hand = deal(
        STUD,
        button="D",
        stacks=dict.fromkeys("ABCD", 500),
        cards={"A": "? ? 2c", "B": "? ? 9h", "C": "? ? Kd", "D": "? ? Qs"},
        stakes=Stakes(ante=2, small_bet=15, big_bet=30, bring_in=5),
    )
    assert hand.options == {"bring in 5", "bet 15"}
    hand.play("A brings in 5", "B completes to 15", "C raises to 30", "D raises to 45", "A raises to 60")
    hand.refuses("B raises to 75", RaisesCapped, law="L-10")


def pot_limit(blinds: str = "100/200", unposted: tuple[str, ...] = (), bb: int = 20_000) -> Told:
    stacks = {"A": 20_000, "B": 20_000, "Sb": 20_000, "Bb": bb}
    return deal(f"pot-limit hold'em {blinds}", button="B", stacks=stacks, unposted=unposted)


@pytest.mark.law("AT-19", "TL-19")
@pytest.mark.parametrize(
    ("hand", "what"),
    [
        (pot_limit(), "both blinds are in"),
        (pot_limit(unposted=("small blind",)), "the small blind is dead"),
        (pot_limit(bb=120), "the big blind is short"),
    ],
)
def test_the_first_pot_limit_raise(hand: Told, what: str) -> None:
    """100-200, first to act: to 700, also with a dead small or a short big blind; one more is refused."""
    assert hand.options == {"fold", "call 200", "raise to 400..700"}, what
    assert hand.refuses("A raises to 701", RaiseTooLarge, law="TL-19").max_to == 700


@pytest.mark.law("AT-19", "TL-19")
def test_pot_limit_one_two() -> None:
    """1-2: to 7, then to 24."""
    hand = pot_limit("1/2")
    assert hand.legal("A").max_to == 7
    hand.play("A raises to 7")
    assert hand.legal("B").max_to == 24
    hand.refuses("B raises to 25", RaiseTooLarge, law="TL-19")


@pytest.mark.law("AT-19", "TL-19")
@pytest.mark.parametrize(("before", "bet", "to"), [(100, 50, 250), (1500, 1500, 6000)])
def test_a_pot_limit_raise_after_the_flop(before: int, bet: int, to: int) -> None:
    """A pot of 100 and a bet of 50: to 250. A pot of 1500 and a bet of 1500: to 6000."""
    hand = deal(f"pot-limit hold'em {before // 4}/{before // 2}", button="Ann", stacks={"Ann": 20_000, "Bo": 20_000})
    hand.play("Ann calls", "Bo checks")
    assert hand.pot == before
    hand.play(f"Bo bets {bet}")
    assert hand.legal("Ann").max_to == to
    hand.refuses(f"Ann raises to {to + 1}", RaiseTooLarge, law="TL-19")


@pytest.mark.law("AT-19", "TL-19")
def test_pot_limit_stud() -> None:
    """Antes of 800 and a bring-in of 150: to 1250; after a raise to 650 the next: to 2900."""
    card = replace(STUD, options=replace(STUD.options, limit=Limit.POT_LIMIT, min_raise=MinRaise.LAST_RAISE))
    hand = deal(
        card,
        button="H",
        stacks=dict.fromkeys("ABCDEFGH", 20_000),
        cards={"A": "? ? 2c"},
        stakes=Stakes(ante=100, bring_in=150, min_bet=500),
    )
    hand.play("A brings in 150")
    assert hand.legal("B").max_to == 1250
    hand.play("B raises to 650")
    assert hand.legal("C").max_to == 2900
    hand.refuses("C raises to 2901", RaiseTooLarge, law="TL-19")


@pytest.mark.law("AT-24", "L-9", "TL-42")
@pytest.mark.parametrize("calls", [True, False])
def test_a_short_raise_where_a_raise_matches_the_call(calls: bool) -> None:
    """A bets 10, B is all-in for 14: C may call 14 or raise to 28 or more. If C calls, A owes 4 and may not raise."""
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
