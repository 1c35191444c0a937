"""Find games by the names that people use, with modifiers laid over them: ``omaha + joker bug``, ``holdem +36``.

Source: laws H-2, VB-9 to VB-13, VC-30.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from bot.engine.errors import LawError
from bot.engine.options.wild_cards import UnknownWildCards
from bot.engine.rule_card import RuleCard
from bot.variants import draw, holdem, home, lowball, omaha, stud
from bot.variants.modifiers import MODIFIERS, Modifier, apply_modifier, wild_card_modifiers

_FAMILIES = (holdem, omaha, draw, lowball, stud, home)
CATALOGUE: tuple[RuleCard, ...] = tuple(
    {card.key: card for family in _FAMILIES for card in vars(family).values() if isinstance(card, RuleCard)}.values()
)
"""Every game that the modules of the families declare, in their order."""

NO_BETTING_GAMES = ("chinese", "chinese poker", "open-face chinese", "open face chinese poker", "ofc", "pineapple ofc")
"""Games of points, without bets and without a pot: they are not dealt here (VC-30)."""


class UnknownGame(LawError, law="H-2"):
    """No game has that name. `house_games` are the names of those that could also have been meant."""

    word: str
    house_games: tuple[str, ...] = ()


class NotABettingGame(LawError, law="VC-30"):
    """A game of points, without bets and without a pot."""

    word: str


@lru_cache(maxsize=1_024)  # the catalogue has some 500; what people type can be long
def normalise_name(word: str) -> str:
    """Return a name as names are compared: its letters and digits, in small letters."""
    return "".join(letter for letter in word.casefold() if letter.isalnum())


_CARDS_BY_NAME = {
    normalise_name(word): card for card in reversed(CATALOGUE) for word in (card.key, card.name, *card.aliases)
}
_MODIFIERS_BY_NAME = {normalise_name(word): one for one in MODIFIERS for word in (one.key, one.name, *one.aliases)}
_NO_BETTING = frozenset(map(normalise_name, NO_BETTING_GAMES))
MODIFIERS_SEPARATOR = re.compile(r"(?:\+|,|\bwith\b)(?:\s*the\b)?", re.IGNORECASE)


def game(word: str) -> RuleCard:
    """Find a game by its key, name or an alias; capitals, spaces and signs do not matter.

    Modifiers can follow the name, each behind a plus, a comma or "with": see `bot.variants.modifiers`.

    Raises:
        UnknownGame: there is no such game or modifier.
        NotABettingGame: the game is not dealt here (VC-30).
        CannotModify: a modifier does not go with the game.
    """
    found = _CARDS_BY_NAME.get(normalise_name(word))
    if found is not None:
        return found
    if normalise_name(word) in _NO_BETTING:
        raise NotABettingGame(word=word)
    base, *rest = [part for part in MODIFIERS_SEPARATOR.split(word) if part.strip()] or [word]
    card = _CARDS_BY_NAME.get(normalise_name(base))
    modifiers = [modifier for part in rest for modifier in find_modifiers(part) or (None,)]
    if card is None or None in modifiers:
        raise UnknownGame(word=word)
    for modifier in modifiers:
        assert modifier is not None
        card = apply_modifier(card, modifier)
    return card


def base_game(card: RuleCard) -> RuleCard:
    """Return the game that a card was made of, with the modifiers that its key names, and none of the game's own options set.

    Raises:
        UnknownGame: the card was made of no game of the catalogue.
    """
    return game(card.key)


def find_modifier(word: str) -> Modifier | None:
    """Find a modifier by its key, its name or an alias; None if there is none."""
    return _MODIFIERS_BY_NAME.get(normalise_name(word))


def find_modifiers(words: str) -> tuple[Modifier, ...]:
    """Find what words lay over a game: one modifier, or one for each class of cards that they make wild; none if they mean nothing."""
    known = find_modifier(words)
    if known is not None:
        return (known,)
    try:
        return wild_card_modifiers(words)
    except UnknownWildCards:
        return ()


def search_games(words: str, max_results: int = 25) -> tuple[RuleCard, ...]:
    """Return games whose key, name, alias or family contains the words, for autocomplete; all of them for none.

    A game of exactly that name comes first, then those with a name that begins so. After a whole name and a plus, the game is offered
    with each modifier that goes with it.
    """
    base, plus, modifier = words.rpartition("+")
    if plus and normalise_name(base) and (modified := _with_modifiers(base, modifier, max_results)):
        return modified
    typed = normalise_name(words)
    found = [(_match_quality(typed, (card.key, card.name, *card.aliases), card.family), card) for card in CATALOGUE]
    return tuple(card for quality, card in sorted(found, key=lambda one: one[0]) if quality < _NO_MATCH)[:max_results]


_IS_NAME, _BEGINS_NAME, _IN_NAME, _NO_MATCH = range(4)


def _match_quality(typed: str, names: Sequence[str], family: str = "") -> int:
    """Return how well a normalised word matches one of several names, 0 for the best; `_NO_MATCH` if none has it, nor the family."""
    normalised = [normalise_name(name) for name in names]
    if typed in normalised:
        return _IS_NAME
    if any(name.startswith(typed) for name in normalised):
        return _BEGINS_NAME
    return _IN_NAME if any(typed in name for name in (*normalised, normalise_name(family))) else _NO_MATCH


def _with_modifiers(base: str, modifier_text: str, max_results: int) -> tuple[RuleCard, ...]:
    try:
        card = game(base)
    except LawError:
        return ()
    found = []
    for one in MODIFIERS:
        if any(normalise_name(modifier_text) in normalise_name(word) for word in (one.key, one.name, *one.aliases)):
            try:
                found.append(apply_modifier(card, one))
            except LawError:  # it does not go with this game, so it is not offered
                continue
    if not found:
        try:
            for one in find_modifiers(modifier_text):
                card = apply_modifier(card, one)
        except LawError:
            return ()
        found = [card] if card.key != game(base).key else []
    return tuple(found[:max_results])
