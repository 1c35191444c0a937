"""What has happened in a hand. Events are facts: they are stored, replayed and never refused.

A seat is its place at this deal: 0 is the first player left of the dealer, the last one is the dealer (or sits nearest his right when
the button rests on an empty seat). Cards are named by their place in the pack, so that what is stored shows no card. Amounts are chips;
"to" is a street total.

Source: design §2, §3; laws 0.2.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine.card import RuleCard
from bot.engine.legal import Decision, Duty
from bot.engine.options import Options
from bot.engine.stakes import Stakes


class Event(Struct, frozen=True, tag=True, gc=False):
    """Something that happened in a hand."""


class PostKind(StrEnum):
    """Why a seat has money in before its first say."""

    ANTE = "ante"  # from everyone alike: dead, but layered into side pots (TL-15)
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    STRADDLE = "straddle"  # a live third blind (TL-13), a link of the chain, the forced double
    LIVE = "live post"  # a newcomer's or returning player's big blind (TL-10); does not change who acts first
    DEAD = "dead post"  # missed small blind, big-blind ante (TL-10, TL-14): in the main pot, not part of the bet
    STAKE = (
        "ante stake"  # the ante of the draw games of sources 002 and 003: live, it counts toward the poster's bet
    )


class Post(Struct, frozen=True, gc=False):
    """Money one seat owes before the cards, in chips. A shorter stack posts what it has (TL-7, TL-42)."""

    seat: int
    kind: PostKind
    chips: int


class HandStarted(Event, frozen=True, tag=True):
    """A deal began. The whole rule card is written in, so editing the catalogue cannot change a running or past hand.

    Attributes:
        seats: table seat numbers of the players dealt in, clockwise from the dealer's left.
        stacks: chips of each before any post.
        posts: what each owes, in the order of payment.
        button: table seat number of the dealer button; it may rest on an empty seat (TL-9).
        ask_show: at an `in_order` showdown wait for each seat's Show or Muck, instead of showing whoever must or should.
        carried: chips in the pot from an earlier deal (I-3, N-1).
        openers: the lowest rank of a pair that opens this deal, where the game asks for openers and has progressed (VC-20); -1: the card's.
        ask_run_twice: with all betting over, ask the live seats whether to run the board twice (TL-25).
    """

    card: RuleCard
    options: Options
    stakes: Stakes
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    posts: tuple[Post, ...]
    button: int
    ask_show: bool = False
    carried: int = 0
    openers: int = -1
    ask_run_twice: bool = False


class Posted(Event, frozen=True, tag=True, gc=False):
    """A seat paid a forced bet: `chips` is what was really put in, `owed` the full amount, which others must still call (TL-7)."""

    seat: int
    kind: PostKind
    chips: int
    owed: int


class AllPosted(Event, frozen=True, tag=True, gc=False):
    """All forced money is in. `shortfall`: what dead or short blinds lack, which pot-limit counts before the second interval (TL-19)."""

    shortfall: int = 0


class DealtDown(Event, frozen=True, tag=True, gc=False):
    """Each live seat got `count` cards face down, one at a time to the left from seat `first`; `place` is the first card's (D-9)."""

    count: int
    place: int
    first: int = 0


class DealtUp(Event, frozen=True, tag=True, gc=False):
    """As `DealtDown`, face up."""

    count: int
    place: int
    first: int = 0


class DealtUpTo(Event, frozen=True, tag=True, gc=False):
    """The seat alone was dealt its card of the street, face up, and no other is served before it is settled (VC-24)."""

    seat: int
    place: int


class Burned(Event, frozen=True, tag=True, gc=False):
    """The top card went face down to the burns (M-2, TL-28)."""

    place: int


class DealtBoard(Event, frozen=True, tag=True, gc=False):
    """`count` common cards were turned up on board number `board`."""

    count: int
    place: int
    board: int = 0


class IntervalOpened(Event, frozen=True, tag=True, gc=False):
    """A betting interval began; `first` speaks first. `duty`: what a card on show obliges him to."""

    street: str
    first: int
    duty: Duty = Duty.FREE


class ActionOn(Event, frozen=True, tag=True, gc=False):
    """It is this seat's turn to bet."""

    seat: int


class Asked(Event, frozen=True, tag=True, gc=False):
    """The dealer waits for this seat's answer of another kind than a bet. `offer`: the amount offered, in chips as a street total."""

    seat: int
    decision: Decision
    offer: int = 0
    about: str = ""


