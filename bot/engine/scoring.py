"""The ranking really in force: what a share of the pot is ranked by, after the table's options and the pack have had their say.

Source: laws 0.4, R-8, T-10, T-11, SP-1, W-1, W-2, LO-1, LO-2, VB-7 to VB-11, VC-17, VC-22.
"""

from msgspec.structs import replace

from bot.engine import options as o
from bot.engine import ranking as k
from bot.engine.card import RuleCard
from bot.engine.cards import JOKER, TWO
from bot.engine.packs import PACKS

_SCALES = {
    o.LowScale.ACE_HIGH: k.Scale.LOW_ACE_HIGH,
    o.LowScale.ACE_LOW: k.Scale.LOW_ACE_LOW,
    o.LowScale.A5: k.Scale.ACE_TO_FIVE,
    o.LowScale.DEUCE_TO_SEVEN: k.Scale.DEUCE_TO_SEVEN,
    o.LowScale.BADUGI: k.Scale.BADUGI,
}
_METHODS = {
    o.WildMethod.NONE: k.WildMethod.NONE,
    o.WildMethod.NO_DUPLICATE: k.WildMethod.NO_DUPLICATE,
    o.WildMethod.BUG: k.WildMethod.BUG,
    o.WildMethod.FREE: k.WildMethod.FREE,
}


def ranks_of(deck: o.Deck) -> tuple[int, ...]:
    """The ranks of a pack, lowest first; neighbours adjoin in sequences."""
    return tuple(sorted({card >> 2 for card in PACKS[deck] if card != JOKER}))


def in_force(
    ranking: k.Ranking,
    card: RuleCard,
    options: o.Options,
    *,
    ranks: tuple[int, ...] = (),
    cards: tuple[int, ...] = (),
    joker_up: bool = False,
) -> k.Ranking:
    """A share's ranking under the options in force.

    Args:
        ranking: as the rule card has it.
        card, options: of the deal; what the options say goes before what the card says.
        ranks, cards: what is wild at this moment, beside the card's own (VC-21, VC-23).
        joker_up: the holder's joker lies face up, where that makes it a bug (VC-22).
    """
    scale = ranking.scale
    if ranking.is_low and not ranking.is_badugi:
        scale = _SCALES[options.low_scale]
    pack = ranks_of(options.deck)
    ace = k.AceStraight(options.ace_straight.value)
    if pack[0] != TWO and not card.low_ace and ace is k.AceStraight.BOTH:
        ace = k.AceStraight.HIGH_ONLY  # source 003 names A-2-3-4-5 alone for the low ace (VB-10)
    high = not ranking.is_low
    return replace(
        ranking,
        scale=scale,
        ace_straight=ace,
        suit_rank=k.SuitRank(options.suit_rank.value) if high else k.SuitRank.NONE,
        special=k.Special(options.special.value) if high else k.Special.OFF,
        wild=_wild(options, ranks, cards, joker_up=joker_up),
        ranks=pack,
    )


def _wild(options: o.Options, ranks: tuple[int, ...], cards: tuple[int, ...], *, joker_up: bool) -> k.Wild:
    method = _METHODS[options.wild_method]
    if method is k.WildMethod.NONE:
        return k.NOTHING_WILD
    named = tuple(sorted({*options.wild_ranks, *ranks}))
    single = tuple(sorted({*options.wild_cards, *cards}))
    joker: k.WildMethod | None = None
    if joker_up or (method is k.WildMethod.BUG and (named or single)):
        joker = k.WildMethod.BUG
    return k.Wild(method=method, ranks=named, cards=single, joker=joker, call=k.WildCall(options.wild_call.value))
