"""Texas hold'em, in its three limits.

Source: laws VB-6, M-1 to M-5; BARGE, WSOP-L s.VII.
"""

from msgspec.structs import replace

from bot.engine.options.types import Options
from bot.engine.options.values import Limit, MinRaise
from bot.engine.ranking import Ranking
from bot.engine.rule_card import RuleCard, Share
from bot.variants.step_sequences import board_game

NO_LIMIT_HOLDEM = RuleCard(
    key="holdem",
    name="No-Limit Hold'em",
    law_id="VB-6",
    family="hold'em",
    seats_min=2,
    seats_max=10,
    seats_max_on_request=14,
    steps=board_game(2),
    shares=(Share("pot", Ranking()),),
    options=Options(),
    aliases=("texas hold'em", "nlhe", "no-limit texas hold'em"),
)
POT_LIMIT_HOLDEM = replace(
    NO_LIMIT_HOLDEM,
    key="pot_limit_holdem",
    name="Pot-Limit Hold'em",
    options=Options(limit=Limit.POT_LIMIT),
    aliases=("plhe", "pot-limit texas hold'em"),
)
LIMIT_HOLDEM = replace(
    NO_LIMIT_HOLDEM,
    key="limit_holdem",
    name="Limit Hold'em",
    options=Options(limit=Limit.LIMIT, min_raise=MinRaise.BY_LIMIT),
    aliases=("lhe", "fixed-limit hold'em", "limit texas hold'em"),
)
