"""The code words of a rule card, put into words: its streets, its shares of a pot, what can be declared.

The tables are complete for the games of the catalogue; a test goes through them. A game from outside can name a street or a share of
its own: it is shown as the card writes it.
"""

from __future__ import annotations

from bot.engine.view.types import HandView
from bot.text.language import Message, message, t
from bot.text.word_table import word_table

_STREETS = word_table(
    """
    pre-flop | pre-flop | Pre-flop
    flop | flop | Flop
    turn | turn | Turn
    river | river | River
    second street | second street | Second street
    third street | third street | Third street
    fourth street | fourth street | Fourth street
    fifth street | fifth street | Fifth street
    sixth street | sixth street | Sixth street
    seventh street | seventh street | Seventh street
    before the draw | before the draw | Before the draw
    the draw | the draw | Draw
    after the draw | after the draw | After the draw
    first draw | first draw | First draw
    after the first draw | after the first draw | After the first draw
    second draw | second draw | Second draw
    after the second draw | after the second draw | After the second draw
    third draw | third draw | Third draw
    after the third draw | after the third draw | After the third draw
    first interval | first betting round | First betting round
    after the pass | after the pass | After the pass
    after the first pass | after the first pass | After the first pass
    after the second pass | after the second pass | After the second pass
    after the third pass | after the third pass | After the third pass
    first card up | first card up | First card up
    second card up | second card up | Second card up
    third card up | third card up | Third card up
    fourth card up | fourth card up | Fourth card up
    the say | before the draw | Before the draw
    the betting | the betting | The betting
    """
)
STREETS = {row.code: row.messages[0] for row in _STREETS}
"""Every street by its name on the rule card, inside a sentence."""
STREET_HEADINGS = {"": message("Deal"), "showdown": message("Showdown")} | {
    row.code: row.messages[1] for row in _STREETS
}
"""Every street by its name on the rule card, as a heading. A hand has no street before its first betting round."""
_DRAW = message("Draw {number} of {count}")
_IN_OR_OUT = message("In or out")

_SHARES = word_table(
    """
    pot | pot | **{hand}**
    high | high | **High: {hand}**
    low | low | **Low: {hand}**
    draw | draw | **Draw: {hand}**
    omaha | Omaha | **Omaha: {hand}**
    badugi | badugi | **Badugi: {hand}**
    five-card low | five-card low | **Five-card low: {hand}**
    """
)
SHARES = {row.code: row.messages[0] for row in _SHARES}
"""Every share of a pot by its name on the rule card, inside a sentence."""
SHARE_HANDS = {row.code: row.messages[1] for row in _SHARES}
"""The hand that a player holds for each share."""
_OTHER_SHARE_HAND = message("**{share}: {hand}**")

_DECLARATIONS = word_table(
    """
    high | high | High
    low | low | Low
    both | both ways | Both
    in | in | In
    out | out | Out
    yes | twice | Twice
    no | once | Once
    aces high | aces high | Aces high
    aces low | aces low | Aces low
    """
)
DECLARATIONS = {row.code: row.messages[0] for row in _DECLARATIONS}
"""Every word that a player can declare, inside a sentence. ``yes`` and ``no`` answer whether the rest is dealt twice."""
DECLARATION_LABELS = {row.code: row.messages[1] for row in _DECLARATIONS}
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
