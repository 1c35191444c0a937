"""Names of players as a hand history can hold them: its readers find their way by colons, brackets and fixed words.

Names come from Discord, and anything can stand in them: line breaks, ``Seat 3:``, ``collected 500 from pot``. A name that is written here
is one line, has letters, digits, dots, hyphens, underscores and single spaces only, is no word of the grammar, and is nobody else's.
"""

from collections.abc import Sequence

MAX_NAME_LENGTH = 32
_SIGNS = "._- "
_WORDS_OF_THE_GRAMMAR = frozenset(
    (
        "a", "all-in", "an", "and", "ante", "before", "bets", "big", "blind", "blinds", "board", "brings", "button", "calls", "cancelled",
        "cap", "cards", "cashed", "checks", "chips", "collected", "connected", "dealer", "dealt", "deck", "discards", "disconnected",
        "first", "folded", "folds", "for", "from", "hand", "has", "in", "is", "joins", "leaves", "lost", "main", "mucked", "mucks", "on",
        "out", "pat", "player", "pokerstars", "posts", "pot", "raises", "returned", "run", "said", "seat", "second", "showed", "shows",
        "side", "sits", "sitting", "small", "stands", "straddle", "summary", "table", "the", "timed", "to", "total", "twice", "uncalled",
        "was", "will", "wins", "with", "won",
    )
)  # fmt: skip
"""A name of several words that has one of these keeps no spaces; a name that is one of these gets an underscore."""


def names_in_grammar(names: Sequence[str], seat_numbers: Sequence[int]) -> tuple[str, ...]:
    """Return the players' names as a hand history can hold them, each once.

    Args:
        names: by seat index; a seat without one is called by its number.
        seat_numbers: of all seats, by seat index.
    """
    found: list[str] = []
    taken: set[str] = set()
    for at, number in enumerate(seat_numbers):
        plain = plain_name(names[at] if at < len(names) else "") or f"Player {number}"
        name, copy = plain, 1
        while name.casefold() in taken:
            copy += 1
            name = f"{plain}_{copy}"
        taken.add(name.casefold())
        found.append(name)
    return tuple(found)


def plain_name(name: str) -> str:
    """Return a name without anything that a reader of hand histories could take for its grammar; empty if nothing is left."""
    kept = "".join(sign if sign.isalnum() or sign in _SIGNS else " " if sign.isspace() else "" for sign in name)
    words = kept[: 4 * MAX_NAME_LENGTH].split()
    if not any(sign.isalnum() for word in words for sign in word):
        return ""
    clashes = any(word.casefold() in _WORDS_OF_THE_GRAMMAR for word in words)
    plain = ("_" if clashes else " ").join(words)[:MAX_NAME_LENGTH].strip()
    return f"{plain}_" if plain.casefold() in _WORDS_OF_THE_GRAMMAR else plain
