"""The rule card: a whole game of poker as data.

What a card leaves open, the table's options and stakes say; what they leave open, the law book's defaults say (laws
0.4, 0.5).
"""

from enum import StrEnum

from msgspec import Struct

from bot.engine import steps
from bot.engine.options.types import Options
from bot.engine.ranking import Ranking


class Share(Struct, frozen=True):
    """One share of every pot and the ranking that wins it. The first share listed gets the odd chip when a pot is
    halved (TL-23)."""

    name: str
    ranking: Ranking


class WildBoardCard(StrEnum):
    """What the first common card makes wild (VC-21)."""

    NOTHING = "nothing"
    CARD = "card"  # itself alone
    RANK = "rank"  # and every card of its rank


class RuleCard(Struct, frozen=True):
    """A game.

    Attributes:
        key: what commands and files call it, in small letters: ``holdem``.
        name: what people call it: ``Texas hold'em``.
        law_id: id of its sheet in the law book: ``VB-6``.
        family: ``hold'em``, ``omaha``, ``draw``, ``stud``, ``lowball``, ``home`` …, for lists.
        seats_min, seats_max: how many can play; P-6 can allow fewer.
        seats_max_on_request: the number a host can ask for beyond the usual one (0.4, P-2, P-3); 0: no more than
            `seats_max`.
        required_amounts: amounts the game needs beside those of its options, as fields of `Stakes` (H-4).
        steps: what the dealer does, in order.
        shares: how each pot is shared: one share, or high and low.
        options: the game's own defaults; the table's choice takes precedence.
        boards: common boards dealt side by side (e22).
        aliases: other names people can type.
        button_blind: the button posts a live blind beside its ante: one ante, or what the stakes say (VC-17).
        face_up_joker_is_bug: a joker face up is only a bug (VC-22).
        door_card_ties_by_suit: of equal door cards the suit decides who brings in, whatever `STUD_TIE` says of later
            streets (VC-5).
        ace_also_low: in a stripped deck the ace also ranks below its lowest card, A-9-8-7-6 (VC-17); else only above
            the king (VB-10).
        wild_board_card: what the first common card makes wild (VC-21).
        follow_rank: after this rank is dealt face up, the next card face up names a wild rank (VC-23).
        clearing_rank: a rank that, dealt face up, takes that name away again.
        redeal_without_follow_rank: without a follow rank face up at the showdown the hand does not count.
        priced_rank: a card of this rank must be paid for when it is dealt face up (VC-24); price_is_pot: with as much
            as the pot holds.
        extra_card_rank: a card of this rank brings one more card; extra_card_face_down: face down.
        openers_rank: the lowest rank of a pair that can open the first betting round; openers_rank_descends: after
            aces it goes down again (VC-20).
        losers_match_pot: whoever stays in and loses puts the pot in again for the next hand (VC-27).
        forbids_check_raise: nobody can raise on a street on which they have checked (VC-11).
    """

    key: str
    name: str
    law_id: str
    family: str
    seats_min: int
    seats_max: int
    steps: tuple[steps.AnyStep, ...]
    shares: tuple[Share, ...]
    options: Options
    boards: int = 1
    aliases: tuple[str, ...] = ()
    button_blind: bool = False
    face_up_joker_is_bug: bool = False
    wild_board_card: WildBoardCard = WildBoardCard.NOTHING
    follow_rank: int | None = None
    priced_rank: int | None = None
    extra_card_rank: int | None = None
    openers_rank: int | None = None
    losers_match_pot: bool = False
    seats_max_on_request: int = 0
    required_amounts: tuple[str, ...] = ()
    door_card_ties_by_suit: bool = False
    ace_also_low: bool = False
    clearing_rank: int | None = None
    redeal_without_follow_rank: bool = False
    price_is_pot: bool = False
    extra_card_face_down: bool = False
    openers_rank_descends: bool = False
    forbids_check_raise: bool = False

    @property
    def has_single_board(self) -> bool:
        """Whether common cards go to one single board, which can be run twice (TL-25)."""
        return self.boards == 1 and any(isinstance(step, steps.DealBoard) for step in self.steps)
