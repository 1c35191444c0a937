"""Finding laws: by id or words, as somebody types, and by the kinds of games they apply to."""

from collections.abc import Collection
from functools import cache

from bot.laws.book import Law, laws


def search(typed: str) -> tuple[Law, ...]:
    """Find laws by id or words, best first; all of them for nothing typed.

    Ids match without their hyphen (``tl4``, ``TL 4``) and from their beginning (``tl``). Otherwise every word typed
    must occur, in the title (better) or in the text or source.
    """
    folded = _fold(typed)
    needles = folded.split()
    if not needles:
        return laws()
    joined = "".join(needles)
    scored: list[tuple[int, int, Law]] = []
    for place, (id_, title, text) in enumerate(_index()):
        if id_ == joined:
            score = 0
        elif id_.startswith(joined):
            score = 1
        elif all(f" {needle}" in title for needle in needles):
            score = 2
        elif all(needle in title for needle in needles):
            score = 3
        elif all(f" {needle}" in text for needle in needles):
            score = 4
        elif all(needle in text for needle in needles):
            score = 5
        else:
            continue
        scored.append((score, place, laws()[place]))
    return tuple(found for _, _, found in sorted(scored, key=lambda entry: entry[:2]))


def due(games: Collection[str]) -> tuple[Law, ...]:
    """The laws that apply where games of these marks are dealt."""
    wanted = frozenset(games)
    return tuple(one for one in laws() if wanted.intersection(one.games))


@cache
def _index() -> tuple[tuple[str, str, str], ...]:
    """Each law's id without hyphen, its title, and title, text and source together, folded for comparing."""
    return tuple(
        (
            one.id.replace("-", "").lower(),
            f" {_fold(one.title)}",
            f" {_fold(one.title)} {_fold(one.text)} {_fold(one.source)}",
        )
        for one in laws()
    )


def _fold(words: str) -> str:
    """Small letters, with hyphens, underscores and marks as spaces, so ``all-in`` and ``all in`` are the same."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in words.lower().replace("'", "")).split())
