"""Draw games for low: lowball on every scale, triple draw, badugi and its mixtures.

Source: laws VB-7, VC-8 to VC-12, VC-15, VC-16.
"""

from msgspec.structs import replace

from bot.engine.options.presets import preset_options
from bot.engine.options.values import DeckKind, Limit, LowScale, MinRaise
from bot.engine.ranking import Ranking, Scale
from bot.engine.ranking.spec import WildMethod
from bot.engine.rule_card import RuleCard, Share
from bot.variants.step_sequences import single_draw, triple_draw

_LB = preset_options("LB")
_ACE_LOW, _A5, _27 = (
    Ranking(scale=Scale.LOW_ACE_LOW),
    Ranking(scale=Scale.ACE_TO_FIVE),
    Ranking(scale=Scale.DEUCE_TO_SEVEN),
)
_OPTIONS_A5 = replace(_LB, low_scale=LowScale.A5)
_OPTIONS_27 = replace(_LB, low_scale=LowScale.DEUCE_TO_SEVEN)

LOWBALL = RuleCard(
    key="lowball", name="Lowball Draw", law_id="VB-7", family="lowball", seats_min=2, seats_max=6, seats_max_on_request=10,
    steps=single_draw(), shares=(Share("pot", _ACE_LOW),), options=_LB, aliases=("draw lowball",),
)  # fmt: skip
SINGLE_DRAW = RuleCard(
    key="single_draw_27", name="No-Limit 2-7 Single Draw", law_id="VC-8", family="lowball", seats_min=2, seats_max=7,
    steps=single_draw(), shares=(Share("pot", _27),),
    options=replace(_OPTIONS_27, limit=Limit.NO_LIMIT, min_raise=MinRaise.LAST_RAISE, max_seats=7),
    aliases=("2-7 single draw", "deuce to seven", "kansas city lowball"),
)  # fmt: skip
TRIPLE_DRAW = RuleCard(
    key="triple_draw_27", name="Limit 2-7 Triple Draw", law_id="VC-9", family="lowball", seats_min=2, seats_max=6,
    steps=triple_draw(5), shares=(Share("pot", _27),), options=_OPTIONS_27, aliases=("2-7 triple draw", "deuce to seven triple draw"),
)  # fmt: skip
TRIPLE_DRAW_A5 = replace(
    TRIPLE_DRAW, key="triple_draw_a5", name="Limit A-5 Triple Draw", law_id="VC-10", shares=(Share("pot", _A5),),
    options=_OPTIONS_A5, aliases=("a-5 triple draw", "ace to five triple draw"),
)  # fmt: skip
CALIFORNIA = RuleCard(
    key="california_lowball", name="California Lowball", law_id="VC-11", family="lowball", seats_min=2, seats_max=6,
    steps=single_draw(), shares=(Share("pot", _A5),), options=_OPTIONS_A5, aliases=("a-5 single draw", "ace to five lowball"),
)  # fmt: skip
CALIFORNIA_JOKER = replace(
    CALIFORNIA, key="california_joker", name="California Lowball with the Joker",
    options=replace(_OPTIONS_A5, deck=DeckKind.WITH_JOKER_53, wild_method=WildMethod.BUG), aliases=("lowball with joker",),
)  # fmt: skip
BADUGI = RuleCard(
    key="badugi", name="Limit Badugi", law_id="VC-15", family="lowball", seats_min=2, seats_max=8,
    steps=triple_draw(4), shares=(Share("pot", Ranking(scale=Scale.BADUGI)),),
    options=replace(_LB, low_scale=LowScale.BADUGI, max_seats=8), aliases=("padooki",),
)  # fmt: skip
BADACEY = RuleCard(
    key="badacey", name="Badacey", law_id="VC-16", family="lowball", seats_min=2, seats_max=6,
    steps=triple_draw(5), shares=(Share("five-card low", _A5), Share("badugi", Ranking(scale=Scale.BADUGI))),
    options=_OPTIONS_A5,
)  # fmt: skip
BADEUCEY = RuleCard(
    key="badeucey", name="Badeucey", law_id="VC-16", family="lowball", seats_min=2, seats_max=6,
    steps=triple_draw(5), shares=(Share("five-card low", _27), Share("badugi", Ranking(scale=Scale.BADUGI_ACE_HIGH))),
    options=_OPTIONS_27,
)  # fmt: skip
