"""Search for laws by id or words, as people type them."""

from functools import cache

from bot.laws.book import Law, laws


def search_laws(typed: str) -> tuple[Law, ...]:
    """Find laws by id or words, the best match first. Nothing typed finds all of them.

    Ids match without their hyphen (``tl4``, ``TL 4``) and from their beginning (``tl``). Otherwise every word must occur in the title,
    which is the better match, or in the text or source.
    """
    folded = _fold(typed)
    words = folded.split()
    if not words:
        return laws()
    joined = "".join(words)
    scored: list[tuple[int, int, Law]] = []
    for law_index, (id_, title, text) in enumerate(_index()):
        if id_ == joined:
            score = 0
        elif id_.startswith(joined):
            score = 1
        elif all(f" {word}" in title for word in words):
            score = 2
        elif all(word in title for word in words):
            score = 3
        elif all(f" {word}" in text for word in words):
            score = 4
        elif all(word in text for word in words):
            score = 5
        else:
            continue
        scored.append((score, law_index, laws()[law_index]))
    return tuple(found for _, _, found in sorted(scored, key=lambda entry: entry[:2]))


@cache
def _index() -> tuple[tuple[str, str, str], ...]:
    """Return each law's id without hyphen, its title, and title, text and source together, folded for comparing."""
    return tuple(
        (
            one.id.replace("-", "").lower(),
            f" {_fold(one.title)}",
            f" {_fold(one.title)} {_fold(one.text)} {_fold(one.source)}",
        )
        for one in laws()
    )


def _fold(words: str) -> str:
    """Small letters, with a space for every other sign, so ``all-in`` and ``all in`` are the same."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in words.lower().replace("'", "")).split())
