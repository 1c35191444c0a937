"""Draw what a table plays beside one game: several games in turn, dealer's choice, bomb pots; and the house games of a server.

Laws: VC-28, VC-29, H-2.
"""

from collections.abc import Sequence

from bot.engine.mixes import Rotation, RotationChange
from bot.render.house.house_pages import SettingChoice
from bot.render.message import custom_ids
from bot.render.message.limits import OPTIONS_MAX
from bot.render.message.panel import LOBBY, RESULT, Form, Panel, Text, TextField
from bot.table.house_games import HouseGame
from bot.table.settings import TableSettings
from bot.text import buttons as labels
from bot.text import mixed_games as words
from bot.text.buttons import Verb
from bot.text.durations import duration
from bot.text.formatting import shorten
from bot.text.game_names import game_name
from bot.text.language import t

GAMES_FIELD = "games"
GAMES_TEXT_MAX = 400
CHOICE_SECONDS = (10, 20, 30, 60, 120)
_LIST_LENGTH_MAX = 3_500


def mixed_game_choices(settings: TableSettings) -> tuple[SettingChoice, ...]:
    """Return what can be changed about the games of a table, with its values now."""
    rotation = settings.rotation
    if rotation is None:
        choices = [SettingChoice(GAMES_FIELD, t(words.GAME), game_name(settings.rule_card.name))]
    else:
        choices = [SettingChoice(GAMES_FIELD, t(words.GAMES), words.mixture_text(rotation))]
        choices.append(_game_change_choice(rotation))
        if rotation.change is RotationChange.DEALERS_CHOICE:
            choices += _dealers_choice_choices(rotation)
    bomb = words.bomb_pot_code(settings.bomb_pot)
    options = tuple((code, t(text)) for code, text in words.BOMB_POTS.items())
    return (*choices, SettingChoice("bomb", t(labels.BOMB_POT), t(words.BOMB_POTS[bomb]), options, bomb))


def _game_change_choice(rotation: Rotation) -> SettingChoice:
    code = words.game_change_code(rotation)
    options = tuple((each, words.game_change(each)) for each in words.GAME_CHANGES)
    return SettingChoice("turning", t(words.NEXT_GAME), words.game_change(code), options, code)


def _dealers_choice_choices(rotation: Rotation) -> tuple[SettingChoice, SettingChoice]:
    games = tuple(
        (str(index), game_name(game.rule_card.name)) for index, game in enumerate(rotation.games[:OPTIONS_MAX])
    )
    default = game_name(rotation.games[rotation.default_game_index].rule_card.name)
    seconds = tuple((str(each), duration(each)) for each in CHOICE_SECONDS)
    return (
        SettingChoice("default", t(words.DEFAULT_GAME), default, games, str(rotation.default_game_index)),
        SettingChoice(
            "choice", t(words.TIME_TO_CHOOSE), duration(rotation.choice_seconds), seconds, str(rotation.choice_seconds)
        ),
    )


def games_form(table: int, hand: int, now: str, user: int) -> Form:
    """Ask for the games of a table. `now` names those of the moment."""
    field = TextField(
        GAMES_FIELD,
        t(words.GAMES_LABEL),
        description=t(words.GAMES_HINT),
        placeholder=shorten(now, 100),
        max_length=GAMES_TEXT_MAX,
    )
    return Form(t(words.WHAT_IS_PLAYED), custom_ids.form_id(table, hand, 0, Verb.SETTINGS, user), (field,))


def house_games_panel(games: Sequence[HouseGame]) -> Panel:
    """List the house games of a server."""
    return Panel(LOBBY, (Text(words.house_games(games, _LIST_LENGTH_MAX) if games else t(words.NO_HOUSE_GAMES)),))


def house_game_panel(game: HouseGame, *, forgotten: bool = False) -> Panel:
    """Return the answer to a house game that was saved, or forgotten."""
    return Panel(RESULT, (Text(words.house_game_forgotten(game) if forgotten else words.house_game_saved(game)),))
