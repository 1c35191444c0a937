"""The modifiers that can be laid over any game: another deck, wild cards, a limit, a custom. Each makes one rule card of another.

Source: laws VB-9 to VB-13, VC-25, VC-29, K-3, K-4, W-1 to W-5, SP-1.
"""

import re
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from bot.engine.cards import RANK_PLURALS, SUIT_NAMES, TWO, card_name
from bot.engine.customs import ButtonBlind
from bot.engine.dealing.decks import joker_count, max_seats_served, with_jokers, without_jokers
from bot.engine.errors import LawError
from bot.engine.options.applicable import raise_cap_after_limit
from bot.engine.options.presets import PRESETS, apply_preset
from bot.engine.options.register import WildCardsNotInDeck, with_wild_cards
from bot.engine.options.values import Ante, DeckKind, FirstOpener, JokerMethod, Limit, MinRaise, StraddleRule
from bot.engine.options.wild_cards import (
    ONE_EYED_JACKS,
    ONE_EYES,
    UnknownWildCards,
    WildCards,
    WildClass,
    WildClassKind,
    parse_wild_cards,
    wild_classes,
)
from bot.engine.ranking.spec import SpecialHands, WildMethod
from bot.engine.rule_card import RuleCard, without_custom
from bot.engine.steps import BettingRound, DealBoard, DealDown


class CannotModify(LawError):
    """A modifier does not go with a game, which has the name `game`."""

    game: str


class HasItsOwnDeck(CannotModify, law="VB-10"):
    """The deck of the game cannot be exchanged for another one."""


class StrippedDeckTooSmall(CannotModify, law="P-6"):
    """The stripped deck cannot serve two players."""


class HasItsOwnJoker(CannotModify, law="K-3"):
    """The game's own deck has a joker with rules of its own."""


class HasNoSuchCard(CannotModify, law="W-1"):
    """The game's deck has no card that could be made wild so."""


class HasNoWildCards(CannotModify, law="W-3"):
    """The game has no wild card that could be limited."""


class NoSpecialHands(CannotModify, law="VB-11"):
    """Cats and dogs rank only in high draw and stud."""


class HasNoFlop(CannotModify, law="VC-29"):
    """A bomb pot needs a flop."""


class HasNoBoard(CannotModify, law="VC-29"):
    """Only a game with a board can be dealt two."""


class Modifier(Struct, frozen=True):
    """Something laid over a game.

    Attributes:
        key: as the key of a changed game ends with it, ``joker_bug``.
        name: as the name of a changed game ends with it, ``Joker as Bug``.
        law: its clause or sheet.
        apply: makes the changed game of a game; refuses what does not go together.
        aliases: other words that people type for it.
    """

    key: str
    name: str
    law: str
    apply: Callable[[RuleCard], RuleCard]
    aliases: tuple[str, ...] = ()


def apply_modifier(card: RuleCard, modifier: Modifier) -> RuleCard:
    """Lay a modifier over a game. Key and name say so, unless it changes nothing.

    Raises:
        CannotModify: they do not go together.
    """
    changed = modifier.apply(card)
    if changed == card:
        return card
    name = card.name if changed.options.limit is card.options.limit else name_without_limit(card.name)
    return replace(changed, key=f"{card.key}+{modifier.key}", name=f"{name}, {modifier.name}", aliases=())


def name_without_limit(name: str) -> str:
    """The name of a game that is played with another limit than its own: ``Hold'em`` for ``No-Limit Hold'em``."""
    return _LIMIT_IN_NAME.sub("", name, count=1)


_LIMIT_IN_NAME = re.compile(r"\b(?:No-|Pot-)?Limit (?=\w)")


def _with_options(card: RuleCard, **changes: object) -> RuleCard:
    return replace(card, options=replace(card.options, **changes))


_STRIPPED_BOARD_SEATS = {2: 9, 4: 6}
"""How many players a stripped deck seats at board games, by the number of hole cards (VB-10, VC-17)."""


def _strip_deck(deck: DeckKind) -> Callable[[RuleCard], RuleCard]:
    def strip(card: RuleCard) -> RuleCard:
        if without_jokers(card.options.deck) is not DeckKind.STANDARD_52:
            raise HasItsOwnDeck(game=card.name)
        seats = min(card.seats_max, max_seats_served(card, deck))
        hole_cards = sum(step.count for step in card.steps if isinstance(step, DealDown))
        if any(isinstance(step, DealBoard) for step in card.steps):
            seats = min(seats, _STRIPPED_BOARD_SEATS.get(hole_cards, seats))
        if seats < 2:
            raise StrippedDeckTooSmall(game=card.name)
        return _with_options(
            replace(card, seats_max=seats, seats_max_on_request=0),
            deck=with_jokers(deck, joker_count(card.options.deck)),
            max_seats=seats,
        )

    return strip


