"""Temperaments: what makes one practice player unlike another. Shares of 1 throughout."""

from msgspec import Struct


class Temper(Struct, frozen=True):
    """How a practice player leans.

    Attributes:
        name: shown at the table.
        loose: how weak a hand it still plays; 0 plays little, 1 plays nearly everything.
        bold: how readily it bets and raises a good hand rather than checks or calls.
        bluffs: how often it bets with nothing where a bluff makes sense.
        slow: how long it thinks.
    """

    name: str
    loose: float
    bold: float
    bluffs: float
    slow: float


TEMPERS = (
    Temper("Ada", loose=0.40, bold=0.65, bluffs=0.12, slow=0.45),
    Temper("Bruno", loose=0.65, bold=0.35, bluffs=0.05, slow=0.30),
    Temper("Chiyo", loose=0.25, bold=0.75, bluffs=0.08, slow=0.70),
    Temper("Dario", loose=0.60, bold=0.80, bluffs=0.20, slow=0.25),
    Temper("Esi", loose=0.35, bold=0.50, bluffs=0.10, slow=0.60),
    Temper("Farah", loose=0.50, bold=0.60, bluffs=0.15, slow=0.40),
    Temper("Goran", loose=0.20, bold=0.55, bluffs=0.04, slow=0.80),
    Temper("Hana", loose=0.55, bold=0.45, bluffs=0.08, slow=0.50),
    Temper("Ivo", loose=0.45, bold=0.70, bluffs=0.18, slow=0.35),
)
"""The practice players, in the order in which they are seated."""
