"""Ranking of hands: `evaluator(ranking)` judges, `long_name` and `short_name` say it in words.

A ranking is data (`spec`), the plain judge is `rules`, speed is `evaluator`'s, designated wild cards are `declare`'s,
cards on show are `showing`'s, and `presets` has the rankings that games ask for by name.
"""

from bot.engine.ranking.evaluator import Evaluator, evaluator
from bot.engine.ranking.names import HandName, dashed, long_name, short_name
from bot.engine.ranking.spec import (
    AT_MOST_TWO,
    EXACTLY_TWO,
    NOTHING_WILD,
    AceStraight,
    Order,
    Ranking,
    Scale,
    Special,
    SuitRank,
    Wild,
    WildCall,
    WildMethod,
)
from bot.engine.ranking.value import Category

__all__ = [
    "AT_MOST_TWO",
    "EXACTLY_TWO",
    "NOTHING_WILD",
    "AceStraight",
    "Category",
    "Evaluator",
    "HandName",
    "Order",
    "Ranking",
    "Scale",
    "Special",
    "SuitRank",
    "Wild",
    "WildCall",
    "WildMethod",
    "dashed",
    "evaluator",
    "long_name",
    "short_name",
]
