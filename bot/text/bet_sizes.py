"""Bet sizes as buttons and forms offer them: parts of the pot, the pot, everything. All are street totals in chips.

Source: laws TL-2, TL-19 (the pot for a raise counts the caller's own call).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bot.engine.legal import LegalActions
from bot.engine.options.values import Limit
from bot.table.settings import USUAL_RAISE_SIZES, RaiseSize


class BetSizes(Struct, frozen=True, gc=False):
    """The sizes that a seat can choose, as street totals; 0 where a size does not apply.

    Attributes:
        fixed: the only size there is (limit play), when it is not all-in; the smaller one where there are two.
        fixed_larger: the larger one of two sizes, when it is not all-in (VC-5).
        of_pot: the parts of the pot that the table offers, as far as they lie within the limits, no total twice; the smallest first. The
            whole pot can be the maximum.
        maximum: the largest size, when it is neither the pot nor all-in (a stake limit).
        all_in: the whole stack, when the betting allows it.
        has_range: there is a range to choose from, so that a form makes sense.
    """

    fixed: int = 0
    fixed_larger: int = 0
    of_pot: tuple[tuple[RaiseSize, int], ...] = ()
    maximum: int = 0
    all_in: int = 0
    has_range: bool = False


_PARTS: dict[RaiseSize, tuple[int, int]] = {
    RaiseSize.THIRD: (1, 3),
    RaiseSize.HALF: (1, 2),
    RaiseSize.TWO_THIRDS: (2, 3),
    RaiseSize.THREE_QUARTERS: (3, 4),
    RaiseSize.POT: (1, 1),
}


def part_of_pot_total(legal: LegalActions, over: int, under: int) -> int:
    """A bet or raise of a part of the pot, as a street total: the current bet and that part of everything in the middle after the call
    (TL-19). A part of a chip is left out."""
    return legal.current_bet + (legal.pot + legal.to_call) * over // under


def all_in_total(legal: LegalActions) -> int:
    """The seat's whole stack, as a street total."""
    return legal.current_bet - legal.to_call + legal.stack


def bet_sizes(legal: LegalActions, limit: str = "", offered: Sequence[RaiseSize] = USUAL_RAISE_SIZES) -> BetSizes:
    """Work out what to offer; nothing when the seat can neither bet nor raise.

    Args:
        limit: the view's. Under pot-limit the largest bet is the pot, with dead and short blinds counted as TL-19 says.
        offered: the parts of the pot that the table offers, the smallest first. Under pot-limit the pot is always offered.
    """
    if not legal.max_to:
        return BetSizes()
    everything = all_in_total(legal)
    all_in = everything if everything == legal.max_to else 0
    if legal.min_to == legal.max_to:
        return BetSizes(fixed=0 if all_in else legal.max_to, all_in=all_in)
    if legal.two_sizes:
        return BetSizes(fixed=legal.min_to, fixed_larger=0 if all_in else legal.max_to, all_in=all_in)
    ends_with_pot = limit == Limit.POT_LIMIT and not all_in
    found: dict[int, RaiseSize] = {}
    for size in (*offered, RaiseSize.POT) if ends_with_pot else offered:
        is_pot = size is RaiseSize.POT
        to = legal.max_to if ends_with_pot and is_pot else part_of_pot_total(legal, *_PARTS[size])
        if legal.min_to <= to <= legal.max_to and to != all_in and (is_pot or to < legal.max_to):
            found.setdefault(to, size)
    return BetSizes(
        of_pot=tuple((size, to) for to, size in found.items()),
        maximum=0 if all_in or legal.max_to in found else legal.max_to,
        all_in=all_in,
        has_range=True,
    )
