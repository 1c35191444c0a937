"""The words of the sheet with which a game ends: who is up and down, how long it took, who ended it, what people will tell of."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from bot.table.ended_game import DuelEnd, EndedGame
from bot.table.events import CloseReason
from bot.table.state import Standing
from bot.text import duels, escape
from bot.text.actions import FACT_SEPARATOR
from bot.text.durations import ordinal
from bot.text.formatting import NBSP, join_and, join_list
from bot.text.game_names import game_name
from bot.text.hand import TABLE
from bot.text.language import Message, message, number, plural, t
from bot.text.people import is_former
from bot.text.stakes import short_stakes
from bot.text.statistics import long_time
from bot.text.table_chips import signed


class SheetHandKind(StrEnum):
    """Why a sheet tells a hand."""

    NIGHT = "night"
    WORST = "worst"
    BEST = "best"


_KINDS: dict[SheetHandKind, Message] = {
    SheetHandKind.NIGHT: message("Hand of the night"),
    SheetHandKind.WORST: message("Worst beat"),
    SheetHandKind.BEST: message("Best hand"),
}
ALL_HANDS = message("All hands")
PLAY_AGAIN = message("Play again")
SAME_TIME = message("Same time next week")
TOO_OLD = message("That game ended too long ago. `/play` opens a new one.")
ONLY_GUESTS = message(
    "That was a private game: only the people who were invited can open it again. `/play` opens a game of your own."
)
_CALL_AGAIN = message("{players} · {host} plays again. Take a seat.")
_LINE_ABOVE = message("-# {title} · **{name}** {net} · [Open the sheet]({link})")
_LINE_ABOVE_EVEN = message("-# {title} · [Open the sheet]({link})")
_LINE_ABOVE_RANK = message("-# {title} · **{name}** {rank} · [Open the sheet]({link})")
_LINE_ABOVE_PRIZE = message("-# {title} · **{name}** {rank} · {chips:,} · [Open the sheet]({link})")
_CLOSED = message("### {table} is closed")
CLOSE_REASONS: dict[CloseReason, Message] = {
    CloseReason.REQUESTED: message("All chips are back in wallets."),
    CloseReason.IDLE: message("Closed because nobody was playing. All chips are back in wallets."),
    CloseReason.EVENT_OVER: message("The sit-and-go was cancelled. Where buy-ins were paid, they are back in wallets."),
    CloseReason.SEASON_OVER: message("Closed because the season is over. Its news says what became of chips."),
}
_CLOSED_BY = message("{player} closed the table. All chips are back in wallets.")
GAME_OVER_REASONS: dict[CloseReason, Message] = {
    CloseReason.REQUESTED: message("The game is over."),
    CloseReason.IDLE: message("The game is over, because nobody was playing."),
    CloseReason.EVENT_OVER: message("The sit-and-go was cancelled. Where buy-ins were paid, they are back in wallets."),
    CloseReason.SEASON_OVER: message("The game is over, because the season is."),
}
"""The same of a game of table chips, which go to no wallet."""
_GAME_ENDED_BY = message("{player} ended the game.")
_PRIZES_SHARED = message(
    "The sit-and-go was cancelled. Where buy-ins were paid, the prizes are shared by stacks. Law SG-13"
)
_SHARE = message("{name} **{chips:,}**")
_NO_HANDS = message("-# {game} · no hands played")
_HANDS = plural("-# {game} · {count:,} hand played", "-# {game} · {count:,} hands played")

_HEADING = plural("### {title} · {time} · {count:,} hand", "### {title} · {time} · {count:,} hands")
_DUEL_PRINT = plural("-# {game} · {time} · {count:,} hand", "-# {game} · {time} · {count:,} hands")
_TITLE = message("{table} is closed")
_TITLE_OF_GAME = message("The game at table {number} is over")
_ENTRANTS = plural("{count} player", "{count} players")
_TITLE_OF_EVENING = message("{name} is over")
_TITLE_OF_EVENT = message("The sit-and-go at table {number} is over")
_TITLE_OF_DUEL = message("The duel at table {number} is over")
_TITLE_OF_REST = message("{table} takes a rest")
_RESTS = message("No hand for six hours. The table stays open, and its last sheet will count everything.")
_SMALL_PRINT = message("-# {game} {stakes} · {how}")
_BUY_INS = plural("{count} buy-in", "{count} buy-ins")
_HANDS_OF_PLAYER = plural("{count:,} hand", "{count:,} hands")
_LINE = message("{rank}{gap}{name} **{net}** · {buy_ins} · {hands}")
_TROPHY = "🏆"
_MORE = plural("-# and {count} more", "-# and {count} more")
_TOLD_HAND = message("-# {what} · #{number}")
_LOST_FAVOURITE = message("{name} lost with **{hand}** · {percent}{gap}% when the money went in")
_LOST_UNNAMED = message("{name} lost a pot · {percent}{gap}% when the money went in")
_HAD = message("{name} had **{hand}**")
PICTURE_HEADING = message("Won and lost over the evening")
_PICTURE_HANDS = plural("{count:,} hand", "{count:,} hands")
_PICTURE_RINGS = plural("{count:,} hand · ○ bought in again", "{count:,} hands · ○ bought in again")
_PICTURE_DESCRIBED = plural(
    "Chips won and lost over {count:,} hand: {players}", "Chips won and lost over {count:,} hands: {players}"
)
_WON_BY = plural("{names} wins the sit-and-go", "{names} share first place")
_WON_DUEL, _NOBODY_WON_DUEL = message("{names} wins the duel"), message("Nobody wins the duel")
_WITH_RANK = message("{rank} {name}")
_PRIZE_OF_RANK = message("{rank} {chips:,}")
_BOUNTIES_SIGNED = message("+ bounties")  # Translators: a key: numbers with a plus sign are bounties
_WITH_BOUNTIES = message("{player} and {chips:,} in bounties")
_FINISHES_DESCRIBED = plural("{winner}, after {count:,} hand: {players}", "{winner}, after {count:,} hands: {players}")
_UNNAMED = message("player {number}")  # Translators: somebody whose name cannot be drawn, by their place in the list
PLAYERS_LISTED, EVENING_MAX = 20, 60
"""The others are a number: a message has no room for more than a hundred."""


def closed_text(game: EndedGame) -> str:
    """What is left of a table where nobody won anything of anybody."""
    table, title = t(TABLE, number=game.number), _game_title(game)
    if game.duel is not None:
        return duels.cancelled_text(game, game.duel, title)
    hands = t(_HANDS, count=game.hands, game=title) if game.hands else t(_NO_HANDS, game=title)
    shares = [t(_SHARE, name=player_name(one.player, one.name), chips=one.prize + one.bounties) for one in game.shares]
    return "\n".join(filter(None, (t(_CLOSED, table=table), _how_closed(game), join_list(shares), hands)))


def heading(game: EndedGame) -> str:
    """``The game at table 3 is over · 3 h 12 min · 84 hands``, with what was played, and who ended it."""
    if game.duel is not None and len(game.finishes) == 2:
        facts = t(_DUEL_PRINT, game=_game_title(game), time=long_time(game.seconds), count=game.hands)
        return f"{duels.heading(game, game.duel)}\n{facts}"
    name = _game_is_over(game)
    stakes = short_stakes(game.stakes, ante=game.ante, limit=game.limit)
    small_print = t(_SMALL_PRINT, game=_game_title(game), stakes=stakes, how=_how_closed(game))
    return "\n".join((t(_HEADING, title=name, time=long_time(game.seconds), count=game.hands), small_print))


def line_above(game: EndedGame, link: str) -> str:
    """What the channel above a room reads of a game that is over there: ``The game at table 3 is over · Zoë +14,200 · Open the sheet``;
    of an event who won it: ``The sit-and-go at table 3 is over · Zoë 1st · 4,500 · Open the sheet``."""
    title, best = _game_is_over(game), game.standings[0]
    if game.duel is not None and game.duel.end is DuelEnd.NO_WINNER:
        return t(_LINE_ABOVE_EVEN, title=title, link=link)
    if game.finishes:
        won = game.finishes[0]
        facts = {"title": title, "name": player_name(won.player, won.name), "rank": ordinal(won.rank), "link": link}
        return t(_LINE_ABOVE_PRIZE, **facts, chips=won.prize) if won.prize else t(_LINE_ABOVE_RANK, **facts)
    if best.net <= 0:
        return t(_LINE_ABOVE_EVEN, title=title, link=link)
    name = player_name(best.player, best.name)
    return t(_LINE_ABOVE, title=title, name=name, net=signed(best.net), link=link)


def call_again(host: int, people: Sequence[int]) -> str:
    """Call those who have played to a game that somebody has opened again."""
    return t(_CALL_AGAIN, players=join_and([f"<@{user}>" for user in people]), host=f"<@{host}>")


def told_heading(kinds: Sequence[SheetHandKind], number: int) -> str:
    """Which hand the lines below tell, and why: ``Hand of the night · Best hand · #61``."""
    return t(_TOLD_HAND, what=FACT_SEPARATOR.join([t(_KINDS[kind]) for kind in kinds]), number=number)


