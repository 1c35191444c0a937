"""Sequences of steps that several games share.

Source: laws Part B "street notation", VB-2, VB-4, VB-6, VC-5, VC-9.
"""

from bot.engine.steps import AnyStep as Step
from bot.engine.steps import BetSize, BettingRound, Burn, DealBoard, DealDown, DealUp, Draw, PostForcedBets, Showdown

PRE_FLOP, FLOP, TURN, RIVER = "pre-flop", "flop", "turn", "river"
BEFORE_DRAW, AFTER_DRAW = "before the draw", "after the draw"


def board_game(down: int, *, after_flop: tuple[Step, ...] = (), before_flop: tuple[Step, ...] = ()) -> tuple[Step, ...]:
    """`down` cards each, then flop, turn and river, with betting after each (M-1 to M-3)."""
    return (
        PostForcedBets(),
        DealDown(down), BettingRound(PRE_FLOP), *before_flop,
        Burn(), DealBoard(3), BettingRound(FLOP), *after_flop,
        Burn(), DealBoard(1), BettingRound(TURN, BetSize.BIG),
        Burn(), DealBoard(1), BettingRound(RIVER, BetSize.BIG),
        Showdown(),
    )  # fmt: skip


def single_draw(down: int = 5) -> tuple[Step, ...]:
    """`down` cards each, betting, one draw of as many cards as `DRAW_MAX` allows, betting."""
    return (
        PostForcedBets(),
        DealDown(down), BettingRound(BEFORE_DRAW),
        Draw("the draw", down), BettingRound(AFTER_DRAW, BetSize.BIG),
        Showdown(),
    )  # fmt: skip


def triple_draw(down: int) -> tuple[Step, ...]:
    """`down` cards each, and three draws of any number, with betting before each and after the last (VC-9)."""
    return (
        PostForcedBets(),
        DealDown(down), BettingRound(BEFORE_DRAW),
        Draw("first draw", down), BettingRound("after the first draw"),
        Draw("second draw", down), BettingRound("after the second draw", BetSize.BIG),
        Draw("third draw", down), BettingRound("after the third draw", BetSize.BIG),
        Showdown(),
    )  # fmt: skip


def five_card_stud(*burn: Burn) -> tuple[Step, ...]:
    """Return one card down and one up, then three more up, with betting after each (S-1, S-2).

    The sources burn nothing; `burn` comes before each later street (TL-28).
    """
    return (
        PostForcedBets(),
        DealDown(1), DealUp(1), BettingRound("second street"),
        *burn, DealUp(1), BettingRound("third street"),
        *burn, DealUp(1), BettingRound("fourth street", BetSize.BIG),
        *burn, DealUp(1), BettingRound("fifth street", BetSize.BIG),
        Showdown(),
    )  # fmt: skip


_ONE_CARD_UP = DealUp(1)


def seven_card_stud(up: Step = _ONE_CARD_UP) -> tuple[Step, ...]:
    """Two down and one up, three more up, the last down, with betting after each, and a burn before each street (VC-5).

    `up` is the step that deals the up cards.
    """
    return (
        PostForcedBets(),
        DealDown(2), up, BettingRound("third street"),
        Burn(), up, BettingRound("fourth street"),
        Burn(), up, BettingRound("fifth street", BetSize.BIG),
        Burn(), up, BettingRound("sixth street", BetSize.BIG),
        Burn(), DealDown(1), BettingRound("seventh street", BetSize.BIG),
        Showdown(),
    )  # fmt: skip
