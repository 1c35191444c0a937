"""Rankings by name, for the command line. A game can use one as it is, or derive its own with `msgspec.structs.replace`.

Source: laws LO-5, VB-1, VB-10, VC-1, VC-2, VC-15 to VC-18, VC-22, VC-27.
"""

from __future__ import annotations

from bot.engine.cards import ACE, EIGHT, JACK, KING, QUEEN, SEVEN, SIX
from bot.engine.ranking.spec import (
    AT_MOST_TWO,
    EXACTLY_TWO,
    AceStraight,
    CategoryOrder,
    Ranking,
    Scale,
    SpecialHands,
    SuitRank,
    WildMethod,
    WildPolicy,
)

SIX_TO_ACE = tuple(range(SIX, ACE + 1))
SEVEN_TO_ACE = tuple(range(SEVEN, ACE + 1))
MEXICAN_RANKS = (*range(SEVEN + 1), JACK, QUEEN, KING, ACE)

HIGH = Ranking()
HIGH_ACE_LOW = Ranking(scale=Scale.HIGH_ACE_LOW)
OLD_ENGLISH = Ranking(ace_straight=AceStraight.LOW_ONLY, suit_rank=SuitRank.HEARTS_FIRST)
CATS_DOGS = Ranking(special=SpecialHands.CATS_DOGS)

ACE_HIGH = Ranking(scale=Scale.LOW_ACE_HIGH)
ACE_LOW = Ranking(scale=Scale.LOW_ACE_LOW)
ACE_TO_FIVE = Ranking(scale=Scale.ACE_TO_FIVE)
EIGHT_OR_BETTER = Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT)
DEUCE_TO_SEVEN = Ranking(scale=Scale.DEUCE_TO_SEVEN)
BADUGI = Ranking(scale=Scale.BADUGI)
BADUGI_ACE_HIGH = Ranking(scale=Scale.BADUGI_ACE_HIGH)

STRIPPED = Ranking(ace_straight=AceStraight.HIGH_ONLY, ranks=SIX_TO_ACE)
STRIPPED_32 = Ranking(ace_straight=AceStraight.HIGH_ONLY, ranks=SEVEN_TO_ACE)
SHORT_DECK = Ranking(order=CategoryOrder.SHORT_DECK, ranks=SIX_TO_ACE)
SHORT_DECK_TRIPS = Ranking(order=CategoryOrder.SHORT_DECK_TRIPS, ranks=SIX_TO_ACE)
MEXICAN = Ranking(order=CategoryOrder.SHORT_DECK, ranks=MEXICAN_RANKS, wild=WildPolicy(method=WildMethod.FREE))
"""With the joker down. A joker up is a bug: ``WildPolicy(method=WildMethod.FREE, joker=WildMethod.BUG)``."""

THREE_CARD = Ranking(order=CategoryOrder.THREE_CARD, size=3)
TWO_CARD = Ranking(order=CategoryOrder.SETS_ONLY, size=2)

OMAHA = Ranking(from_hole=EXACTLY_TWO)
OMAHA_EIGHT = Ranking(scale=Scale.ACE_TO_FIVE, qualifier=EIGHT, from_hole=EXACTLY_TWO)
LAZY_PINEAPPLE = Ranking(from_hole=AT_MOST_TWO)

RANKINGS_BY_NAME: dict[str, Ranking] = {
    "high": HIGH,
    "old_english": OLD_ENGLISH,
    "cats_dogs": CATS_DOGS,
    "ace_high": ACE_HIGH,
    "ace_low": ACE_LOW,
    "a5": ACE_TO_FIVE,
    "8": EIGHT_OR_BETTER,
    "27": DEUCE_TO_SEVEN,
    "badugi": BADUGI,
    "badeucey": BADUGI_ACE_HIGH,
    "short_deck": SHORT_DECK,
    "short_deck_trips": SHORT_DECK_TRIPS,
    "stripped": STRIPPED,
    "mexican": MEXICAN,
    "three_card": THREE_CARD,
    "two_card": TWO_CARD,
    "omaha": OMAHA,
    "omaha8": OMAHA_EIGHT,
    "lazy_pineapple": LAZY_PINEAPPLE,
}
"""By the names the command line knows."""
