"""What beats what at a table: examples of the hands of each ranking in force (laws 0.4, W-1)."""

from bot.engine.dealing.decks import DECKS
from bot.engine.options.types import Options
from bot.engine.ranking import Category, Ranking
from bot.engine.ranking.examples import ExampleHand, example_hands
from bot.engine.ranking.spec import WildMethod
from bot.engine.rule_card import RuleCard
from bot.engine.showdown.ranking_in_force import ranking_in_force

Examples = tuple[ExampleHand, ...]

_UNPAIRED = (Category.HIGH_CARD, Category.BADUGI)


def examples_in_force(card: RuleCard, options: Options) -> tuple[tuple[str, Examples], ...]:
    """Return examples of every class of hands, the best first, for each way in which a share of the pot is ranked.

    The name of a share is empty where all are ranked alike. Where a low wins a share beside a high hand, it ends with the hands
    without a pair.
    """
    found: dict[Examples, str] = {}
    for share in card.shares:
        found.setdefault(_examples(share.ranking, card, options), share.name)
    if len(found) == 1:
        return (("", next(iter(found))),)
    return tuple((name, _without_pairs(examples)) for examples, name in found.items())


def _examples(ranking: Ranking, card: RuleCard, options: Options) -> Examples:
    deck = tuple(DECKS[options.deck])
    in_force = ranking_in_force(ranking, card, options)
    methods = {in_force.wild.method_of(one) for one in deck}
    if in_force.wild.method is not WildMethod.NONE and methods == {WildMethod.NONE}:
        # A card that is turned up names the wild rank: any rank is an example.
        in_force = ranking_in_force(ranking, card, options, wild_ranks=(in_force.ranks[len(in_force.ranks) // 3],))
    return example_hands(in_force, deck)


def _without_pairs(examples: Examples) -> Examples:
    return tuple(one for one in examples if not one.name.is_low or one.name.category in _UNPAIRED)
