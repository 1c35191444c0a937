"""``python -m tests.support.controlled_stand_in --control KEY …``: the stand-in with a control address for tests.

Takes the options of ``python -m bot.local``; the ready line also has ``control``. The address answers only to this
machine, only with the key in ``X-Control-Key``, and never to a browser.
"""

from __future__ import annotations

import argparse
import ipaddress
import secrets
import sys
from typing import Any

from aiohttp import web

from bot.local.__main__ import build, parser, run, serve
from bot.local.standin import StandIn
from tests.support.control import Controls


class ControlledStandIn(StandIn):
    """A stand-in that says in its ready line where it can be controlled."""

    def ready(self) -> dict[str, Any]:
        return super().ready() | {"control": self.base_url + "/control"}


def open_control(stand_in: StandIn, key: str) -> None:
    """Let whoever knows the key on this machine do what `Controls` can."""
    controls = Controls(stand_in)

    async def control(request: web.BaseRequest) -> web.StreamResponse:
        local = request.remote is not None and ipaddress.ip_address(request.remote).is_loopback
        given = request.headers.get("X-Control-Key", "")
        if not local or "Origin" in request.headers or not secrets.compare_digest(given, key):
            return web.Response(status=403)
        return await controls.serve(request)

    stand_in.mounts["/control"] = control


async def _main(options: argparse.Namespace) -> int:
    stand_in = build(options, ControlledStandIn)
    open_control(stand_in, options.control)
    return await serve(stand_in, options.data)


if __name__ == "__main__":
    arguments = parser()
    arguments.add_argument("--control", required=True, metavar="KEY")
    sys.exit(run(_main(arguments.parse_args())))
