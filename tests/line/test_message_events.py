"""The gateway's events about messages, as Discord sends them to a bot without the intent MESSAGE_CONTENT."""

from __future__ import annotations

from typing import Any

import msgspec

from bot.line.gateway import Echoes, MessageCreated, watch_messages
from bot.signals import MessagesDeleted, PersonWrote, Signals


def told(*events: tuple[str, dict[str, Any]]) -> list[PersonWrote | MessagesDeleted]:
    """Return what these events tell."""
    parsers: dict[str, Any] = {}
    heard: list[PersonWrote | MessagesDeleted] = []
    signals = Signals()
    signals.on(PersonWrote, heard.append)
    signals.on(MessagesDeleted, heard.append)
    watch_messages(parsers, Echoes(), signals)
    for name, event in events:
        parsers[name](msgspec.convert(event, MessageCreated, strict=False) if name == "MESSAGE_CREATE" else event)
    return heard


def test_only_messages_of_people_are_told() -> None:
    person, bot = {"id": "7"}, {"id": "8", "bot": True}
    heard = told(
        ("MESSAGE_CREATE", {"id": "100", "channel_id": "5", "author": person, "content": ""}),
        ("MESSAGE_CREATE", {"id": "101", "channel_id": "5", "author": bot, "content": "beep"}),
        ("MESSAGE_CREATE", {"id": "102", "channel_id": "5", "author": person, "webhook_id": "9"}),
        ("MESSAGE_UPDATE", {"id": "100", "channel_id": "5"}),
    )
    assert heard == [PersonWrote(5, 100)]


def test_messages_deleted_one_by_one_or_in_bulk_are_told() -> None:
    heard = told(
        ("MESSAGE_DELETE", {"id": "100", "channel_id": "5", "guild_id": "1"}),
        ("MESSAGE_DELETE_BULK", {"ids": ["101", "102"], "channel_id": "5", "guild_id": "1"}),
    )
    assert heard == [MessagesDeleted(5, frozenset({100})), MessagesDeleted(5, frozenset({101, 102}))]
