"""Bet sizes as buttons and forms offer them: half the pot, the pot, everything. Street totals in chips.

Source: ui §1, §5 b, c; laws TL-2, TL-19 (the pot for a raise counts the caller's own call).
"""

from __future__ import annotations

from msgspec import Struct

from bot.engine.legal import Legal
from bot.engine.options import Limit


class Sizes(Struct, frozen=True, gc=False):
    """The sizes a seat may choose, as street totals; 0 where a size does not apply.

    Attributes:
        only: the one size there is (limit play), when it is not all-in.
        half, pot: half pot and pot, when they lie strictly between the bounds (the pot may be the upper bound).
        most: the largest size, when it is neither the pot nor all-in (a stake limit).
        all_in: the whole stack, when the betting allows it.
        free: there is a range to choose from, so the form makes sense.
    """

    only: int = 0
    half: int = 0
    pot: int = 0
    most: int = 0
    all_in: int = 0
    free: bool = False


def pot_total(legal: Legal) -> int:
    """A bet or raise of the pot, as a street total: the level and everything in the middle after the call (TL-19)."""
    return legal.level + legal.pot + legal.owe


def half_total(legal: Legal) -> int:
    """A bet or raise of half the pot, as a street total; an odd chip is left out."""
    return legal.level + (legal.pot + legal.owe) // 2


def all_in_total(legal: Legal) -> int:
    """The seat's whole stack, as a street total."""
    return legal.level - legal.owe + legal.stack


def sizes(legal: Legal, limit: str = "") -> Sizes:
    """Work out what to offer; nothing when the seat may neither bet nor raise. `limit` is the view's: under pot-limit the largest bet is
    the pot, dead and short blinds counted as the law has it (TL-19).
    """
    if not legal.max_to:
        return Sizes()
    everything = all_in_total(legal)
    all_in = everything if everything == legal.max_to else 0
    if legal.min_to == legal.max_to:
        return Sizes(only=0 if all_in else legal.max_to, all_in=all_in)
    half, pot = half_total(legal), pot_total(legal)
    if limit == Limit.POT_LIMIT and not all_in:
        pot = legal.max_to
    has_pot = legal.min_to <= pot <= legal.max_to and pot != all_in
    return Sizes(
        half=half if legal.min_to <= half < legal.max_to else 0,
        pot=pot if has_pot else 0,
        most=0 if all_in or pot == legal.max_to else legal.max_to,
        all_in=all_in,
        free=True,
    )
