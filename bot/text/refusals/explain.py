"""The one dispatch from a refusal to its sentence. Each file beside this one registers the sentences of one part of the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import singledispatch
from string import Formatter
from typing import Any, TypeAlias

from msgspec import Struct

from bot.engine.errors import TableError
from bot.text import escape
from bot.text.cards import SIGNS, rank_plural
from bot.text.formatting import NBSP, join_list, join_or, relative_time_ms
from bot.text.language import Message, Plural, message, t
from bot.text.legal_actions import number_range

NamesBySeat = Mapping[int, str]
"""Names of players by seat number at the table, safe for markdown."""


class Counted(Struct, frozen=True):
    """A sentence that depends on a number: on this fact, or on how many it has."""

    fact: str
    sentence: Plural


class Either(Struct, frozen=True):
    """Two sentences: one for a refusal in which this fact is true, above 0 or not empty, and one for the others."""

    fact: str
    known: Message | Counted
    unknown: Message | Counted


Sentence: TypeAlias = Message | Counted | Either

UNEXPLAINED = message("That isn't possible right now.")
CHANNELS_NAMED = 3
"""The tables to leave or close that a refusal names."""
_SEAT = message("seat{nbsp}{seat_number}")
_SEAT_FACTS = ("seat_number", "seat_number_to_act", "chooser_seat")


@singledispatch
def explain(refusal: TableError, names: NamesBySeat) -> str:
    """Say what is wrong and, where it is not obvious, what can be done now. A test proves that every refusal has a sentence."""
    return t(UNEXPLAINED)


def register_sentences(sentences: Mapping[type[TableError], Sentence]) -> None:
    """Register sentences whose placeholders are facts of their refusal, or made of facts; see `_in_words`."""
    for refusal_type, sentence in sentences.items():
        explain.register(refusal_type, _filler(sentence))


def player_at(seat_number: int, names: NamesBySeat) -> str:
    """Name the player in a seat in bold, or the seat. It fits into the middle of a sentence."""
    name = names.get(seat_number)
    return t(_SEAT, nbsp=NBSP, seat_number=seat_number) if name is None else f"**{name}**"


def _filler(sentence: Sentence) -> Callable[[TableError, NamesBySeat], str]:
    if isinstance(sentence, Either):
        return _filler_of_either(sentence.fact, _filler(sentence.known), _filler(sentence.unknown))
    words: Message | Plural = sentence.sentence if isinstance(sentence, Counted) else sentence
    texts = (words.one, words.many) if isinstance(words, Plural) else (words,)
    placeholders = {name for text in texts for _, name, _, _ in Formatter().parse(text) if name} - {"count"}

    def fill(refusal: TableError, names: NamesBySeat) -> str:
        facts: dict[str, Any] = refusal.facts()
        values = {name: _in_words(name, facts, names) for name in placeholders}
        if isinstance(sentence, Counted):
            counted = facts[sentence.fact]
            values["count"] = counted if isinstance(counted, int) else len(counted)
        elif "count" in facts:
            values["count"] = facts["count"]
        return t(words, **values)

    return fill


def _filler_of_either(
    fact: str, known: Callable[[TableError, NamesBySeat], str], unknown: Callable[[TableError, NamesBySeat], str]
) -> Callable[[TableError, NamesBySeat], str]:
    def fill(refusal: TableError, names: NamesBySeat) -> str:
        value: Any = refusal.facts()[fact]
        is_known = value > 0 if isinstance(value, int) else bool(value)
        return known(refusal, names) if is_known else unknown(refusal, names)

    return fill


def _in_words(placeholder: str, facts: Mapping[str, Any], names: NamesBySeat) -> object:
    """What stands in a sentence for a placeholder: the fact of this name, in words where it has words of its own, or what is made of other
    facts. Texts that someone typed are made safe for markdown."""
    match placeholder, facts.get(placeholder):
        case "player", None:
            return player_at(next(facts[seat] for seat in _SEAT_FACTS if seat in facts), names)
        case "players", None:
            return join_or([player_at(seat, names) for seat in facts["seat_numbers"]])
        case "when", None:
            return relative_time_ms(facts["until"])
        case "range", None:
            return number_range(facts["minimum"], facts["maximum"])
        case "player" | "host" | "chooser" | "opponent", int(user):
            return f"<@{user}>"
        case "role", int(role):
            return f"<@&{role}>"
        case "channels", tuple(channels):
            return join_or([f"<#{channel}>" for channel in channels[:CHANNELS_NAMED]]) or "`/lobby`"
        case "card" | "as_card", int(card):
            return SIGNS.write_one(card)
        case "rank", int(rank):
            return rank_plural(rank)
        case _, str(typed):
            return escape.text(typed, 60)
        case _, tuple(numbers):
            return join_list([str(number) for number in numbers])
        case _, fact:
            return fact
