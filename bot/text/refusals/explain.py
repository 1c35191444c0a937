"""The one dispatch from a refusal to its sentence. Each file beside this one registers the sentences of one part of the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import singledispatch

from bot.engine.errors import TableError
from bot.text import escape
from bot.text.formatting import NBSP, relative_time
from bot.text.language import Message, message, t

NamesBySeat = Mapping[int, str]
"""Names of players by seat number at the table, safe for markdown."""

UNEXPLAINED = message("That isn't possible right now.")
_SEAT = message("seat{nbsp}{seat_number}")


@singledispatch
def explain(refusal: TableError, names: NamesBySeat) -> str:
    """Say what is wrong and, where it is not obvious, what can be done now. A test proves that every refusal has a sentence."""
    return t(UNEXPLAINED)


def register_sentences(sentences: Mapping[type[TableError], Message]) -> None:
    """Register sentences whose placeholders are fields of their refusal. Texts that someone typed are made safe for markdown."""
    for refusal_type, sentence in sentences.items():
        explain.register(refusal_type, _filler(sentence))


def player_at(seat_number: int, names: NamesBySeat) -> str:
    """Name the player in a seat in bold, or the seat. It fits into the middle of a sentence."""
    name = names.get(seat_number)
    return t(_SEAT, nbsp=NBSP, seat_number=seat_number) if name is None else f"**{name}**"


def relative_time_ms(ms: int) -> str:
    """A time in ms since the epoch, rounded up to the second; the reader's client counts it: ``in 5 minutes``."""
    return relative_time(-(-ms // 1000))


def _filler(sentence: Message) -> Callable[[TableError, NamesBySeat], str]:
    def fill(refusal: TableError, names: NamesBySeat) -> str:
        values = {
            name: escape.text(fact, 60) if isinstance(fact, str) else fact for name, fact in refusal.facts().items()
        }
        return t(sentence, **values)

    return fill
