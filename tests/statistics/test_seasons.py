"""Seasons by the calendar, and the results of a season."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.statistics.seasons import Season, SeasonResult, next_boundary, season_number_at, season_results
from bot.statistics.types import RankingLine, RankingOrder

GUILD = 1


def at(text: str) -> int:
    """A time in UTC: ``2024-02-29 23:59``."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("months", "now", "boundary"),
    [
        (1, "2026-11-23 08:00", "2026-12-01"),
        (1, "2026-12-01", "2027-01-01"),
        (1, "2026-12-31 23:59:59.999", "2027-01-01"),
        (1, "2024-02-29 12:00", "2024-03-01"),
        (1, "2023-02-28 12:00", "2023-03-01"),
        (3, "2026-11-23 08:00", "2027-01-01"),
        (3, "2026-03-31 23:59", "2026-04-01"),
        (12, "2024-02-29", "2025-01-01"),
    ],
)
def test_calendar_begins_a_season_at_midnight(months: int, now: str, boundary: str) -> None:
    assert next_boundary(at(now), months) == at(boundary)


def test_a_hand_counts_for_the_season_it_ends_in() -> None:
    winter = Season(GUILD, 1, "Winter", at("2026-01-10"), ends_at=at("2026-02-10"), closed_at=at("2026-02-10"))
    spring = Season(GUILD, 2, "Spring", at("2026-03-01"))
    seasons = (winter, spring)
    assert season_number_at((), at("2026-01-10")) == 0
    assert season_number_at(seasons, at("2026-01-09 23:59:59.999")) == 0
    assert season_number_at(seasons, at("2026-01-10")) == 1
    assert season_number_at(seasons, at("2026-02-09 23:59:59.999")) == 1
    assert season_number_at(seasons, at("2026-02-10")) == 0, "between two seasons"
    assert season_number_at(seasons, at("2026-12-01")) == 2, "it has no end yet"


def test_seasons_of_the_calendar_go_on_unnoticed() -> None:
    """The bot was down over two boundaries: hands after them have their seasons already."""
    november = Season(GUILD, 7, "", at("2026-11-23"), ends_at=at("2026-12-01"), months=1)
    assert season_number_at((november,), at("2026-11-30 23:59:59.999")) == 7
    assert season_number_at((november,), at("2026-12-01")) == 8
    assert season_number_at((november,), at("2026-12-31 23:59:59.999")) == 8
    assert season_number_at((november,), at("2027-01-01")) == 9


def test_equal_numbers_share_a_rank_in_results() -> None:
    lines = [
        RankingLine(0, user, hands, net) for user, hands, net in ((4, 30, -50), (3, 25, 100), (2, 40, 100), (1, 3, 900))
    ]
    assert season_results(lines, RankingOrder.NET, 20) == (
        SeasonResult(2, 1, 40, 100), SeasonResult(3, 1, 25, 100), SeasonResult(4, 3, 30, -50), SeasonResult(1, 0, 3, 900),
    )  # fmt: skip
    by_hundred = season_results(lines, RankingOrder.NET_PER_100, 1)
    assert [result.user for result in by_hundred] == [1, 3, 2, 4]


@given(
    st.dictionaries(st.integers(1, 50), st.tuples(st.integers(0, 8), st.integers(-6, 6)), max_size=20),
    st.sampled_from(RankingOrder),
    st.integers(0, 5),
)
def test_results_agree_with_a_plain_recount(
    numbers: dict[int, tuple[int, int]], order: RankingOrder, min_hands: int
) -> None:
    def score(user: int) -> float:
        hands, net = numbers[user]
        return {RankingOrder.NET: net, RankingOrder.HANDS: hands, RankingOrder.NET_PER_100: net * 100 / max(hands, 1)}[
            order
        ]

    ranked = [user for user, (hands, _) in numbers.items() if hands >= max(1, min_hands)]
    expected = {
        user: 1 + sum(score(other) > score(user) for other in ranked) if user in ranked else 0 for user in numbers
    }
    lines = [RankingLine(0, user, hands, net) for user, (hands, net) in numbers.items()]
    results = season_results(lines, order, min_hands)
    assert {result.user: result.rank for result in results} == expected
    assert [result.rank or 1000 for result in results] == sorted(result.rank or 1000 for result in results)
