"""The stakes that a table plays for by default: a hundred chips to the big blind or the small bet.

Source: laws H-4, 0.5 "amounts", A-2, A-10, L-2, L-6, L-7.
"""

from bot.engine.customs import ButtonBlind
from bot.engine.options.values import Ante, FirstOpener, Limit, StraddleRule
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes

USUAL_BIG_BLIND = 100
"""One big blind, or one small bet, in chips."""


def usual_stakes(card: RuleCard, unit: int = USUAL_BIG_BLIND) -> Stakes:
    """Stakes that fit a card's own options, worth `unit` chips to the big blind."""
    options = card.options
    blinds = options.ante is Ante.BLINDS
    by_card = options.first_1 in (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)
    small_ante = max(1, unit // 10)
    ante = 0 if blinds else unit if card.has_custom(ButtonBlind) or not by_card else small_ante
    if options.ante is Ante.LEFT_OF_DEALER and options.straddle is StraddleRule.FORCED_DOUBLE:
        ante = max(1, unit // 2)  # the straddle of two antes counts as the big blind (VB-2)
    has_stake_limit = options.limit is Limit.STAKE_LIMIT
    if has_stake_limit:
        ante = small_ante
    has_no_ante = options.ante is Ante.NONE
    if has_no_ante:
        ante = 0
    if options.limit is Limit.DOUBLING_FLAT and not blinds:
        ante = max(1, unit // 4)  # the ladder counts in it, even where nobody pays it
    min_bet = unit if has_no_ante and options.limit in (Limit.NO_LIMIT, Limit.POT_LIMIT) else 0
    return Stakes(
        ante=ante,
        small_blind=max(1, unit // 2) if blinds else 0,
        big_blind=unit if blinds else 0,
        small_bet=unit if options.limit is Limit.LIMIT else 0,
        big_bet=2 * unit if options.limit is Limit.LIMIT else 0,
        bring_in=max(1, unit // 4) if "bring_in" in card.required_amounts else 0,
        limit=unit if has_stake_limit else 0,
        doublings=3 if options.limit is Limit.DOUBLING_FLAT else 0,
        min_bet=small_ante if has_stake_limit and by_card else min_bet,
        price=unit if "price" in card.required_amounts else 0,
        cap=20 * unit if "cap" in card.amounts else 0,
        min_buyin=20 * unit,
        max_buyin=200 * unit,
    )
