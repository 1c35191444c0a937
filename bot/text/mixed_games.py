"""Tables that play several games in turn or a bomb pot now and then, and the house games of a server."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.mixes import BombPot, BombPotTrigger, Rotation, RotationChange
from bot.table.house_games import HouseGame
from bot.table.settings import TableSettings
from bot.text import escape
from bot.text.formatting import join_list
from bot.text.game_names import game_name
from bot.text.language import Message, message, plural, t
from bot.text.lobby import table_stakes

GAME = message("Game")
GAMES = message("Games")
NEXT_GAME = message("Next game")
DEFAULT_GAME = message("Game when nobody chooses")
TIME_TO_CHOOSE = message("Time to choose")

WHAT_IS_PLAYED = message("Which games?")
GAMES_LABEL = message("One game, or several with / between them")
GAMES_HINT = message("holdem / omaha + joker bug / razz, or a mixed game: horse, 8-game, dealer's choice")

_AFTER_A_ROUND = message("after each round of the button")
_AFTER_HANDS = plural("after every hand", "after {count:,} hands")
_AFTER_MINUTES = plural("after {count:,} minute", "after {count:,} minutes")
_DEALER_CHOOSES = message("the dealer chooses before every hand")
_MIXTURE = message("{name}: {games}")
_AND_MORE = plural("{games} and {count} more", "{games} and {count} more")

GAME_CHANGES = (
    "lap",
    "deals.1",
    "deals.6",
    "deals.10",
    "time.10",
    "time.20",
    "time.30",
    "choice",
)
"""The codes of when a mixed table goes on to its next game, as they are offered."""

BOMB_POTS: dict[str, Message] = {
    "off": message("none"),
    "vote": message("when everyone asks for one"),
    "lap": message("once a round, and when everyone asks"),
    "vote.2": message("on two boards, when everyone asks for one"),
    "lap.2": message("on two boards, once a round, and when everyone asks"),
}
"""Each code of a bomb pot and what it means."""
_BOMB_POTS_SHORT: dict[str, Message] = {
    "vote": message("bomb pot when everyone asks"),
    "lap": message("bomb pot once a round"),
    "vote.2": message("bomb pot when everyone asks, two boards"),
    "lap.2": message("bomb pot once a round, two boards"),
}

HOUSE_GAMES = message("### House games\n-# `/play` offers them by name.")
NO_HOUSE_GAMES = message("No house game is saved here. `/house page:save` saves the rules of this channel's table.")
MORE_HOUSE_GAMES = message("-# and more")
_HOUSE_GAME_LINE = message("**{name}** {game} · by {player}")
_HOUSE_GAME = message("{game} {stakes}")
_HOUSE_GAME_WITH_BOMB_POT = message("{game} {stakes} · {bomb_pot}")
_SAVED = message("Saved: **{name}**, {game}. `/play` offers it.")
_FORGOTTEN = message("The house game **{name}** is deleted.")
_GAMES_NAMED = 6


def game_change(code: str) -> str:
    """When a mixed table goes on to its next game: a code of `GAME_CHANGES`, or ``deals.7`` and ``time.45``."""
    kind, _, count = code.partition(".")
    match kind:
        case "deals":
            return t(_AFTER_HANDS, count=int(count))
        case "time":
            return t(_AFTER_MINUTES, count=int(count))
        case "choice":
            return t(_DEALER_CHOOSES)
        case _:
            return t(_AFTER_A_ROUND)


def game_change_code(rotation: Rotation) -> str:
    """The code of when a mixed table goes on to its next game."""
    match rotation.change:
        case RotationChange.HANDS:
            return f"deals.{rotation.hands}"
        case RotationChange.TIME:
            return f"time.{rotation.minutes}"
        case RotationChange.DEALERS_CHOICE:
            return "choice"
        case RotationChange.LAP:
            return "lap"


def bomb_pot_code(bomb: BombPot | None) -> str:
    """The code of a table's bomb pot, as in `BOMB_POTS`."""
    if bomb is None:
        return "off"
    return ("lap" if bomb.trigger is BombPotTrigger.LAP else "vote") + (".2" if bomb.game.rule_card.boards > 1 else "")


def games_text(rotation: Rotation) -> str:
    """The games of a mixture, the first few by name."""
    names = [game_name(game.rule_card.name) for game in rotation.games]
    listed = join_list(names[:_GAMES_NAMED])
    return t(_AND_MORE, games=listed, count=len(names) - _GAMES_NAMED) if len(names) > _GAMES_NAMED else listed


def mixture_text(rotation: Rotation) -> str:
    """A mixture's name and its games."""
    return t(_MIXTURE, name=game_name(rotation.name), games=games_text(rotation))


def game_or_mixture_name(settings: TableSettings) -> str:
    """The game of a table, or the name of its mixture."""
    return game_name(settings.rule_card.name if settings.rotation is None else settings.rotation.name)


def house_game_text(settings: TableSettings) -> str:
    """What a house game plays: ``H.O.R.S.E. 10/20 · bomb pot when everyone asks``."""
    game, stakes, code = game_or_mixture_name(settings), table_stakes(settings), bomb_pot_code(settings.bomb_pot)
    if code == "off":
        return t(_HOUSE_GAME, game=game, stakes=stakes)
    return t(_HOUSE_GAME_WITH_BOMB_POT, game=game, stakes=stakes, bomb_pot=t(_BOMB_POTS_SHORT[code]))


def house_games(games: Sequence[HouseGame], length_maximum: int) -> str:
    """List the house games of a server, as many as fit."""
    lines = [t(HOUSE_GAMES)]
    remaining = length_maximum - len(lines[0])
    for game in games:
        name, rules = escape.text(game.name), house_game_text(game.settings)
        line = t(_HOUSE_GAME_LINE, name=name, game=rules, player=f"<@{game.saved_by}>")
        remaining -= len(line) + 1
        if remaining < 0:
            lines.append(t(MORE_HOUSE_GAMES))
            break
        lines.append(line)
    return "\n".join(lines)


def house_game_saved(game: HouseGame) -> str:
    """The answer to a saved house game."""
    return t(_SAVED, name=escape.text(game.name), game=house_game_text(game.settings))


def house_game_forgotten(game: HouseGame) -> str:
    """The answer to a house game that is no longer kept."""
    return t(_FORGOTTEN, name=escape.text(game.name))
