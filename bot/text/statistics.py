"""What finished hands add up to, in words: a player's statistics, two players against each other, a session at a table.

Shares are whole percents. A share of few hands says more about luck than about a player, so it is told from `HANDS_MIN` on.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.statistics.types import Counts, PeriodKind, PlayedFor, Versus
from bot.text import escape
from bot.text.actions import FACT_SEPARATOR
from bot.text.language import Message, message, number, plural, t
from bot.text.pictures import short_number

HANDS_MIN = 20
"""From how many hands on shares are told."""

# headings, buttons and options

YOURS = message("### Your statistics")
OF_PLAYER = message("### Statistics of {player}")
ALL_GAMES = message("All games")
PERIODS: dict[PeriodKind, Message] = {
    PeriodKind.EVER: message("All time"),
    PeriodKind.MONTH: message("This month"),
    PeriodKind.WEEK: message("This week"),
    PeriodKind.SEASON: message("This season"),
}
_CHIPS: dict[PlayedFor, Message] = {
    PlayedFor.PRACTICE_CHIPS: message("practice chips"),
    PlayedFor.TABLE_CHIPS: message("home games"),
}
_CHIPS_LABELS: dict[PlayedFor, Message] = {
    PlayedFor.SERVER_CHIPS: message("Server chips"),
    PlayedFor.PRACTICE_CHIPS: message("Practice"),
    PlayedFor.TABLE_CHIPS: message("Home games"),
}
CHOOSE_PERIOD = message("Period: {period}")
CHOOSE_GAME = message("Game: {game}")
BY_GAME = message("By game")
OVER_TIME = message("Over time")
YOU_AGAINST = message("You against {name}")
MEANING = message("What do these mean?")
BACK = message("Back to the numbers")
KEEP_PRIVATE = message("Keep them private")
SHOW_TO_OTHERS = message("Let others see them")
MY_STATISTICS = message("My statistics")
THEIR_STATISTICS = message("Statistics of {name}")
BEST_HAND_BUTTON = message("Best hand #{number}")
BIGGEST_POT_BUTTON = message("Biggest pot #{number}")

# a player's numbers

_HANDS = plural("**{count:,}** hand", "**{count:,}** hands")
_NET = message("net **{chips}**")
_PER_100 = message("**{chips}** per 100 hands")
_PLAYS = message("Plays **{share} %** of hands")
_RAISES = message("raises **{share} %**")
_AGGRESSION = message("aggression **{whole}.{part}**")
_GOES_TO_SHOWDOWN = message("Goes to showdown **{share} %**")
_SHOWDOWNS_WON_SHARE = message("wins there **{share} %**")
_SHOWDOWNS_WON = plural("Won **{won:,}** of **{count:,}** showdown", "Won **{won:,}** of **{count:,}** showdowns")
_PERCENT_LATER = message("-# Percentages come after {count} hands.")
_BEST_HAND = message("Best hand **{hand}** ({where})")
_BEST_HAND_UNNAMED = message("Best hand: see {where}")
_BIGGEST_POT = message("Biggest pot **{chips:,}** ({where})")
_WHERE = message("hand #{number}, table {table}")
_STREAK = plural("Longest winning streak **{count:,}** hand", "Longest winning streak **{count:,}** hands")
_LUCK = plural("All-in luck **{chips}** in {count:,} all-in", "All-in luck **{chips}** in {count:,} all-ins")
_LUCK_ESTIMATE = plural(
    "All-in luck **{chips}** in {count:,} all-in (estimate)", "All-in luck **{chips}** in {count:,} all-ins (estimate)"
)
NO_HANDS_EVER = message("No hands yet. Take a seat with `/sit`, or open a table with `/play`.")
NO_HANDS_OF_PLAYER = message("They haven't played a hand here yet.")
NO_HANDS_THEN = message("No hands here. Choose another period or game.")
GAME_NOT_PLAYED = message("Nobody has played that game here yet.")
PRIVATE_NOTE = message("-# Nobody else can look these up.")
KEPT_PRIVATE = message("{player} keeps their statistics private.")

# two players

YOU_AGAINST_PLAYER = message("### You against {player}")
ONE_AGAINST_OTHER = message("### {player} against {other}")
_TOGETHER = plural("**{count:,}** hand together", "**{count:,}** hands together")
_NETS = message("{player} **{net}** · {other} **{other_net}**")
_YOUR_NETS = message("You **{net}** · {other} **{other_net}**")
_SHOWDOWNS = plural(
    "**{count:,}** showdown: {player} won **{won:,}**, {other} won **{lost:,}**",
    "**{count:,}** showdowns: {player} won **{won:,}**, {other} won **{lost:,}**",
)
_YOUR_SHOWDOWNS = plural(
    "**{count:,}** showdown: you won **{won:,}**, {other} won **{lost:,}**",
    "**{count:,}** showdowns: you won **{won:,}**, {other} won **{lost:,}**",
)
_OTHERS_TOO = message("-# Chips are counted as won from the whole table. A shared pot is a win for neither.")
NO_HANDS_TOGETHER = message("No hands together yet. Choose another period, or sit down at the same table.")
NOT_AGAINST_ONESELF = message("Choose two different players.")

# a session

SESSION = message("### Your session at table {number}")
_SESSION_TIME = message("in **{time}**")
_MOMENT_HAND = message("Best moment: **{hand}** ({where})")
_MOMENT_POT = message("Best moment: a pot of **{chips:,}** ({where})")
_MINUTES = plural("{count} minute", "{count} minutes")
_HOURS_MINUTES = message("{hours:,} h {minutes} min")
LOOK_AT_HAND = message("Hand #{number}")

# what the numbers mean

_MEANINGS = (
    message("### What the numbers mean"),
    message(
        "**Net**: chips won less chips put in. **Per 100 hands**: the same for every 100 hands, to compare people who play more or less."
    ),
    message(
        "**Plays**: hands in which they called, bet or raised in the first betting round (VPIP). Blinds and antes don't count. "
        "**Raises**: hands in which they raised in that round (PFR)."
    ),
    message("**Aggression**: bets and raises for each call, after the first betting round."),
    message(
        "**Goes to showdown**: of the hands they still held after the first betting round, those that came to a showdown (WTSD). "
        "**Wins there**: showdowns that brought them chips (W$SD)."
    ),
    message("**Best hand**: the best hand that won them chips at a showdown."),
    message("**Winning streak**: hands in a row that each won them chips."),
    message(
        "**All-in luck**: when nobody could bet any more before the last card, what they won less what their hand was worth then. Above "
        "zero is good luck. An estimate: there were too many boards to count, so 2,000 were dealt at random."
    ),
    message("Cancelled hands don't count. Weeks begin on Monday, at midnight UTC."),
)

# charts

CHIPS_OVER_TIME = message("Chips over time")
CHIPS_BY_GAME = message("Chips by game")
OTHER_GAMES = message("Other games")
FIRST_HAND = message("start")  # Translators: below a chart, where it begins
GAME_CHIPS = message("{game} {chips}")  # Translators: No-Limit Hold'em +3,120
BARS_DESCRIBED = message("Net chips by game: {games}.")
_HAND_MARK = message("hand {number:,}")  # Translators: below a chart
_SMALL_PRINT = plural("{count:,} hand · net {net}", "{count:,} hands · net {net}")
_CURVE_DESCRIBED = plural(
    "Net chips over {count:,} hand: {net} at the end, {lowest} at the lowest, {highest} at the highest.",
    "Net chips over {count:,} hands: {net} at the end, {lowest} at the lowest, {highest} at the highest.",
)

_GAIN = message("+{chips}")
_LOSS = message("−{chips}")


def signed(chips: int) -> str:
    """Write a gain or a loss: ``+11,100``, ``−300``, ``0``."""
    return _with_sign(chips, number(abs(chips)))


def short_signed(chips: int) -> str:
    """Write the same in few letters, for a picture: ``+1.23M``."""
    return _with_sign(chips, short_number(abs(chips)))


def _with_sign(chips: int, written: str) -> str:
    return t(_GAIN if chips > 0 else _LOSS, chips=written) if chips else written


def percent(part: int, whole: int) -> int:
    """Return a share in whole percents, halves rounded up."""
    return (200 * part + whole) // (2 * whole)


def rounded(part: int, whole: int) -> int:
    """Return a quotient as a whole number, halves away from zero."""
    return (2 * abs(part) + whole) // (2 * whole) * (1 if part >= 0 else -1)


def chips_label(played_for: PlayedFor) -> str:
    """The button that leads to the hands for other chips."""
    return t(_CHIPS_LABELS[played_for])


def scope_line(game: str, period: PeriodKind, played_for: PlayedFor) -> str:
    """Say which hands are counted, in small print. `game` is its name; empty for all games."""
    chips = t(_CHIPS[played_for]) if played_for in _CHIPS else ""
    facts = [game or t(ALL_GAMES), t(PERIODS[period]), chips]
    return f"-# {FACT_SEPARATOR.join([fact for fact in facts if fact])}"


def result_line(counts: Counts) -> str:
    """Tell hands and chips: ``2,911 hands · net +11,100 · +381 per 100 hands``."""
    facts = [t(_HANDS, count=counts.hands), t(_NET, chips=signed(counts.net))]
    if counts.hands >= HANDS_MIN:
        facts.append(t(_PER_100, chips=signed(rounded(100 * counts.net, counts.hands))))
    return FACT_SEPARATOR.join(facts)


def style_line(counts: Counts) -> str:
    """Tell how somebody plays: ``Plays 24 % of hands · raises 17 % · aggression 2.3``; after few hands, when that comes."""
    chances = counts.voluntary_chances
    if chances < HANDS_MIN:
        return t(_PERCENT_LATER, count=HANDS_MIN)
    facts = [
        t(_PLAYS, share=percent(counts.voluntary, chances)),
        t(_RAISES, share=percent(counts.raised_first, chances)),
    ]
    aggressive = counts.bets + counts.raises
    if counts.calls and aggressive + counts.calls >= HANDS_MIN:
        whole, part = divmod(rounded(10 * aggressive, counts.calls), 10)
        facts.append(t(_AGGRESSION, whole=number(whole), part=part))
    return FACT_SEPARATOR.join(facts)


def showdown_line(counts: Counts) -> str:
    """Tell how often somebody shows down and wins: ``Goes to showdown 28 % · wins there 53 %``; empty where they never did.

    After few showdowns they are counted: ``Won 2 of 3 showdowns``.
    """
    if not counts.showdowns:
        return ""
    facts = []
    if counts.past_first_round >= max(HANDS_MIN, counts.showdowns):
        facts.append(t(_GOES_TO_SHOWDOWN, share=percent(counts.showdowns, counts.past_first_round)))
        if counts.showdowns >= HANDS_MIN:
            facts.append(t(_SHOWDOWNS_WON_SHARE, share=percent(counts.showdowns_won, counts.showdowns)))
            return FACT_SEPARATOR.join(facts)
    facts.append(t(_SHOWDOWNS_WON, count=counts.showdowns, won=counts.showdowns_won))
    return FACT_SEPARATOR.join(facts)


def play_lines(counts: Counts) -> list[str]:
    """Tell the numbers of somebody's play, a line each. A line of its own for a new number is one more here."""
    return [line for line in (style_line(counts), showdown_line(counts)) if line]


