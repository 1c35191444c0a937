"""What is bet at a table, in chips, worked out from its stakes and options once (laws 0.5 `MIN_BET`; L-4, L-6, L-7, A-11, VC-17)."""

from msgspec import Struct

from bot.engine.customs import ButtonBlind
from bot.engine.options.types import Options
from bot.engine.options.values import Ante, ComeIn, FirstOpener, Limit, StakeLadder, StraddleRule, Switch
from bot.engine.rule_card import RuleCard
from bot.engine.stakes import Stakes, forced_straddle_chips, ladder_unit, smallest_open_bet

FIXED_LIMITS = (Limit.LIMIT, Limit.DOUBLING_FLAT)
"""The limits under which every bet and raise has one size (L-6, L-7)."""
_OPENED_BY_CARD = (FirstOpener.LOW_CARD, FirstOpener.HIGH_CARD)


class BetAmounts(Struct, frozen=True):
    """Amounts, in chips.

    Attributes:
        small_bet, big_bet: the two sizes of limit play (L-7).
        min_bet: the smallest first bet of a street (`MIN_BET`).
        pot_limit_min_bet: what can be bet at pot limit however small the pot: the big blind, the ante, where there is
            neither the amount that stands for them, and the forced bet of a card (0.5 `MIN_BET`). What the house asks
            beyond it gives way to the pot.
        bring_in: the forced first bet where a card on show opens (F-6, F-7, VC-5).
        full_blinds: what the blinds would be if nobody were short, the one that counts as the big blind last; empty
            without blinds (TL-19, VB-2, VC-17).
        forced_full_bet: the full bet that stands before the first raise of the hand: the big blind, whatever the
            smallest first bet (TL-5).
    """

    small_bet: int
    big_bet: int
    min_bet: int
    pot_limit_min_bet: int
    bring_in: int
    full_blinds: tuple[int, ...]
    forced_full_bet: int


def bet_amounts(rule_card: RuleCard, options: Options, stakes: Stakes) -> BetAmounts:
    """Return what is bet under these options for these stakes."""
    small_bet = stakes.small_bet or stakes.big_blind or stakes.ante
    smallest = smallest_open_bet(stakes, options)
    min_bet = stakes.min_bet or {
        Limit.STAKE_LIMIT: 1,
        Limit.LIMIT: small_bet,
        Limit.DOUBLING_FLAT: 2 * ladder_unit(stakes, options),
    }.get(options.limit, smallest)
    pot_limit_min_bet = min_bet if options.ante is Ante.NONE else smallest
    bring_in = stakes.bring_in or min_bet
    has_fixed_sizes = options.limit in FIXED_LIMITS
    if not has_fixed_sizes and options.first_1 in _OPENED_BY_CARD:
        # the forced bet is a first bet too: nobody opens for less (0.5 `MIN_BET`)
        min_bet, pot_limit_min_bet = max(min_bet, bring_in), max(pot_limit_min_bet, bring_in)
    full_blinds = _full_blinds(rule_card, options, stakes)
    return BetAmounts(
        small_bet=small_bet,
        big_bet=stakes.big_bet or 2 * small_bet,
        min_bet=min_bet,
        pot_limit_min_bet=pot_limit_min_bet,
        bring_in=bring_in,
        full_blinds=full_blinds,
        forced_full_bet=full_blinds[-1] if full_blinds and not has_fixed_sizes else min_bet,
    )


def _full_blinds(rule_card: RuleCard, options: Options, stakes: Stakes) -> tuple[int, ...]:
    """The blinds of a hand in full, the one that counts as the big blind last; empty in a game without any (A-12, VB-2, VC-17)."""
    if options.ante is Ante.BLINDS:
        small = stakes.big_blind if options.small_counts_as_big is Switch.ON else stakes.small_blind
        return small, stakes.big_blind
    if options.ante is Ante.LEFT_OF_DEALER and options.straddle is StraddleRule.FORCED_DOUBLE:
        return stakes.ante, forced_straddle_chips(stakes)
    blind = rule_card.custom(ButtonBlind)
    return (blind.chips(stakes),) if options.ante is Ante.EVERYONE and blind is not None else ()


class Ladder(Struct, frozen=True):
    """The doubling ladder (L-6): step 0 is the ante, or with blinds the small one; 1 the straddle.

    Attributes:
        unit: step 0, in chips.
        doublings: how often it doubles.
        counts_totals: the amounts are street totals.
        come_in_price: the price of coming in over a forced straddle; 0: the straddle itself (A-11).
        first_step: the step of a street's first bet, or of the first raise over a forced double.
        opening_step: the step of the first raise of the hand; the price of coming in can have taken it already.
    """

    unit: int
    doublings: int
    counts_totals: bool
    come_in_price: int
    first_step: int
    opening_step: int

    def size(self, number: int, level: int) -> int:
        """The size of step `number` over this bet, in chips. Where street totals count, it is what is missing to the step's total."""
        size = self.unit << min(number, self.doublings)
        if not self.counts_totals:
            return size
        over = max(0, number - self.doublings)
        return max(1, size + over * (self.unit << self.doublings) - level)


def ladder(options: Options, stakes: Stakes) -> Ladder:
    """Return the doubling ladder of these options and stakes; it plays no part under another limit, but for the price of coming in."""
    forced_double = options.straddle is StraddleRule.FORCED_DOUBLE
    four_antes = forced_double and options.come_in is ComeIn.FOUR_ANTES
    first_step = 2 if forced_double or options.ante is Ante.BLINDS else 1
    counts_totals = options.stake_ladder is StakeLadder.LEVELS
    return Ladder(
        unit=ladder_unit(stakes, options),
        doublings=stakes.doublings or 3,
        counts_totals=counts_totals,
        come_in_price=4 * stakes.ante if four_antes else 0,
        first_step=first_step,
        opening_step=first_step + (four_antes and counts_totals),
    )
