"""How hands are ranked in a game: plain data, written into a hand's first event.

Four things are kept apart: the scale (high, or one of the lows), the order of the categories, the ranks of the deck, and the wild
cards. Any mixture of them is a game that somebody plays.

Source: laws A4, A5, LO-1 to LO-5 and the register of options 0.5.
"""

from __future__ import annotations

import enum

import msgspec

from bot.engine import cards


class Scale(enum.StrEnum):
    """What is good. On every low scale the lowest hand is the best one."""

    HIGH = "high"
    HIGH_ACE_LOW = "high_ace_low"  # the high half of a holder bound by "aces low" (LO-3)
    LOW_ACE_HIGH = "ace_high"  # straights and flushes count, 5-4-3-2-A is a straight: best 7-5-4-3-2 (LO-1)
    LOW_ACE_LOW = "ace_low"  # straights and flushes count, ace always low: best 6-4-3-2-A (LO-2; London)
    ACE_TO_FIVE = "A5"  # straights and flushes ignored: best 5-4-3-2-A
    DEUCE_TO_SEVEN = "27"  # ace high only, 5-4-3-2-A no straight: best 7-5-4-3-2
    BADUGI = "badugi"  # VC-15
    BADUGI_ACE_HIGH = "badugi_ace_high"  # badeucey: best 5-4-3-2 (VC-16)


class CategoryOrder(enum.StrEnum):
    """The order of the categories of high hands."""

    STANDARD = "standard"
    SHORT_DECK = "short_deck"  # a flush beats a full house (VC-17, VC-22)
    SHORT_DECK_TRIPS = "short_deck_trips"  # and three of a kind beats a straight (option of VC-17)
    THREE_CARD = "three_card"  # straight flush, three, straight, flush, pair, high (VC-27)
    SETS_ONLY = "sets_only"  # straights and flushes do not count (guts by another custom)


class AceStraight(enum.StrEnum):
    """`ACE_STRAIGHT`: where the ace stands in a straight. Low scales say so themselves.

    A table chooses between the first two. The third comes with a stripped deck.
    """

    BOTH = "both"
    LOW_ONLY = "low_only"
    HIGH_ONLY = "high_only"  # the stripped deck of VB-10, for which source 003 names no low ace


class SuitRank(enum.StrEnum):
    """`SUIT_RANK`: whether suits decide between hands that are otherwise equal."""

    NONE = "none"
    HEARTS_FIRST = "hearts_first"  # T-11


class SpecialHands(enum.StrEnum):
    """`SPECIAL`: hands outside the common ranking."""

    OFF = "off"
    CATS_DOGS = "cats_dogs"  # SP-1


class WildMethod(enum.StrEnum):
    """`WILD_METHOD`: what a wild card can stand for."""

    NONE = "none"
    NO_DUPLICATE = "no_duplicate"  # W-3
    BUG = "bug"  # W-4
    FREE = "free"  # W-5


class WildCall(enum.StrEnum):
    """`WILD_CALL`: who says what a wild card stands for."""

    AUTO_BEST = "auto_best"  # W-8
    DECLARE = "declare"  # W-7


class WildPolicy(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which cards are wild, and how. Two jokers are wild in the same way.

    Attributes:
        method: what the wild ranks and cards, and the joker if `joker` is None, can stand for.
        ranks: ranks of which every card is wild.
        cards: single wild cards, the one-eyed jacks for example.
        joker: what the joker can stand for where that differs (deuces free, joker a bug).
        call: who names what a wild card stands for.
    """

    method: WildMethod = WildMethod.NONE
    ranks: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    joker: WildMethod | None = None
    call: WildCall = WildCall.AUTO_BEST

    def __post_init__(self) -> None:
        if {self.method, self.joker} >= {WildMethod.FREE, WildMethod.NO_DUPLICATE}:
            raise ValueError("wild cards of one game may repeat held cards or may not; both at once has no order")
        if self.method is WildMethod.NONE and (self.ranks or self.cards):
            raise ValueError("wild cards need a method")

    def method_of(self, card: int) -> WildMethod:
        """Return what this card can stand for; `NONE` if it is not wild."""
        if card >= cards.JOKER:
            return self.method if self.joker is None else self.joker
        if card in self.cards or card >> 2 in self.ranks:
            return self.method
        return WildMethod.NONE


NOTHING_WILD = WildPolicy()
EXACTLY_TWO = (2, 2)
AT_MOST_TWO = (0, 2)


class Ranking(msgspec.Struct, frozen=True, omit_defaults=True):
    """How hands of a game, or one half of its pot, are ranked.

    Attributes:
        scale: high, or which low.
        order: the order of the categories.
        ace_straight: where the ace stands in a straight of a high hand (low scales say so themselves).
        suit_rank: whether the heart breaks ties.
        special: the special hands in force.
        wild: which cards are wild.
        qualifier: the highest rank of a low with five different ranks, or None: ``cards.EIGHT`` is "eight or better" (VC-2). High
            hands and badugis have none.
        from_hole: the minimum and maximum of hole cards that play, or None for any mix: Omaha `EXACTLY_TWO`, lazy pineapple
            `AT_MOST_TWO`. A hand has room for the minimum: ``(4, 4)`` for a badugi of hole cards alone.
        size: the number of cards in a hand: five; three or two for guts. A badugi always has up to four.
        ranks: the deck's ranks in ascending order. Neighbours here adjoin in straights: 7 and J in Mexican stud.
    """

    scale: Scale = Scale.HIGH
    order: CategoryOrder = CategoryOrder.STANDARD
    ace_straight: AceStraight = AceStraight.BOTH
    suit_rank: SuitRank = SuitRank.NONE
    special: SpecialHands = SpecialHands.OFF
    wild: WildPolicy = NOTHING_WILD
    qualifier: int | None = None
    from_hole: tuple[int, int] | None = None
    size: int = 5
    ranks: tuple[int, ...] = tuple(range(13))

    def __post_init__(self) -> None:
        if self.from_hole is not None:
            minimum, maximum = self.from_hole
            if not 0 <= minimum <= min(maximum, self.hand_size) or maximum < 1:
                raise ValueError(f"no hand of {self.hand_size} cards plays {minimum} to {maximum} hole cards")

    @property
    def hand_size(self) -> int:
        """The number of cards that a hand can play."""
        return 4 if self.is_badugi else self.size

    @property
    def is_low(self) -> bool:
        """Whether the lowest hand is the best."""
        return self.scale not in (Scale.HIGH, Scale.HIGH_ACE_LOW)

    @property
    def is_badugi(self) -> bool:
        """Whether hands are badugis, of one to four cards."""
        return self.scale in (Scale.BADUGI, Scale.BADUGI_ACE_HIGH)

    @property
    def ace_is_low(self) -> bool:
        """Whether the ace ranks below the deuce outside sequences."""
        return self.scale in (Scale.HIGH_ACE_LOW, Scale.LOW_ACE_LOW, Scale.ACE_TO_FIVE, Scale.BADUGI)
