"""The stakes a table plays for when nobody says otherwise: see `bot.engine.usual`."""

from bot.engine.usual import UNIT, usual_stakes

__all__ = ["UNIT", "usual_stakes"]
