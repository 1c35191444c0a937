"""Pictures that answer one player, by name: their own cards, the head of a leaderboard, what beats what, charts."""

from __future__ import annotations

from msgspec.structs import replace

from bot.pictures.types import (
    BarsPicture,
    CardMark,
    ChartBar,
    ChartLine,
    ChartMark,
    CurvePicture,
    HandPicture,
    LinesPicture,
    Look,
    Picture,
    PodiumPicture,
    PodiumPlayer,
    RankingPicture,
    RankingRow,
    RankingSection,
)
from bot.table.picture_colours import Deck, Felt
from tests.pictures.states import BLUE, LIGHT, LOOK, SIX_SCRIPTS, board, cards

HOLDEM = HandPicture(LOOK, cards("As Kh"), boards=(board("Kd 7c 2s"),), hands=("A pair of kings, ace kicker",))
STUD_ROWS = (
    ("Five of a kind", "Ks Kh Kd Kc Jk"),
    ("Straight flush", "9h 8h 7h 6h 5h"),
    ("Four of a kind", "8s 8h 8d 2c* 5h"),
    ("Full house", "Js Jh Jd 4c 4h"),
    ("Flush", "Ad Jd 8d 4d 3d"),
)
LOW_ROWS = (("The wheel", "5c 4s 3d 2h Ac"), ("Six low", "6c 4s 3d 2h Ac"), ("Eight low", "8c 7s 6d 5h 4c"))


def _rows(rows: tuple[tuple[str, str], ...]) -> tuple[RankingRow, ...]:
    return tuple(RankingRow(name, cards(line)) for name, line in rows)


def _podium(look: Look, *players: tuple[int, str, str]) -> PodiumPicture:
    return PodiumPicture(look, tuple(PodiumPlayer(*player) for player in players))


_HIGH_LOW = RankingPicture(
    LOOK,
    "Seven-Card Stud High-Low",
    "The best hand first · ★ is a wild card",
    (RankingSection("High", _rows(STUD_ROWS)), RankingSection("Low", _rows(LOW_ROWS))),
)

