"""Finding a game by what people call it, with whatever they want laid over it: ``omaha + joker bug``, ``holdem +36``.

Source: laws H-2, VB-9 to VB-13, VC-30.
"""

import re
from collections.abc import Sequence

from bot.engine.card import RuleCard
from bot.engine.errors import LawError
from bot.variants import draw, holdem, home, lowball, omaha, stud
from bot.variants.modifiers import MODIFIERS, Modifier, modified

CATALOGUE: tuple[RuleCard, ...] = (*holdem.CARDS, *omaha.CARDS, *draw.CARDS, *lowball.CARDS, *stud.CARDS, *home.CARDS)

NO_BETTING_GAMES = ("chinese", "chinese poker", "open-face chinese", "open face chinese poker", "ofc", "pineapple ofc")
"""Compared hand by hand for points, with no betting interval and no pot: not dealt here (VC-30)."""


class UnknownGame(LawError):
    """No game goes by that name. `known` lists the names of those that do."""

    law = "H-2"

    def __init__(self, *, word: str) -> None:
        self.known = tuple(card.name for card in CATALOGUE)
        super().__init__(f"no game is called {word!r}; known: {', '.join(self.known)}")
        self.word = word


class NotABettingGame(LawError):
    """A game of points, without bets and without a pot."""

    law = "VC-30"

    def __init__(self, *, word: str) -> None:
        super().__init__("not a betting game")
        self.word = word


def plain(word: str) -> str:
    """A word as it is compared: letters and figures, in small letters."""
    return "".join(letter for letter in word.casefold() if letter.isalnum())


_BY_NAME = {
    plain(word): card for card in reversed(CATALOGUE) for word in (card.key, card.name, *card.aliases)
}  # fmt: skip
_BY_WORD = {plain(word): one for one in MODIFIERS for word in (one.word, one.name, *one.spoken)}
_NO_BETTING = frozenset(map(plain, NO_BETTING_GAMES))
_BETWEEN = re.compile(r"(?:\+|,|\bwith\b)(?:\s*the\b)?", re.IGNORECASE)


def game(word: str) -> RuleCard:
    """Find a game by its key, name or an alias; capitals, spaces and signs do not matter.

    After it, each behind a plus, a comma or "with", may stand what is laid over it: see `bot.variants.modifiers`.

    Raises:
        UnknownGame: nothing goes by that name. NotABettingGame: it is not dealt here (VC-30).
        CannotModify: what is laid over it does not go with it.
    """
    found = _BY_NAME.get(plain(word))
    if found is not None:
        return found
    if plain(word) in _NO_BETTING:
        raise NotABettingGame(word=word)
    base, *rest = [part for part in _BETWEEN.split(word) if part.strip()] or [word]
    card = _BY_NAME.get(plain(base))
    over = [modifier_named(part) for part in rest]
    if card is None or None in over:
        raise UnknownGame(word=word)
    for one in over:
        assert one is not None
        card = modified(card, one)
    return card


def base_game(card: RuleCard) -> RuleCard:
    """The game a card was made of, as the catalogue has it, with all that its key says is laid over it, and no sheet option set.

    Raises:
        UnknownGame: it was made of none of the catalogue.
    """
    return game(card.key)


def modifier_named(word: str) -> Modifier | None:
    """Find what may be laid over a game by its word, its name or how it is spoken of."""
    return _BY_WORD.get(plain(word))


def search(words: str, most: int = 25) -> tuple[RuleCard, ...]:
    """Games whose key, name, alias or family contains the words, for autocomplete; all of them for none.

    A game of exactly that name comes first, then those with a name that begins so. Whoever types a whole game and a plus is offered
    what may be laid over it.
    """
    base, plus, over = words.rpartition("+")
    if plus and plain(base) and (laid := _laid_over(base, over, most)):
        return laid
    asked = plain(words)
    found = [(_nearness(asked, (card.key, card.name, *card.aliases), card.family), card) for card in CATALOGUE]
    return tuple(card for near, card in sorted(found, key=lambda one: one[0]) if near < _ELSEWHERE)[:most]


_EXACT, _BEGINS, _HOLDS, _ELSEWHERE = range(4)


def _nearness(asked: str, names: Sequence[str], family: str = "") -> int:
    """How near a plain word comes to one of several names, the nearest first; `_ELSEWHERE` if it is in none, nor in the family's."""
    spoken = [plain(name) for name in names]
    if asked in spoken:
        return _EXACT
    if any(name.startswith(asked) for name in spoken):
        return _BEGINS
    return _HOLDS if any(asked in name for name in (*spoken, plain(family))) else _ELSEWHERE


def _laid_over(base: str, over: str, most: int) -> tuple[RuleCard, ...]:
    try:
        card = game(base)
    except LawError:
        return ()
    found = []
    for one in MODIFIERS:
        if any(plain(over) in plain(word) for word in (one.word, one.name, *one.spoken)):
            try:
                found.append(modified(card, one))
            except LawError:  # it does not go with this game, so it is not offered
                continue
    return tuple(found[:most])
