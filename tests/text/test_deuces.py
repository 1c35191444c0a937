"""People read one word for the lowest rank: a deuce. Files of hands keep the words of their formats."""

import re

import pytest

from bot.text.build import template

STRAY = re.compile(
    r"\b(?:twos|treys?|(?:black|red) two\b"
    r"|two of (?:clubs|diamonds|hearts|spades)|(?:a|under a|over a|pair of) two(?=[.,;:!?]|$)|two to (?:seven|ace|king))",
    re.IGNORECASE,
)


def stray_twos(text: str) -> list[str]:
    """Return the ranks that a text calls a two, or a trey."""
    return [found.group() for found in STRAY.finditer(text)]


def test_nothing_that_people_read_calls_a_deuce_a_two() -> None:
    found = {}
    for message in template():
        for text in (message.id,) if isinstance(message.id, str) else message.id:
            if stray := stray_twos(text):
                found[text] = stray
    assert found == {}


@pytest.mark.parametrize(
    "text",
    ["a pair of twos", "the two of hearts is wild", "low under a two.", "seven, four, trey, deuce", "black twos"],
)
def test_a_stray_two_is_found(text: str) -> None:
    assert stray_twos(text)


@pytest.mark.parametrize("text", ["exactly two of your cards", "one board or two, not 3", "two pair, aces and deuces"])
def test_a_number_is_no_rank(text: str) -> None:
    assert not stray_twos(text)
