"""Practice players. They see their own view of a hand and nothing else, and know no game by its name."""

from bot.players.personality import PERSONALITIES, Personality
from bot.players.practice import PracticePlayer, PracticePlayers

__all__ = ["PERSONALITIES", "Personality", "PracticePlayer", "PracticePlayers", "policies"]


def policies() -> PracticePlayers:
    """Return all practice players."""
    return PracticePlayers()
