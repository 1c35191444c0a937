"""What one seat can do now. Buttons, checks, practice players and fuzzers all read this, and nothing else (laws 0.3
c)."""

from enum import StrEnum

from msgspec import Struct

from bot.engine.units import CardIndex, SeatIndex


class Decision(StrEnum):
    """What kind of decision the dealer waits for."""

    NONE = "none"  # nobody is to act: the dealer works, or the hand is over
    BET = "bet"
    STRADDLE = "straddle"
    DRAW = "draw"
    GIVE_UP = "give up"
    PASS_CARDS = "pass"
    ARRANGE = "arrange"
    DECLARE = "declare"
    OFFER = "offer"
    RUN_TWICE = "run it twice"
    SHOW = "show"


class OpeningDuty(StrEnum):
    """What the first to act owes where a card on show opens the betting (F-6, F-7, VC-5)."""

    FREE = "free"  # nothing: blinds and antes do the forcing
    OPEN = "open"  # they must bet: no check, no fold
    OPEN_OR_FOLD = "open or fold"  # they act for an opener who is all-in: they bet or fold, but cannot check (TL-42)


class OfferKind(StrEnum):
    """What a seat is offered, or asked before it shows. The values are stored."""

    NONE = ""
    TURN_UP = "turn a card up"
    PRICE = "pay for a card"
    DESIGNATE = (
        "what its cards stand for"  # in public views of a showdown where wild cards or aces are designated (W-7, LO-3)
    )


class LegalActions(Struct, frozen=True, gc=False):
    """What a seat can do now; all False and 0 when it is not its turn. Amounts are chips.

    The amounts of a betting decision come first, so that `legal`, which is asked at every action, can give them by
    position: every name that is given has to be searched for.

    Attributes:
        seat: the seat asked about.
        decision: what the dealer waits for from this seat; `Decision.NONE` when it is not its turn.
        min_to, max_to: street totals between which it can bet or raise, both included; 0 and 0 when it cannot. Equal
            when there is only one size. A stack too short for the full minimum makes both the all-in total (TL-3).
        no_raise_law: id of the law that forbids a raise, when `max_to` is 0 on its turn; else "".
        current_bet: the highest street total anyone has put in.
        to_call: `current_bet` minus the seat's own total; chips that lie in front of it from out of turn count as its
            own (I-8).
        pot: all chips in the middle, live bets included.
        stack: chips the seat has left.
        call_chips: chips to add to call (its whole stack when `call_all_in`); 0 when there is nothing to call.
        call_all_in: the call takes the whole stack.
        opening: a bet would be the first of the street and not a raise.
        completes: a bet would complete a bring-in, the seat's own or another's (VC-5).
        two_sizes: only `min_to` and `max_to` can be chosen, and nothing between them (VC-5).
        bring_in: the forced bet it can make instead of a full one, as a street total; 0 when there is none (VC-5).
        min_cards, max_cards: how many cards it can draw, give up, pass or arrange.
        deck_is_short: the game lets it draw more cards than the deck has left (X-7).
        offer_amount: the straddle or price offered, as a street total in chips; 0 when there is none.
        offer_kind: what is offered.
        declarable_words: what it can declare.
        designable_indices: wild cards it can give a meaning to when it shows, common ones included (W-7).
        common_wild_cards: those of them on the board, as pairs of card index and card.
        show, muck: what it can do at the showdown.
    """

    seat: SeatIndex
    decision: Decision = Decision.NONE
    min_to: int = 0
    max_to: int = 0
    no_raise_law: str = ""
    current_bet: int = 0
    to_call: int = 0
    pot: int = 0
    stack: int = 0
    fold: bool = False
    check: bool = False
    call_chips: int = 0
    call_all_in: bool = False
    opening: bool = False
    two_sizes: bool = False
    deck_is_short: bool = False
    bring_in: int = 0
    completes: bool = False
    min_cards: int = 0
    max_cards: int = 0
    offer_amount: int = 0
    declarable_words: tuple[str, ...] = ()
    show: bool = False
    muck: bool = False
    offer_kind: OfferKind = OfferKind.NONE
    designable_indices: tuple[CardIndex, ...] = ()
    common_wild_cards: tuple[tuple[CardIndex, int], ...] = ()
