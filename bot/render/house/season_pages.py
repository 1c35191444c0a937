"""Draw seasons: the one that runs, the question before one is closed, results, the hall of fame, what everybody is told."""

from collections.abc import Mapping

from bot.house.rules import HouseRules
from bot.house.seasons import SeasonChips
from bot.render.house.leaderboards import Board
from bot.render.house.rule_controls import rule_controls
from bot.render.message.custom_ids import page_id
from bot.render.message.page_turns import page_turns
from bot.render.message.panel import (
    BLURPLE,
    GREY,
    RANKINGS,
    RED,
    RESULT,
    WAITING,
    Block,
    Button,
    Buttons,
    Panel,
    Picture,
    Separator,
    Text,
)
from bot.runtime.store_types import SeasonEndChips, SeasonHall, SeasonResultsPage
from bot.statistics.seasons import Season
from bot.statistics.types import PeriodKind, RankedPlayers
from bot.text import buttons as labels
from bot.text import seasons as words
from bot.text.language import t

RESULT_LINES = 10
HALL_LINES = 6
LEADERS = 5
NOBODY_DEPARTED: Mapping[int, str] = {}


def standing_panel(
    season: Season | None,
    leaders: RankedPlayers,
    rules: HouseRules,
    *,
    user: int,
    is_over: bool,
    staff: bool,
    problem: str = "",
    departed: Mapping[int, str] = NOBODY_DEPARTED,
) -> Panel:
    """Return the season that runs, who leads, and what its end will do.

    Args:
        is_over: there are results of an earlier season.
        staff: the reader is staff: they can close it, and read what is wrong.
    """
    below = [Button(t(words.HALL_OF_FAME), page_id("season", "hall", 1), GREY)] if is_over else []
    problems: list[Block] = [Text(problem)] if problem and staff else []
    if season is None:
        empty: list[Block] = [Text(t(words.NO_SEASON)), *problems]
        return Panel(RANKINGS, (*empty, Buttons(tuple(below))) if below else tuple(empty))
    order = season.ranked_by
    lines = [words.heading(season), words.ranked_by(order, season.min_hands, rules.counted_cap)]
    lines += [
        words.ranked_line(line.rank, line.user, words.score(line, order), own=line.user == user, departed=departed)
        for line in leaders.lines
    ] or [t(words.NOBODY_YET)]
    own_text = words.own_line(leaders.own, leaders.players, leaders.own_hands, order)
    end = [own_text, words.chips_rule(rules.season_chips)]
    if rules.season_role:
        end.append(words.trophy(rules.season_role))
    below.insert(
        0, Button(t(words.WHOLE_LIST), page_id("board", "page", 1, Board(order, PeriodKind.SEASON).code), BLURPLE)
    )
    if staff:
        below.append(Button(t(words.CLOSE), page_id("season", "close", season.number), GREY))
    return Panel(
        RANKINGS, (Text("\n".join(lines)), Separator(), Text("\n".join(end)), *problems, Buttons(tuple(below)))
    )


def close_question_panel(season: Season, leaders: RankedPlayers, rule: SeasonChips, changes: SeasonEndChips) -> Panel:
    """Ask staff whether a season shall be closed, with the numbers."""
    line = leaders.lines[0] if leaders.lines else None
    leader = ""
    if line is not None:
        told = words.score(line, season.ranked_by)
        leader = words.ranked_line(line.rank, line.user, told, own=False)
    buttons = (
        Button(t(words.CLOSE_NOW), page_id("season", "closenow", season.number), RED),
        Button(t(words.NOT_NOW), page_id("season", "status"), GREY),
    )
    return Panel(WAITING, (Text(words.close_question(season, leader, rule, changes)), Buttons(buttons)))


def closed_panel(season: Season) -> Panel:
    """Return the answer to staff who closed a season."""
    return Panel(RESULT, (Text(words.over(season, ())), Buttons(_ways_on(season.number))))


def opened_panel(season: Season, rules: HouseRules) -> Panel:
    """Tell that a season begins."""
    return Panel(RANKINGS, (Text(words.opened(season, rules.season_chips, rules.season_role)),))


