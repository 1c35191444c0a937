"""Seasons: which one a time falls into, and when the calendar begins the next. Times are ms since the epoch, and months are in UTC."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import attrgetter, itemgetter

from msgspec import Struct

from bot.statistics.periods import first_of, month_of
from bot.statistics.types import RankingLine, RankingOrder


class Season(Struct, frozen=True, gc=False):
    """A season of a server. A hand counts for the season in which it ends.

    Attributes:
        number: counted from 1 in each server.
        name: as staff wrote it; empty for one that the calendar opened.
        opened_at, ends_at: hands that end from the one time on and before the other are in it; `ends_at` is 0 while nobody knows it.
        months: at `ends_at` another season begins by the calendar, and one more every so many months; 0 for no calendar.
        ranked_by: what its results are ordered by.
        min_hands: who has played fewer has no rank.
        channel: where it was opened; 0 for nowhere.
        closed_at: when its results were written down for good; 0 before that.
    """

    guild: int
    number: int
    name: str
    opened_at: int
    ends_at: int = 0
    months: int = 0
    ranked_by: RankingOrder = RankingOrder.NET
    min_hands: int = 1
    channel: int = 0
    closed_at: int = 0

    @property
    def first_and_last_month(self) -> tuple[int, int]:
        """The months that it begins and ends in, as `month_of` counts them."""
        return month_of(self.opened_at), month_of(max(self.ends_at - 1, self.opened_at))


class SeasonResult(Struct, frozen=True, gc=False):
    """What somebody did in a season that is over. Equal numbers share a rank; it is 0 for who has played too few hands.

    Attributes:
        uncounted: so much of `net` did not count for the rank, because too much came from one opponent (BO-1).
    """

    user: int
    rank: int
    hands: int
    net: int
    uncounted: int = 0

    @property
    def counted(self) -> int:
        """The net chips that the rank went by."""
        return self.net - self.uncounted


def season_number_at(seasons: Sequence[Season], at: int) -> int:
    """Return the number of the season that a hand is in that ends at this time; 0 for none.

    A season that the calendar begins has its number before anybody has noticed that it has begun, because nothing comes between.

    Args:
        seasons: all of a server, oldest first.
    """
    for season in reversed(seasons):
        if at < season.opened_at:
            continue
        if not season.ends_at or at < season.ends_at:
            return season.number
        if season.months and season is seasons[-1]:
            return season.number + _seasons_begun(season, at)
        return 0
    return 0


def _seasons_begun(last: Season, at: int) -> int:
    """Return how many seasons the calendar has begun after this one, up to a time."""
    begun, ends_at = 1, next_boundary(last.ends_at, last.months)
    while ends_at <= at:
        begun, ends_at = begun + 1, next_boundary(ends_at, last.months)
    return begun


def next_boundary(at: int, months: int) -> int:
    """Return the first midnight after a time with which the calendar begins a season: that of a month, of a quarter, and so on."""
    return first_of(month_of(at) // months * months + months)


def season_results(lines: Iterable[RankingLine], ranked_by: RankingOrder, min_hands: int) -> tuple[SeasonResult, ...]:
    """Return the results of a season from the numbers of everybody who has played in it, the best first and the unranked last.

    Equal numbers share a rank, and the next rank counts them: 1, 1, 3.
    """
    everybody, least = sorted(lines, key=attrgetter("user")), max(min_hands, 1)
    ranked = [(_ranking_key(line, ranked_by), line) for line in everybody if line.hands >= least]
    ranked.sort(key=itemgetter(0), reverse=True)
    results: list[SeasonResult] = []
    for at, (key, line) in enumerate(ranked):
        is_tied = at > 0 and key == ranked[at - 1][0]
        results.append(_result(line, results[-1].rank if is_tied else at + 1))
    results += [_result(line, 0) for line in everybody if line.hands < least]
    return tuple(results)


def _result(line: RankingLine, rank: int) -> SeasonResult:
    return SeasonResult(line.user, rank, line.hands, line.net, line.uncounted)


def _ranking_key(line: RankingLine, order: RankingOrder) -> int | Fraction:
    """Return what is compared, exactly: more is better."""
    match order:
        case RankingOrder.NET:
            return line.counted
        case RankingOrder.HANDS:
            return line.hands
        case RankingOrder.NET_PER_100:
            return Fraction(line.counted, line.hands)


def season_spans(seasons: Sequence[Season], until: int) -> tuple[tuple[int, int, int], ...]:
    """Return number, begin and end of each season that has begun at a time, also of those that the calendar has begun since. The end is
    not included; it is 0 where nobody knows it.

    Args:
        seasons: all of a server, oldest first.
    """
    spans = [(season.number, season.opened_at, season.ends_at) for season in seasons]
    if seasons and seasons[-1].months and seasons[-1].ends_at:
        number, begins_at, months = seasons[-1].number, seasons[-1].ends_at, seasons[-1].months
        while begins_at <= until:
            number, ends_at = number + 1, next_boundary(begins_at, months)
            spans.append((number, begins_at, ends_at))
            begins_at = ends_at
    return tuple(spans)