def _add_joker(method: WildMethod) -> Callable[[RuleCard], RuleCard]:
    """Add a joker, or say what those there are stand for. Beside other wild cards a bug is the only one with a method of its own."""

    def add(card: RuleCard) -> RuleCard:
        with_joker = _with_joker_count(card, max(1, joker_count(card.options.deck)))
        others = _has_other_wild_cards(card)
        if others and WildMethod.BUG in (method, card.options.wild_method):
            own = JokerMethod.AS_WILD if method is card.options.wild_method else JokerMethod(method.value)
            return _with_options(with_joker, joker_method=own)
        return _with_options(with_joker, wild_method=method, joker_method=JokerMethod.AS_WILD)

    return add


def _with_joker_count(card: RuleCard, count: int) -> RuleCard:
    if card.options.deck is DeckKind.MEXICAN_41:
        raise HasItsOwnJoker(game=card.name)
    return _with_options(card, deck=with_jokers(card.options.deck, count))


def _has_other_wild_cards(card: RuleCard) -> bool:
    """Whether cards other than a joker are wild."""
    named = card.options.wild_ranks or card.options.wild_cards
    return bool(named) or any(custom.makes_cards_wild for custom in card.customs)


def _add_two_jokers(card: RuleCard) -> RuleCard:
    """Two jokers, which stand for what the game's wild cards do; for any card in a game without any (K-3)."""
    method = card.options.wild_method if card.options.plays_wild_cards else WildMethod.FREE
    return _with_options(_with_joker_count(card, 2), wild_method=method)


def make_wild(*, ranks: tuple[int, ...] = (), cards: tuple[int, ...] = ()) -> Callable[[RuleCard], RuleCard]:
    """Make ranks or single cards wild, by the method of the game's other wild cards; in a game without any, for every card (W-1, VC-25)."""

    def make(card: RuleCard) -> RuleCard:
        own = card.options
        wild = WildCards(tuple(sorted({*own.wild_ranks, *ranks})), tuple(sorted({*own.wild_cards, *cards})))
        try:
            options = with_wild_cards(own, wild)
        except WildCardsNotInDeck as refusal:
            raise HasNoSuchCard(game=card.name) from refusal
        if options.wild_method is WildMethod.NONE:
            options = replace(options, wild_method=WildMethod.FREE)
        return replace(card, options=options)

    return make


def wild_card_modifiers(words: str) -> tuple[Modifier, ...]:
    """Modifiers that make the named cards wild, one for each class of cards: ``queen of spades wild``, ``Qs``, ``black twos``.

    Raises:
        UnknownWildCards: the words name no card.
    """
    if "wild" not in words.casefold() and len(words.strip()) < 3 and not _IS_CARD.fullmatch(words.strip()):
        raise UnknownWildCards(word=words)  # a number or a letter alone is a slip sooner than a rank
    return tuple([_wild_class_modifier(one) for one in wild_classes(parse_wild_cards(words))])


_IS_CARD = re.compile(r"(?:10|[2-9tjqka])[cdhs♣♦♥♠]", re.IGNORECASE)


def _wild_class_modifier(one: WildClass) -> Modifier:
    known = {
        WildClassKind.RANK: f"{RANK_PLURALS[one.number]}_wild" if one.kind is WildClassKind.RANK else "",
        WildClassKind.ONE_EYES: "one_eyes_wild",
        WildClassKind.ONE_EYED_JACKS: "one_eyed_jacks_wild",
    }.get(one.kind)
    if known is not None:
        return next(modifier for modifier in MODIFIERS if modifier.key == known)
    key = f"{one.code.lower().replace(' ', '_')}_wild"
    return Modifier(key, wild_class_name(one), "W-1", make_wild(cards=one.cards))


def wild_class_name(one: WildClass) -> str:
    """The English name of a modifier that makes a suit, a coloured pair or a card wild: ``Queen of spades wild``."""
    match one.kind:
        case WildClassKind.SUIT:
            words = SUIT_NAMES[one.number]
        case WildClassKind.RED_RANK:
            words = f"red {RANK_PLURALS[one.number]}"
        case WildClassKind.BLACK_RANK:
            words = f"black {RANK_PLURALS[one.number]}"
        case _:
            words = card_name(one.number)
    return f"{words.capitalize()} wild"


def _forbid_duplicates(card: RuleCard) -> RuleCard:
    own = card.options
    if not own.plays_wild_cards:
        raise HasNoWildCards(game=card.name)
    joker = JokerMethod.AS_WILD if own.joker_method is JokerMethod.FREE else own.joker_method
    return _with_options(card, wild_method=WildMethod.NO_DUPLICATE, joker_method=joker)


def _add_cats_dogs(card: RuleCard) -> RuleCard:
    board = any(isinstance(step, DealBoard) for step in card.steps)
    if board or all(share.ranking.is_low or share.ranking.size != 5 for share in card.shares):
        raise NoSpecialHands(game=card.name)
    return _with_options(card, special=SpecialHands.CATS_DOGS)


