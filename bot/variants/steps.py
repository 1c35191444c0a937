"""Runs of steps that several sheets share.

Source: laws Part B "street notation", VB-2, VB-4, VB-6, VC-5, VC-9.
"""

from bot.engine.steps import Any as Step
from bot.engine.steps import BetStep, Burn, DealBoard, DealDown, DealUp, Draw, PostForced, Showdown, Size

PRE_FLOP, FLOP, TURN, RIVER = "pre-flop", "flop", "turn", "river"
BEFORE, AFTER = "before the draw", "after the draw"


def board_game(down: int, *, after_flop: tuple[Step, ...] = (), before_flop: tuple[Step, ...] = ()) -> tuple[Step, ...]:
    """`down` cards each, then flop, turn and river with an interval after each (M-1 to M-3)."""
    return (
        PostForced(),
        DealDown(down), BetStep(PRE_FLOP), *before_flop,
        Burn(), DealBoard(3), BetStep(FLOP), *after_flop,
        Burn(), DealBoard(1), BetStep(TURN, Size.BIG),
        Burn(), DealBoard(1), BetStep(RIVER, Size.BIG),
        Showdown(),
    )  # fmt: skip


def single_draw(down: int = 5) -> tuple[Step, ...]:
    """`down` cards each, an interval, one draw of as many as `DRAW_MAX` allows, an interval."""
    return (
        PostForced(),
        DealDown(down), BetStep(BEFORE),
        Draw("the draw", down), BetStep(AFTER, Size.BIG),
        Showdown(),
    )  # fmt: skip


def triple_draw(down: int) -> tuple[Step, ...]:
    """`down` cards each, and three draws of any number, with an interval before each and after the last (VC-9)."""
    return (
        PostForced(),
        DealDown(down), BetStep(BEFORE),
        Draw("first draw", down), BetStep("after the first draw"),
        Draw("second draw", down), BetStep("after the second draw", Size.BIG),
        Draw("third draw", down), BetStep("after the third draw", Size.BIG),
        Showdown(),
    )  # fmt: skip


def five_card_stud(*burn: Burn) -> tuple[Step, ...]:
    """One card down and one up, then three more up, with an interval after each (S-1, S-2). The sources burn nothing; `burn` is what
    comes before each later street (TL-28)."""
    return (
        PostForced(),
        DealDown(1), DealUp(1), BetStep("second street"),
        *burn, DealUp(1), BetStep("third street"),
        *burn, DealUp(1), BetStep("fourth street", Size.BIG),
        *burn, DealUp(1), BetStep("fifth street", Size.BIG),
        Showdown(),
    )  # fmt: skip


_ALL_UP = DealUp(1)


def seven_card_stud(up: Step = _ALL_UP) -> tuple[Step, ...]:
    """Two down and one up, three more up, the last down, with an interval after each; a burn before each street (VC-5). `up` is how the
    cards come that come up."""
    return (
        PostForced(),
        DealDown(2), up, BetStep("third street"),
        Burn(), up, BetStep("fourth street"),
        Burn(), up, BetStep("fifth street", Size.BIG),
        Burn(), up, BetStep("sixth street", Size.BIG),
        Burn(), DealDown(1), BetStep("seventh street", Size.BIG),
        Showdown(),
    )  # fmt: skip
