"""Personalities: how one practice player differs from another. All numbers are from 0 to 1."""

from msgspec import Struct


class Personality(Struct, frozen=True):
    """How a practice player plays.

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


PERSONALITIES = (
    Personality("Ada", loose=0.40, bold=0.65, bluffs=0.12, slow=0.45),
    Personality("Bruno", loose=0.65, bold=0.35, bluffs=0.05, slow=0.30),
    Personality("Chiyo", loose=0.25, bold=0.75, bluffs=0.08, slow=0.70),
    Personality("Dario", loose=0.60, bold=0.80, bluffs=0.20, slow=0.25),
    Personality("Esi", loose=0.35, bold=0.50, bluffs=0.10, slow=0.60),
    Personality("Farah", loose=0.50, bold=0.60, bluffs=0.15, slow=0.40),
    Personality("Goran", loose=0.20, bold=0.55, bluffs=0.04, slow=0.80),
    Personality("Hana", loose=0.55, bold=0.45, bluffs=0.08, slow=0.50),
    Personality("Ivo", loose=0.45, bold=0.70, bluffs=0.18, slow=0.35),
)
"""The practice players, in the order in which they are seated."""
