"""A board is sent once and edited seldom, whatever Discord does with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.line.failures import (
    MISSING_PERMISSIONS,
    THREAD_ARCHIVED,
    TOO_MANY_OLD_EDITS,
    UNKNOWN_CHANNEL,
    DiscordFailed,
    OutcomeUnknown,
    failure_of,
)
from bot.runtime.snapshot import TableSnapshot
from bot.signals import MessagesDeleted, TablePosted
from bot.surfaces.lobby.boards import LINK_MS, LobbyBoards
from bot.text.language import ENGLISH, Language
from tests.runtime.evening import GUILD, NAMES, Evening, settings

LOBBY, OTHER = 900, 901


class FakeDiscord:
    """Takes messages, and goes wrong when told to: `fails` holds what the next requests run into."""

    def __init__(self) -> None:
        self.messages: dict[int, list[Any]] = {}
        self.nonces: dict[str, int] = {}
        self.requests: list[str] = []
        self.fails: list[Exception | None] = []
        self.during_send: Any = None
        self.servers = self.slots = self

    def language(self, _guild: int) -> Language:
        return ENGLISH

    def can_write(self, _guild: int, _channel: int) -> bool:
        return True

    async def wait(self, _line: object, _priority: object) -> None: ...

    def request(self, _line: object, _priority: object) -> asyncio.Future[None]:
        """A slot that is free at once."""
        slot = asyncio.get_running_loop().create_future()
        slot.set_result(None)
        return slot

    def _go_wrong(self, request: str) -> None:
        self.requests.append(request)
        failure = self.fails.pop(0) if self.fails else None
        if failure is not None:
            raise failure

    async def send(self, _line: object, _channel: int, data: Any, *, nonce: str, **_more: object) -> int:
        if self.during_send is not None:
            await self.during_send()
        message = self.nonces.setdefault(nonce, 5_000 + len(self.nonces))
        self.messages[message] = data["components"]
        self._go_wrong("send")
        return message

    async def edit(self, _line: object, _channel: int, message: int, data: Any, **_more: object) -> None:
        self._go_wrong("edit")
        self.messages[message] = data["components"]

    async def delete(self, _line: object, _channel: int, message: int) -> None:
        self.requests.append("delete")
        self.messages.pop(message, None)

    async def own_messages(self, _line: object, _channel: int, text: str) -> list[int]:
        return sorted(self.messages, reverse=True)


LINKS = "https://discord.com/channels/1"


def refusal(code: int, status: int = 403, method: str = "PATCH") -> DiscordFailed:
    return failure_of(method, status, code, "refused")


LOST = OutcomeUnknown("connection reset")


class Room:
    """A server with a board."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.discord = evening, FakeDiscord()
        self.link = ""
        self.boards = LobbyBoards(
            self.discord,
            evening.tables,
            self,
            evening.store,
            evening.clock,
            evening.signals,  # type: ignore[arg-type]
        )
        self.channels = iter(range(70, 99))

    def message_link(self, snapshot: TableSnapshot) -> str:
        """What the display of tables would say."""
        return self.link

    async def change(self) -> None:
        """Somebody opens a table."""
        known = len(self.evening.updates)
        channel = next(self.channels)
        request = self.evening.request(NAMES[channel % len(NAMES)], channel=channel)
        await self.evening.tables.open(request, settings())
        for update in self.evening.updates[known:]:
            self.boards.on_update(update)

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await self.settle()
        self.evening.clock.move_to(self.evening.clock.now() + int(1000 * seconds))
        while self.evening.clock.ring_due():
            await self.settle()

    async def settle(self) -> None:
        while tasks := self.boards.keeper.tasks.pending:
            for task in tasks:
                await task

    def shown(self) -> list[str]:
        """What the messages in Discord say first."""
        return [components[0]["components"][0]["content"] for components in self.discord.messages.values()]

    async def ended(self) -> bool:
        """Whether the board has ended, and staff were told."""
        told = await self.evening.store.staff_log(GUILD, after=0, limit=9)
        return self.boards.ended(GUILD) is not None and [line.entry.name for line in told] == [
            self.boards.ended(GUILD)[1]
        ]  # type: ignore[index]


@pytest_asyncio.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    evening = await Evening(tmp_path).begin()
    made = Room(evening)
    await made.boards.open()
    await made.boards.put(GUILD, LOBBY)
    await made.wait(20)
    made.discord.requests.clear()
    yield made
    await made.boards.close()
    await evening.end()


