"""Lists, durations and ranks are written in words."""

import pytest

from bot.text.durations import duration, ordinal
from bot.text.formatting import join_and, join_list, join_or


@pytest.mark.parametrize(
    ("words", "or_phrase", "and_phrase", "listed"),
    [
        ((), "", "", ""),
        (("fold",), "fold", "fold", "fold"),
        (("fold", "call"), "fold or call", "fold and call", "fold, call"),
        (("fold", "call", "raise"), "fold, call, or raise", "fold, call, and raise", "fold, call, raise"),
    ],
)
def test_words_are_joined(words: tuple[str, ...], or_phrase: str, and_phrase: str, listed: str) -> None:
    assert (join_or(words), join_and(words), join_list(words)) == (or_phrase, and_phrase, listed)


@pytest.mark.parametrize(
    ("seconds", "phrase"),
    [(0, "0 s"), (30, "30 s"), (60, "1 min"), (90, "90 s"), (7_200, "2 h"), (86_400, "1 day"), (259_200, "3 days")],
)
def test_durations_use_the_largest_exact_unit(seconds: int, phrase: str) -> None:
    assert duration(seconds) == phrase


@pytest.mark.parametrize(
    ("number", "phrase"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (22, "22nd"), (112, "112th")]
)
def test_ranks_are_ordinals(number: int, phrase: str) -> None:
    assert ordinal(number) == phrase
