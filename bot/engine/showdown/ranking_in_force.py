"""The ranking in force: how a share of the pot is ranked at a table, under its options and with its deck (laws 0.4,
R-8, T-10, T-11, SP-1, W-1, W-2, LO-1, LO-2, VB-7 to VB-11, VC-17, VC-22)."""

from msgspec.structs import replace

from bot.engine.cards import JOKER, TWO
from bot.engine.customs import AceAlsoLow
from bot.engine.dealing.decks import DECKS
from bot.engine.options.types import Options
from bot.engine.options.values import DeckKind, JokerMethod
from bot.engine.ranking import NOTHING_WILD, Ranking, Scale, WildPolicy
from bot.engine.ranking.spec import AceStraight, SpecialHands, SuitRank, WildMethod
from bot.engine.rule_card import RuleCard


def deck_ranks(deck: DeckKind) -> tuple[int, ...]:
    """The ranks of a deck, lowest first; neighbours adjoin in straights."""
    return tuple(sorted({card >> 2 for card in DECKS[deck] if card < JOKER}))


def ranking_in_force(
    ranking: Ranking,
    card: RuleCard,
    options: Options,
    *,
    wild_ranks: tuple[int, ...] = (),
    wild_cards: tuple[int, ...] = (),
    joker_is_up: bool = False,
) -> Ranking:
    """A share's ranking under the options in force.

    Args:
        ranking: as the rule card has it.
        card: the game, with its own options.
        options: in force at the table; what they say goes before what the card says.
        wild_ranks: the ranks that are wild now, beside those of the options (VC-21, VC-23).
        wild_cards: the same of single cards.
        joker_is_up: the holder's joker lies face up, where that makes it a bug (VC-22).
    """
    ranks = deck_ranks(options.deck)
    ace = options.ace_straight
    if ranks[0] != TWO and not card.has_custom(AceAlsoLow) and ace is AceStraight.BOTH:
        ace = AceStraight.HIGH_ONLY  # source 003 names A-2-3-4-5 alone for the low ace (VB-10)
    return replace(
        ranking,
        scale=_scale(ranking, card, options),
        ace_straight=ace,
        suit_rank=SuitRank.NONE if ranking.is_low else options.suit_rank,
        special=SpecialHands.OFF if ranking.is_low else options.special,
        wild=_wild_policy(options, wild_ranks, wild_cards, joker_is_up=joker_is_up),
        ranks=ranks,
    )


def _scale(ranking: Ranking, card: RuleCard, options: Options) -> Scale:
    """The card's own scale counts. A table that has chosen another `LOW_SCALE` than the card's changes the low that this one names."""
    if ranking.is_badugi or ranking.scale is not card.options.low_scale.scale:
        return ranking.scale
    return options.low_scale.scale


def _wild_policy(
    options: Options, wild_ranks: tuple[int, ...], wild_cards: tuple[int, ...], *, joker_is_up: bool
) -> WildPolicy:
    method = options.wild_method
    joker = None if options.joker_method is JokerMethod.AS_WILD else WildMethod(options.joker_method.value)
    if joker_is_up:
        joker = WildMethod.BUG
    if method is WildMethod.NONE:
        return NOTHING_WILD if joker is None else WildPolicy(method=joker, call=options.wild_call)
    ranks = tuple(sorted({*options.wild_ranks, *wild_ranks}))
    cards = tuple(sorted({*options.wild_cards, *wild_cards}))
    if joker is None and method is WildMethod.BUG and (ranks or cards):
        joker = WildMethod.BUG
    return WildPolicy(method=method, ranks=ranks, cards=cards, joker=joker, call=options.wild_call)
