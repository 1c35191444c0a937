"""Standings over the nights of a series."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.events.nights import commands as c
from bot.events.nights.standings import standings
from bot.events.nights.state import NightResult, NightScore, StandingsRule
from tests.events.nights.diary import Diary
from tests.table.evening import player_id

ADA = player_id("Ada")


def a_month(**rule: object) -> Diary:
    diary = Diary()
    nights: list[dict[str, int]] = [
        {"Ada": 500, "Bo": -100, "Cy": -400},
        {"Ada": -50, "Bo": 250, "Cy": -200},
        {"Bo": 300, "Cy": -300},
    ]
    for number, nets in enumerate(nights):
        diary.until(f"2026-12-{4 + 7 * number:02}T20:00", people=3)
        diary.closes(**nets)
    diary.ask(c.ChangeStandings(ADA, StandingsRule(**rule)))  # type: ignore[arg-type]
    return diary


def test_points_go_by_place() -> None:
    assert a_month(points=(10, 7, 5)).table_of_standings == [(1, "Bo", 27), (2, "Ada", 17), (2, "Cy", 17)]


def test_net_chips_can_count_instead() -> None:
    assert a_month(points=()).table_of_standings == [(1, "Bo", 450), (1, "Ada", 450), (3, "Cy", -900)]


def test_the_night_not_played_is_the_one_dropped() -> None:
    assert a_month(points=(10, 7, 5), left_out=1).table_of_standings == [(1, "Bo", 20), (2, "Ada", 17), (3, "Cy", 12)]


def test_of_net_chips_the_worst_night_is_left_out() -> None:
    """Ada drops the night she lost, and keeps a 0 for the one she missed."""
    assert a_month(points=(), left_out=1).table_of_standings == [(1, "Bo", 550), (2, "Ada", 500), (3, "Cy", -500)]


def test_equal_nets_share_the_better_place() -> None:
    diary = Diary()
    diary.until("2026-12-04T20:00", people=3)
    diary.closes(Ada=100, Bo=100, Cy=-200)
    assert diary.table_of_standings == [(1, "Ada", 10), (1, "Bo", 10), (3, "Cy", 5)]


SCORES = st.dictionaries(st.integers(1, 6), st.integers(-500, 500), max_size=6)


@settings(max_examples=40, deadline=None)
@given(nights=st.lists(SCORES, min_size=1, max_size=6), left_out=st.integers(0, 4), points=st.booleans())
def test_totals_agree_with_a_plain_recount(nights: list[dict[int, int]], left_out: int, points: bool) -> None:
    table = (9, 6, 4, 2) if points else ()
    results = tuple(
        NightResult(
            number, number, number, 10, tuple([NightScore(one, str(one), net, 10) for one, net in nets.items()])
        )
        for number, nets in enumerate(nights, 1)
    )
    series = replace(Diary().series, results=results, rule=StandingsRule(table, left_out))
    lines = {line.player: line.total for line in standings(series)}
    assert lines.keys() == {player for nets in nights for player in nets}
    for player, total in lines.items():
        had: list[int] = []
        for nets in nights:
            if player not in nets:
                had.append(0)
            elif not points:
                had.append(nets[player])
            else:
                better = len([net for net in nets.values() if net > nets[player]])
                had.append([9, 6, 4, 2, 0, 0][better])
        for _ in range(min(left_out, len(had) - 1)):
            had.remove(min(had))
        assert total == sum(had)
