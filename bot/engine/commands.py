"""What a seat may ask of the dealer. A command asks; an event says what happened.

Amounts are street totals in chips ("raise to"). Cards are named by their place in the pack.
"""

from msgspec import Struct


class Command(Struct, frozen=True, tag=True, gc=False):
    """Something one seat asks for. Whether it happens is for `decide` to rule."""


class Fold(Command, frozen=True, tag=True, gc=False):
    """Drop the hand: no further claim on the pot; chips put in stay (laws B-6, B-14)."""


class Check(Command, frozen=True, tag=True, gc=False):
    """Bet nothing, while nobody has bet; "stand" in old English draw (laws C-1, C-4)."""


class Call(Command, frozen=True, tag=True, gc=False):
    """Make the seat's total equal the highest, or go all-in for less (laws B-7, TL-3, TL-18)."""


class Bet(Command, frozen=True, tag=True, gc=False):
    """Make the first bet of the interval, to a street total in chips (laws B-13, TL-2)."""

    to: int


class RaiseTo(Command, frozen=True, tag=True, gc=False):
    """Raise to a street total in chips (laws B-8, TL-2)."""

    to: int


class AllIn(Command, frozen=True, tag=True, gc=False):
    """Put in the whole stack, or as much of it as the betting allows: a bet, a raise or a call, whichever it is (law TL-3)."""


class Show(Command, frozen=True, tag=True, gc=False):
    """Turn the whole hand up at the showdown, or one's own cards after the deal (laws TL-20, TL-22, Z-4).

    Attributes:
        as_cards: what wild cards stand for, as pairs of a card's place and the card it is to be (W-7).
        word: ``aces high`` or ``aces low``, where the table plays `ACE_HILO`=declare_one (LO-3).
    """

    as_cards: tuple[tuple[int, int], ...] = ()
    word: str = ""


class Muck(Command, frozen=True, tag=True, gc=False):
    """Give the hand up unseen at the showdown (laws TL-20, TL-22)."""


class Straddle(Command, frozen=True, tag=True, gc=False):
    """Take the straddle that is offered before the cards (laws A-4, A-6, TL-13). `to` is the stake; 0 means the amount offered."""

    to: int = 0


class Decline(Command, frozen=True, tag=True, gc=False):
    """Say no to what is offered: a straddle, a price, a turn-up, running it twice."""


class Discard(Command, frozen=True, tag=True, gc=False):
    """Give up these cards, by their places in the pack: at a draw to be served as many new ones (none: stand pat), at a drop or
    a pass to be rid of them (laws X-2, X-5)."""

    places: tuple[int, ...] = ()


class Declare(Command, frozen=True, tag=True, gc=False):
    """Say which way the hand plays: ``high``, ``low``, ``both``, ``in``, ``out``, ``aces high``, ``aces low``."""

    word: str


class Accept(Command, frozen=True, tag=True, gc=False):
    """Say yes to what is offered: pay a price, turn a card up, run it twice."""


Any = Fold | Check | Call | Bet | RaiseTo | AllIn | Show | Muck | Straddle | Decline | Discard | Declare | Accept
