"""Build the catalogue's files: the template for translators, and what gettext reads. ``python -m bot.text.build`` needs Babel.

    python -m bot.text.build              writes locales/cardroom.pot, merges it into every translation and compiles those
    python -m bot.text.build --new de     starts a translation: locales/de/LC_MESSAGES/cardroom.po

The bot itself needs none of this: it reads the compiled ``.mo`` files with the standard library.
"""

from __future__ import annotations

import argparse
import ast
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot.laws import book
from bot.text.game_names import game_texts
from bot.text.language import DOMAIN
from bot.text.word_table import messages_in, word_table

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

PACKAGE = Path(__file__).parent
LOCALES = PACKAGE / "locales"
TEMPLATE = LOCALES / f"{DOMAIN}.pot"
KEYWORDS = {"message": None, "plural": (1, 2)}
"""The calls that declare a message, and where its English forms stand among the arguments."""


def template() -> Catalog:
    """Collect every message: those of this package, declared one by one or in a table, the law book's plain words, the names of games."""
    from babel.messages.catalog import Catalog
    from babel.messages.extract import extract_from_file

    catalog = Catalog(project="Cardroom", charset="utf-8")
    for path in sorted(PACKAGE.rglob("*.py")):
        for _, english, comments, _ in extract_from_file("python", path, KEYWORDS, ("Translators:",)):
            catalog.add(english, auto_comments=comments)
        for english in table_texts(path):
            catalog.add(english)
    for english in (*law_texts(), *game_texts()):
        catalog.add(english)
    return catalog


def table_texts(path: Path) -> Iterator[str]:
    """The messages of the tables of a module (`bot.text.word_table`)."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id="word_table"), args=[ast.Constant(value=str(table))]):
                yield from messages_in(word_table(table))


def law_texts() -> Iterator[str]:
    """What `/laws` shows of each law."""
    for law in book.laws():
        yield from filter(None, (law.title, law.text, law.valid, law.refusal))


def written(catalog: Catalog) -> bytes:
    """The file of a catalogue, without dates, versions and line numbers, so that it changes only when a message does."""
    from babel.messages.pofile import write_po

    file = io.BytesIO()
    write_po(file, catalog, omit_header=False, no_location=True, sort_output=False, width=120)
    lines = file.getvalue().splitlines(keepends=True)
    changing = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By')
    return b"".join(line for line in lines if not line.startswith(changing))


def compiled(catalog: Catalog) -> bytes:
    """What gettext reads."""
    from babel.messages.mofile import write_mo

    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def main(arguments: list[str] | None = None) -> int:
    """Write the template, start a translation if asked, and bring every translation up to date."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    parser = argparse.ArgumentParser(prog="python -m bot.text.build", description="Build the catalogue of texts.")
    parser.add_argument("--new", metavar="LOCALE", help="start a translation, for example de or pt-BR")
    asked = parser.parse_args(arguments)
    messages = template()
    LOCALES.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(written(messages))
    if asked.new:
        started = LOCALES / asked.new / "LC_MESSAGES" / f"{DOMAIN}.po"
        if started.exists():
            print(f"{started} exists already", file=sys.stderr)
            return 1
        started.parent.mkdir(parents=True)
        started.write_bytes(written(Catalog(locale=asked.new.replace("-", "_"), project="Cardroom", charset="utf-8")))
    for path in sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        with path.open("rb") as file:
            translation = read_po(file)
        translation.update(messages)
        path.write_bytes(written(translation))
        path.with_suffix(".mo").write_bytes(compiled(translation))
        missing = sum(1 for entry in translation if entry.id and not entry.string)
        print(f"{path.parents[1].name}: {len(translation)} messages, {missing} not translated yet")
    return 0


if __name__ == "__main__":
    sys.exit(main())