def ends_soon_panel(season: Season, rule: SeasonChips) -> Panel:
    """Tell that a season ends soon, and what becomes of chips."""
    return Panel(RANKINGS, (Text(words.ends_soon(season, rule)),))


def over_panel(
    season: Season,
    found: SeasonResultsPage,
    winners: tuple[int, ...],
    ranked: int,
    rule: SeasonChips,
    *,
    departed: Mapping[int, str] = NOBODY_DEPARTED,
    picture: Picture | None = None,
) -> Panel:
    """Tell everybody that a season is over: its winners, its first ten, what has become of chips."""
    lines = [words.result_line(result, season.ranked_by, departed=departed) for result in found.results if result.rank]
    head = words.over(season, winners, departed)
    below = [part for part in (words.chips_done(rule), words.ranked_count(ranked, season.min_hands)) if part]
    blocks: list[Block] = [Text(head)]
    if picture is not None:
        blocks.append(picture)
    blocks.append(Text("\n".join([*(lines or [t(words.NOBODY)]), *below])))
    return Panel(RANKINGS, (*blocks, Buttons(_ways_on(season.number))))


def results_panel(
    season: Season,
    found: SeasonResultsPage,
    page: int,
    *,
    user: int,
    shared: bool = False,
    departed: Mapping[int, str] = NOBODY_DEPARTED,
    picture: Picture | None = None,
) -> Panel:
    """Return a page of the results of a season that is over; pages count from 1."""
    lines = [
        words.result_line(result, season.ranked_by, own=result.user == user and not shared, departed=departed)
        for result in found.results
    ] or [t(words.NOBODY)]
    blocks: list[Block] = [Text("\n".join([words.results_heading(season), *lines]))]
    if picture is not None:
        blocks = [Text(words.results_heading(season)), picture, Text("\n".join(lines))]
    if not shared:
        blocks += [Separator(), Text(words.own_result(found, season.ranked_by))]
    pages = max(1, -(-found.players // RESULT_LINES))
    kind = "sresults" if shared else "results"
    buttons = _page_buttons(kind, page, pages, season.number)
    if not shared:
        buttons += (Button(t(labels.SHOW_HERE), page_id("season", "showresults", page, season.number), GREY),)
        buttons += (Button(t(words.HALL_OF_FAME), page_id("season", "hall", 1), GREY),)
    return Panel(RANKINGS, (*blocks, Buttons(buttons)))


def hall_panel(
    hall: SeasonHall, page: int, *, shared: bool = False, departed: Mapping[int, str] = NOBODY_DEPARTED
) -> Panel:
    """Return a page of the hall of fame, newest season first; pages count from 1."""
    lines = [words.hall_heading(hall.seasons)]
    lines += [words.hall_line(season, winners, departed) for season, winners, _ in hall.lines]
    if not hall.seasons:
        return Panel(RANKINGS, (Text("\n".join(lines)),))
    pages = max(1, -(-hall.seasons // HALL_LINES))
    buttons = _page_buttons("shall" if shared else "hall", page, pages)
    if not shared:
        buttons += (Button(t(labels.SHOW_HERE), page_id("season", "showhall", page), GREY),)
        if hall.lines:
            number = hall.lines[0][0].number
            buttons += (Button(t(words.RESULTS), page_id("season", "results", 1, number), GREY),)
    return Panel(RANKINGS, (Text("\n".join(lines)), Buttons(buttons)))


def settings_panel(rules: HouseRules, problem: str = "") -> Panel:
    """Return the house rules for seasons."""
    text = words.settings(
        rules.season_months, rules.season_chips, rules.season_role, rules.season_channel, rules.ranking_hands
    )
    controls = rule_controls("season.settings", rules)
    return Panel(RESULT, (Text(f"{text}\n{problem}" if problem else text), *controls))


def _ways_on(number: int) -> tuple[Button, ...]:
    return (
        Button(t(words.RESULTS), page_id("season", "openresults", 1, number), GREY),
        Button(t(words.HALL_OF_FAME), page_id("season", "openhall", 1), GREY),
    )


def _page_buttons(kind: str, page: int, pages: int, *words_: int) -> tuple[Button, ...]:
    letters = {"prev": "p", "now": "x", "next": "n"}
    return page_turns(page, pages, lambda turn, to: page_id("season", kind + letters[turn], to, *words_))
