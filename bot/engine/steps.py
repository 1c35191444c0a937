"""What the dealer does at a deal, step by step. A rule card lists steps; each is a small type that says one thing.

Who speaks first, how much may be bet and who must show is not said here but by the options in force, so that a table can change it
without changing the card.

Source: laws Part B "street notation", Part C primitives e1 to e22.
"""

from enum import StrEnum

from msgspec import Struct


class Size(StrEnum):
    """Which of a limit game's two bet sizes an interval plays (L-7)."""

    SMALL = "small"
    BIG = "big"


class Step(Struct, frozen=True, tag=True):
    """One thing the dealer does."""


class PostForced(Step, frozen=True, tag=True):
    """Antes, blinds and other forced money go in (laws A7, TL-7, TL-14)."""


class OfferStraddles(Step, frozen=True, tag=True):
    """Each next player in turn may straddle before the cards; the first refusal ends it (laws A-4 to A-7)."""


class DealDown(Step, frozen=True, tag=True):
    """`count` cards face down to each live player (e1)."""

    count: int


class DealUp(Step, frozen=True, tag=True):
    """`count` cards face up to each live player (e1)."""

    count: int


class DealUpInTurn(Step, frozen=True, tag=True):
    """One card face up to each live player, one player after the other: what it brings comes at once, and what must be paid for it is
    asked before any further card leaves the pack (e1, e15; VC-24)."""


class Burn(Step, frozen=True, tag=True):
    """The top card face down to the burns (M-2)."""


class DealBoard(Step, frozen=True, tag=True):
    """`count` common cards face up, on every board of the card (e1, e22)."""

    count: int


class BetStep(Step, frozen=True, tag=True):
    """One betting interval, named by its street (e2).

    `pair_doubles`: while a live hand shows a pair, the size is the big one (VC-5; WSOP-L 220).
    """

    street: str
    size: Size = Size.SMALL
    pair_doubles: bool = False


class Draw(Step, frozen=True, tag=True):
    """Each live player in turn changes up to `most` cards (e3)."""

    street: str
    most: int


class Drop(Step, frozen=True, tag=True):
    """Each live player gives up exactly `count` cards without exchange (e9)."""

    count: int


class PassCards(Step, frozen=True, tag=True):
    """All live players at once pass `count` cards to the live player `left` seats to the left (e16)."""

    count: int
    left: int = 1


class Arrange(Step, frozen=True, tag=True):
    """Each live player puts his cards in the order in which they will be turned up (e17)."""


class RollOut(Step, frozen=True, tag=True):
    """Each live player turns his next arranged card up (e17)."""


class OfferExposure(Step, frozen=True, tag=True):
    """Each live player may turn his down card up; his next card then comes down (e20)."""


class DealEither(Step, frozen=True, tag=True):
    """One card to each live player: up if he has a card down, else down (VC-22)."""


class BuyCards(Step, frozen=True, tag=True):
    """Up cards that bring a card or must be paid for are settled, after all have been dealt theirs (e15). The house's own games settle
    each before the next (`DealUpInTurn`); hands of former days, and cards from outside, are played as they say."""


class DeclareStep(Step, frozen=True, tag=True):
    """All live players at once and in secret say one of `words`; `silence` is what a player who says nothing has said (e18)."""

    words: tuple[str, ...]
    silence: str


class Showdown(Step, frozen=True, tag=True):
    """Hands are shown as `SHOW` says and the pots are paid (laws A11, TL-20 to TL-23)."""


Any = (
    PostForced
    | OfferStraddles
    | DealDown
    | DealUp
    | DealUpInTurn
    | Burn
    | DealBoard
    | BetStep
    | Draw
    | Drop
    | PassCards
    | Arrange
    | RollOut
    | OfferExposure
    | DealEither
    | BuyCards
    | DeclareStep
    | Showdown
)
