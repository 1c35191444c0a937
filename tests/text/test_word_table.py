"""Words stand in a table: a line for each code word, and every message of it reaches the translators."""

from pathlib import Path

from bot.text import build
from bot.text.language import Message
from bot.text.word_table import WordRow, word_table

TABLE = """
    deck | Deck | Which cards are dealt?
        52 | 52 cards | The deck has \\
            52 cards.
    show | Showing hands | Who has to show at the end?
"""


def test_indented_lines_belong_to_the_line_above() -> None:
    deck, show = word_table(TABLE.replace("\\\n", ""))
    cards = WordRow("52", (Message("52 cards"), Message("The deck has 52 cards.")), [])
    assert (deck.code, deck.messages, deck.rows) == ("deck", ("Deck", "Which cards are dealt?"), [cards])
    assert (show.code, show.rows) == ("show", [])


def test_translators_get_every_message_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "words.py"
    path.write_text(f'WORDS = word_table(\n    """{TABLE}"""\n)\n', encoding="utf-8")
    assert list(build.table_texts(path)) == [
        "Deck", "Which cards are dealt?", "52 cards", "The deck has 52 cards.", "Showing hands", "Who has to show at the end?",
    ]  # fmt: skip
