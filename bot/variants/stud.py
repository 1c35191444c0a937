"""Stud poker: five cards both ways of the founding texts, seven cards, razz, and what home games make of them.

Source: laws VB-4, VB-5, VB-8, VC-5 to VC-7, VC-13, VC-22 to VC-24.
"""

from msgspec.structs import replace

from bot.engine.cards import EIGHT, FOUR, NINE, QUEEN, THREE
from bot.engine.customs import DoorCardTiesBySuit, ExtraCardRank, FaceUpJokerIsBug, FollowRank, PricedRank
from bot.engine.options.presets import preset_options
from bot.engine.options.values import DeckKind, FirstOpener, LaterOpener, Limit, LowScale, MinRaise, OddChip, Showing
from bot.engine.ranking import CategoryOrder, Ranking, Scale
from bot.engine.ranking.spec import WildMethod
from bot.engine.rule_card import RuleCard, Share
from bot.engine.steps import (
    BetSize,
    BettingRound,
    Burn,
    DealDown,
    DealUp,
    DealUpInTurn,
    DealUpOrDown,
    OfferTurnUp,
    PostForcedBets,
    Showdown,
)
from bot.variants.step_sequences import five_card_stud, seven_card_stud

_HIGH = (Share("pot", Ranking()),)
_A5 = Ranking(scale=Scale.ACE_TO_FIVE)

STUD_LOW = RuleCard(
    key="stud_low", name="Five-Card Stud, Low Card Opens", law_id="VB-4", family="stud", seats_min=2, seats_max=9, seats_max_on_request=10,
    steps=five_card_stud(), shares=_HIGH, options=preset_options("SL"), aliases=("five-card stud",),
)  # fmt: skip
STUD_HIGH = RuleCard(
    key="stud_high", name="Five-Card Stud, High Card Opens", law_id="VB-5", family="stud", seats_min=2, seats_max=9,
    seats_max_on_request=10,
    steps=five_card_stud(), shares=_HIGH, options=preset_options("SH"), aliases=("five-card stud high",),
)  # fmt: skip
MODERN_FIVE_CARD_STUD = replace(
    STUD_LOW, key="modern_stud5", name="Limit Five-Card Stud", steps=five_card_stud(Burn()), seats_max_on_request=0,
    required_amounts=("bring_in",),
    customs=(DoorCardTiesBySuit(),),
    options=replace(
        preset_options("SL"), first_n=LaterOpener.HIGH_SHOWING, show=Showing.IN_ORDER, odd_chip=OddChip.HIGH_SUIT,
    ),
    aliases=("modern five-card stud", "5cs"),
)  # fmt: skip
HIGH_LOW_STUD = RuleCard(
    key="hilo_stud", name="High-Low Five-Card Stud", law_id="VB-8", family="high-low", seats_min=2, seats_max=9, seats_max_on_request=10,
    steps=five_card_stud(), shares=(Share("high", Ranking()), Share("low", Ranking(scale=Scale.LOW_ACE_LOW))),
    options=preset_options("HL_STUD"),
)  # fmt: skip

_SEVEN = replace(
    preset_options("SL"), first_n=LaterOpener.HIGH_SHOWING, show=Showing.IN_ORDER, odd_chip=OddChip.HIGH_SUIT,
    low_scale=LowScale.A5, max_seats=8,
)  # fmt: skip
SEVEN_CARD_STUD = RuleCard(
    key="stud", name="Limit Seven-Card Stud", law_id="VC-5", family="stud", seats_min=2, seats_max=8,
    steps=seven_card_stud(), shares=_HIGH, required_amounts=("bring_in",), customs=(DoorCardTiesBySuit(),), options=_SEVEN,
    aliases=("seven-card stud", "7cs", "stud hi"),
)  # fmt: skip
STUD_EIGHT = replace(
    SEVEN_CARD_STUD, key="stud8", name="Limit Seven-Card Stud Hi-Lo 8 or Better", law_id="VC-6",
    shares=(Share("high", Ranking()), Share("low", replace(_A5, qualifier=EIGHT))),
    options=_SEVEN, aliases=("stud eight", "stud eight or better", "7cs8"),
)  # fmt: skip
STUD_HIGH_LOW = replace(
    STUD_EIGHT, key="stud_hilo", name="Limit Seven-Card Stud Hi-Lo, No Qualifier",
    shares=(Share("high", Ranking()), Share("low", _A5)),
    options=replace(_SEVEN, first_1=FirstOpener.HIGH_CARD, first_n=LaterOpener.LOW_SHOWING), aliases=(),
)  # fmt: skip
_RAZZ = replace(_SEVEN, first_1=FirstOpener.HIGH_CARD, first_n=LaterOpener.LOW_SHOWING)
RAZZ = replace(
    SEVEN_CARD_STUD, key="razz", name="Limit Razz", law_id="VC-7", shares=(Share("pot", _A5),), options=_RAZZ,
    aliases=("seven-card razz",),
)  # fmt: skip
LONDON = replace(
    RAZZ, key="london", name="Pot-Limit London Lowball", law_id="VC-13", shares=(Share("pot", Ranking(scale=Scale.LOW_ACE_LOW)),),
    options=replace(_RAZZ, limit=Limit.POT_LIMIT, min_raise=MinRaise.LAST_RAISE, low_scale=LowScale.ACE_LOW),
    aliases=("london lowball",),
)  # fmt: skip
MEXICAN_STUD = RuleCard(
    key="mexican_stud", name="Mexican Stud", law_id="VC-22", family="stud", seats_min=2, seats_max=7,
    steps=(
        PostForcedBets(),
        DealDown(1), DealUp(1), BettingRound("second street"),
        OfferTurnUp(), DealUpOrDown(), BettingRound("third street"),
        OfferTurnUp(), DealUpOrDown(), BettingRound("fourth street", BetSize.BIG),
        OfferTurnUp(), DealUpOrDown(), BettingRound("fifth street", BetSize.BIG),
        Showdown(),
    ),
    shares=(Share("pot", Ranking(order=CategoryOrder.SHORT_DECK)),), customs=(FaceUpJokerIsBug(),), required_amounts=("bring_in",),
    options=replace(
        _SEVEN, deck=DeckKind.MEXICAN_41, wild_method=WildMethod.FREE, first_1=FirstOpener.HIGH_CARD, max_seats=7,
    ),
    aliases=("mexican poker",),
)  # fmt: skip
FOLLOW_THE_QUEEN = replace(
    SEVEN_CARD_STUD, key="follow_the_queen", name="Follow the Queen", law_id="VC-23", family="home", seats_max=7,
    customs=(DoorCardTiesBySuit(), FollowRank(QUEEN)),
    options=replace(_SEVEN, wild_method=WildMethod.FREE, wild_ranks=(QUEEN,), max_seats=7), aliases=("queens",),
)  # fmt: skip
BASEBALL = replace(
    SEVEN_CARD_STUD, key="baseball", name="Baseball", law_id="VC-24", family="home", seats_max=6,
    customs=(DoorCardTiesBySuit(), PricedRank(THREE), ExtraCardRank(FOUR)),
    required_amounts=("bring_in", "price"), steps=seven_card_stud(DealUpInTurn()),
    options=replace(_SEVEN, wild_method=WildMethod.FREE, wild_ranks=(THREE, NINE), max_seats=6), aliases=(),
)  # fmt: skip
