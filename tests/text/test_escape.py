"""Names that people chose do no harm to a line, a table or anybody's notifications."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text import escape
from bot.text.language import reading
from tests.support.pseudo_language import pseudo, pseudo_language


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Mia", "Mia"),
        ("Jürgen K", "Jürgen K"),
        ("Олег", "Олег"),
        ("bob_the_builder", r"bob\_the\_builder"),
        ("**bold**", r"\*\*bold\*\*"),
        ("~~x~~ `y` ||z||", r"\~\~x\~\~ \`y\` \|\|z\|\|"),
        ("# heading", r"\# heading"),
        ("-# small", r"\-\# small"),
        ("> quote", r"\> quote"),
        ("- list", r"\- list"),
        ("1. list", r"1\. list"),
        ("[link](https://evil.example)", r"\[link\]\(https\://evil.example\)"),
        ("@everyone", "@\u200beveryone"),
        ("<@123>", "\\<@\u200b123\\>"),
        ("<:ace_of_spades:1>", r"\<\:ace\_of\_spades\:1\>"),
        ("<t:0:R>", r"\<t\:0\:R\>"),
        ("a\\", r"a\\"),
        ("two\nlines", "two lines"),
        ("tab\tand\u00a0space", "tab and space"),
        ("  wide   gaps  ", "wide gaps"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("right\u202eto left", "rightto left"),
        ("\u2066iso\u2069", "iso"),
        ("", "a former player"),
        ("\u200b\u202e\n", "someone"),
        ("\u3164", "someone"),
        ("a\x00b\x1b[31m", r"ab\[31m"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("نمی\u200cدانم", "\u2068نمی\u200cدانم\u2069"),
        ("שלום", "\u2068שלום\u2069"),
    ],
)
def test_names_are_shown_without_their_tricks(raw: str, shown: str) -> None:
    assert escape.name(raw) == shown


def test_towers_of_marks_are_cut_down() -> None:
    assert escape.name("Z" + "\u0300\u0301\u0302\u0303" * 20 + "oe") == unicodedata.normalize("NFC", "Z\u0300\u0301oe")


def test_long_names_end_with_dots() -> None:
    assert escape.name("W" * 40) == "W" * 31 + "…"
    assert len(escape.name("W" * 32)) == 32


def test_invisible_name_is_worded_in_the_readers_language() -> None:
    assert escape.name("\u200b") == "someone"
    with reading(pseudo_language("de")):
        assert escape.name("\u200b") == pseudo("someone")
        assert escape.name("") == pseudo("a former player")
    assert escape.name("\u200b") == "someone"


def test_endless_text_costs_no_time() -> None:
    assert len(escape.text("x" * 1_000_000)) == escape.TEXT_MAX
    assert escape.name("\u0301" * 1_000_000) == "someone"


@given(st.text(max_size=80))
def test_no_name_breaks_its_line(raw: str) -> None:
    shown = escape.name(raw)
    bare = re.sub(r"\\(.)", "", shown)
    assert shown.strip()
    assert len(bare.replace(escape.WORD_BREAK, "")) <= escape.NAME_MAX + 2
    assert not set("\n\r\t\v\f\x85\u2028\u2029\u202a\u202b\u202d\u202e\u2066\u2067") & set(shown)
    assert not set("*_~`|<>[]#") & set(bare)
    assert not re.search(r"@(everyone|here|\w)", shown)
    assert shown.count(escape.ISOLATE) == shown.count(escape.POP_ISOLATE) <= 1


@given(st.text(alphabet="*_`~|<>@#:[]()\\-> ae1.", max_size=60))
def test_nothing_of_a_markdown_soup_stays_unescaped(raw: str) -> None:
    bare = re.sub(r"\\.", "", escape.name(raw))
    assert not set("*_~`|<>[]#\\") & set(bare)
