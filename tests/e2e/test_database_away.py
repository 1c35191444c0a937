"""The database does not answer for a moment: whoever presses is answered in time, and nothing is said that is not saved."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.local.rest_server import RequestRecord
from bot.settings import Secret, schema_of
from tests.e2e.bot_session import bot_session
from tests.support.held_line import Line

pytestmark = [pytest.mark.postgresql, pytest.mark.real_time]
IN_TIME = 3.0
"""Seconds in which Discord wants an answer."""


@pytest.fixture
def server(postgres: str) -> Iterator[str]:
    from tests.support.postgres_store import drop

    yield postgres
    drop(postgres, schema_of(local=False))


async def test_click_is_answered_while_the_database_is_away(tmp_path: Path, server: str) -> None:
    line = Line(server)
    await line.listen()
    async with bot_session(tmp_path, database=Secret(line.address)) as room:
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        await room.act("Call", ann, bo)
        answered = asyncio.Event()

        def note(record: RequestRecord) -> None:
            if record.route.endswith("/callback"):
                answered.set()

        room.discord.stand_in.rest_server.observers.append(note)
        decision, pressed_at = room.now.decision_number, time.monotonic()
        line.hold()
        pressing = asyncio.create_task(room.act("Check", ann, bo))
        await asyncio.wait_for(answered.wait(), IN_TIME)
        assert 1 < time.monotonic() - pressed_at < IN_TIME, "the answer was put off"
        assert room.now.decision_number == decision and not pressing.done()
        line.release()
        await pressing
        await room.wait_until(lambda: room.now.decision_number > decision)
        await room.check_down(ann, bo)
