"""What the dealer does in a hand, step by step. A rule card lists steps; each is a small type that tells one thing.

Who acts first, how much can be bet and who must show is not told here but by the options in force, so that a table
can change it without changing the card.

Laws: Part B "street notation", Part C primitives e1 to e22.
"""

from enum import StrEnum

from msgspec import Struct


class BetSize(StrEnum):
    """Which of a limit game's two bet sizes a betting round plays (L-7)."""

    SMALL = "small"
    BIG = "big"


class Step(Struct, frozen=True, tag=True):
    """One thing the dealer does."""


class PostForcedBets(Step, frozen=True, tag=True):
    """Antes, blinds and other forced money go in (laws A7, TL-7, TL-14)."""


class OfferStraddles(Step, frozen=True, tag=True):
    """Each next player in turn can straddle before the cards; the first refusal ends it (laws A-4 to A-7)."""


class DealDown(Step, frozen=True, tag=True):
    """`count` cards face down to each live player (e1)."""

    count: int


class DealUp(Step, frozen=True, tag=True):
    """`count` cards face up to each live player (e1)."""

    count: int


class DealUpInTurn(Step, frozen=True, tag=True):
    """One card face up to each live player, one player after the other: what a card brings comes at once, and what
    must be paid for it is asked before the next card leaves the deck (e1, e15; VC-24)."""


class Burn(Step, frozen=True, tag=True):
    """The top card face down to the burns (M-2)."""


class DealBoard(Step, frozen=True, tag=True):
    """`count` common cards face up, on every board of the card (e1, e22)."""

    count: int


class BettingRound(Step, frozen=True, tag=True):
    """One betting round, named by its street (e2).

    `pair_doubles_bet`: an open pair lets its player, and those after them, choose the big bet (VC-5; WSOP-L 220).
    """

    street: str
    size: BetSize = BetSize.SMALL
    pair_doubles_bet: bool = False


class Draw(Step, frozen=True, tag=True):
    """Each live player in turn changes up to `max_cards` cards (e3)."""

    street: str
    max_cards: int


class GiveUpCards(Step, frozen=True, tag=True):
    """Each live player gives up exactly `count` cards without exchange (e9)."""

    count: int


class PassCards(Step, frozen=True, tag=True):
    """All live players at once pass `count` cards to the live player `left` seats to the left (e16)."""

    count: int
    seats_to_left: int = 1


class ArrangeCards(Step, frozen=True, tag=True):
    """Each live player puts their cards in the order in which they will be turned up (e17)."""


class RollOut(Step, frozen=True, tag=True):
    """Each live player turns their next arranged card up (e17)."""


class OfferTurnUp(Step, frozen=True, tag=True):
    """Each live player can turn their down card up; their next card then comes down (e20)."""


class DealUpOrDown(Step, frozen=True, tag=True):
    """One card to each live player: up if they have a card down, else down (VC-22)."""


BOTH = "both"
"""The word of a player who declares for the high and the low half."""


class DeclareInSecret(Step, frozen=True, tag=True):
    """All live players at once and in secret declare one of `words`; `default_word` is declared for a player who does
    not act (e18)."""

    words: tuple[str, ...]
    default_word: str


class Showdown(Step, frozen=True, tag=True):
    """Hands are shown as `SHOW` says and the pots are paid (laws A11, TL-20 to TL-23)."""


AnyStep = (
    PostForcedBets
    | OfferStraddles
    | DealDown
    | DealUp
    | DealUpInTurn
    | Burn
    | DealBoard
    | BettingRound
    | Draw
    | GiveUpCards
    | PassCards
    | ArrangeCards
    | RollOut
    | OfferTurnUp
    | DealUpOrDown
    | DeclareInSecret
    | Showdown
)
