"""The refusals of a hand: what a seat asked for and why the dealer cannot do it.

Amounts are chips; `to` and bounds of a bet are street totals; `seat_number` is the number of the seat at the table. Where a class is raised
under several laws, it declares the usual one.
"""

from bot.engine.errors import LawError
from bot.engine.legal import Decision

# Whose turn it is, and for what


class HandOver(LawError, law="TL-35"):
    """The hand is over; nothing more can be done in it."""


class NotDealtIn(LawError, law="TL-37"):
    """The seat has no cards in this hand."""


class NotYourTurn(LawError, law="B-10"):
    """Another seat is to act; 0 when nobody is."""

    seat_number: int


class HandIsDead(LawError, law="B-14"):
    """The seat has folded. A folded hand cannot be taken back and has no turn (B-10)."""


class NotAskedNow(LawError, law="TL-35"):
    """The dealer waits for another kind of answer."""

    expected: Decision


class NothingOffered(LawError, law="TL-35"):
    """There is nothing to accept or to decline."""


class AlreadyChosen(LawError, law="TL-35"):
    """The seat has chosen; a choice cannot be taken back."""


class PlayStands(LawError, law="TL-29"):
    """A misdeal was claimed too late. Where the next dealer deals after a misdeal, this is I-2."""


# Betting


class BettingRefused(LawError):
    """A check, call, bet or raise that cannot be made. The chips have not moved."""


class CannotCheck(BettingRefused, law="B-12"):
    """The seat faces a bet: `to_call` chips are needed to stay in."""

    to_call: int


class CheckingNotAllowed(BettingRefused, law="C-2"):
    """The game has no checking."""


class AlreadyCheckedOnce(CheckingNotAllowed, law="C-5"):
    """The game lets each player check once, and the seat has done so."""


class MustOpen(BettingRefused, law="F-6"):
    """The forced opener can neither check nor fold. Under F-7 the highest card opens."""

    minimum: int


class CannotCall(BettingRefused, law="B-7"):
    """The table plays without all-in, and the seat has less than a call (VB-13)."""

    to_call: int
    stack: int


class NothingToCallYet(BettingRefused, law="B-15"):
    """Nobody has opened: the seat can open or fold (L-4)."""

    minimum: int


class NotAnAmount(BettingRefused, law="H-5"):
    """A bet of nothing, less than nothing, or beyond any table."""

    to: int


class RaiseTooSmall(BettingRefused, law="TL-2"):
    """The bet (`opening`) or raise is below the minimum, and it is not all that the seat has (TL-3)."""

    to: int
    minimum: int
    opening: bool


class RaiseTooLarge(BettingRefused, law="L-2"):
    """The bet (`opening`) or raise is above what the limit allows."""

    to: int
    maximum: int
    opening: bool


class WrongSize(BettingRefused, law="L-7"):
    """In a game of fixed sizes only one amount is a bet (`opening`) or raise; with an open pair another one is too,
    which is `or_required`, else 0 (VC-5)."""

    to: int
    required: int
    or_required: int
    opening: bool


class StackTooShort(BettingRefused, law="TL-1"):
    """The total is more than the seat has on the table."""

    to: int
    maximum: int


class RaisesCapped(BettingRefused, law="L-10"):
    """The street has seen as many raises as it can have."""

    cap: int


class BettingNotReopened(BettingRefused, law="TL-4"):
    """The seat has acted and faces less than a full raise more."""


class NoCheckRaise(BettingRefused, law="VC-11"):
    """The seat has checked on this street, and the game has no check-raise."""


class NobodyToRaise(BettingRefused, law="TL-42"):
    """Every other live player is all-in: a raise could win nothing."""


class NobodyCanCallMore(BettingRefused, law="TL-42"):
    """Others have chips, but none of them more than the call: all of a raise would come back."""


class ActedOutOfTurn(BettingRefused, law="I-8"):
    """The seat put chips in out of turn, so it can only call or fold."""


class OnlyCallOrFoldNow(BettingRefused, law="B-17"):
    """Before the draw each player acts once; now bets are only made equal."""


class CallBeforeDraw(BettingRefused, law="X-3"):
    """Bets are made equal before cards are changed."""


class NoOpeners(BettingRefused, law="VC-20"):
    """Only a pair of `rank` or better can open the first street (a rank of `bot.engine.cards`)."""

    rank: int


# Straddles before the cards are dealt


class StraddleClosed(LawError, law="A-6"):
    """No straddle can be taken any more. Cards are out (A-4), No. 1 declined (A-5), or a later player did (A-6)."""


class StraddleLimitReached(StraddleClosed, law="A-7"):
    """The next straddle would pass half the limit, which is `maximum`."""

    maximum: int


class NotNextToStraddle(LawError, law="A-5"):
    """Another seat is offered the straddle."""

    seat_number: int


class WrongStraddle(LawError, law="A-4"):
    """A straddle is one exact amount."""

    required: int


# Drawing and choosing cards


class TooManyCards(LawError, law="X-2"):
    """More cards than the seat can change: than the game allows, or than the deck can replace (X-7)."""

    maximum: int
    deck_is_short: bool


class NotYourCard(LawError, law="X-2"):
    """A card that the seat does not hold, or one named twice."""


class AlreadyDrew(LawError, law="X-5"):
    """The seat has drawn or stood pat; a draw cannot be taken back."""


class DrawsFirst(LawError, law="X-1"):
    """Another seat draws first."""

    seat_number: int


class WrongCardCount(LawError, law="VC-26"):
    """Cards are given up, passed or arranged by an exact number. The law is that of the game."""

    count: int


class UnknownDeclaration(LawError, law="VC-26"):
    """Only `words` can be declared. The law is that of the game."""

    words: tuple[str, ...]


# The showdown


class ShowsFirst(LawError, law="TL-20"):
    """Another seat shows first."""

    seat_number: int


class MustShow(LawError, law="TL-21"):
    """The hand has to be shown: somebody is all-in (TL-21), it was called (Z-5), or all hands are shown (Z-1)."""


class WaitUntilTheEnd(LawError, law="Z-4"):
    """Cards can be shown after the hand, not during it."""


class WholeHandIsShown(LawError, law="TL-22"):
    """At the showdown all cards of a hand are shown; single ones can be shown after the hand."""


class AlreadyShown(LawError, law="TL-22"):
    """The cards of the seat are shown already, or gone for good."""


class NothingToDesignate(LawError, law="W-7"):
    """The seat named its wild cards or aces, but the cards speak (W-8), or it has named them already (W-7, LO-3)."""