def hand_reference(hand: int, table_number: int) -> str:
    """Say where a hand is found: ``hand #12, table 3``."""
    return t(_WHERE, number=hand, table=table_number)


def best_hand_line(hand: str, where: str) -> str:
    """Tell somebody's best hand. `hand` is its name; empty where the game has no name for it any more."""
    return t(_BEST_HAND, hand=hand, where=where) if hand else t(_BEST_HAND_UNNAMED, where=where)


def biggest_pot_line(chips: int, where: str) -> str:
    """Tell the most chips that one hand brought somebody, and which hand it was."""
    return t(_BIGGEST_POT, chips=chips, where=where)


def streak_line(count: int) -> str:
    """Tell the most hands in a row that somebody won chips in."""
    return t(_STREAK, count=count)


def luck_line(counts: Counts) -> str:
    """Tell how lucky somebody was all-in; empty where they never were."""
    if not counts.lucky_hands:
        return ""
    sentence = _LUCK_ESTIMATE if counts.estimated_hands else _LUCK
    return t(sentence, count=counts.lucky_hands, chips=signed(rounded(counts.luck, 1000)))


def versus_lines(versus: Versus, player: str, other: str) -> list[str]:
    """Tell how two players did in the hands that both were dealt into.

    Args:
        player, other: names or mentions; `player` is empty for the reader.
    """
    if not versus.hands:
        return [t(NO_HANDS_TOGETHER)]
    net, other_net = signed(versus.net), signed(versus.other_net)
    if player:
        nets = t(_NETS, player=player, net=net, other=other, other_net=other_net)
    else:
        nets = t(_YOUR_NETS, net=net, other=other, other_net=other_net)
    lines = [t(_TOGETHER, count=versus.hands), nets]
    count, won, lost = versus.showdowns, versus.showdowns_won, versus.showdowns_lost
    if count and player:
        lines.append(t(_SHOWDOWNS, count=count, player=player, won=won, other=other, lost=lost))
    elif count:
        lines.append(t(_YOUR_SHOWDOWNS, count=count, won=won, other=other, lost=lost))
    return [*lines, t(_OTHERS_TOO)]


