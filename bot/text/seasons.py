"""Seasons in words: what they are called, how they stand, what their end does, the hall of fame."""

from __future__ import annotations

from collections.abc import Mapping

from bot.house.seasons import SeasonChips
from bot.runtime.store_types import SeasonEndChips, SeasonResultsPage
from bot.statistics.seasons import Season, SeasonResult
from bot.statistics.types import RankingLine, RankingOrder
from bot.text import escape
from bot.text.adjustments import signed_chips
from bot.text.durations import ordinal
from bot.text.formatting import NBSP, join_and
from bot.text.language import Message, message, number, plural, t
from bot.text.people import person
from bot.text.word_table import word_table

MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}

CLOSE = message("Close the season…")
CLOSE_NOW = message("Close the season")
NOT_NOW = message("Not now")
HALL_OF_FAME = message("Hall of fame")
RESULTS = message("Results")
WHOLE_LIST = message("Everyone's place")

ORDERS: dict[RankingOrder, Message] = {
    RankingOrder.NET: message("net chips"),
    RankingOrder.NET_PER_100: message("net chips per 100 hands"),
    RankingOrder.HANDS: message("hands played"),
}
CALENDARS: dict[int, Message] = {
    1: message("a season every month"),
    3: message("a season every quarter"),
}
_OTHER_CALENDAR = plural("a season every {count} month", "a season every {count} months")
[_MONTHS] = [
    row.messages
    for row in word_table("""
        months | January | February | March | April | May | June \
            | July | August | September | October | November | December
    """)
]

_PLAIN_TITLE = message("Season {number}")
_TITLE = message("Season {number} · {name}")
_MONTH = message("{month} {year}")
_MONTHS_FROM_TO = message("{first} to {last} {year}")

NO_SEASON = message(
    "### No season is running\nStaff open one with `/season page:open`, or set a calendar with `/season page:settings`."
)
_HEADING = message("### {title}")
_SINCE = message("-# Since {since}, until staff close it")
_SINCE_UNTIL = message("-# Since {since}, ends {until}")
_RANKED_BY = plural("Ranked by **{order}**, at least {count:,} hand", "Ranked by **{order}**, at least {count:,} hands")
_TROPHY = message("The winner gets {role}.")
NOBODY_YET = message("Nobody has played enough hands yet.")
NOBODY = message("Nobody played enough hands to be ranked.")
_OWN = message("You: **{rank}** of {players:,} · {score}")
_OWN_UNRANKED = plural("You: {count:,} hand, not ranked yet", "You: {count:,} hands, not ranked yet")
_OWN_NOT_RANKED = plural("You: {count:,} hand, not ranked", "You: {count:,} hands, not ranked")
_OWN_NONE = message("You haven't played in it.")

_KEEP = message("At its end everyone keeps their chips.")
_START = message(
    "At its end everyone who played starts again with **{chips:,}** chips. Open tables close after their hand, and their chips are gone."
)
_CARRY = message(
    "At its end everyone keeps **{percent} %** of their chips. Open tables close after their hand, and the same goes for the chips on them."
)

_CLOSE_HEADING = message("### Close {title}?")
_CLOSE_TEXT = message("This is final. A hand that is still running won't count.")
_CLOSE_LEADER = message("Now in the lead: {leader}.")
_CLOSE_KEEP = message("Chips: everyone keeps theirs.")
_TABLES = plural("{count} open table", "{count} open tables")
_CLOSE_START = plural(
    "Chips: {count:,} wallet changes to **{start:,}**. **{taken:,}** chips are taken away, **{given:,}** are added.",
    "Chips: {count:,} wallets change to **{start:,}** each. **{taken:,}** chips are taken away, **{given:,}** are added.",
)
_CLOSE_CARRY = plural(
    "Chips: {count:,} wallet keeps **{percent} %**. **{taken:,}** chips are taken away.",
    "Chips: {count:,} wallets keep **{percent} %**. **{taken:,}** chips are taken away.",
)
_CLOSE_TABLES = message(
    "{tables} with **{chips:,}** chips: each closes after its hand, and those chips go by the same rule when they come back."
)

