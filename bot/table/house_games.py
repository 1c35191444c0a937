"""House games: sets of rules that a server saves under a name, to open tables with.

Law: H-2 ("a game may add house rules, but in writing").
"""

from collections.abc import Iterable

from msgspec import Struct

from bot.table.refusals import InvalidHouseGameName, TooManyHouseGames, UnknownHouseGame
from bot.table.settings import TableSettings
from bot.table.validate_settings import validate_settings

HOUSE_GAME_NAME_MAX = 40
"""The longest name of a house game, in characters."""
HOUSE_GAMES_MAX = 100
"""The most house games that a server can have."""


class HouseGame(Struct, frozen=True):
    """A named set of rules: game or mixture, options, stakes, notes and clocks. `saved_by` is a user id, `saved_at` is in ms."""

    name: str
    settings: TableSettings
    saved_by: int
    saved_at: int


def save_house_game(house_games: Iterable[HouseGame], new: HouseGame) -> tuple[HouseGame, ...]:
    """Save a house game and return all of them, sorted by name. It replaces one of the same name.

    Raises:
        InvalidHouseGameName, TooManyHouseGames.
        LawError: the rules do not go together (see `validate_settings`).
    """
    name = " ".join(new.name.split())
    if not name or len(name) > HOUSE_GAME_NAME_MAX:
        raise InvalidHouseGameName(maximum=HOUSE_GAME_NAME_MAX)
    validate_settings(new.settings)
    kept = [game for game in house_games if game.name.casefold() != name.casefold()]
    if len(kept) >= HOUSE_GAMES_MAX:
        raise TooManyHouseGames(maximum=HOUSE_GAMES_MAX)
    saved = HouseGame(name, new.settings, new.saved_by, new.saved_at)
    return tuple(sorted((*kept, saved), key=lambda game: game.name.casefold()))


def forget_house_game(house_games: Iterable[HouseGame], name: str) -> tuple[HouseGame, ...]:
    """Return the house games without the one of this name.

    Raises:
        UnknownHouseGame: there is no house game of that name.
    """
    games = tuple(house_games)
    forgotten = find_house_game(games, name)
    return tuple(game for game in games if game is not forgotten)


def find_house_game(house_games: Iterable[HouseGame], name: str) -> HouseGame:
    """Find a house game by its name. Capital letters do not matter.

    Raises:
        UnknownHouseGame: there is no house game of that name.
    """
    wanted, games = " ".join(name.split()).casefold(), tuple(house_games)
    for game in games:
        if game.name.casefold() == wanted:
            return game
    raise UnknownHouseGame(name=name, known=tuple([game.name for game in games]))
