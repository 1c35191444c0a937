"""The smallest first bet that a house can ask for gives way to the limit (0.5 `MIN_BET`)."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from bot.engine.betting.posts import regular_posts
from bot.engine.cards import STANDARD_52
from bot.engine.decide import decide_and_evolve, legal, start
from bot.engine.events import HandStarted
from bot.engine.hand import Hand
from bot.engine.legal import Decision
from bot.engine.options.presets import preset_options
from bot.engine.options.types import Options
from bot.engine.options.values import FirstOpener, Limit, MinRaise
from bot.engine.refusals import RaiseTooLarge, RaiseTooSmall
from bot.engine.stakes import AmountOutOfBounds, Stakes, validate_stakes
from bot.variants import game
from tests.engine.test_all_games_machine import offered
from tests.support.told import Told, deal

POT_50 = Stakes(small_blind=5, big_blind=10, min_bet=50)


def heads_up(**stacks: int) -> Told:
    """Return a hand on the flop with a pot of 20, where the house wants 50 for a first bet."""
    hand = deal("pot-limit hold'em", button="Bo", stacks={"Ann": 1_000, "Bo": 1_000} | stacks, stakes=POT_50)
    hand.play("Bo calls", "Ann checks")
    return hand


@pytest.mark.law("TL-19", "L-1")
def test_pot_limit_minimum_bet_never_exceeds_the_pot() -> None:
    hand = heads_up()
    assert hand.options == {"check", "fold", "bet 20"}, "the pot, and nothing less"
    hand.refuses("Ann bets 50", RaiseTooLarge, law="TL-19")
    hand.refuses("Ann bets 19", RaiseTooSmall)


@pytest.mark.law("TL-19", "TL-2", "TL-4")
def test_pot_sized_bet_is_full_despite_larger_house_minimum() -> None:
    """It reopens the betting, and the minimum raise adds as much again."""
    hand = heads_up()
    hand.play("Ann checks", "Bo bets 20")
    assert hand.options == {"fold", "call 20", "raise to 40..80"}
    hand.play("Ann calls")
    assert "bet 50..60" in hand.options, "the pot of 60 allows what the house wants"


@pytest.mark.law("TL-19", "TL-3", "TL-5")
def test_minimum_raise_over_short_all_in_is_bounded_by_pot() -> None:
    """All-in for 5 into 20: what the house wants would be a raise to 55, the pot allows 35."""
    hand = heads_up(Ann=15)
    hand.play("Ann is all-in to 5")
    assert hand.options == {"fold", "call 5"}, "nobody is left to raise"
    three = deal(
        "pot-limit hold'em", button="Cy", stacks={"Ann": 15, "Bo": 1_000, "Cy": 1_000},
        stakes=Stakes(small_blind=5, big_blind=10, min_bet=50),
    )  # fmt: skip
    three.play("Cy calls", "Ann calls", "Bo checks", "Ann is all-in to 5")
    assert three.options == {"fold", "call 5", "raise to 45"}


@pytest.mark.law("TL-2", "TL-19")
def test_big_blind_can_always_be_bet() -> None:
    """Only what the house asks for beyond the law gives way: with a short blind and an empty seat the pot can be under a big blind."""
    hand = deal(
        "pot-limit hold'em", button="Cy", stacks={"Ann": 1_000, "Bo": 3, "Cy": 1_000},
        stakes=Stakes(small_blind=5, big_blind=10, min_bet=50),
    )  # fmt: skip
    hand.play("Cy calls", "Ann calls")
    assert hand.options == {"check", "fold", "bet 23"}


@pytest.mark.law("L-2", "L-6", "L-7")
@pytest.mark.parametrize(
    ("stakes", "options"),
    [
        (Stakes(ante=1, limit=12, min_bet=13), preset_options("HD")),
        (Stakes(ante=1, limit=12, limit_after_draw=6, min_bet=7), preset_options("HD")),
        (Stakes(ante=1, limit=12, bring_in=13), preset_options("SH")),
        (Stakes(ante=2, doublings=3, min_bet=5), replace(preset_options("SL"), limit=Limit.DOUBLING_FLAT)),
        (Stakes(ante=2, doublings=3, bring_in=5), replace(preset_options("SL"), limit=Limit.DOUBLING_FLAT)),
        (Stakes(ante=2, doublings=3, min_bet=9), preset_options("BD")),
        (Stakes(ante=1, small_bet=4, big_bet=8, min_bet=5), preset_options("SL")),
        (Stakes(ante=5, min_bet=11), replace(preset_options("SH"), limit=Limit.POT_LIMIT)),
    ],
    ids=[
        "stake limit", "its later limit", "a bring-in", "the ladder", "a bring-in on it", "the ladder over a straddle", "fixed sizes",
        "forced at pot limit",
    ],
)  # fmt: skip
def test_house_minimum_cannot_exceed_the_limit(stakes: Stakes, options: Options) -> None:
    with pytest.raises(AmountOutOfBounds):
        validate_stakes(stakes, options)
    name = "bring_in" if stakes.bring_in else "min_bet"
    one_less = replace(stakes, **{name: getattr(stakes, name) - 1})
    validate_stakes(one_less, options)


GAMES: dict[str, tuple[str, Stakes, dict[str, Any]]] = {
    "pot-limit hold'em": ("pot_limit_holdem", Stakes(small_blind=5, big_blind=10, min_bet=70), {}),
    "pot-limit stud, high card opens": (
        "stud_high", Stakes(ante=5, min_bet=10), {"limit": Limit.POT_LIMIT, "min_raise": MinRaise.LAST_RAISE},
    ),
    "a bring-in at pot limit": ("london", Stakes(ante=2, bring_in=5, min_bet=60), {}),
    "a bomb pot": ("bomb_pot", Stakes(ante=5, min_bet=80), {}),
    "a stake limit": ("hoyle_draw", Stakes(ante=2, limit=20, limit_after_draw=10, min_bet=10), {}),
    "a stake limit, low card opens": (
        "stud_high", Stakes(ante=2, limit=20, min_bet=20), {"first_1": FirstOpener.LOW_CARD},
    ),
    "old English draw": ("old_english", Stakes(ante=2, limit=20, min_bet=20), {}),
    "the ladder": ("basic_draw", Stakes(ante=2, doublings=3, min_bet=8), {}),
    "a card opens on the ladder": ("stud_low", Stakes(ante=2, doublings=3, min_bet=4), {
        "limit": Limit.DOUBLING_FLAT, "min_raise": MinRaise.BY_LADDER,
    }),
}  # fmt: skip


@pytest.mark.law("L-2", "L-6", "TL-19")
@pytest.mark.parametrize("name", GAMES)
def test_whatever_the_house_asks_for_no_bet_passes_the_limit(name: str) -> None:
    """Random hands to their end: no minimum bet is more than the most, and no bet that can be made more than the limit allows."""
    key, stakes, more = GAMES[name]
    card = game(key)
    options = replace(card.options, **more)
    validate_stakes(stakes, options, card.required_amounts)
    rng = random.Random(name)
    for _ in range(150):
        players = rng.randint(2, min(5, card.seats_max))
        posts = regular_posts(card, options, stakes, players)
        stacks = tuple(rng.choice((rng.randint(1, 60), rng.randint(60, 2_000))) for _ in range(players))
        started = HandStarted(
            rule_card=card, options=options, stakes=stakes, seat_numbers=tuple(range(1, players + 1)), stacks=stacks, posts=posts,
            button_seat_number=players,
        )  # fmt: skip
        hand = start(started, tuple(rng.sample(STANDARD_52, 52)))[1]
        while not hand.over:
            _within_the_limit(hand)
            seat = hand.to_act
            hand = decide_and_evolve(hand, seat, rng.choice(offered(rng, hand, seat, legal(hand, seat))))[1]


def _within_the_limit(hand: Hand) -> None:
    may, rules = legal(hand, hand.to_act), hand.rules
    if may.decision is not Decision.BET or not may.max_to:
        return
    assert may.min_to <= may.max_to
    part = may.max_to - hand.current_bet
    if rules.limit is Limit.POT_LIMIT:
        owe = hand.current_bet - hand.bets[may.seat]
        law = rules.stakes.big_blind or max(rules.stakes.ante, rules.amounts.bring_in)
        assert part <= max(hand.pot + owe + hand.blind_shortfall, law)
    elif rules.limit is Limit.STAKE_LIMIT:
        assert (
            part
            <= (
                rules.stakes.limit
                if hand.in_first_betting_round
                else rules.stakes.limit_after_draw or rules.stakes.limit
            )
            or hand.opener < 0
        )
    assert may.bring_in <= may.max_to
