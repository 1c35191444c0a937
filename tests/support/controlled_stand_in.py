"""``python -m tests.support.controlled_stand_in --control KEY …``: the stand-in with a control address for tests.

It takes the options of ``python -m bot.local``. Its ready line also has ``control``, the control address, which
answers only to this machine, only with the key in ``X-Control-Key``, and never to a browser.
"""

from __future__ import annotations

import argparse
import ipaddress
import secrets
import sys
from typing import Any

from aiohttp import web

from bot.local.__main__ import build, make_parser, run, serve
from bot.local.stand_in import DiscordStandIn
from tests.support.control import StandInControls


class ControlledStandIn(DiscordStandIn):
    """A stand-in whose ready line also names its control address."""

    def ready_data(self) -> dict[str, Any]:
        return super().ready_data() | {"control": self.base_url + "/control"}


def open_control(stand_in: DiscordStandIn, key: str) -> None:
    """Let programs on this machine that know the key call the methods of `StandInControls`."""
    controls = StandInControls(stand_in)

    async def control(request: web.BaseRequest) -> web.StreamResponse:
        is_local = request.remote is not None and ipaddress.ip_address(request.remote).is_loopback
        given_key = request.headers.get("X-Control-Key", "")
        if not is_local or "Origin" in request.headers or not secrets.compare_digest(given_key, key):
            return web.Response(status=403)
        return await controls.serve(request)

    stand_in.extra_handlers["/control"] = control


async def _main(options: argparse.Namespace) -> int:
    stand_in = build(options, ControlledStandIn)
    open_control(stand_in, options.control)
    return await serve(stand_in, options.data)


if __name__ == "__main__":
    parser = make_parser()
    parser.add_argument("--control", required=True, metavar="KEY")
    sys.exit(run(_main(parser.parse_args())))
