"""A player's chips over time and by game: what the charts show, and what whoever cannot see them reads."""

import pytest

from bot.pictures.types import Look
from bot.render.pictures.charts import (
    bars_picture,
    bars_text,
    curve_picture,
    curve_text,
    levels,
    positions_picture,
    positions_text,
)
from bot.statistics.types import ChipsPoint, Counts


def curve(*nets: int) -> list[ChipsPoint]:
    """A curve that begins before any hand, with a point for each hand."""
    return [ChipsPoint(at, net, 1000 * at) for at, net in enumerate((0, *nets))]


def test_curve_shows_every_number_in_words() -> None:
    points = curve(100, 250, -300, 1200)
    picture = curve_picture(points, Look())
    assert picture is not None
    assert picture.points == ((0, 0), (1, 100), (2, 250), (3, -300), (4, 1200))
    assert [level.label for level in picture.levels] == ["−500", "0", "+500", "+1,000", "+1,500"]
    assert [mark.label for mark in picture.marks] == ["start", "hand 2", "hand 4"]
    assert (picture.small_print, picture.start) == ("4 hands · net +1,200", 0)
    assert curve_text(points) == "Net chips over 4 hands: +1,200 at the end, −300 at the lowest, +1,200 at the highest."


def test_without_hands_there_is_no_chart() -> None:
    assert curve_picture([], Look()) is None and curve_picture(curve(), Look()) is None
    assert bars_picture([], Look()) is None
    assert positions_picture(Counts(hands=19, hands_early=19), Look()) is None


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 0, [0, 1]),
        (0, 1, [0, 1]),
        (-50, 0, [-50, -40, -30, -20, -10, 0]),
        (5, 90, [0, 20, 40, 60, 80, 100]),
        (-900, -100, [-1000, -800, -600, -400, -200, 0]),
        (-400, 4100, [-2000, 0, 2000, 4000, 6000]),
        (-(10**12), 10**12, [-(10**12), -5 * 10**11, 0, 5 * 10**11, 10**12]),
    ],
)
def test_levels_are_round_and_hold_every_point(low: int, high: int, expected: list[int]) -> None:
    assert levels(low, high) == expected


def test_levels_are_few_whatever_the_chips() -> None:
    for low in (0, 1, 7, 99, 12_345, 10**12):
        for high in (0, 1, 7, 99, 12_345, 10**12):
            found = levels(-low, high)
            assert found[0] <= -low and found[-1] >= high and 0 in found and 2 <= len(found) <= 7, (low, high)


def test_games_that_do_not_fit_are_put_together() -> None:
    by_game = [(f"Game {at}", Counts(hands=20 - at, net=100 * at)) for at in range(9)]
    picture = bars_picture(by_game, Look())
    assert picture is not None
    assert [(bar.name, bar.value) for bar in picture.bars][-2:] == [("Game 5", 500), ("Other games", 2100)]
    assert picture.small_print == "144 hands · net +3,600"
    assert bars_text(by_game[:2]) == "Net chips by game: Game 0 0, Game 1 +100."
    assert len(bars_text([("W" * 80, Counts(net=-(10**12)))] * 9)) <= 256


def test_positions_stand_beside_each_other_in_big_blinds() -> None:
    """Only those that somebody has sat in often enough; the small print is of all of them."""
    counts = Counts(
        hands=70,
        hands_on_button=40,
        won_on_button=9_650,
        hands_in_big_blind=25,
        won_in_big_blind=-10_000,
        hands_early=5,
    )
    picture = positions_picture(counts, Look())
    assert picture is not None
    assert [(bar.name, bar.value, bar.label) for bar in picture.bars] == [
        ("button", 241, "+24.1"),
        ("big blind", -400, "−40.0"),
    ]
    assert picture.small_print == "70 hands with a big blind · −0.5 bb/100"
    assert positions_text(counts) == "Big blinds per 100 hands, by position: button +24.1, big blind −40.0."
    curve_of = curve_picture((ChipsPoint(0, 0, 1), ChipsPoint(70, -300, 2)), Look(), counts)
    assert curve_of is not None and curve_of.small_print == "70 hands · net −300 · −0.5 bb/100"
