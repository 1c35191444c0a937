"""What a table plays beside one game: several in turn, a dealer's choice, a bomb pot; and the house games of a server.

Source: laws VC-28, VC-29, H-2; issue 3 "Tables of one's own making".
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.mixes import Bomb, BombWhen, Change, Rotation
from bot.render import escape, ids
from bot.render.house import Choice
from bot.render.ids import Verb
from bot.render.limits import cut
from bot.render.lobby import stakes_short
from bot.render.panel import LOBBY, RESULT, Form, Panel, Text, TextField
from bot.table.house_games import HouseGame
from bot.table.settings import TableSettings

GAMES_FIELD = "games"
GAMES_MOST = 400
_NAMED = 6

TURNINGS = (
    ("lap", "after a lap: as many hands as players"),
    ("deals.1", "after every hand"),
    ("deals.6", "after 6 hands"),
    ("deals.10", "after 10 hands"),
    ("time.10", "after 10 minutes"),
    ("time.20", "after 20 minutes"),
    ("time.30", "after 30 minutes"),
    ("choice", "the dealer chooses before every hand"),
)
BOMBS = (
    ("off", "none"),
    ("vote", "when all who play ask for one"),
    ("lap", "once a lap, and when all ask"),
    ("vote.2", "on two boards, when all who play ask for one"),
    ("lap.2", "on two boards, once a lap, and when all ask"),
)
_BOMB_WORDS = {
    "off": "",
    "vote": "bomb pot by vote",
    "lap": "bomb pot once a lap",
    "vote.2": "bomb pot by vote, two boards",
    "lap.2": "bomb pot once a lap, two boards",
}
CHOICE_SECONDS = ("10", "20", "30", "60", "120")


def mix_choices(settings: TableSettings) -> tuple[Choice, ...]:
    """What may be changed about the games of a table, with its values now."""
    rotation, bomb = settings.rotation, settings.bomb
    if rotation is None:
        games: tuple[Choice, ...] = (Choice(GAMES_FIELD, "Game", settings.card.name),)
    else:
        games = (Choice(GAMES_FIELD, "Games", f"{rotation.name}: {games_line(rotation)}"),)
        games += (Choice("turning", "Next game", turning_words(rotation), TURNINGS, _turning(rotation)),)
        if rotation.change is Change.CHOICE:
            places = tuple((str(place), game.card.name) for place, game in enumerate(rotation.games[:25]))
            default = rotation.games[rotation.default].card.name
            games += (Choice("default", "Game when nobody chooses", default, places, str(rotation.default)),)
            seconds = str(rotation.choice_seconds)
            listed = tuple((one, f"{one} s") for one in CHOICE_SECONDS)
            games += (Choice("choice", "Time to choose", f"{seconds} s", listed, seconds),)
    now = _bomb(bomb)
    return (*games, Choice("bomb", "Bomb pot", dict(BOMBS)[now], BOMBS, now))


def _bomb(bomb: Bomb | None) -> str:
    """The bomb pot of a table, as in `BOMBS`."""
    if bomb is None:
        return "off"
    return ("lap" if bomb.when is BombWhen.LAP else "vote") + (".2" if bomb.game.card.boards > 1 else "")


def bomb_words(settings: TableSettings) -> str:
    """The bomb pot of a table in a few words, ``bomb pot once a lap``; empty where there is none (VC-29)."""
    return _BOMB_WORDS[_bomb(settings.bomb)]


def games_line(rotation: Rotation) -> str:
    """The games of a mixture, the first few by name."""
    names = [game.card.name for game in rotation.games]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def turning_words(rotation: Rotation) -> str:
    """When a mixed table goes on to its next game."""
    match rotation.change:
        case Change.DEALS:
            return "after every hand" if rotation.deals == 1 else f"after {rotation.deals:,} hands"
        case Change.TIME:
            return f"after {rotation.minutes:,} minutes"
        case Change.CHOICE:
            return "the dealer chooses before every hand"
        case Change.LAP:
            return "after a lap"


def games_form(table: int, hand: int, now: str, user: int) -> Form:
    """Ask for the games of a table."""
    field = TextField(
        GAMES_FIELD,
        "Game, or games with a stroke between",
        description="holdem / omaha + joker bug / razz, or a mixture: horse, 8-game, dealer's choice",
        placeholder=cut(now, 100),
        most=GAMES_MOST,
    )
    return Form("What is played here", ids.form(table, hand, 0, Verb.SETTINGS, user), (field,))


def house_games_panel(games: Sequence[HouseGame]) -> Panel:
    """List the house games of a server."""
    if not games:
        return Panel(
            LOBBY, (Text("No house game is saved here. `/house save` keeps the rules of this channel's table."),)
        )
    lines = ["### House games", "-# `/table open` offers them by name."]
    room = 3500
    for game in games:
        line = f"**{escape.text(game.name)}** {_rules(game.settings)} · by <@{game.by}>"
        room -= len(line) + 1
        if room < 0:
            lines.append("-# and more")
            break
        lines.append(line)
    return Panel(LOBBY, (Text("\n".join(lines)),))


def house_game_panel(game: HouseGame, *, forgotten: bool = False) -> Panel:
    """The answer to a house game that was saved, or forgotten."""
    name = escape.text(game.name)
    if forgotten:
        return Panel(RESULT, (Text(f"The house game **{name}** is forgotten."),))
    text = f"Saved: **{name}**, {_rules(game.settings)}. `/table open` offers it."
    return Panel(RESULT, (Text(f"{text}\n-# Law H-2"),))


def what_is_played(settings: TableSettings) -> str:
    """The game of a table, or the name of its mixture."""
    return settings.card.name if settings.rotation is None else settings.rotation.name


def _rules(settings: TableSettings) -> str:
    """What a house game plays, for what, and its bomb pot: ``H.O.R.S.E. 10/20 limit · bomb pot by vote``."""
    told = f"{what_is_played(settings)} {stakes_short(settings)}"
    bomb = bomb_words(settings)
    return f"{told} · {bomb}" if bomb else told


def _turning(rotation: Rotation) -> str:
    match rotation.change:
        case Change.DEALS:
            return f"deals.{rotation.deals}"
        case Change.TIME:
            return f"time.{rotation.minutes}"
        case Change.CHOICE:
            return "choice"
        case Change.LAP:
            return "lap"
