"""The law book's acceptance tests of the betting, line by line: AT-7 to AT-9, AT-16 to AT-19."""

import pytest
from msgspec.structs import replace

from bot.engine.options.types import Options
from bot.engine.options.values import Ante, FirstOpener, Limit, LowScale, MinRaise, StudTie
from bot.engine.ranking import Ranking
from bot.engine.refusals import (
    BettingNotReopened,
    RaisesCapped,
    RaiseTooLarge,
    RaiseTooSmall,
    WrongSize,
)
from bot.engine.rule_card import RuleCard, Share
from bot.engine.stakes import BigBlindNotDouble, Stakes, validate_stakes
from bot.engine.steps import BettingRound, DealDown, DealUp, PostForcedBets, Showdown
from tests.support.told import Told, deal

STUD = RuleCard(
    key="bring_in_stud",
    name="Stud with a bring-in",
    law_id="VC-5",
    family="stud",
    seats_min=2,
    seats_max=8,
    steps=(PostForcedBets(), DealDown(2), DealUp(1), BettingRound("third street"), Showdown()),
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


DOUBLING = {"limit": "doubling_flat", "min_raise": "by_ladder", "raise_cap": "none"}


def doubling(n: int = 3, **options: object) -> Told:
    """Return hold'em where a small blind of 1 is the ante of the ladder and the big blind its straddle."""
    return deal(
        "no-limit hold'em",
        button="Dee",
        stacks={"Ann": 200, "Bo": 200, "Cy": 200, "Dee": 200},
        options=DOUBLING | options,
        stakes=Stakes(small_blind=1, big_blind=2, doublings=n),
    )


RAISERS = ("Cy", "Dee", "Ann", "Bo", "Cy")


def levels_of(hand: Told, *raisers: str) -> list[int]:
    """Return the current bet at the start, and after each raise of the only legal size."""
    levels = [hand.highest_bet] if hand.highest_bet else []
    for name in raisers:
        can = hand.legal(name)
        assert can.min_to == can.max_to, "one size only"
        hand.play(f"{name} raises to {can.max_to}")
        levels.append(hand.highest_bet)
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
def test_each_later_betting_round_restarts_the_ladder() -> None:
    """The first bet of a later betting round is 4, then to 12, then to 20."""
    hand = doubling()
    hand.play("Cy raises to 6", "Dee calls", "Ann calls", "Bo calls")
    assert (hand.street, hand.options) == ("flop", {"check", "fold", "bet 4"})
    assert levels_of(hand, "Ann", "Bo", "Cy") == [4, 12, 20]


@pytest.mark.law("AT-7", "L-6")
def test_each_later_betting_round_restarts_the_ladder_of_levels() -> None:
    """Counting levels, a later betting round is opened for 4, then to 8, then to 16."""
    hand = doubling(stake_ladder="levels")
    hand.play("Cy calls", "Dee calls", "Ann calls", "Bo checks")
    assert levels_of(hand, "Ann", "Bo", "Cy") == [4, 8, 16]


@pytest.mark.law("AT-7", "L-6")
def test_a_raise_of_another_size_than_the_ladders_is_refused() -> None:
    """A first raise of 3 or of 5, where 4 is due."""
    hand = doubling()
    for to in (5, 7):
        assert hand.refuses(f"Cy raises to {to}", WrongSize, law="L-6").required == 6


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
    """Where a betting round begins with two players, raises are not counted."""
    hand = limit_holdem("Ann Bo", "Ann")
    hand.play(*(f"{name} raises to {to}" for name, to in zip(("Ann", "Bo") * 4, range(20, 100, 10), strict=True)))
    assert hand.highest_bet == 90


@pytest.mark.law("TL-17", "L-10")
def test_raise_cap_remains_when_a_round_comes_down_to_two() -> None:
    """Three players began the betting round. That one of them folds does not lift the cap."""
    hand = limit_holdem("Ann Bo Cy", "Cy")
    hand.play("Cy folds", "Ann raises to 20", "Bo raises to 30", "Ann raises to 40")
    hand.refuses("Bo raises to 50", RaisesCapped, law="L-10")


@pytest.mark.law("AT-8", "L-7")
def test_a_limit_bet_has_one_size() -> None:
    hand = limit_holdem()
    hand.play("Cy calls", "Dee calls", "Ann calls", "Bo checks")
    for to in (15, 20):
        assert hand.refuses(f"Ann bets {to}", WrongSize, law="L-7").required == 10


@pytest.mark.law("AT-8", "A-12")
@pytest.mark.parametrize("big", [9, 15])
def test_the_big_blind_is_double_the_small(big: int) -> None:
    with pytest.raises(BigBlindNotDouble) as refusal:
        validate_stakes(Stakes(small_blind=5, big_blind=big), Options(limit=Limit.LIMIT))
    assert refusal.value.law == "A-12"


@pytest.mark.law("AT-9", "L-8", "TL-2")
def test_no_limit_raises() -> None:
    """Big blind 2: first to at least 4; after a raise to 10, by 8, to at least 18; 17 is refused."""
    hand = deal("no-limit hold'em 1/2", button="Dee", stacks={"Ann": 100, "Bo": 100, "Cy": 100, "Dee": 100})
    assert hand.options == {"fold", "call 2", "raise to 4..100"}
    hand.play("Cy raises to 10")
    assert hand.options == {"fold", "call 10", "raise to 18..100"}
    assert hand.refuses("Dee raises to 17", RaiseTooSmall, law="L-8").minimum == 18


@pytest.mark.law("AT-9", "TL-3")
def test_stack_below_the_minimum_raise_can_go_all_in() -> None:
    """After a raise to 10 a player with 15 in all can make it 15, and nothing in between."""
    hand = deal("no-limit hold'em 1/2", button="Dee", stacks={"Ann": 100, "Bo": 100, "Cy": 100, "Dee": 15})
    hand.play("Cy raises to 10")
    assert hand.options == {"fold", "call 10", "all-in to 15"}
    hand.refuses("Dee raises to 14", RaiseTooSmall)
    hand.play("Dee is all-in for 15")
    assert hand.highest_bet == 15


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
def test_minimum_raise_as_printed_by_the_tda(blinds: str, does: tuple[str, ...], next_at_least: int) -> None:
    ann = 150 if "Ann is all-in to 150" in does else 20_000
    stacks = {"Ann": ann, "Bo": 20_000, "Cy": 20_000, "Dee": 20_000, "Eve": 20_000, "Flo": 20_000}
    hand = deal(f"no-limit hold'em {blinds}", button="Dee", stacks=stacks)
    hand.play(*does)
    assert hand.legal(hand.to_act).min_to == next_at_least
    hand.refuses(f"{hand.to_act} raises to {next_at_least - 1}", RaiseTooSmall, law="L-8")


def after_the_flop(*short: int) -> Told:
    """Return a 50/100 hand after the flop, A first; B and so on have the stacks given when they get there, the others plenty."""
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
    """A bets 100, B is all-in for 125, C calls, D is all-in for 200, E calls: A faces 100 and can raise to 300 or more."""
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
    """The same, but A raises to 300: C faces 175 and can raise."""
    hand = after_the_flop(125, 0, 200)
    hand.play(
        "A bets 100", "B is all-in to 125", "C calls", "D is all-in to 200", "E calls", "F folds", "G folds", "H folds"
    )
    hand.play("A raises to 300")
    assert hand.to_act == "C"
    assert hand.options == {"fold", "call 175", "raise to 400..5000"}


@pytest.mark.law("AT-17", "TL-4", "TL-5")
def test_short_all_ins_do_not_change_the_minimum_raise() -> None:
    """300, all-ins of 500, 650 and 800, a call: F can raise to 1100."""
    hand = after_the_flop(500, 650, 800)
    hand.play("A bets 300", "B is all-in to 500", "C is all-in to 650", "D is all-in to 800", "E calls")
    assert hand.to_act == "F"
    assert hand.options == {"fold", "call 800", "raise to 1100..5000"}


@pytest.mark.law("AT-17", "TL-4")
def test_the_big_blind_facing_a_short_all_in() -> None:
    """2000-4000: A calls, C is all-in for 7500. The big blind can raise to 11500. If they only call, A cannot raise; else A can."""
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
    """Return a limit hand on the flop at this bet size, A first."""
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
def test_all_in_of_half_a_bet_counts_as_a_bet() -> None:
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
def test_all_in_below_half_a_raise_is_completed() -> None:
    """Size 5: a bet of 5, a call, all-in for 6: the next completes to 10; who has bet or called cannot raise."""
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
    assert hand.refuses("A raises to 701", RaiseTooLarge, law="TL-19").maximum == 700


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
