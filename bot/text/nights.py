"""Game nights in words: the post, what is told in the channel, the standings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from bot.engine.ranking import HandName
from bot.events.nights.schedule import Recurrence
from bot.events.nights.standings import SeriesLine
from bot.events.nights.state import Answered, Night, NightAnswer, NightLine, NightLineKind, NightSeries, StandingsRule
from bot.table.settings import TableSettings
from bot.text import escape
from bot.text.adjustments import signed_chips
from bot.text.durations import duration
from bot.text.formatting import join_and, join_list
from bot.text.game_names import game_name
from bot.text.game_words import share_name
from bot.text.greeting import PERMISSIONS, THREAD_PERMISSIONS
from bot.text.hand_names import hand_name
from bot.text.language import Message, message, plural, t
from bot.text.lobby import BUY_IN, EVERYBODY_STARTS, table_stakes
from bot.text.mixed_games import game_change, game_change_code, game_or_mixture_name, games_text
from bot.text.people import is_former, person

# buttons and forms

IM_IN = message("I'm in")
MAYBE = message("Maybe")
CANT = message("Can't")
GO_TO_TABLE = message("Go to the table")
GO_ON = message("Yes, go on")
END_NIGHTS = message("No, end the nights")
STANDINGS = message("Standings")
SKIP = message("Skip this night")
MOVE = message("Move this night…")
NEW_DATES = message("Change all dates…")
SETTINGS = message("Settings…")
HAND_OVER = message("Hand over to…")
CHANGE_STANDINGS = message("How standings count…")
CANCEL = message("Cancel the nights")
CANCEL_NOW = message("Cancel all nights of it")
CHOOSE_SERIES = message("Choose a series of nights…")
PLAN = message("Plan a game night")
FORM_GAME = message("Game")
FORM_WHEN = message("Day and hour")
FORM_WHEN_HINT = message("As Friday 20:00, 4 Dec 20:00 or tomorrow 8pm")
FORM_WHEN_HINT_IN = message("In {zone} time, as Friday 20:00 or 4 Dec 20:00")
FORM_EVERY = message("Again")
FORM_CHIPS = message("Chips")
FORM_ZONE = message("Time zone of this server")
FORM_ZONE_HINT = message("A city or a zone: Berlin, New York, Europe/London")
FORM_LENGTH = message("How long")
FORM_NAME = message("Name")
FORM_SEATS = message("Seats")
FORM_PLAYERS = message("How many people it takes to begin")
FORM_BREAK = message("Break")
FORM_POINTS = message("What counts")
FORM_POINTS_HINT = message("The points of each rank, as 10/7/5/3/1; or net, for the chips won")
FORM_LEFT_OUT = message("Nights left out")
FORM_LEFT_OUT_HINT = message("How many of everybody's worst nights don't count, 0 to 10")
SERVER_CHIPS = message("Server chips, of people's wallets")
TABLE_CHIPS = message("Table chips: everybody starts with the same")
RECURRENCES: dict[Recurrence, Message] = {
    Recurrence.ONCE: message("once"),
    Recurrence.WEEKLY: message("every week"),
    Recurrence.FORTNIGHTLY: message("every two weeks"),
    Recurrence.MONTHLY: message("every month"),
}
NO_END = message("As long as people play")
HANDS = plural("{count:,} hand", "{count:,} hands")
HOURS = message("{duration} from the start")
NO_BREAK = message("No break")
BREAK = message("{minutes} min, {after} after the first hand")

# the post

_HEADING = message("### {name}")
_WHEN = message("{date} ({relative})")
_WHEN_AGAIN = message("{date} ({relative}) · {every}")
_HOST = message("Hosted by {host}")
_GAME = message("-# Game\n{game}")
_CHANGES = message("-# Changes {change}")
_BEST_HAND = message("-# Best hand: {hand}")
_BEST = message("-# Best {what}: {hand}")
_STAKES = message("-# Stakes\n{stakes}")
_ENDS_AFTER = message("-# Ends {end}")
_END_HANDS = plural("after {count:,} hand", "after {count:,} hands")
_END_AT = message("at {time}")
_SEATS = message("**Seats {taken} of {seats}**\n{names}")
_NOBODY = message("Nobody yet")
_MAYBE_LINE = message("-# Maybe: {names}")
_CANT_LINE = message("-# Can't: {names}")
_WAITING_LINE = message("-# Waiting list: {names}")
_AND_MORE = plural("and {count} more", "and {count} more")
_NOBODY_WAITS = plural(
    "-# Waiting list: nobody, {count} seat is free", "-# Waiting list: nobody, {count} seats are free"
)
_NOBODY_WAITS_FULL = message("-# Waiting list: nobody")
_OPENS = message("-# The table opens by itself at {time}. The first hand is dealt once {players} people sit there.")
_IS_OPEN = message("-# The table is open. Seats are held until {time}.")
_IS_PLAYED = message("-# The night is being played.")
_ASKED = message("{host}, nobody came to the last two nights. Do you want another one, {when}?")
_ASKED_SMALL = message("-# Without an answer these nights end then.")
POST_OVER = message("-# {name}: this night is over. The next one has a post of its own.")
POST_ENDED = message("### {name}\nThere are no more of these nights. `/night` plans new ones.")

# private answers

_ENDED_WITH_CHANNEL = message(
    "The channel of **{name}** is gone, so there are no more of these nights. `/night` plans new ones."
)
_PLANNED = message("**{name}** is planned for {when}. Its post is in {channel}, and the table opens by itself.")
_PLANNED_LATER = message(
    "On that day the clock is put forward, and there is no {typed}: the night begins as much later."
)
_ALSO_IN = message("You're also in for **{name}** at that hour, {when}.")
_ALSO_IN_ELSEWHERE = message("You're also in for **{name}** in another server at that hour, {when}.")
NO_NIGHTS = message("### Game nights\nNone is planned here. `/night when:` plans one.")
_LIST_HEADING = message("### Game nights")
_LIST_LINE = message("**{name}** · {when} · {every} · hosted by {host}")
DONE: dict[str, Message] = {
    "skip": message("The next night is skipped."),
    "cancel": message("There are no more of these nights."),
    "points": message("The standings count like that from now on."),
    "settings": message("The nights are played like that from now on."),
}
_MOVED = message("The night begins {when} now.")
_NEW_DATES = message("The nights begin {when} now, {every}.")
_HOSTED = message("{host} hosts these nights now.")
_CANCEL_QUESTION = message("Cancel **{name}**? No more of its nights take place.")
ASK_HOST = message("Who hosts these nights from now on?")

# what is told in the channel

_LINES: dict[NightLineKind, Message] = {
    NightLineKind.DAY_REMINDER: message("{people} · **{name}** is on {when} ({relative})."),
    NightLineKind.HOUR_REMINDER: message("{people} · **{name}** begins at {hour} ({relative})."),
    NightLineKind.TABLE_OPEN: message("{people} · The table of **{name}** is open: {table}."),
    NightLineKind.TABLE_OPEN_LATE: message("{people} · The table of **{name}** opens late: {table}."),
    NightLineKind.SEAT_FREE: message("{people} · A seat of **{name}** is free, and it's yours: {when}."),
    NightLineKind.TOO_FEW: message("{people} · Too few came to **{name}**, so it doesn't take place."),
    NightLineKind.TOO_LATE: message("{people} · I was away at the time of **{name}**, so it doesn't take place."),
    NightLineKind.NO_TABLE: message("{people} · I couldn't open a table for **{name}**, so it doesn't take place."),
    NightLineKind.MOVED: message("{people} · **{name}** is moved to {when}."),
    NightLineKind.NEW_DATES: message("{people} · **{name}** has another day and hour: {when}, {every}."),
    NightLineKind.SKIPPED: message("{people} · **{name}** of {when} doesn't take place."),
    NightLineKind.CANCELLED: message("{people} · There are no more nights of **{name}**."),
    NightLineKind.HOST_ASKED: message("{people} · Do you want **{name}** to go on? Please answer at its post."),
    NightLineKind.NEW_HOST: message("{people} · You host **{name}** now."),
    NightLineKind.NEW_CHANNEL: message(
        "{people} · The channel of **{name}** is gone. Its nights are here from now on."
    ),
    NightLineKind.EVENT_GONE: message(
        "{people} · The event of **{name}** is gone from the list of this server. The night takes place all the same: {when}."
    ),
    NightLineKind.ENDED_UNANSWERED: message("{people} · Nobody came twice and nobody answered, so **{name}** ends."),
    NightLineKind.ENDED_WITHOUT_HOST: message("{people} · **{name}** has no host any more, so it ends."),
    NightLineKind.ENDED_WITH_CHANNEL: _ENDED_WITH_CHANNEL,
}
_LINES_ALONE: dict[NightLineKind, Message] = {
    NightLineKind.TABLE_OPEN: message("The table of **{name}** is open: {table}."),
    NightLineKind.TABLE_OPEN_LATE: message("The table of **{name}** opens late: {table}."),
    NightLineKind.TOO_FEW: message("Too few came to **{name}**, so it doesn't take place."),
    NightLineKind.TOO_LATE: message("I was away at the time of **{name}**, so it doesn't take place."),
    NightLineKind.NO_TABLE: message("I couldn't open a table for **{name}**, so it doesn't take place."),
    NightLineKind.MOVED: message("**{name}** is moved to {when}."),
    NightLineKind.NEW_DATES: message("**{name}** has another day and hour: {when}, {every}."),
    NightLineKind.SKIPPED: message("**{name}** of {when} doesn't take place."),
    NightLineKind.CANCELLED: message("There are no more nights of **{name}**."),
    NightLineKind.NEW_CHANNEL: message("The channel of **{name}** is gone. Its nights are here from now on."),
    NightLineKind.ENDED_WITHOUT_HOST: message("**{name}** has no host any more, so it ends."),
}
"""The same where nobody is in."""
_NO_TABLE_WITHOUT = message(
    "{people} · I couldn't open a table for **{name}** without {permissions} in this channel, so it doesn't take place."
)
_NO_TABLE_WITHOUT_ALONE = message(
    "I couldn't open a table for **{name}** without {permissions} in this channel, so it doesn't take place."
)

_PERMISSIONS = {**PERMISSIONS, **THREAD_PERMISSIONS}
_TABLE_LINK = message("[{label}]({link})")
_EVENT = message("{game} · hosted by {host}. Say whether you come in the channel: “Interested” counts as Maybe.")

# standings

_STANDINGS = plural("### {name} · {count:,} night", "### {name} · {count:,} nights")
_NO_STANDINGS = message("### {name}\nNo night has been played yet.")
_LINE = message("`{rank}` {player} **{total}** · {nights}")
_LINE_WON = message("`{rank}` {player} **{total}** · {nights} · {won} won")
_NIGHTS = plural("{count:,} night", "{count:,} nights")
_RULE_POINTS = message("-# Points by rank: {points}")
_RULE_NET = message("-# Chips won and lost")
_RULE_LEFT_OUT = plural("-# Everybody's worst night doesn't count", "-# Everybody's {count} worst nights don't count")

NAMES_LISTED, LINES_LISTED, NAME_MAX = 20, 20, 60
NAMES_LENGTH = 640
"""Characters of the names in one list: a post has four lists."""
PEOPLE_NAMED = 40
"""More people are not named in one line: the message has no room for them."""


def moment(at: int) -> str:
    """A date with its hour, as each reader's client shows it. `at` is in ms since the epoch."""
    return f"<t:{at // 1000}:f>"


