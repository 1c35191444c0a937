"""What finished hands add up to, in words: a player's statistics, two players against each other, a session at a table.

Shares are whole percents. A share of few hands says more about luck than about a player, so it is told from `HANDS_MIN` on.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.statistics.types import CountedChips, Counts, PeriodKind, Versus
from bot.text import escape
from bot.text.actions import FACT_SEPARATOR
from bot.text.formatting import join_list
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
_CHIPS = {CountedChips.PRACTICE: message("practice chips"), CountedChips.TABLE: message("home games")}
"""The kinds of chips that a page names. It is of the server's chips where it names none."""
_CHIPS_LABELS: dict[CountedChips, Message] = {
    CountedChips.SERVER: message("Server chips"),
    CountedChips.PRACTICE: message("Practice"),
    CountedChips.TABLE: message("Home games"),
}
CHOOSE_PERIOD = message("Period: {period}")
CHOOSE_GAME = message("Game: {game}")
BY_GAME = message("By game")
OVER_TIME = message("Over time")
YOU_AGAINST = message("You against {name}")
MEANING = message("What do these mean?")
BACK = message("Back to the numbers")
MORE_FIGURES = message("More figures")
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
_BIG_BLINDS_PER_100 = message("**{count}** bb/100")  # Translators: big blinds won in a hundred hands
_PLAYS = message("Plays **{share} %**")
_RAISES = message("raises **{share} %**")
_THREE_BETS = message("3-bets **{share} %**")
_FOLDS_TO_THREE_BET = message("Folds to a 3-bet **{share} %**")
_STEALS = message("Tries to steal **{share} %**")
_CONTINUATION_BETS = message("Continuation bets **{share} %**")
_FOLDS_TO_CONTINUATION_BET = message("Folds to a continuation bet **{share} %**")
_AGGRESSION = message("Aggression **{count}**")
_BY_POSITION = message("By position, big blinds per 100 hands:")
_POSITION = message("{position} **{count}**")  # Translators: early **−3.2**
_POSITIONS = (
    message("button"),
    message("cutoff"),
    message("early"),
    message("small blind"),
    message("big blind"),
)
_NO_FIGURES_YET = message("-# These figures come after {count} hands.")
_TENTHS = message("{whole}.{part}")  # Translators: a number with one digit after the point
_GOES_TO_SHOWDOWN = message("To showdown **{share} %**")
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
_SESSION_WON = plural("You won **{chips:,}** in **{count:,}** hand", "You won **{chips:,}** in **{count:,}** hands")
_SESSION_LOST = plural("You lost **{chips:,}** in **{count:,}** hand", "You lost **{chips:,}** in **{count:,}** hands")
_SESSION_EVEN = plural(
    "You neither won nor lost in **{count:,}** hand", "You neither won nor lost in **{count:,}** hands"
)
_MOMENT_HAND = message("Best moment: **{hand}** ({where})")
_MOMENT_POT = message("Best moment: a pot of **{chips:,}** ({where})")
_MINUTES = plural("{count} minute", "{count} minutes")
_HOURS_MINUTES = message("{hours:,} h {minutes} min")
_DAYS = plural("{count:,} day", "{count:,} days")
LOOK_AT_HAND = message("Hand #{number}")

# what the numbers mean

