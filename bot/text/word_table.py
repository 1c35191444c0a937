"""Words as a table in the module that needs them: a line for each code word, and a bar between its messages.

    deck | Deck | Which cards are dealt?
        52 | 52 cards | The deck has 52 cards.
        53 | 53 with joker | The deck has 53 cards: a joker is added.

A line belongs to the line above it that is indented less. The first cell is a code word; the others are messages, and `bot.text.build`
puts each into the template for translators. After a backslash a line goes on in the next one.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from msgspec import Struct

from bot.text.language import Message


class WordRow(Struct, frozen=True):
    """A line of a table: its code word, its messages, and the lines that belong to it."""

    code: str
    messages: tuple[Message, ...]
    rows: list[WordRow]


def word_table(table: str) -> list[WordRow]:
    """Read a table."""
    rows: list[WordRow] = []
    open_rows = [(-1, rows)]  # by indentation, where the lines below it belong
    for line in textwrap.dedent(table).strip().splitlines():
        code, *messages = (" ".join(cell.split()) for cell in line.split("|"))
        row, indentation = WordRow(code, tuple(map(Message, messages)), []), len(line) - len(line.lstrip())
        while open_rows[-1][0] >= indentation:
            open_rows.pop()
        open_rows[-1][1].append(row)
        open_rows.append((indentation, row.rows))
    return rows


def messages_in(rows: Iterable[WordRow]) -> Iterator[Message]:
    """Return every message of a table, line by line."""
    for row in rows:
        yield from row.messages
        yield from messages_in(row.rows)
