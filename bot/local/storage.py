"""What survives a restart: one SQLite file, written in batches by a thread of its own.

Everything the stand-in remembers is a document (a JSON object with a kind, an id and a parent) or a file. A change marks
its document; the marked ones are written together a moment later, so a click costs no disk access of its own.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

Json = dict[str, Any]

log = logging.getLogger(__name__)

FLUSH_SECONDS = 0.2

_SCHEMA = """
CREATE TABLE IF NOT EXISTS document (
    kind TEXT NOT NULL, id INTEGER NOT NULL, parent INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, id)
);
CREATE INDEX IF NOT EXISTS document_by_parent ON document (kind, parent, id);
CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, body BLOB NOT NULL);
"""


class File(NamedTuple):
    """An attachment or an emoji's picture."""

    name: str
    type: str
    body: bytes


class StorageInUse(Exception):
    """Another stand-in has this data directory open."""


class Storage:
    """Documents and files of one data directory. Call everything from the event loop's thread."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._path = directory / "discord.sqlite3"
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="discord-storage")
        self._db: sqlite3.Connection | None = None
        self._documents: dict[tuple[str, int], tuple[int, Json] | None] = {}
        self._files: dict[int, File | None] = {}
        self._due: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    async def open(self) -> None:
        """Open or make the file.

        Raises:
            StorageInUse: another process holds it.
        """
        await self._run(self._open)

    def _open(self) -> None:
        db = sqlite3.connect(self._path, isolation_level=None, timeout=0.5, check_same_thread=False)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            db.close()
            if "locked" in str(error):
                raise StorageInUse(str(self._path)) from error
            raise
        self._db = db

    async def close(self) -> None:
        """Write what is still unwritten, then close."""
        self._closed = True
        if self._due is not None:
            self._due.cancel()
        if self._writing is not None:
            await self._writing
        if self._db is not None:
            await self._write()
            await self._run(self._db.close)
            self._db = None
        self._thread.shutdown()

    def save(self, kind: str, snowflake: str, parent: str, body: Json) -> None:
        """Remember a document. `body` is read when the batch is written, so later changes to it go along."""
        self._documents[kind, int(snowflake)] = (int(parent), body)
        self._wake()

    def forget(self, kind: str, snowflake: str) -> None:
        self._documents[kind, int(snowflake)] = None
        self._wake()

    def save_file(self, snowflake: str, file: File) -> None:
        self._files[int(snowflake)] = file
        self._wake()

    def forget_file(self, snowflake: str) -> None:
        self._files[int(snowflake)] = None
        self._wake()

    async def read_file(self, snowflake: int) -> File | None:
        if snowflake in self._files:
            return self._files[snowflake]
        rows = await self._fetch("SELECT name, type, body FROM file WHERE id = ?", snowflake)
        return File(*rows[0]) if rows else None

    async def read(self, kind: str, snowflake: str) -> Json | None:
        """One document as it was last written or marked."""
        key = (kind, int(snowflake))
        if key in self._documents:
            marked = self._documents[key]
            return marked[1] if marked else None
        rows = await self._fetch("SELECT body FROM document WHERE kind = ? AND id = ?", *key)
        return msgspec.json.decode(rows[0][0]) if rows else None

    async def read_all(self, kind: str) -> list[Json]:
        """Every document of a kind, oldest first. For starting up."""
        rows = await self._fetch("SELECT body FROM document WHERE kind = ? ORDER BY id", kind)
        return [msgspec.json.decode(body) for (body,) in rows]

    async def read_last(self, kind: str, parent: str, count: int, before: str | None = None) -> list[Json]:
        """The last documents under a parent (before an id), oldest first."""
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
        db = self._db
        assert db is not None, "storage is not open"
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, lambda: db.execute(sql, values).fetchall()
        )

    async def _run(self, work: Any) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _wake(self) -> None:
        if self._due is None and not self._closed:
            self._due = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._start_writing)

    def _start_writing(self) -> None:
        self._due = None
        self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        """Write everything marked, in one transaction. What cannot be written stays marked and is tried again."""
        documents, self._documents = self._documents, {}
        files, self._files = self._files, {}
        if not documents and not files:
            return
        encode = msgspec.json.encode
        kept = [(kind, key, held[0], encode(held[1])) for (kind, key), held in documents.items() if held]
        gone = [key for key, held in documents.items() if held is None]
        kept_files = [(key, *file) for key, file in files.items() if file]
        gone_files = [(key,) for key, file in files.items() if file is None]

        def work() -> None:
            db = self._db
            assert db is not None, "storage is not open"
            db.execute("BEGIN")
            try:
                db.executemany("INSERT OR REPLACE INTO document (kind, id, parent, body) VALUES (?, ?, ?, ?)", kept)
                db.executemany("DELETE FROM document WHERE kind = ? AND id = ?", gone)
                db.executemany("INSERT OR REPLACE INTO file (id, name, type, body) VALUES (?, ?, ?, ?)", kept_files)
                db.executemany("DELETE FROM file WHERE id = ?", gone_files)
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

        try:
            await self._run(work)
        except sqlite3.Error:
            log.exception("could not write %d documents; trying again", len(documents))
            self._documents = documents | self._documents
            self._files = files | self._files
            self._wake()
