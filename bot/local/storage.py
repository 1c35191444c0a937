"""Storage that survives a restart: documents and files in one SQLite database, written in batches by a separate thread.

A document is a JSON object with a kind, an id and the id of its parent. A change marks its document as pending; all
pending ones are written together a moment later, so that a click does not wait for the disk.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bot.local.errors import Json

log = logging.getLogger(__name__)

WRITE_DELAY_SECONDS = 0.2

_SCHEMA = """
CREATE TABLE IF NOT EXISTS document (
    kind TEXT NOT NULL, id INTEGER NOT NULL, parent INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, id)
);
CREATE INDEX IF NOT EXISTS document_by_parent ON document (kind, parent, id);
CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, body BLOB NOT NULL);
"""


class File(NamedTuple):
    """An attachment, or the image of an emoji."""

    name: str
    type: str
    body: bytes


class StorageInUse(Exception):
    """Another stand-in uses this data directory."""


class Storage:
    """The documents and files of one data directory. Call it from the event loop's thread only."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = directory / "discord.sqlite3"
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="discord-storage")
        self._database: sqlite3.Connection | None = None
        # Pending changes by id; None stands for a deletion.
        self._pending_documents: dict[tuple[str, int], tuple[int, Json] | None] = {}
        self._pending_files: dict[int, File | None] = {}
        self._private_files: dict[int, File] = {}
        self._write_timer: asyncio.TimerHandle | None = None
        self._write_task: asyncio.Task[None] | None = None
        self._closed = False

    async def open(self) -> None:
        """Open the database, or create it.

        Raises:
            StorageInUse: another process has locked it.
        """
        await self._run_in_thread(self._open)

    def _open(self) -> None:
        self._path.touch(mode=0o600)
        for path in self._path.parent.glob(f"{self._path.name}*"):  # an earlier version left them readable to others
            path.chmod(0o600)
        database = sqlite3.connect(self._path, isolation_level=None, timeout=0.5, check_same_thread=False)
        try:
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute("PRAGMA secure_delete = ON")
            database.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            database.close()
            if "locked" in str(error):
                raise StorageInUse(str(self._path)) from error
            raise
        self._database = database

    async def close(self) -> None:
        """Write what is pending, then close the database."""
        self._closed = True
        if self._write_timer is not None:
            self._write_timer.cancel()
        if self._write_task is not None:
            await self._write_task
        if self._database is not None:
            await self._write()
            await self._run_in_thread(self._database.close)
            self._database = None
        self._thread.shutdown()

    def save(self, kind: str, snowflake: str, parent: str, body: Json) -> None:
        """Save a document. `body` is encoded when the batch is written, so later changes to it are saved too."""
        self._pending_documents[kind, int(snowflake)] = (int(parent), body)
        self._schedule_write()

    def delete(self, kind: str, snowflake: str) -> None:
        self._pending_documents[kind, int(snowflake)] = None
        self._schedule_write()

    async def delete_under(self, kind: str, parent: str) -> None:
        """Delete every written document of a kind under a parent, so that nothing of it stays on the disk."""
        await self._fetch("DELETE FROM document WHERE kind = ? AND parent = ?", kind, int(parent))
        await self._fetch("PRAGMA wal_checkpoint(TRUNCATE)")

    def save_file(self, snowflake: str, file: File, *, private: bool = False) -> None:
        """Save a file. A private one, which can show the cards of a running hand, stays in memory."""
        if private:
            self._private_files[int(snowflake)] = file
            return
        self._pending_files[int(snowflake)] = file
        self._schedule_write()

    def delete_file(self, snowflake: str) -> None:
        if self._private_files.pop(int(snowflake), None) is None:
            self._pending_files[int(snowflake)] = None
            self._schedule_write()

    async def read_file(self, snowflake: int) -> File | None:
        if snowflake in self._private_files:
            return self._private_files[snowflake]
        if snowflake in self._pending_files:
            return self._pending_files[snowflake]
        rows = await self._fetch("SELECT name, type, body FROM file WHERE id = ?", snowflake)
        return File(*rows[0]) if rows else None

    async def read(self, kind: str, snowflake: str) -> Json | None:
        """Return the latest version of a document; None if there is none."""
        key = (kind, int(snowflake))
        if key in self._pending_documents:
            pending = self._pending_documents[key]
            return pending[1] if pending else None
        rows = await self._fetch("SELECT body FROM document WHERE kind = ? AND id = ?", *key)
        return msgspec.json.decode(rows[0][0]) if rows else None

    async def read_all(self, kind: str) -> list[Json]:
        """Return the written documents of a kind, oldest first. Used at start-up, when nothing is pending."""
        rows = await self._fetch("SELECT body FROM document WHERE kind = ? ORDER BY id", kind)
        return [msgspec.json.decode(body) for (body,) in rows]

    async def read_last(self, kind: str, parent: str, count: int, before: str | None = None) -> list[Json]:
        """Return the last documents under a parent, oldest first; with `before`, the last ones older than that id."""
        await self._write()
        rows = await self._fetch(
            "SELECT body FROM document WHERE kind = ? AND parent = ? AND id < ? ORDER BY id DESC LIMIT ?",
            kind,
            int(parent),
            int(before) if before else (1 << 63) - 1,
            count,
        )
        return [msgspec.json.decode(body) for (body,) in reversed(rows)]

    async def _fetch(self, sql: str, *values: object) -> list[Any]:
        database = self._database
        assert database is not None, "storage is not open"
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, lambda: database.execute(sql, values).fetchall()
        )

    async def _run_in_thread(self, work: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _schedule_write(self) -> None:
        if self._write_timer is None and not self._closed:
            self._write_timer = asyncio.get_running_loop().call_later(WRITE_DELAY_SECONDS, self._start_write)

    def _start_write(self) -> None:
        self._write_timer = None
        self._write_task = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        """Write everything pending in one transaction. If that fails, it stays pending and is tried again."""
        documents, self._pending_documents = self._pending_documents, {}
        files, self._pending_files = self._pending_files, {}
        if not documents and not files:
            return
        encode = msgspec.json.encode
        saved = [(kind, key, entry[0], encode(entry[1])) for (kind, key), entry in documents.items() if entry]
        deleted = [key for key, entry in documents.items() if entry is None]
        saved_files = [(key, *file) for key, file in files.items() if file]
        deleted_files = [(key,) for key, file in files.items() if file is None]

        def write() -> None:
            database = self._database
            assert database is not None, "storage is not open"
            database.execute("BEGIN")
            try:
                database.executemany(
                    "INSERT OR REPLACE INTO document (kind, id, parent, body) VALUES (?, ?, ?, ?)", saved
                )
                database.executemany("DELETE FROM document WHERE kind = ? AND id = ?", deleted)
                database.executemany(
                    "INSERT OR REPLACE INTO file (id, name, type, body) VALUES (?, ?, ?, ?)", saved_files
                )
                database.executemany("DELETE FROM file WHERE id = ?", deleted_files)
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")

        try:
            await self._run_in_thread(write)
        except sqlite3.Error:
            log.exception("storage_write_failed_will_retry", extra={"documents": len(documents), "files": len(files)})
            self._pending_documents = documents | self._pending_documents
            self._pending_files = files | self._pending_files
            self._schedule_write()