def day_and_hour(at: int) -> str:
    """The same with the day of the week."""
    return f"<t:{at // 1000}:F>"


def hour(at: int) -> str:
    """The hour alone."""
    return f"<t:{at // 1000}:t>"


def relative(at: int) -> str:
    """How long until then, counted by each reader's client."""
    return f"<t:{at // 1000}:R>"


def series_name(name: str) -> str:
    """The name of a series, safe for markdown."""
    return escape.text(name, NAME_MAX)


def heading(series: NightSeries, night: Night) -> str:
    """What the night is called, when it is, and who hosts it."""
    recurrence, at = series.schedule.recurrence, night.starts_at
    words: Message = _WHEN if recurrence is Recurrence.ONCE else _WHEN_AGAIN
    when = t(words, date=day_and_hour(at), relative=relative(at), every=t(RECURRENCES[recurrence]))
    host = t(_HOST, host=person(series.host))
    return "\n".join((t(_HEADING, name=series_name(series.terms.name)), when, host))


def best_hand(game: str, share: str, hand: HandName) -> str:
    """``Best hand: 5-4-3-2-A``. In words: cards in a message are those that somebody holds.

    Args:
        game: which game it is of, where several are played; else empty.
        share: of the pot that it wins; empty for all of it.
    """
    if game or share:
        return t(_BEST, what=game_name(game) if game else share_name(share), hand=hand_name(hand))
    return t(_BEST_HAND, hand=hand_name(hand))


