"""Files served over HTTP: the page's own files, attachments, emojis and avatars."""

import re
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

from aiohttp import web

from bot.local.storage import Storage

PAGE_DIRECTORY = Path(__file__).parent / "page"

SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_CONTENT_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
_BINARY_SUFFIXES = frozenset((".png", ".woff2"))
_IMAGE_TYPES = frozenset(("image/png", "image/jpeg", "image/gif", "image/webp"))
_AVATAR_KEY = re.compile("[0-9a-f]{32}")
_AVATAR_CELLS, _AVATAR_CELL_PIXELS, _AVATAR_EDGE = 5, 16, 24
"""Squares of a pattern in a row, and pixels: of 128, 24 are left at each edge, so that a disc cuts nothing off."""
_AVATAR_COLOURS = ((88, 101, 242), (116, 127, 141), (67, 181, 129), (250, 166, 26), (240, 71, 71), (235, 69, 158))

_NOT_FOUND = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Page not found</title><style>body{font:18px/1.5 system-ui;max-width:32em;margin:20vh auto;padding:0 1em}</style>
<h1>This link does not work</h1>
<p>It is incomplete, or it belongs to another cardroom. Copy it again from the terminal in which the cardroom was
started, or ask the person who invited you.</p>"""


def not_found() -> web.Response:
    """Return a page that tells a person what is wrong with their link."""
    headers = {**SECURITY_HEADERS, "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return web.Response(status=404, text=_NOT_FOUND, content_type="text/html", headers=headers)


def page(host: str) -> web.StreamResponse:
    """Return the page, which is the same for everybody. It can load from and connect to this server only."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        f"font-src 'self'; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return _page_file("page.html", {"Content-Security-Policy": policy, "Cache-Control": "no-store"})


def static(name: str) -> web.StreamResponse:
    """Return a file of the page by its name."""
    return _page_file(name, {"Cache-Control": "no-cache"})


def _page_file(name: str, headers: dict[str, str]) -> web.StreamResponse:
    path = PAGE_DIRECTORY / name
    kind = _CONTENT_TYPES.get(path.suffix)
    if path.parent != PAGE_DIRECTORY or kind is None or not path.is_file():
        return not_found()
    charset = None if path.suffix in _BINARY_SUFFIXES else "utf-8"
    return web.Response(
        body=path.read_bytes(), content_type=kind, charset=charset, headers={**SECURITY_HEADERS, **headers}
    )


async def cdn(storage: Storage, path: str) -> web.StreamResponse:
    """Return an attachment, an emoji or an avatar. `path` is the part after ``/cdn/``."""
    match path.split("/"):
        case ["attachments" | "ephemeral-attachments", _, snowflake, _]:
            pass
        case ["emojis", name]:
            snowflake = name.partition(".")[0]
        case ["embed", "avatars", name]:
            return _file_response(_default_avatar(name.partition(".")[0]), "image/png")
        case ["avatars", _, name]:
            key = name.partition(".")[0]
            if not _AVATAR_KEY.fullmatch(key):
                return web.Response(status=404, headers=SECURITY_HEADERS)
            return _file_response(_avatar(bytes.fromhex(key)), "image/png")
        case _:
            return web.Response(status=404, headers=SECURITY_HEADERS)
    file = await storage.read_file(int(snowflake)) if snowflake.isdecimal() and len(snowflake) < 20 else None
    if file is None:
        return web.Response(status=404, headers=SECURITY_HEADERS)
    return _file_response(file.body, file.type)


def _file_response(body: bytes, kind: str) -> web.Response:
    headers = {
        **SECURITY_HEADERS,
        "Cache-Control": "private, max-age=31536000, immutable",
        "Content-Security-Policy": "sandbox",
    }
    if kind not in _IMAGE_TYPES:  # an upload must never run as a page of this server
        headers["Content-Disposition"] = "attachment"
    return web.Response(body=body, headers={**headers, "Content-Type": kind})


def _default_avatar(number: str) -> bytes:
    """Return a plain square in one of Discord's avatar colours, as a PNG file."""
    colour = _AVATAR_COLOURS[int(number) % len(_AVATAR_COLOURS) if number.isdecimal() else 0]
    return _png([[colour] * 64] * 64)


def _avatar(key: bytes) -> bytes:
    """Return a pattern that follows from the key of an avatar, as a PNG file: squares that are the same on both sides."""
    ground = _AVATAR_COLOURS[key[0] % len(_AVATAR_COLOURS)]
    ink = (245, 245, 240) if key[1] % 2 else (32, 34, 44)
    middle, rows = (_AVATAR_CELLS + 1) // 2, []
    for row in range(_AVATAR_CELLS):
        half = [bool(key[(2 + row * middle + column) % len(key)] & 1) for column in range(middle)]
        cells = half + half[-2::-1]
        line = [ink if is_inked else ground for is_inked in cells for _ in range(_AVATAR_CELL_PIXELS)]
        rows += [[ground] * _AVATAR_EDGE + line + [ground] * _AVATAR_EDGE] * _AVATAR_CELL_PIXELS
    edge = [[ground] * len(rows[0])] * _AVATAR_EDGE
    return _png([*edge, *rows, *edge])


def _png(pixels: Sequence[Sequence[tuple[int, int, int]]]) -> bytes:
    """Return rows of pixels as a PNG file."""
    rows = zlib.compress(b"".join(b"\0" + bytes(part for pixel in row for part in pixel) for row in pixels))

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
