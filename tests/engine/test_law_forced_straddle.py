"""The forced straddle of source 003 counts as a big blind, and two players post as that source says.

Laws: VB-2, A-10, A-11, L-8, TL-2, TL-19.
"""

import pytest

from bot.engine.events import Posted
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, Limit, StraddleRule
from bot.engine.refusals import CannotCheck, RaiseTooSmall
from bot.engine.stakes import AmountOutOfBounds, Stakes, validate_stakes
from tests.support.told import Told, deal

ROUND = {"Ann": 100, "Bo": 100, "Cy": 100, "Dee": 100}


def draw(limit: str, ante: int = 1, straddle: int = 2, stacks: dict[str, int] | None = None, **options: object) -> Told:
    """Dee deals: Ann antes, Bo straddles, Cy acts first."""
    return deal(
        f"basic_draw + {limit}",
        button="Dee",
        stacks=stacks or ROUND,
        options=options,
        stakes=Stakes(ante=ante, straddle=straddle),
    )


@pytest.mark.law("VB-2", "L-8", "TL-2")
@pytest.mark.parametrize(("straddle", "least"), [(10, 20), (2, 4)])
def test_first_raise_at_no_limit_adds_the_straddle(straddle: int, least: int) -> None:
    hand = draw("no_limit", straddle=straddle)
    assert hand.options == {"fold", f"call {straddle}", f"raise to {least}..100"}
    hand.refuses(f"Cy raises to {least - 1}", RaiseTooSmall, law="L-8")


@pytest.mark.law("VB-2", "TL-2")
def test_first_bet_after_the_draw_is_the_straddle() -> None:
    hand = draw("no_limit", straddle=10)
    hand.play("Cy calls", "Dee calls", "Ann calls 9", "Bo checks")
    hand.play("Ann stands pat", "Bo stands pat", "Cy stands pat", "Dee stands pat")
    assert hand.options == {"check", "fold", "bet 10..90"}
    hand.refuses("Ann bets 9", RaiseTooSmall)


@pytest.mark.law("VB-2", "A-11")
def test_raise_over_four_antes_adds_the_straddle() -> None:
    hand = draw("no_limit", come_in="four_antes")
    assert hand.options == {"fold", "call 4", "raise to 6..100"}


@pytest.mark.law("VB-2", "TL-19")
@pytest.mark.parametrize("left", [100, 1])
def test_pot_limit_counts_the_full_straddle(left: int) -> None:
    """In the pot: ante 1 and straddle 2, also where Bo has only 1 of it; with a call of 2 the raise adds 5."""
    hand = draw("pot_limit", stacks=ROUND | {"Bo": left})
    assert hand.options == {"fold", "call 2", "raise to 4..7"}
    hand.play("Cy calls", "Dee calls", "Ann folds")
    if left > 1:
        assert hand.options == {"check", "fold", "raise to 4..9"}


@pytest.mark.law("VB-2", "TL-19")
def test_smallest_pot_limit_bet_is_the_straddle() -> None:
    hand = draw("pot_limit", straddle=10)
    hand.play("Cy calls", "Dee folds", "Ann folds", "Bo checks", "Bo stands pat", "Cy stands pat")
    assert hand.options == {"check", "fold", "bet 10..21"}


@pytest.mark.law("A-10", "TL-2")
def test_straddle_counts_as_big_blind_in_any_game() -> None:
    hand = deal(
        "no-limit five-card draw", button="Dee", stacks=ROUND, stakes=Stakes(ante=3, straddle=7),
        options={"ante": "left_of_dealer", "straddle": "forced_double"},
    )  # fmt: skip
    assert hand.options == {"fold", "call 7", "raise to 14..100"}


@pytest.mark.law("VB-2")
def test_house_minimum_bet_is_at_least_the_straddle() -> None:
    options = Options(ante=Ante.LEFT_OF_DEALER, straddle=StraddleRule.FORCED_DOUBLE, limit=Limit.NO_LIMIT)
    validate_stakes(Stakes(ante=1, straddle=10, min_bet=10), options)
    with pytest.raises(AmountOutOfBounds) as refusal:
        validate_stakes(Stakes(ante=1, straddle=10, min_bet=9), options)
    assert refusal.value.minimum == 10


@pytest.mark.law("VB-2", "A-2", "A-10", "F-4")
def test_two_players_ante_and_straddle_as_in_source_003() -> None:
    """Left of the dealer antes, the dealer straddles; the ante acts first in both betting rounds."""
    hand = deal(
        "basic draw", button="Ann", stacks={"Ann": 100, "Bo": 100}, stakes=Stakes(ante=1, straddle=2, doublings=3)
    )
    posted = [(hand.names[post.seat], post.kind, post.chips) for post in hand.events_of(Posted)]
    assert posted == [("Bo", "ante stake", 1), ("Ann", "straddle", 2)]
    assert (hand.to_act, hand.options) == ("Bo", {"fold", "call 1", "raise to 6"})
    hand.refuses("Bo checks", CannotCheck)
    hand.play("Bo calls 1", "Ann checks", "Bo stands pat", "Ann draws 3")
    assert (hand.street, hand.to_act) == ("after the draw", "Bo")