def game_lines(series: NightSeries, night: Night, best: str = "") -> str:
    """What is played, for what, and until when. `best`: the line about the best hand of the game."""
    settings, terms = series.terms.settings, series.terms
    lines = [t(_GAME, game=_games(settings))]
    if settings.rotation is not None:
        lines.append(t(_CHANGES, change=game_change(game_change_code(settings.rotation))))
    lines += [best] if best else []
    lines.append(t(_STAKES, stakes=_stakes(settings)))
    ends = [t(_END_HANDS, count=terms.hands)] if terms.hands else []
    ends += [t(_END_AT, time=hour(night.starts_at + terms.minutes * 60_000))] if terms.minutes else []
    if ends:
        lines.append(t(_ENDS_AFTER, end=join_and(ends)))
    return "\n".join(lines)


def _games(settings: TableSettings) -> str:
    if settings.rotation is None:
        return escape.text(game_or_mixture_name(settings), 100)
    return games_text(settings.rotation)


def _stakes(settings: TableSettings) -> str:
    stakes = f"**{table_stakes(settings)}**"
    if settings.has_table_chips:
        return f"{stakes} · {t(EVERYBODY_STARTS, chips=settings.starting_stack or settings.usual_buyin)}"
    return f"{stakes} · {t(BUY_IN, minimum=settings.min_buyin, maximum=settings.max_buyin)}"


