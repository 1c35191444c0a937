"""A dealer, from its start to its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from bot.app import PARTS
from bot.background_tasks import BackgroundTasks
from bot.backups import Backups
from bot.foundation import DealerOptions
from bot.line.api import DiscordApi
from bot.line.by_token import TokenRequests
from bot.line.client import DiscordClient
from bot.pictures.maker import PictureMaker
from bot.runtime.bank import Bank
from bot.runtime.listed_people import ListedPeople
from bot.runtime.luck_teller import LuckTeller
from bot.runtime.seasons import Seasons
from bot.runtime.snapshot import TableUpdate
from bot.runtime.tables import Tables
from bot.signals import Signals
from bot.stopping import run_stage
from bot.store.statistics.statistics import Statistics
from bot.store.store import Store
from bot.surfaces.part import Part, Parts
from bot.table.events import HandFinished, HandUndone
from bot.warmup import warm_up
from cogs.support.services import Services

log = logging.getLogger(__name__)

STAGES = {
    "start": 0.5, "seasons": 0.2, "listed_people": 0.1, "tables": 2.0, "messages": 2.5, "discord": 1.0, "connection": 0.5,
    "answers": 0.3, "backups": 0.3, "luck": 0.1, "statistics": 0.3, "store": 1.2,
}  # fmt: skip
"""How many seconds each stage of stopping can take. Those of a dealer that plays are together less than `bot.stopping.STOP_SECONDS`, with
those of its slot; the first and *connection* are for one that does not play yet."""


class Dealer:
    """Makes all parts, opens them, tells them of updates, and closes them."""

    def __init__(self, options: DealerOptions) -> None:
        self.parts = Parts(options)
        self.parts.make(PARTS)
        self.store, self.statistics = self.parts.get(Store), self.parts.get(Statistics)
        self.tables, self.bank = self.parts.get(Tables), self.parts.get(Bank)
        self.client, self.services = self.parts.get(DiscordClient), self.parts.get(Services)
        self._seasons, self._luck = self.parts.get(Seasons), self.parts.get(LuckTeller)
        self._listeners = [part for part in reversed(self.parts.of(Part)) if type(part).on_update is not Part.on_update]
        self._followers = [part for part in self._listeners if part.follows_play]
        self._options, self._tasks = options, BackgroundTasks()
        self._open = self._shown = False
        self._connected: asyncio.Task[None] | None = None
        self._starting: asyncio.Task[None] | None = None
        self.parts.get(Signals).on(TableUpdate, self._tell)
        self.tables.after_deletion(self.parts.forget)
        self.client.after_login(self._open_soon)

    def stand_by(self, token: str) -> asyncio.Task[None]:
        """Connect to Discord and answer nothing: the store is another dealer's. `start_playing` goes on from here once it is open.

        Returns:
            what ends when the connection ends for good, with the errors of `start_playing`.
        """
        self.client.stand_by()
        self._connected = asyncio.create_task(self.client.start(token), name="standing-by")
        self._tasks.run(asyncio.to_thread(warm_up), "warming")
        return self._connected

    async def stop_standing_by(self) -> bool:
        """Disconnect again: this dealer is not needed. Returns whether that ended in time."""
        in_time = await _stage("discord", self.client.close())
        if self._connected is not None:
            in_time &= await _stage("connection", _broken_off(self._connected))
        await self._tasks.finish(0)
        return in_time

    async def start_playing(self, token: str) -> None:
        """Restore the tables and play until closed. The store must be open.

        Raises:
            discord.LoginFailure: Discord does not know the token.
        """
        self._starting = asyncio.current_task()
        for part in self.parts.of(Part):
            await part.load()
        await self.statistics.open()
        await self.tables.restore()
        await self.parts.get(Backups).open()
        self._open, self._starting = True, None
        if self._connected is None:
            await self.client.start(token)
            return
        live = asyncio.create_task(self.client.go_live(self.parts.get(TokenRequests).note_held), name="going-live")
        await asyncio.wait({live, self._connected}, return_when=asyncio.FIRST_COMPLETED)
        if not self._connected.done():
            await live
        await self._connected

    async def _open_soon(self) -> None:
        self._tasks.run(self._open_parts(), "opening")

    async def _open_parts(self) -> None:
        """Open all parts once the servers are known. One that cannot be opened keeps nothing from the others."""
        await self.client.wait_until_ready()
        self._shown = True
        opened: list[Seasons | Part] = [self._seasons, *self.parts.of(Part)]
        for part in opened:
            try:
                await part.open()
            except Exception:
                log.exception("part_not_opened", extra={"part": type(part).__name__})
        if self._options.ready is not None:
            self._options.ready()
        if self._options.pictures is not None:
            self._options.pictures.start()
        await asyncio.to_thread(warm_up)  # it makes the first hands quick, and a start does not wait for it
        if self._options.tells_luck:
            self._luck.start()
        if self._options.warm is not None:
            self._options.warm()
        await self.bank.check_books(self._options.books_disagree)

    def conditions(self) -> dict[str, bool]:
        """Return what must hold for the dealer to be ready, by name."""
        playing = self._shown and not self.tables.stopping
        return {"discord": self.client.is_connected, "store": self.store.is_open, "tables": playing}

    def _tell(self, update: TableUpdate) -> None:
        """Tell the parts of an update. Most actions of a hand change nothing of the table, and concern only those who follow play."""
        is_play = update.is_play
        for part in self._followers if is_play else self._listeners:
            try:
                part.on_update(update)
            except Exception:
                log.exception("table_update_publish_failed", extra={"table": update.snapshot.id})
        if update.brings_run_out_near:
            self._luck.prepare(update.snapshot)
        if is_play:
            return
        self._seasons.on_update(update)
        ends_privacy = update.closed and update.snapshot.is_private  # now its hands go into the sums
        if ends_privacy or any(isinstance(event, HandFinished | HandUndone) for event in update.events):
            self.statistics.note(update.snapshot.id)

    async def stop_playing(self) -> bool:
        """Refuse new hands, finish saves, send what is due, disconnect, close the store. Can be called twice. What hangs is left behind.

        Returns:
            whether everything ended in time: all stages together take less than `bot.stopping.STOP_SECONDS`.
        """
        was_open, self._open = self._open, False
        in_time = True
        if was_open:
            in_time &= await _stage("seasons", self._seasons.close())
            in_time &= await _stage("listed_people", self.parts.get(ListedPeople).close())
            in_time &= await _stage("tables", self.tables.drain())
            in_time &= await _stage("messages", self._close_parts())
            in_time &= await _stage("discord", self.client.close())
            in_time &= await _stage("answers", self.parts.get(DiscordApi).close())
            in_time &= await _stage("backups", self.parts.get(Backups).close())
            in_time &= await _stage("luck", self._luck.close())
        else:
            if self._starting is not None:  # it would open again what is closed now, and log in
                in_time &= await _stage("start", _broken_off(self._starting))
            if self._connected is not None:
                in_time &= await self.stop_standing_by()
        # A start that failed has begun to count, and a thread that reads would keep the process from ending.
        in_time &= await _stage("statistics", self.statistics.close())
        if self.store.is_open:
            in_time &= await _stage("store", self.store.close())
        return in_time

    async def _close_parts(self) -> None:
        """Close all parts at once: none waits for the end of what another has under way."""
        await self._tasks.finish(0)
        await self.parts.get(PictureMaker).close()  # whoever waits for a picture goes on in text
        await asyncio.gather(*[part.close() for part in self.parts.of(Part)])


async def _stage(name: str, work: Coroutine[Any, Any, object]) -> bool:
    return await run_stage(name, work, STAGES[name])


async def _broken_off(task: asyncio.Task[None]) -> None:
    """Cancel a task, and wait until it has ended."""
    task.cancel()
    await asyncio.wait({task})
