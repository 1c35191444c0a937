"""What beats what in a game, in words: classes of hands, the best first."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.ranking import Category, HandName
from bot.engine.ranking.examples import ExampleHand
from bot.text.formatting import join_list
from bot.text.game_words import share_name
from bot.text.hand_names import hand_name
from bot.text.language import Message, message, t

CATEGORIES: dict[Category, Message] = {
    Category.FIVE_OF_A_KIND: message("five of a kind"),
    Category.STRAIGHT_FLUSH: message("straight flush"),
    Category.FOUR_OF_A_KIND: message("four of a kind"),
    Category.FULL_HOUSE: message("full house"),
    Category.FLUSH: message("flush"),
    Category.BIG_CAT: message("big cat"),
    Category.LITTLE_CAT: message("little cat"),
    Category.BIG_DOG: message("big dog"),
    Category.LITTLE_DOG: message("little dog"),
    Category.STRAIGHT: message("straight"),
    Category.THREE_OF_A_KIND: message("three of a kind"),
    Category.TWO_PAIR: message("two pair"),
    Category.PAIR: message("a pair"),
    Category.HIGH_CARD: message("high card"),
}

HEADING = message("What beats what")
BEST_FIRST = message("the best hand first")
BEST_FIRST_WILD = message("the best hand first · the star marks a wild card")

_ORDER = message("**What beats what:** {hands}")
_ORDER_OF_SHARE = message("**What beats what for {share}:** {hands}")
_ORDER_SIGN = message(" › ")  # Translators: stands between a better hand and the next lower one
_PICTURE = message("What beats what in {game}, the best hand first: {hands}.")
_SHARE = message("{share}: {hands}")
_FROM_TO = message("What beats what in {game}, from {best} to {worst}. The text tells it in full.")


def example_title(hand: HandName) -> str:
    """Name the class of hands that an example stands for: ``full house``; of lows and badugis, the hand itself: ``7-5-4-3-2``."""
    if hand.category is Category.BADUGI or (hand.is_low and hand.category is Category.HIGH_CARD):
        return hand_name(hand)
    return t(CATEGORIES[hand.category])


def order_lines(sections: Sequence[tuple[str, Sequence[ExampleHand]]]) -> list[str]:
    """Tell what beats what, a line for each share of the pot that is ranked in its own way: ``straight flush › four of a kind › …``.

    Args:
        sections: the name of the share, empty where there is one, and its hands, the best first.
    """
    lines: list[str] = []
    for share, examples in sections:
        hands = t(_ORDER_SIGN).join([example_title(example.name) for example in examples])
        lines.append(t(_ORDER_OF_SHARE, share=share_name(share), hands=hands) if share else t(_ORDER, hands=hands))
    return lines


def picture_text(game: str, sections: Sequence[tuple[str, Sequence[ExampleHand]]], maximum: int) -> str:
    """Describe the picture of a ranking for whoever cannot see it; where that is longer than `maximum`, by its ends alone."""
    parts: list[str] = []
    for share, examples in sections:
        hands = join_list([example_title(example.name) for example in examples])
        parts.append(t(_SHARE, share=share_name(share), hands=hands) if share else hands)
    text = t(_PICTURE, game=game, hands="; ".join(parts))
    if len(text) <= maximum:
        return text
    first, last = sections[0][1][0], sections[-1][1][-1]
    return t(_FROM_TO, game=game, best=example_title(first.name), worst=example_title(last.name))
