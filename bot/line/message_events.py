"""What the gateway tells about messages in channels: somebody has written one, or some are gone.

discord.py would build an object for every message, the table's own redraws among them. The table needs only ids, so these
functions replace its parsers. The values come from `bot.line.gateway`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from bot.signals import MessagesDeleted, PersonWrote, Signals

ECHOES_MAX = 256
"""How many messages of bots are remembered: some seconds' worth, on a busy evening."""

Parser = Callable[[Any], None]


class _Author(Struct, frozen=True):
    id: int = 0
    bot: bool = False


class _Interaction(Struct, frozen=True):
    id: int


class MessageCreated(Struct, frozen=True):
    """A new message: the fields that are read, named as Discord names them."""

    id: int
    channel_id: int
    author: _Author
    webhook_id: int | None = None
    nonce: str | int | None = None
    interaction_metadata: _Interaction | None = None

    def is_sent_as(self, nonce: str, interaction: int) -> bool:
        """Return whether a message was sent with a nonce, or for an interaction. "" and 0 are none."""
        of = self.interaction_metadata
        return (nonce != "" and str(self.nonce) == nonce) or (
            interaction != 0 and of is not None and of.id == interaction
        )


class Echoes:
    """The bots' newest messages, as the gateway has told of them: one whose response was lost can be among them."""

    def __init__(self) -> None:
        self._messages: deque[MessageCreated] = deque(maxlen=ECHOES_MAX)

    def note(self, event: MessageCreated) -> None:
        self._messages.append(event)

    def find(self, channel: int, author: int, nonce: str = "", interaction: int = 0) -> int:
        """Return the id of somebody's message in a channel, by its nonce or the interaction it was sent for; 0 if there is none."""
        for event in reversed(self._messages):
            if event.channel_id == channel and event.author.id == author and event.is_sent_as(nonce, interaction):
                return event.id
        return 0


def watch_messages(parsers: dict[str, Parser], echoes: Echoes, signals: Signals) -> None:
    """Replace discord.py's parsers of messages by some that send signals.

    Args:
        echoes: gets what bots write.
    """

    def created(event: MessageCreated) -> None:
        if event.author.bot:
            echoes.note(event)
        elif event.webhook_id is None:
            signals.send(PersonWrote(event.channel_id, event.id))

    def deleted(event: Any) -> None:
        signals.send(MessagesDeleted(int(event["channel_id"]), frozenset({int(event["id"])})))

    def deleted_in_bulk(event: Any) -> None:
        signals.send(MessagesDeleted(int(event["channel_id"]), frozenset(map(int, event["ids"]))))

    parsers["MESSAGE_CREATE"] = created
    parsers["MESSAGE_UPDATE"] = _ignore
    parsers["MESSAGE_DELETE"] = deleted
    parsers["MESSAGE_DELETE_BULK"] = deleted_in_bulk


def _ignore(event: Any) -> None:
    """An edit changes nothing about where a message stands."""
