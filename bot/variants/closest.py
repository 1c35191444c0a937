"""What somebody probably meant by a name that is not known: "Did you mean …?"

Source: law H-2.
"""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeVar

from bot.engine.options.wild_cards import WILD_WORDS, UnknownWildCards, parse_wild_cards
from bot.engine.rule_card import RuleCard
from bot.variants.catalogue import CATALOGUE, MODIFIERS_SEPARATOR, find_modifier, game, normalise_name, search_games
from bot.variants.mixes import MIXES
from bot.variants.modifiers import MODIFIERS, CannotModify

Meant = TypeVar("Meant")

SUGGESTIONS_MAX = 3
_PART_MIN = 3
"""The fewest letters that are looked for inside a name."""
_SIMILAR = 0.65
"""How much of two names must be the same, from 0 to 1."""
_FAR_BEHIND = 0.15
"""A name that is so much less like it than the closest one was not meant."""


def closest(typed: str, names: Mapping[str, Meant], max_results: int = SUGGESTIONS_MAX) -> tuple[Meant, ...]:
    """Return what the names most like a typed one stand for, the closest first; empty where none is like it.

    A name is also compared word by word and by its beginning, so that ``hols`` finds *No-Limit Hold'em*.
    """
    wanted = normalise_name(typed)
    if not wanted:
        return ()
    scored = sorted(
        ((_likeness(wanted, name), -index, meant) for index, (name, meant) in enumerate(names.items())),
        key=lambda one: one[:2],
        reverse=True,
    )
    found: list[Meant] = []
    least = max(_SIMILAR, scored[0][0] - _FAR_BEHIND) if scored else _SIMILAR
    for likeness, _, meant in scored:
        if likeness >= least and meant not in found:
            found.append(meant)
    return tuple(found[:max_results])


def closest_words(typed: str, words: Iterable[str], max_results: int = SUGGESTIONS_MAX) -> tuple[str, ...]:
    """Return the words most like a typed one, the closest first."""
    return closest(typed, {word: word for word in words}, max_results)


def closest_games(typed: str, max_results: int = SUGGESTIONS_MAX) -> tuple[RuleCard, ...]:
    """Return the games that somebody probably meant, the closest first. Modifiers are corrected too: ``omaha + jocker``."""
    if not normalise_name(typed):
        return ()
    base, *rest = [part for part in MODIFIERS_SEPARATOR.split(typed) if part.strip()] or [typed]
    cards = search_games(base, max_results) or closest(base, _games_by_name(), max_results)
    if not rest:
        return cards
    names = {name: one.key for one in MODIFIERS for name in (one.key, one.name, *one.aliases)}
    found: list[RuleCard] = []
    for card in cards:
        keys = [one.key if (one := find_modifier(part)) else next(iter(closest(part, names)), "") for part in rest]
        try:
            found.append(game("+".join((card.key, *filter(None, keys)))))
        except CannotModify:
            found.append(card)
    return tuple(found)


def closest_game_names(
    typed: str, house_games: Iterable[str] = (), max_results: int = SUGGESTIONS_MAX
) -> tuple[tuple[str, str], ...]:
    """Return the games, mixed games and house games that somebody probably meant: the name of each, and what to type for it."""
    if MODIFIERS_SEPARATOR.search(typed):
        return tuple((card.name, card.key) for card in closest_games(typed, max_results))
    others = {name: (name, name) for name in house_games}
    others |= {name: (mix.name, mix.key) for mix in MIXES for name in (mix.name, mix.key, *mix.aliases)}
    wanted = normalise_name(typed)
    containing = [
        meant for name, meant in others.items() if len(wanted) >= _PART_MIN and wanted in normalise_name(name)
    ]
    found = [*containing, *((card.name, card.key) for card in search_games(typed) if wanted)]
    games = {name: (card.name, card.key) for name, card in _games_by_name().items()}
    return tuple(dict.fromkeys(found or closest(typed, others | games, max_results)))[:max_results]


def closest_wild_cards(typed: str) -> tuple[str, ...]:
    """Return the wild cards that somebody probably meant: each word that names none is corrected. Empty where that is no use."""
    words = [
        word if word in WILD_WORDS else next(iter(closest_words(word, WILD_WORDS, 1)), "") for word in typed.split()
    ]
    meant = " ".join(words)
    try:
        parse_wild_cards(meant)
    except UnknownWildCards:
        return ()
    return (meant,) if all(words) else ()


def _games_by_name() -> dict[str, RuleCard]:
    return {name: card for card in CATALOGUE for name in (card.name, card.key, *card.aliases)}


def _likeness(wanted: str, name: str) -> float:
    """Return how like a name is to a normalised word: as a whole, or one of its words or their beginnings.

    From 0 to 1; less than `_SIMILAR` is told as 0.
    """
    whole, *parts = _words_of(name)
    in_part = max([_ratio(wanted, part[: len(wanted)]) for part in parts if part], default=0.0)
    return max(_ratio(wanted, whole), 0.95 * in_part)


def _ratio(wanted: str, other: str) -> float:
    """Return how much of two words is the same; 0 where they have too few letters in common, in whatever order.

    Every keystroke is compared with a thousand words, and nearly all of them are nothing like it: that is quickly seen.
    """
    enough = _SIMILAR * (len(wanted) + len(other))
    if 2 * min(len(wanted), len(other)) < enough:
        return 0.0
    if 2 * sum([min(wanted.count(letter), other.count(letter)) for letter in set(wanted)]) < enough:
        return 0.0
    return SequenceMatcher(None, wanted, other).ratio()


@lru_cache(maxsize=4096)
def _words_of(name: str) -> tuple[str, ...]:
    """Return a name and its words, normalised."""
    return tuple([normalise_name(word) for word in (name, *name.replace("_", " ").replace("-", " ").split())])