def _set_limit(limit: Limit, min_raise: MinRaise) -> Callable[[RuleCard], RuleCard]:
    def set_limit(card: RuleCard) -> RuleCard:
        if card.options.limit is limit:
            return _with_options(card, min_raise=min_raise)
        cap = raise_cap_after_limit(card.options, limit, card.options.raise_cap)
        return _with_options(card, limit=limit, min_raise=min_raise, raise_cap=cap)

    return set_limit


def _make_strict(card: RuleCard) -> RuleCard:
    return replace(card, options=apply_preset(card.options, PRESETS["strict"]))


def _make_bomb_pot(card: RuleCard) -> RuleCard:
    """Everybody antes, and there is no betting before the flop (VC-29)."""
    first = next((at for at, step in enumerate(card.steps) if isinstance(step, BettingRound)), 0)
    if not any(isinstance(step, DealBoard) for step in card.steps[first:]):
        raise HasNoFlop(game=card.name)
    return _with_options(
        replace(
            without_custom(card, ButtonBlind), steps=card.steps[:first] + card.steps[first + 1 :], family="bomb pot"
        ),
        ante=Ante.EVERYONE, first_1=FirstOpener.LEFT_OF_DEALER, straddle=StraddleRule.OFF,
    )  # fmt: skip


def _double_board(card: RuleCard) -> RuleCard:
    """Two boards, each for half of every pot (VC-29)."""
    if not any(isinstance(step, DealBoard) for step in card.steps):
        raise HasNoBoard(game=card.name)
    doubled = replace(card, boards=2, seats_max_on_request=0)
    seats = min(card.seats_max, max_seats_served(doubled, card.options.deck))
    return _with_options(replace(doubled, seats_max=seats), max_seats=seats)


MODIFIERS: tuple[Modifier, ...] = (
    Modifier(
        "36", "36-Card Deck", "VB-10", _strip_deck(DeckKind.STRIPPED_36), ("stripped", "36 cards", "36-card pack")
    ),
    Modifier("32", "32-Card Deck", "VB-10", _strip_deck(DeckKind.STRIPPED_32), ("32 cards", "32-card pack")),
    Modifier(
        "joker_bug",
        "Joker as Bug",
        "W-4",
        _add_joker(WildMethod.BUG),
        ("bug", "the bug", "the joker as bug", "joker as bug"),
    ),
    Modifier("joker_wild", "Joker Wild", "W-5", _add_joker(WildMethod.FREE), ("joker", "joker free", "the joker wild")),
    Modifier(
        "joker_once", "Joker for a Card Not Held", "W-3", _add_joker(WildMethod.NO_DUPLICATE), ("joker no duplicate",)
    ),
    Modifier("two_jokers", "Two Jokers", "K-3", _add_two_jokers, ("2 jokers", "two jokers wild", "both jokers")),
    *(
        Modifier(
            f"{ranks}_wild",
            f"{ranks.capitalize()} Wild",
            "VC-25" if rank == TWO else "W-1",
            make_wild(ranks=(rank,)),
            (f"{ranks}_are_wild",),
        )
        for rank, ranks in enumerate(RANK_PLURALS)
    ),
    Modifier("one_eyed_jacks_wild", "One-Eyed Jacks Wild", "W-1", make_wild(cards=ONE_EYED_JACKS)),
    Modifier("one_eyes_wild", "One-Eyes Wild", "W-1", make_wild(cards=ONE_EYES)),
    Modifier("no_duplicate", "No Duplicates", "W-3", _forbid_duplicates, ("no duplicates",)),
    Modifier("cats_dogs", "Cats and Dogs", "VB-11", _add_cats_dogs, ("dogs and cats",)),
    Modifier("doubling", "Doubling", "VB-12", _set_limit(Limit.DOUBLING_FLAT, MinRaise.BY_LADDER), ("doubling limit",)),
    Modifier("limit", "Limit", "L-7", _set_limit(Limit.LIMIT, MinRaise.BY_LIMIT), ("fixed limit",)),
    Modifier("pot_limit", "Pot-Limit", "TL-19", _set_limit(Limit.POT_LIMIT, MinRaise.LAST_RAISE)),
    Modifier("no_limit", "No-Limit", "L-8", _set_limit(Limit.NO_LIMIT, MinRaise.LAST_RAISE)),
    Modifier("stake_limit", "Stake Limit", "L-2", _set_limit(Limit.STAKE_LIMIT, MinRaise.ONE_CHIP)),
    Modifier("strict", "Strict", "VB-13", _make_strict),
    Modifier("bomb", "Bomb Pot", "VC-29", _make_bomb_pot, ("bomb pot",)),
    Modifier("double_board", "Double Board", "VC-29", _double_board),
)
"""Everything that can be laid over a game. `bot.text.game_names` says in a sentence what each does."""