_MEANINGS = (
    message("### What the numbers mean"),
    message(
        "**Net**: won minus paid. **Per 100 hands**: the same as an average. **bb/100**: that in big blinds, over the hands that had one."
    ),
    message(
        "**Plays**: hands in which they called, bet or raised in the first betting round (VPIP). Blinds and antes don't count. "
        "**Raises**: hands in which they raised in that round (PFR)."
    ),
    message(
        "**3-bets**: of the times they faced one raise in the first betting round, those when they raised again. "
        "**Folds to a 3-bet**: of the times their own first raise was raised again, those when they folded."
    ),
    message(
        "**Tries to steal**: of the times nobody had called or raised before them on the cutoff, the button or the small blind, those when "
        "they raised."
    ),
    message(
        "**Continuation bets**: of the times they made the last raise before the flop and nobody had bet before them on it, those when "
        "they bet. **Folds to a continuation bet**: of the times they faced one, those when they folded."
    ),
    message("**Aggression**: bets and raises for each call, after the first betting round."),
    message(
        "**To showdown**: how often they reach the showdown with a hand that they still hold after the first betting round (WTSD). "
        "**Wins there**: showdowns that brought them chips (W$SD)."
    ),
    message(
        "**By position**: bb/100 where they sat. The button acts last after the flop, the cutoff sits before it, and early are all seats "
        "before the cutoff."
    ),
    message("**Best hand**: the best hand that won them chips at a showdown."),
    message("**Winning streak**: hands in a row that each won them chips."),
    message(
        "**All-in luck**: chips won minus what the odds promised when the last chips went in. Above zero is good luck. "
        "An estimate: there were too many boards to count, so 2,000 were dealt at random."
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
_SMALL_BIG_BLINDS = message("{count} bb/100")
_SMALL_HANDS = plural("{count:,} hand with a big blind", "{count:,} hands with a big blind")
RESULTS_BY_POSITION = message("Big blinds per 100 hands")
_POSITIONS_DESCRIBED = message("Big blinds per 100 hands, by position: {positions}.")
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


def chips_label(chips: CountedChips) -> str:
    """The button that leads to the hands for other chips."""
    return t(_CHIPS_LABELS[chips])


def scope_line(game: str, period: PeriodKind, chips: CountedChips) -> str:
    """Say which hands are counted, in small print. `game` is its name; empty for all games."""
    facts = [game or t(ALL_GAMES), t(PERIODS[period]), t(_CHIPS[chips]) if chips in _CHIPS else ""]
    return f"-# {FACT_SEPARATOR.join([fact for fact in facts if fact])}"


def result_line(counts: Counts) -> str:
    """Tell hands and chips: ``2,911 hands · net +11,100 · +4.2 bb/100``; in chips where most hands have no blinds."""
    facts = [t(_HANDS, count=counts.hands), t(_NET, chips=signed(counts.net))]
    if in_big_blinds := _in_big_blinds(counts):
        facts.append(t(_BIG_BLINDS_PER_100, count=in_big_blinds))
    elif counts.hands >= HANDS_MIN:
        facts.append(t(_PER_100, chips=signed(rounded(100 * counts.net, counts.hands))))
    return FACT_SEPARATOR.join(facts)


def _in_big_blinds(counts: Counts) -> str:
    """Return big blinds for each hundred hands; empty where hands are few, or most of them had no big blind."""
    hands, won = counts.in_big_blinds
    return big_blinds_per_100(hands, won) if hands >= HANDS_MIN and 2 * hands >= counts.hands else ""


def big_blinds_per_100(hands: int, won: int) -> str:
    """Write what somebody has won in big blinds for each hundred hands: ``+4.2``.

    Args:
        won: in thousandths of a big blind.
    """
    tenths = rounded(won, hands)
    return _with_sign(tenths, _tenths(abs(tenths)))


def _tenths(count: int) -> str:
    whole, part = divmod(count, 10)
    return t(_TENTHS, whole=number(whole), part=part)


def style_line(counts: Counts) -> str:
    """Tell how somebody plays: ``Plays 24 % · raises 17 % · 3-bets 6 %``; after few hands, when that comes."""
    chances = counts.voluntary_chances
    if chances < HANDS_MIN:
        return t(_PERCENT_LATER, count=HANDS_MIN)
    facts = [
        t(_PLAYS, share=percent(counts.voluntary, chances)),
        t(_RAISES, share=percent(counts.raised_first, chances)),
    ]
    return FACT_SEPARATOR.join([*facts, *_share(_THREE_BETS, counts.three_bets, counts.three_bet_chances)])


def _share(sentence: Message, part: int, whole: int) -> list[str]:
    """Tell a share in a sentence; nothing as long as it says little."""
    return [t(sentence, share=percent(part, whole))] if whole >= HANDS_MIN else []


def showdown_line(counts: Counts) -> str:
    """Tell how often somebody shows down and wins: ``To showdown 28 % · wins there 53 %``; empty where they never did.

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
    """Tell the numbers of somebody's play that come first, a short line each."""
    return [line for line in (style_line(counts), showdown_line(counts)) if line]


def more_lines(counts: Counts) -> list[str]:
    """Tell the other numbers of somebody's play, a line each. A line of its own for a new number is one more here."""
    lines = [
        *_share(_STEALS, counts.steals, counts.steal_chances),
        *_share(_FOLDS_TO_THREE_BET, counts.folds_to_three_bet, counts.three_bets_faced),
        *_share(_CONTINUATION_BETS, counts.continuation_bets, counts.continuation_chances),
        *_share(_FOLDS_TO_CONTINUATION_BET, counts.folds_to_continuation_bet, counts.continuation_bets_faced),
    ]
    aggressive = counts.bets + counts.raises
    if counts.calls and aggressive + counts.calls >= HANDS_MIN:
        lines.append(t(_AGGRESSION, count=_tenths(rounded(10 * aggressive, counts.calls))))
    lines += _position_lines(counts)
    return lines or [t(_NO_FIGURES_YET, count=HANDS_MIN)]


def _position_lines(counts: Counts) -> list[str]:
    """Tell the results of each position that somebody has often sat in, two in a line."""
    told = [t(_POSITION, position=name, count=written) for name, _, written in positions(counts)]
    lines = [FACT_SEPARATOR.join(told[first : first + 2]) for first in range(0, len(told), 2)]
    return [t(_BY_POSITION), *lines] if told else []


def positions(counts: Counts) -> list[tuple[str, int, str]]:
    """Return what each position is called that somebody has often sat in, and what it has brought for each hundred hands: in tenths of a
    big blind, and as it is written."""
    return [
        (t(name), rounded(won, hands), big_blinds_per_100(hands, won))
        for name, (hands, won) in zip(_POSITIONS, counts.by_position, strict=True)
        if hands >= HANDS_MIN
    ]


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
    """Tell a session in short: ``You won 1,240 in 42 hands · 1 h 20 min``."""
    sentence = _SESSION_WON if counts.net > 0 else _SESSION_LOST if counts.net < 0 else _SESSION_EVEN
    return FACT_SEPARATOR.join([t(sentence, chips=abs(counts.net), count=counts.hands), long_time(seconds)])


def long_time(seconds: int) -> str:
    """Write how long an evening was: ``45 minutes``, ``1 h 20 min``. At least a minute; a table that waits, ``30 days``."""
    minutes = max(1, seconds // 60)
    if minutes < 60:
        return t(_MINUTES, count=minutes)
    if minutes >= 2 * 24 * 60:
        return t(_DAYS, count=minutes // (24 * 60))
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


def curve_small_print(hands: int, net: int, counts: Counts | None = None) -> str:
    """Tell the numbers of a chart in short: ``312 hands · net +11,100 · +4.2 bb/100``.

    Args:
        counts: of these hands; None where big blinds are not told.
    """
    facts = [t(_SMALL_PRINT, count=hands, net=signed(net))]
    if counts is not None and (in_big_blinds := _in_big_blinds(counts)):
        facts.append(t(_SMALL_BIG_BLINDS, count=in_big_blinds))
    return FACT_SEPARATOR.join(facts)


def positions_small_print(counts: Counts) -> str:
    """Tell how many hands the chart of positions is of, and what they brought."""
    hands, won = counts.in_big_blinds
    return FACT_SEPARATOR.join(
        [t(_SMALL_HANDS, count=hands), t(_SMALL_BIG_BLINDS, count=big_blinds_per_100(hands, won))]
    )


def positions_described(counts: Counts) -> str:
    """Describe the chart of positions."""
    lines = [t(GAME_CHIPS, game=name, chips=written) for name, _, written in positions(counts)]
    return t(_POSITIONS_DESCRIBED, positions=join_list(lines))


def hand_mark(hand: int) -> str:
    """A hand's number below a chart."""
    return t(_HAND_MARK, number=hand)


def curve_described(hands: int, net: int, lowest: int, highest: int) -> str:
    """Describe a chart of chips over time."""
    return t(_CURVE_DESCRIBED, count=hands, net=signed(net), lowest=signed(lowest), highest=signed(highest))
