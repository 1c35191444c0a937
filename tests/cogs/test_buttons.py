"""Every button at a table is drawn somewhere, and somebody handles it. Whoever adds one reads here what they have forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.text.buttons import Verb
from cogs.support.click_listener import FORMS, HANDLERS

ROOT = Path(__file__).parents[2]
DRAWN = "".join(path.read_text() for path in (ROOT / "bot" / "render").rglob("*.py"))
OF_EARLIER_VERSIONS = {Verb.CARDS_MARKED, Verb.OPEN_DECLARATION, Verb.TIME_BANK, Verb.SHOW_HERE}
"""They stand on messages of earlier versions only."""
NOT_ANSWERED_ANY_MORE = {Verb.SHOW_HERE}
FORM_OF_PAGES = Verb.SETTINGS


def is_drawn(verb: Verb) -> bool:
    """Return whether something in `bot/render` writes an id with a verb; the buttons of a hand write its value."""
    return any(written in DRAWN for written in (f"Verb.{verb.name}", f'"{verb}"', f"}}{verb}:"))


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb not in {FORM_OF_PAGES, *NOT_ANSWERED_ANY_MORE}])
def test_every_verb_has_a_handler(verb: Verb) -> None:
    handled = {**HANDLERS, **FORMS}
    assert verb in handled, f"nobody handles Verb.{verb.name}: name it in HANDLERS of a file of cogs/presses"


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb not in OF_EARLIER_VERSIONS])
def test_every_verb_has_a_button(verb: Verb) -> None:
    assert is_drawn(verb), f"nothing asks for Verb.{verb.name}: draw its button in bot/render"