def seats_lines(series: NightSeries, night: Night) -> str:
    """Who comes, who may, who waits for a seat."""
    seated, waiting = series.seated(), series.waiting()
    free = series.terms.seats - len(seated)
    names = _names(seated) or t(_NOBODY)
    lines = [t(_SEATS, taken=len(seated), seats=series.terms.seats, names=names)]
    for answer, words in ((NightAnswer.MAYBE, _MAYBE_LINE), (NightAnswer.CANT, _CANT_LINE)):
        if said := night.said(answer):
            lines.append(t(words, names=_names(said)))
    if waiting:
        lines.append(t(_WAITING_LINE, names=_names(waiting)))
    else:
        lines.append(t(_NOBODY_WAITS, count=free) if free else t(_NOBODY_WAITS_FULL))
    return "\n".join(lines)


def _names(people: Sequence[Answered]) -> str:
    shown = [_name(one) for one in people[:NAMES_LISTED]]
    while sum(map(len, shown)) > NAMES_LENGTH:
        shown.pop()
    more = len(people) - len(shown)
    return join_list([*shown, *([t(_AND_MORE, count=more)] if more else [])])


def _name(one: Answered) -> str:
    """Return what somebody is called; as Discord shows them where their name could not be looked up."""
    return escape.name(one.name) if one.name or is_former(one.player) else person(one.player)


def opens(series: NightSeries, night: Night) -> str:
    """That the table opens by itself."""
    return t(_OPENS, time=hour(night.opens_at), players=series.terms.players_min)


def is_open(night: Night) -> str:
    """That the table is open, or that a hand has been dealt there."""
    return t(_IS_PLAYED) if night.dealt_at else t(_IS_OPEN, time=hour(night.held_until))


def question(series: NightSeries, night: Night) -> str:
    """Ask the host whether there is another night."""
    asked = t(_ASKED, host=person(series.host), when=day_and_hour(night.starts_at))
    return f"{asked}\n{t(_ASKED_SMALL)}"


def post_over(name: str) -> str:
    """What is left of the post of a night that is over."""
    return t(POST_OVER, name=series_name(name))


def post_ended(name: str) -> str:
    """What is left of the last post of a series."""
    return t(POST_ENDED, name=series_name(name))


def planned(series: NightSeries, night: Night, *, skipped_hour: str = "") -> str:
    """The private answer to whoever has planned nights. `skipped_hour`: the hour they typed, where the clock leaves it out that day."""
    name, channel = series_name(series.terms.name), f"<#{series.channel}>"
    text = t(_PLANNED, name=name, when=day_and_hour(night.starts_at), channel=channel)
    return f"{text}\n{t(_PLANNED_LATER, typed=skipped_hour)}" if skipped_hour else text


def listed(all_series: Sequence[NightSeries]) -> str:
    """The nights that are planned in a server."""
    lines = [t(_LIST_HEADING)]
    for series in all_series[:LINES_LISTED]:
        if series.night is not None:
            every, when = t(RECURRENCES[series.schedule.recurrence]), moment(series.night.starts_at)
            name, host = series_name(series.terms.name), person(series.host)
            lines.append(t(_LIST_LINE, name=name, when=when, every=every, host=host))
    return "\n".join(lines) if len(lines) > 1 else t(NO_NIGHTS)


def done(what: str, series: NightSeries, *, skipped_hour: str = "") -> str:
    """The private answer to a host who has changed something. `skipped_hour`: as in `planned`."""
    text = _done(what, series)
    return f"{text}\n{t(_PLANNED_LATER, typed=skipped_hour)}" if skipped_hour else text


