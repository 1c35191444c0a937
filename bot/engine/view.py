"""What may leave the table for a screen: a hand as one seat, or nobody in particular, may see it.

A view holds no card its owner may not see: cards are copied in only when they are open to all or belong to the viewer. Everything that
draws, writes or decides for a player (render, practice players) takes a view and never a hand.

Source: design §2 "`view` is the only thing that leaves for a screen".
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from bot.engine.legal import Legal
from bot.engine.ranking import HandName, Ranking


class SeatState(StrEnum):
    """How a seat stands in the hand."""

    LIVE = "live"
    ALL_IN = "all-in"
    FOLDED = "folded"


class CardSeen(Struct, frozen=True):
    """One card of a seat: its number (`bot.engine.cards`) when the viewer may know it, else None; `up`: open to all."""

    card: int | None
    up: bool = False
    place: int = -1  # its place in the pack, only for the viewer's own cards: what Discard names


class LastAction(Struct, frozen=True):
    """What a seat did last in this interval: ``fold check call bet raise bring-in complete post draw straddle chose …``; `to` a street
    total, `chips` put in. ``turn up``, ``pay`` and ``extra`` (a card that another has brought) name the card on show in `note`,
    ``leave down`` names none; a ``draw`` that gives up the openers says so there (VC-20)."""

    seat: int
    verb: str
    to: int = 0
    chips: int = 0
    all_in: bool = False
    cards: int = 0
    note: str = ""  # for a post: small blind, big blind, ante …


class SeatView(Struct, frozen=True):
    """One seat. `number` is its table seat number; `seat` its place at this deal."""

    seat: int
    number: int
    stack: int
    bet: int  # put in during this interval
    put_in: int  # put in during the hand
    state: SeatState
    cards: tuple[CardSeen, ...]
    last: LastAction | None = None
    made: HandName | None = None  # the hand it holds, when the viewer may know
    won: int = 0  # paid by the pots, after the end
    stack_start: int = 0
    drew: tuple[int, ...] = ()  # cards changed at each draw so far
    awaited: bool = False  # the dealer waits for its secret choice
    word: str = ""  # what it has declared, once all have
    says: tuple[tuple[int, int], ...] = ()  # wild cards it has designated, as pairs of card and what it stands for
    wild: tuple[int, ...] = ()  # those of the cards the viewer may see that are wild
    proof: tuple[int, ...] = ()  # cards shown to prove openers
    halves: tuple[tuple[str, HandName], ...] = ()  # as `made`, by share, where a pot has several
    matched: int = 0  # chips put in again for the next deal (VC-27)


class ShareView(Struct, frozen=True):
    """One share of every pot and how hands are ranked for it at this moment, wild cards included: the law, known to all."""

    name: str
    ranking: Ranking


class PotView(Struct, frozen=True):
    """One pot: chips and the deal seats that may win it. The main pot is first."""

    chips: int
    seats: tuple[int, ...]


class PaymentView(Struct, frozen=True):
    """Who won what: pot 0 is the main pot; `share` ``pot``, ``high`` or ``low``; `made` None when uncontested."""

    pot: int
    share: str
    seat: int
    chips: int
    made: HandName | None = None
    playing: tuple[int, ...] = ()  # the cards that play
    odd: int = 0
    board: int = 0


class HandView(Struct, frozen=True):
    """A hand as `viewer` (a deal seat, or None for the public) may see it.

    Attributes:
        game: the game's name, with its limit: ``No-Limit Hold'em``; `stakes`: ``50/100``.
        street: name of the interval: ``pre-flop``, ``flop`` …; ``showdown`` at the end.
        boards: open common cards, by board.
        pot: all chips in the middle, live bets included; pots: settled layers without the live bets of this interval.
        level: highest street total; to_act: deal seat to act, -1 when nobody.
        turn: number of decisions made so far: the action number that buttons carry.
        button: table seat number of the button.
        actions: the interval's actions, oldest first.
        legal: what the viewer may do (None for the public); acting: what the seat to act may do, as far as everybody may know it.
        over, voided: the end; `payments` then say who won what; `showdown`: hands were compared; `passed_out`: nobody opened.
        limit: the regime of bet sizes, as in the register: ``pot_limit``; stands: a check is called standing (C-5); completes: a raise
            would complete the bring-in; equalising: stakes are made equal before the draw (X-3).
        shares: how pots are shared; to_come: cards still to come to each seat and to each board, and those each will have to give up;
            draws are not counted.
        draw: the number of the draw that is open and how many there are, (0, 0) when none is; draws_left: this one and those to come.
        openers: lowest rank of a pair that opens this deal, while nobody has; -1 where anybody may open (VC-20). opened: the deal seat
            that has opened such a deal, else -1.
        joker: what the pack's joker is, ``wild`` or ``bug``; wild_common: the common cards that are wild.
    """

    viewer: int | None
    game: str
    stakes: str
    street: str
    seats: tuple[SeatView, ...]
    boards: tuple[tuple[int, ...], ...]
    pot: int
    pots: tuple[PotView, ...]
    level: int
    to_act: int
    turn: int
    button: int
    actions: tuple[LastAction, ...]
    legal: Legal | None = None
    acting: Legal | None = None  # what the seat to act may do: public knowledge, the table's buttons come from it
    over: bool = False
    voided: bool = False
    void_reason: str = ""
    showdown: bool = False
    payments: tuple[PaymentView, ...] = ()
    carried: int = 0  # chips that wait for the next deal
    rabbit: tuple[int, ...] = ()  # common cards that were never dealt, where the table plays RABBIT=on (TL-26)
    wild_ranks: tuple[int, ...] = ()  # ranks that are wild at this moment
    family: str = ""  # of the game, as on its rule card
    limit: str = ""
    stands: bool = False
    completes: bool = False
    equalising: bool = False
    shares: tuple[ShareView, ...] = ()
    to_come: tuple[int, int, int] = (0, 0, 0)
    draw: tuple[int, int] = (0, 0)
    draws_left: int = 0
    openers: int = -1
    opened: int = -1
    joker: str = ""
    wild_common: tuple[int, ...] = ()
    passed_out: bool = False
    returned: tuple[int, int] | None = None  # deal seat and chips of an uncalled bet given back at the end
