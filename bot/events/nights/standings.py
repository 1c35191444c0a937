"""The standings of a series: what each person has over its nights. A night that somebody did not play is a 0."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bot.events.nights.state import NightResult, NightScore, NightSeries, StandingsRule

POINTS_MAX, RANKS_MAX = 1_000, 14
LEFT_OUT_MAX = 10


class SeriesLine(Struct, frozen=True):
    """One line of the standings.

    Attributes:
        rank: from 1; people with the same total share it.
        total: points, or net chips where these count.
        nights: how many of the nights they played.
        won: how many of them they won.
    """

    rank: int
    player: int
    name: str
    total: int
    nights: int
    won: int


def ranks(scores: Sequence[NightScore]) -> dict[int, int]:
    """Return the rank of each person in a night, by their net chips; those with the same share the better one."""
    return {one.player: 1 + sum(other.net > one.net for other in scores) for one in scores}


def points_of(rule: StandingsRule, result: NightResult) -> dict[int, int]:
    """Return what each person has of one night."""
    if not rule.points:
        return {one.player: one.net for one in result.scores}
    table = rule.points
    return {player: table[rank - 1] if rank <= len(table) else 0 for player, rank in ranks(result.scores).items()}


def standings(series: NightSeries) -> tuple[SeriesLine, ...]:
    """Return the standings over all nights that were played, the best first."""
    nights = [points_of(series.rule, result) for result in series.results]
    names = {one.player: one.name for result in series.results for one in result.scores}
    winners = [[player for player, rank in ranks(one.scores).items() if rank == 1] for one in series.results]
    totals: dict[int, int] = {}
    for player in names:
        had = sorted(night.get(player, 0) for night in nights)
        totals[player] = sum(had[min(series.rule.left_out, len(had) - 1) :])
    lines = [
        SeriesLine(
            1 + sum(other > total for other in totals.values()),
            player,
            names[player],
            total,
            sum(player in night for night in nights),
            sum(player in won for won in winners),
        )
        for player, total in totals.items()
    ]
    return tuple(sorted(lines, key=lambda line: (line.rank, -line.won, -line.nights, line.name.casefold())))
