"""Bet sizes as buttons and forms offer them: half the pot, the pot, everything. All are street totals in chips.

Source: laws TL-2, TL-19 (the pot for a raise counts the caller's own call).
"""

from __future__ import annotations

from msgspec import Struct

from bot.engine.legal import LegalActions
from bot.engine.options.values import Limit


class BetSizes(Struct, frozen=True, gc=False):
    """The sizes that a seat can choose, as street totals; 0 where a size does not apply.

    Attributes:
        fixed: the only size there is (limit play), when it is not all-in; the smaller one where there are two.
        fixed_larger: the larger one of two sizes, when it is not all-in (VC-5).
        half: half the pot, when it is below the maximum.
        pot: the pot, when it is within the limits and not all-in; it can be the maximum.
        maximum: the largest size, when it is neither the pot nor all-in (a stake limit).
        all_in: the whole stack, when the betting allows it.
        has_range: there is a range to choose from, so that a form makes sense.
    """

    fixed: int = 0
    fixed_larger: int = 0
    half: int = 0
    pot: int = 0
    maximum: int = 0
    all_in: int = 0
    has_range: bool = False


def pot_bet_total(legal: LegalActions) -> int:
    """A bet or raise of the pot, as a street total: the current bet and everything in the middle after the call (TL-19)."""
    return legal.current_bet + legal.pot + legal.to_call


def half_pot_bet_total(legal: LegalActions) -> int:
    """A bet or raise of half the pot, as a street total; an odd chip is left out."""
    return legal.current_bet + (legal.pot + legal.to_call) // 2


def all_in_total(legal: LegalActions) -> int:
    """The seat's whole stack, as a street total."""
    return legal.current_bet - legal.to_call + legal.stack


def bet_sizes(legal: LegalActions, limit: str = "") -> BetSizes:
    """Work out what to offer; nothing when the seat can neither bet nor raise.

    Args:
        limit: the view's. Under pot-limit the largest bet is the pot, with dead and short blinds counted as TL-19 says.
    """
    if not legal.max_to:
        return BetSizes()
    everything = all_in_total(legal)
    all_in = everything if everything == legal.max_to else 0
    if legal.min_to == legal.max_to:
        return BetSizes(fixed=0 if all_in else legal.max_to, all_in=all_in)
    if legal.two_sizes:
        return BetSizes(fixed=legal.min_to, fixed_larger=0 if all_in else legal.max_to, all_in=all_in)
    half, pot = half_pot_bet_total(legal), pot_bet_total(legal)
    if limit == Limit.POT_LIMIT and not all_in:
        pot = legal.max_to
    has_pot = legal.min_to <= pot <= legal.max_to and pot != all_in
    return BetSizes(
        half=half if legal.min_to <= half < legal.max_to else 0,
        pot=pot if has_pot else 0,
        maximum=0 if all_in or pot == legal.max_to else legal.max_to,
        all_in=all_in,
        has_range=True,
    )