async def test_many_changes_are_one_edit_of_the_newest_state(room: Room) -> None:
    await room.change()
    await room.settle()
    for _ in range(5):
        await room.change()
    assert room.discord.requests == ["edit"] and "1 table " in room.shown()[0]
    await room.wait(9.9)
    assert room.discord.requests == ["edit"]
    await room.wait(0.1)
    assert room.discord.requests == ["edit", "edit"] and "6 tables" in room.shown()[0]
    await room.wait(60)
    assert room.discord.requests == ["edit", "edit"], "nothing has changed"


async def test_new_board_shows_the_first_table_at_once(room: Room) -> None:
    """Somebody who looks at a board that says "No table is open" opens a second one."""
    await room.boards.put(GUILD, OTHER)
    await room.settle()
    await room.change()
    await room.settle()
    assert "1 table " in room.shown()[-1]


@pytest.mark.parametrize(
    "failure", [LOST, refusal(0, 502), refusal(TOO_MANY_OLD_EDITS, 429)], ids=["lost", "502", "30046"]
)
async def test_edit_that_failed_is_made_again_later(room: Room, failure: Exception) -> None:
    room.discord.fails = [failure]
    await room.change()
    await room.wait(19)
    assert room.discord.requests == ["edit"]
    await room.wait(1)
    assert room.discord.requests == ["edit", "edit"] and "1 table " in room.shown()[0]


async def test_message_whose_answer_was_lost_is_not_sent_twice(room: Room) -> None:
    """It has arrived, and the dealer does not know: the second try has the same nonce."""
    room.discord.fails = [LOST]
    room.evening.signals.send(MessagesDeleted(LOBBY, frozenset(room.discord.messages)))
    room.discord.messages.clear()
    await room.wait(20)
    await room.wait(20)
    assert room.discord.requests == ["send", "send"] and len(room.discord.messages) == 1


async def test_board_in_an_archived_thread_opens_it_again(room: Room) -> None:
    room.discord.fails = [refusal(THREAD_ARCHIVED, 400)]
    await room.change()
    await room.settle()
    assert room.discord.requests == ["edit", "send", "delete"] and len(room.discord.messages) == 1
    assert not await room.ended()


@pytest.mark.parametrize(
    "failures",
    [
        [refusal(THREAD_ARCHIVED, 400), refusal(THREAD_ARCHIVED, 400, "POST")],
        [refusal(MISSING_PERMISSIONS)],
        [refusal(UNKNOWN_CHANNEL, 404)],
    ],
    ids=["locked", "forbidden", "gone"],
)
async def test_board_that_can_be_shown_no_more_ends(room: Room, failures: list[Exception | None]) -> None:
    room.discord.fails = failures
    await room.change()
    await room.wait(60)
    assert await room.ended() and not room.boards.channel(GUILD)
    count = len(room.discord.requests)
    await room.change()
    await room.wait(60)
    assert len(room.discord.requests) == count
    await room.boards.put(GUILD, OTHER)
    await room.wait(20)
    assert room.boards.ended(GUILD) is None and room.boards.channel(GUILD) == OTHER


async def test_board_that_is_moved_while_it_is_sent_is_deleted(room: Room) -> None:
    async def move() -> None:
        room.discord.during_send = None
        await room.boards.put(GUILD, OTHER)

    room.discord.during_send = move
    room.evening.signals.send(MessagesDeleted(LOBBY, frozenset(room.discord.messages)))
    room.discord.messages.clear()
    await room.wait(20)
    await room.wait(20)
    assert len(room.discord.messages) == 1 and room.boards.channel(GUILD) == OTHER
    assert not room.boards.is_board(GUILD, 0)


async def test_board_leads_to_the_newest_message_of_a_table(room: Room) -> None:
    """Each hand has a new message. For that alone a board is edited once in a minute at most."""
    newest = [f"{LINKS}/70/1"]
    room.link = newest[-1]
    await room.change()
    await room.wait(20)
    assert newest[-1] in str(room.discord.messages)
    room.discord.requests.clear()
    for hand in range(2, 32):  # ten seconds each
        newest.append(f"{LINKS}/70/{hand}")
        room.link = newest[-1]
        room.evening.signals.send(TablePosted(GUILD))
        await room.wait(10)
    await room.wait(LINK_MS / 1000)
    assert 4 <= len(room.discord.requests) <= 6
    assert f"[go to the table]({newest[-1]})" in str(room.discord.messages)
    await room.boards.remove(GUILD)
    room.evening.signals.send(TablePosted(GUILD))
    await room.wait(LINK_MS / 1000)
    assert not room.discord.messages
