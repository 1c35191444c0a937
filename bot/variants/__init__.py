"""Every game the dealer knows, as rule cards, found by key, name or alias."""

from bot.engine.card import RuleCard
from bot.engine.errors import LawError
from bot.variants import draw, holdem, home, lowball, omaha, stud

CATALOGUE: tuple[RuleCard, ...] = (*holdem.CARDS, *omaha.CARDS, *draw.CARDS, *lowball.CARDS, *stud.CARDS, *home.CARDS)


class UnknownGame(LawError):
    """No game goes by that name. `known` lists the names of those that do."""

    law = "H-2"

    def __init__(self, *, word: str) -> None:
        self.known = tuple(card.name for card in CATALOGUE)
        super().__init__(f"no game is called {word!r}; known: {', '.join(self.known)}")
        self.word = word


def _plain(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter.isalnum())


_BY_NAME = {
    _plain(word): card for card in reversed(CATALOGUE) for word in (card.key, card.name, *card.aliases)
}  # fmt: skip


def game(word: str) -> RuleCard:
    """Find a game by its key, name or an alias; capitals, spaces and signs do not matter.

    Raises:
        UnknownGame: nothing goes by that name.
    """
    found = _BY_NAME.get(_plain(word))
    if found is None:
        raise UnknownGame(word=word)
    return found


def search(words: str, most: int = 25) -> tuple[RuleCard, ...]:
    """Games whose key, name, alias or family contains the words, for autocomplete; all of them for none."""
    plain = _plain(words)
    return tuple(
        card for card in CATALOGUE
        if any(plain in _plain(word) for word in (card.key, card.name, card.family, *card.aliases))
    )[:most]  # fmt: skip