class ChoiceOpened(Event, frozen=True, tag=True, gc=False):
    """All live seats are asked at once, and choose in secret."""

    decision: Decision


class Chosen(Event, frozen=True, tag=True, gc=False):
    """The seat has chosen: cards by their places, or a word. Secret until `ChoicesSettled`."""

    seat: int
    places: tuple[int, ...] = ()
    word: str = ""


class ChoicesSettled(Event, frozen=True, tag=True, gc=False):
    """All have chosen; the choices take effect together."""


class OffersOpened(Event, frozen=True, tag=True, gc=False):
    """An offer goes round."""


class OffersClosed(Event, frozen=True, tag=True, gc=False):
    """The offer has gone round."""


class TurnedUp(Event, frozen=True, tag=True, gc=False):
    """The seat turned a down card up (VC-22)."""

    seat: int
    place: int


class Declined(Event, frozen=True, tag=True, gc=False):
    """The seat said no to what was offered."""

    seat: int


class RolledOut(Event, frozen=True, tag=True, gc=False):
    """Each live seat turned its next arranged card up (VC-26)."""


class DealtEither(Event, frozen=True, tag=True, gc=False):
    """Each live seat got a card, up if it has one down, else down; `place` is the first card's (VC-22)."""

    place: int


class ExtraDealt(Event, frozen=True, tag=True, gc=False):
    """The up card at `cause` brought the seat one more card; `place` is -1 when the pack had none left (VC-24)."""

    seat: int
    cause: int
    place: int
    up: bool = True


class PricePaid(Event, frozen=True, tag=True, gc=False):
    """The seat paid for its up card at `place`: dead money in the pot (VC-24)."""

    seat: int
    place: int
    chips: int


class BoardsForked(Event, frozen=True, tag=True, gc=False):
    """All agreed to run the board `boards` times from here; `step` is the showdown's place on the card (TL-25)."""

    boards: int
    step: int


class Designated(Event, frozen=True, tag=True, gc=False):
    """The seat said what its wild cards stand for, as pairs of place and card, and which way its aces play (W-7, LO-3)."""

    seat: int
    as_cards: tuple[tuple[int, int], ...] = ()
    word: str = ""


class OpenersShown(Event, frozen=True, tag=True, gc=False):
    """The opener proved the pair he opened on (VC-20)."""

    seat: int
    places: tuple[int, ...]


class PotMatched(Event, frozen=True, tag=True, gc=False):
    """The seat stayed in and lost: these chips are the next deal's pot (VC-27)."""

    seat: int
    chips: int


class Folded(Event, frozen=True, tag=True, gc=False):
    """The seat dropped its hand."""

    seat: int


class Checked(Event, frozen=True, tag=True, gc=False):
    """The seat bet nothing, or stood."""

    seat: int


class PutInOutOfTurn(Event, frozen=True, tag=True, gc=False):
    """The seat put chips in before its turn, where `OUT_OF_TURN` is `hold`: they wait in front of it (I-8)."""

    seat: int
    chips: int


class HeldForfeited(Event, frozen=True, tag=True, gc=False):
    """At its turn, what the seat had put in early was more than the call: the excess stays in the pot as dead money (I-8)."""

    seat: int
    chips: int


class Called(Event, frozen=True, tag=True, gc=False):
    """The seat put in `chips` more; with `all_in` they were its last and may be less than it owed."""

    seat: int
    chips: int
    all_in: bool = False


class BetTo(Event, frozen=True, tag=True, gc=False):
    """The first bet of the interval, to a street total; `chips` were put in."""

    seat: int
    to: int
    chips: int
    all_in: bool = False


class RaisedTo(Event, frozen=True, tag=True, gc=False):
    """A raise to a street total; `chips` were put in."""

    seat: int
    to: int
    chips: int
    all_in: bool = False


Spoken = Folded | Checked | Called | BetTo | RaisedTo
"""What a seat can say in a betting interval."""


class NotedOutOfTurn(Event, frozen=True, tag=True, gc=False):
    """The seat acted early, where `OUT_OF_TURN` is `tda53`: this happens at its turn if the action to it does not change (TL-34)."""

    seat: int
    action: Spoken


class NoteSettled(Event, frozen=True, tag=True, gc=False):
    """The turn of a seat that had acted early came: its action follows, or has lapsed and it chooses anew (TL-34)."""

    seat: int


class HeldReturned(Event, frozen=True, tag=True, gc=False):
    """What the seat had put in early met no action: it went back (I-8, TL-16)."""

    seat: int
    chips: int


