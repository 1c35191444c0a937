"""The law book's own trials of the draw games, told: AT-2, AT-3, AT-15, AT-23."""

import pytest

from bot.engine import events as e
from bot.engine.refusals import (
    AlreadyServed,
    CannotCheck,
    CheckingBarred,
    EqualFirst,
    NothingToCallYet,
    NotNextToStraddle,
    NotYourTurn,
    OnlyEqualNow,
    RaiseTooLarge,
    RaiseTooSmall,
    StraddleClosed,
    WrongStraddle,
)
from bot.engine.stakes import Stakes
from tests.support.told import Told, deal


def old_english(ante: int = 3, limit: int = 12, players: str = "ABCDE", **options: object) -> Told:
    """A deals, B is the ante, C is No. 1; amounts in pence. C will hold the better hand, then B."""
    stacks = dict.fromkeys(players, 100)
    if "E" in options:
        stacks["E"] = int(str(options.pop("E")))
    cards = {"A": "2c 3d 9h 9c Kd Qs", "B": "Ks Kh 5c 8d 2s 7h 6h", "C": "2h 4c 6d 8s Th Ac Ad Ah 9d 4d"}
    return deal(
        "old_english", button="A", stacks=stacks, cards={name: held for name, held in cards.items() if name in stacks},
        options=options, stakes=Stakes(ante=ante, limit=limit),
    )  # fmt: skip


SAY = ("C does not straddle", "C opens for 6", "D drops", "E puts in 6", "A puts in 18")
DRAW = ("B puts in 15", "B draws 2", "C puts in 12", "C draws 5", "E drops", "A draws 1")
BET = ("C bets 6", "A puts in 6", "B puts in 18", "C puts in 24", "A drops", "B puts in 12")


@pytest.mark.law("AT-2", "VB-1", "A-3", "F-1", "F-3", "X-1", "X-6")
def test_the_old_english_deal_as_source_002_prints_it() -> None:
    hand = old_english()
    pools = []
    for line in (*SAY, *DRAW, *BET):
        assert hand.to_act == line[0], line
        hand.play(line)
        pools.append(hand.pot)
    assert pools == [3, 9, 9, 15, 33, 48, 48, 60, 60, 60, 60, 66, 72, 90, 114, 114, 0]
    assert hand.wins == {"C": 126}
    assert hand.stacks == {"A": 76, "B": 52, "C": 178, "D": 100, "E": 94}


@pytest.mark.law("AT-2", "A-5", "L-2", "L-4", "L-5", "X-3", "X-5", "B-12", "B-15", "B-17")
def test_what_source_002_would_not_have_allowed() -> None:
    hand = old_english()
    hand.refuses("D straddles", NotNextToStraddle, law="A-5")
    hand.play("C does not straddle")
    assert hand.options == {"fold", "raise to 6..15"}
    hand.refuses("C opens for 5", RaiseTooSmall, law="L-4")
    hand.refuses("C opens for 16", RaiseTooLarge, law="L-4")
    hand.refuses("C calls", NothingToCallYet, law="B-15")
    hand.refuses("C checks", CannotCheck)
    hand.play(*SAY[1:4])
    hand.refuses("A puts in 19", RaiseTooLarge, law="L-2")
    hand.play("A puts in 18", "B puts in 15", "B draws 2")
    hand.refuses("C draws 5", EqualFirst, law="X-3")
    hand.refuses("C raises to 20", OnlyEqualNow, law="B-17")
    hand.play("C puts in 12", "C draws 5")
    hand.play("E drops")
    hand.refuses("C draws 1", AlreadyServed, law="X-5")
    hand.play("A draws 1")
    hand.refuses("B bets 6", NotYourTurn)
    hand.refuses("C bets 13", RaiseTooLarge, law="L-5")
    hand.play("C bets 6")
    hand.refuses("A stands", CannotCheck, law="B-12")


@pytest.mark.law("AT-2", "A-6", "A-7", "A-8", "A-9", "F-2", "L-4")
def test_had_number_one_straddled() -> None:
    """His stake of 6 is half the limit, so nobody goes on; D opens for 12 to 24, and C has the last say."""
    hand = old_english()
    hand.play("C straddles")
    assert hand.to_act == "D"
    assert hand.options == {"fold", "raise to 12..24"}
    hand.refuses("D straddles", StraddleClosed)
    hand.play("D opens for 12", "E puts in 12", "A puts in 12", "B puts in 9")
    assert hand.to_act == "C"