_OPENED = message("### {title} begins")
_OPENED_TEXT = plural(
    "Hands that end from now on count. Ranked by **{order}**, at least {count:,} hand.",
    "Hands that end from now on count. Ranked by **{order}**, at least {count:,} hands.",
)
_UNTIL = message("It ends {until}.")
_SOON = message("### {title} ends {when}")
_OVER = message("### 🏆 {title} is over")
_WON = message("{winners} won it.")
_WON_TOGETHER = message("{winners} won it together.")
_CHIPS_START = message("Everyone who played starts again with **{chips:,}** chips.")
_CHIPS_CARRY = message("Everyone keeps **{percent} %** of their chips.")
_RANKED = plural(
    "-# {ranked:,} ranked, at least {count:,} hand · the results are final",
    "-# {ranked:,} ranked, at least {count:,} hands · the results are final",
)
_RESULTS = message("### Results of {title}\n-# {since} to {until} · ranked by {order}")

_HALL = plural("### Hall of fame\n-# {count:,} season", "### Hall of fame\n-# {count:,} seasons")
EMPTY_HALL = message("### Hall of fame\nNo season is over yet.")
_HALL_NOBODY = message("**{title}** nobody played enough hands")
_WINNER = message("🥇{gap}{player} · {score}")

_NET_COUNTED = message("{net}, counted {counted}")
_COUNTED = message("-# What one player wins from another counts up to {chips:,} chips (BO-1).")
_SCORE = plural("{net} · {count:,} hand", "{net} · {count:,} hands")
_SCORE_PER_100 = plural("{net} per 100 · {count:,} hand", "{net} per 100 · {count:,} hands")
_SCORE_HANDS = plural("{count:,} hand · {net}", "{count:,} hands · {net}")

SETTINGS = message("### Seasons in this server")
_SETTING_CALENDAR = message("Calendar: **{calendar}**, at midnight UTC on the first")
_SETTING_NO_CALENDAR = message("Calendar: **none**. Staff open and close seasons")
_SETTING_ROLE = message("Role of the winner: {role}")
_SETTING_NO_ROLE = message("Role of the winner: none")
_SETTING_CHANNEL = message("Told in {channel}")
_SETTING_NO_CHANNEL = message("Told where a season was opened")
_SETTING_HANDS = plural(
    "To be ranked in a season, and by net per 100 hands: at least **{count:,}** hand",
    "To be ranked in a season, and by net per 100 hands: at least **{count:,}** hands",
)
ROLE_PROBLEM = message(
    "⚠️ I can't give {role} to the winner. Let me manage roles, and put my role above it: Server Settings → Roles. I'll try again by myself."
)
ROLE_GONE = message("⚠️ The role for the winner is gone. Choose another: `/season page:settings`")
CHANNEL_PROBLEM = message(
    "⚠️ I can't write in {channel}, so nobody was told. Let me send messages there, or choose another: `/season page:settings`"
)
NO_CHANNEL = message("⚠️ I know no channel to tell of seasons. Choose one: `/season page:settings`")


def season_title(number_: int, name: str = "") -> str:
    """What a season is called where only its number and name are known."""
    if name:
        return t(_TITLE, number=number_, name=escape.text(name, 60))
    return t(_PLAIN_TITLE, number=number_)


