"""What one part tells others without knowing them.

`Signals` is made before everything else. Who wants to hear of something subscribes in its own constructor; who has something to tell
sends it. Nobody awaits a signal: who has more to do starts a task of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

log = logging.getLogger(__name__)

T = TypeVar("T")


class Signals:
    """Passes signals on to their subscribers, in the order in which they subscribed."""

    def __init__(self) -> None:
        self._calls: dict[type, list[Callable[[Any], object]]] = {}

    def on(self, kind: type[T], call: Callable[[T], object]) -> None:
        """Call back at every signal of a kind. The callback returns at once."""
        self._calls.setdefault(kind, []).append(call)

    def send(self, signal: object) -> None:
        """Tell all subscribers. A fault of one keeps nothing from the others, or from whoever sends."""
        for call in self._calls.get(type(signal), ()):
            try:
                call(signal)
            except Exception:
                log.exception("signal_failed", extra={"signal": type(signal).__name__})


# tables and seasons


class EndShown(Struct, frozen=True):
    """Everybody can see how the last hand of a table ended."""

    table: int


class LastMessageShown(Struct, frozen=True):
    """A table has closed, and everything that it had to say stands in its channel, or cannot be said."""

    table: int


class TimeBankStarted(Struct, frozen=True):
    """The time bank of a turn at a table has started."""

    table: int


class SlowTurnChanged(Struct, frozen=True):
    """A table whose turns can take hours waits for another decision than before, or for none."""

    table: int


class CalledInQuiet(Struct, frozen=True):
    """A slow table's message has called somebody without a sound, in their quiet hours."""

    table: int
    user: int


class TableAsleep(Struct, frozen=True):
    """A table whose turns can take hours has been put away in memory: whoever shows it can do the same with what they have of it."""

    table: int


class TableAwake(Struct, frozen=True):
    """A table that was put away in memory has been taken up again. Nothing has changed there yet."""

    table: int


class LineLapsed(Struct, frozen=True):
    """What a player had written ahead at a table whose turns can take hours came to nothing. Nobody else is told."""

    table: int
    user: int


class TablePosted(Struct, frozen=True):
    """A table of a server has a new message."""

    guild: int
    table: int = 0


class PanelChanged(Struct, frozen=True):
    """A player has a live panel at a table now, or none any more, or it is another message than before."""

    table: int
    user: int


class TableChannelGone(Struct, frozen=True):
    """The channel of a table no longer exists."""

    table: int


class CardsDelayed(Struct, frozen=True):
    """Discord limits direct messages: the cards of a player come later."""

    table: int
    user: int


class RoomTaken(Struct, frozen=True):
    """A table has opened in a thread that was made for it."""

    table: int


class SeasonChanged(Struct, frozen=True):
    """A season of a server was opened or closed."""

    guild: int


class StaffLogWritten(Struct, frozen=True):
    """A line of a server's staff log has been saved."""

    guild: int


# what the gateway tells


class GuildJoined(Struct, frozen=True):
    """A server has added the bot."""

    guild: int


class GuildLeft(Struct, frozen=True):
    """The bot is no longer in a server."""

    guild: int


class ChannelChanged(Struct, frozen=True):
    """A channel or thread of a server has changed, or what the bot can do there. `archived`: it is a thread that is now shut."""

    guild: int
    channel: int
    archived: bool = False


class ChannelDeleted(Struct, frozen=True):
    """A channel or thread of a server was deleted. `was_open`: everybody in the server could read it."""

    guild: int
    channel: int
    was_open: bool = False


class RolesChanged(Struct, frozen=True):
    """A role of a server has changed."""

    guild: int


class ScheduledEventChanged(Struct, frozen=True):
    """Somebody has changed a scheduled event of a server.

    Attributes:
        starts_at: in ms since the epoch.
        is_over: it was cancelled, or has ended.
    """

    guild: int
    event: int
    starts_at: int
    is_over: bool


class ScheduledEventDeleted(Struct, frozen=True):
    """A scheduled event of a server was deleted."""

    guild: int
    event: int


class InterestChanged(Struct, frozen=True):
    """Somebody has marked a scheduled event as interesting, or no more."""

    guild: int
    event: int
    user: int
    is_interested: bool


class PersonWrote(Struct, frozen=True):
    """A person has written a message."""

    channel: int
    message: int


class MessagesDeleted(Struct, frozen=True):
    """Messages were deleted."""

    channel: int
    messages: frozenset[int]
