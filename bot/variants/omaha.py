"""Omaha and its family: exactly two own cards with three of the board.

Source: laws VC-1 to VC-4.
"""

from msgspec.structs import replace

from bot.engine.cards import EIGHT
from bot.engine.options.types import Options
from bot.engine.options.values import Limit, LowScale, MinRaise
from bot.engine.ranking import EXACTLY_TWO, Ranking, Scale
from bot.engine.rule_card import RuleCard, Share
from bot.engine.steps import BetSize, BettingRound, Burn, DealBoard, DealDown, PostForcedBets, Showdown
from bot.variants.step_sequences import FLOP, PRE_FLOP, RIVER, TURN, board_game

_POT = Options(limit=Limit.POT_LIMIT, low_scale=LowScale.A5)
_NO = Options(limit=Limit.NO_LIMIT, low_scale=LowScale.A5)
_FIXED = Options(limit=Limit.LIMIT, min_raise=MinRaise.BY_LIMIT, low_scale=LowScale.A5)
_HIGH = Ranking(from_hole=EXACTLY_TWO)
_LOW = Ranking(scale=Scale.ACE_TO_FIVE, from_hole=EXACTLY_TWO, qualifier=EIGHT)
HIGH_ONLY = (Share("pot", _HIGH),)
HIGH_LOW_EIGHT = (Share("high", _HIGH), Share("low", _LOW))

OMAHA = RuleCard(
    key="omaha", name="Pot-Limit Omaha", law_id="VC-1", family="omaha", seats_min=2, seats_max=10, seats_max_on_request=11,
    steps=board_game(4), shares=HIGH_ONLY, options=_POT, aliases=("plo", "omaha high", "pot-limit omaha high"),
)  # fmt: skip
OMAHA_EIGHT = replace(
    OMAHA, key="omaha8", name="Pot-Limit Omaha Hi-Lo 8 or Better", law_id="VC-2", shares=HIGH_LOW_EIGHT,
    aliases=("plo8", "omaha hi-lo", "omaha eight or better"),
)  # fmt: skip
LIMIT_OMAHA = replace(OMAHA, key="limit_omaha", name="Limit Omaha", options=_FIXED, aliases=("lo", "fixed-limit omaha"))
LIMIT_OMAHA_EIGHT = replace(
    OMAHA_EIGHT, key="limit_omaha8", name="Limit Omaha Hi-Lo 8 or Better", options=_FIXED, aliases=("lo8", "o8")
)
NO_LIMIT_OMAHA_EIGHT = replace(
    OMAHA_EIGHT, key="no_limit_omaha8", name="No-Limit Omaha Hi-Lo 8 or Better", options=_NO, aliases=("nlo8",)
)
FIVE_CARD_OMAHA = replace(
    OMAHA, key="omaha5", name="Pot-Limit Five-Card Omaha", law_id="VC-3", seats_max=8, seats_max_on_request=0, steps=board_game(5),
    options=replace(_POT, max_seats=8),
    aliases=("plo5", "five-card plo"),
)  # fmt: skip
SIX_CARD_OMAHA = replace(
    OMAHA, key="omaha6", name="Pot-Limit Six-Card Omaha", law_id="VC-3", seats_max=7, seats_max_on_request=0, steps=board_game(6),
    options=replace(_POT, max_seats=7),
    aliases=("plo6", "six-card plo"),
)  # fmt: skip
BIG_O = replace(
    FIVE_CARD_OMAHA, key="big_o", name="Big O", shares=HIGH_LOW_EIGHT, aliases=("five-card omaha hi-lo", "plo5 hi-lo")
)
COURCHEVEL = replace(
    FIVE_CARD_OMAHA, key="courchevel", name="Courchevel", law_id="VC-4",
    steps=(
        PostForcedBets(),
        DealDown(5), DealBoard(1), BettingRound(PRE_FLOP),
        DealBoard(2), BettingRound(FLOP),
        Burn(), DealBoard(1), BettingRound(TURN, BetSize.BIG),
        Burn(), DealBoard(1), BettingRound(RIVER, BetSize.BIG),
        Showdown(),
    ),
    aliases=(),
)  # fmt: skip
COURCHEVEL_EIGHT = replace(
    COURCHEVEL, key="courchevel8", name="Courchevel Hi-Lo 8 or Better", shares=HIGH_LOW_EIGHT, aliases=("courchevel hi-lo",),
)  # fmt: skip
