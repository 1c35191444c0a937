"""The head of a leaderboard as the values of a picture, and its description."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from bot.pictures.types import Look, PodiumPicture, PodiumPlayer
from bot.render.message.panel import PICTURE_TEXT_MAX
from bot.text import chips as words
from bot.text import escape
from bot.text.formatting import join_list, shorten
from bot.text.language import t
from bot.text.people import is_former
from bot.text.pictures import short_number

PODIUM_PICTURE = "podium.webp"
STEPS = 3


class PodiumLine(Struct, frozen=True, gc=False):
    """One of the first players of a leaderboard: their rank, and the chips that they are there for."""

    rank: int
    user: int
    chips: int


def podium_picture(
    lines: Sequence[PodiumLine], names: Mapping[int, str], look: Look, *, signed: bool = False
) -> PodiumPicture | None:
    """Return the picture of the first three; None for a page that does not begin with the best, or with nobody on it.

    Args:
        names: the display names of the players, by user.
        signed: the chips were won: they have a sign.
    """
    if not lines or lines[0].rank != 1:
        return None
    players = [
        PodiumPlayer(
            line.rank, names.get(line.user) or _unknown(line.user), f"{'+' if signed else ''}{short_number(line.chips)}"
        )
        for line in lines[:STEPS]
        if line.rank <= STEPS and line.chips > 0
    ]
    return PodiumPicture(look, tuple(players)) if players else None


def _unknown(user: int) -> str:
    return t(escape.FORMER_PLAYER if is_former(user) else words.SOMEBODY)


def podium_text(picture: PodiumPicture) -> str:
    """Describe the picture for whoever cannot see it."""
    players = [
        t(words.PODIUM_PLAYER, rank=player.rank, name=escape.plain_name(player.name), chips=player.chips)
        for player in picture.players
    ]
    return shorten(t(words.PODIUM, players=join_list(players)), PICTURE_TEXT_MAX)
