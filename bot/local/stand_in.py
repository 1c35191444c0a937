"""The stand-in as a whole: one port for REST, the gateway, files and pages."""

import ipaddress
import os
import secrets
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Self

from aiohttp import web

from bot.local import static_files
from bot.local.addresses import host_name, is_loopback, network_address
from bot.local.clock import AdjustableClock
from bot.local.connections import LimitedServer
from bot.local.gateway import Gateway
from bot.local.interactions import Interactions
from bot.local.messages import Messages
from bot.local.open_pages import OpenPages
from bot.local.page_server import PageServer
from bot.local.rate_limits import RateLimiter
from bot.local.rest_routes import RestRoutes
from bot.local.rest_server import MAX_BODY_BYTES, RestServer
from bot.local.storage import Storage
from bot.local.uploads import Uploads
from bot.local.world import LocalPerson, World

MAX_PORTS_TRIED = 50
MAX_HOSTS_REMEMBERED = 20
API_PATH = "/api/v10"
ALL_INTERFACES = ("0.0.0.0", "::", "")

RequestHandler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class DiscordStandIn:
    """A stand-in for Discord: ``async with DiscordStandIn(directory) as discord: ...``

    Args:
        data: the directory that keeps everything between runs.
        token: the bot's token; a random one is made if it is empty.
        port: 0 for any free port; otherwise this port, or the next free one after it.
        limits: whether rate limits apply.
        clock: the machine's own if there is none.
        avatars: people who join have a picture of their own.
    """

    def __init__(
        self,
        data: Path,
        *,
        token: str = "",
        host: str = "127.0.0.1",
        port: int = 0,
        limits: bool = True,
        clock: AdjustableClock | None = None,
        avatars: bool = False,
    ) -> None:
        self.token = token or secrets.token_urlsafe(24)
        self.host = host
        self.port = port
        self.clock = clock or AdjustableClock()
        self.storage = Storage(data)
        self.world = World(self.clock, self.storage, avatars=avatars)
        self.open_pages = OpenPages(self.world)
        self.gateway = Gateway(self.world, self.token)
        self.messages = Messages(self.world, self.open_pages, self.gateway.dispatch)
        self.uploads = Uploads(self.clock, self.storage)
        self.interactions = Interactions(self.world, self.messages, self.gateway, self.uploads)
        self.rate_limiter = RateLimiter(self.clock, enabled=limits)
        self.rest_routes = RestRoutes(
            self.world, self.messages, self.interactions, self.gateway, self.open_pages, self.rate_limiter
        )
        self.rest_server = RestServer(self.rest_routes.router, self.rate_limiter, self.clock, self.token)
        self.page_server = PageServer(
            self.world,
            self.messages,
            self.interactions,
            self.gateway,
            self.open_pages,
            self.rest_routes.commands_for,
            self.invitation,
            self.uploads,
        )
        self.extra_handlers: dict[str, RequestHandler] = {}  # further paths, added by tests
        self._host_names = {"localhost", host.lower()}
        self._own_hosts: set[str] = set()  # Host headers found to be this machine's
        self._server: LimitedServer | None = None
        self._runner: web.ServerRunner | None = None

    # -- starting and stopping ------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Open the storage and the port.

        Raises:
            StorageInUse: another stand-in uses the directory.
            OSError: no port is free.
        """
        await self.storage.open()
        try:
            await self.world.load()
            own_name = socket.gethostname().lower()
            self._host_names |= {own_name, f"{own_name}.local"}
            self._server = LimitedServer(self._serve, request_factory=_make_request)
            self._runner = web.ServerRunner(self._server, shutdown_timeout=1.0)
            await self._runner.setup()
            await self._bind()
        except BaseException:
            await self.stop()
            raise
        self.messages.cdn = self.uploads.cdn = self.cdn_url
        self.gateway.url = self.gateway_url

    async def _bind(self) -> None:
        assert self._runner is not None
        first_port = self.port
        for port in range(first_port, first_port + (MAX_PORTS_TRIED if first_port else 1)):
            sock = socket.socket(socket.AF_INET6 if ":" in self.host else socket.AF_INET, socket.SOCK_STREAM)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                sock.bind((self.host, port))
            except OSError:
                sock.close()
                if port == first_port + MAX_PORTS_TRIED - 1 or not first_port:
                    raise
                continue
            self.port = sock.getsockname()[1]
            await web.SockSite(self._runner, sock).start()
            return

    async def stop(self) -> None:
        """Close all connections, then write everything to storage."""
        self.interactions.stop()
        if self._runner is not None:
            for site in list(self._runner.sites):
                await site.stop()  # first, because clients that are disconnected try to reconnect at once
        await self.gateway.close_connections()
        await self.page_server.close()
        if self._runner is not None:
            await self._runner.cleanup()
        await self.storage.close()

    # -- addresses --------------------------------------------------------------------------------------------------------

    @property
    def base_url(self) -> str:
        host = "127.0.0.1" if self.host in ALL_INTERFACES else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def rest_url(self) -> str:
        return self.base_url + API_PATH

    @property
    def gateway_url(self) -> str:
        return self.base_url.replace("http", "ws", 1) + "/gateway"

    @property
    def cdn_url(self) -> str:
        return self.base_url + "/cdn"

    def page_url(self, person: LocalPerson) -> str:
        return f"{self.base_url}/p/{person.link}"

    def invitation(self, friend: LocalPerson, inviter_host: str) -> str:
        """Return the address of a friend's page.

        It has the inviter's Host header. If that is a loopback address and the stand-in listens on all interfaces, it
        has this machine's network address instead, which works for others too.
        """
        if self.host in ALL_INTERFACES and is_loopback(inviter_host):
            address = network_address()
            inviter_host = f"{address}:{self.port}" if address else inviter_host
        return f"http://{inviter_host}/p/{friend.link}"

    @property
    def owner(self) -> LocalPerson:
        """The first person, who started this cardroom."""
        guild = next(iter(self.world.guilds.values()))
        return self.world.people[guild.owner_id]

    def ready_data(self) -> dict[str, Any]:
        """Return what the program that started the stand-in needs to know."""
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
        assert self._server is not None
        self._server.note_request(request.protocol)
        path = request.path
        host = request.headers.get("Host", "")
        if not self._is_own_host(host):
            return web.Response(status=421, text="This cardroom does not answer under that host name.")
        if path.startswith(API_PATH):
            if "Origin" in request.headers:  # only browsers send it, and no page needs the API
                return web.Response(status=403, headers=static_files.SECURITY_HEADERS)
            return await self.rest_server.serve(request, path[len(API_PATH) :])
        if path.startswith("/gateway"):
            return await self.gateway.serve(request)
        if path in self.extra_handlers:
            return await self.extra_handlers[path](request)
        if request.method == "POST" and path.endswith("/files"):
            return await self._take_file(request, path, host)
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers=static_files.SECURITY_HEADERS)
        if path.startswith("/cdn/"):
            return await static_files.cdn(self.storage, path[len("/cdn/") :])
        if path.startswith("/static/"):
            return static_files.static(path[len("/static/") :])
        return await self._serve_page(request, path, host)

    async def _serve_page(self, request: web.BaseRequest, path: str, host: str) -> web.StreamResponse:
        match path.split("/"):
            case ["", "p", link] if link in self.world.people_by_link:
                return static_files.page(host)
            case ["", "p", link, "live"] if link in self.world.people_by_link:
                is_other_website = request.headers.get("Origin", f"http://{host}") != f"http://{host}"
                if is_other_website:
                    return web.Response(status=403, headers=static_files.SECURITY_HEADERS)
                return await self.page_server.serve(request, self.world.people_by_link[link])
            case _:
                return static_files.not_found()

    async def _take_file(self, request: web.BaseRequest, path: str, host: str) -> web.StreamResponse:
        """Take a file that a person chose in a form of their page."""
        match path.split("/"):
            case ["", "p", link, "files"] if link in self.world.people_by_link:
                if request.headers.get("Origin") != f"http://{host}":  # only their own page sends files
                    return web.Response(status=403, headers=static_files.SECURITY_HEADERS)
                return await self.page_server.take_file(request, self.world.people_by_link[link])
            case _:
                return static_files.not_found()

    def _is_own_host(self, host: str) -> bool:
        """Return whether a Host header names this machine, and not a foreign name that somebody pointed to it.

        An address is always accepted: it cannot be pointed anywhere else.
        """
        if host in self._own_hosts:
            return True
        name = host_name(host)
        if name not in self._host_names:
            try:
                ipaddress.ip_address(name)
            except ValueError:
                return False
        if len(self._own_hosts) < MAX_HOSTS_REMEMBERED:
            self._own_hosts.add(host)
        return True


def _make_request(message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
    return web.BaseRequest(message, payload, protocol, writer, task, task.get_loop(), client_max_size=MAX_BODY_BYTES)