HANDS: dict[str, HandPicture] = {
    "hand_two_cards": HOLDEM,
    "hand_two_cards_light": replace(HOLDEM, look=LIGHT),
    "hand_five_cards_two_boards": HandPicture(
        replace(BLUE, deck=Deck.TWO_COLOURS),
        cards("Ah Kd 9c 9h 2s"),
        boards=(board("Td 9d 5s"), board("2c 2d Jh 4c")),
        hands=("Three of a kind, nines", "Three of a kind, twos"),
    ),
    "hand_stud_open_and_hidden": HandPicture(
        replace(LIGHT, felt=Felt.TOURNAMENT, deck=Deck.FILLED),
        cards("Qs Jk 4h*=Qd"),
        cards("Qc 8d 8h 3c"),
        "open",
        hands=("Four of a kind, queens", "Low: nothing yet"),
    ),
}
PODIUMS: dict[str, PodiumPicture] = {
    "podium": _podium(LOOK, (1, "Mia", "+13,250"), (2, "Giorgos", "+9,450"), (3, "Jürgen K", "+380")),
    "podium_light_shared_place": _podium(LIGHT, (1, SIX_SCRIPTS[0], "1,250,000"), (1, SIX_SCRIPTS[4], "1,250,000")),
}
RANKINGS: dict[str, RankingPicture] = {
    "ranking_high_low": _HIGH_LOW,
    "ranking_high_low_light": replace(_HIGH_LOW, look=LIGHT),
    "ranking_idle_cards": RankingPicture(
        BLUE,
        "Three-Card Poker",
        "The best hand first",
        (
            RankingSection(
                "",
                (
                    RankingRow("Three of a kind", cards("8s 8h 8d") + cards("2c 5h", CardMark.DIMMED)),
                    RankingRow("Straight", cards("6c 5d 4h") + cards("Kd Jc", CardMark.DIMMED)),
                ),
            ),
        ),
    ),
}
_NETS = (0, 250, -180, -900, -400, 300, 1450, 1100, 2600, 2350, 4100, 3700, 3120)
_CURVE = CurvePicture(
    LOOK,
    "Chips over time",
    "312 hands · net +3,120",
    tuple((at * 26, net) for at, net in enumerate(_NETS)),
    tuple(
        ChartMark(at, label)
        for at, label in ((-2000, "−2,000"), (0, "0"), (2000, "+2,000"), (4000, "+4,000"), (6000, "+6,000"))
    ),
    (ChartMark(0, "start"), ChartMark(156, "hand 156"), ChartMark(312, "hand 312")),
)
_BARS = BarsPicture(
    LOOK,
    "Chips by game",
    "2,236 hands · net +1,980",
    (
        ChartBar("No-Limit Hold'em", 3120, "+3,120"),
        ChartBar("Pot-Limit Omaha", -1210, "−1,210"),
        ChartBar("Badugi", 70, "+70"),
        ChartBar("Limit Razz", 0, "0"),
    ),
)
CURVES: dict[str, CurvePicture] = {
    "curve": _CURVE,
    "curve_light": replace(_CURVE, look=LIGHT),
    "curve_one_hand_lost": CurvePicture(
        LOOK,
        "Chips over time",
        "1 hand · net −50",
        ((0, 0), (1, -50)),
        tuple(ChartMark(at, label) for at, label in ((-60, "−60"), (-40, "−40"), (-20, "−20"), (0, "0"))),
        (ChartMark(0, "start"), ChartMark(1, "hand 1")),
    ),
    "curve_of_a_billion": CurvePicture(
        LIGHT,
        "Chips over time",
        "400,000 hands · net +1,000,000,000,000",
        ((0, 0), (3, -(10**12)), (400_000, 10**12)),
        tuple(ChartMark(at * 10**12, label) for at, label in ((-1, "−1,000,000M"), (0, "0"), (1, "+1,000,000M"))),
        (ChartMark(0, "start"), ChartMark(400_000, "hand 400,000")),
    ),
}
BARS: dict[str, BarsPicture] = {"bars": _BARS, "bars_light": replace(_BARS, look=LIGHT)}


def _evening(look: Look, *players: tuple[str, int, int], **notes: str) -> LinesPicture:
    """Return an evening of 84 hands: players with what they were up or down when they bought in again, and at the end. `notes`: by name."""
    lines = []
    for name, half, end in players:
        nets = [half * at // 42 for at in range(42)] + [half + (end - half) * at // 42 for at in range(43)]
        points = tuple(enumerate(nets))
        lines.append(ChartLine(name, points, (points[42],) if half < 0 and name else (), notes.get(name, "")))
    levels = ((-10_000, "−10k"), (0, "0"), (10_000, "+10k"), (20_000, "+20k"))
    marks = ChartMark(0, "start"), ChartMark(42, "hand 42"), ChartMark(84, "hand 84")
    small_print = "84 hands · ○ bought in again"
    heading = "Won and lost over the evening"
    return LinesPicture(look, heading, small_print, tuple(lines), tuple([ChartMark(*one) for one in levels]), marks)


LINES: dict[str, LinesPicture] = {
    "evening": _evening(
        LOOK,
        ("Zoë", 4_000, 14_200),
        ("Chiyo", 1_500, 3_450),
        (SIX_SCRIPTS[0], 3_200, -1_150),
        ("Mia", -5_000, -10_000),
        ("", -700, -2_300),
        Zoë="+1,300",
        Mia="+200k",
    ),
}
ANSWERS: dict[str, Picture] = {**HANDS, **PODIUMS, **RANKINGS, **CURVES, **BARS, **LINES}
"""Every one by its name, which is also the name of its golden picture."""
