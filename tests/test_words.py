"""Words that the glossary replaced do not come back, in names or in prose; test names stay short.

The words are searched in every name, comment and text of the program, also as a part of a name (``card_place``, ``DropAction``).
Files in which such a word has its ordinary meaning, or belongs to an old game or a stored format, are listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = tuple(sorted(path for folder in ("bot", "cogs") for path in (ROOT / folder).rglob("*.py")))
TESTS = tuple(sorted(path for path in (ROOT / "tests").rglob("*.py") if ROOT / "tests/data" not in path.parents))
MAX_WORDS_OF_TEST_NAME = 10

REPLACED = {
    "deck": "pack packs",
    "betting round, street": "interval intervals",
    "card index, seat index, seat number, position": "place places placed",
    "they, them, their": "he him his himself",
    "interaction, action, request": "deed deeds",
    "happen, event": "happening happenings",
    "describe": "telling",
    "act": "speaks spoken",
    "bet": "staked staking",
    "fold, discard, give up": "drop drops dropped",
    "request": "wish wishes",
    "apply, reconcile": "honoured tailored taste",
    "evaluator": "judge judges",
    "minimum, maximum": "lowermost uppermost",
    "hand value": "worths",
}
"""The word that we write, and the words that it replaces."""

ORDINARY: dict[str, tuple[str, ...]] = {
    "pack": ("bot/engine/ranking/", "bot/local/", "bot/store/", "bot/variants/modifiers.py"),  # to pack a number; what people type
    "interval": ("bot/engine/options/", "bot/engine/dealing/draws.py", "bot/local/gateway.py", "bot/store/postgres/", "bot/text/",
                 "bot/events/nights/schedule.py", "bot/variants/home.py"),
    "place": ("bot/",),  # "in place of"; the rank in a leaderboard; looked for in names below
    "places": ("bot/engine/ranking/rules.py", "bot/text/hand.py"),
    "placed": ("bot/local/slash_commands.py",),
    "drop": ("bot/local/", "bot/store/"),  # connections
    "drops": ("bot/store/codec.py",),
    "dropped": ("bot/runtime/", "bot/store/", "bot/engine/view/"),  # what is no longer needed
    "speaks": ("bot/line/site.py",),  # a protocol
    "staked": ("bot/store/",),  # a column of the database
}  # fmt: skip
"""Files in which a word stands in its ordinary meaning, or because it is stored."""

NAMES_WITH_PLACE = re.compile(
    r"\b(?!MY_PLACE\b|NO_OWN_PLACE\b|_?OWN_PLACE\b|own_place\b)(?:\w+_place|place_\w+|\w+_place_\w+|place)\b(?=\s*[=:(),\]])",
    re.IGNORECASE,
)

_NAME_PART = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@cache
def words_of(path: Path) -> tuple[tuple[int, str], ...]:
    """Return every word of a source file in small letters, with its line; a name counts as the words that it is made of."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found += [(number, word) for word in re.findall(r"[a-z]+", _NAME_PART.sub(" ", line).lower())]
    return tuple(found)


def uses(word: str) -> Iterator[str]:
    for path in SOURCES:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(ORDINARY.get(word, ()) or ("-",)):
            yield from (f"{name}:{number}" for number, found in words_of(path) if found == word)


@pytest.mark.parametrize(
    ("instead", "word"), [(instead, word) for instead, words in REPLACED.items() for word in words.split()]
)
def test_a_private_word_does_not_come_back(instead: str, word: str) -> None:
    found = list(uses(word))
    assert not found, f"write {instead} instead of {word!r}: {found[:20]}"


@pytest.mark.parametrize("word", ["he", "his", "him", "himself"])
def test_tests_also_say_they_for_a_player(word: str) -> None:
    quoting = {"test_words.py", "test_pages.py"}  # the list above, and a clause of the law book
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TESTS
        if path.name not in quoting
        for number, one in words_of(path)
        if one == word
    ]
    assert not found, f"write they, them or their instead of {word!r}: {found[:20]}"


def test_test_names_have_at_most_ten_words() -> None:
    names = [
        (path.relative_to(ROOT).as_posix(), name)
        for path in TESTS
        for name in re.findall(r"^ *(?:async )?def test_(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(names) > 1_000, "the search finds the tests"
    assert [found for found in names if len(found[1].split("_")) > MAX_WORDS_OF_TEST_NAME] == []


def test_no_name_calls_five_things_a_place() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()}"
        for path in SOURCES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if not line.lstrip().startswith(("#", '"'))
        and NAMES_WITH_PLACE.search(line.partition("#")[0])
        and '"' not in line
    ]
    assert found == []


def test_no_class_name_exists_twice() -> None:
    seen: dict[str, list[str]] = {}
    for path in SOURCES:
        for name in re.findall(r"^ *class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            seen.setdefault(name, []).append(path.relative_to(ROOT).as_posix())
    assert {name: files for name, files in seen.items() if len(files) > 1} == {}


def test_words_that_the_glossary_replaced_are_found(tmp_path: Path) -> None:
    """The search finds a word inside a name, and not inside another word."""
    source = tmp_path / "source.py"
    source.write_text("class DropCards: ...\ncard_place = 1\nreplaced = 2\n", encoding="utf-8")
    assert [word for _, word in words_of(source)] == ["class", "drop", "cards", "card", "place", "replaced"]
    assert NAMES_WITH_PLACE.search("card_place = 1")