def straddles(ante: int, limit: int, players: int = 14, **options: object) -> tuple[list[int], Told]:
    """Everybody straddles as long as he is asked; the stakes they made."""
    names = [f"P{number}" for number in range(players)]
    hand = deal(
        "old_english", button=names[-1], stacks=dict.fromkeys(names, 500), options={"deck": "52", **options},
        stakes=Stakes(ante=ante, limit=limit),
    )  # fmt: skip
    while "decline" in hand.options:
        hand.play(f"{hand.to_act} straddles")
    return [event.to for event in hand.happened(e.Straddled)], hand


@pytest.mark.law("AT-3", "A-4", "A-6", "A-7", "L-4")
def test_the_ladder_of_straddles() -> None:
    """Ante 1, limit 24: 2, 3 and so on, and 12 is half the limit. Going round again lets six seats get there."""
    ladder, hand = straddles(1, 24, 6, straddle_laps="again")
    assert ladder == list(range(2, 13))
    assert hand.options == {"fold", "raise to 24..48"}
    hand.refuses(f"{hand.to_act} straddles to 13", StraddleClosed, law="A-7")


@pytest.mark.law("AT-3", "A-4", "A-6", "A-7")
@pytest.mark.parametrize(
    ("ante", "limit", "options", "ladder"),
    [
        (1, 24, {}, [2, 3, 4, 5, 6]),  # six seats, once
        (3, 24, {}, [6, 9, 12]),
        (5, 24, {}, [10]),
        (4, 12, {}, []),
        (1, 24, {"straddle_cap": "running_total"}, [2, 3, 4]),
    ],
)
def test_where_straddling_stops(ante: int, limit: int, options: dict[str, str], ladder: list[int]) -> None:
    assert straddles(ante, limit, 6, **options)[0] == ladder


@pytest.mark.law("AT-3", "A-4", "A-6")
def test_a_straddle_is_one_exact_stake() -> None:
    """Ante 1: No. 1 offering 3, or No. 2 offering 4."""
    hand = old_english(1, 24)
    assert hand.refuses("C straddles to 3", WrongStraddle, law="A-4").only == 2
    hand.play("C straddles")
    assert hand.refuses("D straddles to 4", WrongStraddle, law="A-6").only == 3


@pytest.mark.law("AT-15", "F-5")
@pytest.mark.parametrize("opener_drops", [False, True])
def test_the_opener_speaks_first_after_the_draw(opener_drops: bool) -> None:
    """Dealer A. B checks, C bets, D calls, A drops, B calls: C first after the draw; if C was raised and dropped, D."""
    hand = deal("hoyle_draw", button="A", stacks=dict.fromkeys("ABCD", 100), stakes=Stakes(ante=1, limit=10))
    if opener_drops:
        hand.play("B checks", "C bets 2", "D calls", "A drops", "B raises to 5", "C drops", "D calls")
    else:
        hand.play("B checks", "C bets 2", "D calls", "A drops", "B calls")
    for _ in range(len(hand.live)):
        hand.play(f"{hand.to_act} stands pat")
    assert hand.to_act == ("D" if opener_drops else "C")


@pytest.mark.law("AT-23", "TL-42", "TL-15", "C-4", "C-5", "TL-41")
def test_all_in_in_the_old_english_deal() -> None:
    """E has 10 in all: he calls 6, evens his stake with his last 4 and may draw. Main pot 40, side pot 24, later bets to the side pot."""
    hand = old_english(E=10)
    hand.play(*SAY, *DRAW[:4], "E calls all-in", "E draws 2", "A draws 1")
    main, side = hand.pots
    assert (main, side) == ((40, "B C E A"), (24, "B C A"))
    hand.play("C stands", "A stands", "B stands")
    hand.refuses("C stands", CheckingBarred, law="C-5")
    hand.play("C says nothing")
    assert "C" not in hand.live
    hand.play("A bets 6", "B calls")
    main, side = hand.pots
    assert (main, side[0]) == ((40, "B E A"), 36)
