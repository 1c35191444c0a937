"""The gateway's events about messages, as Discord sends them to a bot without the intent MESSAGE_CONTENT."""

from __future__ import annotations

from typing import Any

import msgspec

from cogs.ui.message_events import MessageCreated, watch_messages


class Watcher:
    def __init__(self) -> None:
        self.written: list[tuple[int, int]] = []
        self.deleted: list[tuple[int, frozenset[int]]] = []

    def on_person_wrote(self, channel: int, message: int) -> None:
        self.written.append((channel, message))

    def on_messages_deleted(self, channel: int, messages: frozenset[int]) -> None:
        self.deleted.append((channel, messages))


def told(*events: tuple[str, dict[str, Any]]) -> Watcher:
    """Return a watcher that has been told of these events."""
    parsers: dict[str, Any] = {}
    watcher = Watcher()
    watch_messages(parsers, watcher)
    for name, event in events:
        parsers[name](msgspec.convert(event, MessageCreated, strict=False) if name == "MESSAGE_CREATE" else event)
    return watcher


def test_only_messages_of_people_are_told() -> None:
    person, bot = {"id": "7"}, {"id": "8", "bot": True}
    watcher = told(
        ("MESSAGE_CREATE", {"id": "100", "channel_id": "5", "author": person, "content": ""}),
        ("MESSAGE_CREATE", {"id": "101", "channel_id": "5", "author": bot, "content": "beep"}),
        ("MESSAGE_CREATE", {"id": "102", "channel_id": "5", "author": person, "webhook_id": "9"}),
        ("MESSAGE_UPDATE", {"id": "100", "channel_id": "5"}),
    )
    assert watcher.written == [(5, 100)]


def test_messages_deleted_one_by_one_or_in_bulk_are_told() -> None:
    watcher = told(
        ("MESSAGE_DELETE", {"id": "100", "channel_id": "5", "guild_id": "1"}),
        ("MESSAGE_DELETE_BULK", {"ids": ["101", "102"], "channel_id": "5", "guild_id": "1"}),
    )
    assert watcher.deleted == [(5, frozenset({100})), (5, frozenset({101, 102}))]
