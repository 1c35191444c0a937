"""How a cost grows with a size: 0 is flat, 1 grows as the size does."""

import math
from collections.abc import Sequence

GOAL_EXPONENT = 0.2
"""What is read from sums may not grow by more."""


def slope(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the slope of a straight line through the logarithms, by least squares; 0 for fewer than two sizes."""
    points = [(math.log(size), math.log(cost)) for size, cost in zip(sizes, costs, strict=True)]
    middle = sum(x for x, _ in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    return sum((x - middle) * y for x, y in points) / spread if spread else 0.0
