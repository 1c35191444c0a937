"""The code words of a rule card, put into words: its streets, its shares of a pot, what can be declared.

The tables are complete for the games of the catalogue; a test goes through them. A game from outside can name a street or a share of
its own: it is shown as the card writes it.
"""

from __future__ import annotations

from bot.engine.view.types import HandView
from bot.text.language import Message, message, t

STREETS: dict[str, Message] = {
    "pre-flop": message("pre-flop"),
    "flop": message("flop"),
    "turn": message("turn"),
    "river": message("river"),
    "second street": message("second street"),
    "third street": message("third street"),
    "fourth street": message("fourth street"),
    "fifth street": message("fifth street"),
    "sixth street": message("sixth street"),
    "seventh street": message("seventh street"),
    "before the draw": message("before the draw"),
    "the draw": message("the draw"),
    "after the draw": message("after the draw"),
    "first draw": message("first draw"),
    "after the first draw": message("after the first draw"),
    "second draw": message("second draw"),
    "after the second draw": message("after the second draw"),
    "third draw": message("third draw"),
    "after the third draw": message("after the third draw"),
    "first interval": message("first betting round"),
    "after the pass": message("after the pass"),
    "after the first pass": message("after the first pass"),
    "after the second pass": message("after the second pass"),
    "after the third pass": message("after the third pass"),
    "first card up": message("first card up"),
    "second card up": message("second card up"),
    "third card up": message("third card up"),
    "fourth card up": message("fourth card up"),
    "the say": message("before the draw"),
    "the betting": message("the betting"),
}
"""Every street by its name on the rule card, inside a sentence."""
STREET_HEADINGS: dict[str, Message] = {
    "": message("Deal"),
    "pre-flop": message("Pre-flop"),
    "flop": message("Flop"),
    "turn": message("Turn"),
    "river": message("River"),
    "second street": message("Second street"),
    "third street": message("Third street"),
    "fourth street": message("Fourth street"),
    "fifth street": message("Fifth street"),
    "sixth street": message("Sixth street"),
    "seventh street": message("Seventh street"),
    "before the draw": message("Before the draw"),
    "after the draw": message("After the draw"),
    "the draw": message("Draw"),
    "first draw": message("First draw"),
    "second draw": message("Second draw"),
    "third draw": message("Third draw"),
    "after the first draw": message("After the first draw"),
    "after the second draw": message("After the second draw"),
    "after the third draw": message("After the third draw"),
    "first interval": message("First betting round"),
    "after the pass": message("After the pass"),
    "after the first pass": message("After the first pass"),
    "after the second pass": message("After the second pass"),
    "after the third pass": message("After the third pass"),
    "first card up": message("First card up"),
    "second card up": message("Second card up"),
    "third card up": message("Third card up"),
    "fourth card up": message("Fourth card up"),
    "the say": message("Before the draw"),
    "the betting": message("The betting"),
    "showdown": message("Showdown"),
}
"""Every street by its name on the rule card, as a heading. A hand has no street before its first betting round."""
_DRAW = message("Draw {number} of {count}")
_IN_OR_OUT = message("In or out")

SHARES: dict[str, Message] = {
    "pot": message("pot"),
    "high": message("high"),
    "low": message("low"),
    "draw": message("draw"),
    "omaha": message("Omaha"),
    "badugi": message("badugi"),
    "five-card low": message("five-card low"),
}
"""Every share of a pot by its name on the rule card, inside a sentence."""
SHARE_HANDS: dict[str, Message] = {
    "pot": message("**{hand}**"),
    "high": message("**High: {hand}**"),
    "low": message("**Low: {hand}**"),
    "draw": message("**Draw: {hand}**"),
    "omaha": message("**Omaha: {hand}**"),
    "badugi": message("**Badugi: {hand}**"),
    "five-card low": message("**Five-card low: {hand}**"),
}
"""The hand that a player holds for each share."""
_OTHER_SHARE_HAND = message("**{share}: {hand}**")

DECLARATIONS: dict[str, Message] = {
    "high": message("high"),
    "low": message("low"),
    "both": message("both ways"),
    "in": message("in"),
    "out": message("out"),
    "yes": message("twice"),
    "no": message("once"),
    "aces high": message("aces high"),
    "aces low": message("aces low"),
}
"""Every word that a player can declare, inside a sentence. ``yes`` and ``no`` answer whether the rest is dealt twice."""
DECLARATION_LABELS: dict[str, Message] = {
    "high": message("High"),
    "low": message("Low"),
    "both": message("Both"),
    "in": message("In"),
    "out": message("Out"),
    "yes": message("Twice"),
    "no": message("Once"),
    "aces high": message("Aces high"),
    "aces low": message("Aces low"),
}
"""The same words on buttons."""


def street_name(street: str) -> str:
    """A street inside a sentence: ``third street``."""
    return _looked_up(STREETS, street)


def street_heading(view: HandView) -> str:
    """The street as a heading: ``Pre-flop``, ``Turn``, ``Draw 1 of 3``."""
    number, count = view.draw_progress
    if number:
        return t(_DRAW, number=number, count=count)
    if not view.street and view.legal_to_act is not None and "in" in view.legal_to_act.declarable_words:
        return t(_IN_OR_OUT)
    return street_title(view.street)


def street_title(street: str) -> str:
    """A street of a rule card as a heading: ``Fourth street``."""
    return _looked_up(STREET_HEADINGS, street)


def share_name(share: str) -> str:
    """A share of a pot inside a sentence: ``high``."""
    return _looked_up(SHARES, share)


def share_hand(share: str, hand: str) -> str:
    """The hand that a player holds for a share: ``**Low: 8-6-4-3-2**``."""
    known = SHARE_HANDS.get(share)
    return t(known, hand=hand) if known is not None else t(_OTHER_SHARE_HAND, share=share, hand=hand)


def declaration(word: str) -> str:
    """A declared word inside a sentence: ``both ways``."""
    return _looked_up(DECLARATIONS, word)


def declaration_label(word: str) -> str:
    """A word on the button that declares it: ``Both``."""
    return _looked_up(DECLARATION_LABELS, word)


def _looked_up(table: dict[str, Message], word: str) -> str:
    known = table.get(word)
    return t(known) if known is not None else word
