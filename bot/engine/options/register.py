"""The register of options: all that `Options` declares, looked up by name, read from what people type, and compared.

A game's own options (``"<game>.<word>"``) come with the game and are handed in as `game_options`.

Source: laws 0.5, H-1, H-2.
"""

from enum import StrEnum
from functools import cached_property, lru_cache
from typing import get_args, get_type_hints

import msgspec

from bot.engine.dealing.decks import DECKS, joker_count
from bot.engine.errors import LawError
from bot.engine.options import where as w
from bot.engine.options.types import Declared, Group, Options
from bot.engine.options.values import DeckKind, JokerMethod
from bot.engine.options.wild_cards import WildCards, parse_wild_cards, wild_cards_code, wild_classes
from bot.engine.ranking.spec import AceStraight, WildMethod
from bot.engine.stakes import parse_chips


class RegisteredOption(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One option that a table can set. `bot.text.options` has its words, by name and value.

    Attributes:
        name: as the book writes it: ``"SUIT_RANK"``, or ``"stud.pair_doubles"`` for a game's own.
        group: the heading it is listed under.
        laws: the clauses it rests on.
        values: the values it can have; empty for a text, and for an amount, which is any whole number of chips or seats that its law
            allows.
        where: whether it decides anything at a game under given options.
        values_there: the values it can have there; None where that is all of them.
        is_text: it is written in words: a list of cards, or sentences.
    """

    name: str
    group: Group
    laws: tuple[str, ...]
    values: tuple[str, ...] = ()
    where: w.Where = w.everywhere
    values_there: w.ValuesThere | None = None
    is_text: bool = False

    @cached_property
    def field(self) -> str:
        """The field of `Options` (or, for an amount, of `Stakes`) that holds it."""
        return self.name.lower()


OPTION_TYPES: dict[str, type] = get_type_hints(Options)
"""The type of each field of `Options`: a `StrEnum`, or int for `max_seats`."""

_NOT_CHOSEN = frozenset({AceStraight.HIGH_ONLY})
"""Values that no table chooses: they come with a deck."""


def _declared_options() -> tuple[RegisteredOption, ...]:
    found = []
    for field, hint in get_type_hints(Options, include_extras=True).items():
        for declared in get_args(hint)[1:]:
            if isinstance(declared, Declared):
                made = OPTION_TYPES[field]
                values: tuple[str, ...] = ()
                if isinstance(made, type) and issubclass(made, StrEnum):
                    values = tuple(str(value) for value in made if value not in _NOT_CHOSEN)
                found.append(
                    RegisteredOption(
                        name=field.upper(),
                        group=declared.group,
                        laws=tuple(declared.laws.split()),
                        values=values,
                        where=declared.where,
                        values_there=declared.values,
                        is_text=declared.is_text,
                    )
                )
    return tuple(found)


MIN_BET = RegisteredOption(name="MIN_BET", group=Group.BETTING, laws=("F-6", "F-7"), where=w.with_betting)
"""The one amount that the book lists among the options; `Stakes` holds it."""

NOTES = RegisteredOption(name="NOTES", group=Group.TABLE, laws=("H-2",), is_text=True)
"""House rules in the players' own words. They decide nothing, so they stand with the settings of the table."""

REGISTER: tuple[RegisteredOption, ...] = (*_declared_options(), MIN_BET, NOTES)
"""Every option of the law book that a table can set, group by group."""


class OptionDifference(msgspec.Struct, frozen=True):
    """An option that departs from its preset: its name in the book, the value in force, the preset's value."""

    name: str
    value: str
    default: str


class UnknownHouseRule(LawError, law="H-2"):
    """No option has that name. `known` lists the names there are."""

    name: str
    known: tuple[str, ...]


class UnknownHouseRuleValue(LawError, law="H-2"):
    """The option exists, the value does not. `known` lists the values there are."""

    name: str
    value: str
    known: tuple[str, ...]


class TooFewSeats(LawError, law="P-1"):
    """A table for fewer than two."""


class TooManySeats(LawError, law="P-2"):
    """A table for more than fourteen."""


class JokerNeedsMethod(LawError, law="K-3"):
    """A deck with a joker, and no method that says what it can stand for."""


class MethodsHaveNoOrder(LawError, law="W-3"):
    """Wild cards that can repeat a card, and others that cannot: no order of hands says which is better."""


class WildCardsNotInDeck(LawError, law="W-1"):
    """Wild cards of which the deck has none."""

    word: str


def parse_option(
    name: str, value: object, game_options: tuple[RegisteredOption, ...] = ()
) -> tuple[str, StrEnum | str | int]:
    """Read one option and its value as people type them: in any case, with hyphens or spaces for underscores.

    Returns the field of `Options` or `Stakes` (for a game's own option, its name) and the value in its type.

    Raises:
        UnknownHouseRule, UnknownHouseRuleValue: not in the register.
        TooFewSeats, TooManySeats, NotWholeChips, AmountOutOfBounds: a number that the law does not allow.

    Source: laws H-2, 0.5, H-5, P-1, P-2.
    """
    option = find_option(name, game_options)
    if option.field == "wild_cards":
        return option.field, wild_cards_code(parse_wild_cards(str(value)))
    if option.is_text:
        return option.field, str(value)
    if option.field == "max_seats":
        return option.field, _parse_seats(option, value)
    if not option.values:
        return option.field, parse_chips(option.field, value)
    word = _normalise(str(value))
    if word not in option.values:
        raise UnknownHouseRuleValue(name=option.name, value=str(value), known=option.values)
    value_type = OPTION_TYPES.get(option.field)
    return (option.field, value_type(word)) if value_type is not None else (option.name, word)


def _parse_seats(option: RegisteredOption, value: object) -> int:
    seats = parse_chips(option.name, value)
    if seats < 2:
        raise TooFewSeats
    if seats > 14:
        raise TooManySeats
    return seats


def find_option(name: str, game_options: tuple[RegisteredOption, ...] = ()) -> RegisteredOption:
    """Find an option by its name, in any case, with hyphens or spaces for underscores.

    Raises:
        UnknownHouseRule: there is none; the refusal lists all.
    """
    word = _normalise(name)
    known = (*REGISTER, *game_options)
    for option in known:
        if option.field == word:
            return option
    raise UnknownHouseRule(name=name, known=tuple(option.name for option in known))


def with_option(options: Options, name: str, value: object, game_options: tuple[RegisteredOption, ...] = ()) -> Options:
    """Return the options with one of them changed. Amounts are not options: set those in `Stakes`.

    Raises:
        LawError: as `parse_option`; UnknownHouseRule for an amount.
    """
    field, chosen = parse_option(name, value, game_options)
    if field == "wild_cards":
        return with_wild_cards(options, parse_wild_cards(str(chosen)))
    if field in OPTION_TYPES:
        return msgspec.structs.replace(options, **{field: chosen})
    known = (*REGISTER, *game_options)
    if not find_option(name, game_options).values:
        raise UnknownHouseRule(name=name, known=tuple(option.name for option in known if option.values))
    own = dict(options.sheet) | {field: str(chosen)}
    return msgspec.structs.replace(options, sheet=tuple(sorted(own.items())))


def validate_options(options: Options) -> None:
    """Refuse options that do not fit one another, or that no table can choose.

    Raises:
        UnknownHouseRuleValue: a value that only a deck brings (`AceStraight.HIGH_ONLY`).
        TooFewSeats, TooManySeats: `MAX_SEATS` outside two to fourteen.
        JokerNeedsMethod: a joker without a method.
        MethodsHaveNoOrder: wild cards and jokers of methods that do not go together.

    Source: laws P-1, P-2, K-3.
    """
    parse_option("MAX_SEATS", options.max_seats)
    parse_option("ACE_STRAIGHT", options.ace_straight)
    if options.deck is not DeckKind.MEXICAN_41 and joker_count(options.deck) and not options.plays_wild_cards:
        raise JokerNeedsMethod
    if {options.wild_method.value, options.joker_method.value} == {"free", "no_duplicate"}:
        raise MethodsHaveNoOrder


def with_wild_cards(options: Options, wild: WildCards) -> Options:
    """Return the options with these wild cards instead of their own.

    A joker that was the bug stays the bug when other cards join it: they stand for any card (W-1, W-4).

    Raises:
        WildCardsNotInDeck: the deck has none of them.
    """
    none_before = not options.wild_ranks and not options.wild_cards
    missing = [one for one in wild_classes(wild) if not {*one.cards} & {*DECKS[options.deck]}]
    if missing:
        raise WildCardsNotInDeck(word=missing[0].code)
    options = msgspec.structs.replace(options, wild_ranks=wild.ranks, wild_cards=wild.cards)
    if not (wild.ranks or wild.cards):
        return options
    is_bug = options.wild_method is WildMethod.BUG and options.joker_method is JokerMethod.AS_WILD
    if none_before and is_bug and joker_count(options.deck):
        return msgspec.structs.replace(options, wild_method=WildMethod.FREE, joker_method=JokerMethod.BUG)
    return options


def option_code(options: Options, field: str) -> str:
    """The value of an option as `parse_option` reads it."""
    if field == "wild_cards":
        return wild_cards_code(WildCards(options.wild_ranks, options.wild_cards))
    return str(getattr(options, field))


@lru_cache(maxsize=64)
def compare_options(options: Options, preset: Options) -> tuple[OptionDifference, ...]:
    """List where the options differ from a preset, in the register's order; a game's own options come last."""
    found = [
        OptionDifference(option.name, value, default)
        for option in REGISTER
        if (field := option.field) in OPTION_TYPES
        and (value := option_code(options, field)) != (default := option_code(preset, field))
    ]
    mine, theirs = dict(options.sheet), dict(preset.sheet)
    own = (
        OptionDifference(name, mine.get(name, "off"), theirs.get(name, "off"))
        for name in sorted(mine.keys() | theirs.keys())
    )
    found += [difference for difference in own if difference.value != difference.default]
    return tuple(found)


def _normalise(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")
