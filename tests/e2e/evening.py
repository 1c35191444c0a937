"""The real bot on the real discord.py, in this event loop, against the stand-in; and who watches that nobody sees too much."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.app import Dealer
from tests.support.discord_double import Discord, discord_double, endpoints


@asynccontextmanager
async def dealer_at(double: Discord, data: Path, **how: Any) -> AsyncIterator[Dealer]:
    """The bot, logged in and ready."""
    with endpoints(double.stand_in):
        there = asyncio.Event()
        dealer = Dealer(data, ready=there.set, **how)
        await dealer.open_store()
        playing = asyncio.create_task(dealer.start_playing(double.stand_in.token))
        try:
            done, _ = await asyncio.wait(
                [playing, asyncio.ensure_future(there.wait())], timeout=10, return_when=asyncio.FIRST_COMPLETED
            )
            assert done, "the bot did not get ready"
            if playing in done:
                playing.result()
            await double.bot_ready()
            yield dealer
        finally:
            await dealer.stop_playing()
            await playing


@asynccontextmanager
async def evening(tmp_path: Path, **how: Any) -> AsyncIterator[tuple[Discord, Dealer]]:
    """A fresh Discord with the bot in it."""
    logging.getLogger("discord").setLevel(logging.ERROR)
    async with discord_double(tmp_path / "discord") as double, dealer_at(double, tmp_path / "data", **how) as dealer:
        yield double, dealer
