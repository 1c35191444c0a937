"""Refused designations of wild cards.

Source: laws W-1, W-3, W-4, W-5.
"""

from __future__ import annotations

from bot.engine.cards import JOKER, name
from bot.engine.errors import LawError


class NotWild(LawError):
    """The card is not wild in this game, or its player does not hold it."""

    law = "W-1"

    def __init__(self, *, card: int) -> None:
        super().__init__(f"the {name(card)} is no wild card of yours")
        self.card = card


class NoSuchCard(LawError):
    """A wild card must stand for a card of the pack."""

    law = "W-5"

    def __init__(self, *, as_card: int) -> None:
        known = f"the {name(as_card)}" if 0 <= as_card <= JOKER else f"number {as_card}"
        super().__init__(f"no such card in this pack: {known}")
        self.as_card = as_card


class AlreadyHeld(LawError):
    """Under `no_duplicate` a wild card stands for a card its holder does not hold."""

    law = "W-3"

    def __init__(self, *, as_card: int) -> None:
        super().__init__(f"you already hold that card, the {name(as_card)}")
        self.as_card = as_card


class BugCannotBe(LawError):
    """The bug is an ace, or completes a straight, a flush, a straight flush or a special hand."""

    law = "W-4"

    def __init__(self, *, as_card: int) -> None:
        super().__init__(f"the bug is an ace or fills a straight, flush or special hand; not the {name(as_card)}")
        self.as_card = as_card