def title(season: Season) -> str:
    """What a season is called: by its name, else by the months of the calendar."""
    if season.name or not season.months:
        return season_title(season.number, season.name)
    first, last = season.first_and_last_month
    name = t(_MONTH, month=t(_MONTHS[last % 12]), year=str(last // 12))
    if first != last:
        name = t(_MONTHS_FROM_TO, first=t(_MONTHS[first % 12]), last=t(_MONTHS[last % 12]), year=str(last // 12))
    return t(_TITLE, number=season.number, name=name)


def per_100(hands: int, net: int) -> int:
    """Return net chips per 100 hands, rounded towards zero."""
    return (abs(net) * 100 // max(hands, 1)) * (1 if net >= 0 else -1)


def score(found: RankingLine | SeasonResult, order: RankingOrder) -> str:
    """What somebody did, led by what they are ranked by: ``+3,120 per 100 · 1,204 hands``.

    Where not all of it counts, what does stands beside it: ``+12,000, counted +7,000 · 1,204 hands``.
    """
    hands = found.hands
    match order:
        case RankingOrder.NET_PER_100:
            return t(
                _SCORE_PER_100, net=_with_counted(per_100(hands, found.net), per_100(hands, found.counted)), count=hands
            )
        case RankingOrder.HANDS:
            return t(_SCORE_HANDS, net=signed_chips(found.net), count=hands)
        case RankingOrder.NET:
            return t(_SCORE, net=_with_counted(found.net, found.counted), count=hands)


def _with_counted(net: int, counted: int) -> str:
    return (
        t(_NET_COUNTED, net=signed_chips(net), counted=signed_chips(counted)) if net != counted else signed_chips(net)
    )


def ranked_line(rank: int, user: int, told: str, *, own: bool, departed: Mapping[int, str] | None = None) -> str:
    """One player of a ranking: ``🥇 @Zoë · +3,120 · 1,204 hands``. Without a rank (0) they have played too few hands."""
    sign = MEDALS.get(rank, f"`{number(rank)}`") if rank else "`–`"
    return f"{sign}{NBSP}{person(user, own=own, departed=departed)} · {told}"


def result_line(
    result: SeasonResult, order: RankingOrder, *, own: bool = False, departed: Mapping[int, str] | None = None
) -> str:
    """One player of the results of a season."""
    told = score(result, order)
    return ranked_line(result.rank, result.user, told, own=own, departed=departed)


def heading(season: Season) -> str:
    """A season that runs, and from when to when."""
    since = f"<t:{season.opened_at // 1000}:D>"
    lines = [t(_HEADING, title=title(season))]
    if season.ends_at:
        lines.append(t(_SINCE_UNTIL, since=since, until=f"<t:{season.ends_at // 1000}:f>"))
    else:
        lines.append(t(_SINCE, since=since))
    return "\n".join(lines)


def ranked_by(order: RankingOrder, min_hands: int, cap: int = 0) -> str:
    """What a season is ranked by, how many hands it takes, and up to how many chips from one opponent count (BO-1); 0 for all."""
    ranked = t(_RANKED_BY, order=t(ORDERS[order]), count=min_hands)
    return f"{ranked}\n{t(_COUNTED, chips=cap)}" if cap and order is not RankingOrder.HANDS else ranked


def trophy(role: int) -> str:
    """Which role the winner gets."""
    return t(_TROPHY, role=f"<@&{role}>")


def chips_rule(rule: SeasonChips) -> str:
    """What the end of a season will do to chips."""
    if rule.keeps:
        return t(_KEEP)
    return t(_START, chips=rule.start) if rule.start else t(_CARRY, percent=rule.carried)


def own_line(own: RankingLine | SeasonResult | None, players: int, hands: int, order: RankingOrder) -> str:
    """The reader's own place in a season; None where they have played too few `hands` for one."""
    if own is not None:
        return t(_OWN, rank=ordinal(own.rank), players=players, score=score(own, order))
    return t(_OWN_UNRANKED, count=hands) if hands else t(_OWN_NONE)


def close_question(season: Season, leader: str, rule: SeasonChips, changes: SeasonEndChips) -> str:
    """What closing a season would do, in numbers."""
    lines = [t(_CLOSE_HEADING, title=title(season)), t(_CLOSE_TEXT)]
    if leader:
        lines.append(t(_CLOSE_LEADER, leader=leader))
    if rule.keeps:
        lines.append(t(_CLOSE_KEEP))
    elif rule.start:
        lines.append(t(_CLOSE_START, count=changes.wallets, start=rule.start, taken=changes.taken, given=changes.given))
    else:
        lines.append(t(_CLOSE_CARRY, count=changes.wallets, percent=rule.carried, taken=changes.taken))
    if changes.tables:
        lines.append(t(_CLOSE_TABLES, tables=t(_TABLES, count=len(changes.tables)), chips=changes.on_tables))
    return "\n".join(lines)


def opened(season: Season, rule: SeasonChips, role: int) -> str:
    """Tell everybody that a season begins."""
    lines = [
        t(_OPENED, title=title(season)),
        t(_OPENED_TEXT, order=t(ORDERS[season.ranked_by]), count=season.min_hands),
    ]
    if season.ends_at:
        lines.append(t(_UNTIL, until=f"<t:{season.ends_at // 1000}:f>"))
    if not rule.keeps:
        lines.append(chips_rule(rule))
    if role:
        lines.append(trophy(role))
    return "\n".join(lines)


def ends_soon(season: Season, rule: SeasonChips) -> str:
    """Tell everybody a day before that a season ends, where their chips will change."""
    when = f"<t:{season.ends_at // 1000}:R>"
    return "\n".join([t(_SOON, title=title(season), when=when), chips_rule(rule)])


def over(season: Season, winners: tuple[int, ...], departed: Mapping[int, str] | None = None) -> str:
    """Tell everybody that a season is over, and who won it."""
    lines = [t(_OVER, title=title(season))]
    if winners:
        named = join_and([person(user, departed=departed) for user in winners[:10]])
        lines.append(t(_WON_TOGETHER if len(winners) > 1 else _WON, winners=named))
    return "\n".join(lines)


def chips_done(rule: SeasonChips) -> str:
    """What the end of a season has done to chips; empty for nothing."""
    if rule.keeps:
        return ""
    return t(_CHIPS_START, chips=rule.start) if rule.start else t(_CHIPS_CARRY, percent=rule.carried)


def ranked_count(ranked: int, min_hands: int) -> str:
    """How many were ranked."""
    return t(_RANKED, ranked=ranked, count=min_hands)


def results_heading(season: Season) -> str:
    """The head of the results of a season."""
    since, until = f"<t:{season.opened_at // 1000}:D>", f"<t:{season.ends_at // 1000}:D>"
    return t(_RESULTS, title=title(season), since=since, until=until, order=t(ORDERS[season.ranked_by]))


def own_result(found: SeasonResultsPage, order: RankingOrder) -> str:
    """The reader's own line in the results of a season."""
    own = found.own
    if own is not None and own.hands and not own.rank:
        return t(_OWN_NOT_RANKED, count=own.hands)
    return own_line(own if own is not None and own.rank else None, found.players, 0, order)


def hall_heading(count: int) -> str:
    """The head of the hall of fame."""
    return t(_HALL, count=count) if count else t(EMPTY_HALL)


def hall_line(season: Season, winners: tuple[SeasonResult, ...], departed: Mapping[int, str] | None = None) -> str:
    """A season of the hall of fame: its title, and below it everybody who won it."""
    if not winners:
        return t(_HALL_NOBODY, title=title(season))
    lines = [f"**{title(season)}**"]
    for result in winners[:5]:
        told = score(result, season.ranked_by)
        lines.append(t(_WINNER, gap=NBSP, player=person(result.user, departed=departed), score=told))
    return "\n".join(lines)


def settings(months: int, rule: SeasonChips, role: int, channel: int, min_hands: int) -> str:
    """The house rules for seasons."""
    calendar = t(CALENDARS[months]) if months in CALENDARS else t(_OTHER_CALENDAR, count=months)
    return "\n".join(
        [
            t(SETTINGS),
            t(_SETTING_CALENDAR, calendar=calendar) if months else t(_SETTING_NO_CALENDAR),
            chips_rule(rule),
            t(_SETTING_HANDS, count=min_hands),
            t(_SETTING_ROLE, role=f"<@&{role}>") if role else t(_SETTING_NO_ROLE),
            t(_SETTING_CHANNEL, channel=f"<#{channel}>") if channel else t(_SETTING_NO_CHANNEL),
        ]
    )