def _done(what: str, series: NightSeries) -> str:
    night = series.night
    if what == "move" and night is not None:
        return t(_MOVED, when=day_and_hour(night.starts_at))
    if what == "dates":
        schedule = series.schedule
        return t(_NEW_DATES, when=day_and_hour(schedule.at(schedule.first)), every=t(RECURRENCES[schedule.recurrence]))
    return t(_HOSTED, host=person(series.host)) if what == "hand" else t(DONE[what])


def cancel_question(series: NightSeries) -> str:
    """Ask whether all nights of a series are to be cancelled."""
    return t(_CANCEL_QUESTION, name=series_name(series.terms.name))


def line_text(series: NightSeries, line: NightLine, table: str = "") -> str:
    """What is told in the channel. `table`: where the table is, as a link."""
    known = [user for user in line.people if not is_former(user)]
    people = [f"<@{user}>" for user in known[:PEOPLE_NAMED]]
    if more := len(known) - len(people):
        people.append(t(_AND_MORE, count=more))
    words = _LINES[line.kind] if people else _LINES_ALONE.get(line.kind, _LINES[line.kind])
    if line.lacks:
        words = _NO_TABLE_WITHOUT if people else _NO_TABLE_WITHOUT_ALONE
    return t(
        words,
        people=join_list(people),
        name=series_name(series.terms.name),
        when=day_and_hour(line.starts_at),
        every=t(RECURRENCES[series.schedule.recurrence]),
        hour=hour(line.starts_at),
        relative=relative(line.starts_at),
        table=table,
        permissions=join_and([f"**{t(_PERMISSIONS[name])}**" for name in line.lacks]),
    )


def also_in(name: str, starts_at: int, *, elsewhere: bool) -> str:
    """Tell somebody what else they are in for at that hour; `elsewhere`: in another server."""
    words = _ALSO_IN_ELSEWHERE if elsewhere else _ALSO_IN
    return t(words, name=series_name(name), when=day_and_hour(starts_at))


def own_nights_text(nights: Iterable[tuple[str, int]]) -> str:
    """Write down which nights somebody is in for, and when they begin, as UTC dates."""
    dates = [(name, datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")) for name, at in nights]
    return ", ".join([f"{name} {date} UTC" for name, date in dates])


def table_link(link: str, channel: int) -> str:
    """Lead to a table: to its message, or to its channel where there is no link to that."""
    return t(_TABLE_LINK, label=t(GO_TO_TABLE), link=link) if link else f"<#{channel}>"


def event_description(series: NightSeries, night: Night) -> str:
    """What Discord's own event says below its name. It reads no mentions and no small print."""
    return t(_EVENT, game=game_or_mixture_name(series.terms.settings), host=series.host_name)


def recurrence_name(recurrence: Recurrence) -> str:
    """How nights recur."""
    return t(RECURRENCES[recurrence])


def length(hands: int, minutes: int) -> str:
    """How long a night is, as the form offers it."""
    if hands:
        return t(HANDS, count=hands)
    return t(HOURS, duration=duration(minutes * 60)) if minutes else t(NO_END)


def break_length(after: int, minutes: int) -> str:
    """When a night takes its break, as the form offers it: of so many minutes, so many after the first hand; 0 for none."""
    return t(BREAK, minutes=minutes, after=duration(after * 60)) if after and minutes else t(NO_BREAK)


def standings_text(series: NightSeries, lines: Sequence[SeriesLine]) -> str:
    """The standings of a series, and how they are counted."""
    name = series_name(series.terms.name)
    if not lines:
        return t(_NO_STANDINGS, name=name)
    text = [t(_STANDINGS, name=name, count=len(series.results))]
    for line in lines[:LINES_LISTED]:
        total = signed_chips(line.total) if not series.rule.points else f"{line.total:,}"
        player = person(line.player)
        words = _LINE_WON if line.won else _LINE
        nights = t(_NIGHTS, count=line.nights)
        text.append(t(words, rank=line.rank, player=player, total=total, nights=nights, won=line.won))
    return "\n".join((*text, rule_text(series.rule)))


def rule_text(rule: StandingsRule) -> str:
    """How standings are counted."""
    lines = [t(_RULE_POINTS, points=" / ".join(map(str, rule.points))) if rule.points else t(_RULE_NET)]
    if rule.left_out:
        lines.append(t(_RULE_LEFT_OUT, count=rule.left_out))
    return "\n".join(lines)
