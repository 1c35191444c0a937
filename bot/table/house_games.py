"""House games: rule sets that a server has given a name, to open tables with.

Source: laws H-2 ("a game may add house rules, but in writing"); issue 3 "Tables of one's own making".
"""

from collections.abc import Iterable

from msgspec import Struct

from bot.table.errors import BadHouseName
from bot.table.rules import check_settings
from bot.table.settings import TableSettings

NAME_MAX = 40
"""Letters of a house game's name."""
GAMES_MAX = 100
"""House games of one server."""


class HouseGame(Struct, frozen=True):
    """A named rule set of a server: game or mixture, options, stakes, notes; also the clocks. `by` is who saved it, `at` when, in ms."""

    name: str
    settings: TableSettings
    by: int
    at: int


def save(known: Iterable[HouseGame], new: HouseGame) -> tuple[HouseGame, ...]:
    """Save a rule set under its name; one of the same name gives way to it. Sorted by name.

    Raises:
        BadHouseName: no name, one too long, or too many house games. LawError: the rules do not go together (`check_settings`).
    """
    name = " ".join(new.name.split())
    if not name or len(name) > NAME_MAX:
        raise BadHouseName(name=new.name, why=f"a house game has a name of 1 to {NAME_MAX} letters")
    check_settings(new.settings)
    kept = [one for one in known if one.name.casefold() != name.casefold()]
    if len(kept) >= GAMES_MAX:
        raise BadHouseName(name=name, why=f"a server keeps at most {GAMES_MAX} house games")
    saved = HouseGame(name, new.settings, new.by, new.at)
    return tuple(sorted((*kept, saved), key=lambda one: one.name.casefold()))


def forget(known: Iterable[HouseGame], name: str) -> tuple[HouseGame, ...]:
    """Forget a house game.

    Raises:
        BadHouseName: there is none of that name.
    """
    found = find(known, name)
    return tuple(one for one in known if one is not found)


def find(known: Iterable[HouseGame], name: str) -> HouseGame:
    """Find a house game by its name; capitals do not matter.

    Raises:
        BadHouseName: there is none of that name.
    """
    wanted = " ".join(name.split()).casefold()
    for one in known:
        if one.name.casefold() == wanted:
            return one
    raise BadHouseName(name=name, why="no house game has that name")
