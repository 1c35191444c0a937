"""Wild cards in words, as few as name them: ``deuces, hearts, the queen of spades``. Law: W-1."""

from __future__ import annotations

from bot.engine.options.wild_cards import WildCards, WildClass, WildClassKind, wild_classes
from bot.text.cards import card_name, rank_plural, suit_name
from bot.text.language import message, t

_ONE_EYES = message("one-eyed cards (jacks of hearts and spades, king of diamonds)")
_ONE_EYED_JACKS = message("one-eyed jacks (hearts and spades)")
_RED = message("red {ranks}")  # Translators: red kings
_BLACK = message("black {ranks}")  # Translators: black deuces
_THE_CARD = message("the {card}")


def wild_class_words(one: WildClass) -> str:
    """Name a class of wild cards, or one card without an article: ``deuces``, ``red kings``, ``queen of spades``."""
    match one.kind:
        case WildClassKind.RANK:
            return rank_plural(one.number)
        case WildClassKind.SUIT:
            return suit_name(one.number)
        case WildClassKind.ONE_EYES:
            return t(_ONE_EYES)
        case WildClassKind.ONE_EYED_JACKS:
            return t(_ONE_EYED_JACKS)
        case WildClassKind.RED_RANK:
            return t(_RED, ranks=rank_plural(one.number))
        case WildClassKind.BLACK_RANK:
            return t(_BLACK, ranks=rank_plural(one.number))
        case WildClassKind.CARD:
            return card_name(one.number)


def wild_cards_in_words(wild: WildCards) -> list[str]:
    """Name wild cards: ``deuces``, ``hearts``, ``the queen of spades``."""
    return [
        t(_THE_CARD, card=wild_class_words(one)) if one.kind is WildClassKind.CARD else wild_class_words(one)
        for one in wild_classes(wild)
    ]
