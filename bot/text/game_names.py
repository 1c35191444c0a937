"""Names of games, of what is laid over them, of mixed games and of families, in the reader's language.

The English names stand once, with the games (`bot.variants`). Like the clauses of the law book they are looked up in the reader's
catalogue; `game_texts` lists them for translators. A name that people gave to a game of the house is nobody's to translate.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine.cards import RANK_PLURALS
from bot.engine.options.wild_cards import WildClass, WildClassKind
from bot.text.cards import rank_name
from bot.text.language import message, t, translate
from bot.text.wild_cards import wild_class_words
from bot.variants import CATALOGUE, MIXES, MODIFIERS
from bot.variants.game_list import unnamed_mix_size
from bot.variants.modifiers import Modifier, name_without_limit, wild_class_name

_MODIFIED_GAME = message(
    "{game}, {modifier}"
)  # Translators: a game and what is laid over it: Pot-Limit Omaha, Joker as Bug
_UNNAMED_MIX = message("Mixed ({count} games)")
_FAMILIES = {
    "hold'em": message("Hold'em"),
    "omaha": message("Omaha"),
    "draw": message("Draw"),
    "high-low": message("High-low"),
    "lowball": message("Lowball"),
    "stud": message("Stud"),
    "home": message("Home games"),
    "bomb pot": message("Bomb pots"),
}
_WITHOUT_LIMIT = tuple(dict.fromkeys(name_without_limit(card.name) for card in CATALOGUE))
_KNOWN_NAMES = frozenset([*[card.name for card in CATALOGUE], *_WITHOUT_LIMIT, *[mix.name for mix in MIXES]])
_MODIFIER_NAMES = frozenset(modifier.name for modifier in MODIFIERS)
_WILD_CLASSES = {
    wild_class_name(WildClass(kind, number)): WildClass(kind, number)
    for kind, count in (
        (WildClassKind.SUIT, 4),
        (WildClassKind.RED_RANK, 13),
        (WildClassKind.BLACK_RANK, 13),
        (WildClassKind.CARD, 52),
    )
    for number in range(count)
}
_CARDS_WILD = message("{cards} wild")  # Translators: behind a game's name: queen of spades wild


def game_name(name: str) -> str:
    """A game or a mixed game by its English name; the name of a house game stays as its people gave it."""
    if name in _KNOWN_NAMES:
        return translate(name)
    count = unnamed_mix_size(name)
    if count:
        return t(_UNNAMED_MIX, count=count)
    base, comma, modifier = name.rpartition(", ")
    if comma and modifier in _MODIFIER_NAMES:
        return t(_MODIFIED_GAME, game=game_name(base), modifier=translate(modifier))
    if comma and modifier in _WILD_CLASSES:
        return t(_MODIFIED_GAME, game=game_name(base), modifier=_wild_class_name(_WILD_CLASSES[modifier]))
    return name


def _wild_class_name(one: WildClass) -> str:
    """The name of what makes a class of cards wild: ``Queen of spades wild``."""
    words = t(_CARDS_WILD, cards=wild_class_words(one))
    return words[:1].upper() + words[1:]


def game_names(names: str) -> str:
    """Several games with strokes between them, as people type them: ``Limit Razz / Pot-Limit Omaha``."""
    return " / ".join([game_name(name) for name in names.split(" / ")])


def family_name(family: str) -> str:
    """A family of games as a heading: ``Hold'em``."""
    return t(_FAMILIES[family]) if family in _FAMILIES else family


def modifier_description(modifier: Modifier) -> str:
    """What a modifier does to a game, in one sentence."""
    key = modifier.key
    if key in _WILD_RANKS:
        return t(message("Every {rank} is wild."), rank=rank_name(_WILD_RANKS[key]))
    if modifier.name in _WILD_CLASSES:
        one = _WILD_CLASSES[modifier.name]
        sentence = (
            message("The {cards} is wild.") if one.kind is WildClassKind.CARD else message("All {cards} are wild.")
        )
        return t(sentence, cards=wild_class_words(one))
    return t(MODIFIER_DESCRIPTIONS[key])


_WILD_RANKS = {f"{ranks}_wild": rank for rank, ranks in enumerate(RANK_PLURALS)}

MODIFIER_DESCRIPTIONS = {
    "36": message("Sixes to aces only."),
    "32": message("Sevens to aces only."),
    "joker_bug": message("A joker is added: an ace, or it fills a straight, flush or special hand."),
    "joker_wild": message("A joker is added that stands for any card."),
    "joker_once": message("A joker is added that stands for any card its holder does not hold."),
    "two_jokers": message("Two jokers are added."),
    "one_eyed_jacks_wild": message("The jacks of hearts and spades are wild."),
    "one_eyes_wild": message("The jacks of hearts and spades and the king of diamonds are wild."),
    "no_duplicate": message("A wild card stands for a card its holder does not hold."),
    "cats_dogs": message("Cats and dogs rank between straight and flush."),
    "doubling": message("Bets double a few times and then stay."),
    "limit": message("Every bet has the size of its street."),
    "pot_limit": message("A bet can be as large as the pot."),
    "no_limit": message("You can bet everything you have."),
    "stake_limit": message("No raise adds more than the limit."),
    "strict": message(
        "The old laws without modern changes: no all-in, players name their wild cards, chips put in early are held."
    ),
    "bomb": message("Everyone antes and the flop comes at once."),
    "double_board": message("Two boards, each for half of every pot."),
}


def game_texts() -> Iterator[str]:
    """Every English name that `game_name` looks up."""
    yield from (card.name for card in CATALOGUE)
    yield from _WITHOUT_LIMIT
    yield from (mix.name for mix in MIXES)
    yield from (modifier.name for modifier in MODIFIERS)
