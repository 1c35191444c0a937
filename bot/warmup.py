"""Precompute the evaluators' tables at start-up, and read which letters the fonts of pictures have and which time zones there are.

An evaluator that is used for the first time builds its tables (up to 2 ms each) and then learns hand by hand. Where own cards must play,
one showdown evaluates hundreds of five-card hands, so that a practice player's first decision in Omaha took 30 to 130 ms. Evaluating all
five-card hands takes a tenth of a second: a thread does it once the dealer is in. The first Chinese or Korean name would take 20 ms.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement

from bot.engine.ranking import Evaluator
from bot.engine.rules_in_force import rules_in_force
from bot.engine.usual_stakes import usual_stakes
from bot.house.quiet_hours import load_time_zones
from bot.pictures.names import clean_name
from bot.variants import CATALOGUE

NAME_OF_ALL_SCRIPTS = "A\u05d0\u0e01\u0915\u4e2d\ud55c"
"""A letter of each font: Latin, Hebrew, Thai, Devanagari, Chinese, Korean."""


def catalogue_evaluators() -> tuple[Evaluator, ...]:
    """Return the evaluators of every game of the catalogue under its own options, each once: of its shares, and of up cards."""
    found: dict[Evaluator, None] = {}
    for card in CATALOGUE:
        rules = rules_in_force(card, card.options, usual_stakes(card))
        found.update(dict.fromkeys((*rules.evaluators, rules.showing_evaluator)))
    return tuple(found)


@cache
def warm_up() -> None:
    """Do now what would take long when it is first needed, once a process.

    That is: build every evaluator of the catalogue, show all five-card hands to those whose own cards must play, and read the fonts'
    letters and the names of time zones.
    """
    load_time_zones()
    clean_name(NAME_OF_ALL_SCRIPTS)
    for evaluator in catalogue_evaluators():
        if evaluator.ranking.from_hole is not None:
            _evaluate_all_five_card_hands(evaluator)


def _evaluate_all_five_card_hands(evaluator: Evaluator) -> None:
    """Evaluate each set of five ranks once without a flush and, where they differ, once as a flush."""
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] != ranks[4]:
            # Equal ranks stand together, so that each takes the next suit; five different ranks get two suits.
            evaluator.value([4 * rank + at % 4 for at, rank in enumerate(ranks)])
    for ranks in combinations(range(13), 5):
        evaluator.value([4 * rank for rank in ranks])
