"""Draw poker of the founding texts, and the modern draw games for high.

Source: laws VB-1 to VB-3, VB-8, VC-14, VC-20, VC-21, VC-25.
"""

from msgspec.structs import replace

from bot.engine.cards import JACK, TWO
from bot.engine.customs import Openers, WildBoardCard
from bot.engine.options.presets import preset_options
from bot.engine.options.values import Announce, Cut, DrawMax, Limit, LowScale, MinRaise, OddChip, PassedOutRule
from bot.engine.ranking import AceStraight, Ranking, Scale, SuitRank
from bot.engine.ranking.spec import WildMethod
from bot.engine.rule_card import RuleCard, Share
from bot.engine.steps import BetSize, BettingRound, DealBoard, DealDown, Draw, OfferStraddles, PostForcedBets, Showdown
from bot.variants.step_sequences import AFTER_DRAW, BEFORE_DRAW, single_draw

_HIGH = (Share("pot", Ranking()),)

OLD_ENGLISH = RuleCard(
    key="old_english", name="Old English Draw", law_id="VB-1", family="draw", seats_min=2, seats_max=6, seats_max_on_request=10,
    steps=(
        PostForcedBets(), OfferStraddles(),
        DealDown(5), BettingRound("the say"),
        Draw("the draw", 5), BettingRound("the betting"),
        Showdown(),
    ),
    shares=(Share("pot", Ranking(ace_straight=AceStraight.LOW_ONLY, suit_rank=SuitRank.HEARTS_FIRST)),),
    options=preset_options("OE"), aliases=("english draw", "ante and straddle"),
)  # fmt: skip
BASIC_DRAW = RuleCard(
    key="basic_draw", name="Basic Draw", law_id="VB-2", family="draw", seats_min=2, seats_max=7, seats_max_on_request=10,
    steps=single_draw(), shares=_HIGH, options=preset_options("BD"), aliases=("draw with doubling",),
)  # fmt: skip
HOYLE_DRAW = RuleCard(
    key="hoyle_draw", name="Hoyle Draw", law_id="VB-3", family="draw", seats_min=2, seats_max=8, seats_max_on_request=10,
    steps=single_draw(), shares=_HIGH, options=preset_options("HD"), aliases=("hoyle", "standard draw"),
)  # fmt: skip
MOREHEAD_DRAW = replace(
    HOYLE_DRAW, key="morehead", name="Morehead Draw", seats_max=10,
    options=replace(
        preset_options("HD"), min_raise=MinRaise.MATCH_CALL, odd_chip=OddChip.LAST_AGGRESSOR, cut=Cut.MAY, announce=Announce.BINDING,
        max_seats=10,
    ),
    aliases=("morehead draw",),
)  # fmt: skip
HIGH_LOW_DRAW = RuleCard(
    key="hilo_draw", name="High-Low Draw", law_id="VB-8", family="high-low", seats_min=2, seats_max=8, seats_max_on_request=10,
    steps=single_draw(), shares=(Share("high", Ranking()), Share("low", Ranking(scale=Scale.LOW_ACE_LOW))),
    options=preset_options("HL"), aliases=("hilo", "draw high-low"),
)  # fmt: skip

_MODERN = replace(preset_options("LB"), low_scale=LowScale.A5)
FIVE_CARD_DRAW = RuleCard(
    key="five_card_draw", name="Limit Five-Card Draw", law_id="VC-14", family="draw", seats_min=2, seats_max=7,
    steps=single_draw(), shares=_HIGH, options=replace(_MODERN, max_seats=7), aliases=("5cd", "draw", "five-card draw"),
)  # fmt: skip
POT_LIMIT_FIVE_CARD_DRAW = replace(
    FIVE_CARD_DRAW, key="pot_limit_five_card_draw", name="Pot-Limit Five-Card Draw",
    options=replace(FIVE_CARD_DRAW.options, limit=Limit.POT_LIMIT, min_raise=MinRaise.LAST_RAISE), aliases=("pl5cd",),
)  # fmt: skip
NO_LIMIT_FIVE_CARD_DRAW = replace(
    FIVE_CARD_DRAW, key="no_limit_five_card_draw", name="No-Limit Five-Card Draw",
    options=replace(FIVE_CARD_DRAW.options, limit=Limit.NO_LIMIT, min_raise=MinRaise.LAST_RAISE), aliases=("nl5cd",),
)  # fmt: skip
JACKS_OR_BETTER = replace(
    HOYLE_DRAW, key="jackpots", name="Jacks or Better", law_id="VC-20", family="home", customs=(Openers(JACK),),
    options=replace(preset_options("HD"), passed_out=PassedOutRule.SAME_DEALER_REANTE),
    aliases=("jacks", "progressive jackpots", "jackpot"),
)  # fmt: skip
SPIT_IN_THE_OCEAN = RuleCard(
    key="spit", name="Spit in the Ocean", law_id="VC-21", family="home", seats_min=2, seats_max=10,
    steps=(
        PostForcedBets(),
        DealDown(4), DealBoard(1), BettingRound(BEFORE_DRAW),
        Draw("the draw", 3), BettingRound(AFTER_DRAW, BetSize.BIG),
        Showdown(),
    ),
    shares=_HIGH, customs=(WildBoardCard(with_its_rank=True),),
    options=replace(preset_options("HD"), draw_max=DrawMax.FIVE, wild_method=WildMethod.FREE, max_seats=10),
    aliases=("spit",),
)  # fmt: skip
DEUCES_WILD_DRAW = replace(
    FIVE_CARD_DRAW, key="deuces_wild", name="Deuces Wild", law_id="VC-25", family="home",
    options=replace(FIVE_CARD_DRAW.options, wild_method=WildMethod.FREE, wild_ranks=(TWO,)), aliases=("deuces",),
)  # fmt: skip
