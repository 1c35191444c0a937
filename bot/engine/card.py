"""The rule card: a whole game of poker as data.

What a card does not say, the table's options and stakes say; what they leave open, the law book's defaults say.

Source: design §2 "A variant is data", laws 0.4, 0.5.
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine import steps
from bot.engine.options import Options
from bot.engine.ranking import Ranking


class Share(Struct, frozen=True):
    """One share of every pot and the ranking that wins it. The first share listed gets the odd chip of a halving (TL-23)."""

    name: str
    ranking: Ranking


class WildBoard(StrEnum):
    """What the first common card makes wild (VC-21)."""

    NOTHING = "nothing"
    CARD = "card"  # itself alone
    RANK = "rank"  # and every card of its rank


class RuleCard(Struct, frozen=True):
    """A game, as its sheet describes it.

    Attributes:
        key: what commands and files call it, in small letters: ``holdem``.
        name: what people call it: ``Texas hold'em``.
        sheet: id of its sheet in the law book: ``VB-6``.
        family: ``hold'em``, ``omaha``, ``draw``, ``stud``, ``lowball``, ``home`` …, for lists.
        seats_min, seats_max: how many may play; P-6 may allow fewer.
        seats_most: so many a host may seat who asks for more than the sheet's usual number (0.4, P-2, P-3); 0: no more than that.
        amounts: amounts its sheet asks for, beside those its options need, as fields of `Stakes` (H-4).
        steps: what the dealer does, in order.
        shares: how each pot is shared: one share, or high and low.
        options: the sheet's own defaults; the table's choice takes precedence.
        boards: common boards dealt side by side (e22).
        aliases: other names people may type.
        button_blind: the button posts a live blind of one ante beside his own ante (VC-17).
        joker_up_bug: a joker face up is only a bug (VC-22).
        door_by_suit: of equal door cards the suit decides who brings in, whatever `STUD_TIE` says of later streets (VC-5).
        low_ace: in a stripped pack the ace also stands below its lowest card, A-9-8-7-6 (VC-17); else only above the king (VB-10).
        wild_board: what the first common card makes wild (VC-21).
        follow: the rank after which, dealt up, the next card up names a wild rank (VC-23); clears: a rank that, dealt up, takes that
            name away again; redeal: without a follow rank up at the show the deal does not count.
        priced: the rank that must be paid for when it is dealt up (VC-24), with as much as the pot holds where price_is_pot;
        extra: the rank that brings one more card, face down where extra_down.
        openers: the lowest rank of a pair that may open the first interval; openers_back: after aces it goes down again (VC-20).
        match_pot: who stays in and loses puts the pot in again for the next deal (VC-27).
        no_check_raise: who has checked in an interval may not raise in it (VC-11).
    """

    key: str
    name: str
    sheet: str
    family: str
    seats_min: int
    seats_max: int
    steps: tuple[steps.Any, ...]
    shares: tuple[Share, ...]
    options: Options
    boards: int = 1
    aliases: tuple[str, ...] = ()
    button_blind: bool = False
    joker_up_bug: bool = False
    wild_board: WildBoard = WildBoard.NOTHING
    follow: int | None = None
    priced: int | None = None
    extra: int | None = None
    openers: int | None = None
    match_pot: bool = False
    seats_most: int = 0
    amounts: tuple[str, ...] = ()
    door_by_suit: bool = False
    low_ace: bool = False
    clears: int | None = None
    redeal: bool = False
    price_is_pot: bool = False
    extra_down: bool = False
    openers_back: bool = False
    no_check_raise: bool = False

    @property
    def runs_one_board(self) -> bool:
        """Whether common cards go to one single board, which may be run twice (TL-25)."""
        return self.boards == 1 and any(isinstance(step, steps.DealBoard) for step in self.steps)
