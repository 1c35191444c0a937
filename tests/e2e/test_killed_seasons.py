"""Real dealers are killed (SIGKILL) while they close a season, step by step, and started again: everything of its end happens once."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.e2e.killed_dealer import Life
from tests.e2e.test_choices_survive_restart import RestartingBot, restarting_bot
from tests.e2e.test_seasons import lose, public, until
from tests.support.discord_double import Player
from tests.support.menus import set_rules

ROOT = Path(__file__).parents[2]
PATIENCE = 20.0


class KilledDealers:
    """Starts dealers that kill themselves."""

    def __init__(self, told: RestartingBot, process: asyncio.subprocess.Process) -> None:
        self.told, self._process = told, process
        self.steps_in = told.data / "steps"
        self.pid = 0

    async def start(self, kill_at: int, counts_from: str = "") -> bool:
        """Start one. Returns whether it got ready; it can kill itself before."""
        stand_in = self.told.discord.stand_in
        life = Life(
            str(self.told.data), stand_in.rest_url, str(stand_in.gateway_url), stand_in.cdn_url, stand_in.token,
            self.told._ahead, kill_at, counts_from, str(self.steps_in),
        )  # fmt: skip
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(life) + b"\n")
        told = await self._line()
        if not told.startswith("ready"):
            assert told == "killed"
            return False
        self.pid = int(told.split()[1])
        await self.told.discord.bot_ready()
        return True

    async def is_gone(self) -> None:
        assert await self._line() == "killed"
        self.pid = 0
        await self.told.discord.bot_gone()

    async def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        await self.is_gone()

    async def _line(self) -> str:
        assert self._process.stdout is not None
        return (await asyncio.wait_for(self._process.stdout.readline(), PATIENCE)).decode().strip()

    @property
    def steps(self) -> int:
        """How many steps the last dealer has taken."""
        return int(self.steps_in.read_bytes() or b"0")


@asynccontextmanager
async def killed_dealers(tmp_path: Path) -> AsyncIterator[KilledDealers]:
    async with restarting_bot(tmp_path) as told:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.e2e.killed_dealer",
            cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        dealers = KilledDealers(told, process)
        try:
            yield dealers
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # a dealer that still lives holds the pipe that is waited for
            await process.wait()


class Server:
    """A server with two players, one season after another, and what its data says."""

    def __init__(self, dealers: KilledDealers) -> None:
        self.dealers, self.told, self.number = dealers, dealers.told, 0
        self.wallets: dict[int, int] = {}

    async def begin(self) -> None:
        async with self.told.life(is_killed=False) as room:
            self.staff = room.discord.you
            self.people = await room.people("Ann", "Bo")
            self.role = room.discord.controls.add_role("Champion")["id"]
            room.discord.controls.raise_bot(["manage_roles"])
            await set_rules(self.staff, "season", season_role=self.role, ranking_hands=1, season_carried=50)

    async def play(self) -> None:
        """A season begins, and the two take turns at winning."""
        self.number += 1
        self.winner, self.loser = self.people[:: 1 if self.number % 2 else -1]
        async with self.told.life(is_killed=False) as room:
            await self.staff.fill_in("season", page="open", name=f"Cup {self.number}", order="net")
            for player in self.people:
                await room.grant(player, 10_001)
            await room.open_and_sit(*self.people)
            await lose(room, self.loser, *self.people)
            await room.wait_until_idle()
        self.wallets = {
            user: wallet // 2 + stack * 50 // 100
            for user, wallet, stack in self.rows(
                """
                SELECT user, sum(chips * (kind = 3)), sum(chips * (kind = 4)) FROM balance
                WHERE kind IN (3, 4) AND user > 0 GROUP BY user
                """
            )
        }

    def rows(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(self.told.data / "cardroom.db")) as db:
            return db.execute(query).fetchall()

    @property
    def has_end(self) -> bool:
        return bool(self.rows("SELECT ends_at FROM season ORDER BY number DESC")[0][0])

    async def press_close(self) -> None:
        await self.staff.slash("season", page="close")
        await self.staff.click("Close the season")

    def is_done(self) -> bool:
        """Whether everything of the season's end has been done and remembered."""
        over = f"Season {self.number} · Cup {self.number} is over" in public(self.people[0])
        if not over or self.role not in self.roles(self.winner) or self.role in self.roles(self.loser):
            return False
        open_tables = "SELECT 1 FROM card_table WHERE state = 'open' UNION ALL SELECT 1 FROM season_reset"
        kept = "SELECT value FROM kept WHERE key LIKE 'season.trophy.%'"
        given = [msgspec.msgpack.decode(value) for (value,) in self.rows(kept)]
        told = [
            msgspec.msgpack.decode(value)
            for (value,) in self.rows("SELECT value FROM kept WHERE key LIKE 'season.told.%'")
        ]
        return (
            not self.rows(open_tables)
            and given == [[[int(self.role), int(self.winner.me["id"])]]]
            and [one["closed"] for one in told] == [self.number]
        )

    def roles(self, player: Player) -> list[str]:
        roles: list[str] = self.told.discord.controls.roles_of(player.me["id"])
        return roles

    def results(self) -> list[Any]:
        """The results of all seasons that are over."""
        return self.rows(
            """
            SELECT season_result.*, ends_at FROM season_result
            JOIN season ON season.guild = season_result.guild AND number = season WHERE closed_at IS NOT NULL ORDER BY 1, 2, 3
            """
        )

    async def close(self, *kills: int) -> int:
        """Close the season with dealers that kill themselves at these steps, until one is not killed. Returns how many were."""
        killed, frozen = 0, self.results()
        for at, kill_at in enumerate([*kills, 0]):
            is_ready = await self.dealers.start(kill_at, "" if at else "season ends")
            pressing = asyncio.ensure_future(self.press_close()) if is_ready and not self.has_end else None
            gone = asyncio.ensure_future(self.dealers.is_gone()) if is_ready else None
            done = asyncio.ensure_future(until(self.is_done))
            if gone is not None:
                await asyncio.wait({gone, done}, return_when=asyncio.FIRST_COMPLETED)
            if gone is None or gone.done():
                killed += 1
            else:
                gone.cancel()
                await asyncio.wait({gone})
                done.result()
                await self.dealers.kill()
            for each in (done, *([pressing] if pressing is not None else [])):
                each.cancel()
            results = self.results()
            assert results[: len(frozen)] == frozen, "results never change"
            frozen = results
        return killed

    def check(self) -> None:
        """Check that everything was done once."""
        assert {season for _, season, *_ in self.results()} == set(range(1, self.number + 1))
        for number in range(1, self.number + 1):
            for what in ("begins", "is over"):
                assert public(self.people[0]).count(f"Season {number} · Cup {number} {what}") == 1, (number, what)
        wallets = dict(self.rows("SELECT user, chips FROM balance WHERE kind = 3 AND user > 0"))
        assert {user: wallets[user] for user in self.wallets} == self.wallets
        closed = "SELECT count(*) FROM cause WHERE what = 'season closed' AND key LIKE '%:closed'"
        assert self.rows(closed) == [(self.number,)]


@asynccontextmanager
async def server_with_dealers(tmp_path: Path) -> AsyncIterator[Server]:
    async with killed_dealers(tmp_path) as dealers:
        server = Server(dealers)
        await server.begin()
        assert await dealers._line() == "loaded"
        yield server


@pytest.mark.real_time
async def test_killed_dealers_end_a_season_once(tmp_path: Path) -> None:
    """The first is killed while it closes the season, the second while it takes that up."""
    async with server_with_dealers(tmp_path) as server:
        await server.play()
        assert await server.close(25, 12) == 2
        server.check()


@pytest.mark.real_time
@pytest.mark.full
async def test_killed_dealers_end_a_season_once_at_each_step(tmp_path: Path) -> None:
    rng, killed = random.Random(1), 0
    async with server_with_dealers(tmp_path) as server:
        await server.play()
        assert not await server.close()
        server.check()
        steps = server.dealers.steps
        for step in range(1, steps + 1):
            await server.play()
            again = [rng.randint(1, 40)] if step % 2 else []
            killed += await server.close(step, *again)
            server.check()
    print(f"\n{killed} kills in {steps} closings of {steps} steps")
