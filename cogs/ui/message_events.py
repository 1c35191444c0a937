"""What the gateway tells about messages in channels: somebody has written one, or some are gone.

discord.py would build an object for every message, the table's own redraws among them. The table needs only ids, so these
functions replace its parsers. The values come from `cogs.ui.gateway`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

Parser = Callable[[Any], None]


class _Author(Struct, frozen=True):
    bot: bool = False


class MessageCreated(Struct, frozen=True):
    """A new message: the fields that are read, named as Discord names them."""

    id: int
    channel_id: int
    author: _Author
    webhook_id: int | None = None


class DeletionWatcher(Protocol):
    """Who wants to know which messages are gone (`cogs.ui.lobby_boards.LobbyBoards`)."""

    def on_messages_deleted(self, channel: int, messages: frozenset[int]) -> None: ...


class MessageWatcher(DeletionWatcher, Protocol):
    """Who also wants to know who writes (`cogs.ui.table_display.TableDisplay`)."""

    def on_person_wrote(self, channel: int, message: int) -> None: ...


def watch_messages(parsers: dict[str, Parser], watcher: MessageWatcher, *others: DeletionWatcher) -> None:
    """Replace discord.py's parsers of messages by some that tell `watcher`, and of deleted messages also `others`."""

    def tell_deleted(channel: int, messages: frozenset[int]) -> None:
        for each in (watcher, *others):
            each.on_messages_deleted(channel, messages)

    def created(event: MessageCreated) -> None:
        if not event.author.bot and event.webhook_id is None:
            watcher.on_person_wrote(event.channel_id, event.id)

    def deleted(event: Any) -> None:
        tell_deleted(int(event["channel_id"]), frozenset({int(event["id"])}))

    def deleted_in_bulk(event: Any) -> None:
        tell_deleted(int(event["channel_id"]), frozenset(map(int, event["ids"])))

    parsers["MESSAGE_CREATE"] = created
    parsers["MESSAGE_UPDATE"] = _ignore
    parsers["MESSAGE_DELETE"] = deleted
    parsers["MESSAGE_DELETE_BULK"] = deleted_in_bulk


def _ignore(event: Any) -> None:
    """An edit changes nothing about where a message stands."""
