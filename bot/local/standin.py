"""The stand-in as a whole: one port for REST, gateway, files and pages."""

from __future__ import annotations

import ipaddress
import logging
import os
import secrets
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.local import files
from bot.local.clock import Clock
from bot.local.exchange import Exchanges
from bot.local.gateway import Gateway
from bot.local.interactions import Interactions
from bot.local.limits import RateLimits
from bot.local.messages import Messages
from bot.local.page_socket import Pages
from bot.local.rest import Rest
from bot.local.routing import BODY_MAX
from bot.local.storage import Storage
from bot.local.viewers import Viewers
from bot.local.world import Person, World

log = logging.getLogger(__name__)

PORTS_TRIED = 50
API = "/api/v10"
ANYWHERE = ("0.0.0.0", "::", "")

Mounted = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class StandIn:
    """A stand-in for Discord: ``async with StandIn(directory) as discord: ...``

    Args:
        data: directory that keeps everything between runs.
        token: the bot's token; a random one if empty.
        port: 0 for any free one; otherwise the wished port or the next free one after it.
        limits: whether rate limits apply.
    """

    def __init__(
        self,
        data: Path,
        *,
        token: str = "",
        host: str = "127.0.0.1",
        port: int = 0,
        limits: bool = True,
    ) -> None:
        self.token = token or secrets.token_urlsafe(24)
        self.host = host
        self.port = port
        self.clock = Clock()
        self.storage = Storage(data)
        self.world = World(self.clock, self.storage)
        self.viewers = Viewers(self.world)
        self.gateway = Gateway(self.world, self.token)
        self.messages = Messages(self.world, self.viewers, self.gateway.dispatch)
        self.interactions = Interactions(self.world, self.messages, self.gateway)
        self.limits = RateLimits(self.clock, on=limits)
        self.rest = Rest(self.world, self.messages, self.interactions, self.gateway, self.viewers, self.limits)
        self.exchanges = Exchanges(self.rest.router, self.limits, self.clock, self.token)
        self.pages = Pages(
            self.world,
            self.messages,
            self.interactions,
            self.gateway,
            self.viewers,
            self.rest.commands_of,
            self.invitation,
        )
        self.mounts: dict[str, Mounted] = {}  # further addresses, for tests
        self._hosts: dict[str, bool] = {}
        self._runner: web.ServerRunner | None = None

    # -- life -----------------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> StandIn:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Open the store and the port.

        Raises:
            StorageInUse: another stand-in has the directory.
            OSError: no port could be had.
        """
        await self.storage.open()
        try:
            await self.world.load()
            server = web.Server(self._serve, request_factory=_request, access_log=None)
            self._runner = web.ServerRunner(server, shutdown_timeout=1.0)
            await self._runner.setup()
            await self._bind()
        except BaseException:
            await self.stop()
            raise
        self.messages.cdn = self.cdn_url
        self.gateway.url = self.gateway_url

    async def _bind(self) -> None:
        assert self._runner is not None
        wished = self.port
        for port in range(wished, wished + (PORTS_TRIED if wished else 1)):
            sock = socket.socket(socket.AF_INET6 if ":" in self.host else socket.AF_INET, socket.SOCK_STREAM)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                sock.bind((self.host, port))
            except OSError:
                sock.close()
                if port == wished + PORTS_TRIED - 1 or not wished:
                    raise
                continue
            self.port = sock.getsockname()[1]
            await web.SockSite(self._runner, sock).start()
            return

    async def stop(self) -> None:
        """Hang up, then write everything down."""
        self.interactions.stop()
        if self._runner is not None:
            for site in list(self._runner.sites):
                await site.stop()  # first of all: who is hung up on would call again at once
        await self.gateway.hang_up()
        await self.pages.close()
        if self._runner is not None:
            await self._runner.cleanup()
        await self.storage.close()

    # -- addresses --------------------------------------------------------------------------------------------------------

    @property
    def base_url(self) -> str:
        host = "127.0.0.1" if self.host in ANYWHERE else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def rest_url(self) -> str:
        return self.base_url + API

    @property
    def gateway_url(self) -> str:
        return self.base_url.replace("http", "ws", 1) + "/gateway"

    @property
    def cdn_url(self) -> str:
        return self.base_url + "/cdn"

    def page_url(self, person: Person) -> str:
        return f"{self.base_url}/p/{person.link}"

    def invitation(self, friend: Person, seen_as: str) -> str:
        """A friend's link, under the name by which the host reaches this machine, or better its address for others."""
        if self.host in ANYWHERE and _is_loopback(seen_as):
            address = _network_address()
            seen_as = f"{address}:{self.port}" if address else seen_as
        return f"http://{seen_as}/p/{friend.link}"

    @property
    def owner(self) -> Person:
        """The first person: who started this cardroom."""
        guild = next(iter(self.world.guilds.values()))
        return self.world.people[guild.owner_id]

    def ready(self) -> dict[str, Any]:
        """What a program that started this needs to know."""
        return {
            "ready": True,
            "rest": self.rest_url,
            "gateway": self.gateway_url,
            "cdn": self.cdn_url,
            "page": self.page_url(self.owner),
            "port": self.port,
            "pid": os.getpid(),
            "token": self.token,
        }

    # -- requests ---------------------------------------------------------------------------------------------------------

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        host = request.headers.get("Host", "")
        known = self._hosts.get(host)
        if known is None:
            known = self._may_be_called(host)
            if len(self._hosts) < 1000:
                self._hosts[host] = known
        if not known:
            return web.Response(status=421, text="This cardroom is not called by that name.")
        if path.startswith(API):
            return await self.exchanges.serve(request, path[len(API) :])
        if path.startswith("/gateway"):
            return await self.gateway.serve(request)
        if path in self.mounts:
            return await self.mounts[path](request)
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers=files.SAFE)
        if path.startswith("/cdn/"):
            return await files.cdn(self.storage, path[len("/cdn/") :])
        if path.startswith("/static/"):
            return files.static(path[len("/static/") :])
        return await self._page(request, path, host)

    async def _page(self, request: web.BaseRequest, path: str, host: str) -> web.StreamResponse:
        match path.split("/"):
            case ["", "p", link] if link in self.world.by_link:
                return files.page(host)
            case ["", "p", link, "live"] if link in self.world.by_link:
                if request.headers.get("Origin", f"http://{host}") != f"http://{host}":
                    return web.Response(status=403, headers=files.SAFE)  # another website's script
                return await self.pages.serve(request, self.world.by_link[link])
            case _:
                return files.not_found()

    def _may_be_called(self, host: str) -> bool:
        """Whether a Host header names this machine; a foreign name that was pointed here does not."""
        name = _name_of(host)
        if name in ("localhost", self.host.lower(), socket.gethostname().lower()) or name.endswith(".local"):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _name_of(host: str) -> str:
    """The name or address in a Host header, without its port."""
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    return name.strip("[]").lower()


def _is_loopback(host: str) -> bool:
    name = _name_of(host)
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _network_address() -> str:
    """This machine's address in its own network, or "" if it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect(("192.0.2.1", 9))  # an address for documentation: only the route is looked up
        except OSError:
            return ""
        return str(sock.getsockname()[0])


def _request(message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
    return web.BaseRequest(message, payload, protocol, writer, task, task.get_loop(), client_max_size=BODY_MAX)
