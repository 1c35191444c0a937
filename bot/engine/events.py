"""What has happened in a hand. Events are facts: they are stored, replayed and never refused.

A seat is named by its index in the hand: 0 is the first player left of the dealer; the last one is the dealer, or
sits nearest the dealer's right when the button rests on an empty seat. Cards are named by their index in the deck, so
that what is stored shows no card. Amounts are chips; "to" is a street total.

Laws: 0.2.
"""

from enum import StrEnum
from typing import TypeGuard

from msgspec import Struct

from bot.engine.legal import Decision, OfferKind, OpeningDuty
from bot.engine.options.types import Options
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes
from bot.engine.units import NO_SEAT, SeatIndex, SeatNumber


class HandEventBase(Struct, frozen=True, tag=True, gc=False):
    """An event of a hand. Annotate with `HandEvent`, which lists them all."""


class PostKind(StrEnum):
    """Why a seat has money in before it first acts."""

    ANTE = "ante"  # from everyone alike: dead, but layered into side pots (TL-15)
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    STRADDLE = "straddle"  # a live third blind (TL-13), a link of the chain, the forced double
    LIVE = "live post"  # a newcomer's or returning player's big blind (TL-10); does not change who acts first
    DEAD = "dead post"  # missed small blind, big-blind ante (TL-10, TL-14): in the main pot, not part of the bet
    STAKE = "ante stake"  # the ante of old English draw: live, it counts toward the poster's bet


class Post(Struct, frozen=True, gc=False):
    """Money that one seat owes before the cards, in chips. A shorter stack posts what it has (TL-7, TL-42)."""

    seat: SeatIndex
    kind: PostKind
    chips: int


class HandStarted(HandEventBase, frozen=True, tag=True):
    """A hand began. It carries the whole rule card, so that editing the catalogue cannot change a running or past
    hand.

    Attributes:
        seat_numbers: table seat numbers of the players dealt in, clockwise from the dealer's left.
        stacks: chips of each before any post.
        posts: what each owes, in the order of payment.
        button_seat_number: where the dealer button lies; the seat can be empty (TL-9).
        ask_show: at a showdown in order, wait for each seat's `Show` or `Muck` instead of showing whoever must or
            should.
        carried: chips in the pot from an earlier hand (I-3, N-1).
        openers_rank: the lowest rank of a pair that opens this hand, where the game asks for openers and has
            progressed (VC-20); -1: the card's.
        ask_run_twice: with all betting over, ask the live seats whether to run the board twice (TL-25).
        absent_seats: in an event, seats whose hand is dead if a forced bet puts them all-in (SG-3).
        keeps_cap: in an event of more than two, the cap of raises holds also where two are left in the hand (SG-6).
    """

    rule_card: RuleCard
    options: Options
    stakes: Stakes
    seat_numbers: tuple[SeatNumber, ...]
    stacks: tuple[int, ...]
    posts: tuple[Post, ...]
    button_seat_number: SeatNumber
    ask_show: bool = False
    carried: int = 0
    openers_rank: int = -1
    ask_run_twice: bool = False
    absent_seats: tuple[SeatIndex, ...] = ()
    keeps_cap: bool = False


class Posted(HandEventBase, frozen=True, tag=True, gc=False):
    """A seat paid a forced bet: `chips` is what it put in, 0 where the ante took its last chip; `owed` the full amount,
    which the others must still call (TL-7)."""

    seat: SeatIndex
    kind: PostKind
    chips: int
    owed: int


class AllPosted(HandEventBase, frozen=True, tag=True, gc=False):
    """All forced money is in. `blind_shortfall`: what dead or short blinds lack; pot-limit counts it on the first
    street (TL-19)."""

    blind_shortfall: int = 0


class DealtDown(HandEventBase, frozen=True, tag=True, gc=False):
    """Each live seat got `count` cards face down, one at a time, clockwise from `first_seat` (D-9)."""

    count: int
    first_card_index: int
    first_seat: SeatIndex = SeatIndex(0)


