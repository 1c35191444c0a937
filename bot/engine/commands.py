"""What a seat can ask of the dealer. A command asks; an event tells what happened.

Amounts are street totals in chips. Cards are named by their index in the deck.
"""

from msgspec import Struct

from bot.engine.units import CardIndex


class HandCommandBase(Struct, frozen=True, tag=True, gc=False):
    """A command of one seat. `decide` rules whether it happens. Annotate with `HandCommand`, which lists them all."""


class Fold(HandCommandBase, frozen=True, tag=True, gc=False):
    """Give up the hand and any claim on the pot; chips put in stay (laws B-6, B-14)."""


class Check(HandCommandBase, frozen=True, tag=True, gc=False):
    """Bet nothing while nobody has bet; "stand" in old English draw (laws C-1, C-4)."""


class Call(HandCommandBase, frozen=True, tag=True, gc=False):
    """Make the seat's total equal the highest, or go all-in for less (laws B-7, TL-3, TL-18)."""


class Bet(HandCommandBase, frozen=True, tag=True, gc=False):
    """Make the first bet of the street, to a street total (laws B-13, TL-2)."""

    to: int


class RaiseTo(HandCommandBase, frozen=True, tag=True, gc=False):
    """Raise to a street total (laws B-8, TL-2)."""

    to: int


class AllIn(HandCommandBase, frozen=True, tag=True, gc=False):
    """Put in the whole stack, or as much as the betting allows, as a bet, a raise or a call (law TL-3)."""


class Show(HandCommandBase, frozen=True, tag=True, gc=False):
    """Turn the whole hand up at the showdown, or one's own cards after the hand (laws TL-20, TL-22, Z-4).

    Attributes:
        card_indices: the cards to show, after the hand alone; none: all of them.
        designations: what wild cards stand for, as pairs of a card's index and the card it is to be (W-7).
        ace_word: ``aces high`` or ``aces low``, where the table plays `ACE_HILO`=declare_one (LO-3).
    """

    designations: tuple[tuple[CardIndex, int], ...] = ()
    ace_word: str = ""
    card_indices: tuple[CardIndex, ...] = ()


class Muck(HandCommandBase, frozen=True, tag=True, gc=False):
    """Give the hand up unseen at the showdown (laws TL-20, TL-22)."""


class TakeStraddle(HandCommandBase, frozen=True, tag=True, gc=False):
    """Take the straddle that is offered before the cards (laws A-4, A-6, TL-13). `to` is the stake; 0 stands for the
    amount offered."""

    to: int = 0


class Decline(HandCommandBase, frozen=True, tag=True, gc=False):
    """Decline what is offered: a straddle, a price, turning a card up, running the board twice."""


class ChooseCards(HandCommandBase, frozen=True, tag=True, gc=False):
    """Choose cards of one's own: to replace at a draw (none: stand pat), to give up, to pass, or to arrange in this
    order (laws X-2, X-5)."""

    card_indices: tuple[CardIndex, ...] = ()


class Declare(HandCommandBase, frozen=True, tag=True, gc=False):
    """Declare which way the hand plays: ``high``, ``low``, ``both``, ``in``, ``out``, ``aces high``, ``aces low``."""

    word: str


class Accept(HandCommandBase, frozen=True, tag=True, gc=False):
    """Accept what is offered: pay a price, turn a card up, run the board twice."""


HandCommand = (
    Fold | Check | Call | Bet | RaiseTo | AllIn | Show | Muck | TakeStraddle | Decline | ChooseCards | Declare | Accept
)
