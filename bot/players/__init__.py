"""Practice players: they see their own view of a hand and nothing else, and know no game by its name.

Source: issue 2 "Practice players".
"""

from bot.players.practice import PracticePlayer, PracticePlayers
from bot.players.temper import TEMPERS, Temper

__all__ = ["TEMPERS", "PracticePlayer", "PracticePlayers", "Temper", "policies"]


def policies() -> PracticePlayers:
    """Everybody there is to practise with."""
    return PracticePlayers()
