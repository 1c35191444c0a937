"""A made-up language built from the catalogue: every message in lookalike letters, longer than in English, between brackets.

`Take a seat` becomes `⟦Ťáķé á šéáťøøø⟧`. Text that is not in the catalogue stays plain English, so that a test finds it at once.
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from bot.laws.book import laws
from bot.players import PracticePlayers
from bot.text import build
from bot.text.commands import COMMANDS
from bot.text.language import Language

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ACCENTED = "ÁƁČĎÉƑĞĤÍĴĶĹḾŃÓṔǪŔŠŤÚṼŴẊÝŽáƀčďéƒğĥíĵķĺḿńóṕǫŕšťúṽŵẋýž"
GREEK = "ΑΒϹΔΕΦΓΗΙЈΚΛΜΝΟΡϘЯΣΤΥѴШΧΨΖαβςδεφγηιјκλμνορϙгστυνωχψζ"

COMMAND_NAMES = sorted(COMMANDS, key=len, reverse=True)
NOT_WORDS = (
    r"<[^<>\s]+>"  # custom emojis, mentions, times
    r"|https?://\S+"
    r"|`[^`]*`"  # code: commands, law ids, what to type
    rf"|/(?:{'|'.join(COMMAND_NAMES)})\b"
    r"|(?<![A-Za-z])[A-Z]{1,4}-\d+(?!\d)"  # laws
)
KEPT = re.compile(rf"\{{[^{{}}]*\}}|{NOT_WORDS}|\*\*|__|-# |#+ |\n")
"""The parts of a message that every translation keeps: placeholders, markup, commands, law ids, addresses."""


def pseudo(english: str, letters: str = ACCENTED, brackets: str = "⟦⟧") -> str:
    """Return one message in the made-up language, about 40 % longer."""
    table = str.maketrans(PLAIN, letters)
    parts, at = [], 0
    for kept in KEPT.finditer(english):
        parts += [english[at : kept.start()].translate(table), kept[0]]
        at = kept.end()
    parts.append(english[at:].translate(table))
    written = "".join(parts)
    extra = "ø" * max(0, round(len(english) * 0.4) - len(brackets))
    start = re.match(r"(?:-# |#+ |> |- )?", written)
    assert start is not None
    lead = start[0]
    return f"{lead}{brackets[0]}{written[len(lead) :]}{extra}{brackets[1]}"


@cache
def pseudo_language(code: str, letters: str = ACCENTED, brackets: str = "⟦⟧") -> Language:
    """Return the whole catalogue in the made-up language, compiled as a translation is."""
    return Language(code, gettext.GNUTranslations(io.BytesIO(build.compiled(_translated(letters, brackets)))))


SOURCES = sorted({re.escape(law.source) for law in laws() if len(law.source) > 3}, key=len, reverse=True)
PRACTICE_NAMES = [re.escape(name) for name in PracticePlayers().names()]
UNTRANSLATED_BY_RIGHT = re.compile(
    rf"{NOT_WORDS}|{'|'.join(SOURCES)}|(?<![A-Za-z])(?:{'|'.join(PRACTICE_NAMES)})(?![A-Za-z])"
)


def english_words(text: str, names: Iterable[str]) -> list[str]:
    """Return the words of a text that are not translated: no names of players, commands, sources of laws, card codes or numbers."""
    rest = UNTRANSLATED_BY_RIGHT.sub(" ", text)
    return [word for word in re.findall(r"[A-Za-z]{2,}", rest) if word not in names]


def texts_of(payload: Any) -> Iterator[tuple[str, str]]:
    """Return every text of a message, a form or a list of choices that people read, with the field it stands in."""
    match payload:
        case dict():
            for key, value in payload.items():
                if key in TEXT_FIELDS and isinstance(value, str):
                    yield key, value
                elif key not in {"author", "user", "member", "emoji", "interaction_metadata", "application"}:
                    yield from texts_of(value)
        case list():
            for each in payload:
                yield from texts_of(each)


TEXT_FIELDS = frozenset({"content", "label", "placeholder", "description", "title"})


def _translated(letters: str, brackets: str) -> Catalog:
    from babel.messages.catalog import Catalog

    translated = Catalog(locale="de", project="Cardroom", charset="utf-8")
    for entry in _template():
        if not entry.id:
            continue
        if isinstance(entry.id, str):
            translated.add(entry.id, entry.id if entry.id == "," else pseudo(entry.id, letters, brackets))
        else:
            translated.add(entry.id, tuple(pseudo(form, letters, brackets) for form in entry.id))
    return translated


@cache
def _template() -> Catalog:
    """The messages of the program, as the template for translators has them: that it is up to date has a test of its own."""
    from babel.messages.pofile import read_po

    with build.TEMPLATE.open("rb") as file:
        return read_po(file)
