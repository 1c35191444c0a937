"""What is fetched rather than asked for: the page's own files, attachments, emojis and default avatars."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from aiohttp import web

from bot.local.storage import Storage

PAGE = Path(__file__).parent / "page"

SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
_BYTES = frozenset((".png", ".woff2"))
_SHOWN = frozenset(("image/png", "image/jpeg", "image/gif", "image/webp"))
_COLOURS = ((88, 101, 242), (116, 127, 141), (67, 181, 129), (250, 166, 26), (240, 71, 71), (235, 69, 158))

_NOT_FOUND = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Not here</title><style>body{font:18px/1.5 system-ui;max-width:32em;margin:20vh auto;padding:0 1em}</style>
<h1>There is no seat behind this link</h1>
<p>The link may be incomplete, or belong to another cardroom. Copy it again from the terminal where the cardroom was
started, or ask the person who invited you.</p>"""


def not_found() -> web.Response:
    """A page for people, not a number."""
    headers = {**SAFE, "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return web.Response(status=404, text=_NOT_FOUND, content_type="text/html", headers=headers)


def page(host: str) -> web.StreamResponse:
    """The page, the same for everybody. Scripts come from here only, and the only talk is with this server."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        f"font-src 'self'; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return _from_page("page.html", {"Content-Security-Policy": policy, "Cache-Control": "no-store"})


def static(name: str) -> web.StreamResponse:
    """A file of the page by its bare name."""
    return _from_page(name, {"Cache-Control": "no-cache"})


def _from_page(name: str, headers: dict[str, str]) -> web.StreamResponse:
    path = PAGE / name
    kind = _TYPES.get(path.suffix)
    if path.parent != PAGE or kind is None or not path.is_file():
        return not_found()
    charset = None if path.suffix in _BYTES else "utf-8"
    return web.Response(body=path.read_bytes(), content_type=kind, charset=charset, headers={**SAFE, **headers})


async def cdn(storage: Storage, path: str) -> web.StreamResponse:
    """An attachment, emoji or default avatar by its address after ``/cdn/``."""
    match path.split("/"):
        case ["attachments", _, snowflake, _]:
            pass
        case ["emojis", name]:
            snowflake = name.partition(".")[0]
        case ["embed", "avatars", name]:
            return _picture(_square(name.partition(".")[0]), "image/png")
        case _:
            return web.Response(status=404, headers=SAFE)
    file = await storage.read_file(int(snowflake)) if snowflake.isdecimal() and len(snowflake) < 20 else None
    if file is None:
        return web.Response(status=404, headers=SAFE)
    return _picture(file.body, file.type)


def _picture(body: bytes, kind: str) -> web.Response:
    headers = {**SAFE, "Cache-Control": "private, max-age=31536000, immutable", "Content-Security-Policy": "sandbox"}
    if kind not in _SHOWN:  # never let an upload run as a page of this server
        headers["Content-Disposition"] = "attachment"
    return web.Response(body=body, headers={**headers, "Content-Type": kind})


def _square(number: str) -> bytes:
    """A plain square in one of Discord's avatar colours, as PNG."""
    colour = bytes(_COLOURS[int(number) % len(_COLOURS) if number.isdecimal() else 0])
    rows = zlib.compress((b"\0" + colour * 64) * 64)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
