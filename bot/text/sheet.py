"""The words of the sheet with which a game ends: who is up and down, how long it took, who ended it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.ended_game import EndedGame
from bot.table.events import CloseReason
from bot.table.state import Standing
from bot.text import escape
from bot.text.formatting import NBSP
from bot.text.game_names import game_name
from bot.text.hand import TABLE
from bot.text.language import Message, message, plural, t
from bot.text.people import is_former
from bot.text.stakes import short_stakes
from bot.text.statistics import long_time
from bot.text.table_chips import signed

ALL_HANDS = message("All hands")
_CLOSED = message("### {table} is closed")
CLOSE_REASONS: dict[CloseReason, Message] = {
    CloseReason.REQUESTED: message("All chips are back in wallets."),
    CloseReason.IDLE: message("Closed because nobody was playing. All chips are back in wallets."),
}
_CLOSED_BY = message("{player} closed the table. All chips are back in wallets.")
GAME_OVER_REASONS: dict[CloseReason, Message] = {
    CloseReason.REQUESTED: message("The game is over."),
    CloseReason.IDLE: message("The game is over, because nobody was playing."),
}
"""The same of a game of table chips, which go to no wallet."""
_GAME_ENDED_BY = message("{player} ended the game.")
_NO_HANDS = message("-# {game} · no hands played")
_HANDS = plural("-# {game} · {count:,} hand played", "-# {game} · {count:,} hands played")

_HEADING = plural("### {title} · {time} · {count:,} hand", "### {title} · {time} · {count:,} hands")
_TITLE = message("{table} is closed")
_TITLE_OF_GAME = message("The game at table {number} is over")
_SMALL_PRINT = message("-# {game} {stakes} · {how}")
_BUY_INS = plural("{count} buy-in", "{count} buy-ins")
_HANDS_OF_PLAYER = plural("{count:,} hand", "{count:,} hands")
_LINE = message("{rank}{gap}{name} **{net}** · {buy_ins} · {hands}")
_TROPHY = "🏆"
_MORE = plural("-# and {count} more", "-# and {count} more")
_HAND_OF_NIGHT = message("-# Hand of the night · #{number}")
PLAYERS_LISTED = 20
"""The others are a number: a message has no room for more than a hundred."""


def closed_text(game: EndedGame) -> str:
    """What is left of a table where nobody won anything of anybody."""
    table, title = t(TABLE, number=game.number), _game_title(game)
    hands = t(_HANDS, count=game.hands, game=title) if game.hands else t(_NO_HANDS, game=title)
    return "\n".join((t(_CLOSED, table=table), _how_closed(game), hands))


def heading(game: EndedGame) -> str:
    """``The game at table 3 is over · 3 h 12 min · 84 hands``, with what was played, and who ended it."""
    title = _TITLE_OF_GAME if game.table_chips else _TITLE
    name = t(title, table=t(TABLE, number=game.number), number=game.number)
    stakes = short_stakes(game.stakes, ante=game.ante, limit=game.limit)
    small_print = t(_SMALL_PRINT, game=_game_title(game), stakes=stakes, how=_how_closed(game))
    return "\n".join((t(_HEADING, title=name, time=long_time(game.seconds), count=game.hands), small_print))


def hand_of_night(number: int, outcome: str) -> str:
    """The hand of the night, in two lines. `outcome`: who won how much with which hand against whom."""
    return t(_HAND_OF_NIGHT, number=number) + "\n" + outcome


def standing_lines(standings: Sequence[Standing]) -> str:
    """Where everybody stands, a line each, the best first: ``🏆 Zoë **+14,200** · 1 buy-in · 61 hands``."""
    lines = [_standing_line(rank, one, standings[0]) for rank, one in enumerate(standings[:PLAYERS_LISTED], 1)]
    left_out = len(standings) - len(lines)
    return "\n".join([*lines, t(_MORE, count=left_out)] if left_out else lines)


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
    reasons, by = (GAME_OVER_REASONS, _GAME_ENDED_BY) if game.table_chips else (CLOSE_REASONS, _CLOSED_BY)
    if not game.closed_by:
        return t(reasons[game.reason])
    named = game.closed_by_name or is_former(game.closed_by)
    return t(by, player=player_name(game.closed_by, game.closed_by_name) if named else f"<@{game.closed_by}>")


def _game_title(game: EndedGame) -> str:
    return escape.name(game_name(game.game)) if game.is_mixture else game_name(game.game)
