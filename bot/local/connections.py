"""The connections of the stand-in's port: how many there can be, and how long one can be silent.

Without these limits anybody who reaches the port could hold its memory with connections that never say anything.
"""

import asyncio
import ipaddress
from collections import Counter
from typing import Any

from aiohttp import web

FIRST_REQUEST_SECONDS = 10.0
"""How long a new connection can take to send its first request with all its headers."""
IDLE_SECONDS = 75.0
"""How long a connection can wait between two requests."""
UNREAD_BODY_SECONDS = 2.0
"""How long a refused request's body is read and thrown away, so that the client can read the refusal."""
MAX_CONNECTIONS = 1000
MAX_CONNECTIONS_OF_ADDRESS = 64
"""Connections from other computers, in all and from one address. A household shares an address."""


class LimitedServer(web.Server):
    """An HTTP server that closes silent connections and refuses too many of them from other computers."""

    def __init__(self, handler: Any, **more: Any) -> None:
        super().__init__(
            handler,
            access_log=None,
            keepalive_timeout=IDLE_SECONDS,
            lingering_time=UNREAD_BODY_SECONDS,
            auto_decompress=False,  # nobody sends compressed bodies, and a small one can hold a huge one
            **more,
        )
        self._from_address: Counter[str] = Counter()
        self._addresses: dict[web.RequestHandler, str] = {}
        self._silent: dict[web.RequestHandler, asyncio.TimerHandle] = {}

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        self._silent[handler] = asyncio.get_running_loop().call_later(FIRST_REQUEST_SECONDS, transport.abort)
        address = _foreign_address(transport)
        if not address:
            return
        self._addresses[handler] = address
        self._from_address[address] += 1
        if self._from_address[address] > MAX_CONNECTIONS_OF_ADDRESS or len(self._addresses) > MAX_CONNECTIONS:
            transport.abort()

    def note_request(self, handler: web.RequestHandler) -> None:
        """A connection has sent the headers of a request."""
        timer = self._silent.pop(handler, None)
        if timer is not None:
            timer.cancel()

    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        super().connection_lost(handler, exc)
        self.note_request(handler)
        address = self._addresses.pop(handler, None)
        if address is not None:
            self._from_address[address] -= 1
            self._from_address += Counter()  # removes what has reached 0


def _foreign_address(transport: asyncio.Transport) -> str:
    """Return the address of the other computer, or "" if the connection comes from this one."""
    peer = transport.get_extra_info("peername")
    try:
        address = ipaddress.ip_address(peer[0].partition("%")[0])
    except (TypeError, IndexError, AttributeError, ValueError):
        return ""
    return "" if address.is_loopback else str(address)