def lost_as_favourite(name: str, hand: str, chance: int) -> str:
    """``Mia lost with a pair of kings · 92 % when the money went in``. `chance`: in thousandths."""
    percent = min(99, round(chance / 10))
    if not hand:
        return t(_LOST_UNNAMED, name=name, percent=percent, gap=NBSP)
    return t(_LOST_FAVOURITE, name=name, hand=hand, percent=percent, gap=NBSP)


def had(name: str, hand: str) -> str:
    """``Chiyo had four tens``."""
    return t(_HAD, name=name, hand=hand)


def standing_lines(standings: Sequence[Standing]) -> str:
    """Where everybody stands, a line each, the best first: ``🏆 Zoë **+14,200** · 1 buy-in · 61 hands``."""
    shown = standings[:PLAYERS_LISTED]
    ranks = [1 + sum(other.net > one.net for other in standings) for one in shown]  # who have won the same share theirs
    lines = [_standing_line(rank, one, standings[0]) for rank, one in zip(ranks, shown, strict=True)]
    left_out = len(standings) - len(lines)
    return "\n".join([*lines, t(_MORE, count=left_out)] if left_out else lines)


def picture_small_print(hands: int, *, has_rings: bool) -> str:
    """``84 hands · ○ bought in again``. `has_rings`: somebody has."""
    return t(_PICTURE_RINGS if has_rings else _PICTURE_HANDS, count=hands)