def session_line(counts: Counts, seconds: int) -> str:
    """Tell a session in short: ``42 hands in 1 h 20 min · net +1,240``."""
    hands = f"{t(_HANDS, count=counts.hands)} {t(_SESSION_TIME, time=long_time(seconds))}"
    return FACT_SEPARATOR.join([hands, t(_NET, chips=signed(counts.net))])


def long_time(seconds: int) -> str:
    """Write how long an evening was: ``45 minutes``, ``1 h 20 min``. It lasted at least a minute."""
    minutes = max(1, seconds // 60)
    if minutes < 60:
        return t(_MINUTES, count=minutes)
    return t(_HOURS_MINUTES, hours=minutes // 60, minutes=minutes % 60)


def moment_line(hand: str, chips: int, where: str) -> str:
    """Tell the best moment of a session: a hand by its name, else a pot."""
    return t(_MOMENT_HAND, hand=hand, where=where) if hand else t(_MOMENT_POT, chips=chips, where=where)


def meanings() -> Sequence[str]:
    """Explain every number, a line each."""
    return [t(line) for line in _MEANINGS]


def against_label(name: str) -> str:
    """The button that compares the reader with a player."""
    return t(YOU_AGAINST, name=escape.plain_name(name, 20))


def statistics_label(name: str) -> str:
    """The button that leads to a player's statistics."""
    return t(THEIR_STATISTICS, name=escape.plain_name(name, 20))


def curve_small_print(hands: int, net: int) -> str:
    """Tell the numbers of a chart in short: ``312 hands · net +11,100``."""
    return t(_SMALL_PRINT, count=hands, net=signed(net))


def hand_mark(hand: int) -> str:
    """A hand's number below a chart."""
    return t(_HAND_MARK, number=hand)


def curve_described(hands: int, net: int, lowest: int, highest: int) -> str:
    """Describe a chart of chips over time."""
    return t(_CURVE_DESCRIBED, count=hands, net=signed(net), lowest=signed(lowest), highest=signed(highest))
