"""Several games in one line, as people list them: ``holdem / omaha + joker bug / razz``; and the named mixtures.

Source: laws VC-28, H-2.
"""

import re

from msgspec import Struct

from bot.engine.card import RuleCard
from bot.engine.mixes import Change
from bot.variants.finding import game, plain, search
from bot.variants.mixes import MIXES, find_mix

_BETWEEN = re.compile("[/;|]")
CUSTOM = "Mixed"
"""What a list of games is called that nobody has named."""


class Listed(Struct, frozen=True):
    """Games that somebody named: one, or several in turn. `name` is that of the mixture, empty for one game."""

    games: tuple[RuleCard, ...]
    name: str = ""
    change: Change = Change.LAP

    @property
    def mixed(self) -> bool:
        return len(self.games) > 1


def listed(words: str) -> Listed:
    """Read what somebody wants dealt: a game, a mixture by its name, or games with a stroke between them.

    Raises:
        UnknownGame, NotABettingGame, CannotModify: of any game in the line.
    """
    mix = find_mix(words)
    if mix is not None:
        return Listed(tuple(game(key) for key in mix.games), mix.name, mix.change)
    parts = [part for part in _parts(words) if part] or [words]
    if len(parts) == 1:
        return Listed((game(parts[0]),))
    found = tuple(game(part) for part in parts)
    return Listed(found, f"{CUSTOM} ({len(found)} games)")


def completions(words: str, most: int = 25) -> tuple[tuple[str, str], ...]:
    """What a half-written line may become: its name and what to type for it. Mixtures come first; after a stroke, the next game."""
    *before, last = _parts(words)
    known = [part for part in before if part]
    if known:
        start = " / ".join(known)
        found = [(f"{start} / {card.name}", f"{start} / {card.key}") for card in search(last)]
    else:
        asked = plain(words)
        mixes = [
            (mix.name, mix.key)
            for mix in MIXES
            if any(asked in plain(name) for name in (mix.key, mix.name, *mix.aliases, "mixed"))
        ]
        found = mixes + [(card.name, card.key) for card in search(words)]
    return tuple(found[:most])


def _parts(words: str) -> list[str]:
    return [part.strip() for part in _BETWEEN.split(words)]
