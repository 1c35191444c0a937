"""A line between a dealer and a PostgreSQL server that can be held up: what is on the way then arrives later."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

BATCH_BYTES = 300
"""Longer than what the writer sends between two batches."""


class Line:
    """What connects one dealer with the server: it can be held up, and be held up in the middle of a batch.

    Args:
        server: the address of a server of `tests.support.postgres`.
    """

    def __init__(self, server: str) -> None:
        self._socket = str(Path(server.partition("host=")[2]) / ".s.PGSQL.5432")
        self._open = asyncio.Event()
        self._open.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.cut_next_batch = False
        self.halved = asyncio.Event()
        self.port = 0

    async def listen(self) -> None:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]

    @property
    def address(self) -> str:
        """The server's address by this line."""
        return f"postgresql://cardroom@127.0.0.1:{self.port}/postgres"

    def hold(self) -> None:
        self._open.clear()

    def release(self) -> None:
        self.cut_next_batch = False
        self.halved.clear()
        self._open.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            server_reader, server_writer = await asyncio.open_unix_connection(self._socket)
        except OSError:  # it is restarted
            writer.close()
            return
        for task in (self._pump(reader, server_writer, is_sent=True), self._pump(server_reader, writer, is_sent=False)):
            pumping = asyncio.create_task(task)
            self._tasks.add(pumping)
            pumping.add_done_callback(self._tasks.discard)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_sent: bool) -> None:
        writes_batches = False
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                writes_batches = writes_batches or (is_sent and b"cardroom writer" in data)
                if writes_batches and self.cut_next_batch and len(data) > BATCH_BYTES:
                    self.cut_next_batch = False
                    half = len(data) // 2
                    writer.write(data[:half])
                    await writer.drain()
                    data = data[half:]
                    self._open.clear()
                    self.halved.set()
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        await self._open.wait()
        writer.close()
