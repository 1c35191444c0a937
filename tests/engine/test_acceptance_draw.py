"""The law book's acceptance tests of the draw games: AT-2, AT-3, AT-15, AT-23."""

import pytest

from bot.engine import events as e
from bot.engine.refusals import (
    AlreadyDrew,
    CallBeforeDraw,
    CannotCheck,
    CheckingNotAllowed,
    NothingToCallYet,
    NotNextToStraddle,
    NotYourTurn,
    OnlyCallOrFoldNow,
    RaiseTooLarge,
    RaiseTooSmall,
    StraddleClosed,
    StraddleLimitReached,
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


DEAL_OF_SOURCE_002 = """
    C does not straddle | 0  | 0  3  0  0 0  | 3
    C opens for 6       | 6  | 0  3  6  0 0  | 9
    D folds             | 0  | 0  3  6  x 0  | 9
    E puts in 6         | 6  | 0  3  6  x 6  | 15
    A puts in 18        | 18 | 18 3  6  x 6  | 33
    B puts in 15        | 15 | 18 18 6  x 6  | 48
    B draws 2           | 0  | 18 18 6  x 6  | 48
    C puts in 12        | 12 | 18 18 18 x 6  | 60
    C draws 5           | 0  | 18 18 18 x 6  | 60
    E folds             | 0  | 18 18 18 x 6x | 60
    A draws 1           | 0  | 18 18 18 x x  | 60
    C bets 6            | 6  | 0  0  6  x x  | 66
    A puts in 6         | 6  | 6  0  6  x x  | 72
    B puts in 18        | 18 | 6  18 6  x x  | 90
    C puts in 24        | 24 | 6  18 30 x x  | 114
    A folds             | 0  | 6x 18 30 x x  | 114
    B puts in 12        | 12 | x  30 30 x x  | 126
"""
"""The actions, the pence each puts in, what each of A to E has in (x once folded), and the pool."""
ROWS = tuple([cell.strip() for cell in row.split("|")] for row in DEAL_OF_SOURCE_002.strip().splitlines())
LINES = tuple(does for does, *_ in ROWS)
SAY, DRAW, BET = LINES[:5], LINES[5:11], LINES[11:]


@pytest.mark.law("AT-2", "VB-1", "A-3", "F-1", "F-3", "X-1", "X-6")
def test_old_english_hand_as_printed_in_source_002() -> None:
    hand = old_english()
    assert (hand.bets, hand.pot) == ({"B": 3}, 3)
    pooled = dict.fromkeys("ABCDE", 0)
    for does, puts_in, columns, pool in ROWS:
        who = does[0]
        assert hand.to_act == who, does
        if does == BET[0]:  # with the last draw the stakes are equal and in the pool
            pooled = {name: 100 - chips for name, chips in hand.stacks.items()}
            assert pooled == {"A": 18, "B": 18, "C": 18, "D": 0, "E": 6}
        had = hand.stacks[who]
        hand.play(does)
        cells = dict(zip("ABCDE", columns.split(), strict=True))
        staked = {name: chips - pooled[name] for name, chips in zip(hand.names, hand.hand.put_in, strict=True)}
        for name, cell in cells.items():
            assert cell == "x" or staked[name] == int(cell.removesuffix("x")), f"{name} after {does}"
        assert set(hand.live) == {name for name, cell in cells.items() if "x" not in cell}, does
        if not hand.over:
            assert (had - hand.stacks[who], hand.pot) == (int(puts_in), int(pool)), does
    assert hand.over
    assert hand.wins == {"C": 126}
    assert hand.stacks == {"A": 76, "B": 52, "C": 178, "D": 100, "E": 94}
    assert sum(chips - 100 for chips in hand.stacks.values()) == 0


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
    hand.refuses("C draws 5", CallBeforeDraw, law="X-3")
    hand.refuses("C raises to 20", OnlyCallOrFoldNow, law="B-17")
    hand.play("C puts in 12", "C draws 5")
    hand.play("E folds")
    hand.refuses("C draws 1", AlreadyDrew, law="X-5")
    hand.play("A draws 1")
    hand.refuses("B bets 6", NotYourTurn)
    hand.refuses("C bets 13", RaiseTooLarge, law="L-5")
    hand.play("C bets 6")
    hand.refuses("A checks", CannotCheck, law="B-12")


@pytest.mark.law("AT-2", "A-6", "A-7", "A-8", "A-9", "F-2", "L-4")
def test_had_number_one_straddled() -> None:
    """The straddle of 6 is half the limit, so nobody goes on. D opens for 12 to 24, and C acts last."""
    hand = old_english()
    hand.play("C straddles")
    assert hand.to_act == "D"
    assert hand.options == {"fold", "raise to 12..24"}
    hand.refuses("D straddles", StraddleClosed, law="A-7")
    hand.refuses("D opens for 11", RaiseTooSmall, law="L-4")
    hand.refuses("D opens for 25", RaiseTooLarge, law="L-4")
    hand.refuses("D calls", NothingToCallYet, law="B-15")
    hand.play("D opens for 12", "E puts in 12", "A puts in 12", "B puts in 9")
    assert (hand.to_act, hand.options) == ("C", {"fold", "call 6", "raise to 13..24"}), "the last say is C's"
    hand.play("C puts in 6")
    assert (hand.to_act, hand.options) == ("B", {"draw 0..5"})


def straddles(ante: int, limit: int, players: int = 14, **options: object) -> tuple[list[int], Told]:
    """Let everybody straddle as long as they are asked. Returns the stakes they made."""
    names = [f"P{number}" for number in range(players)]
    hand = deal(
        "old_english", button=names[-1], stacks=dict.fromkeys(names, 500), options={"deck": "52", **options},
        stakes=Stakes(ante=ante, limit=limit),
    )  # fmt: skip
    while "decline" in hand.options:
        hand.play(f"{hand.to_act} straddles")
    return [event.to for event in hand.events_of(e.Straddled)], hand


@pytest.mark.law("AT-3", "A-4", "A-6", "A-7", "L-4")
def test_the_ladder_of_straddles() -> None:
    """Ante 1, limit 24: 2, 3 and so on, and 12 is half the limit. It goes round the table, so six seats get there."""
    ladder, hand = straddles(1, 24, 6)
    assert ladder == list(range(2, 13))
    assert hand.options == {"fold", "raise to 24..48"}
    hand.refuses(f"{hand.to_act} straddles to 13", StraddleClosed, law="A-7")


@pytest.mark.law("AT-3", "A-4", "A-6", "A-7")
@pytest.mark.parametrize(
    ("ante", "limit", "options", "ladder"),
    [
        (1, 24, {"straddle_laps": "once"}, [2, 3, 4, 5, 6]),  # six seats
        (3, 24, {}, [6, 9, 12]),
        (5, 24, {}, [10]),
        (4, 12, {}, []),
        (1, 24, {"straddle_cap": "running_total"}, [2, 3, 4]),
    ],
)
def test_where_straddling_stops(ante: int, limit: int, options: dict[str, str], ladder: list[int]) -> None:
    assert straddles(ante, limit, 6, **options)[0] == ladder


@pytest.mark.law("AT-3", "A-9", "L-4")
@pytest.mark.parametrize("taken", range(1, 6))
def test_an_opening_over_straddles_is_double_the_last(taken: int) -> None:
    """Ante 1, limit 24: over k straddles one opens for 2(k+1) to 2(k+1)+24."""
    hand = old_english(1, 24, "ABCDEF")
    for name in "CDEFA"[:taken]:
        hand.play(f"{name} straddles")
    if hand.legal(hand.to_act).offer_amount:
        hand.play(f"{hand.to_act} does not straddle")
    least = 2 * (taken + 1)
    assert hand.options == {"fold", f"raise to {least}..{least + 24}"}
    hand.refuses(f"{hand.to_act} opens for {least - 1}", RaiseTooSmall, law="L-4")
    hand.refuses(f"{hand.to_act} opens for {least + 25}", RaiseTooLarge, law="L-4")


@pytest.mark.law("AT-3", "A-7", "A-9", "L-4")
def test_straddles_reckoned_by_their_total() -> None:
    """Ante 1 and straddles of 2, 3 and 4 make 10: the next, of 5, would pass half the limit, and one opens for double the total."""
    hand = old_english(1, 24, "ABCDEF", straddle_cap="running_total")
    hand.play("C straddles", "D straddles", "E straddles")
    assert hand.to_act == "F"
    hand.refuses("F straddles to 5", StraddleClosed, law="A-7")
    assert hand.options == {"fold", "raise to 20..44"}
    hand.refuses("F opens for 19", RaiseTooSmall, law="L-4")
    hand.play("F opens for 20", "A folds", "B folds", "C puts in 18")
    assert (hand.to_act, hand.options) == ("D", {"fold", "call 17", "raise to 21..44"})


@pytest.mark.law("A-7", "A-9", "L-4")
@pytest.mark.parametrize(
    ("straddle_cap", "open_min", "opens", "again"),
    [
        (
            "level",
            "running_total",
            "18..36",
            9,
        ),  # source 002 to the letter: straddles to a shilling each, double "together"
        ("level", "level", "12..30", 9),
        ("running_total", "level", "12..30", 0),
        ("running_total", "running_total", "18..36", 0),
    ],
)
def test_readings_of_straddle_and_opening_mix(straddle_cap: str, open_min: str, opens: str, again: int) -> None:
    """Ante 3, limit 18, one straddle of 6: together they are 9, which is half the limit, so that by their total nobody goes on."""
    hand = old_english(3, 18, "ABCDEF", straddle_cap=straddle_cap, open_min=open_min)
    hand.play("C straddles")
    assert hand.legal(hand.to_act).offer_amount == again
    if again:
        hand.play(f"{hand.to_act} does not straddle")
    assert hand.options == {"fold", f"raise to {opens}"}


@pytest.mark.law("AT-3", "A-6", "A-7")
@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_straddles_go_round_the_table_to_half_the_limit(players: int) -> None:
    """Source 002: ante 1, limit 24, and when a shilling is reached the straddling must cease, however many play."""
    assert straddles(1, 24, players)[0] == list(range(2, 13))


@pytest.mark.law("A-6", "A-8", "F-2")
def test_second_straddle_adds_to_the_first() -> None:
    """Three players: the chain comes round to the ante and to No. 1 again, who then has the last say."""
    hand = old_english(1, 24, "ABC")
    hand.play("C straddles", "A straddles", "B straddles", "C straddles", "A does not straddle")
    assert hand.bets == {"B": 4, "C": 5, "A": 3}
    assert (hand.to_act, hand.options) == ("A", {"fold", "raise to 10..34"})
    hand.play("A opens for 10", "B calls 6")
    assert (hand.to_act, hand.options) == ("C", {"fold", "call 5", "raise to 11..34"})
    hand.play("C calls")
    assert (hand.to_act, hand.options) == ("B", {"draw 0..5"})


@pytest.mark.law("A-7", "A-9", "A-6")
def test_total_counts_what_a_second_straddle_adds() -> None:
    """Two players, ante 1: stakes of 2, 3, 4, 5 and 6 are 11 chips in all. To 7 would make 13, more than half of 24."""
    hand = old_english(1, 24, "AB", straddle_cap="running_total")
    hand.play("A straddles", "B straddles", "A straddles", "B straddles", "A straddles")
    assert (hand.bets, hand.pot) == ({"B": 5, "A": 6}, 11)
    hand.refuses("B straddles to 7", StraddleClosed, law="A-7")
    assert hand.options == {"fold", "raise to 22..46"}


@pytest.mark.law("A-4", "A-5", "A-6", "A-7")
def test_refused_straddle_names_the_law_that_closed_the_chain() -> None:
    """No. 1 declined, a later player did, half the limit is reached, or cards are out: each by its own law."""
    hand = old_english(1, 24)
    hand.play("C does not straddle")
    hand.refuses("D straddles", StraddleClosed, law="A-5")
    hand = old_english(1, 24)
    hand.play("C straddles", "D does not straddle")
    hand.refuses("E straddles", StraddleClosed, law="A-6")
    hand = old_english(3, 12)
    hand.play("C straddles")
    assert hand.refuses("D straddles", StraddleLimitReached, law="A-7").maximum == 6
    hand.play("D opens for 12")
    hand.refuses("E straddles", StraddleClosed)


@pytest.mark.law("AT-3", "A-4", "A-6")
def test_straddle_is_one_exact_amount() -> None:
    """Ante 1: No. 1 offering 3, or No. 2 offering 4."""
    hand = old_english(1, 24)
    assert hand.refuses("C straddles to 3", WrongStraddle, law="A-4").required == 2
    hand.play("C straddles")
    assert hand.refuses("D straddles to 4", WrongStraddle, law="A-6").required == 3


@pytest.mark.law("AT-15", "F-5")
@pytest.mark.parametrize("opener_folds", [False, True])
def test_opener_acts_first_after_the_draw(opener_folds: bool) -> None:
    """Dealer A. B checks, C bets, D calls, A folds, B calls: C first after the draw; if C was raised and folded, D."""
    hand = deal("hoyle_draw", button="A", stacks=dict.fromkeys("ABCD", 100), stakes=Stakes(ante=1, limit=10))
    if opener_folds:
        hand.play("B checks", "C bets 2", "D calls", "A folds", "B raises to 5", "C folds", "D calls")
    else:
        hand.play("B checks", "C bets 2", "D calls", "A folds", "B calls")
    for _ in range(len(hand.live)):
        hand.play(f"{hand.to_act} stands pat")
    assert hand.to_act == ("D" if opener_folds else "C")


@pytest.mark.law("AT-23", "TL-42", "TL-15", "C-4", "C-5", "TL-41")
def test_all_in_in_the_old_english_hand() -> None:
    """E has 10 in all: they call 6, even their stake with the last 4 and can draw. Main pot 40, side pot 24, later bets to the side pot."""
    hand = old_english(E=10)
    hand.play(*SAY, *DRAW[:4], "E calls all-in", "E draws 2", "A draws 1")
    main, side = hand.pots
    assert (main, side) == ((40, "B C E A"), (24, "B C A"))
    hand.play("C checks", "A checks", "B checks")
    hand.refuses("C checks", CheckingNotAllowed, law="C-5")
    hand.play("C says nothing")
    assert "C" not in hand.live
    hand.play("A bets 6", "B calls")
    main, side = hand.pots
    assert (main, side[0]) == ((40, "B E A"), 36)