class IntervalClosed(Event, frozen=True, tag=True, gc=False):
    """The bets were gathered in; an unmatched part went back first (TL-16). `seat` is -1 when nothing was returned.

    An interval in which nobody can bet is closed without having been opened.
    """

    seat: int = -1
    returned: int = 0


class BetsStand(Event, frozen=True, tag=True, gc=False):
    """Each has had one say; the bets stay in front of the players until they are evened at the draw (B-17)."""


class StraddlesClosed(Event, frozen=True, tag=True, gc=False):
    """Nobody may straddle any more (A-5 to A-7)."""


class Straddled(Event, frozen=True, tag=True, gc=False):
    """The seat took the straddle offered; `to` is its whole stake (A-4, A-6)."""

    seat: int
    to: int
    chips: int


class StraddleDeclined(Event, frozen=True, tag=True, gc=False):
    """The seat let the straddle go; that closes the chain (A-5)."""

    seat: int


class DrawOpened(Event, frozen=True, tag=True, gc=False):
    """A draw began: each live seat in turn may change cards."""

    street: str


class Reshuffled(Event, frozen=True, tag=True, gc=False):
    """The pack ran out; these cards, named by their old places, were shuffled and lie under it in this order (X-7)."""

    places: tuple[int, ...]


class Drew(Event, frozen=True, tag=True, gc=False):
    """The seat laid cards away and got as many new ones, the first from `place`; none: it stood pat (X-4)."""

    seat: int
    laid: tuple[int, ...]
    place: int


class DrawClosed(Event, frozen=True, tag=True, gc=False):
    """All who were live have been served."""


class ShowdownOpened(Event, frozen=True, tag=True, gc=False):
    """More than one hand is live after the last interval; `first` shows first (TL-20). `all_in`: all turn up at once (TL-21)."""

    first: int
    all_in: bool = False


class Shown(Event, frozen=True, tag=True, gc=False):
    """The seat's cards, by their places, are open to all from now on."""

    seat: int
    places: tuple[int, ...]


class Mucked(Event, frozen=True, tag=True, gc=False):
    """A live hand was given up unseen."""

    seat: int


class Payment(Struct, frozen=True, gc=False):
    """Chips from one pot to one seat. `pot` 0 is the main pot; `share` is ``pot``, ``high``, ``low`` …; `value` is the winning hand's
    rank (0 when nobody contested); `odd` counts the odd chips among `chips`."""

    pot: int
    share: str
    seat: int
    chips: int
    value: int = 0
    odd: int = 0
    board: int = 0


class PotsPaid(Event, frozen=True, tag=True, gc=False):
    """Every pot was settled, the last side pot first (TL-15)."""

    payments: tuple[Payment, ...]


class PassedOut(Event, frozen=True, tag=True, gc=False):
    """Nobody opened: the deal is over and its chips wait for the next one (N-1)."""

    chips: int


class HandEnded(Event, frozen=True, tag=True, gc=False):
    """The deal is over and stands."""


class HandVoided(Event, frozen=True, tag=True, gc=False):
    """The deal does not count: each took back what he had put in (I-1).

    `kept`: by seat, the ante that stays in the pot for the next dealer's deal, where a misdeal is followed by one (I-3); empty: nothing.
    """

    law: str
    reason: str
    kept: tuple[int, ...] = ()


Any = (
    HandStarted
    | Posted
    | AllPosted
    | DealtDown
    | DealtUp
    | DealtUpTo
    | Burned
    | DealtBoard
    | IntervalOpened
    | ActionOn
    | Asked
    | ChoiceOpened
    | Chosen
    | ChoicesSettled
    | OffersOpened
    | OffersClosed
    | TurnedUp
    | Declined
    | RolledOut
    | DealtEither
    | ExtraDealt
    | PricePaid
    | BoardsForked
    | Designated
    | OpenersShown
    | PotMatched
    | BetsStand
    | StraddlesClosed
    | Straddled
    | StraddleDeclined
    | DrawOpened
    | Reshuffled
    | Drew
    | DrawClosed
    | Folded
    | Checked
    | PutInOutOfTurn
    | HeldForfeited
    | HeldReturned
    | NotedOutOfTurn
    | NoteSettled
    | Called
    | BetTo
    | RaisedTo
    | IntervalClosed
    | ShowdownOpened
    | Shown
    | Mucked
    | PotsPaid
    | PassedOut
    | HandEnded
    | HandVoided
)