def picture_described(hands: int, standings: Sequence[Standing]) -> str:
    """``Chips won and lost over 84 hands: Zoë +14,200, Mia −14,200``."""
    players = join_list([f"{plain_player_name(one.player, one.name)}{NBSP}{signed(one.net)}" for one in standings])
    return t(_PICTURE_DESCRIBED, count=hands, players=players)


def won_by(names: Sequence[str], game: EndedGame) -> str:
    """``Zoë wins the sit-and-go``; of several, that they share first place; of a duel that was agreed on, nobody. `names`: as they are
    drawn or read."""
    if game.duel is not None and game.duel.end is DuelEnd.NO_WINNER:
        return t(_NOBODY_WON_DUEL)
    if game.duel is not None and len(names) == 1:
        return t(_WON_DUEL, names=names[0])
    return t(_WON_BY, names=join_and(names), count=len(names))


def with_rank(rank: int, name: str) -> str:
    """``1st Zoë``."""
    return t(_WITH_RANK, rank=ordinal(rank), name=name)


def prizes_small_print(game: EndedGame) -> str:
    """``1st 4,500 · 2nd 2,700 · + bounties · 62 hands``: what the ranks of an event got, and how long it took."""
    paid = [t(_PRIZE_OF_RANK, rank=ordinal(one.rank), chips=one.prize) for one in game.finishes if one.prize]
    players = [t(_ENTRANTS, count=len(game.finishes))] if not paid else []
    bounties = [t(_BOUNTIES_SIGNED)] if any(one.bounties for one in game.finishes) else []
    return FACT_SEPARATOR.join([*paid, *players, *bounties, t(_PICTURE_HANDS, count=game.hands)])


def finishes_described(game: EndedGame) -> str:
    """``Zoë wins the sit-and-go, after 62 hands: 1st Zoë 4,500 and 600 in bounties, 2nd Mia``."""
    told = [(one, plain_player_name(one.player, one.name)) for one in game.finishes]
    players = []
    for one, name in told:
        player = with_rank(one.rank, name) + (f" {number(one.prize)}" if one.prize else "")
        players.append(t(_WITH_BOUNTIES, player=player, chips=one.bounties) if one.bounties else player)
    winner = won_by([name for one, name in told if one.rank == 1], game)
    return t(_FINISHES_DESCRIBED, winner=winner, count=game.hands, players=join_list(players))


def plain_player_name(player: int, name: str) -> str:
    """Return what somebody is called, in a text without markdown."""
    return t(escape.FORMER_PLAYER) if is_former(player) else escape.plain_name(name)


def unnamed(rank: int) -> str:
    """Return what stands for a name that cannot be drawn. `rank`: their place in the list."""
    return t(_UNNAMED, number=rank)


def player_name(player: int, name: str) -> str:
    """Return what somebody is called, safe for markdown. Whoever had their data deleted has no name any more."""
    return t(escape.FORMER_PLAYER) if is_former(player) else escape.name(name)


def _standing_line(rank: int, one: Standing, best: Standing) -> str:
    return t(
        _LINE,
        rank=_TROPHY if one.net == best.net > 0 else f"`{rank}`",
        gap=NBSP,
        name=player_name(one.player, one.name),
        net=signed(one.net),
        buy_ins=t(_BUY_INS, count=one.buy_ins),
        hands=t(_HANDS_OF_PLAYER, count=one.hands),
    )


def _how_closed(game: EndedGame) -> str:
    if game.finishes:
        return t(_ENTRANTS, count=len(game.finishes))
    if game.rests:
        return t(_RESTS)
    if game.reason is CloseReason.EVENT_OVER and game.hands:
        return t(_PRIZES_SHARED)
    reasons, by = (GAME_OVER_REASONS, _GAME_ENDED_BY) if game.table_chips else (CLOSE_REASONS, _CLOSED_BY)
    if not game.closed_by:
        return t(reasons[game.reason])
    named = game.closed_by_name or is_former(game.closed_by)
    return t(by, player=player_name(game.closed_by, game.closed_by_name) if named else f"<@{game.closed_by}>")


def _game_is_over(game: EndedGame) -> str:
    if game.evening and not game.rests:
        return t(_TITLE_OF_EVENING, name=escape.text(game.evening, EVENING_MAX))
    title = _TITLE_OF_REST if game.rests else _TITLE_OF_GAME if game.table_chips else _TITLE
    if game.is_event:
        title = _TITLE_OF_EVENT if game.duel is None else _TITLE_OF_DUEL
    return t(title, table=t(TABLE, number=game.number), number=game.number)


def _game_title(game: EndedGame) -> str:
    return escape.name(game_name(game.game)) if game.is_mixture else game_name(game.game)
