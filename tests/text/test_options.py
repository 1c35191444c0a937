"""Every option and every value has its words, and there are no other words."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from bot.engine.options.register import OPTION_TYPES, REGISTER
from bot.engine.options.types import Group
from bot.text.options import (
    GROUP_HEADINGS,
    OPTION_WORDS,
    option_choice,
    option_meaning,
    option_name,
    option_question,
    option_value,
)
from bot.variants.sheet_options import SHEET_OPTIONS

SELECT_LABEL_MAX = 25
"""A name stands on a select, in a form and before a value, so it has to be short."""


def missing() -> Iterator[str]:
    """Say in words what the options lack."""
    declared = {one.field: {*map(str, OPTION_TYPES[one.field])} if one.values else set() for one in REGISTER}
    declared |= {one.option.field: {*one.option.values} for one in SHEET_OPTIONS}
    worded = {option: {*words.values} for option, words in OPTION_WORDS.items()}
    yield from (f"the option {option} has no words in bot/text/options.py" for option in declared.keys() - worded)
    yield from (
        f"bot/text/options.py has words for {option}, which is no option" for option in worded.keys() - declared
    )
    for option in declared.keys() & worded:
        for value in declared[option] - worded[option]:
            yield f"the value {value} of the option {option} has no words in bot/text/options.py"
        for value in worded[option] - declared[option]:
            yield f"bot/text/options.py has words for {value}, which is no value of the option {option}"


def test_every_option_and_value_has_words() -> None:
    assert "\n".join(missing()) == ""
    assert {*GROUP_HEADINGS} == {*Group}


def test_missing_words_of_an_option_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    words = OPTION_WORDS["cut"]
    monkeypatch.setitem(OPTION_WORDS, "cut", replace(words, values={"may": words.values["may"]}))
    assert "the value must of the option cut has no words in bot/text/options.py" in missing()


def test_words_are_short_names_and_whole_sentences() -> None:
    for option, words in OPTION_WORDS.items():
        assert 0 < len(option_name(option)) <= SELECT_LABEL_MAX, option
        for value in words.values:
            assert option_value(option, value) == option_value(option, value).strip() != ""
            assert option_meaning(option, value).endswith("."), (option, value)
            assert option_meaning(option, value)[0].isupper(), (option, value)
            assert option_meaning(option, value) in option_choice(option, value)


def test_every_option_asks_a_question_that_its_values_answer() -> None:
    asked = [option_question(option) for option in OPTION_WORDS]
    assert [question for question in asked if not question.endswith("?") or len(question) > 80] == []
    unset = {
        option: value
        for option, words in OPTION_WORDS.items()
        for value in words.values
        if option_value(option, value) == "none"
    }
    assert unset == {}, "a value says what it means"
    assert option_choice("limit", "no_limit") == "No limit: you can bet or raise everything you have."


def test_seats_are_counted() -> None:
    assert option_meaning("MAX_SEATS", "6") == "At most 6 seats."
    assert option_value("max_seats", "6") == "6"
