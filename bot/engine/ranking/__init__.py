"""Ranking of hands: `evaluator(ranking)` evaluates them."""

from bot.engine.ranking.evaluator import Evaluator, evaluator
from bot.engine.ranking.spec import (
    AT_MOST_TWO,
    EXACTLY_TWO,
    NOTHING_WILD,
    AceStraight,
    CategoryOrder,
    Ranking,
    Scale,
    SpecialHands,
    SuitRank,
    WildCall,
    WildMethod,
    WildPolicy,
)
from bot.engine.ranking.value import Category, HandName

__all__ = [
    "AT_MOST_TWO",
    "EXACTLY_TWO",
    "NOTHING_WILD",
    "AceStraight",
    "Category",
    "CategoryOrder",
    "Evaluator",
    "HandName",
    "Ranking",
    "Scale",
    "SpecialHands",
    "SuitRank",
    "WildCall",
    "WildMethod",
    "WildPolicy",
    "evaluator",
]
