"""Backups while the dealer runs: one an hour, the newest kept, and once a day a drill that restores the newest one in memory.

Everything here works in threads, on connections of its own, and what copies row by row in a process of its own: nobody who plays waits for
it.
"""

import asyncio
import logging
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bot.child_process import NOT_FOR_A_CHILD
from bot.runtime.clock import Alarm, AlarmClock
from bot.runtime.restore import unreadable_tables
from bot.runtime.saved_values import OF_THE_BOT, SavedKind, SavedValues, declared_kinds
from bot.runtime.store_errors import StoreError, StoreFailed, StoreUnusable
from bot.store.backup import DataCheck, check_open_data, copy_data, load_into_memory
from bot.store.codec import EventCodec
from bot.store.data_source import DataElsewhere, DataSource
from bot.store.house_copy import unreadable_personal
from bot.store.queries import open_tables
from bot.store.store import Store

log = logging.getLogger(__name__)

FOLDER = "backups"
HOUR_MS = 3_600_000
DRILL_EVERY_MS = 24 * HOUR_MS
FIRST_BACKUP_MS = 5 * 60_000
"""The first backup comes so long after a start, if the last one is older than an hour."""
DAILY_KEPT = 7
"""Beside the newest backups, the last one of each of so many days is kept."""
COPIER = (sys.executable, "-m", "bot.operation.back_up")
"""The command that copies the data of a database to a file."""
DRILL_KEY = "backups.drill"
_NAME = "cardroom-%Y%m%d-%H%M%S.db"


class DrillResult(msgspec.Struct, frozen=True):
    """How the last drill ended: when (ms since the epoch), with which backup, and what was wrong with it."""

    at: int
    backup: str
    problems: tuple[str, ...] = ()


DRILL = SavedKind[tuple[()], DrillResult](DRILL_KEY, OF_THE_BOT, DrillResult)


