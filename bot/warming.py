"""Getting ready to judge: what is worked out once for each way of ranking hands, worked out before the first hand needs it.

A judge that is asked for the first time builds its tables (up to 2 ms each) and then learns hand by hand. Where own cards must play, one
showdown asks about hundreds of fives, so that a practice player's first choice in Omaha took 30 to 130 ms. All fives there are have
been judged in a tenth of a second: a thread does it at the start, while the bot logs in.
"""

from itertools import combinations, combinations_with_replacement

from bot.engine.ranking import Evaluator, Ranking, evaluator
from bot.variants import CATALOGUE


def rankings() -> tuple[Ranking, ...]:
    """Every way in which a game of the catalogue ranks hands, each once."""
    return tuple(dict.fromkeys(share.ranking for card in CATALOGUE for share in card.shares))


def warm() -> None:
    """Build every judge of the catalogue, and show all fives to those that are asked about fives."""
    for ranking in rankings():
        judge = evaluator(ranking)
        if ranking.from_hole is not None:
            _show_all_fives(judge)


def _show_all_fives(judge: Evaluator) -> None:
    """Have it judge each set of five ranks once, as no flush and, where they differ, as a flush."""
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] != ranks[4]:
            # Equal ranks stand together, so that each takes the next suit; five different ones get two suits.
            judge.value([4 * rank + at % 4 for at, rank in enumerate(ranks)])
    for ranks in combinations(range(13), 5):
        judge.value([4 * rank for rank in ranks])
