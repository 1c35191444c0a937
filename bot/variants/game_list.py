"""Several games in one line, as people list them: ``holdem / omaha + joker bug / razz``; and mixed games by name.

Source: laws VC-28, H-2.
"""

import re

from msgspec import Struct

from bot.engine.mixes import RotationChange
from bot.engine.rule_card import RuleCard
from bot.variants.catalogue import game, normalise_name, search_games
from bot.variants.closest import closest_game_names, closest_games
from bot.variants.mixes import MIXES, find_mix

_SEPARATOR = re.compile("[/;|]")
_UNNAMED_MIX = re.compile(r"Mixed \((\d+) games\)")


def unnamed_mix_size(name: str) -> int:
    """Return the number of games in a list that nobody has named, by the name it was given; 0 for any other name."""
    found = _UNNAMED_MIX.fullmatch(name)
    return int(found[1]) if found else 0


class GameList(Struct, frozen=True):
    """The games that somebody named: one, or several in turn. `name` is that of the mixed game, empty for one game."""

    games: tuple[RuleCard, ...]
    name: str = ""
    change: RotationChange = RotationChange.LAP

    @property
    def is_mixed(self) -> bool:
        return len(self.games) > 1


def parse_game_list(words: str) -> GameList:
    """Read which games somebody wants: a game, a mixed game by its name, or games with a stroke between them.

    Raises:
        UnknownGame, NotABettingGame, CannotModify: as `game`, for any game of the line.
    """
    mix = find_mix(words)
    if mix is not None:
        return GameList(tuple(game(key) for key in mix.games), mix.name, mix.change)
    parts = [part for part in _parts(words) if part] or [words]
    if len(parts) == 1:
        return GameList((game(parts[0]),))
    found = tuple(game(part) for part in parts)
    return GameList(found, f"Mixed ({len(found)} games)")


def complete_game_list(words: str, max_results: int = 25) -> tuple[tuple[str, str], ...]:
    """Suggest how a half-written line can go on: names, and what to type for them.

    Mixed games come first; after a stroke, the next game. Where nothing begins so, the names most like it.
    """
    *before, last = _parts(words)
    known = [part for part in before if part]
    if known:
        start = " / ".join(known)
        found = [
            (f"{start} / {card.name}", f"{start} / {card.key}") for card in search_games(last) or closest_games(last)
        ]
    else:
        typed = normalise_name(words)
        mixes = [
            (mix.name, mix.key)
            for mix in MIXES
            if any(typed in normalise_name(name) for name in (mix.key, mix.name, *mix.aliases, "mixed"))
        ]
        found = mixes + [(card.name, card.key) for card in search_games(words)]
        if not found and "+" not in words:
            found = list(closest_game_names(words))
    return tuple(found[:max_results])


def _parts(words: str) -> list[str]:
    return [part.strip() for part in _SEPARATOR.split(words)]
