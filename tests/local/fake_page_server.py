"""The local page with a fake server, which sends it exactly what a test wants. Tests open it with the fixture `open_page`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from playwright.async_api import Browser, Page, Route, WebSocketRoute

from tests.support.browser import PATIENCE_MS, PHONE

Json = dict[str, Any]
BASE_URL = "http://localhost:9"  # nothing listens there; the fake server answers every request
PAGE_DIRECTORY = files("bot.local") / "page"
CONTENT_SECURITY_POLICY = "default-src 'self'; connect-src 'self' ws:"
CONTENT_TYPES = {
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
    "html": "text/html",
}
CHANNEL, DM = "301", "401"
EPHEMERAL, LOADING, V2 = 64, 128, 32768

DEALER: Json = {"id": "100", "username": "Dealer", "bot": True, "avatar": None}
ANN: Json = {"id": "201", "username": "ann", "global_name": "Ann", "avatar": None}
HOSTILE_USER: Json = {"id": "202", "username": "<img src=x onerror=alert(1)>", "avatar": None}
COMMANDS: list[Json] = [
    {"name": "fold", "type": 1, "description": "Give up the hand"},
    {"name": "raise", "type": 1, "description": "Raise", "options": [
        {"type": 3, "name": "to", "description": "Total for this street", "required": True},
    ]},
    {"name": "table", "type": 1, "description": "Tables", "options": [
        {"type": 1, "name": "open", "description": "Open a table", "options": [
            {"type": 3, "name": "game", "description": "Which game", "required": True, "choices": [
                {"name": "Limit hold'em", "value": "FT"}, {"name": "No-limit hold'em", "value": "NT"},
            ]},
            {"type": 4, "name": "seats", "description": "How many", "min_value": 2, "max_value": 14},
        ]},
        {"type": 1, "name": "close", "description": "Close it"},
    ]},
    {"name": "laws", "type": 1, "description": "The law book", "options": [
        {"type": 3, "name": "id", "description": "One law", "autocomplete": True},
    ]},
    {"name": "Replay", "type": 3, "description": ""}, {"name": "Stats", "type": 2, "description": ""},
]  # fmt: skip


def text(content: str) -> Json:
    return {"type": 10, "content": content}


def button(label: str, custom_id: str, style: int = 2) -> Json:
    return {"type": 2, "style": style, "label": label, "custom_id": custom_id}


def row(*parts: Json) -> Json:
    return {"type": 1, "components": list(parts)}


def message(number: int, *parts: Json, content: str = "", flags: int = 0, author: Json = DEALER, **more: Any) -> Json:
    container = [{"type": 17, "accent_color": 0xF2B233, "components": list(parts)}] if parts else []
    return {
        "id": str(1000 + number), "channel_id": CHANNEL, "author": author, "content": content, "components": container,
        "attachments": [], "mentions": [], "timestamp": "2026-01-05T20:14:00+00:00", "edited_timestamp": None,
        "flags": flags | (V2 if parts else 0), **more,
    }  # fmt: skip


class FakeServer:
    """Serves Ann's page and answers its websocket.

    Attributes:
        received: the frames that the page has sent and no test has taken yet.
        answer: returns the answer to a frame, or None.
        pictures: the attachments that it serves, by path.
        held: attachments that it serves only once they are let go.
        asked_for: the path of every attachment that the page has asked for.
    """

    def __init__(self, page: Page, *history: Json) -> None:
        self.page = page
        self.history = list(history)
        self.received: list[Json] = []
        self.answer: Callable[[Json], Json | None] = lambda frame: {"t": "done"}
        self.pictures: dict[str, bytes] = {}
        self.held: dict[str, asyncio.Event] = {}
        self.asked_for: list[str] = []
        self.dialogs: list[str] = []
        self.socket: WebSocketRoute | None = None

    async def open(self) -> FakeServer:
        self.page.on("dialog", lambda dialog: self.dialogs.append(dialog.message))
        await self.page.route(f"{BASE_URL}/**", self._serve)
        await self.page.route_web_socket("**/live", self._listen)
        await self.page.goto(f"{BASE_URL}/p/anns-link")
        await self.page.wait_for_selector("body[data-ready]")
        return self

    async def _serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(BASE_URL)
        if path.startswith("/cdn/attachments/"):
            await self._serve_picture(route, path)
            return
        name = path.rsplit("/", 1)[1]
        name = "icon.svg" if path.startswith("/cdn/emojis/") else name  # every emoji is a square
        item = PAGE_DIRECTORY / ("page.html" if "/p/" in route.request.url else name)
        if not item.is_file():
            await route.fulfill(status=404)
            return
        kind = CONTENT_TYPES[item.name.rsplit(".", 1)[1]]
        headers = {"Content-Type": kind, "Content-Security-Policy": CONTENT_SECURITY_POLICY}
        await route.fulfill(body=item.read_bytes(), headers=headers)

    async def _serve_picture(self, route: Route, path: str) -> None:
        self.asked_for.append(path)
        if path in self.held:
            await self.held[path].wait()
        if path in self.pictures:
            await route.fulfill(body=self.pictures[path], headers={"Content-Type": "image/webp"})
        else:
            await route.fulfill(status=404)

    def _listen(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        socket.on_message(self._receive)
        channels = [{"id": CHANNEL, "type": 0, "name": "poker"}]
        self.send(
            t="hello", me=ANN, guild={"id": "1", "name": "Cardroom"}, channels=channels, users=[ANN, HOSTILE_USER], now=0,
            roles=[{"id": "501", "name": "Champion"}, {"id": "1", "name": "@everyone"}],
            dms=[{"id": DM, "recipient": DEALER}], commands=COMMANDS, application=DEALER, bot_online=True, dms_open=True,
        )  # fmt: skip
        self.send(t="history", channel_id=CHANNEL, messages=self.history)

    def _receive(self, raw: str | bytes) -> None:
        frame = json.loads(raw)
        self.received.append(frame)
        answer = self.answer(frame)
        if answer is not None:
            self.send(**answer, nonce=frame.get("nonce"))

    def send(self, **frame: Any) -> None:
        assert self.socket is not None
        self.socket.send(json.dumps(frame))

    async def next_frame(self, op: str) -> Json:
        """Wait for a frame with this op. Returns it without its op and nonce."""
        for _ in range(200):
            for frame in self.received:
                if frame["op"] == op:
                    self.received.remove(frame)
                    return {key: value for key, value in frame.items() if key not in {"op", "nonce"}}
            await asyncio.sleep(0.02)
        raise AssertionError(f"the page sent no {op}, but {self.received}")

    async def render(self, source: str) -> str:
        """Return the HTML that the page makes of Discord's markdown."""
        script = """async (source) => {
            const { markdown } = await import("/static/markdown.js");
            const book = { me: "201", user: (id) => (id === "201" ? "Ann" : "<Bo>"), channel: () => "poker", role: () => "role" };
            return markdown(source, book).innerHTML;
        }"""
        html = await self.page.evaluate(script, source)
        assert isinstance(html, str)
        return html


class PageOpener:
    """Opens pages in one browser. Each page belongs to a new visitor."""

    def __init__(self, running: Browser) -> None:
        self._browser = running

    async def __call__(self, *history: Json, size: dict[str, int] = PHONE, **state: Any) -> FakeServer:
        return await (await self.server(*history, size=size, **state)).open()

    async def server(self, *history: Json, size: dict[str, int] = PHONE, **state: Any) -> FakeServer:
        """Return a server whose page is not open yet."""
        viewport: Any = size
        options: Any = {"locale": "en-GB", "timezone_id": "UTC"} | state
        context = await self._browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(PATIENCE_MS)
        return FakeServer(await context.new_page(), *history)
