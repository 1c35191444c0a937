"""What leaves the engine for a screen: a hand as one seat, or the public, can see it.

A view holds no card its owner cannot see: cards are copied in only when they are open to all or belong to the viewer.
Everything that draws, writes or decides for a player (panels, practice players) takes a view and never a hand.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from bot.engine.legal import LegalActions
from bot.engine.options.values import Ante
from bot.engine.ranking import HandName, Ranking
from bot.engine.stakes import Stakes
from bot.engine.units import NO_CARD, NO_SEAT, CardIndex, SeatIndex, SeatNumber

if TYPE_CHECKING:
    from bot.engine.events import HandEvent


class HandSeatState(StrEnum):
    """How a seat stands in the hand."""

    LIVE = "live"
    ALL_IN = "all-in"
    FOLDED = "folded"


class CardView(Struct, frozen=True):
    """One card of a seat: its number (`bot.engine.cards`) when the viewer can know it, else None; `face_up`: open to
    all."""

    card: int | None
    face_up: bool = False
    card_index: CardIndex = NO_CARD  # its index in the deck, for the viewer's own cards alone: what `ChooseCards` names

    def __repr__(self) -> str:
        """Tell which card it is in the deck, and not which card: this can end up in a log (TL-37)."""
        return f"<card {self.card_index}>"


class ActionVerb(StrEnum):
    """What kind of thing a seat did."""

    POST = "post"
    FOLD = "fold"
    CHECK = "check"
    STAND = "stand"  # a check, where the old English games are played (C-5)
    CALL = "call"
    BRING_IN = "bring in"
    BET = "bet"
    RAISE = "raise"
    COMPLETE = "complete"  # the first raise over a bring-in, in a game of fixed sizes (VC-5)
    DRAW = "draw"
    STRADDLE = "straddle"
    DECLINE_STRADDLE = "no straddle"
    CHOOSE = "chose"  # a secret choice: what it was is not said
    TURN_UP = "turn up"
    LEAVE_DOWN = "leave down"
    PAY = "pay"
    GET_EXTRA_CARD = "extra"


class LastAction(Struct, frozen=True, gc=False):
    """Something that a seat did, as everybody saw it.

    Attributes:
        to: the street total of a bet, a raise or a straddle, in chips.
        chips: chips put in.
        all_in: those were the seat's last chips.
        card_count: how many cards the seat drew or got.
        note: the kind of a post (``small blind``); `SPLITTING_OPENERS` for a draw that gives up the openers (VC-20); else "".
        card: the open card that was turned up or paid for, or that brought another one; None for every other action.
    """

    seat_index: SeatIndex
    verb: ActionVerb
    to: int = 0
    chips: int = 0
    all_in: bool = False
    card_count: int = 0
    note: str = ""
    card: int | None = None


SPLITTING_OPENERS = "splitting_openers"
"""The note on a draw in which the opener discards the openers (VC-20)."""


class SeenActions(Struct, frozen=True, eq=False):
    """What earlier views have worked out of the actions of a street: a memo that a hand carries, not a part of its
    state.

    Attributes:
        events: the events it was made from.
        actions: what everybody saw of them, oldest first.
        last_by_seat: the last action of each seat that has acted.
    """

    events: tuple[HandEvent, ...] = ()
    actions: tuple[LastAction, ...] = ()
    last_by_seat: dict[SeatIndex, LastAction] = {}

    def __eq__(self, other: object) -> bool:
        """All memos are equal: two hands in the same state are, whoever has looked at them."""
        return isinstance(other, SeenActions)

    def __hash__(self) -> int:
        return hash(SeenActions)


class SeatView(Struct, frozen=True):
    """One seat. `seat_number` is its number at the table, `seat_index` its position in the hand."""

    seat_index: SeatIndex
    seat_number: SeatNumber
    stack: int
    bet: int  # put in on this street
    put_in: int  # put in during the hand
    state: HandSeatState
    cards: tuple[CardView, ...]
    last_action: LastAction | None = None
    made_hand: HandName | None = None  # the hand it holds, when the viewer can know
    won: int = 0  # paid by the pots, after the end
    starting_stack: int = 0
    draw_counts: tuple[int, ...] = ()  # cards changed at each draw so far
    choice_awaited: bool = False  # the dealer waits for its secret choice
    declaration: str = ""  # what it has declared, once all have
    designations: tuple[
        tuple[int, int], ...
    ] = ()  # wild cards it has designated, as pairs of card and what it stands for
    wild_cards: tuple[int, ...] = ()  # the wild ones among the cards that the viewer can see
    openers_shown: tuple[int, ...] = ()  # cards shown to prove openers
    shown_alone: tuple[int, ...] = ()  # cards shown after the hand while others stay hidden (Z-4)
    made_by_share: tuple[tuple[str, HandName], ...] = ()  # as `made_hand`, by share, where a pot has several
    made_by_board: tuple[
        tuple[tuple[str, HandName], ...], ...
    ] = ()  # as `made_by_share`, on each board, where there are several
    pot_matched: int = 0  # chips put in again for the next hand (VC-27)
    held_chips: int = 0  # put in out of turn, held until its turn (I-8)
    received_cards: tuple[int, ...] = ()  # passed to the viewer's own seat, until the next secret choice (VC-26)
    received_from: SeatNumber = SeatNumber(0)  # the seat that passed them
    folded_cards: tuple[CardView, ...] = ()  # what lay before a folded seat: its down cards as backs, its up cards

    def __repr__(self) -> str:
        """Tell whose seat it is. No card and no made hand is named, because this can end up in a log (TL-37)."""
        return f"<seat {self.seat_number}, {self.state}, stack {self.stack}>"


class ShareView(Struct, frozen=True):
    """One share of every pot and how hands are ranked for it now, wild cards included: the law, known to all."""

    name: str
    ranking: Ranking


class PotView(Struct, frozen=True):
    """One pot: chips and the seats that can win it. The main pot is first."""

    chips: int
    eligible_seats: tuple[SeatIndex, ...]


class PaymentView(Struct, frozen=True):
    """Who won what: pot 0 is the main pot; `share` is ``pot``, ``high`` or ``low``; `made_hand` is None when
    uncontested. `playing_cards`: the cards that make the hand, of a winner who has shown."""

    pot_index: int
    share: str
    seat_index: SeatIndex
    chips: int
    made_hand: HandName | None = None
    odd_chips: int = 0
    board_index: int = 0
    playing_cards: tuple[int, ...] = ()

    def __repr__(self) -> str:
        """Tell who was paid. No card and no made hand is named, because this can end up in a log (TL-37)."""
        return f"<{self.chips} of pot {self.pot_index} to seat {self.seat_index}, {self.share}>"


class HandView(Struct, frozen=True):
    """A hand as `viewer` (a seat, or None for the public) can see it.

    Attributes:
        game: the game's name.
        stakes: what the hand is played for. ante_rule: who antes.
        street: name of the street: ``pre-flop``, ``flop`` …; ``showdown`` at the end.
        boards: open common cards, by board.
        pot: all chips in the middle, live bets included. pots: settled layers without the live bets of this street.
        current_bet: highest street total.
        to_act: the seat to act; `NO_SEAT` when nobody is.
        decision_number: number of decisions made so far: the action number that buttons carry.
        button_seat_number: table seat number of the button.
        street_actions: the street's actions, oldest first.
        legal: what the viewer can do (None for the public).
        legal_out_of_turn: what the viewer can put in before its turn, where the table holds it or takes it as binding;
            None elsewhere (I-8, TL-34).
        legal_to_act: what the seat to act can do, as far as everybody can know it; the table's buttons come from it.
        over, voided: the end; `payments` then tell who won what. showdown: hands were compared. passed_out: nobody
            opened.
        limit: the rule of bet sizes, as in the register: ``pot_limit``.
        check_called_stand: a check is called standing (C-5).
        equalising: stakes are made equal before the draw (X-3).
        shares: how pots are shared.
        cards_to_come: cards still to come to each seat and to each board, and those each will have to give up; draws
            are not counted.
        draw_progress: the number of the draw that is open and how many there are, (0, 0) when none is. draws_left:
            this one and those to come.
        openers_rank: lowest rank of a pair that opens this hand, while nobody has; -1 where anybody can open (VC-20).
        seat_of_opener: the seat that has opened such a hand, else `NO_SEAT`.
        joker_kind: what the deck's joker is, ``wild`` or ``bug``. wild_common_cards: the common cards that are wild.
    """

    viewer: SeatIndex | None
    game: str
    stakes: Stakes
    ante_rule: Ante
    street: str
    seats: tuple[SeatView, ...]
    boards: tuple[tuple[int, ...], ...]
    pot: int
    pots: tuple[PotView, ...]
    current_bet: int
    to_act: SeatIndex
    decision_number: int
    button_seat_number: SeatNumber
    street_actions: tuple[LastAction, ...]
    legal: LegalActions | None = None
    legal_to_act: LegalActions | None = None
    over: bool = False
    voided: bool = False
    void_reason: str = ""
    showdown: bool = False
    payments: tuple[PaymentView, ...] = ()
    carried_to_next_hand: int = 0  # chips that wait for the next hand
    rabbit_cards: tuple[tuple[int, ...], ...] = ()  # common cards never dealt, by board, with RABBIT=on (TL-26)
    wild_ranks: tuple[int, ...] = ()  # ranks that are wild now
    family: str = ""  # of the game, as on its rule card
    limit: str = ""
    check_called_stand: bool = False
    equalising: bool = False
    shares: tuple[ShareView, ...] = ()
    cards_to_come: tuple[int, int, int] = (0, 0, 0)
    draw_progress: tuple[int, int] = (0, 0)
    draws_left: int = 0
    openers_rank: int = -1
    seat_of_opener: SeatIndex = NO_SEAT
    joker_kind: str = ""
    wild_common_cards: tuple[int, ...] = ()
    passed_out: bool = False
    uncalled_bet_returned: tuple[SeatIndex, int] | None = (
        None  # seat and chips of an uncalled bet that went back at the end
    )
    legal_out_of_turn: LegalActions | None = None
    wild_cards: tuple[int, ...] = ()  # single wild cards of the game, on the table or not
    joker_count: int = 0  # jokers of the deck

    def __repr__(self) -> str:
        """Tell whose view it is. No card is named, because this can end up in a log (TL-37)."""
        viewer = "the public" if self.viewer is None else f"seat {self.viewer}"
        return f"<{self.game} as {viewer} sees it, {self.street or 'before the first street'}, pot {self.pot}>"
