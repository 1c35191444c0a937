"""Leaderboards of finished hands in words."""

from __future__ import annotations

from collections.abc import Mapping

from bot.statistics.types import PeriodKind, RankedPlayers, RankingLine, RankingOrder
from bot.text.actions import FACT_SEPARATOR
from bot.text.durations import ordinal
from bot.text.language import Message, message, plural, t
from bot.text.seasons import ranked_line, score

_ORDERS: dict[str, Message] = {
    "chips": message("Chips, in the wallet and on tables"),
    RankingOrder.NET: message("Net chips won"),
    RankingOrder.NET_PER_100: message("Net chips per 100 hands"),
    RankingOrder.HANDS: message("Hands played"),
    "home": message("Home games: net table chips"),
}
ORDER_CHOICES: dict[str, Message] = {
    "chips": message("chips in wallets and on tables"),
    "net": message("net chips won"),
    "per100": message("net chips per 100 hands"),
    "hands": message("hands played"),
    "home": message("home games you played in: net table chips"),
}
"""The orders that the leaderboard offers, by the values of the option `by` of `/stats`."""
SEASON_ORDERS = {name: ORDER_CHOICES[name] for name in ("net", "per100", "hands")}
"""The orders in which a season's results can stand."""
PERIOD_CHOICES: dict[str, Message] = {
    "ever": message("all time"),
    "season": message("this season"),
    "month": message("this month"),
    "week": message("this week"),
}
"""The periods that the leaderboard offers, by the values of the option `period` of `/stats`."""
_PERIODS: dict[PeriodKind, Message] = {
    PeriodKind.EVER: message("All time"),
    PeriodKind.WEEK: message("This week"),
    PeriodKind.MONTH: message("This month"),
    PeriodKind.SEASON: message("This season"),
}
_HEADINGS: dict[PeriodKind, Message] = {
    PeriodKind.EVER: message("### Leaderboard · all time"),
    PeriodKind.WEEK: message("### Leaderboard · this week"),
    PeriodKind.MONTH: message("### Leaderboard · this month"),
    PeriodKind.SEASON: message("### Leaderboard · this season"),
}
_OF_SEASON = message("### Leaderboard · {season}")
_PLAYERS = plural("{count:,} player", "{count:,} players")
_FROM_HANDS = plural("at least {count:,} hand (BO-2)", "at least {count:,} hands (BO-2)")
_COUNTED = message("up to {chips:,} chips from one opponent counted (BO-1)")
_CHOOSE_ORDER = message("Order by…")
_CHOOSE_PERIOD = message("Period…")
_CHOOSE_GAME = message("Game…")
_ALL_GAMES = message("All games")
_HOME_GAMES = message("{heading} · home games")
_ONLY_FOR_PLAYERS = message("Home games have standings for those who played in them.")
_EMPTY = message("Nobody has played enough hands for this list.")
_CHIPS_HEADING = message("### Leaderboard")
_PRACTICE = message("### Practice chips")
_OWN = message("You: **{rank}** of {players:,} · {score}")
_TOO_FEW = plural(
    "You: {count:,} hand. It takes {needed:,} to be listed here.",
    "You: {count:,} hands. It takes {needed:,} to be listed here.",
)
_NO_HANDS = message("You have played no hands here.")


def order_name(order: str) -> str:
    """What a leaderboard is ordered by."""
    return t(_ORDERS[order])


def period_name(period: PeriodKind, season: str) -> str:
    """A period; the season that runs by its name."""
    return season if period is PeriodKind.SEASON and season else t(_PERIODS[period])


def all_games() -> str:
    return t(_ALL_GAMES)


def choose_order() -> str:
    return t(_CHOOSE_ORDER)


def choose_period() -> str:
    return t(_CHOOSE_PERIOD)


def choose_game() -> str:
    return t(_CHOOSE_GAME)


def heading(
    order: RankingOrder, period: PeriodKind, game: str, min_hands: int, players: int, season: str, cap: int = 0
) -> str:
    """The head of a leaderboard: the period, and in small print order, game, how many hands it takes, how many players it has, and up
    to how many chips from one opponent count (BO-1); 0 for all."""
    first = t(_OF_SEASON, season=season) if period is PeriodKind.SEASON and season else t(_HEADINGS[period])
    return _with_facts(first, order, game, min_hands, players, cap)


def chips_heading(min_hands: int, players: int, cap: int = 0) -> str:
    """The head of the leaderboard by chips as they are today."""
    return _with_facts(t(_CHIPS_HEADING), "chips", "", min_hands, players, cap)


def practice_heading() -> str:
    """The head of the list of people who play for practice chips, below the leaderboard."""
    return t(_PRACTICE)


def _with_facts(heading: str, order: str, game: str, min_hands: int, players: int, cap: int) -> str:
    facts = [t(_ORDERS[order]), game, t(_FROM_HANDS, count=min_hands), t(_PLAYERS, count=players)]
    facts.append(t(_COUNTED, chips=cap) if cap else "")
    return f"{heading}\n-# {FACT_SEPARATOR.join([fact for fact in facts if fact])}"


def line(found: RankingLine, order: RankingOrder, *, own: bool, departed: Mapping[int, str]) -> str:
    """One player: ``🥇 @Zoë · +3,120 per 100 · 1,204 hands``."""
    return ranked_line(found.rank, found.user, score(found, order), own=own, departed=departed)


def home_games_heading(heading_: str) -> str:
    """The head of the standings of home games."""
    return t(_HOME_GAMES, heading=heading_)


def only_for_players() -> str:
    """What somebody reads who has played in no home game."""
    return t(_ONLY_FOR_PLAYERS)


def empty() -> str:
    """Why there is nobody on a leaderboard."""
    return t(_EMPTY)


def own_place(found: RankedPlayers, order: RankingOrder, min_hands: int) -> str:
    """The reader's own place, or how many hands they are short of."""
    own = found.own
    if own is not None:
        return t(_OWN, rank=ordinal(own.rank), players=found.players, score=score(own, order))
    return short_of_hands(found.own_hands, min_hands)


def short_of_hands(hands: int, min_hands: int) -> str:
    """Why the reader is not listed: they have played too few hands."""
    return t(_TOO_FEW, count=hands, needed=min_hands) if hands else t(_NO_HANDS)
