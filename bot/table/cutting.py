"""The cut: which cards come to the top when a pack is cut here or there. A pure rearrangement; nothing here is random.

Source: laws D-5, D-6, D-7.
"""

from collections.abc import Sequence
from itertools import pairwise

from bot.table.errors import PacketTooThin

PACKET_MIN = 5
"""Cards in each packet (D-7)."""


def check_cut(size: int, points: Sequence[int]) -> tuple[int, ...]:
    """Rule on where a pack of `size` cards is cut, counted from the top; returns the points in order.

    Raises:
        PacketTooThin: not one point or two, or a packet of fewer than five cards (D-7).
    """
    ordered = tuple(sorted(points))
    edges = (0, *ordered, size)
    packets = [after - before for before, after in pairwise(edges)]
    if len(ordered) not in (1, 2) or min(packets) < PACKET_MIN:
        raise PacketTooThin(size=size)
    return ordered


def cut_order(size: int, points: Sequence[int]) -> tuple[int, ...]:
    """Say which card, counted from 0 at the top, lies at each place after the cut.

    The packets change places: the bottom one comes to the top and the top one to the bottom (D-7). No points: nothing changes.
    """
    edges = (0, *points, size)
    packets = [range(before, after) for before, after in pairwise(edges)]
    return tuple(place for packet in reversed(packets) for place in packet)


def cut(deck: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """Cut a pack."""
    return tuple(deck[place] for place in cut_order(len(deck), points))


def cut_for(size: int) -> tuple[int, ...]:
    """Where the dealer cuts for a player who must and does not: in the middle. A shuffled pack is as random after any cut (D-5, TL-41)."""
    return (size // 2,)
