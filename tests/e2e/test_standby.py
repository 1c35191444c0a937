"""A dealer stands by: it hears what people do, answers nothing, and goes on with their hand as soon as it deals."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.dealer import Dealer
from bot.foundation import DealerOptions
from bot.local.rest_server import RequestRecord
from bot.settings import SECRET_FILE, Secret, schema_of
from tests.e2e.bot_session import NO_FLOORS, BotSession, bot_session

pytestmark = [pytest.mark.postgresql, pytest.mark.real_time]
IN_TIME = 3.0
"""Seconds in which Discord wants an answer."""
SCHEMA = schema_of(local=False)


@pytest.fixture
def server(postgres: str) -> Iterator[str]:
    from tests.support.postgres_store import drop

    yield postgres
    drop(postgres, SCHEMA)


class Standby:
    """A second dealer, on a machine of its own."""

    def __init__(self, room: BotSession, folder: Path, server: str) -> None:
        from functools import partial

        from bot.store.postgres.engine import connect_owner
        from bot.store.postgres.ownership import Ownership

        self.room, self.server = room, server
        self.token = room.discord.stand_in.token
        self.ownership = Ownership(partial(connect_owner, server, SCHEMA), SCHEMA, 6.0, lambda: None)
        self.dealer = Dealer(
            DealerOptions(
                folder,
                database=Secret(server),
                owned=self.ownership,
                clock=room.clock,
                rng=random.Random(2),
                guild_ready_seconds=0.05,
                default_rules=NO_FLOORS,
            )
        )

    async def take(self) -> None:
        """Deal from now on."""
        async with asyncio.timeout(IN_TIME):
            while not await asyncio.to_thread(self.ownership.try_to_take):
                await asyncio.sleep(0.02)
        self.ownership.keep()
        await self.dealer.store.open()
        self._playing = asyncio.create_task(self.dealer.start_playing(self.token))

    def decision(self) -> int:
        """Return how many decisions there were at the only table."""
        (table,) = self.dealer.tables.all_tables()
        return table.decision_number


@asynccontextmanager
async def standing_by(room: BotSession, tmp_path: Path, server: str) -> AsyncIterator[Standby]:
    folder = tmp_path / "other"
    folder.mkdir()
    shutil.copy(tmp_path / "data" / SECRET_FILE, folder)
    standby = Standby(room, folder, server)
    standby.dealer.stand_by(standby.token)
    try:
        async with asyncio.timeout(10):
            while not standby.dealer.client.is_connected:
                await asyncio.sleep(0.01)
        yield standby
    finally:
        await standby.dealer.stop_playing()


def _kill(dealer: Dealer) -> None:
    """Let a dealer neither renew its ownership nor end, as one that was killed."""
    ownership = dealer.store.engine.ownership  # type: ignore[attr-defined]
    ownership._good_until += 3_600
    ownership._ending.set()


async def test_press_between_two_dealers_is_answered_in_time(tmp_path: Path, server: str) -> None:
    """The dealer is killed. Bo checks before anybody has followed it, and sees the flop from the dealer who stood by."""
    from tests.support.postgres_store import asking

    async with bot_session(tmp_path, server_locale="de", database=Secret(server)) as room:  # no watcher: two deal
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        async with standing_by(room, tmp_path, server) as standby:
            requests: list[RequestRecord] = []
            await room.act("Call", ann, bo)
            await room.wait_until_idle()
            decision = room.now.decision_number
            _kill(room.dealer)
            await room.dealer.client.close()
            room.discord.stand_in.rest_server.observers.append(requests.append)
            pressed_at = time.monotonic()
            pressing = asyncio.create_task(room.act("Check", ann, bo))
            await asyncio.sleep(0.3)
            assert not pressing.done() and not requests, "who stands by answers nothing"
            with asking(server, SCHEMA) as db:
                db.execute("UPDATE owner SET until = '-infinity'")
            await standby.take()
            await pressing  # acknowledged at once: a press that has waited is answered before it is thought about
            assert time.monotonic() - pressed_at < IN_TIME
            await bo.until("Flop")
            assert standby.decision() > decision == room.now.decision_number


async def test_press_that_was_answered_is_not_handled_again(
    tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann calls, and the dealer is stopped at once, as for an upgrade. Who follows has heard her call too."""
    async with bot_session(tmp_path, server_locale="de", database=Secret(server)) as room:  # no watcher: two deal
        ann, bo = await room.people("Ann", "Bo")
        await room.open_and_sit(ann, bo)
        await room.next_hand()
        async with standing_by(room, tmp_path, server) as standby:
            await room.act("Call", ann, bo)
            decision = room.now.decision_number
            requests: list[RequestRecord] = []
            asked: list[object] = []
            ask = standby.dealer.tables.ask

            async def noted(*what: Any, **how: Any) -> Any:
                asked.append(what)
                return await ask(*what, **how)

            monkeypatch.setattr(standby.dealer.tables, "ask", noted)
            await room.dealer.stop_playing()
            room.discord.stand_in.rest_server.observers.append(requests.append)
            await standby.take()
            async with asyncio.timeout(IN_TIME):
                while not any(record.route.endswith("/callback") for record in requests):
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)
            (answer,) = [record for record in requests if record.route.endswith("/callback")]
            assert answer.status == 400, "Discord has had its answer"
            assert not asked and standby.decision() == decision
