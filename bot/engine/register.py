"""Ruling on a table's options: which there are, which values they may have, and what the law set in force says.

A sheet's own options (``"<sheet>.<word>"``) come with its rule card, as `Entry` values handed in as `sheet`.

Source: laws 0.5, H-1, H-2.
"""

from enum import StrEnum
from typing import get_type_hints

import msgspec

from bot.engine.errors import LawError
from bot.engine.options import Options
from bot.engine.register_entries import REGISTER, Entry
from bot.engine.stakes import whole_chips

OPTION_TYPES: dict[str, type] = get_type_hints(Options)
"""The type of each field of `Options`: a `StrEnum`, or int for `max_seats`."""


class Difference(msgspec.Struct, frozen=True):
    """An option that departs from its preset: its name in the book, the value in force, the preset's value."""

    name: str
    value: str
    default: str


class UnknownHouseRule(LawError):
    """No option of that name. `known` lists the names there are."""

    law = "H-2"

    def __init__(self, *, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"unknown house rule {name}; known: {', '.join(known)}")
        self.name, self.known = name, known


class UnknownHouseRuleValue(LawError):
    """The option exists, the value does not. `known` lists the values there are."""

    law = "H-2"

    def __init__(self, *, name: str, value: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{name} cannot be {value}; known: {', '.join(known)}")
        self.name, self.value, self.known = name, value, known


class TooFewSeats(LawError):
    """A table for fewer than two."""

    law = "P-1"

    def __init__(self, *, seats: int) -> None:
        super().__init__(f"a table for {seats} cannot play; two to ten may play")
        self.seats = seats


class TooManySeats(LawError):
    """A table for more than fourteen."""

    law = "P-2"

    def __init__(self, *, seats: int) -> None:
        super().__init__(f"a table for {seats} is too large; two to fourteen may play where the pack allows")
        self.seats = seats


class JokerNeedsMethod(LawError):
    """A 53-card pack without a word on what its joker may stand for."""

    law = "K-3"

    def __init__(self) -> None:
        super().__init__("a joker needs a wild-card method (W-2)")


def check_option(name: str, value: object, sheet: tuple[Entry, ...] = ()) -> tuple[str, StrEnum | str | int]:
    """Rule on one option and its value, as a host may type them: any case, hyphens or spaces for underscores.

    `sheet` brings the options of the sheet that is played. Returns the field of `Options` or `Stakes` (for a sheet's
    option, its name) and the value in its type.

    Raises:
        UnknownHouseRule, UnknownHouseRuleValue: not in the register.
        TooFewSeats, TooManySeats, NotWholeChips, AmountOutOfBounds: a number the law does not allow.

    Source: laws H-2, 0.5, H-5, P-1, P-2.
    """
    entry = find(name, sheet)
    if entry.field == "max_seats":
        seats = whole_chips(entry.name, value)
        if seats < 2:
            raise TooFewSeats(seats=seats)
        if seats > 14:
            raise TooManySeats(seats=seats)
        return entry.field, seats
    if not entry.choices:
        return entry.field, whole_chips(entry.field, value)
    known = tuple(choice.value for choice in entry.choices)
    word = _plain_word(str(value))
    if word not in known:
        raise UnknownHouseRuleValue(name=entry.name, value=str(value), known=known)
    made = OPTION_TYPES.get(entry.field)
    return (entry.field, made(word)) if made is not None else (entry.name, word)


def find(name: str, sheet: tuple[Entry, ...] = ()) -> Entry:
    """Find an option by its name, in any case, with hyphens or spaces for underscores.

    Raises:
        UnknownHouseRule: there is none; the refusal lists all.
    """
    word = _plain_word(name)
    for entry in (*REGISTER, *sheet):
        if entry.field == word:
            return entry
    raise UnknownHouseRule(name=name, known=tuple(entry.name for entry in (*REGISTER, *sheet)))


def with_option(options: Options, name: str, value: object, sheet: tuple[Entry, ...] = ()) -> Options:
    """Return the options with one of them changed. Amounts are not options: set those in `Stakes`.

    Raises:
        LawError: as `check_option`; UnknownHouseRule for an amount.
    """
    field, chosen = check_option(name, value, sheet)
    if field in OPTION_TYPES:
        return msgspec.structs.replace(options, **{field: chosen})
    if not find(name, sheet).choices:
        raise UnknownHouseRule(name=name, known=tuple(entry.name for entry in (*REGISTER, *sheet) if entry.choices))
    own = dict(options.sheet) | {field: str(chosen)}
    return msgspec.structs.replace(options, sheet=tuple(sorted(own.items())))


def check_options(options: Options) -> None:
    """Rule on options that must fit one another.

    Raises:
        TooFewSeats, TooManySeats: `MAX_SEATS` outside two to fourteen.
        JokerNeedsMethod: a 53-card pack without a wild-card method.

    Source: laws P-1, P-2, K-3.
    """
    check_option("MAX_SEATS", options.max_seats)
    if options.deck == "53" and options.wild_method == "none":
        raise JokerNeedsMethod


def honoured(marks: frozenset[str] | None = None) -> tuple[Entry, ...]:
    """The options that games of these marks honour, amounts left out; all options without marks."""
    return tuple(e for e in REGISTER if (e.choices or e.field == "max_seats") and (marks is None or marks & {*e.marks}))


def plain(options: Options, marks: frozenset[str] | None = None) -> tuple[str, ...]:
    """Tell the law set in force in plain words: one line a group, ``"Betting: …"``, of what games of `marks` honour.

    Source: law H-2 ("`/laws` always prints the set in force").
    """
    groups: dict[str, list[str]] = {}
    for entry in honoured(marks):
        if entry.matters_if is not None and getattr(options, entry.matters_if[0]) not in entry.matters_if[1]:
            continue
        value = getattr(options, entry.field)
        said = f"At most {value} seats." if entry.field == "max_seats" else entry.meaning(value)
        groups.setdefault(entry.group, []).append(said)
    lines = [f"{group}: {' '.join(said)}" for group, said in groups.items()]
    if options.sheet:
        lines.append("This game: " + ", ".join(f"{name} {value}" for name, value in options.sheet) + ".")
    return tuple(lines)


def compare(options: Options, preset: Options) -> tuple[Difference, ...]:
    """List what a law set does differently from a preset, in the register's order."""
    found = [
        Difference(entry.name, str(getattr(options, entry.field)), str(getattr(preset, entry.field)))
        for entry in honoured()
        if getattr(options, entry.field) != getattr(preset, entry.field)
    ]
    mine, theirs = dict(options.sheet), dict(preset.sheet)
    own = (
        Difference(name, mine.get(name, "off"), theirs.get(name, "off")) for name in sorted(mine.keys() | theirs.keys())
    )
    found += [difference for difference in own if difference.value != difference.default]
    return tuple(found)


def _plain_word(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")