class DealtUp(HandEventBase, frozen=True, tag=True, gc=False):
    """As `DealtDown`, face up."""

    count: int
    first_card_index: int
    first_seat: SeatIndex = SeatIndex(0)


class DealtUpToSeat(HandEventBase, frozen=True, tag=True, gc=False):
    """One seat was dealt its card of the street, face up; nobody else is dealt one before it is settled (VC-24)."""

    seat: SeatIndex
    card_index: int


class Burned(HandEventBase, frozen=True, tag=True, gc=False):
    """The top card went face down to the burns (M-2, TL-28)."""

    card_index: int


class DealtBoard(HandEventBase, frozen=True, tag=True, gc=False):
    """`count` common cards were turned up on one board."""

    count: int
    first_card_index: int
    board_index: int = 0


class BettingRoundOpened(HandEventBase, frozen=True, tag=True, gc=False):
    """A betting round began. `opening_duty`: what a bring-in asks of the first to act."""

    street: str
    first_to_act: SeatIndex
    opening_duty: OpeningDuty = OpeningDuty.FREE


class ActionOn(HandEventBase, frozen=True, tag=True, gc=False):
    """It is this seat's turn to bet."""

    seat: SeatIndex


class DecisionRequested(HandEventBase, frozen=True, tag=True, gc=False):
    """The dealer waits for a seat's decision of another kind than a bet. `offer_amount`: what is offered, as a street
    total in chips."""

    seat: SeatIndex
    decision: Decision
    offer_amount: int = 0
    offer_kind: OfferKind = OfferKind.NONE


class SecretChoiceOpened(HandEventBase, frozen=True, tag=True, gc=False):
    """All live seats are asked at once and choose in secret."""

    decision: Decision


