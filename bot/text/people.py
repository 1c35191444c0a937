"""People in lists that last: somebody can have left the server since, or have had their data deleted."""

from __future__ import annotations

from collections.abc import Mapping

from bot.runtime.store_types import FIRST_FORMER_PLAYER, LAST_FORMER_PLAYER
from bot.text import escape
from bot.text.language import message, t

_YOU = message("{player} (you)")
_LEFT = message("**{name}** (left)")  # Translators: a player who is no longer a member of the server
_SOMEBODY_LEFT = message("somebody who left")


def is_former(user: int) -> bool:
    """Return whether an id stands for somebody who had their data deleted."""
    return FIRST_FORMER_PLAYER <= user <= LAST_FORMER_PLAYER


def person(user: int, *, own: bool = False, departed: Mapping[int, str] | None = None) -> str:
    """Name a person in a line of a message: as Discord shows them, or what is known of somebody who is gone.

    Args:
        own: they are the reader.
        departed: names of those who have left the server, by user; empty where not even that is known.
    """
    if is_former(user):
        return t(escape.FORMER_PLAYER)
    if departed and user in departed:
        name = departed[user]
        return t(_LEFT, name=escape.name(name)) if name else t(_SOMEBODY_LEFT)
    mention = f"<@{user}>"
    return t(_YOU, player=mention) if own else mention
