"""The head of a leaderboard as the values of a picture, and its description."""

from __future__ import annotations

from collections.abc import Mapping

from bot.pictures.types import Look, PodiumPicture, PodiumPlayer
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.runtime.store_types import Leaderboard
from bot.text import chips as words
from bot.text import escape
from bot.text.formatting import shorten
from bot.text.language import t
from bot.text.lists import join_list
from bot.text.pictures import short_number

PODIUM_PICTURE = "podium.webp"
STEPS = 3


def podium_picture(board: Leaderboard, names: Mapping[int, str], look: Look) -> PodiumPicture | None:
    """Return the picture of the first three; None for a page that does not begin with the best, or with nobody on it.

    Args:
        names: the display names of the players, by user.
    """
    if not board.lines or board.lines[0].rank != 1:
        return None
    players = [
        PodiumPlayer(line.rank, names.get(line.user) or t(words.SOMEBODY), short_number(line.total))
        for line in board.lines[:STEPS]
        if line.rank <= STEPS and line.total > 0
    ]
    return PodiumPicture(look, tuple(players)) if players else None


def podium_text(picture: PodiumPicture) -> str:
    """Describe the picture for whoever cannot see it."""
    players = [
        t(words.PODIUM_PLAYER, rank=player.rank, name=escape.plain_name(player.name), chips=player.chips)
        for player in picture.players
    ]
    return shorten(t(words.PODIUM, players=join_list(players)), PICTURE_TEXT_MAX)
