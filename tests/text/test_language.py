"""Messages are in the reader's language: look-up, plural forms, numbers, and the languages that Discord asks for."""

from __future__ import annotations

import gettext
import io

import pytest
from babel.messages.catalog import Catalog

from bot.text import language
from bot.text.build import compiled
from bot.text.language import ENGLISH, Language, current, language_for, message, number, plural, reading, remembered, t

POT = message("Pot {chips:,}")
CARDS = plural("{count} card", "{count} cards")


def german() -> Language:
    """Return a small translation with other plural words and other separators."""
    catalog = Catalog(locale="de")
    catalog.add("Pot {chips:,}", "Topf {chips:,}")
    catalog.add(("{count} card", "{count} cards"), ("{count} Karte", "{count} Karten"))
    catalog.add(",", ".")
    return Language("de", gettext.GNUTranslations(io.BytesIO(compiled(catalog))))


def test_english_is_the_source() -> None:
    assert t(POT, chips=12_500) == "Pot 12,500"
    assert (t(CARDS, count=1), t(CARDS, count=3)) == ("1 card", "3 cards")
    assert number(1_000_000) == "1,000,000"


def test_a_translation_brings_words_plurals_and_numbers() -> None:
    with reading(german()):
        assert t(POT, chips=12_500) == "Topf 12.500"
        assert (t(CARDS, count=1), t(CARDS, count=0)) == ("1 Karte", "0 Karten")
        assert number(1_000_000) == "1.000.000"


def test_a_missing_translation_falls_back_to_english() -> None:
    with reading(german()):
        assert t(message("Fold")) == "Fold"


def test_a_remembered_text_is_written_once_in_each_language() -> None:
    written: list[int] = []

    @remembered(maximum=8)
    def pot(chips: int) -> str:
        written.append(chips)
        return t(POT, chips=chips)

    assert (pot(1_500), pot(1_500)) == ("Pot 1,500", "Pot 1,500")
    with reading(german()):
        assert pot(1_500) == "Topf 1.500"
    assert pot(1_500) == "Pot 1,500"
    assert written == [1_500, 1_500]


def test_remembered_texts_are_bounded() -> None:
    written: list[int] = []

    @remembered(maximum=2)
    def pot(chips: int) -> str:
        written.append(chips)
        return t(POT, chips=chips)

    for chips in (1, 2, 3, 1):
        pot(chips)
    assert written == [1, 2, 3, 1]


def test_the_language_ends_with_its_block() -> None:
    with reading(german()), pytest.raises(RuntimeError):
        raise RuntimeError
    assert current() is ENGLISH


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        t(POT)


@pytest.mark.parametrize("locale", ["fr", "xx", "", "../../etc", "en-GB", "pt-BR" * 50])
def test_an_unknown_locale_reads_english(locale: str) -> None:
    assert language_for(locale) is ENGLISH


def test_a_regional_locale_falls_back_to_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "KNOWN", {})
    monkeypatch.setattr(language, "_compiled", lambda code: german() if code == "de" else None)
    assert language_for("de-AT").code == "de"


def test_remembered_locales_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "KNOWN", {})
    for at in range(1_000):
        language_for(f"x{at}")
    assert len(language.KNOWN) <= 100