class SecretChoiceMade(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat has chosen cards, or a word. Secret until `SecretChoicesApplied`."""

    seat: SeatIndex
    card_indices: tuple[int, ...] = ()
    word: str = ""


class SecretChoicesApplied(HandEventBase, frozen=True, tag=True, gc=False):
    """All have chosen; the choices take effect together."""


class OffersOpened(HandEventBase, frozen=True, tag=True, gc=False):
    """An offer goes round the table, or cards are dealt seat by seat."""


class OffersClosed(HandEventBase, frozen=True, tag=True, gc=False):
    """The offer has reached everybody."""


class CardTurnedUp(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat turned a card of its own face up (VC-22)."""

    seat: SeatIndex
    card_index: int


class OfferDeclined(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat declined what was offered."""

    seat: SeatIndex


class CardsRolledOut(HandEventBase, frozen=True, tag=True, gc=False):
    """Each live seat turned its next arranged card up (VC-26)."""


class DealtUpOrDown(HandEventBase, frozen=True, tag=True, gc=False):
    """Each live seat got a card: face up if it holds one face down, else face down (VC-22)."""

    first_card_index: int


class ExtraCardDealt(HandEventBase, frozen=True, tag=True, gc=False):
    """The up card at `cause_index` brought the seat one more card; `card_index` is -1 when the deck had none left
    (VC-24)."""

    seat: SeatIndex
    cause_index: int
    card_index: int
    face_up: bool = True


class PricePaid(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat paid for its up card: dead money in the pot (VC-24)."""

    seat: SeatIndex
    card_index: int
    chips: int


class BoardRunTwice(HandEventBase, frozen=True, tag=True, gc=False):
    """All agreed: the board runs `board_count` times from here (TL-25)."""

    board_count: int
    showdown_step_index: int


class Designated(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat announced what its wild cards stand for, as pairs of card index and card, and which way its aces play
    (W-7, LO-3)."""

    seat: SeatIndex
    designations: tuple[tuple[int, int], ...] = ()
    ace_word: str = ""


class OpenersShown(HandEventBase, frozen=True, tag=True, gc=False):
    """The opener proved the pair they opened on (VC-20)."""

    seat: SeatIndex
    card_indices: tuple[int, ...]


class PotMatched(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat stayed in and lost: these chips go into the next hand's pot (VC-27)."""

    seat: SeatIndex
    chips: int


class Folded(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat folded."""

    seat: SeatIndex


class Checked(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat checked; in old English draw it stood."""

    seat: SeatIndex


class OutOfTurnChipsPutIn(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat put chips in before its turn, where `OUT_OF_TURN` is `hold`: they wait in front of it (I-8)."""

    seat: SeatIndex
    chips: int


class OutOfTurnChipsForfeited(HandEventBase, frozen=True, tag=True, gc=False):
    """The chips that a seat had put in early exceeded the call: the excess stays in the pot as dead money (I-8)."""

    seat: SeatIndex
    chips: int


class Called(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat put in `chips` more; with `all_in` they were its last and can be less than it needed."""

    seat: SeatIndex
    chips: int
    all_in: bool = False


class BetTo(HandEventBase, frozen=True, tag=True, gc=False):
    """The first bet of the street, to a street total; `chips` were put in."""

    seat: SeatIndex
    to: int
    chips: int
    all_in: bool = False


class RaisedTo(HandEventBase, frozen=True, tag=True, gc=False):
    """A raise to a street total; `chips` were put in."""

    seat: SeatIndex
    to: int
    chips: int
    all_in: bool = False


BettingAction = Folded | Checked | Called | BetTo | RaisedTo
"""What a seat can do in a betting round."""


class OutOfTurnActionNoted(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat acted early, where `OUT_OF_TURN` is `tda53`. The action binds if the action to the seat has not
    changed (TL-34)."""

    seat: SeatIndex
    action: BettingAction


class OutOfTurnActionResolved(HandEventBase, frozen=True, tag=True, gc=False):
    """The turn of a seat that had acted early came: its action follows, or has lapsed and the seat chooses anew
    (TL-34)."""

    seat: SeatIndex


class OutOfTurnChipsReturned(HandEventBase, frozen=True, tag=True, gc=False):
    """Chips that the seat had put in early met no action: they went back (I-8, TL-16)."""

    seat: SeatIndex
    chips: int


class BettingRoundClosed(HandEventBase, frozen=True, tag=True, gc=False):
    """The bets were gathered in; an unmatched part went back first (TL-16). `seat` is `NO_SEAT` when nothing was
    returned.

    A betting round in which nobody can bet is closed without having been opened.
    """

    seat: SeatIndex = NO_SEAT
    returned: int = 0


class BetsLeftUntilDraw(HandEventBase, frozen=True, tag=True, gc=False):
    """Each seat has acted once; the bets stay in front of the players until they are evened at the draw (B-17)."""


class StraddlesClosed(HandEventBase, frozen=True, tag=True, gc=False):
    """Nobody can straddle any more (A-5 to A-7)."""


class Straddled(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat took the straddle offered; `to` is its whole stake (A-4, A-6)."""

    seat: SeatIndex
    to: int
    chips: int


class StraddleDeclined(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat declined the straddle; that closes the chain (A-5)."""

    seat: SeatIndex


class DrawOpened(HandEventBase, frozen=True, tag=True, gc=False):
    """A draw began: each live seat in turn can replace cards."""

    street: str


class Reshuffled(HandEventBase, frozen=True, tag=True, gc=False):
    """The deck ran out; these cards were shuffled and lie under it in this order (X-7)."""

    card_indices: tuple[int, ...]


class Drew(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat discarded cards and got as many new ones, beginning at `first_card_index`; none: it stood pat (X-4)."""

    seat: SeatIndex
    discards: tuple[int, ...]
    first_card_index: int


class DrawClosed(HandEventBase, frozen=True, tag=True, gc=False):
    """All live seats have drawn."""


class ShowdownOpened(HandEventBase, frozen=True, tag=True, gc=False):
    """More than one hand is live after the last betting round (TL-20). `all_in`: all are turned up at once (TL-21)."""

    first_to_show: SeatIndex
    all_in: bool = False


class Shown(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat's cards are open to all from now on."""

    seat: SeatIndex
    card_indices: tuple[int, ...]


class CardsShown(HandEventBase, frozen=True, tag=True, gc=False):
    """Some cards of the seat are open to all from now on, after the hand; the others stay hidden (Z-4)."""

    seat: SeatIndex
    card_indices: tuple[int, ...]


class Mucked(HandEventBase, frozen=True, tag=True, gc=False):
    """The seat gave up a live hand unseen."""

    seat: SeatIndex


class Payment(Struct, frozen=True, gc=False):
    """Chips from one pot to one seat. Pot 0 is the main pot; `share` is ``pot``, ``high``, ``low`` …; `value` is the
    winning hand's value (0 when nobody contested); `odd_chips` counts the odd chips among `chips`."""

    pot_index: int
    share: str
    seat: SeatIndex
    chips: int
    value: int = 0
    odd_chips: int = 0
    board_index: int = 0


class PotsPaid(HandEventBase, frozen=True, tag=True, gc=False):
    """Every pot was settled, the last side pot first (TL-15)."""

    payments: tuple[Payment, ...]


class HandPassedOut(HandEventBase, frozen=True, tag=True, gc=False):
    """Nobody opened: the hand is over and its chips wait for the next one (N-1)."""

    chips: int


class HandEnded(HandEventBase, frozen=True, tag=True, gc=False):
    """The hand is over and stands."""


class VoidReason(StrEnum):
    """Why the dealer cancels a hand. Staff who cancel one give a reason in their own words instead."""

    NO_WILD_RANK = "no wild rank"
    IRREGULAR_DEAL = "irregular deal"
    LOST_CARDS = "lost cards"
    ROLLED_BACK = "rolled back"
    DEALER_FAULT = "dealer fault"
    CHANNEL_GONE = "channel gone"
    EVENT_CANCELLED = "event cancelled"


class HandVoided(HandEventBase, frozen=True, tag=True, gc=False):
    """The hand does not count: each seat took back what it had put in (I-1).

    `kept_antes`: by seat, the ante that stays in the pot for the next dealer's hand, where a misdeal is followed by
    one (I-3); empty: nothing.
    `reason`: a `VoidReason`, the words of staff, or a whole sentence in a hand of an older version.
    """

    law: str
    reason: str
    kept_antes: tuple[int, ...] = ()


HandEvent = (
    HandStarted
    | Posted
    | AllPosted
    | DealtDown
    | DealtUp
    | DealtUpToSeat
    | Burned
    | DealtBoard
    | BettingRoundOpened
    | ActionOn
    | DecisionRequested
    | SecretChoiceOpened
    | SecretChoiceMade
    | SecretChoicesApplied
    | OffersOpened
    | OffersClosed
    | CardTurnedUp
    | OfferDeclined
    | CardsRolledOut
    | DealtUpOrDown
    | ExtraCardDealt
    | PricePaid
    | BoardRunTwice
    | Designated
    | OpenersShown
    | PotMatched
    | BetsLeftUntilDraw
    | StraddlesClosed
    | Straddled
    | StraddleDeclined
    | DrawOpened
    | Reshuffled
    | Drew
    | DrawClosed
    | Folded
    | Checked
    | OutOfTurnChipsPutIn
    | OutOfTurnChipsForfeited
    | OutOfTurnChipsReturned
    | OutOfTurnActionNoted
    | OutOfTurnActionResolved
    | Called
    | BetTo
    | RaisedTo
    | BettingRoundClosed
    | ShowdownOpened
    | Shown
    | CardsShown
    | Mucked
    | PotsPaid
    | HandPassedOut
    | HandEnded
    | HandVoided
)
"""Every event of a hand."""


def is_hand_event(value: object) -> TypeGuard[HandEvent]:
    """Whether a stored event belongs to a hand and not to the table around it. Quicker than a check against the whole union."""
    return isinstance(value, HandEventBase)