def backup_name(at: int) -> str:
    """Return the name of a backup that is made at this time, in ms since the epoch. Later backups have later names."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime(_NAME)


def backup_time(path: Path) -> int | None:
    """Return when a backup was made, in ms since the epoch, by its name; None for any other file."""
    try:
        return round(datetime.strptime(path.name, _NAME).replace(tzinfo=UTC).timestamp() * 1000)
    except ValueError:
        return None


def backups_in(folder: Path) -> list[Path]:
    """Return the backups in a folder, oldest first."""
    return sorted(path for path in folder.glob("cardroom-*.db") if backup_time(path) is not None)


def superseded(backups: list[Path], newest_kept: int) -> list[Path]:
    """Return the backups to delete: all but the newest ones and, for each of the last days, its last one."""
    kept = set(backups[-newest_kept:]) if newest_kept else set()
    last_of_day: dict[str, Path] = {path.name[:17]: path for path in backups}  # "cardroom-20260101"
    kept |= {last_of_day[day] for day in sorted(last_of_day)[-DAILY_KEPT:]}
    return [path for path in backups if path not in kept]


def run_drill(path: Path, codec: EventCodec) -> tuple[str, ...]:
    """Restore a backup in memory: its pages, its books, every open table and what people chose are read. Returns what is wrong with it."""
    try:
        memory = load_into_memory(path)
    except Exception as error:  # whatever is wrong with the file is the drill's result
        return (str(error),)
    try:
        found = check_open_data(memory, path)
        return (
            found.problems
            + unreadable_tables(open_tables(memory, codec))
            + unreadable_personal(memory, declared_kinds())
        )
    except StoreUnusable as error:
        return (str(error),)
    finally:
        memory.close()


class Backups:
    """Makes the backups of a running dealer.

    Args:
        store: the open store.
        codec: decodes the events of the tables, for the drill.
        newest_kept: how many of the hourly backups are kept; 0 for no backups.
        data: what is copied, if it is not the store's file.
        folder: where the folder of the backups is, if that is not beside the store's file.

    Attributes:
        newest_at: when the newest backup was made, in ms since the epoch; 0 if there is none.
        drill: how the last drill ended; None before the first one.
    """

    def __init__(
        self,
        store: Store,
        codec: EventCodec,
        clock: AlarmClock,
        newest_kept: int,
        data: DataSource | None = None,
        folder: Path | None = None,
    ) -> None:
        self._store = store
        self._data, self._folder = data, folder
        self._process: asyncio.subprocess.Process | None = None
        self._saved_drill = SavedValues(DRILL, store)
        self._codec = codec
        self._clock = clock
        self._newest_kept = newest_kept
        self._alarm: Alarm | None = None
        self._task: asyncio.Task[None] | None = None
        self._newest_cause = -1
        self._closing = False
        self.newest_at = 0
        self.drill: DrillResult | None = None

    @property
    def folder(self) -> Path:
        """Where they are."""
        return (self._folder or self._store.path.parent) / FOLDER

    async def open(self) -> None:
        """Start the schedule. The first backup comes an hour after the last one, and not at once after a start."""
        if not self._newest_kept:
            return
        for unfinished in self.folder.glob("cardroom-*.db.partial*"):  # the dealer was killed while it made this one
            unfinished.unlink(missing_ok=True)
        self.drill = await self._saved_drill.get(())
        existing = backups_in(self.folder)
        self.newest_at = (backup_time(existing[-1]) or 0) if existing else 0
        now = self._clock.now()
        self._schedule(max(now + FIRST_BACKUP_MS, self.newest_at + HOUR_MS))

    async def close(self) -> None:
        """Stop the schedule, and wait for a backup that is being made; a process that makes one is ended."""
        self._closing = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        if self._task is not None:
            await self._task

    async def back_up(self) -> Path | None:
        """Make a backup now, and a drill if one is due. Returns the backup; None if nothing has changed since the last, or it failed."""
        now = self._clock.now()
        path = self.folder / backup_name(now)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = await self._copy_if_changed(path)
        except (StoreError, OSError) as error:
            if self._closing:
                return None
            log.error("backup_failed", extra={"file": str(path), "error": str(error)})
            return None
        if found is None:
            return None
        self._newest_cause = found.newest_cause
        self.newest_at = now
        log.info("backup_made", extra={"file": str(path), "transfers": found.transfers})
        if now - (self.drill.at if self.drill is not None else 0) >= DRILL_EVERY_MS:
            await self._drill(path, now)
        return path

    async def _copy_if_changed(self, path: Path) -> DataCheck | None:
        newest = self._store.newest_cause
        if newest == self._newest_cause:
            return None
        if self._data is None or isinstance(self._data, Path):
            found = await asyncio.to_thread(copy_data, self._data or self._store.path, path)
        else:
            found = await self._copy_in_process(self._data, path)
        await asyncio.to_thread(self._delete_superseded)
        return found

    async def _copy_in_process(self, data: DataElsewhere, path: Path) -> DataCheck:
        environment = {name: text for name, text in os.environ.items() if not name.startswith(NOT_FOR_A_CHILD)}
        self._process = process = await asyncio.create_subprocess_exec(
            *(*COPIER, str(data), str(path)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**environment, **data.environment},
        )
        said, _ = await process.communicate()
        self._process = None
        if process.returncode:
            raise StoreFailed(reason=said.decode(errors="replace").strip() or f"it ended with {process.returncode}")
        return msgspec.json.decode(said, type=DataCheck)

    def _delete_superseded(self) -> None:
        for old in superseded(backups_in(self.folder), self._newest_kept):
            old.unlink(missing_ok=True)

    async def _drill(self, path: Path, now: int) -> None:
        problems = await asyncio.to_thread(run_drill, path, self._codec)
        self.drill = result = DrillResult(now, path.name, problems)
        if problems:
            log.error("restore_drill_failed", extra={"file": str(path), "problems": problems})
        else:
            log.info("restore_drill_passed", extra={"file": str(path)})
        await self._saved_drill.keep((), result)

    def _schedule(self, at: int) -> None:
        self._alarm = self._clock.call_at(at, self._start)

    def _start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run(), name="backup")

    async def _run(self) -> None:
        try:
            await self.back_up()
        finally:
            if not self._closing:
                self._schedule(self._clock.now() + HOUR_MS)
